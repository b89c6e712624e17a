"""Estimates the shares (priors) of the relations among pairs, and adjusts probabilities to them.

Method: expectation maximisation after Saerens, Latinne and Decaestecker, "Adjusting the Outputs of a Classifier to New
a Priori Probabilities" (Neural Computation 14, 2002). Unconstrained shares would follow the networks' errors on texts
by new writers, so two Dirichlet priors hold them: one the share of unrelated pairs, one the relations among a run's
candidates. Pairs that no run proposed are taken as a mixture of candidates and training data.

Provisions that are each other's first candidate are related far more often than those of which one is the other's
tenth, so the shares of a run's candidates are estimated for each place (``protocol.PLACES``), with a prior of its own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from antinomy.judge.fitted.decision import CLASSES
from antinomy.judge.protocol import LAST_PLACE

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: Prior share of unrelated candidates, by place. Without this prior all pairs would count as unrelated as soon as they
#: differ from the training data. In invented regulations fewer candidates are related (.48, .08, .01 and .001 by
#: place); in real ones, where many provisions speak of one duty, more.
_UNRELATED_BY_PLACE = (0.5, 0.6, 0.65, 0.7)
#: The same for pairs that no run proposed.
_UNRELATED_ELSEWHERE = 0.5
#: Weight of these shares, in pseudo-pairs per observed pair.
_UNRELATED_WEIGHT = 1.0
#: Prior share of conflicts, and of the stricter rules of either side, among related candidates, by place; the rest
#: overlaps.
_CONFLICTS_BY_PLACE = (0.09, 0.06, 0.04, 0.03)
#: Weight of these shares, in pseudo-pairs per observed pair.
_RELATED_WEIGHT = 0.3
#: Fewest pairs that shares are estimated from; with fewer, those of the training data are taken.
FEWEST = 50
#: Fewest pairs of a place; with fewer, all pairs stand for them.
FEWEST_OF_PLACE = 10
_MAX_ITERATIONS = 200
_CONVERGED = 1e-5
_BOOTSTRAP_SAMPLES = 100
_LEFT, _RIGHT = CLASSES.index("stricter_left"), CLASSES.index("stricter_right")


@dataclass(frozen=True)
class Shares:
    """Shares of the relations among pairs.

    Attributes:
        expected: class of CLASSES → share; they sum to one.
        by_place: the same for each place; the manifest has it by this name.
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


def same_in_all_places(shares: dict[str, float]) -> tuple[dict[str, float], ...]:
    """Return the same shares for every place."""
    return (shares,) * LAST_PLACE


def estimate_shares(pairs: Sequence[Mapping[str, float]], training_shares: Mapping[str, float]) -> Shares:
    """Estimate the shares of the relations among pairs.

    Args:
        pairs: of each pair the probabilities of CLASSES at the shares of the training data, and its
            ``place``, which is 0 or missing if no run proposed it.
        training_shares: share of each class in the training data.
    """
    training = np.array([training_shares[name] for name in CLASSES])
    if len(pairs) < FEWEST:
        same = dict(zip(CLASSES, training.tolist(), strict=True))
        return Shares(same, same, same, len(pairs), same_in_all_places(same))
    probabilities = np.array([[row[name] for name in CLASSES] for row in pairs])
    places = np.array([int(row.get("place") or LAST_PLACE) for row in pairs])
    are_candidates = any(row.get("place") for row in pairs)

    def estimate(rows: NDArray[np.int_]) -> NDArray[np.float64]:
        """Return the shares by place among some of the pairs, of shape (places, classes)."""
        if not are_candidates:
            return np.array([_expectation_maximisation(probabilities[rows], training)] * LAST_PLACE)
        found = []
        for place in range(1, LAST_PLACE + 1):
            members = rows[places[rows] == place]
            enough = len(members) >= FEWEST_OF_PLACE
            found.append(_expectation_maximisation(probabilities[members if enough else rows], training, place))
        return np.array(found)

    everything = np.arange(len(pairs))
    by_place = estimate(everything)
    rng = np.random.default_rng(0)
    samples = [rng.integers(0, len(pairs), len(pairs)) for _ in range(_BOOTSTRAP_SAMPLES)]
    low, high = np.percentile([estimate(rows)[places[rows] - 1].mean(axis=0) for rows in samples], (2.5, 97.5), axis=0)
    return Shares(
        _by_class(by_place[places - 1].mean(axis=0)), _by_class(low), _by_class(high), len(pairs),
        tuple(_by_class(shares) for shares in by_place),
    )  # fmt: skip


def _by_class(shares: NDArray[np.float64]) -> dict[str, float]:
    return {name: round(float(share), 5) for name, share in zip(CLASSES, shares, strict=True)}


def _expectation_maximisation(
    probabilities: NDArray[np.float64], training: NDArray[np.float64], place: int | None = None
) -> NDArray[np.float64]:
    """Return the shares of CLASSES, of shape (classes,).

    Args:
        probabilities: of CLASSES at the shares of the training data, of shape (pairs, classes).
        training: shares of the training data, of shape (classes,).
        place: of the pairs if a run proposed them. The relations of other pairs are a
            mixture of those of candidates and of the training data, whose proportion is estimated too.
    """
    unrelated_share = _UNRELATED_ELSEWHERE if place is None else _UNRELATED_BY_PLACE[place - 1]
    conflicts = _CONFLICTS_BY_PLACE[(place or 1) - 1]
    candidates_related = np.array([conflicts, conflicts, conflicts, 1 - 3 * conflicts])
    # "none" is the last of CLASSES; the shares of the others are estimated among related pairs.
    training_related = training[:-1] / training[:-1].sum()
    shares, candidate_weight = training, 0.5
    for _ in range(_MAX_ITERATIONS):
        weighted = probabilities * (shares / training)
        mean = (weighted / weighted.sum(axis=1, keepdims=True)).mean(axis=0)
        related = mean[:-1]
        if place is not None:
            related = related + _RELATED_WEIGHT * candidates_related
            # Which regulation is on the left is arbitrary, so either side governs equally often.
            related[[_LEFT, _RIGHT]] = related[[_LEFT, _RIGHT]].mean()
        else:
            as_candidates = candidate_weight * candidates_related
            mixture = as_candidates + (1 - candidate_weight) * training_related
            candidate_weight = (related * as_candidates / mixture).sum() / related.sum()
            related = candidate_weight * candidates_related + (1 - candidate_weight) * training_related
        unrelated = (mean[-1] + _UNRELATED_WEIGHT * unrelated_share) / (1 + _UNRELATED_WEIGHT)
        new = np.append(related / related.sum() * (1 - unrelated), unrelated)
        if np.abs(new - shares).max() < _CONVERGED:
            break
        shares = new
    return shares


def adjust_to_shares(
    probabilities: Mapping[str, float], training_shares: Mapping[str, float], expected: Mapping[str, float]
) -> dict[str, float]:
    """Return the probabilities at the expected shares of the classes instead of those of the training data."""
    scaled = {name: p * expected[name] / training_shares[name] for name, p in probabilities.items()}
    total = sum(scaled.values())
    return {name: value / total for name, value in scaled.items()}


def shares_with_conflicts(training_shares: Mapping[str, float], conflict: float) -> dict[str, float]:
    """Return the shares of the training data, changed to a given share of conflicts.

    The odds of stricter rules change by the same factor: both are rare for the same reason, since few candidates
    concern the same duty. The other classes keep their proportions.
    """
    ratio = conflict / (1 - conflict) * (1 - training_shares["conflict"]) / training_shares["conflict"]
    stricter = {name: training_shares[name] * ratio for name in ("stricter_left", "stricter_right")}
    rest = {name: share for name, share in training_shares.items() if name != "conflict" and name not in stricter}
    total = sum(rest.values()) + sum(stricter.values())
    others = {name: share / total * (1 - conflict) for name, share in (rest | stricter).items()}
    return {name: others.get(name, conflict) for name in training_shares}
