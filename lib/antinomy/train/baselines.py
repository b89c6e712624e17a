"""Baselines that a judge must beat: classifiers that see one side only, or only count shared words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import PredefinedSplit, cross_val_predict
from sklearn.pipeline import make_pipeline

from antinomy.train.pairs import Example

_WORD = re.compile(r"[a-z]+")


def baselines(examples: Sequence[Example], fold: Sequence[int]) -> dict[str, NDArray[np.float64]]:
    """Return for each baseline the probabilities of a conflict, out of fold, of shape (pairs,)."""
    actual = np.array([e.label == "conflict" for e in examples])

    def predict(model: Any, inputs: Sequence[Any]) -> NDArray[np.float64]:
        both: NDArray[np.float64] = cross_val_predict(
            model, inputs, actual, cv=PredefinedSplit(fold), method="predict_proba"
        )
        return both[:, 1]

    words = make_pipeline(
        TfidfVectorizer(sublinear_tf=True, ngram_range=(1, 2)), LogisticRegression(C=10, max_iter=500)
    )
    return {
        "left side alone": predict(words, [e.left for e in examples]),
        "right side alone": predict(words, [e.right for e in examples]),
        "shared words alone": predict(LogisticRegression(max_iter=500), [_overlap_features(e) for e in examples]),
    }


def _overlap_features(e: Example) -> list[float]:
    """Return the Jaccard index of both sides' words, its square and the difference in length."""
    a, b = set(_WORD.findall(e.left.lower())), set(_WORD.findall(e.right.lower()))
    jaccard = len(a & b) / max(1, len(a | b))
    return [jaccard, jaccard * jaccard, abs(len(a) - len(b)) / max(1, len(a | b))]
