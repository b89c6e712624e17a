"""The values of a rule that two provisions set for the same thing, in a form in which they can be compared."""

from __future__ import annotations

import re
from collections.abc import Sequence

from antinomy.judge.rules.clauses import MeasurePair
from antinomy.judge.rules.values import ALIKE, measured, telling
from antinomy.norms import Measure
from antinomy.norms.values import DAY

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
        return _best(telling(measured(own, other), relation))
    quoted = _best([pair for pair in measured(*evidence) if pair.similarity >= ALIKE])
    return quoted or next((found for clauses in aligned if (found := _best(measured(*clauses)))), None)


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
