"""Counts of citations, for the run's report."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable

from antinomy import section_ids as ids
from antinomy.cite.model import Row

#: What the report says of a citation that is not exact.
_TOLD = ("src_section_id", "raw_text", "resolution", "reason")


def count_citations(rows: Iterable[Row]) -> dict[str, object]:
    """Count citations for the run's report.

    Returns:
        ``edges`` and ``phrases``; ``kinds``: kind → resolution → edges; ``resolutions``: resolution → edges;
        ``internal``: phrases and edges that point into their own document (mentions of the act as a whole
        aside), how many of those edges are exact and their share, and in ``not_exact`` every other one with
        its words and reason.
    """
    rows = list(rows)
    kinds: dict[str, Counter[str]] = defaultdict(Counter)
    for row in rows:
        kinds[str(row["kind"])][str(row["resolution"])] += 1
    own = [row for row in rows if _is_internal(row)]
    inexact = [row for row in own if row["resolution"] != "exact"]
    return {
        "edges": len(rows),
        "phrases": len({row["group_id"] for row in rows}),
        "resolutions": dict(sorted(Counter(str(row["resolution"]) for row in rows).items())),
        "kinds": {kind: dict(sorted(counts.items())) for kind, counts in sorted(kinds.items())},
        "internal": {
            "phrases": len({row["group_id"] for row in own}),
            "edges": len(own),
            "exact": len(own) - len(inexact),
            "share": round(1 - len(inexact) / len(own), 4) if own else 1.0,
            "not_exact": [{key: row[key] for key in _TOLD} for row in inexact],
        },
    }


def _is_internal(row: Row) -> bool:
    """Tell whether a citation points into its own document, and not at it as a whole."""
    source = ids.split_section_id(str(row["src_section_id"]))[0]
    return row["doc_ref"] == source and not (row["resolution"] == "exact" and row["target_eid"] is None)
