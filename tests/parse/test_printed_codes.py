"""A part of a code printed to PDF from a web site: what stands above it, its contents in columns, its notes."""

from __future__ import annotations

import io

from reportlab.lib.enums import TA_CENTER
from reportlab.lib.styles import ParagraphStyle, getSampleStyleSheet
from reportlab.platypus import PageBreak, Paragraph, SimpleDocTemplate, Spacer, Table

from antinomy.parse import parse_document
from antinomy.parse.model import ParsedDocument
from antinomy.settings.source import Source

_STYLES = getSampleStyleSheet()
_PLAIN = ParagraphStyle("plain", parent=_STYLES["Normal"], fontName="Times-Roman", fontSize=11, leading=13)
_INDENTED = ParagraphStyle("indented", parent=_PLAIN, firstLineIndent=18, spaceAfter=7)
_BOLD = ParagraphStyle("bold", parent=_PLAIN, fontName="Times-Bold", spaceBefore=9, spaceAfter=5)
_CENTRED = ParagraphStyle("centred", parent=_BOLD, alignment=TA_CENTER)
_SMALL = ParagraphStyle("small", parent=_PLAIN, alignment=TA_CENTER, fontSize=9)
_TITLES = ["Lighting", "Oil; and the purchase of oil by a harbour or by its keeper", "Logs", "Fees", "Repairs", "Sales"]
_DUTIES = [
    "(a) A keeper shall light each lamp within {} hours.",
    "(b) A keeper may leave dark {} lamps that no ship can see from the sea or from its own rivers."
    " That list shall give:",
    "(1) the places of {} lamps; and",
    "(2) {} reasons why they are dark.",
    "(c) A keeper shall tell {} Wardens of each lamp that fails.",
]


def _code() -> ParsedDocument:
    numbers = [f"831.{n}" for n in range(1, 7)]
    listed = [
        [Paragraph(cell, _PLAIN) for cell in (numbers[k], _TITLES[k], numbers[k + 3], _TITLES[k + 3])] for k in range(3)
    ]
    flow = [
        *(Paragraph(line, _CENTRED) for line in ("TITLE 4. HARBOURS", "SUBTITLE C. COASTS", "CHAPTER IX. THE WARDEN")),
        Paragraph("PART 831. LAMPS", _CENTRED),
        Paragraph("(Authority of the Warden: Coasts Law, § 12)", _SMALL),
        Table([["Sec.", "", "Sec.", ""], *listed], [50, 170, 50, 170], style=[("VALIGN", (0, 0), (-1, -1), "TOP")]),
    ]
    for number, title in zip(numbers, _TITLES, strict=True):
        flow += [
            Paragraph(f"§ {number} {title}.", _BOLD),
            *(Paragraph(duty.format(number[-1]), _INDENTED) for duty in _DUTIES),
        ]
        flow += [Paragraph("Source Note", _SMALL), Spacer(1, 3)]
        flow += [PageBreak()] if number == "831.3" else []
        flow += [Paragraph("Adopted May 3, 2031; amended June 1, 2036.", _PLAIN)]
    stream = io.BytesIO()
    SimpleDocTemplate(stream).build(flow)
    return parse_document(Source("x", "x.pdf", "any", grammar="numbered"), stream.getvalue())


def test_parts_of_a_code_above_one_another_nest_and_their_contents_are_no_provisions() -> None:
    document = _code()
    by_eid = {section.eid: section for section in document.sections}
    assert document.structure == document.coverage == 1.0
    assert [s.number for s in document.sections if s.type in ("title", "chapter", "part")] == ["4", "C", "IX", "831"]
    line = [by_eid["sec_831-1"]]
    while line[-1].parent_eid:
        line.append(by_eid[line[-1].parent_eid])
    assert [section.number for section in line] == ["831.1", "831", "IX", "C", "4"]
    assert by_eid["part_831"].text == "(Authority of the Warden: Coasts Law, § 12)"
    assert [s.heading for s in document.sections if s.type == "section"] == _TITLES
    assert not [s for s in document.sections if s.type == "table"]
    # The second line of a paragraph begins left of its first; a note's words stand below its name, or overleaf.
    for number in range(1, 7):
        texts = [s.text for s in document.sections if s.eid.startswith(f"sec_831-{number}__para")]
        assert texts == [duty[4:].format(number) for duty in _DUTIES]
        (note,) = (s for s in document.sections if s.parent_eid == f"sec_831-{number}" and s.type == "heading")
        assert (note.heading, note.text) == ("Source Note", "Adopted May 3, 2031; amended June 1, 2036.")
