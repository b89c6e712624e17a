"""What changed since the previous run, and which decisions still hold."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from antinomy.findings import decisions
from antinomy.store.rows import DecisionRow, FindingRow
from antinomy.store.tables import rows_where
from antinomy.vocabulary import FindingState, VerdictStatus

if TYPE_CHECKING:
    import pyarrow as pa

Row = Mapping[str, Any]


def compare_with_previous(
    found: Sequence[Row], previous: Sequence[Row] | None, units: pa.Table, verdicts: pa.Table
) -> list[dict[str, Any]]:
    """Add ``state`` and ``changed``, and a row for each finding that only the previous run has.

    Args:
        found: findings of this run, all columns of the table but state, changed, rank and the decision.
        previous: ``findings`` of the run to compare with, or None.
        units, verdicts: tables of this run; they tell why a finding is gone.

    Returns:
        ``found`` with state ``new`` or ``carried``, and the previous rows with state ``resolved``.
        ``changed`` says what is different, "" if nothing is or all is new.
    """
    # What was resolved once has been reported once.
    before = {row["finding_id"]: row for row in previous or () if row["state"] != FindingState.RESOLVED}
    here = []
    for row in found:
        old = before.pop(row["finding_id"], None)
        here.append(
            {
                **row,
                "state": FindingState.CARRIED if old else FindingState.NEW,
                "changed": _changes(row, old) if old else "",
            }
        )
    return here + _explain_resolved(list(before.values()), units, verdicts)


def _changes(row: Row, old: Row) -> str:
    notes = []
    # The documents may stand in another order in the settings now.
    turned = row["left_id"] != old["left_id"]
    for side, other in (("left", "right"), ("right", "left")):
        was = other if turned else side
        if row[f"{side}_text"] != old[f"{was}_text"]:
            notes.append(f"{side} text changed")
        elif row[f"{side}_sha256"] != old[f"{was}_sha256"]:
            notes.append(f"{side} context changed")
    for name in ("relation", "kind"):
        if row[name] != old[name]:
            notes.append(f"{name} was {old[name] or 'none'}")
    return "; ".join(notes)


def _explain_resolved(gone: Sequence[Row], units: pa.Table, verdicts: pa.Table) -> list[dict[str, Any]]:
    """Explain why findings disappeared: a provision is gone or changed, or the pair is judged differently or not."""
    if not gone:
        return []
    texts: dict[str, set[str]] = defaultdict(set)
    ends = {row[f"{side}_id"] for row in gone for side in ("left", "right")}
    for row in rows_where(units.select(["section_id", "unit_text"]), "section_id", ends).to_pylist():
        texts[row["section_id"]].add(row["unit_text"])
    judged = rows_where(verdicts.select(["left_id", "right_id", "status", "relation"]), "left_id", ends).to_pylist()
    outcomes = {frozenset((row["left_id"], row["right_id"])): row for row in judged}
    explained = []
    for row in gone:
        notes = []
        for side in ("left", "right"):
            now = texts.get(row[f"{side}_id"])
            if now is None:
                notes.append(f"{side} provision gone")
            elif row[f"{side}_text"] not in now:
                notes.append(f"{side} text changed")
        if row["left_id"] in texts and row["right_id"] in texts:
            notes.append(_verdict_now(outcomes.get(frozenset((row["left_id"], row["right_id"])))))
        explained.append({**row, "state": FindingState.RESOLVED, "changed": "; ".join(notes)})
    return explained


def _verdict_now(judged: Row | None) -> str:
    if judged is None:
        return "no longer a candidate pair"
    if judged["status"] == VerdictStatus.ERROR:
        return "not judged: the judge failed"
    return f"now judged {judged['relation']}"


def apply_decisions(found: Sequence[FindingRow], recorded: Sequence[DecisionRow]) -> None:
    """Apply the latest valid decision to each finding (``decision``, ``decided_by``, ``decided_at``, ``decided_note``).

    One that no longer holds, since a text changed, is mentioned in ``changed``. Resolved findings keep what
    was decided on them.

    Args:
        found: findings with state and changed; changed in place.
        recorded: rows of the ``decisions`` table.
    """
    last = decisions.latest(recorded)
    for row in found:
        decision = last.get(row["finding_id"])
        decisions.put(row, row, last)
        if decision and not row["decision"]:
            remark = f"was {decisions.WORDS[decision['decision']].lower()} by {decision['reviewer']} on an earlier text"
            row["changed"] = "; ".join(filter(None, (row["changed"], f"{remark}: decide again")))
