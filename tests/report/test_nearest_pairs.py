"""The pairs that come nearest to a conflict."""

from __future__ import annotations

from typing import Any

import pyarrow as pa

from antinomy.report.nearest_pairs import NEAREST, nearest_pairs
from report import invented

Rows = list[dict[str, Any]]


def _run(verdicts: Rows) -> tuple[pa.Table, pa.Table, pa.Table, pa.Table]:
    """Return verdicts, units, sections and documents in which these verdicts stand."""
    sides = {row[f"{side}_id"]: (row, side) for row in verdicts for side in ("left", "right")}
    units = [
        {
            "unit_id": name, "section_id": name, "doc_id": row[f"{side}_doc"], "label": row[f"{side}_label"],
            "heading_path": row[f"{side}_path"], "unit_text": row[f"{side}_text"], "context": "",
        }
        for name, (row, side) in sides.items()
    ]  # fmt: skip
    sections = [
        {
            "section_id": name, "doc_id": row[f"{side}_doc"], "heading": "", "page_start": row[f"{side}_page"],
            "position": position,
        }
        for position, (name, (row, side)) in enumerate(sides.items())
    ]  # fmt: skip
    placed = [row | {"left_unit_id": row["left_id"], "right_unit_id": row["right_id"]} for row in verdicts]
    tables = {"verdicts": placed, "units": units, "sections": sections, "documents": invented.DOCUMENTS}
    made = {name: invented.table(name, rows) for name, rows in tables.items()}
    return made["verdicts"], made["units"], made["sections"], made["documents"]


def _verdict(k: int, **changes: Any) -> dict[str, Any]:
    row = invented.many(k + 1)[k]
    return row | {"relation": "none", "p_conflict": k / 100, "pair_key": f"{k:032x}"} | changes


def test_the_highest_of_those_that_are_no_findings_come_first() -> None:
    verdicts = [_verdict(k) for k in range(40)]
    listed = {invented.finding_id(verdicts[39]["left_id"], verdicts[39]["right_id"])}
    found = nearest_pairs(*_run(verdicts), listed)
    assert [row["p_conflict"] for row in found] == [k / 100 for k in range(38, 38 - NEAREST, -1)]
    assert found[0]["left_text"] == verdicts[38]["left_text"]
    assert found[0]["right_label"] == verdicts[38]["right_label"]
    assert found[0]["left_page"] == verdicts[38]["left_page"]


def test_after_the_first_five_only_possible_conflicts_are_shown() -> None:
    found = nearest_pairs(*_run([_verdict(k) for k in range(7)]), ())
    assert [row["p_conflict"] for row in found] == [0.06, 0.05, 0.04, 0.03, 0.02]
    found = nearest_pairs(*_run([_verdict(k) for k in range(12)]), ())
    assert [row["p_conflict"] for row in found] == [k / 100 for k in range(11, 4, -1)]


def test_what_the_judge_failed_on_is_not_near() -> None:
    open_ = _verdict(5, relation=None, status="error", p_conflict=None)
    found = nearest_pairs(*_run([_verdict(3), open_]), ())
    assert [row["p_conflict"] for row in found] == [0.03]
