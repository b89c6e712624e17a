"""The pairs that were compared, seen from each of their provisions."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import pyarrow as pa

from antinomy.coverage import probability
from antinomy.coverage.provisions import Provision
from antinomy.coverage.values import values
from antinomy.findings.document_names import named, without_figure
from antinomy.vocabulary import Kind, Relation, VerdictStatus

#: A pair judged in pieces takes the relation that comes first here.
BY_GRAVITY = (
    Relation.CONFLICT, Relation.DEFINITION, Relation.STRICTER, Relation.OVERLAP, Relation.NONE,
)  # fmt: skip
VERDICT = (
    "pair_key", "left_id", "right_id", "left_unit_id", "right_unit_id", "status", "relation", "kind", "governs",
    "p_conflict", "p_related", "p_relation", "evidence_left", "evidence_right", "rationale", "error", "judge", "model",
    "prompt_sha256",
)  # fmt: skip
SIMILAR = ("left_id", "right_id", "score", "own", "rank_left", "rank_right")
_GIVEN = (VerdictStatus.OK, VerdictStatus.UNVERIFIED)

Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Match:
    """A pair seen from one of its provisions.

    Attributes:
        own_side: ``left`` or ``right``: the side of the provision that the pair is seen from.
        counterpart: section_id of the provision on the other side.
        judged: the pair's verdict, None if there is none.
        failure: why there is none, "" if there is.
        scores: of the link stage: score, own and both ranks; None where a channel or a side has none.
        relation: see ``probability.relation``; None without a verdict.
        rejected: a reviewer rejected the finding on the pair: it counts as unrelated, whatever the verdict.
        likeness: score from which the probabilities are computed, see ``probability.single``; -inf without a verdict.
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
    def merit(self) -> float:
        """Key that orders the pairs of a provision: likeness, verdict, and rank among the provision's neighbours."""
        rank = self.scores.get(f"rank_{self.own_side}")
        return self.likeness + probability.by_verdict(self.relation) + probability.by_place(rank)

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
    standardised: bool = True,
    titles: Mapping[str, str] | None = None,
    rejected: Collection[frozenset[str]] = (),
) -> Matches:
    """Gather what each provision was compared with.

    Args:
        verdicts, similar: tables.
        provisions: by section_id.
        standardised: whether the link stage's scores are sums of standardised scores.
        titles: doc_id → its name, which stands for left or right in a reason.
        rejected: section_ids of the pairs on which a reviewer rejected a finding.
    """
    scores = {(row["left_id"], row["right_id"]): row for row in similar.select(list(SIMILAR)).to_pylist()}
    seen: dict[tuple[str, str], list[tuple[str, Match, float]]] = {}
    for left, right, row, given in _gravest(verdicts):
        if left not in provisions or right not in provisions:
            continue
        docs = [provisions[name].doc_id for name in (left, right)]
        names = [(titles or {}).get(doc) or doc for doc in docs]
        row = {**row, "rationale": named(without_figure(row["rationale"] or ""), *names)}
        relation = probability.relation(row) if given else None
        denied = relation not in (None, Relation.NONE) and frozenset((left, right)) in rejected
        if denied:
            row |= _without_claim(row)
            relation = Relation.NONE
        elif given and _of_force_alone(row, provisions[left].text, provisions[right].text):
            row |= _corresponding(row, dict(zip(("left", "right"), names, strict=True)))
            relation = probability.relation(row)
        found = scores.get((left, right), {})
        alone = probability.single(row, found, standardised) if given else -math.inf
        for own_side, own, other in (("left", left, right), ("right", right, left)):
            match = Match(
                own_side,
                other,
                row if given else None,
                "" if given else _failure(row),
                found,
                relation,
                denied,
            )
            sides = provisions[own].side, provisions[other].side
            seen.setdefault(sides, []).append((own, match, alone))
    return {key: found for sides, pairs in seen.items() for key, found in _ranked(pairs, sides[1])}


def _of_force_alone(row: Row, left: str, right: str) -> bool:
    """Tell whether a stricter rule rests on nothing but "shall" against "should" or "may".

    Such a difference is as often one of drafting style as of demand, so nobody can plan by it.
    """
    return (
        row["relation"] == Relation.STRICTER
        and row["kind"] == Kind.MODALITY
        and not values(left, right, ("", ""), Relation.STRICTER)
    )


def _corresponding(row: Row, names: Mapping[str, str]) -> dict[str, Any]:
    """Return the columns that replace such a rule: both correspond, and the reason says whose words are stronger."""
    stronger = names.get(row["governs"] or "")
    return {
        "relation": Relation.OVERLAP.value,
        "governs": None,
        "p_relation": None,
        "rationale": "Only the force of the words differs" + (f": {stronger} has the stronger." if stronger else "."),
    }


def _without_claim(row: Row) -> dict[str, Any]:
    """Return the columns that replace a verdict whose finding a reviewer rejected: nothing else was claimed."""
    return {
        "relation": Relation.NONE.value,
        "kind": None,
        "governs": None,
        "p_relation": None,
        "rationale": f"A reviewer rejected the finding ({row['relation']}).",
    }


def _gravest(verdicts: pa.Table) -> list[tuple[str, str, Row, bool]]:
    """Return for each pair of sections the verdict that counts, and whether there is any."""
    best: dict[tuple[str, str], tuple[Any, Row]] = {}
    for row in verdicts.select(list(VERDICT)).to_pylist():
        pair = row["left_id"], row["right_id"]
        given = row["status"] in _GIVEN and row["relation"] is not None
        gravity = BY_GRAVITY.index(row["relation"]) if given else 0
        place = not given, gravity, -(row["p_conflict"] or 0.0), row["pair_key"]
        if pair not in best or place < best[pair][0]:
            best[pair] = place, row
    return [(left, right, row, not place[0]) for (left, right), (place, row) in best.items()]


def _ranked(pairs: Sequence[tuple[str, Match, float]], other: str) -> list[tuple[tuple[str, str], list[Match]]]:
    """Score the pairs of one side with another and order them, by provision."""
    judged = [pair for pair in pairs if pair[1].judged is not None]
    counterparts = [match.counterpart for _, match, _ in judged]
    here, there = len({own for own, _, _ in pairs}), len({match.counterpart for _, match, _ in pairs})
    scores = probability.contested([alone for _, _, alone in judged], counterparts, math.ceil(here / max(there, 1)))
    of: dict[str, list[Match]] = {}
    for (own, match, _), score in zip(judged, scores.tolist(), strict=True):
        of.setdefault(own, []).append(replace(match, likeness=round(score, 6)))
    for own, match, _ in pairs:
        if match.judged is None:
            of.setdefault(own, []).append(match)
    for found in of.values():
        # What was rejected comes after all that may still correspond.
        found.sort(
            key=lambda match: (match.rejected, -match.merit, -(match.scores.get("score") or 0.0), match.counterpart)
        )
    return [((own, other), found) for own, found in of.items()]


def _failure(row: Row) -> str:
    if row["status"] == VerdictStatus.ERROR:
        return row["error"] or "the judge gave no verdict"
    return "the judge abstained"
