"""What a quantity is for: deadline, retention, frequency, notice, threshold, duration or amount."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from antinomy.judge.norms.model import Measure, Segment, Word
from antinomy.judge.norms.quantities import Quantity, find_quantities
from antinomy.judge.norms.words import lexicon, read_words

_ADVANCE = re.compile(r"[\s,]+(?:(?:or more|written|prior|advance)\s+)*(?:in advance|ahead|beforehand|prior|before|earlier than|'?s?'? (?:prior |advance |written )*(?:notice|warning)|of (?:prior |advance |written )*(?:notice|warning)|notice|warning)\b")
_NOTICE_BEFORE = re.compile(r"\b(?:notice(?: period)?|warning) (?:of|is|shall be|must be)\s+$")
_CLOCK = re.compile(r"[\s,]+(?:(?:or (?:less|more|sooner|later)|at (?:the )?(?:latest|most|least))[\s,]+)?(?:counted\s+|starting\s+|running\s+)?(?:of|from|after|following|since|upon|once)\s+(?P<event>[^,;:.()]{3,90})")
_CLOCK_BEFORE = re.compile(r"\b(?:from|after|following|upon|once|on)\s+(?P<event>[^,;:.()]{3,80}?),\s+[^,;]{0,60}$")
_ELAPSED = re.compile(r"[\s,]+(?:has|have|had|shall have|is|are)\s+(?:passed|elapsed|gone by|lapsed|expired|run|over|up)\b|[\s,]+(?:later|thereafter|afterwards|has ended|have ended|after)\b")
_WAIT = re.compile(r"\b(?:until|before|not before|only after|no earlier than|not earlier than|no sooner than|once|after|upon|on|when|at the end of|at the expiry of|expiry of|end of)\s+(?:at least\s+|a period of\s+|the\s+|a\s+)*$")
_FOR = re.compile(r"\b(?:for|during|throughout|over|lasting|last|lasts|period of)\s+(?:[a-z]+\s+){0,4}$")
_PASS = re.compile(r"[\s,]+(?:may|shall|must|should|can|will)?\s*(?:pass|elapse|lie|go by|separate)\b[^.;]{0,20}\bbetween\b")
_RUN_OUT = re.compile(r"[\s,]+(?:has|have|had|shall have|is|are)\s+(?:passed|elapsed|gone by|lapsed|expired|run out|over|up)\b")
_WITHOUT = re.compile(r"[\s,]+(?:[a-z]+\s+){0,3}?without\b|\s+(?:un[a-z]+ed)\b")
_WAIT_PERIOD = re.compile(r"\b(?:after|until|before) (?:an? |the )?(?:[a-z-]+ ){0,2}period of\s+$")
_NO_OFTENER = re.compile(r"\b(?:no|not)\s+(?:at )?(?:any )?(?:shorter interval|more often|more frequently|sooner|oftener)|\bno shorter\b|\bonly (?:once|every|at)\b")
_NEVER = ("must_not", "need_not")


def assign_roles(
    folded: str, start: int, end: int, words: Sequence[Word], segments: Sequence[Segment], modality: str,
    cue_start: int = 0,
) -> tuple[Measure, ...]:
    """Return the measures of the clause ``folded[start:end]`` with their roles and final bounds."""
    concepts = {c for w in words for c in w.concepts}
    keeps, deletes = "keep" in concepts, "delete" in concepts
    found = []
    for q in find_quantities(folded, start, end):
        inside = next((s for s in segments if s.start <= q.start < s.end), None)
        found.append(_measure(q, folded, start, end, inside, keeps, deletes, modality, cue_start))
    return tuple(found)


def _measure(
    q: Quantity, folded: str, start: int, end: int, inside: Segment | None, keeps: bool, deletes: bool, modality: str,
    cue_start: int,
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
        if q.comparative and modality == "must_not":
            # "Not more often than once a year": a year at the least between two times.
            return replace(measure, role="frequency", bound="min" if q.bound == "max" else "max")
        fixed = _NO_OFTENER.search(folded, start, end)
        return replace(measure, role="frequency", bound="exact" if fixed and q.bound == "max" else q.bound)
    if q.dimension == "date":
        late = re.search(r"\b(?:by|before|until|no later than|not later than|at the latest on|on or before)\s+$", before)
        early = re.search(r"\b(?:after|from|not before|no earlier than|on or after|since)\s+$", before)
        return replace(measure, role="deadline", bound="max" if late else "min" if early else bound)
    if q.dimension != "time":
        if q.dimension == "count" and _WAIT.search(before):
            # "Blocked after three attempts", "open until the sixth": as a time that runs out.
            early = bound == "min" or re.search(r"\b(?:until|before|once)\s", before[-25:])
            return replace(measure, role="deadline", bound="min" if early else "max")
        if _limits(inside, q, measure.text, bound, cue_start, start):
            return replace(measure, role="threshold", bound="min" if bound == "exact" else bound)
        return replace(measure, role="amount", bound=bound)
    if _ADVANCE.match(after_value) or _NOTICE_BEFORE.search(before):
        # "No later than three months before" sets the least time ahead; "on notice of at most a month" the most.
        late = re.search(r"\b(?:later|latest|least)\b|^\W*$", folded[q.outer_start : q.start]) or bound == "exact"
        return replace(measure, role="notice", bound="min" if late else bound)
    if modality == "must_not" and q.comparative and _WITHOUT.match(after_value):
        return replace(measure, role="frequency", bound="max")
    if _PASS.match(after_value):
        return replace(measure, role="frequency", bound="max" if modality == "must_not" and bound == "min" else bound)
    if modality == "must" and re.search(r"\bbefore\s+$", before) and _RUN_OUT.match(after_value):
        return replace(measure, role="deadline", bound="max")
    lasting = bool(_FOR.search(before))
    waits = bool(_WAIT.search(before) or _WAIT_PERIOD.search(before) or not lasting and _ELAPSED.match(after_value))
    if deletes and not (keeps and lasting):
        return replace(measure, role="retention", bound=_end_of_storage(bound, q, modality, before, waits))
    if keeps and (bound != "max" or q.stated) and not re.search(r"\bwithin\s+$", folded[q.outer_start : q.start]):
        if modality == "must_not" and waits:
            bound = "min"
        return replace(measure, role="retention", bound="min" if bound == "exact" else bound)
    if _limits(inside, q, measure.text, bound, cue_start, start):
        return replace(measure, role="threshold", bound="min" if bound == "exact" else bound)
    if waits and bound != "max":
        return replace(measure, role="deadline", bound=_waiting(q, modality, bound, before))
    if bound == "max":
        return replace(measure, role="duration" if lasting else "deadline", bound="max")
    return replace(measure, role="duration", bound=bound)


def _waiting(q: Quantity, modality: str, bound: str, before: str) -> str:
    """"Three months after X the report has to be in" sets a latest time; "on the third day" sets the day."""
    if modality in _NEVER or q.stated or bound == "min" or re.search(r"\b(?:once|until|only after)\s+(?:[a-z]+\s+)?$|" + _WAIT_PERIOD.pattern, before):
        return "min"
    return "exact" if re.search(r"\bon (?:the )?$", before) or modality == "may" else "max"


def _limits(inside: Segment | None, q: Quantity, q_text: str, bound: str, cue_start: int, start: int) -> bool:
    """Whether the quantity says when or for whom the norm holds: in a condition, or in what restricts the subject."""
    if inside and (inside.kind in ("trigger", "exception") or inside.kind == "after" and q.stated and bound == "min"):
        return True
    or_more = re.search(r"\bor (?:more|longer|greater|over|above|older)\b", q_text)
    return bound == "min" and bool(q.comparative or or_more) and q.end <= cue_start and q.outer_start > start + 8


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
    return frozenset(c for w in event for c in w.concepts) & lexicon().clock_events
