"""Assigns a role to each quantity: deadline, retention, frequency, notice, threshold, duration or amount."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from antinomy.norms.bounds import Quantity
from antinomy.norms.model import Condition, Measure, Word
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
_ELAPSED_VERB = r"(?:passed|elapsed|gone by|lapsed|expired|run(?: out)?|over|up)"
_ELAPSED = re.compile(
    rf"[\s,]+(?:has|have|had|shall have|is|are)\s+{_ELAPSED_VERB}\b"
    r"|[\s,]+(?:later|thereafter|afterwards|has ended|have ended|after)\b"
)
_RUN_OUT = re.compile(rf"[\s,]+(?:has|have|had|shall have|is|are)\s+{_ELAPSED_VERB}\b")
_WAIT = re.compile(
    r"\b(?:until|before|not before|only after|no earlier than|not earlier than|no sooner than|once|after|upon|on|when"
    r"|at the end of|at the expiry of|expiry of|end of)\s+(?:at least\s+|a period of\s+|the\s+|a\s+)*$"
)
_WAIT_PERIOD = re.compile(r"\b(?:after|until|before) (?:an? |the )?(?:[a-z-]+ ){0,2}period of\s+$")
_NOT_YET = re.compile(rf"\b(?:once|until|only after)\s+(?:[a-z]+\s+)?$|{_WAIT_PERIOD.pattern}")
_EARLIEST = re.compile(r"\b(?:not before|no earlier than|no sooner than|only after|until)\s+(?:[a-z]+\s+){0,3}$")
_FOR = re.compile(r"\b(?:for|during|throughout|over|lasting|last|lasts|period of)\s+(?:[a-z]+\s+){0,4}$")
_LIES_BETWEEN = re.compile(
    r"[\s,]+(?:may|shall|must|should|can|will)?\s*(?:pass|elapse|lie|go by|separate)\b[^.;]{0,20}\bbetween\b"
)
#: "Has ten days from receipt".
_IS_GIVEN = re.compile(r"\b(?:has|have|gets?|(?:is|are) (?:given|allowed|granted))\s+$")
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
class _QuantityInContext:
    """A quantity with the text around it.

    Attributes:
        quantity: the quantity.
        modality: of the clause.
        before: text before the words of the bound, 80 characters at most.
        bound_words: the words of the bound, which stand before the value.
        after: text after the value, 60 characters at most.
        condition: the condition that contains it, None if none does.
        in_subject: it stands before the cue, but not at the beginning of the clause.
        mentions_retention, mentions_deletion: the clause is about keeping, or about deleting something.
        bound: ``min``, ``max`` or ``exact``, before the role is considered.
    """

    quantity: Quantity
    modality: str
    before: str
    bound_words: str
    after: str
    condition: Condition | None
    in_subject: bool
    mentions_retention: bool
    mentions_deletion: bool
    bound: str


def assign_roles(
    folded: str,
    start: int,
    end: int,
    words: Sequence[Word],
    conditions: Sequence[Condition],
    modality: str,
    cue_start: int = 0,
) -> tuple[Measure, ...]:
    """Return the measures of the clause ``folded[start:end]`` with their roles and final bounds."""
    concepts = {c for w in words for c in w.concepts}
    found = []
    for quantity in find_quantities(folded, start, end):
        condition = next((s for s in conditions if s.start <= quantity.start < s.end), None)
        context = _QuantityInContext(
            quantity=quantity,
            modality=modality,
            before=folded[max(start, quantity.outer_start - 80) : quantity.outer_start],
            bound_words=folded[quantity.outer_start : quantity.start],
            after=folded[quantity.end : min(end, quantity.end + 60)],
            condition=condition,
            in_subject=quantity.end <= cue_start and quantity.outer_start > start + 8,
            mentions_retention="keep" in concepts,
            mentions_deletion="delete" in concepts,
            bound=_bound(quantity, folded[start:end], modality, condition),
        )
        role, bound = _role(context, folded[start:end])
        if role == "reference":  # the date of a document or an event
            continue
        found.append(
            Measure(
                start=quantity.start,
                end=quantity.end,
                dimension=quantity.dimension,
                low=quantity.low,
                high=quantity.high,
                unit=quantity.unit,
                role=role,
                bound=bound,
                text=folded[quantity.outer_start : quantity.outer_end],
                clock=_clock(folded, quantity, start, end),
                comparative=quantity.comparative,
                exact_only=quantity.exact_only,
                is_range=quantity.is_range,
            )
        )
    return tuple(found)


def _bound(quantity: Quantity, clause: str, modality: str, condition: Condition | None) -> str:
    bound = quantity.bound
    if not quantity.bound_stated and _SHORTEST.search(clause):
        bound = "min"
    elif not quantity.bound_stated and _LONGEST.search(clause):
        bound = "max"
    if quantity.comparative and modality == "must_not" and (condition is None or condition.kind == "before"):
        bound = _FLIPPED[bound]
    return bound


def _role(context: _QuantityInContext, clause: str) -> tuple[str, str]:
    if context.quantity.recurring:
        return "frequency", _frequency_bound(context.quantity, context.modality, clause)
    if context.quantity.dimension == "date":
        late, early = _BY_DATE.search(context.before), _FROM_DATE.search(context.before)
        if not late and not early:
            return "reference", "exact"
        return "deadline", "max" if late else "min"
    if context.quantity.dimension == "time":
        return _time_role(context)
    if context.quantity.dimension == "count" and _WAIT.search(context.before):
        # "Blocked after three attempts", "open until the sixth" limit a count as a deadline limits time.
        until = context.bound == "min" or re.search(r"\b(?:until|before|once)\s", context.before[-25:])
        return "deadline", "min" if until else "max"
    if _is_threshold(context):
        return "threshold", _min_unless_stated(context)
    return "amount", context.bound


def _frequency_bound(quantity: Quantity, modality: str, clause: str) -> str:
    """Return the bound of the interval between two occasions."""
    if quantity.comparative and modality == "must_not":
        # "Not more often than once a year": the interval is at least a year.
        return _FLIPPED[quantity.bound]
    return "exact" if quantity.bound == "max" and _NO_OFTENER.search(clause) else quantity.bound


def _time_role(context: _QuantityInContext) -> tuple[str, str]:
    quantity, bound = context.quantity, context.bound
    if _ADVANCE.match(context.after) or _NOTICE_BEFORE.search(context.before):
        if quantity.is_range:
            return "notice", "exact"
        # "No later than three months before" is a minimum; "on notice of at most a month" a maximum.
        is_minimum = not context.bound_words.strip() or re.search(r"\b(?:later|latest|least)\b", context.bound_words)
        return "notice", "min" if is_minimum or bound == "exact" else bound
    if context.modality == "must_not" and quantity.comparative and _WITHOUT.match(context.after):
        return "frequency", "max"
    if _IS_GIVEN.search(context.before) and _RUNS.match(context.after) and not quantity.bound_stated:
        return "deadline", "max"
    if _LIES_BETWEEN.match(context.after):
        return "frequency", "max" if context.modality == "must_not" and bound == "min" else bound
    if context.modality == "must" and re.search(r"\bbefore\s+$", context.before) and _RUN_OUT.match(context.after):
        return "deadline", "max"
    is_duration = bool(_FOR.search(context.before))
    is_waiting_period = bool(
        _WAIT.search(context.before)
        or _WAIT_PERIOD.search(context.before)
        or (not is_duration and _ELAPSED.match(context.after))
    )
    if context.mentions_deletion and not (context.mentions_retention and is_duration):
        return "retention", _deletion_bound(context, is_waiting_period)
    if (
        context.mentions_retention
        and (bound != "max" or quantity.bound_stated)
        and not re.search(r"\bwithin\s+$", context.bound_words)
    ):
        if context.mentions_deletion and not quantity.bound_stated:
            # "Kept for a year and then deleted".
            return "retention", "exact"
        forbidden_until = context.modality == "must_not" and is_waiting_period
        return "retention", "min" if forbidden_until else _min_unless_stated(context)
    if _is_threshold(context):
        return "threshold", _min_unless_stated(context)
    if is_waiting_period and bound != "max":
        return "deadline", _waiting_bound(context)
    if bound == "max":
        return "duration" if is_duration else "deadline", "max"
    return "duration", bound


def _min_unless_stated(context: _QuantityInContext) -> str:
    """Return the bound; a bare value is a minimum."""
    return "min" if context.bound == "exact" and not context.quantity.exact_only else context.bound


def _waiting_bound(context: _QuantityInContext) -> str:
    """Return the bound of a waiting period.

    "Is due three months after X" is a maximum, "on the third day" exact, "not until" a minimum.
    """
    if context.quantity.exact_only:
        return "exact"
    if (
        context.modality in ("must_not", "need_not")
        or context.quantity.bound_stated
        or context.bound == "min"
        or _NOT_YET.search(context.before)
    ):
        return "min"
    return "exact" if re.search(r"\bon (?:the )?$", context.before) or context.modality == "may" else "max"


def _is_threshold(context: _QuantityInContext) -> bool:
    """Tell whether a quantity limits when or to whom the norm applies: in a condition, or in a restrictive clause."""
    condition, quantity = context.condition, context.quantity
    if condition and (
        condition.kind in ("trigger", "exception")
        or (condition.kind == "after" and quantity.bound_stated and context.bound == "min")
    ):
        return True
    if context.bound == "min" and quantity.comparative and _RELATIVE.search(context.before):
        return True
    or_more = _OR_MORE.match(context.after.lstrip(" ,"))
    return context.bound == "min" and bool(quantity.comparative or or_more) and context.in_subject


def _deletion_bound(context: _QuantityInContext, is_waiting_period: bool) -> str:
    """Return the bound of a retention period that a clause on deletion sets.

    A duty to delete sets the longest retention; a prohibition of earlier deletion the shortest.
    """
    if context.modality == "must_not":
        return "min"
    stated_minimum = context.quantity.bound_stated and context.bound == "min" and not is_waiting_period
    return "min" if stated_minimum or _EARLIEST.search(context.before) else "max"


def _clock(folded: str, quantity: Quantity, start: int, end: int) -> frozenset[str]:
    """Return the lexicon's concepts of the event from which a period runs."""
    if quantity.dimension != "time" or quantity.recurring:
        return frozenset()
    m = _CLOCK.match(folded, quantity.end, end) or _CLOCK_BEFORE.search(folded[start : quantity.outer_start])
    if not m:
        return frozenset()
    base = 0 if m.re is _CLOCK else start
    event = read_words(folded, base + m.start("event"), base + m.end("event"))
    return frozenset(c for w in event for c in w.concepts) & lexicon().clock_events
