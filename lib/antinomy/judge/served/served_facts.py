"""The facts that a served model found in provisions (table ``facts``), as the judge's first question reads them.

They are used with ``judge.openai.facts_mode: served``; the facts stage writes the table.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from antinomy.errors import StorageError
from antinomy.judge.result import ServedFactsInfo
from antinomy.run.stage import Context, read_marker
from antinomy.settings.judge import JudgeSettings
from antinomy.store import tables

if TYPE_CHECKING:
    import pandas as pd
    from pyspark.sql import DataFrame

    from antinomy.settings import Settings


def line(fact: Mapping[str, Any]) -> str:
    """Return a fact, a row of ``facts``, as the line that a model reads."""
    statement = f"{fact['subject']} | {fact['predicate']} | {fact['object']}"
    return f"{statement} | {fact['condition']}" if fact.get("condition") else statement


def reads_served_facts(settings: JudgeSettings) -> bool:
    """Tell whether the judge reads the facts of a served model."""
    return settings.backend == "openai" and settings.openai.facts_mode == "served"


def texts_sha256(settings: Settings) -> str:
    """Return a hash of a run's units, which shows whether facts were taken from the texts that the run has now."""
    columns = ("unit_id", "unit_sha256")
    units = tables.read_arrow(settings.warehouse, "units", settings.run_id, columns).sort_by("unit_id")
    digest = hashlib.sha256()
    for name in columns:
        digest.update("\n".join(units[name].to_pylist()).encode())
    return digest.hexdigest()


def require(settings: Settings) -> str:
    """Return what identifies the served facts that the judge reads, "" if it reads none. Spark is not needed.

    Raises:
        StorageError: if the run has no such facts, or they are of other texts.
    """
    if not reads_served_facts(settings.judge):
        return ""
    how = "run `antinomy facts` (it needs `antinomy embed` before), then this command again"
    marker = read_marker(settings, "facts")
    made = marker.result if marker else None
    if (
        not marker
        or not isinstance(made, ServedFactsInfo)
        or not made.served
        or not tables.has(settings.warehouse, "facts", settings.run_id)
    ):
        raise StorageError(
            f"judge.openai.facts_mode is served, and run {settings.run_id} has no facts of a served model: {how}"
        )
    if not tables.has(settings.warehouse, "units", settings.run_id) or made.texts != texts_sha256(settings):
        raise StorageError(
            "judge.openai.facts_mode is served, and the facts of run "
            f"{settings.run_id} were taken from other texts than it has now: {how}"
        )
    return f"{marker.fingerprint} {marker.started_at}"


def with_facts(ctx: Context, units: DataFrame) -> DataFrame:
    """Add the served facts to units, as ``facts``, if the judge reads them."""
    if not reads_served_facts(ctx.settings.judge):
        return units
    rows = ctx.read("facts").where("origin = 'served'")
    facts_by_unit = rows.groupBy("unit_id").applyInPandas(_facts_of_unit, "unit_id string, facts string")
    return units.join(facts_by_unit, "unit_id", "left").fillna("", ["facts"])


def _facts_of_unit(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the facts of one unit in reading order, as text."""
    import pandas as pd

    lines = [f"- {line(fact)}" for fact in frame.sort_values(["start", "fact_id"]).to_dict("records")]  # type: ignore[arg-type]
    return pd.DataFrame({"unit_id": [frame["unit_id"].iloc[0]], "facts": ["\n".join(lines)]})
