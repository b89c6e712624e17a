"""Rival claims: a stricter rule beside a likelier claim on one of its two provisions is mostly none.

A judge reads each pair by itself. Where two provisions share a subject and set limits for different steps, "acknowledge
a complaint within two days" and "answer a complaint within twenty", it may take one for stricter than the other. Then
one of the two often has its true counterpart in the other document, of which the judge is surer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from antinomy.vocabulary import Relation

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

#: Probability from which on a stricter rule stands beside a likelier claim. On thirteen pairs of invented regulations
#: one of twelve below it is right, and three of four from it on. Of conflicts beside a likelier claim four of fourteen
#: are right, too many to lose.
_SURE = 0.9
#: Columns of a verdict whose claim of a stricter rule does not stand: the two correspond.
OVERLAP = {"relation": Relation.OVERLAP.value, "kind": None, "governs": None, "p_relation": None}


def settle_rivals(verdicts: DataFrame) -> DataFrame:
    """Turn each stricter rule that a likelier claim on one of its provisions makes improbable into an overlap.

    A rival is a conflict or a stricter rule between the quoted clause of one of the two and a provision of the other's
    document. Another clause of a long provision has a counterpart of its own.

    Args:
        verdicts: rows of the table. A claim without ``p_relation`` stands, and is no rival.

    Returns:
        The rows. Those that were changed have no ``kind``, ``governs`` and ``p_relation``.
    """
    from pyspark.sql import Window
    from pyspark.sql import functions as F

    claimed = F.when(F.col("relation").isin(Relation.CONFLICT.value, Relation.STRICTER.value), F.col("p_relation"))
    left_doc, right_doc = (F.substring_index(f"{side}_id", "#", 1) for side in ("left", "right"))
    of_left = Window.partitionBy("left_id", "evidence_left", right_doc)
    of_right = Window.partitionBy("right_id", "evidence_right", left_doc)
    best = F.greatest(F.max(claimed).over(of_left), F.max(claimed).over(of_right))
    stricter = F.col("relation") == Relation.STRICTER.value
    unlikely = F.coalesce(stricter & (claimed < _SURE) & (claimed < best), F.lit(False))
    why = F.lit("Both concern one subject; one of the two has a likelier counterpart.")
    return as_overlap(verdicts.withColumn("unlikely", unlikely), F.col("unlikely"), why).drop("unlikely")


def as_overlap(verdicts: DataFrame, condition: Column, rationale: Column) -> DataFrame:
    """Return the verdicts with those that meet a condition turned into overlaps, for a reason."""
    from pyspark.sql import functions as F

    changed = {name: F.lit(value) for name, value in OVERLAP.items()} | {"rationale": rationale}
    return verdicts.withColumns(
        {name: F.when(condition, value).otherwise(F.col(name)) for name, value in changed.items()}
    )
