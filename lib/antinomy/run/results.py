"""The base of the stages' results; the type of each stage is in ``antinomy.<stage>.result``."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from antinomy.store.schemas import TABLES


@dataclass(frozen=True, kw_only=True)
class Figures:
    """The figures of a whole run; None for those of a stage that has not run."""

    documents: int | None = None
    quarantined: int | None = None
    sections: int | None = None
    citations: int | None = None
    units: int | None = None
    pairs: int | None = None
    pairs_judged: int | None = None
    judge_calls: int | None = None
    calls_saved_by_cache: int | None = None
    full_comparison_calls: int | None = None
    findings: int | None = None
    conflicts: int | None = None
    input_tokens: int | None = None
    cached_tokens: int | None = None
    output_tokens: int | None = None
    errors: int | None = None

    def known(self) -> dict[str, int]:
        """Return the figures that are there."""
        values = {field.name: getattr(self, field.name) for field in fields(Figures)}
        return {name: value for name, value in values.items() if value is not None}


@dataclass(frozen=True)
class Spent:
    """Calls and tokens of a served model; ``input`` includes the cached tokens."""

    calls: int = 0
    input: int = 0
    cached: int = 0
    output: int = 0


class StageResult(BaseModel):
    """What a stage did. Its fields are the keys of ``counts`` in the stage's marker and in the manifest.

    Only fields that a stage sets are written. A field with the name of a table is the number of its rows.
    """

    model_config = ConfigDict(frozen=True)

    def as_json(self) -> dict[str, Any]:
        """Return the fields that were set, as JSON has them."""
        return self.model_dump(mode="json", include=self.model_fields_set)

    def rows(self) -> dict[str, int]:
        """Return table → rows."""
        return {table: getattr(self, table) for table in TABLES if table in self.model_fields_set}

    def figures(self) -> Figures:
        """Return what the stage adds to the figures of its run."""
        return Figures()

    def spent(self) -> Spent:
        """Return the calls and tokens that it took."""
        return Spent()

    def failed(self) -> dict[str, int]:
        """Return reason → rows or documents that ended in an error."""
        return {}

    def left_out(self) -> dict[str, str]:
        """Return doc_id → why nothing of a document that was read is compared."""
        return {}

    def excluded(self) -> tuple[str, ...]:
        """Return those of them that the settings leave out."""
        return ()

    def lines(self) -> Iterator[tuple[str, str]]:
        """Yield the lines that the terminal adds to the run's figures, as (label, value)."""
        yield from ()


class ServedResult(StageResult):
    """What a stage did that may ask a served model.

    Attributes:
        calls, input_tokens, cached_tokens, output_tokens: made and used in this run.
        errors: reason → what has no answer.
    """

    calls: int = 0
    input_tokens: int = 0
    cached_tokens: int = 0
    output_tokens: int = 0
    errors: dict[str, int] = Field(default_factory=dict)

    def spent(self) -> Spent:
        """Return the calls and tokens."""
        return Spent(self.calls, self.input_tokens, self.cached_tokens, self.output_tokens)

    def failed(self) -> dict[str, int]:
        """Return what has no answer, by reason."""
        return self.errors


def load(stage: str, counts: dict[str, Any]) -> StageResult:
    """Read a stage's result from its marker; fields that an earlier version did not write have their defaults."""
    found: type[StageResult] = importlib.import_module(f"antinomy.{stage}.result").RESULT
    return found.model_validate(counts)
