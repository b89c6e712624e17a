"""The bound of a quantity, by the words around it: minimum, maximum or exact."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Quantity:
    """A quantity as written, before it is assigned a role.

    Attributes:
        start, end: offsets of the value.
        outer_start, outer_end: offsets of the value with the words of its bound.
        dimension, low, high, unit: as in ``Measure``.
        bound: ``max``, ``min`` or ``exact``.
        bound_stated: words state the bound.
        comparative: the bound is a comparison ("more than", "exceed"), which a prohibition reverses.
        recurring: it is a frequency; low and high are then the time between two occasions.
        exact_only: no other value is allowed ("exactly", "no more and no less").
        is_range: the text states both ends ("between 36 and 60 hours").
    """

    start: int
    end: int
    outer_start: int
    outer_end: int
    dimension: str
    low: float
    high: float
    unit: str
    bound: str = "exact"
    bound_stated: bool = False
    comparative: bool = False
    recurring: bool = False
    exact_only: bool = False
    is_range: bool = False


#: Words before and after a value that allow no other value.
_EXACTLY_BEFORE = re.compile(r"\b(?:exactly|precisely|neither more nor less than|(?:fixed|set|frozen) at)\s+$")
_EXACTLY_AFTER = re.compile(
    r"[\s,]+(?:(?!and\b|or\b|but\b)[a-z-]+[\s,]+){0,3}?(?:exactly|precisely|(?:and )?no (?:more|longer),? (?:and|or) no"
    r" (?:less|fewer|shorter)|(?:and )?no (?:less|fewer),? (?:and|or) no more|neither more nor (?:less|fewer))\b"
)
#: Words that may stand between the words of a bound and its value.
_FILLER = (
    r"\s+(?:(?:of|than|to|for|a|an|the|period|total|about|approximately|interval|intervals|within|every|in"
    r"|equivalent|age|first|next|some|higher|lower|greater|lesser|larger|smaller)\s+)*$"
)
#: (bound, comparative, expression) for the text before a value; the first that matches counts.
_BOUND_BEFORE = [
    (
        "max",
        False,
        re.compile(
            r"\b(?:(?:no|not|never|in no (?:case|event)|at no time|under no circumstances) (?:later|longer"
            r"|more|greater|higher|larger|older|further|farther|more often|more frequently) than"
            + _FILLER
            + r"|(?:not|never|neither) (?:to )?(?:exceed|surpass|last longer than)\w*"
            + _FILLER
            + r")"
        ),
    ),
    (
        "min",
        False,
        re.compile(
            r"\b(?:(?:no|not) (?:less|fewer|sooner|earlier|shorter|lower|smaller|under|closer|nearer"
            r"|less often|less frequently) than"
            + _FILLER
            + r"|(?:at|the very) least"
            + _FILLER
            + r"|(?:a )?minimum(?: (?:period|term|of))*"
            + _FILLER
            + r"|not before"
            + _FILLER
            + r"|no earlier"
            + _FILLER
            + ")"
        ),
    ),
    (
        "max",
        False,
        re.compile(
            r"\b(?:within|at (?:the )?(?:most|latest)|up to|(?:a )?maximum(?: (?:period|term|of))*|ceiling"
            r"|limit(?:ed)?|cap(?:ped)?|inside|not to exceed|by the end of|before the end of"
            r"|before the expiry of)" + _FILLER + r"|\b(?:in|during|inside) the (?:first |next |same )?$"
        ),
    ),
    (
        "min",
        True,
        re.compile(
            r"\b(?:more|longer|greater|higher|older|further|later|larger|more often|more frequently|oftener) than"
            + _FILLER
            + (
                r"|\b(?:over|above|beyond|in excess of|exceed(?:s|ing|ed)?|surpass(?:es|ing|ed)?|pass(?:es"
                r"|ed)?|upwards of|top(?:s|ped)?)"
            )
            + _FILLER
        ),
    ),
    (
        "max",
        True,
        re.compile(
            r"\b(?:less|fewer|shorter|lower|smaller|sooner|earlier|younger|closer|nearer|less often) than"
            + _FILLER
            + r"|\b(?:under|below|short of)"
            + _FILLER
        ),
    ),
]
#: The same for the text after a value.
_BOUND_AFTER = [
    ("min", False, re.compile(
        r"[\s,]+(?:or (?:more|longer|greater|over|higher|above|later)\b(?! often)|(?:old )?or older"
        r"|at (?:the )?(?:very )?least|minimum|at the earliest|and (?:upwards|more|not (?:sooner|earlier"
        r"|before)))")),
    ("max", False, re.compile(
        r"[\s,]+(?:or (?:less|fewer|sooner|earlier|shorter|lower|under|below|younger)"
        r"|at (?:the )?(?:very )?(?:most|latest)|maximum|(?:is|are) the (?:longest|most|limit|maximum"
        r"|ceiling))")),
    ("min", False, re.compile(r"[\s,]+(?:(?:is|are) the (?:shortest|least|minimum)|or more often)")),
]  # fmt: skip


def with_bound(q: Quantity, folded: str, start: int, end: int) -> Quantity:
    """Return the quantity with the bound that the words before and after it set."""
    if q.bound_stated:
        return q
    before = folded[max(start, q.outer_start - 60) : q.outer_start]
    after = folded[q.end : min(end, q.end + 60)]
    if _EXACTLY_BEFORE.search(before) or _EXACTLY_AFTER.match(after):
        return replace(q, bound_stated=True, exact_only=True)
    for bound, comparative, pattern in _BOUND_BEFORE:
        if m := pattern.search(before):
            outer = q.outer_start - len(before) + m.start()
            return replace(q, bound=bound, bound_stated=True, comparative=comparative, outer_start=outer)
    for bound, comparative, pattern in _BOUND_AFTER:
        if m := pattern.match(after):
            return replace(q, bound=bound, bound_stated=True, comparative=comparative, outer_end=q.end + m.end())
    return q


def as_interval_bound(q: Quantity, folded: str) -> Quantity:
    """Return a frequency with the bound of the interval between two occasions.

    "At least twice a year" is an interval of at most six months, and so is "every six months". "At intervals of at most
    six months" states the bound of the interval itself.
    """
    names_interval = "interval" in folded[q.outer_start : q.end] or "interval" in folded[q.end : q.end + 10]
    if q.exact_only:
        return q
    bound = q.bound if names_interval else {"min": "max", "max": "min"}.get(q.bound, "max")
    return replace(q, bound="max" if bound == "exact" else bound)
