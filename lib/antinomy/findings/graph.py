"""The graph of provisions: which provisions weigh most, which findings belong together.

Vertices are sections, an edge CITES goes to the section that a citation resolves to (Barry et al. 2025). Both
algorithms run in this process: edges are pairs of numbers here, and a corpus of 200,000 sections is ranked in the time
in which Spark plans one iteration (``bench/rank.py``). Patterns over the whole graph are asked of GraphFrames, see
``embed.context``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from antinomy.errors import AntinomyError

if TYPE_CHECKING:
    from numpy.typing import NDArray

_DAMPING = 0.85
#: PageRank stops when no rank moves by more than this; the mean rank is 1.
_TOLERANCE = 1e-6
#: Each step moves ranks by at most 0.85 times as much as the one before, so this many are always enough.
_STEPS = 200
#: Number of wrong rows that an error names: an engineer needs examples, not all.
_NAMED = 3


def citation_edges(sections: Sequence[str], citations: Iterable[tuple[str | None, str | None]]) -> NDArray[np.int64]:
    """Number the edges of the citation graph, and check that it is whole.

    Args:
        sections: section ids.
        citations: section id that cites, section id that is cited or None; one that resolves to no section of the
            corpus makes no edge, a section that cites another twice makes one, a citation of oneself none.

    Returns:
        An array of shape (2, edges): indices into ``sections`` of the citing and the cited section.

    Raises:
        AntinomyError: if a section occurs twice or an edge ends at no section; names up to three of each.
    """
    indices: dict[str, int] = {}
    repeated = set()
    for index, name in enumerate(sections):
        if indices.setdefault(name, index) != index:
            repeated.add(name)
    edges = {(source, target) for source, target in citations if target is not None and source != target}
    missing = {str(end) for edge in edges for end in edge if end not in indices}
    problems = [
        f"{complaint}: {', '.join(sorted(names)[:_NAMED])}"
        for complaint, names in (("sections standing twice", repeated), ("citations from or to no section", missing))
        if names
    ]
    if problems:
        raise AntinomyError(
            f"tables sections and citations do not fit ({'; '.join(problems)}): run parse and what follows"
        )
    # Sorted, so that floating-point sums are the same in every run.
    numbered = sorted((indices[str(source)], indices[str(target)]) for source, target in edges)
    return np.array(numbered, dtype=np.int64).reshape(-1, 2).T


def page_rank(sections: Sequence[str], citations: Iterable[tuple[str | None, str | None]]) -> NDArray[np.float64]:
    """Rank sections by how much cites them (Brin and Page 1998, damping 0.85), by power iteration.

    Args:
        sections, citations: as for ``citation_edges``.

    Returns:
        The rank of each section, in their order. Ranks sum to the number of sections; one that nothing cites has the
        lowest. What cites nothing shares its rank out among all.

    Raises:
        AntinomyError: as ``citation_edges``.
    """
    source, target = citation_edges(sections, citations)
    n = len(sections)
    outgoing = np.bincount(source, minlength=n)
    dangling = outgoing == 0
    ranks = np.ones(n)
    for _ in range(_STEPS):
        passed = np.bincount(target, weights=ranks[source] / outgoing[source], minlength=n)
        moved = (1 - _DAMPING) + _DAMPING * (passed + ranks[dangling].sum() / max(n, 1))
        change = np.abs(moved - ranks).max(initial=0.0)
        ranks = moved
        if change < _TOLERANCE:
            break
    return ranks


def components(edges: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Group sections that edges connect.

    Args:
        edges: pairs of section ids; direction and repeats do not matter.

    Returns:
        Each section with an edge → the smallest id in its group, the same on every run.
    """
    import networkx as nx

    groups = nx.connected_components(nx.Graph(edges))
    return {name: smallest for group in groups for smallest in (min(group),) for name in group}
