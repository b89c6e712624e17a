"""The judge stage: every candidate pair ends as a verdict or as an error with its reason, never twice, never lost."""

from __future__ import annotations

import hashlib
import logging
import uuid
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from datetime import UTC, datetime
from itertools import islice
from typing import TYPE_CHECKING, Any

from antinomy import schemas, storage, tables
from antinomy.judge.protocol import Judge, Pair, Provision, Verdict
from antinomy.judge.settings import JudgeSettings
from antinomy.stage import Context, Stage

if TYPE_CHECKING:
    import pandas as pd
    from pyspark.sql import DataFrame

    from antinomy.settings import Settings

log = logging.getLogger("antinomy")


def build_judge(settings: JudgeSettings) -> Judge:
    """Make the judge that the settings name."""
    if settings.backend == "openai":
        from antinomy.judge.served import OpenAIJudge

        return OpenAIJudge(settings.openai)
    from antinomy.judge.norms import NormsJudge

    return NormsJudge()


def pair_key(left_sha256: str, right_sha256: str) -> str:
    """Return the key of a pair of texts in this order."""
    return hashlib.sha256(f"{left_sha256}\n{right_sha256}".encode()).hexdigest()[:32]


def candidate_pairs(similar: DataFrame, units: DataFrame) -> DataFrame:
    """Join the candidate pairs with their texts: what a judge reads, one row per pair."""
    from pyspark.sql import functions as F

    def side(name: str) -> DataFrame:
        return units.select(
            F.col("unit_id").alias(f"{name}_unit_id"),
            F.col("label").alias(f"{name}_label"),
            F.col("unit_text").alias(f"{name}_text"),
            F.col("context").alias(f"{name}_context"),
            F.col("unit_sha256").alias(f"{name}_sha256"),
        )

    key = F.substring(F.sha2(F.concat_ws("\n", "left_sha256", "right_sha256"), 256), 1, 32)
    return (
        similar.select("left_id", "right_id", "left_unit_id", "right_unit_id")
        .join(side("left"), "left_unit_id")
        .join(side("right"), "right_unit_id")
        .withColumn("pair_key", key)
    )


def run(ctx: Context) -> None:
    """Write ``verdicts``: cached ones are taken over, the rest is judged, as it comes, into the cache."""
    from pyspark.sql import functions as F

    settings = ctx.settings.judge
    judge = build_judge(settings)
    pairs = candidate_pairs(ctx.read("similar"), ctx.read("units"))
    mine = (
        (F.col("judge") == judge.name)
        & (F.col("model") == judge.model)
        & (F.col("prompt_sha256") == judge.prompt_sha256)
    )  # fmt: skip
    before = tables.read_cache(ctx.spark, ctx.settings.warehouse, "verdicts").where(mine)
    good = before.where("status != 'error'").select("pair_key").distinct().persist()
    # The same two texts may stand in several places: they are judged once.
    todo = pairs.join(good, "pair_key", "left_anti").dropDuplicates(["pair_key"])
    call_id = uuid.uuid4().hex
    judged = _judge(ctx, todo, judge, settings, call_id)
    log.info("%d pairs judged by %s", judged, judge.name)

    after = tables.read_cache(ctx.spark, ctx.settings.warehouse, "verdicts").where(mine)
    latest = after.withColumn("reused", ~F.col("call_id").eqNullSafe(F.lit(call_id)))
    best = latest.groupBy("pair_key").agg(
        # A verdict beats an error, a later one an earlier.
        F.max_by(F.struct(*latest.columns), F.struct(F.col("status") != "error", "judged_at")).alias("verdict")
    )
    answer = best.select([F.col(f"verdict.{name}").alias(name) for name in [*_VERDICT_COLUMNS, "reused"]])
    # A left join: a pair whose verdict a task lost is an error row, not a row that is missing.
    rows = pairs.join(answer, "pair_key", "left")
    lost = {
        "status": F.lit("error"),
        "error": F.lit("lost: the task that judged this pair gave no verdict for it"),
        "judge": F.lit(judge.name),
        "model": F.lit(judge.model),
        "prompt_sha256": F.lit(judge.prompt_sha256),
        "reused": F.lit(False),
    }
    ctx.write(rows.withColumns({name: F.coalesce(name, value) for name, value in lost.items()}), "verdicts")
    good.unpersist()
    _account(ctx, judged)


_VERDICT_COLUMNS = [
    name
    for name in schemas.columns("verdicts")
    if name not in {"left_id", "right_id", "left_unit_id", "right_unit_id", "left_sha256", "right_sha256", "reused"}
]


def _judge(ctx: Context, todo: DataFrame, judge: Judge, settings: JudgeSettings, call_id: str) -> int:
    """Judge pairs in Spark tasks; each writes its verdicts to the cache chunk by chunk.

    Returns:
        The number of verdict rows written.
    """
    folder = storage.join(ctx.settings.warehouse, "cache", "verdicts", f"part-{call_id}")
    size = settings.chunk_pairs
    tasks = ctx.spark.sparkContext.defaultParallelism
    # The driver's judge is the one whose verdicts are looked for afterwards; a worker only works for it.
    identity = {
        "judge": judge.name, "model": judge.model, "prompt_sha256": judge.prompt_sha256, "call_id": call_id,
    }  # fmt: skip

    def judge_partition(frames: Iterable[pd.DataFrame]) -> Iterator[pd.DataFrame]:
        import pandas as pd
        from pyspark import TaskContext

        mine = judge.for_task(tasks, TaskContext.get().partitionId())  # type: ignore[union-attr]
        verdicts = mine.judge(_pairs(frames))
        written = 0
        while chunk := list(islice(verdicts, size)):
            _write_chunk(chunk, identity, folder)
            written += len(chunk)
        yield pd.DataFrame({"written": [written]})

    # Pairs with the same left side go to one task and stand together: a server then has their prompt's start cached.
    ordered = todo.repartition(tasks, "left_unit_id").sortWithinPartitions("left_unit_id", "right_unit_id")
    counts = ordered.mapInPandas(judge_partition, "written long")
    return sum(row.written for row in counts.collect())


def _pairs(frames: Iterable[pd.DataFrame]) -> Iterator[Pair]:
    for frame in frames:
        for row in frame.itertuples():
            yield Pair(str(row.pair_key), _provision(row, "left"), _provision(row, "right"))


def _provision(row: Any, side: str) -> Provision:
    return Provision(
        section_id=getattr(row, f"{side}_id"),
        unit_id=getattr(row, f"{side}_unit_id"),
        label=getattr(row, f"{side}_label"),
        text=getattr(row, f"{side}_text"),
        context=getattr(row, f"{side}_context"),
        sha256=getattr(row, f"{side}_sha256"),
    )


def _write_chunk(chunk: list[Verdict], identity: dict[str, str], folder: str) -> None:
    now = datetime.now(UTC).isoformat()
    rows = [{**asdict(verdict), **identity, "judged_at": now} for verdict in chunk]
    data = tables.parquet(rows, schemas.cache_schema("verdicts"))
    storage.write_bytes(storage.join(folder, f"{uuid.uuid4().hex}.parquet"), data)


def _account(ctx: Context, judged: int) -> None:
    """Count what the stage did: verdicts by status and relation, calls, tokens, errors by reason."""
    from pyspark.sql import functions as F

    verdicts = ctx.read("verdicts")
    units = ctx.read("units").groupBy("regime").agg(F.countDistinct("section_id").alias("n")).collect()
    totals = verdicts.agg(
        F.sum(F.when(~F.col("reused"), F.col("calls")).otherwise(0)).alias("calls"),
        F.sum(F.when(F.col("reused"), F.col("calls")).otherwise(0)).alias("calls_saved_by_cache"),
        *[
            F.sum(F.when(~F.col("reused"), F.col(name)).otherwise(0)).alias(name)
            for name in ("input_tokens", "cached_tokens", "output_tokens")
        ],
    ).first()
    assert totals is not None
    ctx.counts.update({name: int(value or 0) for name, value in totals.asDict().items()})
    ctx.counts["judged_now"] = judged
    ctx.counts["units_per_regime"] = {row.regime: row.n for row in units}
    ctx.counts["status"] = {row.status: row["count"] for row in verdicts.groupBy("status").count().collect()}
    ctx.counts["relations"] = {
        row.relation or "undecided": row["count"]
        for row in verdicts.where("status != 'error'").groupBy("relation").count().collect()
    }
    reasons = verdicts.where("status = 'error'").groupBy(F.substring_index("error", ":", 1).alias("reason")).count()
    ctx.counts["errors"] = {row.reason: row["count"] for row in reasons.collect()}
    if ctx.counts["errors"]:
        left = sum(ctx.counts["errors"].values())
        ctx.partial = f"{left} pairs have no verdict yet ({ctx.counts['errors']}); the same command judges them again"


#: Settings of the served judge that say how it is asked, not what: a run may go on with others.
_OPERATIONAL = {
    "base_url", "api_key_env", "max_in_flight", "timeout_s", "max_retries", "backoff_s", "price", "budget",
}  # fmt: skip


def _decides(settings: Settings) -> dict[str, Any]:
    chosen = settings.judge.model_dump(mode="json", include={"backend", "openai"})
    served = chosen.pop("openai")
    if settings.judge.backend == "openai":
        chosen["openai"] = {key: value for key, value in served.items() if key not in _OPERATIONAL}
    return {"judge": chosen}


STAGE = Stage("judge", decides=_decides, needs=("link",), run=run)
