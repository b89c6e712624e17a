"""The served part of the facts stage: texts are asked about in Spark's tasks, names are merged, rows are made."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from antinomy.facts import tasks
from antinomy.facts.by_model import (
    NAMED,
    NAMES,
    Request,
    ServedFacts,
    canonical_names,
    rows,
    rules_sha256,
    with_canonical_names,
)
from antinomy.facts.result import FactsResult
from antinomy.judge.served.ready import ready
from antinomy.run.stage import Context
from antinomy.store import schemas

if TYPE_CHECKING:
    import pandas as pd
    from pyspark.sql import DataFrame

_SUMMED = ("calls", "input_tokens", "cached_tokens", "output_tokens")


def served(ctx: Context, units: DataFrame) -> tuple[DataFrame, tasks.Work, FactsResult]:
    """Ask the configured model about the texts that it has not been asked about.

    Returns:
        Rows of ``facts``, what is to be closed when these are written, and what it took.

    Raises:
        EnvironmentFault, JudgeError: if there is something to ask and the server is not there or not able.
    """
    from pyspark.sql import functions as F

    warehouse, openai = ctx.settings.warehouse, ctx.settings.judge.openai
    model = ServedFacts(openai)
    work = tasks.open_work(warehouse, model, ctx.spark.sparkContext.defaultParallelism)
    keyed = F.concat(F.lit(f"{rules_sha256('extract')}\n"), "unit_text")
    units = units.withColumn("key", F.substring(F.sha2(keyed, 256), 1, 32))
    texts = units.select("key", F.col("unit_text").alias("text")).dropDuplicates(["key"])
    good = tasks.cached_answers(ctx.spark, warehouse, model).where("error = ''").select("key").distinct()
    todo = texts.join(good, "key", "left_anti")
    left = todo.count()
    if left:
        ready(openai)
        tasks.ask_all(todo, work)
    kept = texts.count() - left

    def in_task(frames: Iterable[pd.DataFrame]) -> Iterator[pd.DataFrame]:
        import pandas as pd

        for frame in frames:
            made = [
                row | {"fact_id": ""}
                for unit in frame.to_dict("records")
                for row in rows(unit, unit["answer"], model.model, model.prompt_sha256)  # type: ignore[arg-type]
            ]
            yield pd.DataFrame(made, columns=schemas.columns("facts"))

    # Read anew: now with what was asked just now. The same text may have been asked about by two runs at once.
    cached_rows = tasks.cached_answers(ctx.spark, warehouse, model).where("error = ''").groupBy("key")
    answered = units.join(cached_rows.agg(F.max_by("answer", "asked_at").alias("answer")), "key")
    found = answered.mapInPandas(in_task, schemas.schema("facts"))
    form = _canonical_names(ctx, found, work)

    def in_one_form(frames: Iterable[pd.DataFrame]) -> Iterator[pd.DataFrame]:
        import pandas as pd

        for frame in frames:
            made = [with_canonical_names(row, form.get(row["regime"], {})) for row in frame.to_dict("records")]  # type: ignore[arg-type]
            yield pd.DataFrame(made, columns=schemas.columns("facts"))

    return found.mapInPandas(in_one_form, schemas.schema("facts")), work, _usage(ctx, work, kept)


def _canonical_names(ctx: Context, found: DataFrame, work: tasks.Work) -> dict[str, dict[str, str]]:
    """Ask which names of a regime mean one entity; regime → name → the name that stands for it.

    Each regime is one question, so that they are asked from here.
    """
    from pyspark.sql import functions as F

    ends = [
        found.where(F.col(f"{end}_type").isin(*NAMED)).select("regime", F.col(end).alias("name"))
        for end in ("subject", "object")
    ]
    names: dict[str, Counter[str]] = {}
    for row in ends[0].unionByName(ends[1]).groupBy("regime", "name").count().collect():
        names.setdefault(row["regime"], Counter())[row["name"]] = row["count"]
    listed = {
        regime: sorted(counts, key=lambda name: (-counts[name], name))[:NAMES]
        for regime, counts in sorted(names.items())
        if len(counts) > 1
    }
    shown = {regime: Request("merge", "\n".join(own)) for regime, own in listed.items()}
    merged = _read_merged(ctx, work)
    open_ = [one for one in shown.values() if one.key not in merged]
    if open_:
        tasks.ask(open_, work, work.model.after(*_spent(ctx, work)), "merge")
        merged = _read_merged(ctx, work)
    # Facts whose names could not be merged are facts.
    return {regime: canonical_names(own, merged.get(shown[regime].key, [])) for regime, own in listed.items()}


def _read_merged(ctx: Context, work: tasks.Work) -> dict[str, list[list[int]]]:
    rows_ = tasks.cached_answers(ctx.spark, ctx.settings.warehouse, work.model).where("task = 'merge' and error = ''")
    return {row["key"]: json.loads(row["answer"]) for row in rows_.select("key", "answer").collect()}


def _spent(ctx: Context, work: tasks.Work) -> tuple[int, ...]:
    """Return what this call has spent: calls, input, cached and output tokens."""
    own = tasks.cached_answers(ctx.spark, ctx.settings.warehouse, work.model).where(f"call_id = '{work.call_id}'")
    total: Any = own.groupBy().sum(*_SUMMED).first()
    return tuple(value or 0 for value in total)


def _usage(ctx: Context, work: tasks.Work, kept: int) -> FactsResult:
    from pyspark.sql import functions as F

    own = tasks.cached_answers(ctx.spark, ctx.settings.warehouse, work.model).where(f"call_id = '{work.call_id}'")
    failed = own.where("error != ''").groupBy("task", F.substring_index("error", ":", 1).alias("reason")).count()
    errors = {
        row["reason"] if row["task"] == "extract" else f"merge: {row['reason']}": row["count"]
        for row in failed.collect()
    }
    dropped: Any = own.groupBy().sum("dropped").first()
    calls, read, cached, written = _spent(ctx, work)
    if errors:
        reasons = ", ".join(f"{reason} {count:,}" for reason, count in sorted(errors.items()))
        ctx.partial = f"the model has not answered everything ({reasons}); the same command asks again"
    return FactsResult(
        calls=calls,
        input_tokens=read,
        cached_tokens=cached,
        output_tokens=written,
        errors=errors,
        dropped=dropped[0] or 0,
        texts_cached=kept,
    )
