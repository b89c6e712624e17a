"""Rows of ``coverage`` as subjects of a reviewer's decisions, in the same log as findings and by the same rule.

A decision is about the texts of the provision and its best counterpart; where nothing corresponds, about the
provision's text alone. So it lapses when either text changes, when another counterpart becomes the best one, and when a
gap closes or opens.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from antinomy.findings import decisions
from antinomy.store import tables
from antinomy.store.rows import CounterpartRow, CoverageRow, CoverageSubject, DecisionRow, FindingRow
from antinomy.vocabulary import Decision, FindingState


@dataclass(frozen=True)
class Tables:
    """``coverage`` and ``counterparts`` of a run.

    Attributes:
        coverage, counterparts: rows, in the order in which they were written.
    """

    coverage: list[CoverageRow]
    counterparts: list[CounterpartRow]

    @property
    def subjects(self) -> dict[str, CoverageSubject]:
        """What decisions on the rows of ``coverage`` are about, see ``subjects``."""
        return subjects(self.coverage, self.counterparts)


def read(warehouse: str, run_id: str) -> Tables:
    """Read both tables of a run.

    Raises:
        StorageError: if they cannot be read.
    """
    return Tables(tables.read_rows(warehouse, "coverage", run_id), tables.read_rows(warehouse, "counterparts", run_id))


def subjects(coverage: Iterable[CoverageRow], counterparts: Iterable[CounterpartRow]) -> dict[str, CoverageSubject]:
    """Shape rows of ``coverage`` as findings are, so that ``decisions`` and the conflict log take them.

    Args:
        coverage, counterparts: rows of these tables.

    Returns:
        By coverage_id: left is the provision, right its best counterpart, None where the row has none. ``relation`` is
        the state of the row. A judge is not named: the state rests on several verdicts.
    """
    best = {(row["section_id"], row["other"]): row for row in counterparts if row["place"] == 1}
    return {row["coverage_id"]: _subject(row, best) for row in coverage}


def mark(coverage: Iterable[CoverageRow], counterparts: Iterable[CounterpartRow], said: Iterable[DecisionRow]) -> None:
    """Put the last decision on each row into its columns, if it still holds; see ``decisions.put``.

    Args:
        coverage: rows of the table, changed in place.
        counterparts: rows of the table.
        said: rows of ``decisions``.
    """
    rows = list(coverage)
    of_row, last = subjects(rows, counterparts), decisions.latest(said)
    for row in rows:
        decisions.put(row, of_row[row["coverage_id"]], last)


def rejected_pairs(findings: Iterable[FindingRow]) -> set[frozenset[str]]:
    """Return the section_ids of each pair on which a reviewer rejected a finding of this run."""
    return {
        frozenset((row["left_id"], row["right_id"]))
        for row in findings
        if row["decision"] == Decision.REJECT and row["state"] != FindingState.RESOLVED
    }


def _subject(row: CoverageRow, best: Mapping[tuple[str, str], CounterpartRow]) -> CoverageSubject:
    there = best.get((row["section_id"], row["other"])) if row["counterparts"] else None
    return {
        "finding_id": row["coverage_id"], "relation": row["state"], "pair_key": there["pair_key"] if there else None,
        "left_id": row["section_id"], "left_doc": row["doc_id"], "left_label": row["label"],
        "left_sha256": row["text_sha256"], "right_id": there["counterpart_id"] if there else None,
        "right_doc": there["counterpart_doc"] if there else None,
        "right_label": there["counterpart_label"] if there else None,
        "right_sha256": there["counterpart_text_sha256"] if there else None,
        "judge": None, "model": None, "prompt_sha256": None, "p_judge": None,
    }  # fmt: skip
