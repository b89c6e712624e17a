"""Probabilities that two provisions are on one duty, and that a provision has a counterpart at all.

A pair's score is the judge's opinion (its probability of any relation, in log-odds) and the cosine of the two texts.
Both probabilities are logistic in that score: a pair's in its own, a provision's in that of its best pair.

The weights of the cosines and both curves are round numbers near to those that fit pairs of invented regulations, of
which the judge has read none, and 138 provisions of DORA and of the FFIEC handbook (docs/evaluation.md).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from antinomy.judge.protocol import RELATED
from antinomy.vocabulary import Relation

#: Slope and intercept of the cosine of the texts, in log-odds of the judge, by channel; the first that has it counts.
_COSINE = {"mpnet": (5.0, 0.3), "own": (4.0, 0.0)}
#: Where no channel has it, what it usually comes to.
_USUAL = 1.8
#: Slope and intercept of the curves, in log-odds.
_OF_PAIR, _OF_PROVISION = (0.8, -2.6), (0.7, -1.2)
#: Probabilities for the relations of a judge that gives none.
_SAID, _DENIED = 0.9, 0.1
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


def likeness(judged: Mapping[str, Any], scores: Mapping[str, float | None]) -> float:
    """Return the score of a pair.

    Args:
        judged: relation and p_related of its verdict.
        scores: of the channels of the link stage; None where a channel has none.
    """
    p = min(max(related(judged), 1 - _SUREST), _SUREST)
    alike = (slope * cosine + at for name, (slope, at) in _COSINE.items() if (cosine := scores.get(name)) is not None)
    return math.log(p / (1 - p)) + next(alike, _USUAL)


def of_pair(score: float) -> float:
    """Return the probability that a pair is on the same duty."""
    return _logistic(score, *_OF_PAIR)


def of_provision(best: float) -> float:
    """Return the probability that a provision has a counterpart, from the score of its best pair."""
    return _logistic(best, *_OF_PROVISION)


def _logistic(score: float, slope: float, intercept: float) -> float:
    return 1 / (1 + math.exp(-(slope * score + intercept)))
