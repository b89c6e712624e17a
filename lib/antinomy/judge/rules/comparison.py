"""Compares two measures, and two deontic modalities: their relation, its kind and the side that governs."""

from __future__ import annotations

from dataclasses import dataclass

from antinomy.norms.model import Measure, Norm


@dataclass(frozen=True, slots=True)
class Comparison:
    """The result of a comparison.

    Attributes:
        relation: ``conflict``, ``stricter`` or ``equal``.
        kind: what differs, a ``vocabulary.Kind``.
        governs: the stricter side, ``left`` or ``right``; "" for other relations.
        confidence: how sure the wording alone makes it, in (0, 1].
    """

    relation: str
    kind: str
    governs: str = ""
    confidence: float = 1.0

    @property
    def side_or_relation(self) -> str:
        """The side that governs if there is one, else the relation."""
        return self.governs or self.relation


_KIND = {"deadline": "deadline", "notice": "deadline", "frequency": "frequency", "retention": "retention",
         "threshold": "threshold", "amount": "threshold", "duration": "deadline"}  # fmt: skip
#: Of two roles the earlier one here gives the difference its kind.
_PRECEDENCE = ("retention", "frequency", "notice", "deadline", "threshold", "amount", "duration")
#: Different roles that can be compared.
_COMPARABLE_ROLES = {
    frozenset(("deadline", "duration")), frozenset(("retention", "duration")), frozenset(("amount", "threshold")),
    frozenset(("duration", "threshold")),
}  # fmt: skip
_TOLERANCE = 1e-6
#: Confidence that a prohibition is stricter than a permission: both can be obeyed, yet many would call it a conflict.
_BAN_OF_PERMITTED = 0.5


def comparable(a: Measure, b: Measure) -> bool:
    """Tell whether two measures can be compared, by dimension, unit and role."""
    if a.dimension != b.dimension:
        return False
    if a.dimension in ("count", "money", "date") and a.unit != b.unit:
        return a.dimension == "money" and certainly_differ(a, b, 2.0)
    if {a.role, b.role} == {"deadline", "frequency"}:
        # A minimum time between two occasions can be compared with their frequency.
        waiting_period = a if a.role == "deadline" else b
        return waiting_period.bound == "min"
    return a.role == b.role or frozenset((a.role, b.role)) in _COMPARABLE_ROLES


def certainly_differ(a: Measure, b: Measure, factor: float = 1.0) -> bool:
    """Tell whether the intervals of two values are disjoint, even if the smaller value is multiplied by ``factor``."""
    return a.high * factor <= b.low + _TOLERANCE or b.high * factor <= a.low + _TOLERANCE


def indistinguishable(a: Measure, b: Measure) -> bool:
    """Tell whether two values are equal within the vagueness of their units."""
    if a.is_range != b.is_range:
        return False
    if a.low == b.low and a.high == b.high:
        return True
    return a.low <= b.high and b.low <= a.high and not certainly_differ(a, b)


def clock_match(a: Measure, b: Measure) -> float:
    """Return 1.0 if two periods run from the same event, 0.0 if from different ones, 0.7 if one event is not named."""
    if not a.clock or not b.clock:
        return 0.7
    return 1.0 if a.clock & b.clock else 0.0


def compare_measures(a: Measure, b: Measure, left: Norm, right: Norm) -> Comparison | None:
    """Compare two measures of norms on the same subject matter; None where they cannot be compared.

    Args:
        a, b: the left and the right measure.
        left, right: their norms.
    """
    if not comparable(a, b):
        return None
    kind = _KIND[min(a.role, b.role, key=_PRECEDENCE.index)]
    if kind == "deadline" and a.dimension == "count":
        # "Blocked after three attempts" has the role of a deadline.
        kind = "threshold"
    both_thresholds = a.role == "threshold" and b.role == "threshold"
    if indistinguishable(a, b) and (a.bound == b.bound or "exact" in (a.bound, b.bound)):
        same_interval = a.low == b.low
        return Comparison("equal", kind, confidence=1.0 if same_interval else 0.8)
    if (
        a.dimension == "percent"
        and {a.bound, b.bound} == {"min", "max"}
        and abs(a.low + b.low - 100) < 0.001
        and max(a.low, b.low) >= 90
    ):
        # Available for 99.9 % is unavailable for 0.1 %.
        return Comparison("equal", kind, confidence=0.8)
    if not certainly_differ(a, b) or (a.low == b.low and a.high == b.high):
        return None
    smaller = "left" if a.high <= b.low + _TOLERANCE else "right"
    larger = "right" if smaller == "left" else "left"
    if both_thresholds:
        return _compare_thresholds(a, b, left, right, smaller, larger)
    if left.modality == right.modality == "may" and a.role == b.role == "deadline":
        # A longer right burdens the other party for longer.
        return Comparison("stricter", kind, larger, 0.6)
    bounds = (a.bound, b.bound) if smaller == "left" else (b.bound, a.bound)
    exact_values = "deadline" in (a.role, b.role)
    return _compare_bounds(
        bounds, kind, smaller, larger, exact_values or a.exact_only or b.exact_only, a.dimension == "count"
    )


def _compare_bounds(
    bounds: tuple[str, str], kind: str, smaller: str, larger: str, exact_values: bool, is_count: bool
) -> Comparison | None:
    """Compare two values by their bounds.

    Args:
        bounds: bound of the smaller and of the larger value.
        kind: of the difference.
        smaller, larger: the sides of these values.
        exact_values: the values are points in time, or the text allows no other value.
        is_count: the values are numbers of things.
    """
    match bounds:
        case ("max", "max"):
            return Comparison("stricter", kind, smaller)
        case ("min", "min"):
            return Comparison("stricter", kind, larger)
        case ("max", "min"):
            return Comparison("conflict", kind)
        case ("exact", "min"):
            # "Six hours of training" is a minimum in effect; a point in time is not.
            if exact_values:
                return Comparison("conflict", kind, confidence=0.8)
            return Comparison("stricter", kind, larger, 0.5)
        case ("max", "exact"):
            return Comparison("conflict", kind, confidence=0.8)
        case ("exact", "exact") if is_count and not exact_values:
            # "Reviewed by two persons" satisfies "reviewed by one person".
            return Comparison("stricter", kind, larger, 0.5)
        case ("exact", "exact"):
            return Comparison("conflict", kind, confidence=0.6)
        case ("exact", "max"):
            return Comparison("stricter", kind, smaller, 0.7)
        case ("min", "exact"):
            return Comparison("stricter", kind, larger, 0.7)
    return None


def _compare_thresholds(
    a: Measure, b: Measure, left: Norm, right: Norm, smaller: str, larger: str
) -> Comparison | None:
    """Compare two thresholds.

    A duty with a lower minimum applies in more cases, so it is stricter. A permission with a lower minimum is laxer.
    """
    if a.bound != b.bound:
        return None
    duty = {"must", "must_not"}
    if left.exclusive and right.exclusive:
        # "Only if": what applies in fewer cases allows less.
        return Comparison("stricter", "threshold", larger if a.bound == "min" else smaller, 0.8)
    if left.exclusive or right.exclusive:
        return Comparison("conflict", "threshold", confidence=0.7)
    if left.modality in duty and right.modality in duty:
        return Comparison("stricter", "threshold", smaller if a.bound == "min" else larger)
    if left.modality == right.modality:
        return Comparison("stricter", "threshold", larger if a.bound == "min" else smaller, 0.8)
    return None


def compare_modalities(left: str, right: str) -> Comparison | None:
    """Compare two deontic modalities of the same action; None where neither conflicts with nor exceeds the other."""
    pair = (left, right)
    if left == right:
        return None
    match pair:
        case ("must", "must_not") | ("must_not", "must"):
            return Comparison("conflict", "modality")
        case ("must", "may") | ("must", "need_not"):
            return Comparison("stricter", "modality", "left")
        case ("may", "must") | ("need_not", "must"):
            return Comparison("stricter", "modality", "right")
        case ("must_not", "may"):
            return Comparison("stricter", "modality", "left", _BAN_OF_PERMITTED)
        case ("may", "must_not"):
            return Comparison("stricter", "modality", "right", _BAN_OF_PERMITTED)
    return None
