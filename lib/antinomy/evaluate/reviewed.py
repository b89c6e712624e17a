"""How good is a run, as far as it was reviewed? Its findings against what reviewers decided."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

from antinomy.evaluate import stats
from antinomy.findings import decisions
from antinomy.findings.calibration import is_conflict
from antinomy.store import tables
from antinomy.store.rows import DecisionRow, FindingRow
from antinomy.vocabulary import Decision, FindingState, Relation


def reviewed(warehouse: str, run_id: str) -> dict[str, Any]:
    """Measure the decided findings of a run, see ``measure``.

    Raises:
        StorageError: if the run has no findings, or a decision is not as it was recorded.
    """
    return measure(tables.read_rows(warehouse, "findings", run_id), decisions.read(warehouse))


def measure(findings: Iterable[FindingRow], decision_rows: Sequence[DecisionRow]) -> dict[str, Any]:
    """Measure findings by the decisions that hold for them.

    Args:
        findings: rows of ``findings``; resolved ones are left out.
        decision_rows: rows of ``decisions``.

    Returns:
        ``precision`` (confirmed of confirmed and rejected, all relations) with its interval, the same
        ``per_relation`` and ``per_kind``; how many are ``confirmed``, ``rejected``, ``unsure`` and not yet
        decided (``open``); ``agreement``: of findings on which several reviewers said yes or no, the share on
        which all say the same, and ``n``; for the decided that are or are not a conflict (see
        ``calibration.is_conflict``) ``calibration_error``, ``brier`` and ``reliability`` of their probability; and
        ``thresholds``: for each probability from which on conflicts might be listed, how many decided ones
        would be, how precise that is, and which share of the confirmed it keeps.
    """
    last = decisions.latest(decision_rows)
    current = [row for row in findings if row["state"] != FindingState.RESOLVED]
    decided = [
        (row, decision)
        for row in current
        if (decision := last.get(row["finding_id"])) is not None and decisions.still_applies(decision, row)
    ]
    counts = {name: sum(decision["decision"] == name for _, decision in decided) for name in Decision}
    clear = [
        (row, decision["decision"] == Decision.CONFIRM)
        for row, decision in decided
        if decision["decision"] != Decision.UNSURE
    ]
    labelled = [
        (row["p_conflict"], actual)
        for row, decision in decided
        if row["p_conflict"] is not None and (actual := is_conflict(decision)) is not None
    ]
    conflicts = [(row["p_conflict"] or 0.0, right) for row, right in clear if row["relation"] == Relation.CONFLICT]
    return {
        "precision": _precision([right for _, right in clear]),
        "per_relation": _by_group((row["relation"], right) for row, right in clear),
        "per_kind": _by_group((row["kind"], right) for row, right in clear),
        "confirmed": counts[Decision.CONFIRM],
        "rejected": counts[Decision.REJECT],
        "unsure": counts[Decision.UNSURE],
        "open": len(current) - len(decided),
        "agreement": _agreement(decided, decision_rows),
        **stats.calibration([p for p, _ in labelled], [actual for _, actual in labelled]),
        "thresholds": _thresholds(conflicts),
        "n": len(decided),
    }


def _precision(right: Sequence[bool]) -> dict[str, float | None]:
    return stats.wilson_share(sum(right), len(right))


def _by_group(clear: Iterable[tuple[str | None, bool]]) -> dict[str, Any]:
    groups: dict[str, list[bool]] = defaultdict(list)
    for name, right in clear:
        if name:
            groups[name].append(right)
    return {name: {"precision": _precision(groups[name]), "n": len(groups[name])} for name in sorted(groups)}


def _agreement(
    decided: Iterable[tuple[FindingRow, DecisionRow]], decision_rows: Iterable[DecisionRow]
) -> dict[str, Any]:
    by_reviewer: dict[str, dict[str, str]] = defaultdict(dict)
    findings = {row["finding_id"]: row for row, _ in decided}
    for row in decision_rows:  # the oldest first: each reviewer's last decision stays
        finding = findings.get(row["finding_id"])
        if finding is not None and row["decision"] != Decision.UNSURE and decisions.still_applies(row, finding):
            by_reviewer[row["finding_id"]][row["reviewer"]] = row["decision"]
    shared = [set(of_finding.values()) for of_finding in by_reviewer.values() if len(of_finding) > 1]
    return {"share": stats.wilson_share(sum(len(given) == 1 for given in shared), len(shared)), "n": len(shared)}


def _thresholds(conflicts: Sequence[tuple[float, bool]]) -> list[dict[str, Any]]:
    confirmed = sum(right for _, right in conflicts)
    curve = []
    for threshold in sorted({p for p, _ in conflicts}):
        kept = [right for p, right in conflicts if p >= threshold]
        curve.append(
            {
                "threshold": round(threshold, 4),
                "listed": len(kept),
                "precision": _precision(kept),
                "confirmed_kept": stats.figure(sum(kept) / confirmed if confirmed else float("nan"))["value"],
            }
        )
    return curve
