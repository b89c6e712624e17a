"""What the facts stage did."""

from __future__ import annotations

from pydantic import Field

from antinomy.judge.result import ServedFactsInfo
from antinomy.run.results import ServedResult


class FactsResult(ServedFactsInfo, ServedResult):
    """Facts by origin, and what those of a served model took.

    Attributes:
        errors: reason → texts without facts of the model.
        dropped: facts of the model whose words do not stand in the text.
        texts_cached: texts whose facts an earlier run has asked for.
    """

    facts: int = 0
    by_origin: dict[str, int] = Field(default_factory=dict)
    dropped: int = 0
    texts_cached: int = 0


RESULT = FactsResult
