"""The facts stage: units → facts, in Spark's tasks: by grammar, and where the settings say so by a served model."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from antinomy.embed.addressee import states_duties_in_present
from antinomy.facts import by_grammar
from antinomy.facts.result import FactsResult
from antinomy.judge.served import served_facts
from antinomy.run.stage import Context, Stage
from antinomy.store import schemas, tables

if TYPE_CHECKING:
    import pandas as pd

    from antinomy.settings import Settings

_UNIT = ("section_id", "unit_id", "doc_id", "regime", "unit_text", "binds", "demands")


def run(ctx: Context) -> FactsResult:
    """Write ``facts``; a fact whose words do not stand in its text is dropped and counted."""
    units = ctx.read("units").select(*_UNIT)
    tenses = (
        units.select("doc_id", "unit_text").groupBy("doc_id").applyInPandas(_tense, "doc_id string, in_present boolean")
    )
    read = units.join(tenses, "doc_id").repartition(ctx.spark.sparkContext.defaultParallelism)
    made = read.mapInPandas(_in_task, schemas.schema("facts"))
    made = made.where("quote != ''")
    result = FactsResult()
    if ctx.settings.facts.origin == "served":
        from antinomy.facts import served, tasks

        rows, work, result = served.served(ctx, units)
        written = ctx.write(made.unionByName(rows), "facts")
        # Only now: what was read lists the small files that this puts together.
        tasks.close_work(ctx.spark, ctx.settings.warehouse, work)
    else:
        written = ctx.write(made, "facts")
    counted = tables.read_arrow(ctx.settings.warehouse, "facts", ctx.settings.run_id, ("origin", "predicate"))
    if tables.has(ctx.settings.warehouse, "findings", ctx.settings.run_id):
        from antinomy.findings.graphml import graph

        # The report is there already: its graph gets the facts now.
        ctx.write_file("graph.graphml", graph(ctx.settings))
    made_of = {
        "facts": written,
        "by_origin": dict(Counter(counted["origin"].to_pylist())),
        "served": ctx.settings.facts.origin == "served",
        "texts": served_facts.texts_sha256(ctx.settings),
    }
    return result.model_copy(update=made_of)


def _tense(frame: pd.DataFrame) -> pd.DataFrame:
    """Tell of one document's units whether it states its duties in the present tense."""
    return frame[["doc_id"]].head(1).assign(in_present=states_duties_in_present(frame["unit_text"]))


def _in_task(frames: Iterable[pd.DataFrame]) -> Iterator[pd.DataFrame]:
    import pandas as pd

    columns = schemas.columns("facts")
    for frame in frames:
        rows: list[dict[str, Any]] = []
        for unit in frame.to_dict("records"):
            rows += by_grammar.facts_of_unit(unit, unit["in_present"])  # type: ignore[arg-type]  # columns are names
        yield pd.DataFrame(rows, columns=columns)


def _settings_used(settings: Settings) -> dict[str, Any]:
    """Facts by grammar alone may be followed by those of a model under the same run."""
    return {}


def _inputs(settings: Settings) -> str:
    return f"{settings.facts.origin} {settings.judge.openai.model if settings.facts.origin == 'served' else ''}"


STAGE = Stage("facts", settings_used=_settings_used, upstream=("embed",), run=run, inputs=_inputs)
