"""The judge stage: gives every candidate pair exactly one verdict, or an error with its reason."""

from __future__ import annotations

import hashlib
import logging
import time
import uuid
from typing import TYPE_CHECKING, Any

from antinomy.errors import SettingsError, StorageError
from antinomy.judge.account import account
from antinomy.judge.adapt import adapt
from antinomy.judge.candidates import candidates, distinct_pairs, text_key, with_read_key, with_texts
from antinomy.judge.cascade import Cascade, settled_rows
from antinomy.judge.claims import settle_claims
from antinomy.judge.protocol import CachesLogits, Judge, Pair, Provision, Verdict
from antinomy.judge.result import JudgeResult, Server
from antinomy.judge.rivals import settle_rivals
from antinomy.judge.served import served_facts
from antinomy.judge.served.journal import Journaled
from antinomy.judge.tasks import judge_pairs, orphaned_journals
from antinomy.run import base_model
from antinomy.run.stage import Context, Stage
from antinomy.settings import sides
from antinomy.settings.judge import JudgeSettings
from antinomy.store import schemas, storage, tables

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from antinomy.settings import Settings

log = logging.getLogger("antinomy")

#: The judge that has fitted weights.
FITTED = "default"
#: The judge that asks a model of natural-language inference.
NLI = "nli"


def build_judge(settings: JudgeSettings) -> Judge:
    """Make the judge that the settings name for pairs outside a run; a cascade becomes one judge.

    Raises:
        SettingsError: if the judge reads facts, which only a run has.
    """
    if served_facts.reads_served_facts(settings):
        raise SettingsError(
            "judge.openai.facts_mode: served reads the facts of a run, and these pairs are of none: set norms or none"
        )
    *first, last = build_judges(settings)
    cascade = settings.openai.cascade
    return Cascade(first[0], last, cascade.below) if first and cascade else last


def build_judges(settings: JudgeSettings) -> list[Judge]:
    """Make the judges that the settings name, in the order in which they are asked."""
    if settings.backend == "openai":
        from antinomy.judge.served.judge import OpenAIJudge

        cascade = settings.openai.cascade
        first = [] if cascade is None else [_local_judge(cascade.first, settings)]
        return [*first, OpenAIJudge(settings.openai)]
    return [_local_judge(settings.backend, settings)]


def _local_judge(name: str, settings: JudgeSettings) -> Judge:
    if name == NLI:
        from antinomy.judge.nli.judge import NliJudge

        return NliJudge(settings.nli)
    from antinomy.judge.fitted.judge import FittedJudge

    return FittedJudge(settings.weights, settings.prior)


def judge_texts(left: str, right: str, settings: JudgeSettings) -> Verdict:
    """Judge two texts outside a run."""
    one, two = (
        Provision(side, side, "", text, "", hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest())
        for side, text in (("left", left), ("right", right))
    )
    (verdict,) = build_judge(settings).judge([Pair(pair_key(one.sha256, two.sha256), one, two)])
    return verdict


def pair_key(left_sha256: str, right_sha256: str) -> str:
    """Return the key of a pair of texts in this order."""
    return hashlib.sha256(f"{left_sha256}\n{right_sha256}".encode()).hexdigest()[:32]


def run(ctx: Context) -> JudgeResult:
    """Write ``verdicts``: those in the cache are used again, other pairs are judged and put into the cache."""
    # They are read by every step below, and their joins need not be repeated for each.
    pairs = every_pair = candidates(ctx).persist()
    *first, last = build_judges(ctx.settings.judge)
    result_fields = adapt(ctx, pairs, (*first, last))
    call_id = uuid.uuid4().hex
    seconds = {}
    rows = None
    if first:
        rows, pairs, seconds["first"] = run_first_judge(ctx, pairs, first[0], call_id)
    started = time.monotonic()
    judged, server = _judge(ctx, pairs, last, call_id)
    if server:
        result_fields["server"] = server
    log.info("%d pairs judged by %s", judged, last.name)
    seconds["last"] = round(time.monotonic() - started, 3)
    answered = verdicts(ctx, pairs, last, call_id)
    # Read twice: for what is claimed, and for the table.
    claimed = settle_rivals(answered if rows is None else rows.unionByName(answered)).persist()
    ctx.write(settle_claims(claimed, ctx.read("units")), "verdicts")
    claimed.unpersist()
    every_pair.unpersist()
    result = account(ctx, judged, [judge.name for judge in (*first, last)], seconds)
    return result.model_copy(update=result_fields)


def run_first_judge(ctx: Context, pairs: DataFrame, first: Judge, call_id: str) -> tuple[DataFrame, DataFrame, float]:
    """Let the first judge of a cascade judge all pairs.

    Returns:
        The verdicts that settle a pair, the pairs that are not settled, and the seconds that it took.
    """
    cascade = ctx.settings.judge.openai.cascade
    assert cascade is not None
    started = time.monotonic()
    _judge(ctx, pairs, first, call_id)
    answered = verdicts(ctx, pairs, first, call_id)
    settled = answered.where(settled_rows(cascade.below))
    unsettled = answered.where(~settled_rows(cascade.below)).select(pairs.columns)
    return settled, unsettled, round(time.monotonic() - started, 3)


def _judge(ctx: Context, pairs: DataFrame, judge: Judge, call_id: str) -> tuple[int, Server | None]:
    """Judge the pairs that have no verdict of a judge yet; return their number and the server that was asked."""
    warehouse = ctx.settings.warehouse
    orphaned = orphaned_journals(warehouse, judge)  # before the verdicts are read, see there
    todo = unjudged(ctx, pairs, judge)
    server = None
    if isinstance(judge, Journaled) and not todo.isEmpty():
        server = _require_server(ctx)
    todo = with_texts(ctx, todo, judge)
    if isinstance(judge, CachesLogits):
        todo = todo.join(_cached_logits(ctx, judge, judge.logits_sha256), "text_key", "left")
    judged = judge_pairs(todo, judge, warehouse, call_id, orphaned)
    # Before the verdicts are read for the table, so that each of the small files is read once.
    tables.compact_cache(ctx.spark, warehouse, "verdicts")
    return judged, server


def _require_server(ctx: Context) -> Server:
    from antinomy.judge.served.ready import ready

    found = ready(ctx.settings.judge.openai)
    for warning in found.warnings:
        log.warning("%s", warning)
    return Server(model=found.model, label_mass=found.label_mass, warnings=found.warnings)


def cached(ctx: Context, judge: Judge) -> DataFrame:
    """Return the cached verdicts of a judge from all runs; a pair may have several rows."""
    from pyspark.sql import functions as F

    return _cached_of_model(ctx, judge).where(F.col("prompt_sha256") == judge.prompt_sha256)


def _cached_of_model(ctx: Context, judge: Judge) -> DataFrame:
    """Return the cached verdicts of a judge with this model, whatever else decided them."""
    from pyspark.sql import functions as F

    stored = tables.read_cache(ctx.spark, ctx.settings.warehouse, "verdicts")
    return stored.where((F.col("judge") == judge.name) & (F.col("model") == judge.model))


def _cached_logits(ctx: Context, judge: Judge, logits_sha256: str) -> DataFrame:
    """Return ``text_key`` and ``logits`` of the texts for which a judge has computed any, each once."""
    from pyspark.sql import functions as F

    kept = _cached_of_model(ctx, judge).where((F.col("logits_sha256") == logits_sha256) & (F.size("logits") > 0))
    return kept.groupBy(text_key("pair_key")).agg(F.max_by("logits", F.size("logits")).alias("logits"))


def unjudged(ctx: Context, pairs: DataFrame, judge: Judge) -> DataFrame:
    """Return the pairs that a judge has not judged in any run, each once, with ``read_key`` as ``pair_key``.

    For the keys see ``with_read_key``; ``text_key`` is a column too.
    """
    good = cached(ctx, judge).where("status != 'error'")
    asked = with_read_key(ctx, pairs, judge).drop("pair_key").withColumnRenamed("read_key", "pair_key")
    return distinct_pairs(asked.join(good, "pair_key", "left_anti"))


def verdicts(ctx: Context, pairs: DataFrame, judge: Judge, call_id: str) -> DataFrame:
    """Return every pair with the verdict of a judge, or as an error if it has none."""
    from pyspark.sql import functions as F

    latest = cached(ctx, judge).withColumn("reused", ~F.col("call_id").eqNullSafe(F.lit(call_id)))
    best = latest.groupBy("pair_key").agg(
        # A verdict is better than an error, a later one better than an earlier one.
        F.max_by(F.struct(*latest.columns), F.struct(F.col("status") != "error", "judged_at")).alias("verdict")
    )
    answer = best.select([F.col(f"verdict.{name}").alias(name) for name in [*_VERDICT_COLUMNS, "reused"]])
    # A left join: a pair whose verdict is lost becomes an error, not a missing row.
    answer = answer.withColumnRenamed("pair_key", "read_key")
    rows = with_read_key(ctx, pairs, judge).join(answer, "read_key", "left").drop("read_key", "text_key")
    lost = {
        "status": F.lit("error"),
        "error": F.lit("lost: the task that judged this pair gave no verdict for it"),
        "judge": F.lit(judge.name),
        "model": F.lit(judge.model),
        "prompt_sha256": F.lit(judge.prompt_sha256),
        "reused": F.lit(False),
    }
    return rows.withColumns({name: F.coalesce(name, value) for name, value in lost.items()})


_VERDICT_COLUMNS = [name for name in schemas.columns("verdicts") if name not in schemas.OF_A_RUN]


#: Settings of the served judge that do not change its verdicts: a run may be continued with others.
_OPERATIONAL = {
    "base_url", "api_key_env", "max_in_flight", "timeout_s", "max_retries", "backoff_s", "price", "budget",
}  # fmt: skip


def _first_judge_name(settings: JudgeSettings) -> str:
    """Return the name of the first judge that the settings name."""
    cascade = settings.openai.cascade if settings.backend == "openai" else None
    return cascade.first if cascade else settings.backend


def _settings_used(settings: Settings) -> dict[str, Any]:
    chosen = settings.judge.model_dump(mode="json", include={"backend", "prior", "weights", "nli", "openai"})
    served, nli = chosen.pop("openai"), chosen.pop("nli")
    if _first_judge_name(settings.judge) != FITTED:
        del chosen["prior"]
    if _first_judge_name(settings.judge) != FITTED or not settings.judge.weights:
        del chosen["weights"]
    if _first_judge_name(settings.judge) == NLI:
        chosen["nli"] = {key: value for key, value in nli.items() if key not in ("device", "batch_size")}
    if settings.judge.backend == "openai":
        chosen["openai"] = {key: value for key, value in served.items() if key not in _OPERATIONAL}
    return {"judge": chosen}


def _inputs(settings: Settings) -> str:
    """Return what identifies the inputs beside the tables: the user's own weights and the facts of a served model.

    Raises:
        StorageError: if they are missing.
    """
    return served_facts.require(settings) + _weights(settings)


def _weights(settings: Settings) -> str:
    """Return a hash of the user's own weights, since another training may write to the same folder."""
    folder = settings.judge.weights
    if _first_judge_name(settings.judge) != FITTED or not folder:
        return ""
    from antinomy.judge.fitted import cross_encoder, judge

    paths = [storage.join(folder, name) for name in (judge.FILE, cross_encoder.FILE)]
    for path in paths:
        if not storage.exists(path):
            raise StorageError(f"{path} does not exist: judge.weights names a folder that `antinomy train` has written")
    return "".join(storage.sha256(path) for path in paths)


def _check(settings: Settings) -> None:
    sides.check(settings)
    served_facts.require(settings)
    if _first_judge_name(settings.judge) == FITTED:
        base_model.installed_folder()


STAGE = Stage("judge", settings_used=_settings_used, upstream=("link",), run=run, inputs=_inputs, check=_check)
