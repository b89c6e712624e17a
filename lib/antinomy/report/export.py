"""Findings and the graph for other programs: CSV, XLSX, JSON lines, GraphML. Parquet is the table itself."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import networkx as nx
from openpyxl import Workbook
from openpyxl.cell import WriteOnlyCell
from openpyxl.styles import Alignment, Font, PatternFill
from openpyxl.utils import get_column_letter
from openpyxl.worksheet.datavalidation import DataValidation

from antinomy.judge.evidence import CONTROL
from antinomy.report.aggregates import Aggregates
from antinomy.review.decisions import WORDS

FINDINGS_SHEET = "Findings"
#: What a person looks for first stands left; the rest of the table's columns follows.
_FIRST = (
    "rank", "state", "relation", "kind", "p_conflict", "decision", "decided_note", "left_doc", "left_label",
    "left_text", "right_doc", "right_label", "right_text", "rationale", "evidence_left", "evidence_right", "governs",
    "topic", "changed", "decided_by", "decided_at", "finding_id",
)  # fmt: skip
_WIDE = ("left_text", "right_text", "rationale", "evidence_left", "evidence_right")
_WIDTH, _NOTE_WIDTH, _WIDE_WIDTH = 16, 30, 60
#: Columns that a reviewer fills in, see ``review.workbook``.
_TO_FILL_IN = ("decision", "decided_note")
_FILL = PatternFill("solid", fgColor="FFF0B3")
#: Excel refuses a workbook with a longer cell.
_LONGEST_CELL = 32_767
_CUT = " … [cut: see the JSON lines]"
#: How a spreadsheet recognises a formula, after blanks that it skips; also in full-width form.
_FORMULA = re.compile(r"[\s\u00a0\ufeff]*[=+\-@＝＋－＠]|[\t\r]")
_NOT_XML = re.compile("[\ufffe\uffff]")


def csv_bytes(rows: Sequence[Mapping[str, Any]]) -> bytes:
    """Write rows as CSV in UTF-8, with a byte order mark so that Excel reads it as such.

    A text that a spreadsheet would take for a formula gets an apostrophe in front (OWASP, CSV Injection).
    """
    out = io.StringIO()
    columns = _ordered(rows)
    writer = csv.writer(out)
    writer.writerow(columns)
    writer.writerows([_inert(row[column]) for column in columns] for row in rows)
    return out.getvalue().encode("utf-8-sig")


def jsonl_bytes(rows: Iterable[Mapping[str, Any]]) -> bytes:
    """Write rows as JSON lines, every value as it is in the table."""
    return "".join(json.dumps(dict(row), ensure_ascii=False) + "\n" for row in rows).encode()


def xlsx_bytes(rows: Sequence[Mapping[str, Any]], run: Mapping[str, Any], aggregates: Aggregates) -> bytes:
    """Write a workbook: sheet "Findings", one row each, and sheet "Summary" with the figures of the run.

    Formulas are made inert as in CSV; a text that is too long for a cell is cut and says so. The column ``decision``
    offers the words that a reviewer can choose from; ``review.workbook`` reads it back.

    Args:
        rows: of the ``findings`` table.
        run: the run's manifest, see ``pipeline.manifest``.
        aggregates: counts over all findings.
    """
    book = Workbook(write_only=True)
    sheet = book.create_sheet(FINDINGS_SHEET)
    columns = _ordered(rows)
    for n, column in enumerate(columns, start=1):
        width = _WIDE_WIDTH if column in _WIDE else _NOTE_WIDTH if column == "decided_note" else _WIDTH
        sheet.column_dimensions[get_column_letter(n)].width = width
    sheet.freeze_panes = "A2"
    sheet.append([_cell(sheet, column, bold=True, fill=column in _TO_FILL_IN) for column in columns])
    for row in rows:
        sheet.append([_cell(sheet, row[column]) for column in columns])
    if columns:
        sheet.data_validations.append(_choice(get_column_letter(columns.index("decision") + 1), len(rows) + 1))
        sheet.auto_filter.ref = f"A1:{get_column_letter(len(columns))}{len(rows) + 1}"
    summary = book.create_sheet("Summary")
    summary.column_dimensions["A"].width = summary.column_dimensions["B"].width = 34
    for title, figures in _summary(run, aggregates):
        summary.append([_cell(summary, title, bold=True)])
        for name, value in figures.items():
            summary.append([_cell(summary, name), _cell(summary, value)])
        summary.append([])
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def graphml_bytes(
    sections: Iterable[Mapping[str, Any]],
    citations: Iterable[Mapping[str, Any]],
    similar: Iterable[Mapping[str, Any]],
    findings: Iterable[Mapping[str, Any]],
    facts: Iterable[Mapping[str, Any]] = (),
) -> bytes:
    """Write the graph of a run as GraphML: sections, and edges CONTAINS, CITES, SIMILAR_TO and FOUND.

    A fact is an edge STATES between its subject and its object, which are nodes of their own; ``section_id`` says
    where it stands.

    Args:
        sections, citations, similar, findings, facts: rows of these tables; resolved findings make no edge.
    """
    graph = nx.MultiDiGraph()
    for row in sections:
        graph.add_node(row["section_id"], **_attributes(row, ("doc_id", "type", "label", "heading")))
    for row in sections:
        if row["parent_id"]:
            graph.add_edge(row["parent_id"], row["section_id"], relation="CONTAINS")
    for row in citations:
        if row["target_section_id"]:
            graph.add_edge(
                row["src_section_id"],
                row["target_section_id"],
                relation="CITES",
                **_attributes(row, ("raw_text",)),
            )
    for row in similar:
        graph.add_edge(row["left_id"], row["right_id"], relation="SIMILAR_TO", **_attributes(row, ("score", "own")))
    for row in findings:
        if row["state"] != "resolved":
            said = _attributes(row, ("finding_id", "kind", "p_conflict", "rank", "topic", "decision"))
            graph.add_edge(
                row["left_id"],
                row["right_id"],
                relation="FOUND",
                verdict=row["relation"] or "undecided",
                **said,
            )
    for row in facts:
        ends = [f"{end}: {row[end]}" for end in ("subject", "object")]
        for name, end in zip(ends, ("subject", "object"), strict=True):
            graph.add_node(
                _inert_xml(name), **_attributes({"type": row[f"{end}_type"], "label": row[end]}, ("type", "label"))
            )
        said = _attributes(row, ("predicate", "condition", "section_id", "origin", "confidence", "quote"))
        graph.add_edge(*map(_inert_xml, ends), relation="STATES", **said)
    out = io.BytesIO()
    nx.write_graphml(graph, out)
    return out.getvalue()


def _ordered(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    names = list(rows[0]) if rows else []
    return [name for name in _FIRST if name in names] + [name for name in names if name not in _FIRST]


def _inert(value: Any) -> Any:
    return f"'{value}" if isinstance(value, str) and _FORMULA.match(value) else value


def cell_text(text: str) -> str:
    """Return a text as it stands in a cell of the workbook: no formula, no control characters, not too long."""
    text = CONTROL.sub("", _inert(text))
    return text if len(text) <= _LONGEST_CELL else text[: _LONGEST_CELL - len(_CUT)] + _CUT


def text_of_cell(text: str) -> str:
    """Return what a cell says, without the apostrophe that ``cell_text`` put before what looks like a formula."""
    return text[1:] if text.startswith("'") and _FORMULA.match(text[1:]) else text


def _choice(column: str, last: int) -> DataValidation:
    """Make the list from which a reviewer chooses a decision."""
    made = DataValidation("list", formula1=f'"{",".join(WORDS)}"', allow_blank=True, sqref=f"{column}2:{column}{last}")
    made.errorTitle, made.error = "Decision", f"Choose one of {', '.join(WORDS)}, or leave the cell empty."
    made.promptTitle, made.prompt = "Decision", f"{', '.join(WORDS)}. Say why in the column decided_note."
    made.showErrorMessage = made.showInputMessage = True
    return made


def _cell(sheet: Any, value: Any, bold: bool = False, fill: bool = False) -> Any:
    cell = WriteOnlyCell(sheet, cell_text(value) if isinstance(value, str) else value)
    cell.alignment = Alignment(vertical="top", wrap_text=True)
    if fill:
        cell.fill = _FILL
    if bold:
        cell.font = Font(bold=True)
    return cell


def _summary(run: Mapping[str, Any], aggregates: Aggregates) -> list[tuple[str, Mapping[str, Any]]]:
    # Settings and stages are nested; they are in manifest.json.
    facts = {name.replace("_", " "): value for name, value in run.items() if not isinstance(value, Mapping)}
    return [
        ("Run", facts),
        ("Findings by state", aggregates.by_state),
        ("Findings by relation", aggregates.by_relation),
        ("Conflicts by kind", aggregates.by_kind),
        ("Conflicts by who is bound", {name or "not said": n for name, n in aggregates.by_addressee.items()}),
        ("Findings by decision", {name or "not yet": n for name, n in aggregates.by_decision.items()}),
        ("Conflicts by document", {doc: n.get("conflict", 0) for doc, n in aggregates.by_document.items()}),
        ("Findings by topic", {str(topic["topic"]): topic["findings"] for topic in aggregates.topics}),
    ]


def _inert_xml(text: str) -> str:
    return _NOT_XML.sub("", CONTROL.sub("", text))


def _attributes(row: Mapping[str, Any], names: tuple[str, ...]) -> dict[str, Any]:
    """Take what GraphML can hold: no nulls, no characters that XML forbids."""
    taken = {name: row[name] for name in names if row[name] is not None}
    return {name: _inert_xml(value) if isinstance(value, str) else value for name, value in taken.items()}
