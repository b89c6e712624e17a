"""A reviewer's session over the findings of a run: filter, step, decide, measure, export. No Spark is needed."""

from __future__ import annotations

import getpass
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from antinomy import storage, tables
from antinomy.errors import AntinomyError
from antinomy.evaluate import reviewed
from antinomy.report import export
from antinomy.report.aggregates import aggregate
from antinomy.review import decisions, log

Row = Mapping[str, Any]

#: In a filter: findings without a decision.
OPEN = "open"


@dataclass(frozen=True)
class Filter:
    """Which findings to show; what is empty lets everything pass.

    Attributes:
        words: all of them stand in a finding's texts, labels or reason.
        document: doc_id of either side.
        decision: one of ``decisions.WORDS``, or OPEN.
        least: probability of a conflict, from which on.
    """

    words: str = ""
    relation: str = ""
    kind: str = ""
    state: str = ""
    document: str = ""
    decision: str = ""
    least: float = 0.0

    def passes(self, row: Row) -> bool:
        """Tell whether a finding is to be shown."""
        wanted = {"relation": self.relation, "kind": self.kind, "state": self.state}
        text = " ".join(str(row[name]) for name in _SEARCHED).casefold()
        return (
            all(not value or row[name] == value for name, value in wanted.items())
            and (not self.document or self.document in (row["left_doc"], row["right_doc"]))
            and (not self.decision or (row["decision"] or OPEN) == self.decision)
            and (row["p_conflict"] or 0.0) >= self.least
            and all(word in text for word in self.words.casefold().split())
        )


_SEARCHED = ("left_label", "right_label", "left_path", "right_path", "left_text", "right_text", "rationale")


def find(warehouse: str, run_id: str, named: str) -> dict[str, Any]:
    """Return the finding that a reviewer names by its number in the report or by its id.

    Raises:
        AntinomyError: if the run has none such.
        StorageError: if the run has no findings.
    """
    findings = tables.read_rows(warehouse, "findings", run_id)
    for row in findings:
        if named in (row["finding_id"], str(row["rank"])):
            return row
    ranks = [row["rank"] for row in findings if row["rank"]]
    there = f"its findings are numbered 1 to {max(ranks)}" if ranks else "it has no findings"
    raise AntinomyError(f"run {run_id} has no finding {named}: {there}; the report shows number and id of each")


class Review:
    """Findings of a run with what was decided on them, and a place among those that pass a filter."""

    def __init__(self, warehouse: str, run_id: str, reviewer: str = "") -> None:
        """Read a run.

        Args:
            warehouse: URI of the warehouse.
            run_id: of a run that has findings.
            reviewer: who decides; the name of the account if empty.

        Raises:
            StorageError: if the run has no findings.
        """
        self.warehouse, self.run_id = warehouse, run_id
        self.reviewer = reviewer or getpass.getuser()
        self.titles = {
            row["doc_id"]: row["title"] or row["doc_id"] for row in tables.read_rows(warehouse, "documents", run_id)
        }
        found = tables.read_rows(warehouse, "findings", run_id)
        self.findings = sorted(found, key=lambda row: (row["rank"] is None, row["rank"], row["finding_id"]))
        self._said = decisions.read(warehouse)
        self._mark(self.findings)
        self.filter = Filter()
        self.shown: Sequence[dict[str, Any]] = self.findings
        self.place = 0

    @property
    def current(self) -> dict[str, Any] | None:
        """The finding to look at, None if none passes the filter."""
        return self.shown[self.place] if self.shown else None

    def show(self, **changes: Any) -> None:
        """Change the filter and go to the first finding that passes it.

        Args:
            changes: fields of ``Filter``.
        """
        self.filter = replace(self.filter, **changes)
        self.shown = [row for row in self.findings if self.filter.passes(row)]
        self.place = 0

    def step(self, by: int) -> None:
        """Go on by so many findings, back where negative; stops at both ends."""
        self.place = max(0, min(self.place + by, len(self.shown) - 1))

    def decide(self, word: str, note: str = "") -> None:
        """Record a decision on the finding to look at; a later one overrules it, neither is ever removed.

        Args:
            word: one of ``decisions.WORDS``.
            note: why.

        Raises:
            AntinomyError: if there is no finding to decide on.
            StorageError: if the warehouse cannot be written.
        """
        if self.current is None:
            raise AntinomyError("no finding passes the filter: there is nothing to decide on")
        self._said.append(decisions.record(self.warehouse, self.run_id, self.current, word, self.reviewer, note))
        self._mark([self.current])

    def measured(self) -> dict[str, Any]:
        """Measure what was decided so far, see ``evaluate.reviewed.measure``."""
        return reviewed.measure(self.findings, self._said)

    def export(self, folder: str) -> list[str]:
        """Write the findings with their decisions (CSV, Excel) and the conflict log; returns the files."""
        positions = {
            row["section_id"]: row["position"] for row in tables.read_rows(self.warehouse, "sections", self.run_id)
        }
        run = tables.read_rows(self.warehouse, "runs", self.run_id)[0]
        facts = {name: value for name, value in run.items() if name not in ("settings", "stages")}
        files = {
            "reviewed.csv": export.csv_bytes(self.findings),
            "reviewed.xlsx": export.xlsx_bytes(self.findings, facts, aggregate(self.findings, positions)),
            "conflict_log.jsonl": log.write(self._said, self.findings),
        }
        for name, data in files.items():
            storage.write_bytes(storage.join(folder, name), data)
        return [storage.join(folder, name) for name in files]

    def _mark(self, findings: Sequence[dict[str, Any]]) -> None:
        """Put the last word that holds into findings: the tables may be older than the decisions."""
        last = decisions.latest(self._said)
        for row in findings:
            decisions.put(row, row, last)
