"""A part of a code printed to PDF from a web site: what stands above it, its contents in columns, its notes.

And a text file of the printing office.
"""

from __future__ import annotations

import io

from reportlab.lib.enums import TA_CENTER
from reportlab.lib.styles import ParagraphStyle, getSampleStyleSheet
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import PageBreak, Paragraph, SimpleDocTemplate, Spacer, Table

from antinomy.cite import DocumentInfo, cite_document, corpus_index, nodes_of
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


def _bound_volume() -> ParsedDocument:
    """Print a chapter whose pages name their first or last section beside its title, and its subchapters their lists.

    Left pages have other words than right ones, in the type of the text.
    """
    flow = [Paragraph("CHAPTER 41. LAMPS OF HARBOURS", _CENTRED)]
    for part in range(1, 7):
        numbers = [f"41.{part}{n}" for n in range(1, 3)]
        flow += [Paragraph(f"Subchapter {'ABCDEF'[part - 1]}. {_TITLES[part - 1].upper()}", _CENTRED)]
        flow += [Spacer(1, 9 * part), Paragraph("Sec.", _PLAIN)]
        flow += [Paragraph(f"{number}. {title}.", _PLAIN) for number, title in zip(numbers, _TITLES, strict=False)]
        for number, title in zip(numbers, _TITLES, strict=False):
            flow += [Paragraph(f"§ {number}. {title}.", _BOLD)]
            flow += [Paragraph(duty.format(number[-2:]), _INDENTED) for duty in _DUTIES]
        flow += [PageBreak()]

    def head(canvas: Canvas, page: SimpleDocTemplate) -> None:
        canvas.setFont("Times-Roman", 11)
        words = ("7 § 41.{}1", "HARBOURS", "Pt. IX") if page.page % 2 else ("Ch. 41", "HARBOUR LAMPS", "7 § 41.{}2")
        for x, word in zip((72, 250, 450), words, strict=True):
            canvas.drawString(x, 790, word.format(page.page))

    stream = io.BytesIO()
    SimpleDocTemplate(stream, pagesize=(595, 842)).build(flow, onFirstPage=head, onLaterPages=head)
    return parse_document(Source("x", "x.pdf", "any", grammar="numbered"), stream.getvalue())


def test_the_heads_of_a_codes_pages_and_the_lists_of_its_subchapters_are_no_provisions() -> None:
    document = _bound_volume()
    words = " ".join(f"{section.heading} {section.text}" for section in document.sections)
    assert document.structure == document.coverage == 1.0
    assert not any(head in words for head in ("Pt. IX", "HARBOUR LAMPS", "Sec."))
    assert [s.number for s in document.sections if s.type == "chapter"] == ["41", *"ABCDEF"]
    sections = [(s.number, s.parent_eid.rpartition("_")[2]) for s in document.sections if s.type == "section"]
    assert sections == [(f"41.{n}{m}", "ABCDEF"[n - 1]) for n in range(1, 7) for m in (1, 2)]
    texts = [s.text for s in document.sections if s.type in ("paragraph", "point")]
    assert texts == [duty[4:].format(number[-2:]) for number, _ in sections for duty in _DUTIES]


_PRINTED = """[Title 7 CFR ]
[Code of Federal Regulations (annual edition) - January 1, 2031 Edition]
[From the U.S. Government Publishing Office]


7
HARBORS
3
2031-01-01
2031-01-01
false
LAMPS
31
PART 31
CHAPTER IX
HARBORS

PART 31_LAMPS AND HORNS OF HARBORS, OF MOLES, OF BUOYS AND OF
LIGHTHOUSES--Table of Contents



                           Subpart A_General

Sec.
31.1  Purpose.
31.2  Lamps.

                          Subpart B_Oil

31.10  Grades.
31.11-31.19  [Reserved]

Appendix A to Part 31--Forms

    Authority: 7 U.S.C. 12.




                           Subpart A_General


Sec. 31.1  Purpose.

    (a) This part tells keepers when to light a lamp. A form called LAMP_B or
Table 9_Red is none of the forms in appendix A to this part, nor is that of

[[Page 613]]

Sec. Sec.  31.2 and 31.10.
    (b) A day ends at dusk.\\1\\ It begins
at dawn.
---------------------------------------------------------------------------

    \\1\\ Dusk is when the sun has set. See Sec.  31.2 and the folder
C:\\1\\dusk.
---------------------------------------------------------------------------


Sec. 31.2  Lamps.

    A keeper lights each lamp.




                           Subpart B_Oil


Sec. 31.10  Grades.

    (a) A keeper burns the oil in table 1 to this section.

         Table 1 to Sec.  31.10_Grades of Oil
----------------------------------------------------------------
              Lamp                  Grade            Hours
                                  of the oil
----------------------------------------------------------------
Lamps of harbors and           Fine, or          12
 of their moles..............   nearly fine....
Others.......................  Coarse..........  8, and 6 in
                                                  winter
----------------------------------------------------------------

    (b) Other oil is sold.


Sec. Sec. 31.11-31.19  [Reserved]



           Sec. Appendix A to Part 31_Forms

    1. The name of the keeper.
    2. The grade of the oil under Sec.  31.10(a).
"""


def test_a_text_file_of_the_printing_office_has_other_signs_for_dashes_and_sections() -> None:
    document = parse_document(Source("text", "text.txt", "any"), _PRINTED.encode())
    found = {section.eid: section for section in document.sections}
    parts = {eid: found[eid].heading for eid in found if found[eid].type in ("chapter", "part", "subpart", "appendix")}
    assert parts == {
        "part_31": "LAMPS AND HORNS OF HARBORS, OF MOLES, OF BUOYS AND OF LIGHTHOUSES",
        "subpart_A": "General",
        "subpart_B": "Oil",
        "app_A": "Forms",
    }
    assert "LAMP_B or Table 9_Red" in found["sec_31-1__para_a"].text
    assert found["sec_31-1__para_b"].text == "A day ends at dusk. It begins at dawn."
    assert found["fn_1"].text == "Dusk is when the sun has set. See Sec. 31.2 and the folder C:\\1\\dusk."
    assert found["app_A__para_1"].text == "The name of the keeper."
    (table,) = (section for section in document.sections if section.type == "table")
    assert table.heading == "Table 1 to Sec. 31.10—Grades of Oil"
    assert [section.text for section in document.sections if section.parent_eid == table.eid] == [
        "Lamp: Lamps of harbors and of their moles; Grade of the oil: Fine, or nearly fine; Hours: 12",
        "Lamp: Others; Grade of the oil: Coarse; Hours: 8, and 6 in winter",
    ]
    corpus = corpus_index([DocumentInfo("text", document.title)], nodes_of("text", document.sections))
    cited = {str(row["target_eid"]) for row in cite_document("text", document.sections, corpus)}
    assert {"part_31", "app_A", "sec_31-2", "sec_31-10", table.eid} <= cited


def test_a_heading_between_rules_heads_no_table() -> None:
    rule = "-" * 60
    document = parse_document(
        Source("text", "text.txt", "any", grammar="numbered"),
        f"LAMP RULES\n\n{rule}\nFirst part\n{rule}\n1.  A lamp is lit.\n2.  A horn is blown.\n{rule}\n".encode(),
    )
    assert [section.text for section in document.sections if section.number] == ["A lamp is lit.", "A horn is blown."]


_EVERY_SECOND_NUMBER = """Title 12
HARBORS

Part IV.  Lamps

Chapter 1.  General

§101.  Scope
A. This Part is for keepers of lamps.
B. A buoy has no keeper.

§103.  Definitions
A. In this Part:
1. lamp means what shines on a mole.
2. horn means what sounds from it.

Chapter 3.  Keepers

§301.  Watch
A. A keeper shall watch each lamp.
B. A keeper shall not sleep on the watch.

§303.  Books
A. A keeper shall keep a book.

Chapter 5.  Oil

§501.  Grade
A. Oil shall be fine.
B. It shall not be mixed.
"""


def test_no_section_holds_a_chapter_though_every_second_number_is_free() -> None:
    document = parse_document(Source("text", "text.txt", "any"), _EVERY_SECOND_NUMBER.encode())
    parents = {section.eid: section.parent_eid for section in document.sections}
    assert [parents[f"chp_{number}"] for number in (1, 3, 5)] == ["part_IV"] * 3
    assert [parents[f"sec_{number}"] for number in (101, 103, 303, 501)] == ["chp_1", "chp_1", "chp_3", "chp_5"]
