"""The values of a rule that two provisions set for the same thing, in a form in which they can be compared."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from antinomy.judge.rules.clauses import MeasurePair, measure_pairs, pair_clauses
from antinomy.norms import Measure, extract
from antinomy.norms.values import DAY
from antinomy.vocabulary import Kind, Relation

#: Roles of ``norms`` whose values a reader compares.
_TOLD = frozenset({"deadline", "frequency", "retention", "notice", "threshold", "amount", "duration"})
#: Two measures are of one thing only if they are this alike, unless the verdict rests on them.
_ALIKE = 0.35
#: A text without these has no value, and is not parsed.
_HINT = re.compile(
    r"\d|%|second|minute|hour|da(?:y|ily)|week|month|quarter|year|annual|biennial|percent|million|billion",
    re.IGNORECASE,
)
#: Probability from which on "shall" against "may" is a stricter rule. On nineteen invented pairs of regulations all
#: eight from it on are right, one of three below it.
_SURE = 0.8
_RECOMMENDS = re.compile(r"\b(?:should|ought to|(?:is|are) (?:expected|encouraged|advised) to)\b", re.IGNORECASE)
_MONTH = 30.4375
_IN_DAYS = re.compile(r"\bdays?\b", re.IGNORECASE)
#: Seconds in the units that are shown unconverted.
_UNITS = (("week", 7 * DAY), ("day", DAY), ("hour", 3600.0), ("minute", 60.0), ("second", 1.0))


def values(
    own: str,
    other: str,
    evidence: tuple[str, str],
    relation: str | None,
    aligned: Sequence[tuple[str, str]] = (),
) -> tuple[str, str] | None:
    """Return the values that two provisions set for one thing, normalised; None where they set none for the same thing.

    Args:
        own, other: the texts, read if the verdict may rest on their values.
        evidence: the verdict's quotes from both.
        relation: of the pair.
        aligned: clauses of both that answer each other, the nearest first; for a pair that merely corresponds, only
            these and the evidence are read.
    """
    if relation in (None, "none", "definition"):
        return None
    if relation in ("conflict", "stricter"):
        pairs = _measured(own, other)
        telling = [pair for pair in pairs if pair.comparison and pair.comparison.relation == relation]
        return _best(telling or [pair for pair in pairs if pair.similarity >= _ALIKE])
    quoted = _best([pair for pair in _measured(*evidence) if pair.similarity >= _ALIKE])
    return quoted or next((found for clauses in aligned if (found := _best(_measured(*clauses)))), None)


def rests_on_force_alone(verdict: Mapping[str, Any], left: str, right: str) -> bool:
    """Tell whether a stricter rule rests on nothing but the force of words, so that both merely correspond.

    "Shall" against "should" is as often a difference of drafting style as of demand. "Shall" against "may" is taken for
    a stricter rule only where the judge is sure.

    Args:
        verdict: relation, kind, p_relation and both quotes.
        left, right: the texts.
    """
    if verdict["relation"] != Relation.STRICTER or verdict["kind"] != Kind.MODALITY:
        return False
    sure = (verdict["p_relation"] or 0) >= _SURE and _demands_differ(verdict)
    return not sure and not values(left, right, ("", ""), Relation.STRICTER)


def _demands_differ(verdict: Mapping[str, Any]) -> bool:
    """Tell whether both quotes demand, forbid or allow, and differ in more than that one of them recommends."""
    quotes = [verdict[f"evidence_{side}"] or "" for side in ("left", "right")]
    ours, theirs = ({norm.modality for norm in extract(quote) if norm.cue[0] < norm.cue[1]} for quote in quotes)
    recommends = {bool(_RECOMMENDS.search(quote)) for quote in quotes}
    return bool(ours and theirs) and (ours != theirs or len(recommends) == 1)


def answers_only_a_later_step(verdict: Mapping[str, Any], left: str, right: str) -> bool:
    """Tell whether a stricter time limit was compared with one of several that the other side sets, and not its first.

    A judge reads a long provision in pieces: "a final report within a month" may be all that it saw of one that demands
    a first report within 24 hours.

    Args:
        verdict: relation, kind and governs.
        left, right: the whole provisions.
    """
    if verdict["relation"] != Relation.STRICTER or verdict["kind"] != Kind.DEADLINE:
        return False
    strict, other = map(_limits, (left, right) if verdict["governs"] == "left" else (right, left))
    return bool(strict) and len(other) > 1 and min(other) <= min(strict)


def _limits(text: str) -> set[float]:
    """Return the time limits of a provision, in seconds."""
    measures = (measure for norm in extract(text) for measure in norm.measures)
    return {measure.high for measure in measures if measure.role == "deadline" and measure.bound != "min"}


def _measured(one: str, two: str) -> list[MeasurePair]:
    """Pair the measures of two texts that have the same role."""
    if not (_HINT.search(one) and _HINT.search(two)):
        return []
    pairs = measure_pairs(pair_clauses(extract(one), extract(two)))
    return [pair for pair in pairs if pair.left.role == pair.right.role and pair.left.role in _TOLD]


def _best(pairs: Sequence[MeasurePair]) -> tuple[str, str] | None:
    best = max(pairs, key=lambda pair: (pair.similarity, -pair.left.start), default=None)
    return (shown(best.left), shown(best.right)) if best else None


def shown(measure: Measure) -> str:
    """Return a measure normalised: ``24 hours``, ``at least once a year``, ``at least 5 years``, ``more than 10 %``."""
    if measure.dimension != "time":
        low, unit = (
            (measure.low / 1000, "km")
            if measure.unit == "metre" and measure.low >= 1000
            else (measure.low, measure.unit)
        )
        amount = f"{low:,.10g}".replace(",", "\u202f") if low >= 1000 else f"{low:.4g}"
        number = f"{unit} {amount}" if measure.dimension == "money" else f"{amount} {_named(measure, unit)}"
        more, less = ("more than", "less than") if measure.comparative else ("at least", "at most")
        return {"min": f"{more} {number}", "max": f"{less} {number}"}.get(measure.bound, number)
    span = _span(measure)
    if measure.role == "frequency":
        each = span.removeprefix("1 ")
        often = f"once {'an' if each == 'hour' else 'a'} {each}" if span.startswith("1 ") else f"every {span}"
        return {"max": f"at least {often}", "min": f"at most {often}"}.get(measure.bound, often)
    if measure.role == "deadline":
        # A time limit bounds from above unless it says otherwise.
        return f"not before {span}" if measure.bound == "min" else span
    return {"min": f"at least {span}", "max": f"at most {span}"}.get(measure.bound, span)


def _named(measure: Measure, unit: str) -> str:
    """Return a unit for a reader: what is counted as it is written (its unit is a stem), a measure in the plural."""
    if measure.dimension == "count":
        written = re.findall(r"[^\W\d_][\w’'-]*", measure.text)
        return written[-1] if written and written[-1].lower()[:3] == unit[:3] else unit
    return f"{unit}s" if measure.dimension in ("length", "mass") and measure.low != 1 and len(unit) > 3 else unit


def _span(measure: Measure) -> str:
    """Return a length of time in its own unit; calendar units in months or years."""
    if measure.unit == "business day":
        return _counted(measure.low / DAY, "business day")
    if measure.unit == "hour":
        return _counted(measure.low / 3600.0, "hour")
    if measure.unit == "day" and _IN_DAYS.search(measure.text):
        return _counted(measure.low / DAY, "day")
    days = (measure.low + measure.high) / 2 / DAY
    months = round((days + 0.85) / _MONTH, 2)
    if measure.low != measure.high and abs(months - round(months)) < 0.1 and round(months) > 0:
        whole = round(months)
        return _counted(whole / 12, "year") if whole % 12 == 0 else _counted(whole, "month")
    name, length = next(
        (entry for entry in _UNITS if measure.low >= entry[1] and measure.low % entry[1] == 0), _UNITS[-1]
    )
    return _counted(measure.low / length, name)


def _counted(number: float, unit: str) -> str:
    amount = f"{number:.10g}"
    return f"{amount} {unit}" if amount == "1" else f"{amount} {unit}s"
