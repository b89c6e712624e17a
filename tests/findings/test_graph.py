"""The graph against networkx, and the checks that come before it."""

from __future__ import annotations

import random

import networkx as nx
import pytest

from antinomy.errors import AntinomyError
from antinomy.findings import graph


def test_components_are_what_can_be_reached_and_have_stable_names() -> None:
    edges = [("a#3", "b#1"), ("b#1", "c#2"), ("d#5", "e#4"), ("c#2", "a#3"), ("a#3", "b#1"), ("z#1", "z#1")]
    first = {"a#3": "a#3", "b#1": "a#3", "c#2": "a#3", "d#5": "d#5", "e#4": "d#5", "z#1": "z#1"}
    assert graph.components(edges) == first
    assert graph.components([(b, a) for a, b in reversed(edges)]) == first
    assert graph.components([]) == {}


@pytest.mark.parametrize(("sections", "citations"), [(60, 150), (500, 40), (2000, 9000)])
def test_page_rank_agrees_with_networkx(sections: int, citations: int) -> None:
    rng = random.Random(7)
    names = [f"d#{n}" for n in range(sections)]
    # Repeats and self-citations are in on purpose: a provision that names another twice does not count twice.
    cites = [(rng.choice(names), rng.choice(names[: sections // 3])) for _ in range(citations)]
    cites += cites[:10]
    ranks = dict(zip(names, graph.page_rank(names, [*cites, ("d#1", None)]), strict=True))
    oracle = nx.DiGraph((a, b) for a, b in cites if a != b)
    oracle.add_nodes_from(names)
    expected = nx.pagerank(oracle, alpha=0.85, tol=1e-10, max_iter=500)
    assert ranks == pytest.approx({name: rank * len(names) for name, rank in expected.items()}, rel=1e-4)


def test_page_rank_ends_on_two_that_cite_only_each_other() -> None:
    # Rank goes round in circles here for as long as it can.
    ranks = graph.page_rank(["d#1", "d#2", "d#3"], [("d#1", "d#2"), ("d#2", "d#1"), ("d#3", "d#1")])
    oracle = nx.pagerank(nx.DiGraph([(1, 2), (2, 1), (3, 1)]), alpha=0.85, tol=1e-10, max_iter=500)
    assert list(ranks) == pytest.approx([3 * oracle[n] for n in (1, 2, 3)], rel=1e-4)


def test_page_rank_without_citations_treats_all_alike() -> None:
    assert list(graph.page_rank(["d#1", "d#2"], [])) == pytest.approx([1.0, 1.0])
    assert list(graph.page_rank([], [])) == []


def test_a_broken_graph_is_refused_with_the_names() -> None:
    with pytest.raises(AntinomyError, match=r"standing twice: d#1.*no section: d#7"):
        graph.page_rank(["d#1", "d#1", "d#2"], [("d#1", "d#7")])
