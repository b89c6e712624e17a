"""The workbook as Excel sees it."""

from __future__ import annotations

import io
from typing import Any

import pytest
from openpyxl import Workbook, load_workbook

from antinomy.report.exports.workbook import xlsx_bytes
from report import invented
from report.exports import corresponding

_SHEETS = ["Conflicts", "Definitions", "Stricter rules", "Crosswalk", "Gaps", "Summary"]


@pytest.fixture(scope="module")
def book() -> Workbook:
    found = invented.findings()
    made = xlsx_bytes(found, invented.RUN, invented.aggregates(found), corresponding.crosswalk())
    return load_workbook(io.BytesIO(made))


def _rows(book: Workbook, sheet: str) -> list[dict[str, Any]]:
    head, *lines = book[sheet].iter_rows(values_only=True)
    return [dict(zip(head, line, strict=True)) for line in lines]


def test_there_is_a_sheet_per_tab_with_frozen_headings_and_filters(book: Workbook) -> None:
    assert book.sheetnames == _SHEETS
    for name in _SHEETS[:-1]:
        sheet = book[name]
        assert sheet.freeze_panes == "A2", name
        assert sheet.auto_filter.ref == sheet.dimensions, name
        assert {cell.alignment.wrap_text for line in sheet.iter_rows() for cell in line} == {True}, name


def test_a_reviewer_sees_texts_and_words_and_no_hash_or_id(book: Workbook) -> None:
    for name in _SHEETS[:-1]:
        sheet = book[name]
        head = [cell.value for cell in sheet[1]]
        shown = [c.value for c in sheet[1] if not sheet.column_dimensions[c.column_letter].hidden]
        assert not [column for column in shown if column.endswith(("_id", "_sha256", "_key"))], name
        assert {"decision", "decided_note"} <= set(shown), name
        assert {"finding_id", "coverage_id"} & set(head), f"{name}: decisions could not be read back"
        assert len(shown) <= 28, name


def test_nothing_from_the_documents_is_a_formula(book: Workbook) -> None:
    cells = [cell for sheet in book for line in sheet.iter_rows() for cell in line]
    assert "f" not in {cell.data_type for cell in cells}
    (lease,) = [row for row in _rows(book, "Gaps") if row["label"] == "IX"]
    assert lease["text"].startswith("'=HYPERLINK")


def test_findings_stand_in_the_sheet_of_their_relation(book: Workbook) -> None:
    expected = {"Conflicts": "conflict", "Definitions": "definition", "Stricter rules": "stricter"}
    for sheet, relation in expected.items():
        assert {row["relation"] for row in _rows(book, sheet)} == {relation}
    assert sum(len(_rows(book, sheet)) for sheet in expected) == len(invented.findings())
    (stricter,) = _rows(book, "Stricter rules")
    assert (stricter["left_value"], stricter["right_value"]) == ("at least once a year", "at least once a quarter")
    assert stricter["governing_document"] == "Examination Manual: Business Continuity"
    assert next(iter(stricter)) == "kind", "topic by topic"


def test_a_stricter_rule_without_a_value_stands_last() -> None:
    by_value = next(known for known in invented.KNOWN if known.relation == "stricter")
    by_force = next(known for known in invented.KNOWN if known.relation == "overlap")
    found = [
        invented.finding(by_force, 1, relation="stricter", kind="modality", governs="left"),
        invented.finding(by_value, 2, kind="threshold"),
    ]
    made = xlsx_bytes(found, invented.RUN, invented.aggregates(found), corresponding.crosswalk())
    rows = _rows(load_workbook(io.BytesIO(made)), "Stricter rules")
    assert [row["kind"] for row in rows] == ["threshold", "modality"]


def test_the_crosswalk_names_each_provision_with_its_best_counterpart(book: Workbook) -> None:
    rows = _rows(book, "Crosswalk")
    assert len(rows) == 7
    notice = next(row for row in rows if row["label"] == "Article 17(1)")
    assert (notice["state"], notice["document"]) == ("Conflict", "Specimen Regulation on Technology Risk")
    assert notice["counterpart_label"] == "III.A, paragraph 2"
    assert (notice["value"], notice["counterpart_value"]) == ("24 hours", "36 hours")
    assert notice["further_counterparts"] == "Examination Manual: Business Continuity, III.A, paragraph 4 (61%)"
    test = next(row for row in rows if row["label"] == "Article 24(2)")
    assert (test["state"], test["relationship"]) == ("Counterpart is stricter", "subset of")
    assert test["governing_document"] == "Examination Manual: Business Continuity"


def test_gaps_say_what_came_nearest_and_why_it_was_not_enough(book: Workbook) -> None:
    rows = _rows(book, "Gaps")
    assert {row["label"]: row["state"] for row in rows} == {
        "Article 13(6)": "Gap", "IX": "Gap", "Article 9(4)": "Open",
    }  # fmt: skip
    training = next(row for row in rows if row["label"] == "Article 13(6)")
    assert training["nearest"] == "Examination Manual: Business Continuity, V.B, paragraph 1 (12%)"
    assert "on another matter" in training["reason"]
    assert training["compared_with"] == "us (2 documents)"


def test_the_summary_counts_each_side(book: Workbook) -> None:
    lines = [line[:2] for line in book["Summary"].iter_rows(values_only=True)]
    names = [str(line[0]) for line in lines]
    start = next(n for n, name in enumerate(names) if name.startswith("Provisions of Specimen Regulation"))
    counted = dict(lines[start + 1 : names.index("None", start)])
    assert counted == {
        "Counterpart": 1, "Counterpart is stricter": 1, "Conflict": 1, "Gap": 1, "Open": 1, "Left out": 1,
    }  # fmt: skip
