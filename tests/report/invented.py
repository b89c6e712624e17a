"""Provisions of two invented regulations, the pairs between them, and what a run would find in them."""

from __future__ import annotations

import hashlib
import io
from dataclasses import dataclass
from itertools import cycle
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from antinomy.findings.aggregates import Aggregates, aggregate
from antinomy.run.manifest import Manifest
from antinomy.store import schemas, tables

EU, US_CONTINUITY, US_RECORDS = "eu-specimen", "us-continuity", "us-records"

DOCUMENTS: list[dict[str, Any]] = [
    {
        "doc_id": EU, "regime": "eu", "title": "Specimen Regulation on Technology Risk",
        "source_uri": "https://law.example/specimen.pdf", "sha256": "a1" * 32,
        "media_type": "application/pdf",
        "status": "parsed", "error": "", "pages": 41, "n_sections": 212, "coverage": 0.999,
    },
    {
        "doc_id": US_CONTINUITY, "regime": "us", "title": "Examination Manual: Business Continuity",
        "source_uri": "continuity manual.pdf", "sha256": "b2" * 32, "media_type": "application/pdf",
        "status": "parsed", "error": "", "pages": 63, "n_sections": 318, "coverage": 1.0,
    },
    {
        "doc_id": US_RECORDS, "regime": "us", "title": "Examination Manual: Records and Access",
        "source_uri": "javascript:alert(1)", "sha256": "c3" * 32, "media_type": "application/pdf",
        "status": "parsed", "error": "", "pages": 57, "n_sections": 290, "coverage": 0.998,
    },
]  # fmt: skip


@dataclass(frozen=True)
class Side:
    """A provision: document, eid, label, heading path, text, page, context."""

    doc: str
    eid: str
    label: str
    path: str
    text: str
    page: int
    context: str = ""

    @property
    def id(self) -> str:
        return f"{self.doc}#{self.eid}"

    @property
    def chapter(self) -> str:
        return self.path.split(" › ")[0]

    @property
    def sha256(self) -> str:
        return hashlib.sha256(f"{self.context}\n{self.text}".encode()).hexdigest()


_INCIDENTS = "Incidents › Notices of major incidents"
_REGULATORS = "Incident Response › Notification of Regulators"
_MAJOR = (
    "‘major incident’ means an unplanned event in the systems of a firm, or of its provider, that stops a "
    "critical service for more than two hours"
)

NOTICE_EU = Side(
    EU, "art_17__para_1", "Article 17(1)", _INCIDENTS,
    "An initial notice of a major incident shall reach the competent authority within 24 hours of the "
    "moment at which the firm found the incident to be major. Nights, weekends and public holidays count "
    "towards that time.",
    22, f"{_INCIDENTS}\n{_MAJOR}\nArticle 19: Content of notices – The notice names the systems and …",
)  # fmt: skip
NOTICE_US = Side(
    US_CONTINUITY, "sec_III__subsec_A__para_2", "III.A, paragraph 2", _REGULATORS,
    "An institution should not notify its primary regulator before 36 hours have passed since it determined "
    "that a major incident occurred; notices sent earlier are returned, since their content has proved "
    "unreliable.",
    31, f"{_REGULATORS}\nAppendix B: Glossary – A major incident is one that …",
)  # fmt: skip
FILER_EU = Side(
    EU, "art_17__para_3", "Article 17(3)", _INCIDENTS,
    "The notices shall be submitted by the firm in its own name. A notice that its provider submits shall "
    "be deemed not to have been given.",
    23, f"{_INCIDENTS}\n{_MAJOR}",
)  # fmt: skip
FILER_US = Side(
    US_CONTINUITY, "sec_III__subsec_A__para_4", "III.A, paragraph 4", _REGULATORS,
    "Where a major incident arises at a provider, the provider files the notice on behalf of all "
    "institutions that it serves. An institution should not file one of its own.",
    32, _REGULATORS,
)  # fmt: skip
LOGS_EU = Side(
    EU, "art_9__para_4", "Article 9(4)", "Access and records › Logs",
    "Logs of access to client data shall be kept for at least five years. After that they may be erased.",
    14, "Access and records › Logs",
)  # fmt: skip
LOGS_US = Side(
    US_RECORDS, "sec_II__subsec_C__para_5", "II.C, paragraph 5", "Records Management › Log Retention",
    "Logs that show who opened customer data must be destroyed no later than three years after they were "
    "written.",
    18, "Records Management › Log Retention",
)  # fmt: skip
TEST_EU = Side(
    EU, "art_24__para_2", "Article 24(2)", "Testing › Continuity tests",
    "Continuity plans for critical services shall be tested at least once in every period of 12 months:\n"
    "(a) from beginning to end;\n(b) with the staff who would run them.",
    29, "Testing › Continuity tests",
)  # fmt: skip
TEST_US = Side(
    US_CONTINUITY, "sec_V__subsec_B__para_1", "V.B, paragraph 1", "Exercises and Tests › Frequency",
    "Management should exercise the continuity plans of critical operations every quarter and should vary "
    "the scenario.",
    47, "Exercises and Tests › Frequency",
)  # fmt: skip
RTO_EU = Side(
    EU, "art_3__point_14", "Article 3, point (14)", "General provisions › Definitions",
    "‘recovery time objective’ means the longest time that may pass between the start of a disruption and "
    "the moment at which the service is open to clients again.",
    9, "General provisions › Definitions",
)  # fmt: skip
RTO_US = Side(
    US_CONTINUITY, "app_B__point_rto", "Appendix B, “recovery time objective”", "Glossary",
    "Recovery time objective means the time allowed to restore a system, counted from the declaration of a "
    "disaster.",
    61, "Glossary",
)  # fmt: skip
BACKUP_EU = Side(
    EU, "art_11__para_4", "Article 11(4)", "Continuity › Backup",
    "Backup copies of client records shall be stored within the territory of the Union. No such copy, "
    "whether encrypted or not, may be held elsewhere.",
    17, "Continuity › Backup",
)  # fmt: skip
BACKUP_US = Side(
    US_CONTINUITY, "sec_IV__subsec_A__para_3", "IV.A, paragraph 3", "Resilience Strategies › Data Backup",
    "At least one backup copy of customer records must be held on another continent than the primary data "
    "center.",
    38, "Resilience Strategies › Data Backup",
)  # fmt: skip


@dataclass(frozen=True)
class Known:
    """A pair with its verdict."""

    left: Side
    right: Side
    relation: str
    kind: str | None
    p: float
    evidence: tuple[str, str]
    rationale: str
    governs: str | None = None
    verified: bool = True
    order: bool | None = True


KNOWN = (
    Known(
        NOTICE_EU, NOTICE_US, "conflict", "deadline", 0.97,
        ("within 24 hours of the moment at which the firm found the incident to be major",
         "not notify its primary regulator before 36 hours have passed"),
        "A notice that is due within 24 hours cannot also wait until 36 hours have passed.",
    ),
    Known(
        FILER_EU, FILER_US, "conflict", "actor", 0.93,
        ("submitted by the firm in its own name", "An institution should not file one of its own"),
        "One side accepts a notice only from the firm itself, the other forbids the firm to file.",
    ),
    Known(
        LOGS_EU, LOGS_US, "conflict", "retention", 0.91,
        ("kept for at least five years", "destroyed no later than three years after they were written"),
        "Logs cannot be kept for five years and be destroyed after three.",
    ),
    Known(
        BACKUP_EU, BACKUP_US, "conflict", "procedure", 0.88,
        ("stored within the territory of the Union", "held on another continent"),
        "A copy that must not leave the Union cannot be on another continent.", order=False,
    ),
    Known(
        TEST_EU, TEST_US, "stricter", "frequency", 0.12,
        ("at least once in every period of 12 months", "every quarter"),
        "A test every quarter is also one in every 12 months.", governs="right",
    ),
    Known(
        RTO_EU, RTO_US, "definition", "definition", 0.21,
        ("between the start of a disruption", "counted from the declaration of a disaster"),
        "The same term runs from the disruption on one side and from its declaration on the other.",
        order=None,
    ),
    Known(
        FILER_EU, NOTICE_US, "overlap", None, 0.08, ("", ""),
        "Both deal with notices to the authority and can be observed together.", verified=False,
    ),
)  # fmt: skip


_FILLER = (
    "The firm shall write down how it came to its view, who took part in it and on which facts it rests, and shall "
    "keep what it wrote for those who look into the matter later on. "
)


def finding_id(left: str, right: str) -> str:
    return hashlib.sha256("\n".join(sorted((left, right))).encode()).hexdigest()[:16]


def finding(known: Known, rank: int, **changes: Any) -> dict[str, Any]:
    """Return the row of the findings table for a pair, with the columns in ``changes`` replaced."""
    row: dict[str, Any] = {
        "finding_id": finding_id(known.left.id, known.right.id),
        "pair_key": hashlib.sha256(f"{known.left.sha256}\n{known.right.sha256}".encode()).hexdigest()[:32],
        "rank": rank, "state": "new", "changed": "", "relation": known.relation, "kind": known.kind,
        "governs": known.governs, "p_conflict": known.p, "p_relation": None, "p_judge": known.p, "weight": 0.4,
        "score": round(known.p * 0.7, 6),
        "status": "ok" if known.verified else "unverified", "rationale": known.rationale,
        "evidence_left": known.evidence[0], "evidence_right": known.evidence[1],
        "evidence_verified": known.verified, "order_consistent": known.order, "cosine": 0.71,
        "judge": "norms",
        "model": "norms-1", "prompt_sha256": "d4" * 32, "cluster_id": None, "topic": None, "decision": None,
        "decided_by": None, "decided_at": None, "decided_note": None,
    }  # fmt: skip
    for side, place in (("left", known.left), ("right", known.right)):
        row |= {
            f"{side}_id": place.id, f"{side}_doc": place.doc, f"{side}_label": place.label,
            f"{side}_chapter": place.chapter, f"{side}_path": place.path, f"{side}_text": place.text,
            f"{side}_context": place.context, f"{side}_page": place.page, f"{side}_sha256": place.sha256,
        }  # fmt: skip
    return row | changes


RUN: dict[str, Any] = {
    "run_id": "quarter-2", "finished_at": "2031-04-02T06:09:41+00:00", "code_version": "0.1.0+3fa9c1d2e4b7",
    "documents": 3, "quarantined": 0, "sections": 820, "citations": 1204, "units": 611, "pairs": 2690,
    "pairs_judged": 2000, "full_comparison_calls": 1588445, "input_tokens": 1000000, "cached_tokens": 600000,
    "output_tokens": 80000, "errors": 0, "seconds": 581.2,
}  # fmt: skip


def run(**other: Any) -> Manifest:
    """Return the manifest of a run; ``other`` replaces figures."""
    return Manifest(**(RUN | other))


def findings() -> list[dict[str, Any]]:
    """Return the findings of a run: all known pairs but the last, which agrees."""
    rows = [finding(known, rank) for rank, known in enumerate(KNOWN[:-1], start=1)]
    for row in rows[:2]:
        row |= {
            "cluster_id": rows[0]["left_id"],
            "topic": "Notices of major incidents / Notification of Regulators",
        }
    rows[2] |= {"state": "carried", "changed": "left text changed"}
    rows[3] |= {
        "decision": "confirm",
        "decided_by": "A. Analyst",
        "decided_note": "Legal agrees.",
        "decided_at": "2031-04-02T08:00:00+00:00",
    }
    rows[5] |= {"state": "resolved", "rank": None, "changed": "now judged overlap"}
    return rows


def many(n: int) -> list[dict[str, Any]]:
    """Return findings whose provisions are all different and as long as real ones: 100 to 200 words a side."""
    rows = []
    for k, known in zip(range(n), cycle(KNOWN)):
        changes: dict[str, Any] = {"finding_id": f"{k:016x}"}
        for name, side in (("left", known.left), ("right", known.right)):
            text = f"{side.text} {_FILLER * (3 + k % 4)} Branch {k} keeps a copy."
            changes |= {
                f"{name}_id": f"{side.id}__point_{k}",
                f"{name}_label": f"{side.label}, point {k}",
                f"{name}_text": text,
                f"{name}_context": f"{side.path}\n{_FILLER * 2}",
                f"{name}_sha256": hashlib.sha256(text.encode()).hexdigest(),
            }
        rows.append(finding(known, k + 1, **changes))
    return rows


def aggregates(rows: list[dict[str, Any]]) -> Aggregates:
    """Count findings; provisions stand in their documents as their pages do."""
    return aggregate(rows, {row[f"{side}_id"]: row[f"{side}_page"] for row in rows for side in ("left", "right")})


def table(name: str, rows: list[dict[str, Any]]) -> pa.Table:
    """Make an Arrow table of rows, columns that they lack null."""
    return pq.read_table(io.BytesIO(tables.parquet(rows, schemas.schema(name))))
