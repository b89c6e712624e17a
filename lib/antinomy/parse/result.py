"""What the parse stage did."""

from __future__ import annotations

from collections.abc import Iterator

from pydantic import Field

from antinomy.run.results import Figures, StageResult


class ParseResult(StageResult):
    """Rows by table, and doc_id → why it could not be read."""

    documents: int = 0
    sections: int = 0
    citations: int = 0
    quarantined: dict[str, str] = Field(default_factory=dict)

    def figures(self) -> Figures:
        """Return the documents and what was found in them."""
        return Figures(
            documents=self.documents,
            quarantined=len(self.quarantined),
            sections=self.sections,
            citations=self.citations,
        )

    def failed(self) -> dict[str, int]:
        """Count the documents that could not be read."""
        return {"quarantined": len(self.quarantined)} if self.quarantined else {}

    def lines(self) -> Iterator[tuple[str, str]]:
        """Name the documents that could not be read."""
        for doc_id, reason in self.quarantined.items():
            yield f"quarantined: {doc_id}", reason


RESULT = ParseResult
