"""What a quantity is for: deadline, retention, frequency, notice, threshold, duration or amount."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from antinomy.norms.bounds import Quantity
from antinomy.norms.model import Measure, Segment, Word
from antinomy.norms.quantities import find_quantities
from antinomy.norms.words import lexicon, read_words

_ADVANCE = re.compile(
    r"'?[\s,]+(?:(?:or more|written|prior|advance)\s+)*(?:in advance|ahead|beforehand|prior|before|earlier than"
    r"|of (?:prior |advance |written )*(?:notice|warning)"
    r"|notice|warning)\b"
)
_NOTICE_BEFORE = re.compile(r"\b(?:notice(?: period)?|warning) (?:of|is|shall be|must be)\s+$")
_CLOCK = re.compile(
    r"[\s,]+(?:(?:or (?:less|more|sooner|later)|at (?:the )?(?:latest|most|least))[\s,]+)?"
    r"(?:counted\s+|starting\s+|running\s+)?(?:of|from|after|following|since|upon|once)\s+(?P<event>[^,;:.()]{3,90})"
)
_CLOCK_BEFORE = re.compile(r"\b(?:from|after|following|upon|once|on)\s+(?P<event>[^,;:.()]{3,80}?),\s+[^,;]{0,60}$")
_GONE = r"(?:passed|elapsed|gone by|lapsed|expired|run(?: out)?|over|up)"
_ELAPSED = re.compile(
    rf"[\s,]+(?:has|have|had|shall have|is|are)\s+{_GONE}\b"
    r"|[\s,]+(?:later|thereafter|afterwards|has ended|have ended|after)\b"
)
_RUN_OUT = re.compile(rf"[\s,]+(?:has|have|had|shall have|is|are)\s+{_GONE}\b")
_WAIT = re.compile(
    r"\b(?:until|before|not before|only after|no earlier than|not earlier than|no sooner than|once|after|upon|on|when"
    r"|at the end of|at the expiry of|expiry of|end of)\s+(?:at least\s+|a period of\s+|the\s+|a\s+)*$"
)
_WAIT_PERIOD = re.compile(r"\b(?:after|until|before) (?:an? |the )?(?:[a-z-]+ ){0,2}period of\s+$")
_NOT_YET = re.compile(rf"\b(?:once|until|only after)\s+(?:[a-z]+\s+)?$|{_WAIT_PERIOD.pattern}")
_EARLIEST = re.compile(r"\b(?:not before|no earlier than|no sooner than|only after|until)\s+(?:[a-z]+\s+){0,3}$")
_FOR = re.compile(r"\b(?:for|during|throughout|over|lasting|last|lasts|period of)\s+(?:[a-z]+\s+){0,4}$")
_PASS = re.compile(
    r"[\s,]+(?:may|shall|must|should|can|will)?\s*(?:pass|elapse|lie|go by|separate)\b[^.;]{0,20}\bbetween\b"
)
#: "Has ten days from receipt".
_HAS = re.compile(r"\b(?:has|have|gets?|(?:is|are) (?:given|allowed|granted))\s+$")
_RUNS = re.compile(r"[\s,]+(?:from|after|of|to|following|in which|counted)\b")
_WITHOUT = re.compile(r"[\s,]+(?:[a-z]+\s+){0,3}?without\b|\s+(?:un[a-z]+ed)\b")
_NO_OFTENER = re.compile(
    r"\b(?:no|not)\s+(?:at )?(?:any )?(?:shorter interval|more often|more frequently|sooner|oftener)"
    r"|\bno shorter\b|\bonly (?:once|every|at)\b|\b(?:on|at|in) no other (?:day|time|week|month|hour|occasion)\b"
    r"|\bnot (?:on|at|in) any other (?:day|time|week|month|hour|occasion)\b|\bnever (?:before|sooner|earlier|oftener)\b"
    r"|\bonce and (?:only once|no more)\b"
)
_RELATIVE = re.compile(r"\b(?:whose|which|that|with|where|of those)\b[^,;.]{0,50}$")
_OR_MORE = re.compile(r"\bor (?:more|longer|greater|over|above|older)\b")
_BY_DATE = re.compile(r"\b(?:by|before|until|no later than|not later than|at the latest on|on or before)\s+$")
_FROM_DATE = re.compile(r"\b(?:after|from|not before|no earlier than|on or after|since)\s+$")
_SHORTEST = re.compile(r"\b(?:the|is|are) (?:the )?(?:shortest|minimum|least)\b")
_LONGEST = re.compile(
    r"\b(?:the|is|are) (?:the )?(?:longest|maximum|most|upper limit|ceiling|limit)\b|\bat the latest\b|\bno more\b"
)
_FLIPPED = {"min": "max", "max": "min", "exact": "exact"}


@dataclass(frozen=True, slots=True)
class _Place:
    """A quantity where it stands.

    Attributes:
        q: the quantity.
        modality: of the clause.
        before, lead, after: the text before the quantity and its bound; the bound's words; the text from the value on.
        inside: the condition in which it stands, None if in none.
        subject: it stands before the words that set the force, but not at the beginning of the clause.
        keeps, deletes: the clause speaks of keeping or of deleting.
        bound: the bound so far.
    """

    q: Quantity
    modality: str
    before: str
    lead: str
    after: str
    inside: Segment | None
    subject: bool
    keeps: bool
    deletes: bool
    bound: str


def assign_roles(
    folded: str,
    start: int,
    end: int,
    words: Sequence[Word],
    segments: Sequence[Segment],
    modality: str,
    cue_start: int = 0,
) -> tuple[Measure, ...]:
    """Return the measures of the clause ``folded[start:end]`` with their roles and final bounds."""
    concepts = {c for w in words for c in w.concepts}
    found = []
    for q in find_quantities(folded, start, end):
        inside = next((s for s in segments if s.start <= q.start < s.end), None)
        place = _Place(
            q=q,
            modality=modality,
            before=folded[max(start, q.outer_start - 80) : q.outer_start],
            lead=folded[q.outer_start : q.start],
            after=folded[q.end : min(end, q.end + 60)],
            inside=inside,
            subject=q.end <= cue_start and q.outer_start > start + 8,
            keeps="keep" in concepts,
            deletes="delete" in concepts,
            bound=_bound(q, folded[start:end], modality, inside),
        )
        role, bound = _role(place, folded[start:end])
        if role == "reference":  # the date of a document or an event, not of a duty
            continue
        text = folded[q.outer_start : q.outer_end]
        clock = _clock(folded, q, start, end)
        found.append(
            Measure(
                q.start,
                q.end,
                q.dimension,
                q.low,
                q.high,
                q.unit,
                role,
                bound,
                text,
                clock,
                q.comparative,
                q.pinned,
                q.ranged,
            )
        )
    return tuple(found)


def _bound(q: Quantity, clause: str, modality: str, inside: Segment | None) -> str:
    bound = q.bound
    if not q.stated and _SHORTEST.search(clause):
        bound = "min"
    elif not q.stated and _LONGEST.search(clause):
        bound = "max"
    if q.comparative and modality == "must_not" and (inside is None or inside.kind == "before"):
        bound = _FLIPPED[bound]
    return bound


def _role(at: _Place, clause: str) -> tuple[str, str]:
    if at.q.every:
        return "frequency", _interval(at.q, at.modality, clause)
    if at.q.dimension == "date":
        late, early = _BY_DATE.search(at.before), _FROM_DATE.search(at.before)
        if not late and not early:
            return "reference", "exact"
        return "deadline", "max" if late else "min"
    if at.q.dimension == "time":
        return _time_role(at)
    if at.q.dimension == "count" and _WAIT.search(at.before):
        # "Blocked after three attempts", "open until the sixth": as a time that runs out.
        until = at.bound == "min" or re.search(r"\b(?:until|before|once)\s", at.before[-25:])
        return "deadline", "min" if until else "max"
    if _limits(at):
        return "threshold", _least(at)
    return "amount", at.bound


def _interval(q: Quantity, modality: str, clause: str) -> str:
    """The bound of the time between two occasions."""
    if q.comparative and modality == "must_not":
        # "Not more often than once a year": a year at the least.
        return _FLIPPED[q.bound]
    return "exact" if q.bound == "max" and _NO_OFTENER.search(clause) else q.bound


def _time_role(at: _Place) -> tuple[str, str]:
    q, bound = at.q, at.bound
    if _ADVANCE.match(at.after) or _NOTICE_BEFORE.search(at.before):
        # "No later than three months before" sets the least time ahead; "on notice of at most a month" the most.
        lead = not at.lead.strip() or re.search(r"\b(?:later|latest|least)\b", at.lead)
        return "notice", "min" if lead or bound == "exact" else bound
    if at.modality == "must_not" and q.comparative and _WITHOUT.match(at.after):
        return "frequency", "max"
    if _HAS.search(at.before) and _RUNS.match(at.after) and not q.stated:
        return "deadline", "max"
    if _PASS.match(at.after):
        return "frequency", "max" if at.modality == "must_not" and bound == "min" else bound
    if at.modality == "must" and re.search(r"\bbefore\s+$", at.before) and _RUN_OUT.match(at.after):
        return "deadline", "max"
    lasting = bool(_FOR.search(at.before))
    waits = bool(
        _WAIT.search(at.before) or _WAIT_PERIOD.search(at.before) or (not lasting and _ELAPSED.match(at.after))
    )
    if at.deletes and not (at.keeps and lasting):
        return "retention", _end_of_storage(at, waits)
    if at.keeps and (bound != "max" or q.stated) and not re.search(r"\bwithin\s+$", at.lead):
        if at.deletes and not q.stated:
            # "Kept for a year and then deleted": no shorter and no longer.
            return "retention", "exact"
        return "retention", "min" if at.modality == "must_not" and waits else _least(at)
    if _limits(at):
        return "threshold", _least(at)
    if waits and bound != "max":
        return "deadline", _waiting(at)
    if bound == "max":
        return "duration" if lasting else "deadline", "max"
    return "duration", bound


def _least(at: _Place) -> str:
    return "min" if at.bound == "exact" and not at.q.pinned else at.bound


def _waiting(at: _Place) -> str:
    """Return the bound of a wait: "is due three months after X" (latest), "on the third day", "not until"."""
    if at.q.pinned:
        return "exact"
    if at.modality in ("must_not", "need_not") or at.q.stated or at.bound == "min" or _NOT_YET.search(at.before):
        return "min"
    return "exact" if re.search(r"\bon (?:the )?$", at.before) or at.modality == "may" else "max"


def _limits(at: _Place) -> bool:
    """Whether the quantity limits when or for whom the norm holds: in a condition, or in words that restrict a noun."""
    inside, q = at.inside, at.q
    if inside and (
        inside.kind in ("trigger", "exception") or (inside.kind == "after" and q.stated and at.bound == "min")
    ):
        return True
    if at.bound == "min" and q.comparative and _RELATIVE.search(at.before):
        return True
    or_more = _OR_MORE.match(at.after.lstrip(" ,"))
    return at.bound == "min" and bool(q.comparative or or_more) and at.subject


def _end_of_storage(at: _Place, waits: bool) -> str:
    """A duty to delete sets the longest retention; a ban on deleting until then the shortest."""
    if at.modality == "must_not":
        return "min"
    return "min" if _EARLIEST.search(at.before) or (at.q.stated and at.bound == "min" and not waits) else "max"


def _clock(folded: str, q: Quantity, start: int, end: int) -> frozenset[str]:
    if q.dimension != "time" or q.every:
        return frozenset()
    m = _CLOCK.match(folded, q.end, end) or _CLOCK_BEFORE.search(folded[start : q.outer_start])
    if not m:
        return frozenset()
    base = 0 if m.re is _CLOCK else start
    event = read_words(folded, base + m.start("event"), base + m.end("event"))
    return frozenset(c for w in event for c in w.concepts) & lexicon().clock_events
