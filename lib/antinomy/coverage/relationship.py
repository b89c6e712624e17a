"""Relationships in the terms of set theory relationship mapping (NIST IR 8477), from the verdicts.

Each side is read as the set of what it demands; the focal element is the provision that the pair is seen from.

| verdict | relationship | why |
|---|---|---|
| stricter, the focal side governs | superset of | it demands all that the other does, and more |
| stricter, the other side governs | subset of | the other demands all that it does, and more |
| overlap, equal words | equal | nothing differs |
| overlap | intersects with | the same duty, in other words; whether either holds more was not judged |
| stricter, by the force of the words alone | as overlap | "shall" against "should" does not tell what is demanded |
| definition | intersects with | one term, two meanings |
| conflict | intersects with | the mapping has no term for a contradiction; the relation beside it says so |
| none, or no verdict | no relationship | of a pair without a verdict none is known |
"""

from __future__ import annotations

from antinomy.vocabulary import Relation

EQUAL, SUBSET, SUPERSET, INTERSECTS, NONE = "equal", "subset of", "superset of", "intersects with", "no relationship"


def relationship(relation: str | None, focal_governs: bool, focal_text: str, reference_text: str) -> str:
    """Return the set theory relationship of the focal element to the reference element, see the table above.

    Args:
        relation: of the verdict, None without one.
        focal_governs: for stricter, whether the focal side demands more.
        focal_text, reference_text: of both provisions.
    """
    if relation is None or relation == Relation.NONE:
        return NONE
    if relation == Relation.STRICTER:
        return SUPERSET if focal_governs else SUBSET
    if relation == Relation.OVERLAP and focal_text.casefold().split() == reference_text.casefold().split():
        return EQUAL
    return INTERSECTS
