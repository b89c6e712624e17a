"""The pairs that were compared, seen from each of their provisions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from antinomy.coverage.provisions import Provision
from antinomy.report.named import named, without_figure

#: Of a pair that was judged in pieces, the relation that comes first here stands.
BY_GRAVITY = ("conflict", "definition", "stricter", "overlap", "none")
VERDICT = (
    "pair_key", "left_id", "right_id", "left_unit_id", "right_unit_id", "status", "relation", "kind", "governs",
    "p_conflict", "p_related", "p_relation", "evidence_left", "evidence_right", "rationale", "error",
)  # fmt: skip
SIMILAR = ("left_id", "right_id", "score", "own", "clauses", "lexical")
_GIVEN = ("ok", "unverified")

Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Match:
    """A pair seen from one of its provisions.

    Attributes:
        own_side: ``left`` or ``right``: where the provision stands that is looked from.
        counterpart: section_id of the other.
        judged: what was said of the pair, None where no verdict was given.
        failure: why there is none, "" if there is.
        scores: of the link stage: score, own, clauses, lexical; None where a channel knows nothing.
    """

    own_side: str
    counterpart: str
    judged: Row | None
    failure: str
    scores: Row

    @property
    def relation(self) -> str | None:
        """The verdict's relation, None without one."""
        return None if self.judged is None else self.judged["relation"]

    @property
    def governs(self) -> str | None:
        """``here`` or ``there`` for a stricter rule."""
        said = None if self.judged is None else self.judged["governs"]
        return said and ("here" if said == self.own_side else "there")

    @property
    def other_side(self) -> str:
        """``left`` or ``right``: where the counterpart stands."""
        return "right" if self.own_side == "left" else "left"


Matches = dict[tuple[str, str], list[Match]]


def matches(
    verdicts: pa.Table, similar: pa.Table, provisions: Mapping[str, Provision], titles: Mapping[str, str]
) -> Matches:
    """Gather what each provision was compared with.

    Args:
        verdicts, similar: tables.
        provisions: by section_id.
        titles: doc_id → its name, which a reason gives in place of left and right.

    Returns:
        (section_id, other side) → its pairs, in no order.
    """
    scores = {(row["left_id"], row["right_id"]): row for row in similar.select(list(SIMILAR)).to_pylist()}
    best: dict[tuple[str, str], tuple[Any, Row]] = {}
    for row in verdicts.select(list(VERDICT)).to_pylist():
        pair = row["left_id"], row["right_id"]
        given = row["status"] in _GIVEN and row["relation"] is not None
        place = (
            not given,
            BY_GRAVITY.index(row["relation"]) if given else 0,
            -(row["p_conflict"] or 0.0),
            row["pair_key"],
        )
        if pair not in best or place < best[pair][0]:
            best[pair] = place, row
    found: Matches = {}
    for (left, right), (place, row) in best.items():
        if left not in provisions or right not in provisions:
            continue
        names = [titles.get(provisions[name].doc_id) or provisions[name].doc_id for name in (left, right)]
        judged = None if place[0] else {**row, "rationale": named(without_figure(row["rationale"] or ""), *names)}
        failure = "" if judged else _failure(row)
        for own_side, own, other in (("left", left, right), ("right", right, left)):
            match = Match(own_side, other, judged, failure, scores.get((left, right), {}))
            found.setdefault((own, provisions[other].side), []).append(match)
    return found


def _failure(row: Row) -> str:
    if row["status"] == "error":
        return row["error"] or "the judge gave no verdict"
    return "the judge abstained"
