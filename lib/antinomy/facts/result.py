"""What the facts stage did."""

from __future__ import annotations

from pydantic import Field

from antinomy.judge.result import ServedFactsInfo
from antinomy.run.results import Spent


class FactsResult(ServedFactsInfo):
    """Facts by origin, and what those of a served model took.

    Attributes:
        errors: reason → texts without facts of the model.
        dropped: facts of the model whose words do not stand in the text.
        texts_cached: texts whose facts an earlier run has asked for.
    """

    facts: int = 0
    by_origin: dict[str, int] = Field(default_factory=dict)
    calls: int = 0
    input_tokens: int = 0
    cached_tokens: int = 0
    output_tokens: int = 0
    errors: dict[str, int] = Field(default_factory=dict)
    dropped: int = 0
    texts_cached: int = 0

    def spent(self) -> Spent:
        """Return the calls and tokens of the served model."""
        return Spent(self.calls, self.input_tokens, self.cached_tokens, self.output_tokens)

    def failed(self) -> dict[str, int]:
        """Return the texts without facts by reason."""
        return self.errors


RESULT = FactsResult
