"""What changed since the previous run, and which decisions still hold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from pyspark.sql import functions as F

from antinomy.review import decisions

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


def with_decisions(found: DataFrame, said: Sequence[Mapping[str, Any]]) -> DataFrame:
    """Add ``decision``, ``decided_by``, ``decided_at`` and ``decided_note``: the last word on each that still holds.

    One that no longer holds, since a text changed, is mentioned in ``changed``. Resolved findings keep what
    was decided on them.

    Args:
        found: findings with state and changed.
        said: rows of the ``decisions`` table.
    """
    columns = ("decision", "decided_by", "decided_at", "decided_note")
    blank = found.withColumns({name: F.lit(None).cast("string") for name in columns})
    last = decisions.latest(said)
    if not last:
        return blank
    found = found.drop(*columns).localCheckpoint()
    rows: list[tuple[str | None, ...]] = []
    for finding in found.select("finding_id", "left_sha256", "right_sha256").collect():
        word = last.get(finding.finding_id)
        if word and decisions.holds(word, finding.asDict()):
            rows.append(
                (finding.finding_id, word["decision"], word["reviewer"], word["decided_at"], word["note"], None)
            )
        elif word:
            remark = f"was {decisions.WORDS[word['decision']].lower()} by {word['reviewer']} on an earlier text"
            rows.append((finding.finding_id, None, None, None, None, f"{remark}: decide again"))
    schema = ", ".join(f"{name} string" for name in ("finding_id", *columns, "_outdated"))
    joined = found.join(found.sparkSession.createDataFrame(rows, schema), "finding_id", "left")
    changed = F.concat_ws("; ", F.nullif("changed", F.lit("")), "_outdated")
    return joined.withColumn("changed", changed).drop("_outdated")
