"""The graph of provisions on GraphFrames: which provisions weigh most, which conflicts belong together.

Vertices are sections, an edge CITES goes to the section that a citation resolves to (Barry et al. 2025).
GraphFrames wants columns ``id``, ``src`` and ``dst``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from antinomy.errors import AntinomyError

if TYPE_CHECKING:
    from graphframes import GraphFrame
    from pyspark.sql import DataFrame

#: PageRank stops when no rank moves by more than this; the mean rank is 1.
_PAGERANK_TOLERANCE = 1e-3


def citation_graph(sections: DataFrame, citations: DataFrame) -> GraphFrame:
    """Build the graph of sections and what they cite, and check that it is whole.

    ``GraphFrame.validate`` only counts; an engineer wants to know which rows are wrong.

    Args:
        sections: table ``sections``.
        citations: table ``citations``; those that resolve to no section of the corpus make no edge, a section
            that cites another twice makes one.

    Returns:
        A GraphFrame with vertices ``id`` and edges ``src``, ``dst``.

    Raises:
        AntinomyError: if a section stands twice or an edge ends at no section; names up to three of each.
    """
    from graphframes import GraphFrame
    from pyspark.sql import functions as F

    vertices = sections.select(F.col("section_id").alias("id"))
    edges = (
        citations.where("target_section_id is not null and src_section_id <> target_section_id")
        .select(F.col("src_section_id").alias("src"), F.col("target_section_id").alias("dst"))
        .distinct()
        .localCheckpoint()
    )
    repeated = vertices.groupBy("id").count().where("count > 1").select("id")
    ends = edges.select(F.explode(F.array("src", "dst")).alias("id")).distinct()
    missing = ends.join(vertices, "id", "left_anti")
    problems = []
    for rows, complaint in (
        (repeated, "sections standing twice"),
        (missing, "citations from or to no section"),
    ):
        names = [row["id"] for row in rows.orderBy("id").limit(3).collect()]
        if names:
            problems.append(f"{complaint}: {', '.join(map(str, names))}")
    if problems:
        raise AntinomyError(
            f"tables sections and citations do not fit ({'; '.join(problems)}): run parse and what follows"
        )
    return GraphFrame(vertices, edges)


def page_rank(graph: GraphFrame) -> DataFrame:
    """Rank sections by how much cites them (Brin and Page 1998, damping 0.85).

    Returns:
        One row per section: ``section_id`` and ``pagerank``. Ranks sum to the number of sections; one that
        nothing cites has the lowest.
    """
    ranks: DataFrame
    if graph.edges.isEmpty():
        ranks = graph.vertices.selectExpr("id as section_id", "1.0D as pagerank")
    else:
        ranks = graph.pageRank(tol=_PAGERANK_TOLERANCE).vertices.selectExpr("id as section_id", "pagerank")
    return ranks


def components(edges: DataFrame) -> DataFrame:
    """Group sections that edges connect.

    GraphFrames' own algorithm is made for billions of edges: it checkpoints every step and took eight times
    as long as GraphX's on 300 vertices; conflicts are thousands at most. GraphX numbers components as it
    likes, so each is named here after its smallest section id, the same on every run.

    Args:
        edges: columns ``src`` and ``dst``; direction and repeats do not matter.

    Returns:
        One row per section with an edge: ``id`` and ``component``, the smallest id in its group.
    """
    from graphframes import GraphFrame
    from pyspark.sql import functions as F

    # Read several times below, and small: cut off from what they were made of.
    edges = edges.select("src", "dst").distinct().localCheckpoint()
    vertices = edges.select(F.explode(F.array("src", "dst")).alias("id")).distinct().localCheckpoint()
    if vertices.isEmpty():
        return vertices.withColumn("component", F.col("id"))
    found = GraphFrame(vertices, edges).connectedComponents(algorithm="graphx")
    names = found.groupBy("component").agg(F.min("id").alias("name"))
    # The result of GraphFrames stays in Spark's cache until told otherwise; keep only the two columns.
    labelled: DataFrame = found.join(names, "component").select("id", F.col("name").alias("component"))
    labelled = labelled.localCheckpoint()
    found.unpersist()
    return labelled
