"""Comparison of two measures, and of two deontic forces, by relation, kind and side."""

from __future__ import annotations

from dataclasses import dataclass

from antinomy.norms.model import Measure, Norm


@dataclass(frozen=True, slots=True)
class Typed:
    """The result of one comparison.

    Attributes:
        relation: ``conflict``, ``stricter``, ``equal``.
        kind: one of the protocol's kinds.
        governs: ``left``, ``right`` or "".
        weight: how sure the wording alone makes it, in (0, 1].
    """

    relation: str
    kind: str
    governs: str = ""
    weight: float = 1.0

    @property
    def sided(self) -> str:
        """The side that governs, else the relation."""
        return self.governs or self.relation


_KIND = {"deadline": "deadline", "notice": "deadline", "frequency": "frequency", "retention": "retention",
         "threshold": "threshold", "amount": "threshold", "duration": "deadline"}  # fmt: skip
#: Of two roles, the one that gives the difference its kind.
_PRECEDENCE = ("retention", "frequency", "notice", "deadline", "threshold", "amount", "duration")
#: Roles that may be compared with one another.
_TOGETHER = {
    frozenset(("deadline", "duration")), frozenset(("retention", "duration")), frozenset(("amount", "threshold")),
    frozenset(("duration", "threshold")),
}  # fmt: skip
_TOLERANCE = 1e-6
#: Weight if one side forbids what the other permits: both can be obeyed, though many would call it a conflict.
PERMITTED_BAN = 0.5


def comparable(a: Measure, b: Measure) -> bool:
    """Whether two measures may be set against each other: same dimension, unit and role."""
    if a.dimension != b.dimension:
        return False
    if a.dimension in ("count", "money", "date") and a.unit != b.unit:
        return a.dimension == "money" and apart(a, b, 2.0)
    if {a.role, b.role} == {"deadline", "frequency"}:
        # A wait between two occasions against how often they are due.
        wait = a if a.role == "deadline" else b
        return wait.bound == "min"
    return a.role == b.role or frozenset((a.role, b.role)) in _TOGETHER


def apart(a: Measure, b: Measure, factor: float = 1.0) -> bool:
    """Whether one value is certainly above the other, by more than the factor."""
    return a.high * factor <= b.low + _TOLERANCE or b.high * factor <= a.low + _TOLERANCE


def equal(a: Measure, b: Measure) -> bool:
    """Whether two values cannot be told apart."""
    if a.is_range != b.is_range:
        return False
    if a.low == b.low and a.high == b.high:
        return True
    return a.low <= b.high and b.low <= a.high and not apart(a, b)


def clocks(a: Measure, b: Measure) -> float:
    """Return 1.0 where both run from like events, 0.0 where the events differ, 0.7 where one is unsaid."""
    if not a.clock or not b.clock:
        return 0.7
    return 1.0 if a.clock & b.clock else 0.0


def compare_measures(a: Measure, b: Measure, left: Norm, right: Norm) -> Typed | None:
    """Compare two measures of norms on the same matter; None where they cannot be compared."""
    if not comparable(a, b):
        return None
    kind = _KIND[min(a.role, b.role, key=_PRECEDENCE.index)]
    if kind == "deadline" and a.dimension == "count":
        # "Blocked after three attempts" runs out as a time does, and is a limit all the same.
        kind = "threshold"
    trigger = a.role == "threshold" and b.role == "threshold"
    if equal(a, b) and (a.bound == b.bound or "exact" in (a.bound, b.bound)):
        same_unit = a.low == b.low
        return Typed("equal", kind, weight=1.0 if same_unit else 0.8)
    if (
        a.dimension == "percent"
        and {a.bound, b.bound} == {"min", "max"}
        and abs(a.low + b.low - 100) < 0.001
        and max(a.low, b.low) >= 90
    ):
        # 99.9 % up is 0.1 % down.
        return Typed("equal", kind, weight=0.8)
    if not apart(a, b) or (a.low == b.low and a.high == b.high):
        return None
    smaller = "left" if a.high <= b.low + _TOLERANCE else "right"
    larger = "right" if smaller == "left" else "left"
    if trigger:
        return _trigger(a, b, left, right, smaller, larger)
    if left.modality == right.modality == "may" and a.role == b.role == "deadline":
        # A right that lasts longer burdens the other party longer.
        return Typed("stricter", kind, larger, 0.6)
    bounds = (a.bound, b.bound) if smaller == "left" else (b.bound, a.bound)
    fixed = "deadline" in (a.role, b.role)
    return _bounded(bounds, kind, smaller, larger, fixed or a.exact_only or b.exact_only, a.dimension == "count")


def _bounded(bounds: tuple[str, str], kind: str, smaller: str, larger: str, fixed: bool, counted: bool) -> Typed | None:
    """Compare two bounds.

    Args:
        bounds: of the smaller and of the larger value.
        kind: of the difference.
        smaller, larger: sides of the values.
        fixed: the values are points in time rather than lengths, or no other value will do.
        counted: the values are numbers of things.
    """
    match bounds:
        case ("max", "max"):
            return Typed("stricter", kind, smaller)
        case ("min", "min"):
            return Typed("stricter", kind, larger)
        case ("max", "min"):
            return Typed("conflict", kind)
        case ("exact", "min"):
            # "Six hours of training" asks for that at the least; a point in time is fixed.
            if fixed:
                return Typed("conflict", kind, weight=0.8)
            return Typed("stricter", kind, larger, 0.5)
        case ("max", "exact"):
            return Typed("conflict", kind, weight=0.8)
        case ("exact", "exact") if counted and not fixed:
            # "Reviewed by two persons" against one: two include the one.
            return Typed("stricter", kind, larger, 0.5)
        case ("exact", "exact"):
            return Typed("conflict", kind, weight=0.6)
        case ("exact", "max"):
            return Typed("stricter", kind, smaller, 0.7)
        case ("min", "exact"):
            return Typed("stricter", kind, larger, 0.7)
    return None


def _trigger(a: Measure, b: Measure, left: Norm, right: Norm, smaller: str, larger: str) -> Typed | None:
    """A duty with a lower trigger binds more often; a permission or release with a lower trigger binds less."""
    if a.bound != b.bound:
        return None
    duty = {"must", "must_not"}
    if left.exclusive and right.exclusive:
        # "Only if": what holds in fewer cases allows less.
        return Typed("stricter", "threshold", larger if a.bound == "min" else smaller, 0.8)
    if left.exclusive or right.exclusive:
        return Typed("conflict", "threshold", weight=0.7)
    if left.modality in duty and right.modality in duty:
        return Typed("stricter", "threshold", smaller if a.bound == "min" else larger)
    if left.modality == right.modality:
        return Typed("stricter", "threshold", larger if a.bound == "min" else smaller, 0.8)
    return None


def compare_forces(left: str, right: str) -> Typed | None:
    """Compare two deontic forces on the same action."""
    pair = (left, right)
    if left == right:
        return None
    match pair:
        case ("must", "must_not") | ("must_not", "must"):
            return Typed("conflict", "modality")
        case ("must", "may") | ("must", "need_not"):
            return Typed("stricter", "modality", "left")
        case ("may", "must") | ("need_not", "must"):
            return Typed("stricter", "modality", "right")
        case ("must_not", "may"):
            return Typed("stricter", "modality", "left", PERMITTED_BAN)
        case ("may", "must_not"):
            return Typed("stricter", "modality", "right", PERMITTED_BAN)
    return None
