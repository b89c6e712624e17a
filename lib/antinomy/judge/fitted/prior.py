"""How frequent each relation is among pairs, estimated from the pairs themselves.

Method: expectation maximisation of Saerens, Latinne and Decaestecker, "Adjusting the Outputs of a Classifier to New a
Priori Probabilities" (Neural Computation 14, 2002). Free shares would follow the networks' errors on texts by new
writers, so a Dirichlet prior holds the share of unrelated pairs. The relations of a run's candidates have another one;
those of other pairs are a mixture of two makes. Provisions that are each other's nearest are on one duty far more often
than each other's tenth candidates, so the shares of candidates are estimated for each group of places.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from antinomy.judge.fitted.decision import CLASSES

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: Prior share of unrelated pairs, and its weight in pseudo-pairs for each pair seen. An estimate from the pairs alone
#: finds all unrelated as soon as they differ from the training data.
_UNRELATED, _UNRELATED_WEIGHT = 0.5, 1.0
#: Prior shares of the relations among related candidates, in the order of CLASSES, and their weight in pseudo-pairs for
#: each pair seen.
_USUAL, _USUAL_WEIGHT = np.array([0.09, 0.09, 0.09, 0.73]), 0.15
#: With fewer pairs the shares of the training data are taken; with fewer at a group of places, the shares of all.
FEWEST, FEWEST_OF_GROUP = 50, 10
_ROUNDS = 200
_ENOUGH = 1e-5
_RESAMPLES = 100
#: Last place of each group; a further group has all other places.
_PLACES = (1, 3, 10)
_LEFT, _RIGHT = CLASSES.index("stricter_left"), CLASSES.index("stricter_right")


@dataclass(frozen=True)
class Shares:
    """Shares of the relations among pairs.

    Attributes:
        expected: class of CLASSES → share; they sum to one.
        by_place: the same for each group of places, see ``group``.
        low, high: bounds of the shares' 95 % interval (percentile bootstrap over the pairs).
        pairs: number of pairs they were estimated from.
    """

    expected: dict[str, float]
    low: dict[str, float]
    high: dict[str, float]
    pairs: int
    by_place: tuple[dict[str, float], ...]

    def as_dict(self) -> dict[str, Any]:
        """Return it as plain values, for a manifest."""
        return asdict(self)


def group(place: float | None) -> int:
    """Return the group of a pair's place by its number; without a place the pair is in the last group."""
    if not place:
        return len(_PLACES)
    return next((i for i, last in enumerate(_PLACES) if place <= last), len(_PLACES))


def everywhere(shares: dict[str, float]) -> tuple[dict[str, float], ...]:
    """Return the same shares for every group of places."""
    return (shares,) * (len(_PLACES) + 1)


def estimated(chances: Sequence[Mapping[str, float]], fitted: Mapping[str, float]) -> Shares:
    """Estimate the shares of the relations among pairs.

    Args:
        chances: per pair those of CLASSES at the shares of the training data, and its ``place``, 0 or missing if it has
            none.
        fitted: share of each class in the training data.
    """
    start = np.array([fitted[name] for name in CLASSES])
    if len(chances) < FEWEST:
        same = dict(zip(CLASSES, start.tolist(), strict=True))
        return Shares(same, same, same, len(chances), everywhere(same))
    found = np.array([[row[name] for name in CLASSES] for row in chances])
    candidates = any(row.get("place") for row in chances)
    shares = _em(found, start, candidates)
    rng = np.random.default_rng(0)
    drawn = [rng.integers(0, len(found), len(found)) for _ in range(_RESAMPLES)]
    again = np.array([_em(found[rows], start, candidates) for rows in drawn])
    low, high = np.percentile(again, (2.5, 97.5), axis=0)
    groups = np.array([group(row.get("place")) for row in chances])
    by_place = [
        _named(_em(found[groups == i], start, candidates) if (groups == i).sum() >= FEWEST_OF_GROUP else shares)
        for i in range(len(_PLACES) + 1)
    ]
    return Shares(_named(shares), _named(low), _named(high), len(chances), tuple(by_place))


def _named(shares: NDArray[np.float64]) -> dict[str, float]:
    return {name: round(float(share), 5) for name, share in zip(CLASSES, shares, strict=True)}


def _em(found: NDArray[np.float64], start: NDArray[np.float64], candidates: bool) -> NDArray[np.float64]:
    """Return the shares of CLASSES, of which ``none`` is the last.

    Args:
        found: chances of CLASSES at the shares of the training data, of shape (pairs, len(CLASSES)).
        start: shares of the training data.
        candidates: whether a run proposed the pairs. The relations of other pairs are a mixture of those of candidates
            and of the training data, whose proportion is estimated too.
    """
    fitted = start[:-1] / start[:-1].sum()
    shares, usual_part = start, 0.5
    for _ in range(_ROUNDS):
        weighed = found * (shares / start)
        mean = (weighed / weighed.sum(axis=1, keepdims=True)).mean(axis=0)
        related = mean[:-1]
        if candidates:
            related = related + _USUAL_WEIGHT * _USUAL
            # Either side governs equally often: which regulation is called left is chance.
            related[[_LEFT, _RIGHT]] = related[[_LEFT, _RIGHT]].mean()
        else:
            usual = usual_part * _USUAL
            usual_part = (related * usual / (usual + (1 - usual_part) * fitted)).sum() / related.sum()
            related = usual_part * _USUAL + (1 - usual_part) * fitted
        unrelated = (mean[-1] + _UNRELATED_WEIGHT * _UNRELATED) / (1 + _UNRELATED_WEIGHT)
        new = np.append(related / related.sum() * (1 - unrelated), unrelated)
        if np.abs(new - shares).max() < _ENOUGH:
            break
        shares = new
    return shares


def rescaled(
    chances: Mapping[str, float], fitted: Mapping[str, float], expected: Mapping[str, float]
) -> dict[str, float]:
    """Return the chances at other shares of the relations than those of the training data."""
    scaled = {name: chance * expected[name] / fitted[name] for name, chance in chances.items()}
    whole = sum(scaled.values())
    return {name: value / whole for name, value in scaled.items()}


def with_conflicts(fitted: Mapping[str, float], conflict: float) -> dict[str, float]:
    """Return shares with a given share of conflicts.

    Stricter rules become rarer by the same odds, since both are rare for one reason: few candidates are on one matter.
    The others keep their proportions.
    """
    ratio = conflict / (1 - conflict) * (1 - fitted["conflict"]) / fitted["conflict"]
    stricter = {name: fitted[name] * ratio for name in ("stricter_left", "stricter_right")}
    rest = {name: share for name, share in fitted.items() if name != "conflict" and name not in stricter}
    most = 1 - conflict
    whole = sum(rest.values()) + sum(stricter.values())
    others = {name: share / whole * most for name, share in (rest | stricter).items()}
    return {name: others.get(name, conflict) for name in fitted}
