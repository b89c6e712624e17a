"""What the link stage did."""

from __future__ import annotations

from collections.abc import Iterator

from pydantic import BaseModel, Field

from antinomy.run.results import Figures, StageResult


class FocusCounts(BaseModel, frozen=True):
    """How many sections a focus selected, out of how many."""

    selected: int
    of: int


class ApproximateSearch(BaseModel, frozen=True):
    """The lists that an approximate index looks into, and the share of the true neighbours that it finds."""

    lists: int
    recall: float


class LinkResult(StageResult):
    """What the link stage searched and found.

    Attributes:
        similar: candidate pairs.
        sections, units: that were searched.
        vectors: channel → vectors.
        full_comparison_calls: pairs that a comparison of everything with everything would judge.
        focus: of a run with one.
        approximate: channel → its search, for those with too many vectors for an exact one.
        plan: ``broadcast`` or ``shards``.
    """

    similar: int = 0
    sections: int = 0
    units: int = 0
    vectors: dict[str, int] = Field(default_factory=dict)
    full_comparison_calls: int = 0
    focus: FocusCounts | None = None
    approximate: dict[str, ApproximateSearch] = Field(default_factory=dict)
    plan: str = ""

    def figures(self) -> Figures:
        """Return the number of pairs found, and of all possible pairs."""
        return Figures(pairs=self.similar, full_comparison_calls=self.full_comparison_calls)

    def lines(self) -> Iterator[tuple[str, str]]:
        """Yield what a focus selected."""
        if self.focus:
            yield "focus: provisions asked for", f"{self.focus.selected:,} of {self.focus.of:,}"


RESULT = LinkResult
