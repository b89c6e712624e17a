"""The facts stage: units → facts, by grammar in Spark's tasks; with a served model also its own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from antinomy.facts import by_grammar
from antinomy.run.stage import Context, Stage
from antinomy.store import schemas, tables

if TYPE_CHECKING:
    import pandas as pd
    from pyspark.sql import DataFrame

    from antinomy.settings import Settings

_UNIT = ("section_id", "unit_id", "doc_id", "regime", "unit_text", "unit_sha256")


def run(ctx: Context) -> None:
    """Write ``facts``; a fact whose words do not stand in its text is dropped and counted."""
    units = ctx.read("units").select(*_UNIT)
    made = units.repartition(ctx.spark.sparkContext.defaultParallelism).mapInPandas(_in_task, schemas.schema("facts"))
    made = made.where("quote != ''")
    if ctx.settings.facts.origin == "served":
        made = made.unionByName(_served(ctx))
    ctx.write(made, "facts")
    counted = tables.read_arrow(ctx.settings.warehouse, "facts", ctx.settings.run_id, ("origin", "predicate"))
    ctx.counts["by_origin"] = dict(Counter(counted["origin"].to_pylist()))
    if tables.has(ctx.settings.warehouse, "findings", ctx.settings.run_id):
        from antinomy.findings.graphml import graph

        # The report is there already: its graph gets the facts now.
        ctx.write_file("graph.graphml", graph(ctx.settings))


def _served(ctx: Context) -> DataFrame:
    """Return the facts of the served model. It is asked from this process: what it takes is the server's time."""
    from antinomy.facts.by_model import ServedFacts
    from antinomy.judge.served.ready import ready

    settings = ctx.settings
    model = ServedFacts(settings.judge.openai, settings.warehouse)
    ready(settings.judge.openai)
    rows = model.of_units(ctx.arrow("units", _UNIT).to_pylist())
    ctx.counts |= {
        "calls": model.spent.calls, "input_tokens": model.spent.input_tokens,
        "cached_tokens": model.spent.cached_tokens, "output_tokens": model.spent.output_tokens,
        "errors": model.errors, "dropped": model.dropped, "units_cached": model.cached,
    }  # fmt: skip
    if model.errors:
        ctx.partial = f"{sum(model.errors.values())} units without facts of the model"
    wanted = schemas.schema("facts")
    return ctx.spark.createDataFrame([tuple(row[name] for name in wanted.names) for row in rows], wanted)


def _in_task(frames: Iterable[pd.DataFrame]) -> Iterator[pd.DataFrame]:
    import pandas as pd

    columns = schemas.columns("facts")
    for frame in frames:
        rows: list[dict[str, Any]] = []
        for unit in frame.to_dict("records"):
            rows += by_grammar.of_unit(unit)  # type: ignore[arg-type]  # columns are names
        yield pd.DataFrame(rows, columns=columns)


def _decides(settings: Settings) -> dict[str, Any]:
    """Facts by grammar alone may be followed by those of a model under the same run."""
    return {}


def _inputs(settings: Settings) -> str:
    return f"{settings.facts.origin} {settings.judge.openai.model if settings.facts.origin == 'served' else ''}"


STAGE = Stage("facts", decides=_decides, needs=("embed",), run=run, inputs=_inputs)
