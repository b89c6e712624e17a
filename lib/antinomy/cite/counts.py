"""Counts of citations, for the run's report."""

from __future__ import annotations

from collections.abc import Iterable

from antinomy import section_ids as ids
from antinomy.cite.model import Row


def count_citations(rows: Iterable[Row]) -> dict[str, object]:
    """Count citations for the run's report.

    Returns:
        ``edges`` and ``phrases``; ``kinds``: kind → resolution → edges; ``resolutions``: resolution → edges;
        ``internal``: phrases and edges that point into their own document (mentions of the act as a whole
        aside), how many of those edges are exact and their share, and in ``not_exact`` every other one with
        its words and reason.
    """
    kinds: dict[str, dict[str, int]] = {}
    totals: dict[str, int] = {}
    groups: set[object] = set()
    own_groups: set[object] = set()
    own = exact = 0
    not_exact: list[dict[str, object]] = []
    for row in rows:
        kind, resolution = str(row["kind"]), str(row["resolution"])
        kinds.setdefault(kind, {}).setdefault(resolution, 0)
        kinds[kind][resolution] += 1
        totals[resolution] = totals.get(resolution, 0) + 1
        groups.add(row["group_id"])
        source = ids.split_section_id(str(row["src_section_id"]))[0]
        if row["doc_ref"] != source or (resolution == "exact" and row["target_eid"] is None):
            continue
        own += 1
        own_groups.add(row["group_id"])
        if resolution == "exact":
            exact += 1
        else:
            not_exact.append({key: row[key] for key in ("src_section_id", "raw_text", "resolution", "reason")})
    return {
        "edges": sum(totals.values()),
        "phrases": len(groups),
        "resolutions": dict(sorted(totals.items())),
        "kinds": {kind: dict(sorted(counts.items())) for kind, counts in sorted(kinds.items())},
        "internal": {
            "phrases": len(own_groups),
            "edges": own,
            "exact": exact,
            "share": round(exact / own, 4) if own else 1.0,
            "not_exact": not_exact,
        },
    }
