"""What a quantity is for: deadline, retention, frequency, notice, threshold, duration or amount."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from antinomy.judge.norms.model import Measure, Segment, Word
from antinomy.judge.norms.quantities import Quantity, find_quantities
from antinomy.judge.norms.words import read_words

_ADVANCE = re.compile(r"[\s,]+(?:(?:or more|written|prior|advance)\s+)*(?:in advance|ahead|beforehand|prior|before|earlier than|'?s?'? (?:prior |advance |written )*notice|of (?:prior |advance |written )*notice|notice)\b")
_NOTICE_BEFORE = re.compile(r"\b(?:notice(?: period)?|advance) of\s+(?:[a-z]+\s+){0,4}$")
_CLOCK = re.compile(r"[\s,]+(?:(?:or (?:less|more|sooner|later)|at (?:the )?(?:latest|most|least))[\s,]+)?(?:counted\s+|starting\s+|running\s+)?(?:of|from|after|following|since|upon|once)\s+(?P<event>[^,;:.()]{3,90})")
_CLOCK_BEFORE = re.compile(r"\b(?:of|from|after|following|upon|once)\s+(?P<event>[^,;:.()]{3,80}?),?\s+(?:[a-z ]{0,40}\s)?$")
_ELAPSED = re.compile(r"[\s,]+(?:has|have|had|shall have|is|are)\s+(?:passed|elapsed|gone by|lapsed|expired|run|over|up)\b|[\s,]+(?:later|thereafter|afterwards|has ended|have ended|after)\b")
_WAIT = re.compile(r"\b(?:until|before|not before|only after|no earlier than|not earlier than|no sooner than|once|after|upon|on|when|at the end of|at the expiry of|expiry of|end of)\s+(?:at least\s+|a period of\s+|the\s+|a\s+)*$")
_FOR = re.compile(r"\b(?:for|during|throughout|over|lasting|last|lasts|period of)\s+(?:[a-z]+\s+){0,4}$")
_NEVER = ("must_not", "need_not")


def assign_roles(
    folded: str, start: int, end: int, words: Sequence[Word], segments: Sequence[Segment], modality: str
) -> tuple[Measure, ...]:
    """Return the measures of the clause ``folded[start:end]`` with their roles and final bounds."""
    concepts = {c for w in words for c in w.concepts}
    keeps, deletes = "keep" in concepts, "delete" in concepts
    found = []
    for q in find_quantities(folded, start, end):
        inside = next((s for s in segments if s.start <= q.start < s.end), None)
        found.append(_measure(q, folded, start, end, inside, keeps, deletes, modality))
    return tuple(found)


def _measure(
    q: Quantity, folded: str, start: int, end: int, inside: Segment | None, keeps: bool, deletes: bool, modality: str
) -> Measure:
    before, after = folded[max(start, q.outer_start - 80) : q.outer_start], folded[q.outer_end : min(end, q.outer_end + 110)]
    after_value = folded[q.end : min(end, q.end + 60)]
    measure = Measure(
        q.start, q.end, q.dimension, q.low, q.high, q.unit, "amount", q.bound, folded[q.outer_start : q.outer_end],
        _clock(folded, q, start, end), q.comparative,
    )  # fmt: skip
    bound = _shortest_longest(measure.bound, folded[start:end], q)
    if q.comparative and modality == "must_not" and (inside is None or inside.kind in ("before",)):
        bound = {"min": "max", "max": "min"}[bound]
    if q.every:
        return replace(measure, role="frequency", bound=q.bound)
    if q.dimension == "date":
        late = re.search(r"\b(?:by|before|until|no later than|not later than|at the latest on|on or before)\s+$", before)
        early = re.search(r"\b(?:after|from|not before|no earlier than|on or after|since)\s+$", before)
        return replace(measure, role="deadline", bound="max" if late else "min" if early else bound)
    if q.dimension != "time":
        return replace(measure, role="threshold" if inside and inside.kind in ("trigger", "exception") else "amount", bound=bound)
    if _ADVANCE.match(after_value) or _NOTICE_BEFORE.search(before):
        return replace(measure, role="notice", bound="min" if bound == "exact" else bound)
    waits = bool(_WAIT.search(before) or _ELAPSED.match(after_value))
    if deletes and not (keeps and _FOR.search(before)):
        return replace(measure, role="retention", bound=_end_of_storage(bound, q, modality, before, waits))
    if keeps and (bound != "max" or q.stated) and not re.search(r"\bwithin\s+$", folded[q.outer_start : q.start]):
        if modality == "must_not" and waits:
            bound = "min"
        return replace(measure, role="retention", bound="min" if bound == "exact" else bound)
    if inside and inside.kind in ("trigger", "exception"):
        return replace(measure, role="threshold", bound="min" if bound == "exact" else bound)
    if waits and bound != "max":
        return replace(measure, role="deadline", bound="min" if modality in _NEVER or q.stated or bound == "min" else "exact")
    if bound == "max":
        lasting = _FOR.search(before)
        return replace(measure, role="duration" if lasting else "deadline", bound="max")
    return replace(measure, role="duration", bound=bound)


def _end_of_storage(bound: str, q: Quantity, modality: str, before: str, waits: bool) -> str:
    """A duty to delete ends storage at the latest then; a ban on deleting until then keeps it that long at the least."""
    if modality == "must_not":
        return "min"
    earliest = re.search(r"\b(?:not before|no earlier than|no sooner than|only after|until)\s+(?:[a-z]+\s+){0,3}$", before)
    return "min" if earliest or (q.stated and bound == "min" and not waits) else "max"


def _shortest_longest(bound: str, clause: str, q: Quantity) -> str:
    if q.stated:
        return bound
    if re.search(r"\b(?:the|is|are) (?:the )?(?:shortest|minimum|least)\b", clause):
        return "min"
    if re.search(r"\b(?:the|is|are) (?:the )?(?:longest|maximum|most|upper limit|ceiling|limit)\b|\bat the latest\b|\bno more\b", clause):
        return "max"
    return bound


def _clock(folded: str, q: Quantity, start: int, end: int) -> frozenset[str]:
    if q.dimension != "time" or q.every:
        return frozenset()
    m = _CLOCK.match(folded, q.end, end) or _CLOCK_BEFORE.search(folded[start : q.outer_start])
    if not m:
        return frozenset()
    base = 0 if m.re is _CLOCK else start
    event = read_words(folded, base + m.start("event"), base + m.end("event"))
    return frozenset(key for w in event if w.weight > 0.15 for key in (w.stem, *w.concepts))
