"""A reviewer's session over the findings or the crosswalk of a run: filter, step, decide. No Spark is needed."""

from __future__ import annotations

import getpass
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

from antinomy.coverage import decided as crosswalk
from antinomy.errors import AntinomyError
from antinomy.evaluate import reviewed
from antinomy.findings import conflict_log, decisions
from antinomy.findings.aggregates import aggregate
from antinomy.findings.document_names import full_titles
from antinomy.report.cells import csv_bytes
from antinomy.report.crosswalk import Crosswalk
from antinomy.report.exports import workbook
from antinomy.store import storage, tables
from antinomy.store.rows import CounterpartRow, CoverageRow, DecisionColumns, FindingRow, Subject
from antinomy.vocabulary import CoverageState

Row = TypeVar("Row", bound=DecisionColumns)

#: In a filter: rows without a decision.
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

    def passes(self, row: Mapping[str, Any]) -> bool:
        """Return whether a finding is to be shown."""
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


@dataclass(frozen=True)
class ProvisionFilter:
    """Which rows of the crosswalk to show; what is empty lets everything pass.

    Attributes:
        words: all of them stand in the provision's text, label, headings or reason.
        state: see ``coverage.states``.
        side, chapter, document: of the provision; the document by its doc_id.
        decision: one of ``decisions.WORDS``, or OPEN.
    """

    words: str = ""
    state: str = ""
    side: str = ""
    chapter: str = ""
    document: str = ""
    decision: str = ""

    def passes(self, row: Mapping[str, Any]) -> bool:
        """Return whether a row is to be shown."""
        wanted = {"state": self.state, "side": self.side, "chapter": self.chapter, "doc_id": self.document}
        text = " ".join(str(row[name]) for name in ("label", "path", "text", "reason")).casefold()
        return (
            all(not value or row[name] == value for name, value in wanted.items())
            and (not self.decision or (row["decision"] or OPEN) == self.decision)
            and all(word in text for word in self.words.casefold().split())
        )


def find_row(warehouse: str, run_id: str, named: str) -> Subject:
    """Look up a finding by its number in the report or its id, or a row of the crosswalk by its id.

    Returns:
        A row of ``findings``, or what ``coverage.decided.subjects`` makes of a row of ``coverage``.

    Raises:
        AntinomyError: if the run has none such.
        StorageError: if the run has no findings.
    """
    findings = tables.read_rows(warehouse, "findings", run_id)
    for row in findings:
        if named in (row["finding_id"], str(row["rank"])):
            return row
    provision = crosswalk.read(warehouse, run_id).subjects.get(named)
    if provision is not None:
        return provision
    ranks = [row["rank"] for row in findings if row["rank"]]
    there = f"its findings are numbered 1 to {max(ranks)}" if ranks else "it has no findings"
    raise AntinomyError(
        f"run {run_id} has no finding {named}: {there}; the report shows number and id of each, and findings.xlsx the "
        "ids of the crosswalk (coverage_id)"
    )


class Session(ABC, Generic[Row]):
    """Rows of a run with what was decided on them, and the current one among those that pass a filter.

    Attributes:
        warehouse, run_id: of which run.
        reviewer: who decides.
        titles: doc_id → title.
        rows: all rows, in the order in which they are stepped through.
        filter: which of them are shown.
        shown: these.
        index: of the current row in ``shown``.
    """

    #: What a row is called.
    noun = "finding"

    def __init__(self, warehouse: str, run_id: str, reviewer: str, shows: Filter | ProvisionFilter) -> None:
        self.warehouse, self.run_id = warehouse, run_id
        self.reviewer = reviewer or getpass.getuser()
        self.titles = full_titles(tables.read_rows(warehouse, "documents", run_id))
        self.rows = self._read()
        self._decisions = decisions.read(warehouse)
        self._apply_decisions(self.rows)
        self.filter: Any = shows
        self.shown: Sequence[Row] = self.rows
        self.index = 0

    @property
    def current(self) -> Row | None:
        """The current row, None if none passes the filter."""
        return self.shown[self.index] if self.shown else None

    def show(self, **changes: Any) -> None:
        """Change the filter and go to the first row that passes it.

        Args:
            changes: fields of the filter.
        """
        self.filter = replace(self.filter, **changes)
        self.shown = [row for row in self.rows if self.filter.passes(row)]
        self.index = 0

    def step(self, by: int) -> None:
        """Move by a number of rows, backwards if negative; stops at both ends."""
        self.index = max(0, min(self.index + by, len(self.shown) - 1))

    def decide(self, decision: str, note: str = "") -> None:
        """Record a decision on the current row; a later one overrules it, neither is ever removed.

        Args:
            decision: one of ``decisions.WORDS``.
            note: why.

        Raises:
            AntinomyError: if there is no row to decide on.
            StorageError: if the warehouse cannot be written.
        """
        if self.current is None:
            raise AntinomyError(f"no {self.noun} passes the filter: there is nothing to decide on")
        subject = self._subject(self.current)
        self._decisions.append(decisions.record(self.warehouse, self.run_id, subject, decision, self.reviewer, note))
        self._apply_decisions([self.current])

    @abstractmethod
    def _read(self) -> list[Row]:
        """Return the rows of the run, with the decisions on them."""

    @abstractmethod
    def _subject(self, row: Row) -> Subject:
        """Return what a decision on a row is about, in the columns of a finding."""

    def _apply_decisions(self, rows: Sequence[Row]) -> None:
        """Apply the latest valid decisions to rows: the tables may be older."""
        last = decisions.latest(self._decisions)
        for row in rows:
            decisions.put(row, self._subject(row), last)


class CrosswalkReview(Session[CoverageRow]):
    """The crosswalk of a run: each provision with its counterparts, gaps included.

    Attributes:
        counterparts: (section_id, other side) → rows of ``counterparts``, best first.
    """

    noun = "provision"

    def __init__(self, warehouse: str, run_id: str, reviewer: str = "") -> None:
        """Read a run; arguments and errors as ``Review``."""
        self._tables = crosswalk.read(warehouse, run_id)
        self._subjects = self._tables.subjects
        self.counterparts: dict[tuple[str, str], list[CounterpartRow]] = {}
        for row in self._tables.counterparts:
            self.counterparts.setdefault((row["section_id"], row["other"]), []).append(row)
        super().__init__(warehouse, run_id, reviewer, ProvisionFilter())

    @property
    def current_counterparts(self) -> Sequence[CounterpartRow]:
        """The counterparts of the current provision, or what came nearest."""
        here = self.current
        return self.counterparts.get((here["section_id"], here["other"]), ()) if here else ()

    def _read(self) -> list[CoverageRow]:
        # What demands nothing of a firm has nothing to decide.
        return [row for row in self._tables.coverage if row["state"] != CoverageState.LEFT_OUT]

    def _subject(self, row: CoverageRow) -> Subject:
        return self._subjects[row["coverage_id"]]


class Review(Session[FindingRow]):
    """Findings of a run."""

    def __init__(self, warehouse: str, run_id: str, reviewer: str = "") -> None:
        """Read a run.

        Args:
            warehouse: URI of the warehouse.
            run_id: of a run that has findings.
            reviewer: who decides; the name of the account if empty.

        Raises:
            StorageError: if the run has no findings.
        """
        super().__init__(warehouse, run_id, reviewer, Filter())

    @property
    def findings(self) -> list[FindingRow]:
        """All findings, the best-ranked first."""
        return self.rows

    def measured(self) -> dict[str, Any]:
        """Measure what was decided so far, see ``evaluate.reviewed.measure``."""
        return reviewed.measure(self.findings, self._decisions)

    def export(self, folder: str) -> list[str]:
        """Write findings and crosswalk with their decisions (CSV, Excel) and the conflict log; returns the files."""
        positions = {
            row["section_id"]: row["position"] for row in tables.read_rows(self.warehouse, "sections", self.run_id)
        }
        run = tables.read_rows(self.warehouse, "runs", self.run_id)[0]
        facts = {name: value for name, value in run.items() if name not in ("settings", "stages")}
        # What was decided in a session over the crosswalk meanwhile counts as well.
        recorded = decisions.read(self.warehouse)
        found = crosswalk.read(self.warehouse, self.run_id)
        crosswalk.mark(found.coverage, found.counterparts, recorded)
        documents = tables.read_rows(self.warehouse, "documents", self.run_id)
        shown = Crosswalk(found.coverage, found.counterparts, documents)
        counted = aggregate(self.findings, positions)
        files = {
            "reviewed.csv": csv_bytes([workbook.with_titles(shown, row) for row in self.findings]),
            "reviewed.xlsx": workbook.xlsx_bytes(self.findings, facts, counted, shown),
            "conflict_log.jsonl": conflict_log.write(recorded, [*self.findings, *found.subjects.values()]),
        }
        for name, data in files.items():
            storage.write_bytes(storage.join(folder, name), data)
        return [storage.join(folder, name) for name in files]

    def _read(self) -> list[FindingRow]:
        found = tables.read_rows(self.warehouse, "findings", self.run_id)
        return sorted(found, key=lambda row: (row["rank"] is None, row["rank"], row["finding_id"]))

    def _subject(self, row: FindingRow) -> Subject:
        return row
