"""The graph of provisions on GraphFrames: what cites what, which provisions matter, which conflicts belong together.

Vertices are sections. An edge CONTAINS goes from a section to its children, an edge CITES to the section that a
citation resolves to (Barry et al. 2025: section nodes, structural and citation edges). GraphFrames wants columns
``id``, ``src`` and ``dst``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from antinomy.errors import AntinomyError

if TYPE_CHECKING:
    from graphframes import GraphFrame
    from pyspark.sql import DataFrame

#: PageRank stops when no rank moves by more than this; ranks sum to the number of sections.
_PAGERANK_TOLERANCE = 1e-4


def property_graph(sections: DataFrame, citations: DataFrame) -> GraphFrame:
    """Build the graph of sections with its CONTAINS and CITES edges, and check that it is whole.

    Args:
        sections: table ``sections``.
        citations: table ``citations``; those that resolve to no section of the corpus make no edge.

    Returns:
        A GraphFrame; vertices have ``id``, ``doc_id``, ``type``, ``label``, edges ``src``, ``dst``, ``relation``.

    Raises:
        AntinomyError: if a section stands twice or an edge ends at no section; the message names them.
    """
    from pyspark.sql import functions as F

    vertices = sections.select(F.col("section_id").alias("id"), "doc_id", "type", "label")
    contains = sections.where(F.coalesce("parent_id", F.lit("")) != "").select(
        F.col("parent_id").alias("src"), F.col("section_id").alias("dst"), F.lit("CONTAINS").alias("relation")
    )
    cites = (
        citations.where(F.col("target_section_id").isNotNull())
        .select(
            F.col("src_section_id").alias("src"),
            F.col("target_section_id").alias("dst"),
            F.lit("CITES").alias("relation"),
        )
        .where("src <> dst")
        .distinct()
    )
    return checked(vertices, contains.unionByName(cites))


def checked(vertices: DataFrame, edges: DataFrame) -> GraphFrame:
    """Build a GraphFrame of which every edge has its two ends and every vertex stands once.

    ``GraphFrame.validate`` only counts; an engineer wants to know which rows are wrong.

    Raises:
        AntinomyError: names up to three repeated vertices and up to three missing ends.
    """
    from graphframes import GraphFrame
    from pyspark.sql import functions as F

    repeated = vertices.groupBy("id").count().where("count > 1").select("id")
    ends = edges.select(F.explode(F.array("src", "dst")).alias("id")).distinct()
    missing = ends.join(vertices, "id", "left_anti")
    problems = []
    for rows, complaint in ((repeated, "sections that stand twice"), (missing, "edges to sections that are not there")):
        names = [row["id"] for row in rows.orderBy("id").limit(3).collect()]
        if names:
            problems.append(f"{complaint}: {', '.join(map(str, names))}")
    if problems:
        raise AntinomyError(
            f"the graph of sections is broken ({'; '.join(problems)}): run parse and the stages after it again"
        )
    return GraphFrame(vertices, edges)


def cited_provisions(graph: GraphFrame) -> DataFrame:
    """Find what each provision rests on: the sections that it, or one of its list items, cites.

    A unit is a provision with its list items, so both motifs count: ``(p)-[CITES]->(t)`` and
    ``(p)-[CONTAINS]->(i); (i)-[CITES]->(t)``.

    Returns:
        Distinct rows ``section_id``, ``cited_id``, ``hops`` (1: cited by itself, 2: by an item); a provision's own
        items are not among them.
    """
    from pyspark.sql import functions as F

    own = graph.find("(p)-[c]->(t)").where("c.relation = 'CITES'")
    by_item = graph.find("(p)-[h]->(i); (i)-[c]->(t)").where(
        "h.relation = 'CONTAINS' and c.relation = 'CITES' and t.id <> p.id"
    )
    both = own.selectExpr("p.id as section_id", "t.id as cited_id", "1 as hops").unionByName(
        by_item.selectExpr("p.id as section_id", "t.id as cited_id", "2 as hops")
    )
    items = graph.edges.where("relation = 'CONTAINS'").selectExpr("src as section_id", "dst as cited_id")
    return (
        both.join(items, ["section_id", "cited_id"], "left_anti")
        .groupBy("section_id", "cited_id")
        .agg(F.min("hops").alias("hops"))
    )


def page_rank(graph: GraphFrame) -> DataFrame:
    """Rank sections by how much cites them (Brin and Page 1998, damping 0.85), over the CITES edges alone.

    Returns:
        One row per section: ``section_id`` and ``pagerank``; a section that nothing cites has the lowest rank and the
        ranks sum to the number of sections.
    """
    from graphframes import GraphFrame

    cites = graph.edges.where("relation = 'CITES'").select("src", "dst")
    if cites.isEmpty():
        return graph.vertices.selectExpr("id as section_id", "1.0D as pagerank")
    ranked = GraphFrame(graph.vertices.select("id"), cites).pageRank(resetProbability=0.15, tol=_PAGERANK_TOLERANCE)
    return ranked.vertices.selectExpr("id as section_id", "pagerank")


def components(edges: DataFrame) -> DataFrame:
    """Group sections that edges connect.

    GraphFrames' own algorithm checkpoints each of many small joins and took 23–60 s on 300 vertices where GraphX's
    took 3–8 s; conflict graphs have thousands of edges, not billions. GraphX labels components by numbers of its
    own making, so each is named here after its smallest section id, the same on every run.

    Args:
        edges: columns ``src`` and ``dst``; direction and repeats do not matter.

    Returns:
        One row per section with an edge: ``id`` and ``component``, the smallest id in its group.
    """
    from graphframes import GraphFrame
    from pyspark.sql import functions as F

    vertices = edges.select(F.explode(F.array("src", "dst")).alias("id")).distinct()
    if vertices.isEmpty():
        return vertices.withColumn("component", F.col("id"))
    found = GraphFrame(vertices, edges.select("src", "dst")).connectedComponents(algorithm="graphx")
    names = found.groupBy("component").agg(F.min("id").alias("name"))
    # The result of GraphFrames stays in Spark's cache until told otherwise; keep only the two columns.
    labelled = found.join(names, "component").select("id", F.col("name").alias("component")).localCheckpoint()
    found.unpersist()
    return labelled
