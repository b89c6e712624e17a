"""Findings: the verdicts that an analyst should read, with their texts, ranked.

    score = p × evidence × order × (1 + weight) / 2

- *p*: the judge's probability of a conflict.
- *evidence*: 1 where both quotes were found in their texts, else 0.5.
- *order*: 1 where both orders of the pair gave the same relation, 0.9 where one order was asked, 0.6 where
  they disagreed.
- *weight*: mean of both provisions' weights, each its PageRank over citations as a share of its document's
  highest: so a handbook that seldom cites itself counts as much as an act that does so all the time.

Conflicts come first whatever their score; the rest follows by score.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import pandas as pd
from pyspark.sql import Window
from pyspark.sql import functions as F
from pyspark.sql.pandas.functions import pandas_udf

from antinomy import graph, schemas
from antinomy.errors import AntinomyError
from antinomy.report import delta, topics
from antinomy.review.calibration import Calibration

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

#: Relations that are always reported, whatever the probability of a conflict.
REPORTED = ("conflict", "stricter", "definition")
_UNVERIFIED = 0.5
_ONE_ORDER, _ORDERS_DISAGREE = 0.9, 0.6
#: Steps of a score that differ by less come from the order of floating-point sums, not from the texts.
_DIGITS = 6


def build_findings(
    verdicts: DataFrame,
    units: DataFrame,
    sections: DataFrame,
    similar: DataFrame,
    citations: DataFrame,
    documents: DataFrame,
    previous: DataFrame | None = None,
    decisions: Sequence[Mapping[str, Any]] = (),
    threshold: float = 0.5,
    calibration: Calibration | None = None,
) -> DataFrame:
    """Make the ``findings`` table.

    Args:
        verdicts, units, sections, similar, citations, documents: tables of this run.
        previous: ``findings`` of the run to compare with; without it everything is new.
        decisions: rows of ``decisions``; the latest on each finding holds while both texts are unchanged.
        threshold: decided pairs of any relation are reported from this probability of a conflict on.
        calibration: what to make of the judge's probabilities before anything else is done with them.

    Returns:
        Rows of the ``findings`` table: open findings ranked from 1, then those that only the previous run
        had, with state ``resolved`` and no rank.

    Raises:
        AntinomyError: if a verdict is about a unit or section that is not there.
        SettingsError: if the calibration is for another judge.
    """
    verdicts = _calibrated(verdicts, calibration)
    # Read several times each, and few: cut off from what they are made of.
    chosen = _chosen(verdicts, threshold).localCheckpoint()
    _require_sides(chosen, units, sections)
    ranks = _weights(sections, citations).localCheckpoint()
    placed = chosen
    for side in ("left", "right"):
        placed = placed.join(_side(side, units, sections, documents, ranks), [f"{side}_id", f"{side}_unit_id"])
    placed = placed.join(_cosines(similar), ["left_id", "right_id"], "left")
    scored = _scored(placed, threshold).localCheckpoint()
    found = scored.join(topics.topics(scored), "finding_id", "left")
    found = delta.with_state(found, previous, units, verdicts)
    found = delta.with_decisions(found, decisions)
    return _ranked(found).select(schemas.columns("findings"))


def finding_id(left: Column, right: Column) -> Column:
    """Name a pair of sections the same whichever of them stands left: 16 hex digits."""
    return F.substring(F.sha2(F.concat_ws("\n", F.array_sort(F.array(left, right))), 256), 1, 16)


def _calibrated(verdicts: DataFrame, calibration: Calibration | None) -> DataFrame:
    """Put the calibrated probability into ``p_conflict``; what the judge said stays in ``p_judge``."""
    given = verdicts.withColumn("p_judge", F.col("p_conflict"))
    if calibration is None:
        return given
    whose = verdicts.select("judge", "model", "prompt_sha256")
    calibration.require_judge({(row.judge, row.model, row.prompt_sha256) for row in whose.distinct().collect()})

    def meant(p: pd.Series) -> pd.Series:
        return pd.Series(calibration(p.to_numpy()), index=p.index)

    # Where a cheaper judge went first, what it settled keeps its own probability.
    mine = F.array("judge", "model", "prompt_sha256") == F.array(*map(F.lit, calibration.whose))
    corrected = pandas_udf(meant, "double")("p_judge")  # type: ignore[call-overload]
    return given.withColumn("p_conflict", F.when(mine, corrected).otherwise(F.col("p_judge")))


def _chosen(verdicts: DataFrame, threshold: float) -> DataFrame:
    """Keep what is reported: one verdict per pair of sections, the gravest where pieces were judged apart."""
    # A judge that abstains says nothing to an analyst: its probability only ranks pairs for a next judge.
    decided = verdicts.where(F.col("relation").isNotNull())
    reported = decided.where(
        F.col("relation").isin(*REPORTED) | (F.coalesce("p_conflict", F.lit(0.0)) >= threshold)
    ).withColumn("finding_id", finding_id(F.col("left_id"), F.col("right_id")))
    gravest = Window.partitionBy("finding_id").orderBy(
        (F.col("relation") == "conflict").desc_nulls_last(), F.col("p_conflict").desc_nulls_last(), "pair_key"
    )
    return reported.withColumn("_place", F.row_number().over(gravest)).where("_place = 1").drop("_place")


def _require_sides(chosen: DataFrame, units: DataFrame, sections: DataFrame) -> None:
    """An inner join would drop findings without a word."""
    sides = chosen.selectExpr("stack(2, left_id, left_unit_id, right_id, right_unit_id) as (section_id, unit_id)")
    for column, table, name in (("unit_id", units, "units"), ("section_id", sections, "sections")):
        lost = sides.select(column).distinct().join(table, column, "left_anti").orderBy(column).limit(3).collect()
        if lost:
            raise AntinomyError(
                f"table {name} lacks what verdicts are about: {', '.join(row[0] for row in lost)}; "
                "run embed and what follows again"
            )


def _weights(sections: DataFrame, citations: DataFrame) -> DataFrame:
    """Weigh sections between 0 and 1; a paragraph has the weight of its article where that is cited more."""
    ranks = graph.page_rank(graph.citation_graph(sections, citations))
    steps = F.split("eid", "__")
    holders = F.transform(
        F.sequence(F.lit(1), F.size(steps)),
        lambda n: F.concat_ws("#", "doc_id", F.array_join(F.slice(steps, F.lit(1), n), "__")),
    )
    of_holder = ranks.withColumnRenamed("section_id", "holder_id")
    held = sections.select("section_id", "doc_id", F.explode(holders).alias("holder_id")).join(of_holder, "holder_id")
    best = held.groupBy("doc_id", "section_id").agg(F.max("pagerank").alias("pagerank"))
    share = F.col("pagerank") / F.max("pagerank").over(Window.partitionBy("doc_id"))
    return best.select("section_id", F.round(share, _DIGITS).alias("weight"))


def _side(side: str, units: DataFrame, sections: DataFrame, documents: DataFrame, ranks: DataFrame) -> DataFrame:
    """Gather what is shown of one side of a pair, its columns named ``left_…`` or ``right_…``."""
    places = sections.select("section_id", F.col("page_start").alias("page")).join(ranks, "section_id")
    # The chapter is the outermost heading; its number comes from the label of the first section that bears it.
    chapters = (
        sections.where("heading <> ''")
        .groupBy("doc_id", F.col("heading").alias("outermost"))
        .agg(F.min_by("label", "position").alias("chapter_label"))
    )
    gathered = (
        units.withColumn("outermost", F.substring_index("heading_path", topics.PATH_SEPARATOR, 1))
        .join(places, "section_id")
        .join(chapters, ["doc_id", "outermost"], "left")
        .join(documents.select("doc_id", "title"), "doc_id", "left")
    )
    # A label may name its document first ("Audit, Section II"); the chapter stands beside the document's name.
    titled = F.startswith("chapter_label", F.concat("title", F.lit(", ")))
    number = F.when(titled, F.expr("substring(chapter_label, length(title) + 3)")).otherwise(F.col("chapter_label"))
    numbered = F.when(F.contains(number, "outermost"), number).otherwise(F.concat_ws(" ", number, "outermost"))
    chapter = F.coalesce(numbered, F.nullif("outermost", F.lit("")), F.nullif("title", F.lit("")), "doc_id")
    columns = {
        "id": "section_id", "unit_id": "unit_id", "doc": "doc_id", "label": "label", "path": "heading_path",
        "text": "unit_text", "context": "context", "page": "page", "weight": "weight",
    }  # fmt: skip
    return gathered.select(
        *[F.col(column).alias(f"{side}_{name}") for name, column in columns.items()],
        chapter.alias(f"{side}_chapter"),
    )


def _cosines(similar: DataFrame) -> DataFrame:
    return similar.groupBy("left_id", "right_id").agg(F.max("cosine").alias("cosine"))


def _scored(placed: DataFrame, threshold: float) -> DataFrame:
    # A judge that names a conflict without a probability has said no more than that it is over the threshold.
    probability = F.coalesce("p_conflict", F.lit(threshold))
    evidence = F.when(F.col("evidence_verified"), 1.0).otherwise(_UNVERIFIED)
    order = (
        F.when(F.col("order_consistent").isNull(), _ONE_ORDER)
        .when(F.col("order_consistent"), 1.0)
        .otherwise(_ORDERS_DISAGREE)
    )
    weight = F.round((F.col("left_weight") + F.col("right_weight")) / 2, _DIGITS)
    return placed.withColumn("weight", weight).withColumn(
        "score", F.round(probability * evidence * order * (1 + F.col("weight")) / 2, _DIGITS)
    )


def _ranked(found: DataFrame) -> DataFrame:
    resolved = F.col("state") == "resolved"
    order = Window.orderBy(
        resolved, (F.col("relation") == "conflict").desc_nulls_last(), F.col("score").desc(), "finding_id"
    )
    return found.withColumn("rank", F.when(~resolved, F.row_number().over(order)))
