"""What the judge stage did."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pydantic import BaseModel, Field

from antinomy.run.results import Figures, ServedResult, StageResult


class Step(BaseModel, frozen=True):
    """One step of judging: a judge of a cascade, or a question of the served judge.

    Attributes:
        step: name of the judge, or ``screen`` or ``explain``.
        settled, passed_on, errors: pairs of texts that got their verdict here, went to the next step, or failed.
        calls, tokens: made and used in this run.
        calls_avoided: calls of the next step that this one saved.
        seconds: duration; None where it is part of that of the step before.
    """

    step: str
    settled: int
    passed_on: int
    errors: int
    calls: int
    tokens: int
    calls_avoided: int
    seconds: float | None


class Server(BaseModel, frozen=True):
    """The served model that was asked, the probability that it gave the labels, and warnings about it."""

    model: str
    label_mass: float
    warnings: tuple[str, ...]


class ServedFactsInfo(StageResult):
    """What a judge that reads facts needs to know of the facts stage.

    Attributes:
        served: whether there are facts of a served model.
        texts: hash of the units that they were taken from.
    """

    served: bool = False
    texts: str = ""


class JudgeResult(ServedResult):
    """Verdicts, and what they cost now.

    Attributes:
        verdicts: rows of the table.
        judged_now: pairs of texts that the last judge judged in this run.
        calls_saved_by_cache: calls saved by verdicts of earlier runs.
        status: status → pairs.
        relations: relation → pairs.
        errors: reason → pairs without a verdict.
        shares: how frequent each relation is among the candidates, for judges that estimate it (``Adaptive``).
        words: sides → word of the left one → what the right one calls the same thing, for judges that read these.
        server: of a served judge that was asked.
        cost: of a served judge, in the currency of its price.
        steps: in the order in which they were taken.
    """

    verdicts: int = 0
    calls_saved_by_cache: int = 0
    judged_now: int = 0
    status: dict[str, int] = Field(default_factory=dict)
    relations: dict[str, int] = Field(default_factory=dict)
    shares: dict[str, Any] | None = None
    words: dict[str, dict[str, str]] = Field(default_factory=dict)
    server: Server | None = None
    cost: float | None = None
    steps: tuple[Step, ...] = ()

    def figures(self) -> Figures:
        """Return what was judged, and what it took."""
        return Figures(
            pairs_judged=self.judged_now,
            judge_calls=self.calls,
            calls_saved_by_cache=self.calls_saved_by_cache,
            conflicts=self.relations.get("conflict", 0),
            input_tokens=self.input_tokens,
            cached_tokens=self.cached_tokens,
            output_tokens=self.output_tokens,
            errors=sum(self.errors.values()),
        )

    def lines(self) -> Iterator[tuple[str, str]]:
        """Give the errors, the steps where there are several, and the cost."""
        for reason, count in self.errors.items():
            yield f"errors: {reason}", f"{count:,}"
        # A single step has nothing to say beyond the figures.
        for step in self.steps if len(self.steps) > 1 else ():
            avoided = f"; {step.calls_avoided:,} calls avoided" if step.calls_avoided else ""
            yield (
                f"judge step: {step.step}",
                f"{step.settled:,} settled, {step.calls:,} calls, {step.tokens:,} tokens{avoided}",
            )
        if self.cost:
            yield "cost of the judge", f"{self.cost:,}"


RESULT = JudgeResult
