"""Rows of ``coverage`` as something to decide on, in the same log as findings and by the same rule.

A decision on a provision is about its text and that of its best counterpart; where nothing corresponds, about its own
text alone. So it lapses when either text changes, when another counterpart becomes the best one, and when a gap closes
or opens.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from antinomy.findings import decisions
from antinomy.store import tables

Row = Mapping[str, Any]


@dataclass(frozen=True)
class Tables:
    """``coverage`` and ``counterparts`` of a run.

    Attributes:
        coverage, counterparts: rows, in the order in which they were written.
    """

    coverage: list[dict[str, Any]]
    counterparts: list[dict[str, Any]]

    @property
    def subjects(self) -> dict[str, dict[str, Any]]:
        """What decisions on the rows of ``coverage`` are about, see ``subjects``."""
        return subjects(self.coverage, self.counterparts)


def read(warehouse: str, run_id: str) -> Tables:
    """Read both tables of a run; empty where a run was reported before there were any.

    Raises:
        StorageError: if they cannot be read.
    """
    if not tables.has(warehouse, "coverage", run_id):
        return Tables([], [])
    return Tables(*(tables.read_rows(warehouse, name, run_id) for name in ("coverage", "counterparts")))


def subjects(coverage: Iterable[Row], counterparts: Iterable[Row]) -> dict[str, dict[str, Any]]:
    """Shape rows of ``coverage`` as findings are, so that ``decisions`` and the conflict log take them.

    Args:
        coverage, counterparts: rows of these tables.

    Returns:
        By coverage_id: left is the provision, right its best counterpart, None where the row has none. ``relation`` is
        the state of the row. A judge is not named: the state rests on several verdicts.
    """
    best = {(row["section_id"], row["other"]): row for row in counterparts if row["place"] == 1}
    return {row["coverage_id"]: _subject(row, best) for row in coverage}


def mark(coverage: Iterable[dict[str, Any]], counterparts: Iterable[Row], said: Sequence[Row]) -> None:
    """Put the last word on each row into its columns of a decision, if it still holds; see ``decisions.put``.

    Args:
        coverage: rows of the table, changed in place.
        counterparts: rows of the table.
        said: rows of ``decisions``.
    """
    rows = list(coverage)
    of_row, last = subjects(rows, counterparts), decisions.latest(said)
    for row in rows:
        decisions.put(row, of_row[row["coverage_id"]], last)


def _subject(row: Row, best: Mapping[tuple[str, str], Row]) -> dict[str, Any]:
    there = best.get((row["section_id"], row["other"])) if row["counterparts"] else None
    seen: Row = there or {}
    return {
        "finding_id": row["coverage_id"], "relation": row["state"], "pair_key": seen.get("pair_key"),
        "left_id": row["section_id"], "left_doc": row["doc_id"], "left_label": row["label"],
        "left_sha256": row["text_sha256"], "right_id": seen.get("counterpart_id"),
        "right_doc": seen.get("counterpart_doc"), "right_label": seen.get("counterpart_label"),
        "right_sha256": seen.get("counterpart_text_sha256"),
        "judge": None, "model": None, "prompt_sha256": None, "p_judge": None,
    }  # fmt: skip
