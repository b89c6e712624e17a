"""How sound a finished tree is: the places where its structure looks wrong, and a score.

Coverage counts words; a tree can hold every word and still have lost its structure. This module looks at what a
reader of the tree would notice: 3 after 1, a point among paragraphs, a page of text in one unit.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from antinomy.parse.structure import numbers, texts
from antinomy.parse.structure.fault import Fault, Node

_UNRESOLVED_COST = 0.25
#: A tree is flat if more than this share of its nodes' worth of text is not parted.
_FLAT_SHARE = 0.2


@dataclass(frozen=True, slots=True)
class Structure:
    """A tree's score.

    Attributes:
        score: share of its nodes that no fault puts in doubt, in [0, 1].
        faults: the places, the worst first; those alike in reading order.
        nodes: how many it has.
    """

    score: float
    faults: tuple[Fault, ...]
    nodes: int

    @property
    def flat(self) -> bool:
        """Whether much of the text hangs together that should be apart, or there is no tree at all."""
        lost = sum(fault.cost for fault in self.faults if fault.kind in ("long", "root", "labels"))
        return self.score <= 0 or lost > _FLAT_SHARE * self.nodes


def assess(nodes: Sequence[Node]) -> Structure:
    """Score a tree by what can be told from it alone.

    Args:
        nodes: in reading order, parents before children.
    """
    by_eid = {node.eid: node for node in nodes}
    position = {node.eid: at for at, node in enumerate(nodes)}
    faults = [
        *numbers.out_of_sequence(nodes, by_eid),
        *numbers.unlike_siblings(nodes),
        *texts.overfull_texts(nodes),
        *texts.merged_columns(nodes),
        *texts.unread_numbers(nodes),
        *texts.lost_numbers(nodes),
        *texts.bare_texts(nodes, by_eid),
        *texts.markup(nodes),
        *texts.headings_in_texts(nodes),
        *texts.empty_headings(nodes),
        *texts.counted_headings(nodes),
        *texts.orphan_notes(nodes),
    ]
    faults.sort(key=lambda fault: (-fault.cost, position[fault.eid]))
    doubt = sum(fault.cost for fault in faults)
    return Structure(max(0.0, 1 - doubt / len(nodes)) if nodes else 0.0, tuple(faults), len(nodes))


def with_citations(score: float, nodes: int, unresolved: int) -> float:
    """Lower a tree's score by the citations of its own provisions that lead to none: these may be what it lacks.

    Args:
        score: of ``assess``.
        nodes: how many the tree has.
        unresolved: how many such citations there are.
    """
    return max(0.0, score - _UNRESOLVED_COST * unresolved / nodes) if nodes else 0.0
