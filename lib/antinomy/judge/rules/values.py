"""The measures of two texts that may be of one thing: deadlines, amounts, frequencies and the like."""

from __future__ import annotations

import re

from antinomy.judge.rules.clauses import MeasurePair, measure_pairs, pair_clauses
from antinomy.norms import extract
from antinomy.vocabulary import Relation

#: Roles of ``norms`` whose values a reader compares.
_TOLD = frozenset({"deadline", "frequency", "retention", "notice", "threshold", "amount", "duration"})
#: Two measures are of one thing only if they are this alike, unless the verdict rests on them.
ALIKE = 0.35
#: A text without these has no value, and is not parsed.
_HINT = re.compile(
    r"\d|%|second|minute|hour|da(?:y|ily)|week|month|quarter|year|annual|biennial|percent|million|billion",
    re.IGNORECASE,
)


def measured(one: str, two: str) -> list[MeasurePair]:
    """Pair the measures of two texts that have the same role."""
    if not (_HINT.search(one) and _HINT.search(two)):
        return []
    pairs = measure_pairs(pair_clauses(extract(one), extract(two)))
    return [pair for pair in pairs if pair.left.role == pair.right.role and pair.left.role in _TOLD]


def telling(pairs: list[MeasurePair], relation: str) -> list[MeasurePair]:
    """Return those on which a verdict of this relation may rest; if there are none, those that are of one thing."""
    resting = [pair for pair in pairs if pair.comparison and pair.comparison.relation == relation]
    return resting or [pair for pair in pairs if pair.similarity >= ALIKE]


def told_by_values(left: str, right: str) -> tuple[Relation, str | None] | None:
    """Return the relation of two clauses on one duty, and the side that governs, by their values.

    Two different values are a conflict only where both texts say that theirs is to be kept exactly.

    Args:
        left, right: the quoted clauses.

    Returns:
        None if the values are equal, or do not tell.
    """
    differing = [pair for pair in measured(left, right) if pair.comparison and pair.comparison.relation != "equal"]
    if differing and all(pair.left.exact_only and pair.right.exact_only for pair in differing):
        return Relation.CONFLICT, None
    sides = {pair.comparison.governs for pair in differing if pair.comparison}
    side = sides.pop() if len(sides) == 1 else ""
    return (Relation.STRICTER, side) if side else None
