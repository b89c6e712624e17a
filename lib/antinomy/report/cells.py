"""Cells of the exports: CSV files, and texts that no spreadsheet takes for a formula."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Mapping, Sequence
from typing import Any

from antinomy.text.characters import CONTROL
from antinomy.vocabulary import Relation

#: What a person looks for first stands left; the rest of the table's columns follows.
_FIRST = (
    "rank", "state", "relation", "kind", "p_conflict", "decision", "decided_note", "left_document", "left_doc",
    "left_label", "left_text", "right_document", "right_doc", "right_label", "right_text", "rationale",
    "evidence_left", "evidence_right", "governs", "topic", "changed", "decided_by", "decided_at", "finding_id",
)  # fmt: skip
#: Excel refuses a workbook with a longer cell.
_LONGEST_CELL = 32_767
_CUT = " … [cut: see the JSON lines]"
#: How a spreadsheet recognises a formula, after blanks that it skips; also in full-width form.
_FORMULA = re.compile(r"[\s\u00a0\ufeff]*[=+\-@＝＋－＠]|[\t\r]")


def csv_bytes(rows: Sequence[Mapping[str, Any]], columns: Sequence[str] = ()) -> bytes:
    """Write rows as CSV in UTF-8, with a byte order mark so that Excel reads it as such.

    A text that a spreadsheet would take for a formula gets an apostrophe in front (OWASP, CSV Injection).

    Args:
        rows: all with the same columns.
        columns: those of a file without rows.
    """
    out = io.StringIO()
    columns = _column_order(list(rows[0]) if rows else columns)
    writer = csv.writer(out)
    writer.writerow(columns)
    writer.writerows([_escape_formula(row[column]) for column in columns] for row in rows)
    return out.getvalue().encode("utf-8-sig")


def _column_order(names: Sequence[str]) -> list[str]:
    """Return columns in the order in which a person reads a finding."""
    return [name for name in _FIRST if name in names] + [name for name in names if name not in _FIRST]


def _escape_formula(value: Any) -> Any:
    return f"'{value}" if isinstance(value, str) and _FORMULA.match(value) else value


def p_claimed(finding: Mapping[str, Any]) -> float | None:
    """Return the probability of the relation that a finding claims; some judges give that of a conflict alone."""
    known: float | None = finding["p_relation"]
    return finding["p_conflict"] if known is None and finding["relation"] == Relation.CONFLICT else known


def cell_text(text: str) -> str:
    """Return a text as it stands in a cell of the workbook: no formula, no control characters, not too long."""
    text = CONTROL.sub("", _escape_formula(text))
    return text if len(text) <= _LONGEST_CELL else text[: _LONGEST_CELL - len(_CUT)] + _CUT


def text_of_cell(text: str) -> str:
    """Return what a cell says, without the apostrophe that ``cell_text`` put before what looks like a formula."""
    return text[1:] if text.startswith("'") and _FORMULA.match(text[1:]) else text
