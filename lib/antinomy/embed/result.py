"""What the embed stage did."""

from __future__ import annotations

from pydantic import Field

from antinomy.run.results import Figures, StageResult


class EmbedResult(StageResult):
    """Rows by table, and what was left out.

    Attributes:
        embedded: texts that got their vectors now; the others had them.
        model: name and revision.
        provisions_that_bind: regime → party → provisions.
        without_provisions: doc_ids in which no provision was recognised.
        not_in_force: doc_ids that were not in force on the day asked for.
        undated: doc_ids that say no date.
    """

    units: int = 0
    embeddings: int = 0
    mpnet_embeddings: int = 0
    embedded: int = 0
    model: str = ""
    provisions_that_bind: dict[str, dict[str, int]] = Field(default_factory=dict)
    without_provisions: tuple[str, ...] = ()
    not_in_force: tuple[str, ...] = ()
    undated: tuple[str, ...] = ()

    def figures(self) -> Figures:
        """Return the units."""
        return Figures(units=self.units)

    def left_out(self) -> dict[str, str]:
        """Return the documents that are left out entirely, and why."""
        return dict.fromkeys(self.without_provisions, "no provision was recognised in it") | dict.fromkeys(
            self.not_in_force, "it was not in force on the day asked for"
        )

    def excluded(self) -> tuple[str, ...]:
        """Return the documents that were not in force on the day asked for."""
        return self.not_in_force


RESULT = EmbedResult
