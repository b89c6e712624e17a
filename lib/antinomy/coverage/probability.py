"""Probabilities that two provisions are on one duty, and that a provision has a counterpart at all.

A pair's score adds up, in log-odds, what the judge says (its probability of any relation), how far the pair stands out
among the candidates (the link stage's score) and the cosine of the two texts; subtracted is how much better the
counterpart fits other provisions. So a hub, which looks somewhat like many provisions, counts only for those that it
fits best. Where one side has several times as many provisions, as many may share a counterpart.

Both probabilities are logistic in that score, with one slope: a pair's in its own score, a provision's in that of its
best pair. The weights are round numbers, and so are slope and intercepts: with them each of three pairs of invented
regulations has a lower log loss than with twice the weight for all but the judge. Fitted by corpus, the slope would be
.6 to .7. docs/evaluation.md has the measures on each.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from antinomy.judge.protocol import RELATED
from antinomy.vocabulary import Relation

#: Weights of the link stage's score and of the cosine of the texts, in log-odds of the judge.
_STANDS_OUT, _COSINE = 0.2, 2.0
#: Share of the distance to the counterpart's better partners that is subtracted.
_CONTEST = 1.0
#: Both curves: log-odds = slope × score + intercept.
_SLOPE = 0.6
_OF_PAIR, _OF_PROVISION = -2.2, -1.3
#: Weight of the logarithm of a rank among a provision's neighbours, and the rank of what is not among them.
_PLACE, _LAST = 0.5, 20
#: What a verdict that relates a pair adds to its score where pairs are ordered.
_RELATES = 1.0
#: Unknown values count as the average among candidates.
_USUAL_COSINE, _USUAL_SCORE = 0.45, 6.8
#: Probabilities for the relations of a judge that gives none.
_SAID, _DENIED = 0.8, 0.1
#: No judge is surer than this.
_SUREST = 0.995


def related(judged: Mapping[str, Any]) -> float:
    """Return the judge's probability that a pair is on one duty or term.

    Args:
        judged: relation and p_related of a verdict.
    """
    given = judged["p_related"]
    if given is not None:
        return float(given)
    return _DENIED if judged["relation"] == Relation.NONE else _SAID


def relation(judged: Mapping[str, Any]) -> str:
    """Return the relation of a pair: the verdict's, or ``overlap`` if it is related but the verdict says none.

    A served judge says none where that is its likeliest label; ``default`` decides by RELATED itself.
    """
    said = str(judged["relation"])
    return "overlap" if said == "none" and related(judged) >= RELATED else said


def single(judged: Mapping[str, Any], scores: Mapping[str, Any], standardised: bool) -> float:
    """Score a pair by itself.

    Args:
        judged: relation and p_related of its verdict.
        scores: ``score`` and ``own`` of the link stage.
        standardised: ``score`` is a sum of standardised scores, see ``link.fusion``.
    """
    p = min(max(related(judged), 1 - _SUREST), _SUREST)
    stands_out, cosine = scores.get("score"), scores.get("own")
    return (
        math.log(p / (1 - p))
        + _STANDS_OUT * (_USUAL_SCORE if stands_out is None or not standardised else stands_out)
        + _COSINE * (_USUAL_COSINE if cosine is None else cosine)
    )


def contested(alone: Sequence[float], counterpart: Sequence[str], sharing: int) -> NDArray[np.float64]:
    """Subtract from each score how much better its counterpart fits other provisions.

    Args:
        alone: scores of the pairs of one side with another, see ``single``.
        counterpart: of each pair, its provision on the other side.
        sharing: provisions of this side for each of the other; so many may share a counterpart.
    """
    scores = np.asarray(alone, dtype=np.float64)
    held: dict[str, list[int]] = {}
    for number, name in enumerate(counterpart):
        held.setdefault(name, []).append(number)
    rival = np.empty(len(scores))
    for numbers in held.values():
        ordered = np.sort(scores[numbers])[::-1]
        rival[numbers] = ordered[min(sharing, len(ordered)) - 1]
    result: NDArray[np.float64] = scores + _CONTEST * np.minimum(0.0, scores - rival)
    return result


def by_place(rank: int | None) -> float:
    """Return what a pair's rank among a provision's neighbours adds to its score where pairs are ordered.

    The link stage's score belongs to the side that found the pair, so it cannot order the pairs of the other side: a
    provision of the smaller side is found by hundreds of the larger.
    """
    return -_PLACE * math.log(_LAST if rank is None else rank)


def by_verdict(relation: str | None) -> float:
    """Return what a pair's relation adds to its score where pairs are ordered.

    The judge calls a pair related from a bound on; one that it just left below, and that stands out, still comes before
    one that is related and on another matter by all else.
    """
    return 0.0 if relation in (None, Relation.NONE) else _RELATES


def of_pair(score: float) -> float:
    """Return the probability that a pair is on the same duty."""
    return _logistic(_SLOPE * score + _OF_PAIR)


def of_provision(best: float) -> float:
    """Return the probability that a provision has a counterpart, from the score of its best pair."""
    return _logistic(_SLOPE * best + _OF_PROVISION)


def _logistic(x: float) -> float:
    return 1 / (1 + math.exp(-x))
