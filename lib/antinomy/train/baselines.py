"""What a judge must beat: rules that do not read both provisions, or only count their words."""

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
    """Return for each shortcut the chance of a conflict that it gives, out of fold, of shape (n,)."""
    return {
        "left side alone": _words(examples, fold, lambda e: e.left),
        "right side alone": _words(examples, fold, lambda e: e.right),
        "shared words alone": _overlap(examples, fold),
    }


def _words(examples: Sequence[Example], fold: Sequence[int], side: Callable[[Example], str]) -> NDArray[np.float64]:
    """TF-IDF and logistic regression on one side."""
    chance = np.zeros(len(examples))
    for held in sorted(set(fold)):
        seen = [e for e, f in zip(examples, fold, strict=True) if f != held]
        where = [i for i, f in enumerate(fold) if f == held]
        words = TfidfVectorizer(sublinear_tf=True, ngram_range=(1, 2))
        model = make_pipeline(words, LogisticRegression(C=10, max_iter=500))
        model.fit([side(e) for e in seen], [e.label == "conflict" for e in seen])
        chance[where] = model.predict_proba([side(examples[i]) for i in where])[:, 1]
    return chance


def _overlap(examples: Sequence[Example], fold: Sequence[int]) -> NDArray[np.float64]:
    """Share of common words, its square and the difference in length, in a logistic regression."""
    x = np.array([_overlap_features(e) for e in examples])
    actual = np.array([e.label == "conflict" for e in examples])
    chance = np.zeros(len(examples))
    folds = np.array(fold)
    for held in sorted(set(fold)):
        model = LogisticRegression(max_iter=500).fit(x[folds != held], actual[folds != held])
        chance[folds == held] = model.predict_proba(x[folds == held])[:, 1]
    return chance


def _overlap_features(e: Example) -> list[float]:
    a, b = set(_WORD.findall(e.left.lower())), set(_WORD.findall(e.right.lower()))
    share = len(a & b) / max(1, len(a | b))
    return [share, share * share, abs(len(a) - len(b)) / max(1, len(a | b))]
