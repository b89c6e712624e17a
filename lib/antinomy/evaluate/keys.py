"""Keys: JSON-lines files of pairs of provisions whose relation is known."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from antinomy.store import records


def read(path: str) -> list[dict[str, Any]]:
    """Read a key: left and right (section_ids), relation, and whatever else.

    Raises:
        AntinomyError: if it cannot be read, or lacks one of these columns.
    """
    return records.read(path, required=("left", "right", "relation"))


def at_compared(key: Iterable[Mapping[str, Any]], compared: Collection[str]) -> list[dict[str, Any]]:
    """Return a key with each provision replaced by the nearest one above it that the run compares, if there is one.

    A key may name point (a) where a run compares the paragraph with all its points, since a point is no sentence.

    Args:
        key: left, right (section_ids) and whatever else.
        compared: section_ids.
    """
    return [{**row, "left": _nearest(row["left"], compared), "right": _nearest(row["right"], compared)} for row in key]


def _nearest(section_id: str, compared: Collection[str]) -> str:
    above = section_id
    while above and above not in compared:
        above = above.rpartition("__")[0]
    return above or section_id
