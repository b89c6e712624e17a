"""The rows of the tables that pass from module to module as Python objects; ``schemas`` has the columns' types on disk.

Tables that stay in Spark or Arrow have no type here, and neither have parts of rows that a reader selects.
"""

from __future__ import annotations

from typing import TypedDict


class DocumentRow(TypedDict):
    """One source file, read or not."""

    doc_id: str
    regime: str
    title: str | None
    source_uri: str
    sha256: str | None
    media_type: str | None
    status: str
    error: str | None
    in_force_from: str | None
    in_force_to: str | None
    pages: int | None
    n_sections: int | None
    body_words: int | None
    tree_words: int | None
    coverage: float | None
    warnings: list[str] | None
    breaks: list[str] | None
    structure: float | None
    faults: list[str] | None
    grammar: str | None
    chosen_because: str | None
    seconds: float | None


class DecisionColumns(TypedDict):
    """The last decision of a reviewer on a row, None where none still applies."""

    decision: str | None
    decided_by: str | None
    decided_at: str | None
    decided_note: str | None


class FindingRow(DecisionColumns):
    """What an analyst reads of a pair."""

    finding_id: str
    pair_key: str
    rank: int | None
    state: str
    changed: str
    relation: str
    kind: str | None
    governs: str | None
    p_conflict: float | None
    p_related: float | None
    p_relation: float | None
    p_judge: float | None
    weight: float
    score: float
    status: str
    rationale: str | None
    left_id: str
    right_id: str
    left_doc: str
    right_doc: str
    left_label: str
    right_label: str
    left_chapter: str
    right_chapter: str
    left_path: str
    right_path: str
    left_text: str
    right_text: str
    left_context: str | None
    right_context: str | None
    left_page: int | None
    right_page: int | None
    left_sha256: str
    right_sha256: str
    evidence_left: str | None
    evidence_right: str | None
    evidence_verified: bool | None
    order_consistent: bool | None
    cosine: float | None
    judge: str
    model: str
    prompt_sha256: str
    cluster_id: str | None
    topic: str | None


class CoverageRow(DecisionColumns):
    """What another side has on the duty of a provision."""

    coverage_id: str
    section_id: str
    doc_id: str
    side: str
    other: str
    label: str
    chapter: str | None
    path: str | None
    text: str
    text_sha256: str
    page: int | None
    binds: str | None
    demands: str | None
    state: str
    reason: str | None
    p_state: float | None
    p_covered: float | None
    counterparts: int


class CounterpartRow(TypedDict):
    """A provision of another side that answers a row of ``coverage``, or came nearest to it."""

    section_id: str
    other: str
    place: int
    counterpart_id: str
    counterpart_doc: str
    counterpart_label: str
    counterpart_text: str
    counterpart_text_sha256: str
    counterpart_page: int | None
    relation: str | None
    relationship: str
    governs: str | None
    kind: str | None
    p_related: float | None
    p_relation: float | None
    p_conflict: float | None
    score: float | None
    evidence: str | None
    counterpart_evidence: str | None
    value: str | None
    counterpart_value: str | None
    pair_key: str | None
    rationale: str | None


class CoverageSubject(TypedDict):
    """What a decision on a row of ``coverage`` is about, in the columns of a finding."""

    finding_id: str
    pair_key: str | None
    relation: str
    left_id: str
    left_doc: str
    left_label: str
    left_sha256: str
    right_id: str | None
    right_doc: str | None
    right_label: str | None
    right_sha256: str | None
    judge: None
    model: None
    prompt_sha256: None
    p_judge: None


#: What a reviewer decides on.
Subject = FindingRow | CoverageSubject


class DecisionRow(TypedDict):
    """A reviewer's decision on a subject, as it was recorded."""

    decision_id: str
    finding_id: str
    pair_key: str | None
    decision: str
    reviewer: str
    note: str
    decided_at: str
    run_id: str
    left_id: str
    right_id: str | None
    left_sha256: str
    right_sha256: str | None
    judge: str | None
    model: str | None
    prompt_sha256: str | None
    relation: str | None
    p_conflict: float | None
