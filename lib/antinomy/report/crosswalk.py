"""A crosswalk between the regulations, in the terms of set theory relationship mapping (NIST IR 8477).

Each side is read as the set of what it demands; the focal element is the left one.

| verdict | relationship | why |
|---|---|---|
| stricter, the left side governs | superset of | the left demands all that the right does, and more |
| stricter, the right side governs | subset of | the right demands all that the left does, and more |
| overlap, equal words | equal | nothing differs |
| overlap | intersects with | the same duty, in other words; whether either holds more was not judged |
| definition | intersects with | one term, two meanings |
| conflict | intersects with | the mapping has no term for a contradiction; the comment says so |
| none with every candidate | no relationship | among the pairs compared |

A pair that has no verdict (undecided, or an error) is not in the crosswalk.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from pyspark.sql import Window
from pyspark.sql import functions as F

from antinomy.report.export import csv_bytes

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


def crosswalk(verdicts: DataFrame, units: DataFrame) -> DataFrame:
    """Gather the pairs of a crosswalk.

    Args:
        verdicts: table ``verdicts``.
        units: table ``units``.

    Returns:
        One row per related pair of sections (the gravest verdict where pieces were judged apart), and one row
        without a right side per section that is related to nothing it was compared with: left_id, left_doc,
        left_label, left_text, the same for ``right``, and relation, governs, kind, status, rationale,
        p_conflict, judge.
    """
    # conflict, stricter, definition, overlap, none: in the order of the alphabet but for the last two.
    gravity = F.when(F.col("relation") == "none", 2).when(F.col("relation") == "overlap", 1).otherwise(0)
    judged = verdicts.where("relation is not null and status in ('ok', 'unverified')")
    gravest = Window.partitionBy("left_id", "right_id").orderBy(
        gravity, "relation", F.col("p_conflict").desc(), "pair_key"
    )
    pairs = judged.withColumn("_place", F.row_number().over(gravest)).where("_place = 1")
    related = pairs.where("relation <> 'none'")
    alone = (
        pairs.join(related.select("left_id").distinct(), "left_id", "left_anti")
        .dropDuplicates(["left_id"])
        .withColumn("right_unit_id", F.lit(None).cast("string"))
        .withColumn("rationale", F.lit(""))
    )
    made = related.unionByName(alone)
    for side in ("left", "right"):
        texts = units.select(
            F.col("unit_id").alias(f"{side}_unit_id"),
            F.col("doc_id").alias(f"{side}_doc"),
            F.col("label").alias(f"{side}_label"),
            F.col("unit_text").alias(f"{side}_text"),
        )
        made = made.join(texts, f"{side}_unit_id", "left")
    columns = [f"{side}_{part}" for side in ("left", "right") for part in ("id", "doc", "label", "text")]
    return made.select(*columns, "relation", "governs", "kind", "status", "rationale", "p_conflict", "judge").orderBy(
        "left_id", "right_id"
    )


def crosswalk_csv(pairs: Iterable[Mapping[str, Any]]) -> bytes:
    """Write the rows of ``crosswalk`` as CSV, in the columns of a relationship mapping."""
    return csv_bytes([_mapped(pair) for pair in pairs])


def relationship(pair: Mapping[str, Any]) -> str:
    """Return the set theory relationship of the left element to the right one, see the table above."""
    relation = pair["relation"]
    if relation == "none":
        return "no relationship"
    if relation == "stricter":
        return "superset of" if pair["governs"] == "left" else "subset of"
    if relation == "overlap" and _words(pair["left_text"]) == _words(pair["right_text"]):
        return "equal"
    return "intersects with"


def _words(text: str) -> list[str]:
    return text.casefold().split()


def _mapped(pair: Mapping[str, Any]) -> dict[str, Any]:
    related = pair["relation"] != "none"
    comment = f"{pair['relation']}{', ' + pair['kind'] if pair['kind'] else ''}; judge {pair['judge']}"
    if pair["status"] == "unverified":
        comment += "; evidence not verified"
    return {
        "Focal Document": pair["left_doc"],
        "Focal Document Element": pair["left_label"],
        "Focal Document Element Id": pair["left_id"],
        "Focal Document Element Description": pair["left_text"],
        # The pairs are compared by what they mean, not by their words or their results.
        "Rationale": "Semantic" if related else "",
        "Relationship": relationship(pair),
        "Reference Document": pair["right_doc"] if related else "",
        "Reference Document Element": pair["right_label"] if related else "",
        "Reference Document Element Id": pair["right_id"] if related else "",
        "Reference Document Element Description": pair["right_text"] if related else "",
        "Comments": f"{comment}. {pair['rationale']}".strip() if related else "among the pairs compared",
    }
