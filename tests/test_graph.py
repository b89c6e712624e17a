"""The graph against networkx, and the checks that come before it."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import networkx as nx
import pytest

from antinomy import graph
from antinomy.errors import AntinomyError

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

pytestmark = pytest.mark.spark

_CITATIONS = "src_section_id string, target_section_id string"


def _sections(spark: SparkSession, ids: list[str]) -> DataFrame:
    return spark.createDataFrame([(i,) for i in ids], "section_id string")


def test_components_agree_with_networkx_and_have_stable_names(spark: SparkSession) -> None:
    rng = random.Random(5)
    pairs = [(f"a#{rng.randrange(40)}", f"b#{rng.randrange(40)}") for _ in range(35)]
    found = {
        row["id"]: row["component"]
        for row in graph.components(spark.createDataFrame(pairs, "src string, dst string")).collect()
    }
    expected = {node: min(group) for group in nx.connected_components(nx.Graph(pairs)) for node in group}
    assert found == expected


def test_components_of_nothing_are_nothing(spark: SparkSession) -> None:
    assert graph.components(spark.createDataFrame([], "src string, dst string")).count() == 0


def test_page_rank_agrees_with_networkx(spark: SparkSession) -> None:
    rng = random.Random(7)
    names = [f"d#{n}" for n in range(60)]
    # Repeats and self-citations are in on purpose: a provision that names another twice does not count twice.
    cites = [(rng.choice(names), rng.choice(names[:20])) for _ in range(150)]
    cites += cites[:10]
    built = graph.citation_graph(
        _sections(spark, names),
        spark.createDataFrame([*cites, ("d#1", None)], _CITATIONS),
    )
    ranks = {row["section_id"]: row["pagerank"] for row in graph.page_rank(built).collect()}
    oracle = nx.DiGraph((a, b) for a, b in cites if a != b)
    oracle.add_nodes_from(names)
    expected = nx.pagerank(oracle, alpha=0.85, tol=1e-10, max_iter=500)
    assert ranks == pytest.approx({name: rank * len(names) for name, rank in expected.items()}, rel=0.01)


def test_page_rank_without_citations_treats_all_alike(spark: SparkSession) -> None:
    built = graph.citation_graph(_sections(spark, ["d#1", "d#2"]), spark.createDataFrame([], _CITATIONS))
    assert {row["pagerank"] for row in graph.page_rank(built).collect()} == {1.0}


def test_a_broken_graph_is_refused_with_the_names(spark: SparkSession) -> None:
    sections = _sections(spark, ["d#1", "d#1", "d#2"])
    with pytest.raises(AntinomyError, match=r"standing twice: d#1.*no section: d#7"):
        graph.citation_graph(sections, spark.createDataFrame([("d#1", "d#7")], _CITATIONS))
