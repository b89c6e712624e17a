"""A place where a finished tree looks wrong."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

#: What a number costs that does not follow the one before, in provisions.
BREAK_COST = 5.0
#: So many cases of one kind are no chance.
NO_CHANCE = 3


class Node(Protocol):
    """What a tree's node must have: a ``model.Section`` or a row of the table ``sections``."""

    eid: str
    type: str
    number: str
    heading: str
    label: str
    text: str
    parent_eid: str


@dataclass(frozen=True, slots=True)
class Fault:
    """A place where a tree looks wrong.

    Attributes:
        kind: ``sequence``, ``siblings``, ``long``, ``root``, ``labels``, ``unread``, ``bare``, ``markup``, ``headings``
            or ``notes``.
        eid: the node.
        message: what is wrong where, a sentence without a full stop.
        cost: how many provisions it puts in doubt.
    """

    kind: str
    eid: str
    message: str
    cost: float
