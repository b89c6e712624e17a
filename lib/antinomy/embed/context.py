"""What a provision cites, found by motifs over the CONTAINS and CITES edges of the citation graph."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

#: Characters of a cited text that are kept: its first words say what it is about.
OPENING = 200
#: Openings kept per provision.
MOST_CITED = 3


def cited_openings(members: DataFrame, sections: DataFrame, citations: DataFrame) -> DataFrame:
    """Find the openings of the texts that each provision cites.

    Method: motif ``(provision)-[contains]->(member); (member)-[cites]->(target)`` (Barry et al. 2025, section 3:
    a node is embedded with what it cites).

    Args:
        members: owner_id, member_id: which sections a provision consists of, itself included.
        sections: the table.
        citations: the table.

    Returns:
        section_id, cited: array of "label: opening", in the order in which they are cited.
    """
    from graphframes import GraphFrame
    from pyspark.sql import functions as F

    vertices = sections.select(F.col("section_id").alias("id"), "label", "heading", "text")
    contains = members.select(
        F.col("owner_id").alias("src"), F.col("member_id").alias("dst"), F.lit("contains").alias("edge"),
        F.lit(0).alias("at"),
    )  # fmt: skip
    cites = citations.where("resolution = 'exact' and target_section_id is not null").select(
        F.col("src_section_id").alias("src"), F.col("target_section_id").alias("dst"), F.lit("cites").alias("edge"),
        F.col("start").alias("at"),
    )  # fmt: skip
    graph = GraphFrame(vertices, contains.unionByName(cites))
    found: DataFrame = graph.find("(provision)-[holds]->(member); (member)-[cite]->(target)").where(
        "holds.edge = 'contains' and cite.edge = 'cites' and provision.id != target.id"
    )
    opening = F.concat_ws(
        ": ",
        F.col("target.label"),
        F.concat_ws(" – ", F.nullif(F.col("target.heading"), F.lit("")), F.substring("target.text", 1, OPENING)),
    )
    first = found.groupBy(F.col("provision.id").alias("section_id"), F.col("target.id").alias("target_id")).agg(
        F.min("cite.at").alias("at"), F.first(opening).alias("opening")
    )
    ordered = F.sort_array(F.collect_list(F.struct("at", "target_id", "opening")))
    openings = F.slice(ordered["opening"], 1, MOST_CITED)
    return first.groupBy("section_id").agg(openings.alias("cited"))
