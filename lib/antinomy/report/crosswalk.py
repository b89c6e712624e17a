"""The crosswalk between the sides of a run, as the exports need it: names, related pairs and gaps.

The focal element is the one that is looked from; ``coverage.relationship`` says what makes which relationship.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from antinomy.coverage import relationship
from antinomy.findings.document_names import full_titles, label_without_title
from antinomy.report.cells import csv_bytes
from antinomy.store.rows import CounterpartRow, CoverageRow, DocumentRow
from antinomy.vocabulary import CoverageState, Decision

_INVERSE = {relationship.SUBSET: relationship.SUPERSET, relationship.SUPERSET: relationship.SUBSET}
_OTHER_SIDE = {"here": "there", "there": "here"}


@dataclass(frozen=True, slots=True)
class Pair:
    """Two provisions, seen from the focal one.

    Attributes:
        focal, reference: their rows of ``coverage``.
        relation, kind, rationale: of the verdict.
        relationship: of the focal element to the reference element, in the terms of NIST IR 8477.
        governs: ``here`` (focal), ``there`` (reference) or None.
        p_related: probability that both are on the same duty, None where the judge gives none.
    """

    focal: CoverageRow
    reference: CoverageRow
    relation: str | None
    relationship: str
    governs: str | None
    kind: str | None
    p_related: float | None
    rationale: str

    def inverted(self) -> Pair:
        """Return the same pair, seen from the other provision."""
        return Pair(
            self.reference,
            self.focal,
            self.relation,
            _INVERSE.get(self.relationship, self.relationship),
            _OTHER_SIDE.get(self.governs or ""),
            self.kind,
            self.p_related,
            self.rationale,
        )

    @property
    def comment(self) -> str:
        """What was found, in a sentence or two."""
        outcome = f"{self.relation}{f', {self.kind}' if self.kind else ''}"
        governs = {"here": "; the focal document governs", "there": "; the reference document governs"}
        likely = "" if self.p_related is None else f"; probability of the same duty {self.p_related:.0%}"
        return f"{outcome}{governs.get(self.governs or '', '')}{likely}. {self.rationale}".strip()


@dataclass(frozen=True)
class Crosswalk:
    """Rows of ``coverage`` and ``counterparts`` of a run, with the documents that they are from.

    What a reviewer rejected is not asserted: neither the pair of a provision and its best counterpart, nor a gap.

    Attributes:
        coverage, counterparts: rows, in the order in which the stage wrote them.
        documents: rows of ``documents``.
    """

    coverage: Sequence[CoverageRow]
    counterparts: Sequence[CounterpartRow]
    documents: Sequence[DocumentRow]
    _pairs: dict[tuple[str, str], list[Pair]] = field(init=False, repr=False, default_factory=dict)

    def title(self, doc_id: str) -> str:
        """Return a document's title."""
        return self._titles.get(doc_id, doc_id)

    def label(self, doc_id: str, label: str) -> str:
        """Return a provision's label without the document's title, with which some labels begin."""
        return label_without_title(label, self.title(doc_id))

    def named(self, row: CoverageRow) -> str:
        """Return a provision's label, with its document where the side has several."""
        label = self.label(row["doc_id"], row["label"])
        return label if len(self.sides[row["side"]]) == 1 else f"{self.title(row['doc_id'])}, {label}"

    def side(self, name: str) -> str:
        """Return a side's name: its document's title if it has one document, else its name in the settings."""
        docs = self.sides[name]
        return self.title(docs[0]) if len(docs) == 1 else f"{name} ({len(docs)} documents)"

    def side_in_full(self, name: str) -> str:
        """Return a side's name with the titles of all its documents."""
        titles = "; ".join(self.title(doc) for doc in self.sides[name])
        return titles if len(self.sides[name]) == 1 else f"{name}: {titles}"

    @cached_property
    def _titles(self) -> dict[str, str]:
        return full_titles(self.documents)

    @cached_property
    def sides(self) -> dict[str, list[str]]:
        """Side → its documents, in the order of the settings."""
        found: dict[str, dict[str, None]] = {}
        for row in self.coverage:
            found.setdefault(row["side"], {})[row["doc_id"]] = None
        return {side: list(docs) for side, docs in found.items()}

    def chapters(self, doc_id: str) -> dict[str, list[CoverageRow]]:
        """Return a document's provisions by chapter, each by its first row: there is one per other side."""
        found: dict[str, dict[str, CoverageRow]] = {}
        for row in self.coverage:
            if row["doc_id"] == doc_id:
                found.setdefault(row["chapter"] or self.title(doc_id), {}).setdefault(row["section_id"], row)
        return {chapter: list(rows.values()) for chapter, rows in found.items()}

    @cached_property
    def compared_sides(self) -> list[tuple[str, str]]:
        """The pairs of sides that were compared, each once, in the order of the settings."""
        met: dict[frozenset[str], tuple[str, str]] = {}
        for row in self.coverage:
            met.setdefault(frozenset((row["side"], row["other"])), (row["side"], row["other"]))
        return list(met.values())

    @cached_property
    def provisions(self) -> dict[tuple[str, str], CoverageRow]:
        """(section_id, other side) → row of ``coverage``."""
        return {(row["section_id"], row["other"]): row for row in self.coverage}

    @cached_property
    def counterparts_of(self) -> dict[tuple[str, str], list[CounterpartRow]]:
        """(section_id, other side) → its rows of ``counterparts``, best first."""
        found: dict[tuple[str, str], list[CounterpartRow]] = {}
        for row in self.counterparts:
            found.setdefault((row["section_id"], row["other"]), []).append(row)
        return found

    def rows(self, side: str, other: str) -> Iterator[CoverageRow]:
        """Yield the rows of ``coverage`` of one side towards another."""
        return (row for row in self.coverage if row["side"] == side and row["other"] == other)

    def related(self, side: str, other: str) -> list[Pair]:
        """Return the related pairs of two sides, seen from the first, in the order of its text.

        Both sides' lists are taken together: a pair may be among the five best of one provision only.
        """
        if (side, other) not in self._pairs:
            self._pairs[side, other] = self._collect_pairs(side, other)
        return self._pairs[side, other]

    def decided(self, pair: Pair, decision: str) -> bool:
        """Return whether a reviewer said this of a pair: of either provision, whose best counterpart the other is."""
        ends = (pair.focal, pair.reference), (pair.reference, pair.focal)
        return any(here["decision"] == decision and self._best(here) == there["section_id"] for here, there in ends)

    def gaps(self, side: str, other: str) -> list[CoverageRow]:
        """Return the provisions of a side without counterpart on the other, unless a reviewer rejected that."""
        return [
            row
            for row in self.rows(side, other)
            if row["state"] == CoverageState.GAP and row["decision"] != Decision.REJECT
        ]

    def nearest(self, gap: CoverageRow) -> Pair | None:
        """Return what came nearest to a provision without counterpart, None where nothing was compared with it."""
        for row in self.counterparts_of.get((gap["section_id"], gap["other"]), ()):
            there = self.provisions.get((row["counterpart_id"], gap["side"]))
            if there is not None:
                return Pair(gap, there, "none", relationship.NONE, None, None, row["p_related"], gap["reason"] or "")
        return None

    def _best(self, row: CoverageRow) -> str | None:
        listed = self.counterparts_of.get((row["section_id"], row["other"]))
        return listed[0]["counterpart_id"] if listed else None

    def _collect_pairs(self, side: str, other: str) -> list[Pair]:
        found: dict[tuple[str, str], Pair] = {}
        for turned, (here, there) in enumerate(((side, other), (other, side))):
            for row in self.rows(here, there):
                for pair in self._related_of(row):
                    seen = pair.inverted() if turned else pair
                    ends = seen.focal["section_id"], seen.reference["section_id"]
                    if side == other:
                        ends = min(ends), max(ends)
                    found.setdefault(ends, seen)
        positions = {row["section_id"]: n for n, row in enumerate(self.rows(side, other))}
        kept = [pair for pair in found.values() if not self.decided(pair, Decision.REJECT)]
        return sorted(kept, key=lambda pair: (positions[pair.focal["section_id"]], -(pair.p_related or 0.0)))

    def _related_of(self, focal: CoverageRow) -> Iterator[Pair]:
        if focal["state"] in (CoverageState.GAP, CoverageState.NOT_DECIDABLE, CoverageState.LEFT_OUT):
            return
        for row in self.counterparts_of.get((focal["section_id"], focal["other"]), ()):
            there = self.provisions.get((row["counterpart_id"], focal["side"]))
            if (
                row["relation"] in (None, "none")
                or there is None
                or there["state"] in (CoverageState.GAP, CoverageState.NOT_DECIDABLE)
            ):
                continue
            yield Pair(
                focal,
                there,
                row["relation"],
                row["relationship"],
                row["governs"],
                row["kind"],
                row["p_related"],
                row["rationale"] or "",
            )


def crosswalk_csv(crosswalk: Crosswalk) -> bytes:
    """Write every related pair, from both sides, and every gap as CSV, in the columns of a relationship mapping."""
    rows = []
    for side, other in crosswalk.compared_sides:
        directions = [(side, other)] if side == other else [(side, other), (other, side)]
        for here, there in directions:
            rows += [_csv_row(crosswalk, pair.focal, pair) for pair in crosswalk.related(here, there)]
            rows += [_csv_row(crosswalk, gap, None) for gap in crosswalk.gaps(here, there)]
    return csv_bytes(rows)


def _csv_row(crosswalk: Crosswalk, focal: CoverageRow, pair: Pair | None) -> dict[str, Any]:
    there = pair.reference if pair else None
    return {
        "Focal Document": crosswalk.title(focal["doc_id"]),
        "Focal Document Element": crosswalk.label(focal["doc_id"], focal["label"]),
        "Focal Document Element Id": focal["section_id"],
        "Focal Document Element Description": focal["text"],
        # The pairs are compared by what they mean, not by their words or their results.
        "Rationale": "Semantic" if pair else "",
        "Relationship": pair.relationship if pair else relationship.NONE,
        "Reference Document": crosswalk.title(there["doc_id"]) if there else "",
        "Reference Document Element": crosswalk.label(there["doc_id"], there["label"]) if there else "",
        "Reference Document Element Id": there["section_id"] if there else "",
        "Reference Document Element Description": there["text"] if there else "",
        "Comments": pair.comment if pair else focal["reason"],
    }


def take_name(name: str, taken: set[str]) -> str:
    """Return a name that was not taken, with a number if needed, and take it."""
    free, number = name, 1
    while free in taken:
        number += 1
        free = f"{name}-{number}"
    taken.add(free)
    return free
