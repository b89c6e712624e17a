"""The bound that the words around a quantity set."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Quantity:
    """A quantity as written, before it has a role.

    Attributes:
        start, end: offsets of the value; outer_start, outer_end: with the words of the bound.
        dimension, low, high, unit: as in ``Measure``.
        bound: ``max``, ``min`` or ``exact``.
        stated: the bound was said in words.
        comparative: the bound is a comparison ("more than", "exceed"), which a negation reverses.
        every: a frequency; low and high are then the time between two occasions.
        pinned: no other value is allowed ("exactly", "no more and no less").
        ranged: from ``low`` to ``high`` as said ("between 36 and 60 hours").
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
    stated: bool = False
    comparative: bool = False
    every: bool = False
    pinned: bool = False
    ranged: bool = False


#: Words that allow one value only, before it and after it.
_PINNED = re.compile(r"\b(?:exactly|precisely|neither more nor less than|(?:fixed|set|frozen) at)\s+$")
_PINNED_AFTER = re.compile(
    r"[\s,]+(?:(?!and\b|or\b|but\b)[a-z-]+[\s,]+){0,3}?(?:exactly|precisely|(?:and )?no (?:more|longer),? (?:and|or) no"
    r" (?:less|fewer|shorter)|(?:and )?no (?:less|fewer),? (?:and|or) no more|neither more nor (?:less|fewer))\b"
)
#: Words before a value that set its bound; tried in order against the text that ends at the value.
_LEAD = (
    r"\s+(?:(?:of|than|to|for|a|an|the|period|total|about|approximately|interval|intervals|within|every|in"
    r"|equivalent|age|first|next|some|higher|lower|greater|lesser|larger|smaller)\s+)*$"
)
_BEFORE = [
    (
        "max",
        False,
        re.compile(
            r"\b(?:(?:no|not|never|in no (?:case|event)|at no time|under no circumstances) (?:later|longer"
            r"|more|greater|higher|larger|older|further|farther|more often|more frequently) than"
            + _LEAD
            + r"|(?:not|never|neither) (?:to )?(?:exceed|surpass|last longer than)\w*"
            + _LEAD
            + r")"
        ),
    ),
    (
        "min",
        False,
        re.compile(
            r"\b(?:(?:no|not) (?:less|fewer|sooner|earlier|shorter|lower|smaller|under|closer|nearer"
            r"|less often|less frequently) than"
            + _LEAD
            + r"|(?:at|the very) least"
            + _LEAD
            + r"|(?:a )?minimum(?: (?:period|term|of))*"
            + _LEAD
            + r"|not before"
            + _LEAD
            + r"|no earlier"
            + _LEAD
            + ")"
        ),
    ),
    (
        "max",
        False,
        re.compile(
            r"\b(?:within|at (?:the )?(?:most|latest)|up to|(?:a )?maximum(?: (?:period|term|of))*|ceiling"
            r"|limit(?:ed)?|cap(?:ped)?|inside|not to exceed|by the end of|before the end of"
            r"|before the expiry of)" + _LEAD + r"|\b(?:in|during|inside) the (?:first |next |same )?$"
        ),
    ),
    (
        "min",
        True,
        re.compile(
            r"\b(?:more|longer|greater|higher|older|further|later|larger|more often|more frequently|oftener) than"
            + _LEAD
            + (
                r"|\b(?:over|above|beyond|in excess of|exceed(?:s|ing|ed)?|surpass(?:es|ing|ed)?|pass(?:es"
                r"|ed)?|upwards of|top(?:s|ped)?)"
            )
            + _LEAD
        ),
    ),
    (
        "max",
        True,
        re.compile(
            r"\b(?:less|fewer|shorter|lower|smaller|sooner|earlier|younger|closer|nearer|less often) than"
            + _LEAD
            + r"|\b(?:under|below|short of)"
            + _LEAD
        ),
    ),
]
_AFTER = [
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


def bounded(q: Quantity, folded: str, start: int, end: int) -> Quantity:
    """Return the quantity with the bound that the words before and after it set."""
    if q.stated:
        return q
    before = folded[max(start, q.outer_start - 60) : q.outer_start]
    after = folded[q.end : min(end, q.end + 60)]
    if _PINNED.search(before) or _PINNED_AFTER.match(after):
        return replace(q, stated=True, pinned=True)
    for bound, comparative, pattern in _BEFORE:
        if m := pattern.search(before):
            outer = q.outer_start - len(before) + m.start()
            return replace(q, bound=bound, stated=True, comparative=comparative, outer_start=outer)
    for bound, comparative, pattern in _AFTER:
        if m := pattern.match(after):
            return replace(q, bound=bound, stated=True, comparative=comparative, outer_end=q.end + m.end())
    return q


def of_interval(q: Quantity, folded: str) -> Quantity:
    """Turn the bound of a frequency into that of the time between two occasions.

    "At least twice a year" is an interval of at most six months; "at intervals of at most six months" says so itself;
    "every six months" alone is a minimum frequency.
    """
    said_of_interval = "interval" in folded[q.outer_start : q.end] or "interval" in folded[q.end : q.end + 10]
    if q.pinned:
        return q
    bound = q.bound if said_of_interval else {"min": "max", "max": "min"}.get(q.bound, "max")
    return replace(q, bound="max" if bound == "exact" else bound)
