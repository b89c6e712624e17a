"""What the ask stage did."""

from __future__ import annotations

from pydantic import Field

from antinomy.run.results import StageResult


class AskResult(StageResult):
    """Answers by status and by route, and the quotes that could not be verified."""

    answers: int = 0
    by_status: dict[str, int] = Field(default_factory=dict)
    by_route: dict[str, int] = Field(default_factory=dict)
    unverified: int = 0


RESULT = AskResult
