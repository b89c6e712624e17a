"""A provision's state, from the verdicts on its candidates.

| state | when | probability |
|---|---|---|
| left_out | it demands nothing of a firm; the reason says what it is | – |
| conflict | a candidate is a finding of conflict | of the conflict |
| stricter_here, stricter_there | else one is of a stricter rule and not unlikely on the same duty | of that relation |
| covered | else the first is related, a counterpart is likely, and each demand has one near it | that there is one |
| partly | else the first is related and one likelier than not, or only some demands are answered | that there is one |
| not_decidable | else a reviewer rejected the finding on a candidate: whether it corresponds, nobody said | – |
| gap | else a counterpart is unlikely, after at least three candidates, if there are so many | that there is none |
| not_decidable | else: too few candidates, none with a verdict, or not sure enough | – |
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from antinomy.coverage import misses, probability
from antinomy.coverage.demands import Answer
from antinomy.coverage.pairs import Match
from antinomy.coverage.provisions import Provision
from antinomy.vocabulary import CoverageState, Relation

#: Probabilities of a counterpart: likely from LIKELY on, a related one counts as partly or perhaps there from PERHAPS
#: on, unlikely below UNLIKELY. Chosen on labelled provisions: from LIKELY on the counterpart named first is right for
#: nine in ten, just below it for two in three; below UNLIKELY one in nine has a counterpart after all
#: (docs/evaluation.md).
LIKELY, PERHAPS, UNLIKELY = 0.9, 0.5, 0.2
#: With fewer candidates, a judge's "none" says little about the rest of the other side.
FEWEST = 3
#: A pair rarely is on one duty below this probability: then neither side's rule is the stricter one of it.
_ONE_DUTY = 0.25
#: So many demands are quoted for each counterpart; the others are counted.
_QUOTED = 3


@dataclass(frozen=True, slots=True)
class State:
    """State of a provision towards an other side.

    Attributes:
        state, reason, p_state, p_covered: columns of ``coverage``.
        rests_on: the pair whose conflict, stricter rule or rejected finding is the state.
    """

    state: CoverageState
    reason: str
    p_state: float | None
    p_covered: float | None
    rests_on: Match | None = None


def decide(
    provision: Provision,
    found: Sequence[Match],
    answers: Sequence[Answer],
    available: int,
    provisions: Mapping[str, Provision],
) -> State:
    """Decide the state of a provision towards an other side.

    Args:
        provision: whose state it is.
        found: its pairs with that side, best first.
        answers: of its related counterparts to each of its demands, if it has several.
        available: provisions of the other side that it could have been compared with.
        provisions: by section_id.
    """
    judged = [match for match in found if match.judged is not None and not match.rejected]
    rejected = next((match for match in found if match.rejected), None)
    nearest = judged[0] if judged else None
    p = probability.of_provision(max(match.likeness for match in judged)) if judged else None
    if provision.left_out:
        return State(CoverageState.LEFT_OUT, provision.left_out, None, p)
    if not found:
        why = "compared with nothing that demands anything of a firm (the settings of link decide what is compared)"
        return State(CoverageState.NOT_DECIDABLE, why, None, None)
    if claimed := [m for m in judged if m.relation == Relation.CONFLICT]:
        surest = max(claimed, key=lambda m: (_claim(m, "p_conflict") or 0.0, m.likeness))
        return State(CoverageState.CONFLICT, "", _claim(surest, "p_conflict"), p, surest)
    if strict := next((m for m in judged if m.relation == Relation.STRICTER and (m.p_same or 0.0) >= _ONE_DUTY), None):
        state = CoverageState.STRICTER_HERE if strict.governs == "here" else CoverageState.STRICTER_THERE
        return State(state, "", _claim(strict, "p_relation"), p, strict)
    if rejected and not (nearest and nearest.related):
        label = provisions[rejected.counterpart].label
        why = f"a reviewer rejected the finding on {label}; whether the two correspond is open"
        return State(CoverageState.NOT_DECIDABLE, why, None, None, rejected)
    if nearest is None or p is None:
        return State(CoverageState.NOT_DECIDABLE, found[0].failure, None, None)
    likely = f"{100 * probability.of_pair(nearest.likeness):.0f} % on the same duty"
    near = f"nearest is {provisions[nearest.counterpart].label} ({likely})"
    if not nearest.related:
        said = misses.why(provision.text, provisions[nearest.counterpart].text)
        why = said or (nearest.judged or {}).get("rationale") or ""
        return _unrelated(p, len(judged), min(FEWEST, available), near, why)
    if p < PERHAPS:
        return State(
            CoverageState.NOT_DECIDABLE,
            f"{near}: related, but rather not on the same duty",
            None,
            p,
        )
    if p < LIKELY:
        return State(CoverageState.PARTLY, f"{near}: related, perhaps only in part or in subject", p, p)
    if any(answer.counterpart is None for answer in answers):
        return State(CoverageState.PARTLY, _told(answers, provisions), p, p)
    return State(CoverageState.COVERED, _told(answers, provisions), p, p)


def _told(answers: Sequence[Answer], provisions: Mapping[str, Provision]) -> str:
    """Name the counterpart nearest to each demand, unanswered demands first; "" if there is a single demand."""
    of: dict[str | None, list[str]] = {None: []}
    for answer in answers:
        of.setdefault(answer.counterpart, []).append(f"“{answer.opening}”")
    return "; ".join(
        f"nothing answers {_counted(demands)}"
        if name is None
        else f"nearest to {_counted(demands)} is {provisions[name].label}"
        for name, demands in of.items()
        if demands
    )


def _counted(demands: Sequence[str]) -> str:
    shown = ", ".join(demands[:_QUOTED])
    return f"{shown} and {len(demands) - _QUOTED} more" if len(demands) > _QUOTED else shown


def _unrelated(p: float, compared: int, wanted: int, near: str, why: str) -> State:
    """Decide the state of a provision whose nearest candidate is judged to be on another matter."""
    if p >= UNLIKELY:
        return State(
            CoverageState.NOT_DECIDABLE,
            f"{near}: judged to be on another matter, but the two are too much alike to be sure",
            None,
            p,
        )
    if compared < wanted:
        few = f"compared with {compared} only: too few to say that there is no counterpart"
        return State(CoverageState.NOT_DECIDABLE, f"{near}; {few}", None, p)
    return State(CoverageState.GAP, f"{near}: {why or 'it is on another matter'}", 1 - p, p)


def _claim(match: Match, column: str) -> float | None:
    """Return the probability of a claim, None where the judge gives none."""
    said = None if match.judged is None else match.judged[column]
    return None if said is None else float(said)
