"""Topics: provisions that conflicts tie together, under the headings that most of them stand under."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyspark.sql import Window
from pyspark.sql import functions as F

from antinomy import graph

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

#: Between the headings of a path, outermost first.
PATH_SEPARATOR = " › "
#: Relations that tie provisions into one topic; a shared term alone ties half a handbook together.
_TYING = ("conflict", "stricter")


def topics(found: DataFrame) -> DataFrame:
    """Put findings into topics: the connected components over conflicts and stricter pairs.

    A finding of another relation joins the topic of its left provision, else of its right one, else none.

    Args:
        found: finding_id, relation, left_id, right_id, left_path, right_path, left_label, right_label.

    Returns:
        ``finding_id``, ``cluster_id`` (the smallest section id of the topic) and ``topic`` (the commonest
        heading of either side); only findings that have a topic.
    """
    tying = found.where(F.col("relation").isin(*_TYING))
    grouped = graph.components(tying.select(F.col("left_id").alias("src"), F.col("right_id").alias("dst")))
    members = found
    for side in ("left", "right"):
        of_side = grouped.select(F.col("id").alias(f"{side}_id"), F.col("component").alias(f"{side}_component"))
        members = members.join(of_side, f"{side}_id", "left")
    clustered = members.withColumn("cluster_id", F.coalesce("left_component", "right_component")).where(
        "cluster_id is not null"
    )
    return clustered.join(_names(clustered), "cluster_id").select("finding_id", "cluster_id", "topic")


def _names(clustered: DataFrame) -> DataFrame:
    sides = clustered.selectExpr(
        "cluster_id",
        "stack(2, 0, left_id, left_path, left_label, 1, right_id, right_path, right_label) as (side, id, path, label)",
    ).distinct()
    heading = F.coalesce(
        F.nullif(F.trim(F.substring_index("path", PATH_SEPARATOR.strip(), -1)), F.lit("")), F.col("label")
    )
    counted = sides.groupBy("cluster_id", "side", heading.alias("heading")).agg(F.count("*").alias("n"))
    commonest = Window.partitionBy("cluster_id", "side").orderBy(F.col("n").desc(), "heading")
    per_side = counted.withColumn("_place", F.row_number().over(commonest)).where("_place = 1")
    in_order = F.transform(F.array_sort(F.collect_list(F.struct("side", "heading"))), lambda s: s["heading"])
    return per_side.groupBy("cluster_id").agg(F.concat_ws(" / ", F.array_distinct(in_order)).alias("topic"))
