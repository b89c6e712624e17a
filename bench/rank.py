"""Seconds of PageRank over invented citation graphs: ``python bench/rank.py``.

Two citations a section, as in handbooks and acts, most of them to few provisions. networkx stands beside it.
"""

from __future__ import annotations

import random
import time

import networkx as nx

from antinomy.findings import graph

_SIZES = (200, 2_000, 20_000, 200_000)
_CITATIONS_PER_SECTION = 2


def main() -> None:
    print(f"{'sections':>10}{'citations':>11}{'seconds':>9}{'networkx':>10}")
    for size in _SIZES:
        rng = random.Random(11)
        names = [f"act#art_{n}" for n in range(size)]
        # The square of a share: a tenth of the provisions gets a third of the citations.
        cites = [
            (rng.choice(names), names[int(size * rng.random() ** 2)]) for _ in range(size * _CITATIONS_PER_SECTION)
        ]
        clock = time.monotonic()
        graph.page_rank(names, cites)
        ours = time.monotonic() - clock
        clock = time.monotonic()
        oracle = nx.DiGraph(cites)
        oracle.add_nodes_from(names)
        nx.pagerank(oracle)
        print(f"{size:>10,}{len(cites):>11,}{ours:>9.3f}{time.monotonic() - clock:>10.3f}")


if __name__ == "__main__":
    main()
