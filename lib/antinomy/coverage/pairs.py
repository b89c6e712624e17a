"""The pairs that were compared, seen from each of their provisions."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from antinomy.coverage import probability
from antinomy.coverage.provisions import Provision
from antinomy.findings.document_names import named, without_figure
from antinomy.vocabulary import Relation, VerdictStatus

VERDICT = (
    "pair_key", "left_id", "right_id", "status", "relation", "kind", "governs", "p_conflict", "p_related", "p_relation",
    "evidence_left", "evidence_right", "rationale", "error",
)  # fmt: skip
SIMILAR = ("left_id", "right_id", "score", "own", "mpnet")
#: Weight of the distance to the counterpart's best pair, where pairs are ordered; and how many times as many provisions
#: as the other a side may have for that. On nine keys the counterpart named first is right for .856 of the provisions,
#: without it for .847, and one of the first three for .930, without it for .911 (docs/evaluation.md).
_CONTEST, _SHARED = 0.5, 2

Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Match:
    """A pair seen from one of its provisions.

    Attributes:
        own_side: ``left`` or ``right``: the side of the provision that the pair is seen from.
        counterpart: section_id of the provision on the other side.
        judged: the pair's verdict, None if there is none.
        failure: why there is none, "" if there is.
        scores: of the link stage: score, own and mpnet; None where a channel has none.
        relation: see ``probability.relation``; None without a verdict.
        rejected: a reviewer rejected the finding on the pair: it counts as unrelated, whatever the verdict.
        likeness: score from which the probabilities are computed, see ``probability.likeness``; -inf without a verdict.
    """

    own_side: str
    counterpart: str
    judged: Row | None
    failure: str
    scores: Row
    relation: str | None = None
    rejected: bool = False
    likeness: float = -math.inf

    @property
    def governs(self) -> str | None:
        """``here`` or ``there`` for a stricter rule."""
        said = None if self.judged is None else self.judged["governs"]
        return said and ("here" if said == self.own_side else "there")

    @property
    def other_side(self) -> str:
        """``left`` or ``right``: the side of the counterpart."""
        return "right" if self.own_side == "left" else "left"

    @property
    def related(self) -> bool:
        """Whether the verdict relates both."""
        return self.relation not in (None, Relation.NONE)

    @property
    def p_same(self) -> float | None:
        """Probability that both are on the same duty, None without a verdict."""
        return None if self.judged is None else probability.of_pair(self.likeness)


#: (section_id, other side) → its pairs, best first.
Matches = dict[tuple[str, str], list[Match]]


def matches(
    verdicts: pa.Table,
    similar: pa.Table,
    provisions: Mapping[str, Provision],
    titles: Mapping[str, str],
    rejected: Collection[frozenset[str]],
) -> Matches:
    """Gather what each provision was compared with.

    Args:
        verdicts, similar: tables.
        provisions: by section_id.
        titles: doc_id → its name, which stands for left or right in a reason.
        rejected: section_ids of the pairs on which a reviewer rejected a finding.
    """
    scores = {(row["left_id"], row["right_id"]): row for row in similar.select(list(SIMILAR)).to_pylist()}
    seen: Matches = {}
    for row in verdicts.select(list(VERDICT)).to_pylist():
        left, right = row["left_id"], row["right_id"]
        if left not in provisions or right not in provisions:
            continue
        given = row["status"] != VerdictStatus.ERROR
        names = [titles[provisions[name].doc_id] for name in (left, right)]
        row = {**row, "rationale": named(without_figure(row["rationale"] or ""), *names)}
        relation = probability.relation(row) if given else None
        denied = relation not in (None, Relation.NONE) and frozenset((left, right)) in rejected
        if denied:
            row |= _without_claim(row)
            relation = Relation.NONE
        found = scores.get((left, right), {})
        likeness = probability.likeness(row, found) if given else -math.inf
        for own_side, own, other in (("left", left, right), ("right", right, left)):
            match = Match(
                own_side,
                other,
                row if given else None,
                "" if given else row["error"] or "the judge gave no verdict",
                found,
                relation,
                denied,
                likeness,
            )
            seen.setdefault((own, provisions[other].side), []).append(match)
    _order(seen, provisions)
    return seen


def _order(seen: Matches, provisions: Mapping[str, Provision]) -> None:
    """Put the pairs of each provision in order: by likeness, less for a counterpart that another provision fits better.

    Where a side has far more provisions than the other, many share a counterpart, and the best fit says nothing. What
    was rejected comes after all that may still correspond.
    """
    best: dict[tuple[str, str], float] = {}
    ends: dict[tuple[str, str], tuple[set[str], set[str]]] = {}
    for (own, other), pairs in seen.items():
        side = provisions[own].side
        here, there = ends.setdefault((side, other), (set(), set()))
        here.add(own)
        for match in pairs:
            there.add(match.counterpart)
            key = side, match.counterpart
            best[key] = max(best.get(key, -math.inf), match.likeness)
    for (own, other), pairs in seen.items():
        side = provisions[own].side
        here, there = ends[side, other]
        weight = _CONTEST if len(here) <= _SHARED * len(there) else 0.0
        behind = {match.counterpart: best[side, match.counterpart] - match.likeness for match in pairs if match.judged}
        pairs.sort(
            key=lambda match: (
                match.rejected,
                weight * behind.get(match.counterpart, 0.0) - match.likeness,
                -(match.scores.get("score") or 0.0),
                match.counterpart,
            )
        )


def _without_claim(row: Row) -> dict[str, Any]:
    """Return the columns that replace a verdict whose finding a reviewer rejected: nothing else was claimed."""
    return {
        "relation": Relation.NONE.value,
        "kind": None,
        "governs": None,
        "p_relation": None,
        "rationale": f"A reviewer rejected the finding ({row['relation']}).",
    }
