"""The picture of topics: each a small graph of provisions, laid out here and drawn as SVG by the template."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import networkx as nx

#: More topics or provisions make a picture that nobody reads; the page says how many it leaves out.
MOST_TOPICS = 12
MOST_PROVISIONS = 40
_COLUMNS = 4
_WIDTH, _HEIGHT, _TITLE, _MARGIN = 300, 210, 40, 26
_RADIUS = 6
#: Distance that the layout wants between provisions, over its default: a hub's neighbours must not lie in a
#: heap.
_SPREAD = 2.0
#: Labels of more provisions than these cover each other.
_LABELLED = 6


@dataclass(frozen=True)
class Node:
    """A provision in the picture; ``left`` tells its side, ``label`` is "" where there is no room for one."""

    x: float
    y: float
    left: bool
    title: str
    label: str


@dataclass(frozen=True)
class Edge:
    """A finding between two provisions, in the picture's units."""

    x1: float
    y1: float
    x2: float
    y2: float
    relation: str


@dataclass(frozen=True)
class Panel:
    """One topic; ``x`` and ``y`` are where its panel's top left corner lies."""

    x: float
    y: float
    cluster_id: str
    name: str
    findings: int
    conflicts: int
    hidden: int
    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]


@dataclass(frozen=True)
class Picture:
    """Panels in rows; ``width`` and ``height`` in SVG units; ``left_out`` topics are not shown."""

    width: int
    height: int
    panel_width: int
    panel_height: int
    panels: tuple[Panel, ...]
    left_out: int


def layout_topics(findings: Sequence[Mapping[str, Any]], topics: Sequence[Mapping[str, Any]]) -> Picture:
    """Lay out the best-ranked topics.

    Args:
        findings: open findings, best first.
        topics: as in ``Aggregates.topics``.

    Returns:
        The same picture for the same findings: the layout (Fruchterman and Reingold 1991) has a fixed
        seed.
    """
    of_topic: dict[str, list[Mapping[str, Any]]] = {}
    for row in findings:
        if row["cluster_id"]:
            of_topic.setdefault(row["cluster_id"], []).append(row)
    # A pair that stands alone needs no picture.
    drawn = [topic for topic in topics if len(of_topic.get(topic["cluster_id"], ())) > 1]
    panels = tuple(
        _panel(topic, of_topic[topic["cluster_id"]], n % _COLUMNS * _WIDTH, n // _COLUMNS * _HEIGHT)
        for n, topic in enumerate(drawn[:MOST_TOPICS])
    )
    rows = math.ceil(len(panels) / _COLUMNS)
    return Picture(
        min(len(panels), _COLUMNS) * _WIDTH,
        rows * _HEIGHT,
        _WIDTH,
        _HEIGHT,
        panels,
        len(topics) - len(panels),
    )


def _panel(topic: Mapping[str, Any], rows: Sequence[Mapping[str, Any]], x: float, y: float) -> Panel:
    graph = nx.Graph()
    for row in rows:
        ends = [row["left_id"], row["right_id"]]
        new = [end for end in ends if end not in graph]
        if graph.number_of_nodes() + len(new) > MOST_PROVISIONS:
            continue
        for end, side in zip(ends, ("left", "right"), strict=True):
            if end not in graph:
                graph.add_node(end, left=side == "left", label=row[f"{side}_label"], doc=row[f"{side}_doc"])
        if not graph.has_edge(*ends):
            graph.add_edge(*ends, relation=row["relation"])
    everything = {row[f"{side}_id"] for row in rows for side in ("left", "right")}
    placed = _fit(nx.spring_layout(graph, seed=7, iterations=300, k=_SPREAD / math.sqrt(len(graph))), x, y)
    labelled = graph.number_of_nodes() <= _LABELLED
    nodes = tuple(
        Node(*placed[end], data["left"], f"{data['label']} ({data['doc']})", _short(data["label"]) if labelled else "")
        for end, data in graph.nodes(data=True)
    )
    edges = tuple(Edge(*placed[a], *placed[b], data["relation"]) for a, b, data in graph.edges(data=True))
    return Panel(
        x, y, topic["cluster_id"], topic["topic"], topic["findings"], topic["conflicts"],
        len(everything) - len(nodes), nodes, edges,
    )  # fmt: skip


def _short(label: str) -> str:
    """Return a label from its innermost heading on: labels of one chapter begin alike, and little of one is shown."""
    innermost = label.rfind("“")
    return label[innermost:] if innermost > 0 else label


def _fit(positions: Mapping[str, Any], x: float, y: float) -> dict[str, tuple[float, float]]:
    """Stretch a layout to fill its panel under the title."""
    xs = [float(p[0]) for p in positions.values()]
    ys = [float(p[1]) for p in positions.values()]
    room_x, room_y = _WIDTH - 2 * _MARGIN - 2 * _RADIUS, _HEIGHT - _TITLE - 2 * _MARGIN
    span_x, span_y = max(xs) - min(xs) or 1.0, max(ys) - min(ys) or 1.0
    return {
        end: (
            round(x + _MARGIN + _RADIUS + (float(px) - min(xs)) / span_x * room_x, 1),
            round(y + _TITLE + _MARGIN + (float(py) - min(ys)) / span_y * room_y, 1),
        )
        for end, (px, py) in positions.items()
    }
