"""What a run would say of the correspondence of two invented sides: rows of ``coverage`` and ``counterparts``."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

from antinomy.coverage.build import coverage_id
from antinomy.coverage.relationship import relationship
from antinomy.report.crosswalk import Crosswalk
from antinomy.store import tables
from report import invented
from report.invented import Side

#: For a provision without counterpart.
TRAINING = Side(
    invented.EU, "art_13__para_6", "Article 13(6)", "Learning › Training",
    "Members of the management body shall follow training on technology risk every year.", 20,
)  # fmt: skip
#: A text that a spreadsheet would compute, and a markdown reader would set in italics.
LEASE = Side(
    invented.US_RECORDS, "sec_IX", "Examination Manual: Records and Access, IX", "Leases",
    "=HYPERLINK(\"https://evil.example\") *Leases* are kept.\nSo are their annexes.", 40,
)  # fmt: skip
SCOPE = Side(invented.EU, "art_1", "Article 1", "General provisions › Scope", "This applies to firms.", 7)
#: (from the EU's provision) to, relation, governs, kind, probability, values.
RELATED: tuple[tuple[Side, Side, str, str | None, str | None, float, tuple[str | None, str | None]], ...] = (
    (invented.NOTICE_EU, invented.NOTICE_US, "conflict", None, "deadline", 0.93, ("24 hours", "36 hours")),
    (invented.NOTICE_EU, invented.FILER_US, "overlap", None, None, 0.61, (None, None)),
    (
        invented.TEST_EU, invented.TEST_US, "stricter", "there", "frequency", 0.88,
        ("at least once a year", "at least once a quarter"),
    ),
    (invented.BACKUP_EU, invented.BACKUP_US, "overlap", None, None, 0.52, (None, None)),
)  # fmt: skip
_OF_RELATION = {"conflict": "conflict", "overlap": "covered"}
_OTHER = {"eu": "us", "us": "eu"}


def _row(side: Side, state: str, reason: str, counterparts: int, p: float | None) -> dict[str, Any]:
    mine = "eu" if side.doc == invented.EU else "us"
    return {
        "coverage_id": coverage_id(side.id, _OTHER[mine]), "section_id": side.id, "doc_id": side.doc, "side": mine,
        "other": _OTHER[mine], "label": side.label, "chapter": side.chapter, "path": side.path, "text": side.text,
        "text_sha256": _hash(side), "page": side.page, "binds": "firm",
        "demands": "yes", "state": state, "reason": reason, "p_state": p, "p_covered": p,
        "counterparts": counterparts, "decision": None, "decided_by": None, "decided_at": None, "decided_note": None,
    }  # fmt: skip


def _hash(side: Side) -> str:
    return hashlib.sha256(side.text.encode()).hexdigest()


def _counterpart(
    here: Side, there: Side, place: int, relation: str, governs: str | None, kind: str | None, p: float,
    values: tuple[str | None, str | None] = (None, None),
) -> dict[str, Any]:  # fmt: skip
    return {
        "section_id": here.id, "other": "us" if here.doc == invented.EU else "eu", "place": place,
        "counterpart_id": there.id, "counterpart_doc": there.doc, "counterpart_label": there.label,
        "counterpart_text": there.text, "counterpart_text_sha256": _hash(there), "counterpart_page": there.page,
        "relation": relation, "relationship": relationship(relation, governs == "here", here.text, there.text),
        "governs": governs, "kind": kind, "p_related": p, "p_relation": p, "p_conflict": 0.1, "score": 0.5,
        "evidence": here.text[:40], "counterpart_evidence": there.text[:40], "value": values[0],
        "counterpart_value": values[1], "pair_key": hashlib.sha256(f"{here.id}{there.id}".encode()).hexdigest()[:32],
        "rationale": "" if relation == "none" else f"Both speak of {here.path.split(' › ')[-1].lower()}.",
    }  # fmt: skip


def rows() -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Return the rows of both tables."""
    turned = {"here": "there", "there": "here", None: None}
    seen = [(a, b, relation, governs, kind, p, values) for a, b, relation, governs, kind, p, values in RELATED]
    seen += [(b, a, relation, turned[g], kind, p, (v[1], v[0])) for a, b, relation, g, kind, p, v in RELATED]
    by_side: dict[Side, list[Any]] = {}
    for one in seen:
        by_side.setdefault(one[0], []).append(one)
    coverage, counterparts = [], []
    for side, found in by_side.items():
        best = found[0]
        state = _OF_RELATION.get(best[2]) or f"stricter_{best[3]}"
        coverage.append(_row(side, state, "", len(found), best[5]))
        counterparts += [_counterpart(a, b, n, *rest) for n, (a, b, *rest) in enumerate(found, start=1)]
    miss = "nearest is V.B, paragraph 1 (12 %): it is judged to be on another matter"
    coverage.append(_row(TRAINING, "gap", miss, 0, 0.88))
    counterparts.append(_counterpart(TRAINING, invented.TEST_US, 1, "none", None, None, 0.12))
    coverage.append(_row(LEASE, "gap", "nearest is Article 9(4) (8 %): =1+1 is no reason", 0, 0.92))
    coverage.append(_row(invented.LOGS_EU, "not_decidable", "timeout: no answer", 0, None))
    coverage.append(_row(SCOPE, "left_out", "a scope rule", 0, None))
    return sorted(coverage, key=lambda row: (row["side"], row["page"])), counterparts


def crosswalk() -> Crosswalk:
    """Return the crosswalk of the rows."""
    return Crosswalk(*rows(), invented.DOCUMENTS)


def write(warehouse: Path | str, run_id: str) -> None:
    """Add both tables to a run."""
    for name, made in zip(("coverage", "counterparts"), rows(), strict=True):
        tables.write_rows(made, str(warehouse), name, run_id)


def many(n: int) -> Crosswalk:
    """Return a crosswalk with so many rows of ``counterparts``, five to a provision, texts as long as real ones."""
    coverage: list[dict[str, Any]] = []
    counterparts: list[dict[str, Any]] = []
    filler = "The firm shall write down how it came to its view and shall keep what it wrote for later. " * 8
    sides = {
        name: [
            Side(doc, f"art_{k}", f"Article {k}", f"Chapter {k // 20} › Section {k}", f"Duty {k} of {doc}. {filler}", k)
            for k in range(n // 10)
        ]
        for name, doc in (("eu", invented.EU), ("us", invented.US_CONTINUITY))
    }
    for name, other in (("eu", "us"), ("us", "eu")):
        for k, side in enumerate(sides[name]):
            coverage.append(_row(side, "covered", "", 5, 0.7))
            for place in range(1, 6):
                there = sides[other][(k + place) % len(sides[other])]
                counterparts.append(_counterpart(side, there, place, "overlap", None, None, 0.7))
    return Crosswalk(coverage, counterparts, invented.DOCUMENTS)


def of_three() -> Crosswalk:
    """Return the same rows where each document is a side of its own: what is not related is a gap towards the third."""
    coverage, counterparts = rows()
    documents = [row["doc_id"] for row in invented.DOCUMENTS]
    doc_of = {row["section_id"]: row["doc_id"] for row in coverage}
    met = {(row["section_id"], row["counterpart_doc"]) for row in counterparts if row["relation"] != "none"}
    several = []
    for row in coverage:
        for other in documents:
            if other != row["doc_id"]:
                lost = row["counterparts"] and (row["section_id"], other) not in met
                changed = {"state": "gap", "counterparts": 0, "reason": "nothing near"} if lost else {}
                named = coverage_id(row["section_id"], other)
                several.append(row | {"side": row["doc_id"], "other": other, "coverage_id": named} | changed)
    moved = [row | {"other": row["counterpart_doc"]} for row in counterparts if row["section_id"] in doc_of]
    return Crosswalk(several, moved, invented.DOCUMENTS)
