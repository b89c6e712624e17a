"""Baselines that a judge must beat: classifiers that see one side only, or only count shared words."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline

from antinomy.train.pairs import Example

_WORD = re.compile(r"[a-z]+")


def baselines(examples: Sequence[Example], fold: Sequence[int]) -> dict[str, NDArray[np.float64]]:
    """Return for each baseline the probabilities of a conflict, out of fold, of shape (pairs,)."""
    return {
        "left side alone": _words(examples, fold, lambda e: e.left),
        "right side alone": _words(examples, fold, lambda e: e.right),
        "shared words alone": _overlap(examples, fold),
    }


def _words(examples: Sequence[Example], fold: Sequence[int], side: Callable[[Example], str]) -> NDArray[np.float64]:
    """Classify one side by a logistic regression over TF-IDF."""
    probability = np.zeros(len(examples))
    for held_out in sorted(set(fold)):
        rest = [e for e, f in zip(examples, fold, strict=True) if f != held_out]
        members = [i for i, f in enumerate(fold) if f == held_out]
        words = TfidfVectorizer(sublinear_tf=True, ngram_range=(1, 2))
        model = make_pipeline(words, LogisticRegression(C=10, max_iter=500))
        model.fit([side(e) for e in rest], [e.label == "conflict" for e in rest])
        probability[members] = model.predict_proba([side(examples[i]) for i in members])[:, 1]
    return probability


def _overlap(examples: Sequence[Example], fold: Sequence[int]) -> NDArray[np.float64]:
    """Classify by the Jaccard index of both sides' words, its square and the difference in length."""
    x = np.array([_overlap_features(e) for e in examples])
    actual = np.array([e.label == "conflict" for e in examples])
    probability = np.zeros(len(examples))
    folds = np.array(fold)
    for held_out in sorted(set(fold)):
        model = LogisticRegression(max_iter=500).fit(x[folds != held_out], actual[folds != held_out])
        probability[folds == held_out] = model.predict_proba(x[folds == held_out])[:, 1]
    return probability


def _overlap_features(e: Example) -> list[float]:
    a, b = set(_WORD.findall(e.left.lower())), set(_WORD.findall(e.right.lower()))
    jaccard = len(a & b) / max(1, len(a | b))
    return [jaccard, jaccard * jaccard, abs(len(a) - len(b)) / max(1, len(a | b))]
