"""What changed since the previous run, and which decisions still hold."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyspark.sql import Window
from pyspark.sql import functions as F

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame


def with_state(found: DataFrame, previous: DataFrame | None, units: DataFrame, verdicts: DataFrame) -> DataFrame:
    """Add ``state`` and ``changed``, and a row for each finding that only the previous run has.

    Args:
        found: findings of this run, all columns of the table but state, changed, rank and the decision.
        previous: ``findings`` of the run to compare with, or None.
        units, verdicts: tables of this run; they tell why a finding is gone.

    Returns:
        ``found`` with state ``new`` or ``carried``, and the previous rows with state ``resolved``.
        ``changed`` says what is different, "" if nothing is or all is new.
    """
    if previous is None:
        return found.withColumn("state", F.lit("new")).withColumn("changed", F.lit(""))
    # What was resolved once has been reported once.
    before = previous.where("state <> 'resolved'")
    old = before.select(
        "finding_id",
        F.col("relation").alias("_relation"),
        F.col("kind").alias("_kind"),
        *[
            F.col(f"{side}_{part}").alias(f"_{side}_{part}")
            for side in ("left", "right")
            for part in ("text", "sha256")
        ],
        F.lit(True).alias("_known"),
    )
    compared = found.join(old, "finding_id", "left")
    changes = F.concat_ws(
        "; ",
        _text_change("left"),
        _text_change("right"),
        F.when(
            ~F.col("relation").eqNullSafe(F.col("_relation")),
            F.concat(F.lit("relation was "), _named("_relation")),
        ),
        F.when(~F.col("kind").eqNullSafe(F.col("_kind")), F.concat(F.lit("kind was "), _named("_kind"))),
    )
    here = compared.withColumn("state", F.when(F.col("_known"), "carried").otherwise("new")).withColumn(
        "changed", F.when(F.col("_known"), changes).otherwise("")
    )
    kept = here.select([c for c in here.columns if not c.startswith("_")])
    gone = before.join(found, "finding_id", "left_anti").drop("changed").withColumn("state", F.lit("resolved"))
    return kept.unionByName(_explained(gone, units, verdicts), allowMissingColumns=True)


def _text_change(side: str) -> Column:
    text = F.col(f"{side}_text") != F.col(f"_{side}_text")
    hashed = F.col(f"{side}_sha256") != F.col(f"_{side}_sha256")
    return F.when(text, F.lit(f"{side} text changed")).when(hashed, F.lit(f"{side} context changed"))


def _named(column: str) -> Column:
    return F.coalesce(F.col(column), F.lit("undecided"))


def _explained(gone: DataFrame, units: DataFrame, verdicts: DataFrame) -> DataFrame:
    """Say why findings are gone: a provision went or changed, or the pair is judged otherwise or not."""
    explained = gone
    for side in ("left", "right"):
        now = units.groupBy(F.col("section_id").alias(f"{side}_id")).agg(
            F.collect_set("unit_text").alias(f"_{side}_texts")
        )
        explained = explained.join(now, f"{side}_id", "left")
    judged = verdicts.groupBy("left_id", "right_id").agg(
        F.max(F.struct((F.col("status") == "ok").alias("ok"), "status", "relation")).alias("_verdict")
    )
    outcome = (
        F.when(F.col("_verdict").isNull(), "no longer a candidate pair")
        .when(F.col("_verdict.status") == "error", "not judged: the judge failed")
        .otherwise(F.concat(F.lit("now judged "), F.coalesce("_verdict.relation", F.lit("undecided"))))
    )
    sides = [
        F.when(F.col(f"_{side}_texts").isNull(), F.lit(f"{side} provision gone")).when(
            ~F.array_contains(f"_{side}_texts", F.col(f"{side}_text")), F.lit(f"{side} text changed")
        )
        for side in ("left", "right")
    ]
    present = F.col("_left_texts").isNotNull() & F.col("_right_texts").isNotNull()
    explained = explained.join(judged, ["left_id", "right_id"], "left").withColumn(
        "changed", F.concat_ws("; ", *sides, F.when(present, outcome))
    )
    return explained.select([c for c in explained.columns if not c.startswith("_")])


def with_decisions(found: DataFrame, decisions: DataFrame | None) -> DataFrame:
    """Add ``decision``, ``decided_by`` and ``decided_note``: the latest word on each that still holds.

    A decision holds while the hashes of both texts are those that it was about. One that no longer does is
    mentioned in ``changed``. Resolved findings keep what was decided on them.
    """
    blank = {name: F.lit(None).cast("string") for name in ("decision", "decided_by", "decided_note")}
    if decisions is None:
        return found.withColumns(blank)
    latest = Window.partitionBy("finding_id").orderBy(F.col("decided_at").desc(), "decision_id")
    last = (
        decisions.withColumn("_place", F.row_number().over(latest))
        .where("_place = 1")
        .select(
            "finding_id",
            F.col("decision").alias("_decision"),
            F.col("reviewer").alias("_by"),
            F.col("note").alias("_note"),
            # Sorted, since the settings may have turned left and right round since.
            F.array_sort(F.array("left_sha256", "right_sha256")).alias("_about"),
        )
    )
    joined = found.drop(*blank).join(last, "finding_id", "left")
    holds = F.col("_about") == F.array_sort(F.array("left_sha256", "right_sha256"))
    outdated = F.when(
        F.col("_about").isNotNull() & ~holds,
        F.concat(F.lit("decided on an earlier text ("), "_decision", F.lit(" by "), "_by", F.lit("): decide again")),
    )
    decided = joined.withColumns(
        {
            "decision": F.when(holds, F.col("_decision")),
            "decided_by": F.when(holds, F.col("_by")),
            "decided_note": F.when(holds, F.col("_note")),
            "changed": F.concat_ws("; ", F.nullif("changed", F.lit("")), outdated),
        }
    )
    return decided.select([c for c in decided.columns if not c.startswith("_")])
