"""What the report stage did."""

from __future__ import annotations

from collections.abc import Iterator

from pydantic import Field

from antinomy.run.results import Figures, StageResult


class ReportResult(StageResult):
    """Rows by table, and the findings counted.

    Attributes:
        previous_run: run_id that was compared with, "" if there was none.
        by_state, by_relation: → findings.
        conflicts_by_kind: kind → conflicts.
        review: decision → findings.
        pairs_kept: candidate pairs whose verdict is of an earlier run.
        pairs_repeated: candidate pairs with the texts of another.
    """

    findings: int = 0
    coverage: int = 0
    counterparts: int = 0
    previous_run: str = ""
    by_state: dict[str, int] = Field(default_factory=dict)
    by_relation: dict[str, int] = Field(default_factory=dict)
    conflicts_by_kind: dict[str, int] = Field(default_factory=dict)
    review: dict[str, int] = Field(default_factory=dict)
    pairs_kept: int = 0
    pairs_repeated: int = 0

    def figures(self) -> Figures:
        """Return the findings."""
        return Figures(findings=self.findings)

    def lines(self) -> Iterator[tuple[str, str]]:
        """Yield the number of findings by relation, and of conflicts by kind."""
        for relation, count in self.by_relation.items():
            yield f"findings: {relation}", f"{count:,}"
        for kind, count in self.conflicts_by_kind.items():
            yield f"conflicts: {kind}", f"{count:,}"


RESULT = ReportResult
