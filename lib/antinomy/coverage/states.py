"""From the verdicts on a provision's candidates to its state.

| state | when |
|---|---|
| left_out | the provision demands nothing of a firm; the reason says what it is |
| not_decidable | it was compared with nothing, or no candidate has a verdict |
| conflict | a candidate is a finding of conflict |
| stricter_here, stricter_there | else a candidate is a finding of a stricter rule, by the side that governs |
| covered | else a counterpart is likely |
| partly | else one is as likely as not, or only part of several demands has one |
| gap | it was compared with its candidates and none is likely |
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from antinomy.coverage import likely
from antinomy.coverage.pairs import Match

COVERED, PARTLY, GAP = "covered", "partly", "gap"
HERE, THERE, CONFLICT = "stricter_here", "stricter_there", "conflict"
UNDECIDED, LEFT_OUT = "not_decidable", "left_out"
STATES = (COVERED, PARTLY, HERE, THERE, CONFLICT, GAP, UNDECIDED, LEFT_OUT)
#: Probability of a counterpart from which one is likely, and below which none is.
LIKELY, UNLIKELY = 0.5, 0.35


@dataclass(frozen=True, slots=True)
class State:
    """What is said of a provision and an other side; the columns of ``coverage``."""

    state: str
    reason: str
    p_state: float | None
    p_covered: float | None


def decide(left_out: str, found: Sequence[Match], label: Callable[[str], str]) -> State:
    """Decide the state of a provision towards an other side.

    Args:
        left_out: why nothing is said of it, "" if something is.
        found: its pairs with that side, the likeliest first.
        label: names a section.
    """
    p = likely.covered(found)
    if left_out:
        return State(LEFT_OUT, left_out, None, p)
    if not found:
        return State(UNDECIDED, "compared with nothing: no candidate was kept for it", None, None)
    if p is None:
        return State(UNDECIDED, found[0].failure, None, None)
    for state, claimed in (
        (CONFLICT, [m for m in found if m.relation == "conflict"]),
        ("", [m for m in found if m.relation == "stricter"]),
    ):
        if claimed:
            said, name = max(
                ((_chance(match, state), match) for match in claimed), key=lambda c: (c[0] or 0.0, c[1].counterpart)
            )
            return State(state or f"stricter_{name.governs}", "", said, p)
    if p >= LIKELY:
        return State(COVERED, "", p, p)
    nearest = found[0]
    near = f"nearest is {label(nearest.counterpart)} ({likely.of_pair(nearest) or 0.0:.0%})"
    if p >= UNLIKELY:
        return State(PARTLY, f"{near}: related, but weakly", p, p)
    return State(GAP, f"{near}: {_why(nearest)}", 1 - p, p)


def _chance(match: Match, state: str) -> float | None:
    assert match.judged is not None
    said = match.judged["p_conflict" if state == CONFLICT else "p_relation"]
    return None if said is None else float(said)


def _why(nearest: Match) -> str:
    said = (nearest.judged or {}).get("rationale") or ""
    return said or "it is judged to be on another matter"
