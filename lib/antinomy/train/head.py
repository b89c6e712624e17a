"""Fitting of the decision: logistic regression over what describes a pair, measured on topics that it has not seen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import f1_score, log_loss
from sklearn.preprocessing import StandardScaler

from antinomy.errors import AntinomyError
from antinomy.judge.local import vectors
from antinomy.judge.local.decision import CLASSES, Linear, mirrored
from antinomy.judge.local.features import describe
from antinomy.judge.local.focus import focus
from antinomy.judge.norms import compare
from antinomy.judge.norms.view import view
from antinomy.train.pairs import Example

Values = dict[str, float]
#: Kinds of a conflict or a stricter rule that are learned; rarer ones are not.
_KIND_LEAST = 10
_THRESHOLDS = np.round(np.arange(0.2, 0.7, 0.01), 2)


def described(examples: Sequence[Example]) -> list[Values]:
    """Return what describes each pair."""
    store = vectors.Vectors()
    found = []
    for start in range(0, len(examples), 64):
        chunk = examples[start : start + 64]
        texts = store.encode(t for e in chunk for t in (e.left, e.right))
        for e in chunk:
            (left, one), (right, two) = focus(e.left, e.right, texts[e.left], texts[e.right])
            found.append(describe(view(left, right), compare(left, right), vectors.nearness(one, two)))
    return found


def fit(values: Sequence[Values], labels: Sequence[str], names: Sequence[str], strength: float) -> Linear:
    """Fit a multinomial logistic regression.

    Args:
        values: what describes each pair.
        labels: the class of each.
        names: features to use.
        strength: C of the regression: the larger, the less it is held back.
    """
    x = np.array([[row[name] for name in names] for row in values])
    scaler = StandardScaler().fit(x)
    model = LogisticRegression(C=strength, max_iter=3000).fit(scaler.transform(x), np.array(labels))
    weights, bias = model.coef_, model.intercept_
    if len(model.classes_) == 2:
        # Of two classes one row is kept: the log-odds of the second.
        weights, bias = np.vstack([-weights, weights]) / 2, np.concatenate([-bias, bias]) / 2
    return Linear(
        classes=tuple(model.classes_.tolist()),
        features=tuple(names),
        mean=_rounded(scaler.mean_),
        scale=_rounded(scaler.scale_),
        weights=tuple(_rounded(row) for row in weights),
        bias=_rounded(bias),
    )


def _rounded(row: Any) -> tuple[float, ...]:
    return tuple(round(float(x), 6) for x in row)


def fit_relation(
    examples: Sequence[Example], values: Sequence[Values], names: Sequence[str], strength: float
) -> Linear:
    """Fit the relation on the pairs and on the same pairs with their sides exchanged."""
    both = [*values, *(mirrored(row) for row in values)]
    labels = [e.label for e in examples] + [e.mirrored().label for e in examples]
    return fit(both, labels, names, strength)


def fit_kind(examples: Sequence[Example], values: Sequence[Values], names: Sequence[str], strength: float) -> Linear:
    """Fit the kind on pairs in conflict and on those where one side is stricter.

    Raises:
        AntinomyError: if there are too few to learn two kinds from.
    """
    counts: dict[str, int] = {}
    for e in examples:
        counts[e.kind] = counts.get(e.kind, 0) + 1
    chosen = [
        (e, row)
        for e, row in zip(examples, values, strict=True)
        if e.kind not in ("", "definition") and counts[e.kind] >= _KIND_LEAST
    ]
    if len({e.kind for e, _ in chosen}) < 2:
        raise AntinomyError(
            f"too few labelled kinds: two need {_KIND_LEAST} pairs each in every fold; add labelled pairs to `data`"
        )
    return fit([row for _, row in chosen], [e.kind for e, _ in chosen], names, strength)


def probabilities(relation: Linear, values: Sequence[Values]) -> NDArray[np.float64]:
    """Return the chance of each class, of shape (n, len(CLASSES)); 0 for one that no pair fitted on has."""
    found = [relation.either_way(row) for row in values]
    return np.array([[row.get(name, 0.0) for name in CLASSES] for row in found])


def out_of_fold(
    written: Sequence[Example], values: Sequence[Values], fold: Sequence[int], names: Sequence[str],
    strengths: Sequence[float], made: Sequence[tuple[Example, Values, int]] = (),
) -> tuple[NDArray[np.float64], float]:  # fmt: skip
    """Predict every written pair by a model that has seen neither its topic nor its set.

    Args:
        written, values, fold: the pairs, what describes them, and the fold of each.
        names: features to use.
        strengths: of regularisation; that with the least log loss on the held-out pairs is taken.
        made: further pairs to fit on, with their folds.

    Returns:
        Chances of shape (n, len(CLASSES)), and the strength chosen.
    """
    best: tuple[float, NDArray[np.float64], float] | None = None
    folds = sorted(set(fold))
    truth = [e.label for e in written]
    for strength in strengths:
        chances = np.zeros((len(written), len(CLASSES)))
        for held in folds:
            used = [(e, v) for e, v, f in zip(written, values, fold, strict=True) if f != held]
            used += [(e, v) for e, v, f in made if f != held]
            linear = fit_relation([e for e, _ in used], [v for _, v in used], names, strength)
            where = [i for i, f in enumerate(fold) if f == held]
            chances[where] = probabilities(linear, [values[i] for i in where])
        loss = float(log_loss(truth, _by_name(chances), labels=sorted(CLASSES)))
        if best is None or loss < best[0]:
            best = (loss, chances, strength)
    assert best is not None
    return best[1], best[2]


def _by_name(chances: NDArray[np.float64]) -> NDArray[np.float64]:
    order = [CLASSES.index(name) for name in sorted(CLASSES)]
    named: NDArray[np.float64] = chances[:, order] / chances.sum(axis=1, keepdims=True)
    return named


def best_threshold(chance: NDArray[np.float64], actual: NDArray[np.bool_]) -> float:
    """Return the chance from which on a pair is called a conflict: that with the best F1 on held-out pairs."""
    scores = [f1_score(actual, chance >= t) for t in _THRESHOLDS]
    # The middle of the best run, not its edge.
    good = [t for t, s in zip(_THRESHOLDS, scores, strict=True) if s >= max(scores) - 0.003]
    return float(round(float(np.median(good)), 2))
