"""The facts stage: units → facts, by grammar in Spark's tasks; with a served model also its own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from antinomy import schemas, tables
from antinomy.facts import norms
from antinomy.stage import Context, Stage, groups

if TYPE_CHECKING:
    import pandas as pd

    from antinomy.settings import Settings

_UNIT = ("section_id", "unit_id", "doc_id", "regime", "unit_text")


def run(ctx: Context) -> None:
    """Write ``facts``; a fact whose words do not stand in its text is dropped and counted."""
    units = ctx.read("units").select(*_UNIT)
    made = units.repartition(ctx.spark.sparkContext.defaultParallelism).mapInPandas(_in_task, schemas.schema("facts"))
    ctx.write(made.where("quote != ''"), "facts")
    counted = tables.read_arrow(ctx.settings.warehouse, "facts", ctx.settings.run_id, ("origin", "predicate"))
    ctx.counts["by_origin"] = dict(Counter(counted["origin"].to_pylist()))
    if tables.has(ctx.settings.warehouse, "findings", ctx.settings.run_id):
        from antinomy.report.stage import graph

        # The report is there already: its graph gets the facts now.
        ctx.write_file("graph.graphml", graph(ctx.settings))


def _in_task(frames: Iterable[pd.DataFrame]) -> Iterator[pd.DataFrame]:
    import pandas as pd

    columns = schemas.columns("facts")
    for frame in frames:
        rows: list[dict[str, Any]] = []
        for unit in frame.to_dict("records"):
            rows += norms.of_unit(unit)  # type: ignore[arg-type]  # columns are names
        yield pd.DataFrame(rows, columns=columns)


def _decides(settings: Settings) -> dict[str, Any]:
    return groups("facts")(settings)


STAGE = Stage("facts", decides=_decides, needs=("embed",), run=run)
