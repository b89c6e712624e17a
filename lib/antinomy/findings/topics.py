"""Topics: provisions connected by conflicts, named by the headings above most of them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from antinomy.embed.units import nearest_heading
from antinomy.findings import graph
from antinomy.vocabulary import Relation

#: Relations that tie provisions into one topic; a shared term alone ties half a handbook together.
_TYING = (Relation.CONFLICT, Relation.STRICTER)


def group_by_topic(found: Sequence[Mapping[str, Any]]) -> dict[str, tuple[str, str]]:
    """Group findings into topics: the connected components over conflicts and stricter pairs.

    A finding of another relation joins the topic of its left provision, else of its right one, else none.

    Args:
        found: finding_id, relation, left_id, right_id, left_path, right_path, left_label, right_label.

    Returns:
        finding_id → ``cluster_id`` (the smallest section id of the topic) and ``topic`` (the commonest heading of
        either side); only findings that have a topic.
    """
    grouped = graph.components((row["left_id"], row["right_id"]) for row in found if row["relation"] in _TYING)
    clusters: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
    for row in found:
        cluster = grouped.get(row["left_id"]) or grouped.get(row["right_id"])
        if cluster:
            clusters[cluster].append(row)
    return {row["finding_id"]: (cluster, _name(rows)) for cluster, rows in clusters.items() for row in rows}


def _name(rows: Sequence[Mapping[str, Any]]) -> str:
    commonest = []
    for side in ("left", "right"):
        provisions = {row[f"{side}_id"]: _heading(row[f"{side}_path"], row[f"{side}_label"]) for row in rows}
        counted = Counter(provisions.values())
        commonest.append(min(counted, key=lambda heading: (-counted[heading], heading)))
    return " / ".join(dict.fromkeys(commonest))


def _heading(path: str, label: str) -> str:
    return nearest_heading(path).strip() or label
