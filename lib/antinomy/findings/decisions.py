"""What reviewers decided: recorded for good, carried over to later runs while the texts are unchanged."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from antinomy.errors import AntinomyError, StorageError
from antinomy.store import schemas, tables
from antinomy.store.rows import DecisionColumns, DecisionRow, Subject
from antinomy.vocabulary import Decision

#: Decisions on a finding or a row of the crosswalk: as in the table → as a reader sees it.
WORDS: dict[str, str] = {Decision.CONFIRM: "Confirmed", Decision.REJECT: "Rejected", Decision.UNSURE: "Not sure"}

Row = Mapping[str, Any]


def record(warehouse: str, run_id: str, finding: Subject, decision: str, reviewer: str, note: str = "") -> DecisionRow:
    """Add a decision to the table ``decisions``; an earlier one on the same finding stays in it.

    Args:
        warehouse: URI of the warehouse.
        run_id: of the run whose finding was read.
        finding: row of the ``findings`` table, or what ``coverage.decided.subjects`` makes of one of ``coverage``.
        decision: one of WORDS.
        reviewer: who decides.
        note: why, in their words.

    Returns:
        The row.

    Raises:
        AntinomyError: for a decision that is none of WORDS, or no reviewer.
        StorageError: if the warehouse cannot be written.
    """
    row = make_row(run_id, finding, decision, reviewer, note)
    append(warehouse, [row])
    return row


def append(warehouse: str, rows: Sequence[DecisionRow]) -> None:
    """Add decisions that ``make_row`` made, all of them or none.

    Raises:
        StorageError: if the warehouse cannot be written.
    """
    tables.append_rows(rows, warehouse, "decisions")


def make_row(run_id: str, finding: Subject, decision: str, reviewer: str, note: str = "") -> DecisionRow:
    """Make the row of a decision without recording it; arguments and errors as ``record``."""
    if decision not in WORDS:
        raise AntinomyError(f"decision {decision!r}: give one of {', '.join(WORDS)}")
    if not reviewer.strip():
        raise AntinomyError("a decision needs a reviewer: give a name")
    row: DecisionRow = {
        "decision_id": "",
        "finding_id": finding["finding_id"],
        "pair_key": finding["pair_key"],
        "decision": decision,
        "reviewer": reviewer.strip(),
        "note": note.strip(),
        "decided_at": datetime.now(UTC).isoformat(timespec="microseconds"),
        "run_id": run_id,
        "left_id": finding["left_id"],
        "right_id": finding["right_id"],
        "left_sha256": finding["left_sha256"],
        "right_sha256": finding["right_sha256"],
        "judge": finding["judge"],
        "model": finding["model"],
        "prompt_sha256": finding["prompt_sha256"],
        "relation": finding["relation"],
        "p_conflict": finding["p_judge"],
    }
    row["decision_id"] = _identity(row)
    return row


def read(warehouse: str) -> list[DecisionRow]:
    """Return all decisions, the oldest first.

    Raises:
        StorageError: if one is not as it was recorded.
    """
    rows = tables.read_appended(warehouse, "decisions")
    changed = sorted(str(row["decision_id"]) for row in rows if row["decision_id"] != _identity(row))
    if changed:
        raise StorageError(
            f"{warehouse}/decisions: changed after they were recorded: {', '.join(changed[:3])}; restore the table"
        )
    return oldest_first(rows)


def fingerprint(warehouse: str) -> str:
    """Return a hash that changes when a decision is added."""
    return hashlib.sha256("\n".join(tables.appended_files(warehouse, "decisions")).encode()).hexdigest()


def latest(decisions: Iterable[DecisionRow]) -> dict[str, DecisionRow]:
    """Return the latest decision on each finding."""
    return {row["finding_id"]: row for row in oldest_first(decisions)}


def oldest_first(decisions: Iterable[DecisionRow]) -> list[DecisionRow]:
    """Return decisions, the oldest first."""
    return sorted(decisions, key=_chronological)


def still_applies(decision: Row, finding: Row) -> bool:
    """Return whether a finding still has the texts, context included, that a decision was about.

    A provision without a counterpart has no second text, and neither has a decision on it.
    """
    # Sorted, since the settings may have turned left and right round since.
    return sorted(_texts(decision)) == sorted(_texts(finding))


def _texts(row: Row) -> list[str]:
    return [row["left_sha256"], row["right_sha256"] or ""]


def put(row: DecisionColumns, subject: Subject, last: Mapping[str, DecisionRow]) -> None:
    """Write the decision on a row into its ``decision``, ``decided_by``, ``decided_at`` and ``decided_note``.

    Args:
        row: of ``findings`` or ``coverage``, changed in place.
        subject: the columns that identify what is decided: finding_id, left_sha256, right_sha256.
        last: see ``latest``; a decision on texts that have changed since is ignored.
    """
    decision = last.get(subject["finding_id"])
    if decision is not None and not still_applies(decision, subject):
        decision = None
    row["decision"], row["decided_by"] = (decision["decision"], decision["reviewer"]) if decision else (None, None)
    row["decided_at"], row["decided_note"] = (decision["decided_at"], decision["note"]) if decision else (None, None)


def _chronological(row: DecisionRow) -> tuple[str, str]:
    return row["decided_at"], row["decision_id"]


def _identity(row: Row) -> str:
    content = [row[name] for name in schemas.columns("decisions") if name != "decision_id"]
    return hashlib.sha256(json.dumps(content, ensure_ascii=False).encode()).hexdigest()[:32]
