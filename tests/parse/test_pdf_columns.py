"""Tables of a PDF that nothing rules: rows where lines share the starts of their columns, and text everywhere else."""

from __future__ import annotations

import io
import textwrap

import pytest
from reportlab.lib.enums import TA_JUSTIFY
from reportlab.lib.styles import ParagraphStyle, getSampleStyleSheet
from reportlab.platypus import Flowable, Paragraph, Preformatted, SimpleDocTemplate, Spacer, Table

from antinomy.parse import parse_document
from antinomy.settings.source import Source

_STYLES = getSampleStyleSheet()
_NORMAL = ParagraphStyle("justified", parent=_STYLES["Normal"], alignment=TA_JUSTIFY)
_ROWS = [
    ["Report", "Time limit", "Sent to"],
    ["Initial notification", "within 4 hours", "the Office"],
    ["Intermediate report", "within 72 hours of the initial notification", "the Office and the ministry of transport"],
    ["Final report", "no later than one month after the intermediate report", "the Office"],
]
_FOUND = [
    "Report: Initial notification; Time limit: within 4 hours; Sent to: the Office",
    "Report: Intermediate report; Time limit: within 72 hours of the initial notification; "
    "Sent to: the Office and the ministry of transport",
    "Report: Final report; Time limit: no later than one month after the intermediate report; Sent to: the Office",
]


def _cells(place: str) -> Flowable:
    rows = [[Paragraph(cell, _STYLES["Normal"]) for cell in row] for row in _ROWS]
    return Table(rows, colWidths=[120, 180, 130], hAlign="LEFT", style=[("VALIGN", (0, 0), (-1, -1), place)])


def _tree(*middle: Flowable) -> dict[str, str]:
    def paragraphs(*texts: str) -> list[Flowable]:
        return [part for text in texts for part in (Paragraph(text, _NORMAL), Spacer(1, 6))]

    stream = io.BytesIO()
    duty = "An operator must ensure that passengers can buy tickets at all times, on each line and on each day. " * 4
    SimpleDocTemplate(stream).build([
        *paragraphs("Circular on ferries", "1. Duties", f"1.1 {duty}", f"1.2 {duty}", "1.3 The limits are these:"),
        *middle,
        Spacer(1, 8),
        *paragraphs(f"1.4 {duty}", "2. Crews", f"2.1 {duty}", f"2.2 {duty}", f"2.3 {duty}"),
    ])  # fmt: skip
    document = parse_document(Source("x", "x.pdf", "", grammar="numbered"), stream.getvalue())
    assert document.coverage == 1.0
    return {section.eid: section.text for section in document.sections}


@pytest.mark.parametrize("table", [_cells("TOP"), _cells("BOTTOM")], ids=["top", "bottom"])
def test_rows_that_only_their_columns_show_are_rows(table: Flowable) -> None:
    tree = _tree(table)
    assert [text for eid, text in tree.items() if "__table_1__" in eid] == _FOUND
    assert tree["para_1-3"] == "The limits are these:"
    assert [eid for eid in tree if eid.startswith("para_")][-4:] == ["para_1-4", "para_2-1", "para_2-2", "para_2-3"]


def test_a_list_whose_letters_hang_in_a_column_is_a_list() -> None:
    rows = [[f"({letter})", f"a log of kind {letter};"] for letter in "abcd"]
    tree = _tree(Table(rows, colWidths=[25, 300], hAlign="LEFT"))
    assert [eid for eid in tree if "1-3__" in eid] == [f"para_1-3__point_{letter}" for letter in "abcd"]


def test_a_term_in_bold_type_with_the_verb_that_introduces_its_items_is_no_heading() -> None:
    bold = ParagraphStyle("bold", parent=_STYLES["Normal"], fontName="Helvetica-Bold")
    terms = (
        Paragraph("“ferry” means a ship that carries people over a river;", _STYLES["Normal"]),
        Paragraph("“line” means —", bold),
        *(Table([[f"({letter})", f"a way of kind {letter};"]], colWidths=[25, 300], hAlign="LEFT") for letter in "ab"),
        Paragraph("“quay” means a place at which a ferry is made fast.", _STYLES["Normal"]),
    )
    tree = _tree(*(part for term in terms for part in (term, Spacer(1, 6))))
    assert [eid for eid in tree if "1-3__" in eid] == [
        "para_1-3__point_ferry",
        "para_1-3__point_line",
        "para_1-3__point_line__point_a",
        "para_1-3__point_line__point_b",
        "para_1-3__point_quay",
    ]


def test_terms_in_bold_type_beside_their_meanings_are_definitions_on_both_sides_of_a_page_end() -> None:
    bold = ParagraphStyle("bold", parent=_STYLES["Normal"], fontName="Helvetica-Bold")
    meanings = {
        "Ferry": "means a ship that carries people over a river or a strait at times that are made known.",
        "Line": "means two or more places between which a ferry goes, and the way that it takes there.",
        **{f"Berth {letter}": f"means the place of kind {letter} at which a ferry is made fast." for letter in "ABCDE"},
    }
    rows = [[Paragraph(term, bold), Paragraph(text, _STYLES["Normal"])] for term, text in meanings.items()]
    for blank in (0, 360, 375, 390, 450):
        table = Table(rows, colWidths=[110, 300], hAlign="LEFT", style=[("VALIGN", (0, 0), (-1, -1), "TOP")])
        tree = _tree(Spacer(1, blank), table)
        found = {eid.rsplit("_", 1)[-1]: text for eid, text in tree.items() if "__point_" in eid}
        assert list(found.values()) == [f"{term} {text}" for term, text in meanings.items()]


def test_a_first_column_in_bold_type_names_no_columns() -> None:
    bold = ParagraphStyle("bold", parent=_STYLES["Normal"], fontName="Helvetica-Bold")
    names = {"FO": "Ferry Office", "MD": "Mooring deck", "RoP": "Rules of the pier"}
    rows = [[Paragraph(short, bold), Paragraph(name, _STYLES["Normal"])] for short, name in names.items()]
    tree = _tree(Table(rows, colWidths=[70, 300], hAlign="LEFT"))
    assert [text for eid, text in tree.items() if "__table_1__" in eid] == [f"{a}; {b}" for a, b in names.items()]


def test_numbers_beside_paragraphs_and_short_headings_between_them_are_no_table() -> None:
    bold = ParagraphStyle("bold", parent=_STYLES["Normal"], fontName="Helvetica-Bold")
    flow: list[Flowable] = []
    for number, heading in enumerate(("", "Fees", "", "Dogs"), 4):
        flow += [Spacer(1, 8), Paragraph(heading, bold)] if heading else []
        words = Paragraph(f"A ferry of kind {number} goes at night.", _STYLES["Normal"])
        flow.append(Table([[f"1.{number}", words]], colWidths=[60, 300], hAlign="LEFT"))
    tree = _tree(*flow)
    assert not any("table" in eid for eid in tree)
    kinds = [text for text in tree.values() if text.startswith("A ferry of")]
    assert kinds == [f"A ferry of kind {number} goes at night." for number in range(4, 8)]


def test_running_text_in_two_columns_is_no_table() -> None:
    words = "the keeper of a lamp looks after it by day and by night, and writes down in its log what he finds there "
    halves = [Preformatted(textwrap.fill(words * 3, 34), _STYLES["Normal"]) for _ in range(2)]
    tree = _tree(Table([halves], colWidths=[210, 210], hAlign="LEFT"))
    assert not any("table" in eid for eid in tree)
