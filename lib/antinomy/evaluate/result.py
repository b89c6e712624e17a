"""What the evaluate stage found."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pydantic import BaseModel, Field

from antinomy.run.results import StageResult


class Estimate(BaseModel, frozen=True):
    """A share with its 95 % interval; None where there is nothing to take it of."""

    value: float | None
    low: float | None = None
    high: float | None = None

    def __str__(self) -> str:
        """Return it as the terminal shows it."""
        if self.value is None:
            return "nothing to measure"
        if self.low is None or self.high is None:
            return f"{self.value:.2f}"
        return f"{self.value:.2f}  (95 %: {self.low:.2f}–{self.high:.2f})"


class Headline(BaseModel, frozen=True):
    """The figures that are read first: of the conflicts, and of the candidates."""

    precision: Estimate
    recall: Estimate
    f1: Estimate
    candidate_recall: Estimate | None = None


class EvaluateResult(StageResult):
    """The headline, and all that ``against_key`` gives."""

    headline: Headline | None = None
    result: dict[str, Any] = Field(default_factory=dict)

    def lines(self) -> Iterator[tuple[str, str]]:
        """Yield the headline figures."""
        for name, value in self.headline or ():
            if value is not None:
                yield f"against the key: {name.replace('_', ' ')}", str(value)


RESULT = EvaluateResult
