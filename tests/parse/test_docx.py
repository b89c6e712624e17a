"""Word documents: the labels that Word prints, headings, tables, notes; broken and hostile files."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable

import docx
import pytest
from docx.document import Document
from docx.enum.style import WD_STYLE_TYPE
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls
from docx.text.paragraph import Paragraph

from antinomy.errors import DocumentError
from antinomy.parse import detect, parse_document, read
from antinomy.settings.source import Source

WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
_LEVELS = [("decimal", "%1."), ("decimal", "%1.%2"), ("lowerLetter", "(%3)"), ("lowerRoman", "(%4)")]
_RULES = """
1. Harbours
1.1 A harbour bank keeps a plan that covers:
  (a) tides and storms;
  (b) the loss of the quay:
    (i) by fire; or
    (ii) by ice; and
  (c) the loss of staff.
1.2 The board approves the plan within 30 days.
1.3 The plan is tested each year.
2. Pilots
2.1 A pilot needs a licence.
2.2 A licence states:
  (a) the name of the pilot; and
  (b) the waters.
3. Fees
3.1 The Warden sets the fees.
3.2 A fee is paid within 10 days.
"""


def saved(document: Document) -> bytes:
    stream = io.BytesIO()
    document.save(stream)
    return stream.getvalue()


def with_list(document: Document, levels: list[tuple[str, str]], extra: str = "") -> None:
    """Define list 77: a format and a text for each level."""
    numbering = document.part.numbering_part.element
    inner = "".join(
        f'<w:lvl w:ilvl="{n}"><w:start w:val="1"/><w:numFmt w:val="{format}"/><w:lvlText w:val="{text}"/>'
        f'<w:pPr><w:ind w:left="{720 * (n + 1)}" w:hanging="360"/></w:pPr></w:lvl>'
        for n, (format, text) in enumerate(levels)
    )
    abstract = parse_xml(f'<w:abstractNum {nsdecls("w")} w:abstractNumId="77">{inner}</w:abstractNum>')
    numbering.insert(0, abstract)
    for number in ("77", "78"):
        override = extra if number == "78" else ""
        numbering.append(
            parse_xml(f'<w:num {nsdecls("w")} w:numId="{number}"><w:abstractNumId w:val="77"/>{override}</w:num>')
        )


def item(document: Document, text: str, level: int, number: str = "77", style: str | None = None) -> None:
    paragraph = document.add_paragraph(text, style=style)
    properties = paragraph._p.get_or_add_pPr()
    inner = f'<w:ilvl w:val="{level}"/><w:numId w:val="{number}"/>'
    properties.append(parse_xml(f"<w:numPr {nsdecls('w')}>{inner}</w:numPr>"))


def texts(document: Document) -> list[str]:
    return [line.text for line in read(WORD, saved(document)).lines]


def test_a_rulebook_whose_numbers_word_prints_gives_the_tree_of_its_print() -> None:
    document = docx.Document()
    with_list(document, _LEVELS)
    for line in _RULES.strip().split("\n"):
        indent = len(line) - len(line.lstrip())
        label, _, text = line.strip().partition(" ")
        level = 0 if label.endswith(".") else 1 if indent == 0 else 1 + indent // 2
        item(document, text, level, style="Heading 1" if level == 0 else None)
    printed = _RULES.strip().replace("\n", "\n\n").encode()
    sources = (Source("x", "x", "any", grammar="numbered"), Source("x", "x", "any", grammar="numbered"))
    word, text = (parse_document(*pair) for pair in zip(sources, (saved(document), printed), strict=True))
    assert word.media_type == WORD
    assert [(s.eid, s.label, s.parent_eid, s.heading, s.text) for s in word.sections] == [
        (s.eid, s.label, s.parent_eid, s.heading, s.text) for s in text.sections
    ]
    assert len(word.sections) == 17
    assert word.coverage == 1.0


def test_lists_count_as_word_counts() -> None:
    document = docx.Document()
    start = '<w:lvlOverride w:ilvl="0"><w:startOverride w:val="7"/></w:lvlOverride>'
    with_list(document, [("upperRoman", "Part %1"), ("upperLetter", "%2)"), ("decimalZero", "§ %1-%3")], start)
    for level in (0, 1, 1, 2, 0, 1):
        item(document, "x", level)
    item(document, "y", 0, number="78")
    item(document, "y", 0, number="78")
    item(document, "no list", 0, number="0")
    assert texts(document) == [
        "Part I x", "A) x", "B) x", "§ I-01 x", "Part II x", "A) x", "Part VII y", "Part VIII y", "no list",
    ]  # fmt: skip


def test_bullets_headings_and_styles() -> None:
    document = docx.Document()
    document.add_heading("Rules", 0)
    document.add_heading("Berths", 1)
    document.add_paragraph("a berth", style="List Bullet")
    document.add_paragraph().add_run("Loud").bold = True
    content = read(WORD, saved(document))
    assert [(line.text, line.bold) for line in content.lines] == [
        ("Rules", True), ("Berths", True), ("• a berth", False), ("Loud", True),
    ]  # fmt: skip
    assert [(entry.title, entry.level) for entry in content.outline] == [("Rules", 0), ("Berths", 1)]
    assert [entry.y for entry in content.outline] == [line.y for line in content.lines[:2]]


def test_tables_are_rows_and_tables_of_margin_numbers_are_paragraphs() -> None:
    document = docx.Document()
    for rows in ([["Class", "Hours"], ["A", "24 | 48"]], [["1", "A bank keeps funds."], ["2*", "It counts them."]]):
        table = document.add_table(len(rows), 2)
        for row, cells in enumerate(rows):
            for column, text in enumerate(cells):
                table.cell(row, column).text = text
    assert texts(document) == [
        "| Class | Hours |", "| --- | --- |", "| A | 24 ¦ 48 |", "1 A bank keeps funds.", "2* It counts them.",
    ]  # fmt: skip


def test_numbers_in_a_column_behind_the_text_are_those_of_its_paragraphs() -> None:
    document = docx.Document()
    number = 0
    for heading, rows in (
        ("I. Lamps", [["A keeper lights the lamp at dusk."], ["The keeper logs:", "the oil burnt;", "the hours."]]),
        ("II. Oil", [["Oil is kept in the shed."], ["Repealed."], ["The shed is locked at night."]]),
    ):
        document.add_heading(heading, 1)
        table = document.add_table(len(rows), 2)
        for row, paragraphs in enumerate(rows):
            number += 1
            table.cell(row, 1).text = f"{number}*" if paragraphs == ["Repealed."] else str(number)
            table.cell(row, 0).text = paragraphs[0]
            for item in paragraphs[1:]:
                table.cell(row, 0).add_paragraph(item, style="List Bullet")
    parsed = parse_document(Source("x", "x.docx", "any"), saved(document))
    assert [(s.eid, s.heading or s.text) for s in parsed.sections] == [
        ("sec_I", "Lamps"), ("para_1", "A keeper lights the lamp at dusk."), ("para_2", "The keeper logs:"),
        ("para_2__item_1", "the oil burnt;"), ("para_2__item_2", "the hours."),
        ("sec_II", "Oil"), ("para_3", "Oil is kept in the shed."), ("para_4", "Repealed."),
        ("para_5", "The shed is locked at night."),
    ]  # fmt: skip


def test_the_letter_of_a_rule_in_a_column_of_its_own_belongs_to_its_number() -> None:
    """Also before a rule that begins with its first paragraph."""
    document = docx.Document()
    document.add_heading("1 Lamps", 1)
    document.add_heading("1.1 Care", 2)
    table = document.add_table(0, 3)
    for number, letter, *paragraphs in (
        ("1.1.1", "R", "A keeper must light the lamp."), ("1.1.2", "E", "(1)\tA keeper should log:", "(a)\tthe oil."),
        ("1.1.3", "R", "(1)\tA keeper must rest.", "(2)\tIt must sleep by day."), ("1.1.4", "G", "Oil is dear."),
    ):  # fmt: skip
        cells = table.add_row().cells
        cells[0].text, cells[1].text, cells[2].text = number, letter, paragraphs[0]
        for paragraph in paragraphs[1:]:
            cells[2].add_paragraph(paragraph)
    parsed = parse_document(Source("x", "x.docx", "any"), saved(document))
    assert [(s.label, s.text) for s in parsed.sections if s.parent_eid] == [
        ("Section 1.1", ""), ("1.1.1R", "A keeper must light the lamp."),
        ("1.1.2E", ""), ("1.1.2E(1)", "A keeper should log:"), ("1.1.2E(1)(a)", "the oil."),
        ("1.1.3R", ""), ("1.1.3R(1)", "A keeper must rest."), ("1.1.3R(2)", "It must sleep by day."),
        ("1.1.4G", "Oil is dear."),
    ]  # fmt: skip
    assert parsed.structure == 1


def test_a_list_in_the_cell_beside_a_number_is_lines_of_its_own() -> None:
    document = docx.Document()
    outer = document.add_table(1, 2)
    outer.cell(0, 0).text, outer.cell(0, 1).text = "(b)", "a log of:"
    inner = outer.cell(0, 1).add_table(2, 2)
    for row, (number, text) in enumerate((("(i)", "the lamps; and"), ("(ii)", "the oil."))):
        inner.cell(row, 0).text, inner.cell(row, 1).text = number, text
    assert texts(document) == ["(b) a log of:", "(i) the lamps; and", "(ii) the oil."]


def test_tables_with_a_blank_paragraph_between_have_heads_of_their_own() -> None:
    document = docx.Document()
    document.add_paragraph("Return of lamps")
    for rows in ([["Keeper", ""], ["Harbour", ""]], [["Item", "What"], ["1", "Lamps lit"], ["2", "Lamps out"]]):
        table = document.add_table(len(rows), 2)
        for row, cells in enumerate(rows):
            for column, text in enumerate(cells):
                table.cell(row, column).text = text
        document.add_paragraph("")
    document.add_paragraph("1. A keeper files it.")
    parsed = parse_document(Source("x", "x.docx", "any", grammar="numbered"), saved(document))
    tables = [s.eid for s in parsed.sections if s.type == "table"]
    assert len(tables) == 2
    assert [(s.number, s.text) for s in parsed.sections if s.parent_eid == tables[1]] == [
        ("1", "What: Lamps lit"), ("2", "What: Lamps out"),
    ]  # fmt: skip


def test_each_row_of_a_table_of_names_with_colons_stands_for_itself() -> None:
    document = docx.Document()
    table = document.add_table(3, 2)
    for row, cells in enumerate((("Reference:", "Circ. 3"), ("Issued:", "4 May 2031"), ("In force:", "1 June 2031"))):
        table.cell(row, 0).text, table.cell(row, 1).text = cells
    document.add_paragraph("1. A keeper lights the lamp.")
    parsed = parse_document(Source("x", "x.docx", "any", grammar="numbered"), saved(document))
    assert [s.text for s in parsed.sections if "table" in s.eid and s.text] == [
        "Reference:; Circ. 3", "Issued:; 4 May 2031", "In force:; 1 June 2031",
    ]  # fmt: skip


def test_a_raised_number_is_the_mark_of_a_note_and_other_raised_text_is_text() -> None:
    document = docx.Document()
    paragraph = document.add_paragraph("The 2")
    for text, raised in (("nd", True), (" lamp burns whale oil (", False), ("3", True), (").", False)):
        paragraph.add_run(text).font.superscript = raised
    assert texts(document) == ["The 2nd lamp burns whale oil (³)."]


def test_a_star_in_front_of_a_bold_line_makes_no_item_of_it() -> None:
    document = docx.Document()
    for number in range(1, 4):
        document.add_paragraph(f"{number}. A keeper shall light lamp {number}.")
    document.add_paragraph().add_run("* How this notice was amended").bold = True
    document.add_paragraph("1. Notice 4 of 2031.")
    parsed = parse_document(Source("x", "x.docx", "any", grammar="numbered"), saved(document))
    (heading,) = (s for s in parsed.sections if s.heading == "How this notice was amended")
    assert heading.type == "heading"
    assert [s.text for s in parsed.sections if s.parent_eid == heading.eid] == ["Notice 4 of 2031."]


def test_numbers_in_frames_beside_the_text_are_those_of_its_paragraphs() -> None:
    """Some are counted by Word, with nothing or the sign of an amendment behind them; what was inserted is typed."""
    document = docx.Document()
    with_list(document, [("decimal", "%1")])
    frame = f'<w:framePr {nsdecls("w")} w:w="700" w:wrap="around" w:hAnchor="page" w:x="10500"/>'

    def beside(typed: str, text: str, counted: bool = True, style: str | None = None) -> None:
        if counted:
            item(document, typed, 0)
        else:
            document.add_paragraph(typed)
        document.paragraphs[-1]._p.get_or_add_pPr().insert(0, parse_xml(frame))
        document.add_paragraph(text, style=style)

    document.add_heading("Circular on pilots", 0)
    document.add_heading("I. Scope", 1)
    beside("", "This circular applies to harbour banks.")
    beside("", "A bank takes on board:")
    beside("*", "pilots with a licence;", style="List Bullet")
    beside("", "trainees.", style="List Bullet")
    beside("4.1*", "A trainee steers by day only.", counted=False)
    document.add_heading("II. Duties", 1)
    beside("5*–7*", "Repealed", counted=False)
    beside("8", "A pilot keeps a log.", counted=False)
    document.add_paragraph("The log is kept for ten years.")
    for number in range(9, 15):
        beside(f"{number}", f"A log of kind {number} is replaced.", counted=False)
    parsed = parse_document(Source("pilots", "pilots.docx", "any"), saved(document))
    numbered = {s.label: s.text for s in parsed.sections if s.type == "paragraph"}
    assert numbered == {
        "Paragraph 1": "This circular applies to harbour banks.",
        "Paragraph 2": "A bank takes on board:",
        "Paragraph 3": "pilots with a licence;",
        "Paragraph 4": "trainees.",
        "Paragraph 4.1": "A trainee steers by day only.",
        "Paragraph 5": "Repealed",
        "Paragraph 8": "A pilot keeps a log.\nThe log is kept for ten years.",
        **{f"Paragraph {number}": f"A log of kind {number} is replaced." for number in range(9, 15)},
    }
    assert parsed.structure == 1


def test_what_is_struck_through_is_deleted() -> None:
    """By the runs themselves or by a style of theirs; a row whose cells are struck is none."""
    document = docx.Document()
    style = document.styles.add_style("Deletion", WD_STYLE_TYPE.CHARACTER)
    style.font.strike = True
    paragraph = document.add_paragraph("1.1 A pilot answers within ")
    paragraph.add_run("36").font.strike = True
    paragraph.add_run("12").font.underline = True
    paragraph.add_run(" days").font.strike = False
    paragraph.add_run(", or the Warden asks", style="Deletion")
    paragraph.add_run(".")
    document.add_paragraph().add_run("1.2 A pilot wears a hat.").font.double_strike = True
    table = document.add_table(2, 2)
    for cell, text in zip(table._cells, ("Kind", "Fee", "Barges", "5"), strict=True):
        cell.paragraphs[0].add_run(text).font.strike = text in ("Barges", "5")
    assert texts(document) == ["1.1 A pilot answers within 12 days.", "| Kind | Fee |"]


def test_a_box_is_read_as_its_paragraphs() -> None:
    document = docx.Document()
    box = document.add_table(2, 1)
    box.cell(0, 0).text = "A keeper must:"
    box.cell(0, 0).add_paragraph("light the lamp; and", style="List Bullet")
    box.cell(1, 0).text = "It is a summary."
    assert texts(document) == ["A keeper must:", "• light the lamp; and", "It is a summary."]


def test_what_is_not_printed_is_not_read() -> None:
    document = docx.Document()
    paragraph = document.add_paragraph("A bank ")
    for kind, inner in (("del", "delText"), ("ins", "t")):
        change = f'<w:r><w:{inner} xml:space="preserve">{kind}</w:{inner}></w:r>'
        paragraph._p.append(parse_xml(f'<w:{kind} {nsdecls("w")} w:id="1" w:author="x">{change}</w:{kind}>'))
    document.add_paragraph("Contents entry 3", style=document.styles.add_style("TOC 1", 1))
    document.sections[0].header.paragraphs[0].text = "Running head"
    document.add_paragraph("The end.")
    content = read(WORD, saved(document))
    assert [line.text for line in content.lines] == ["A bank ins", "The end."]
    assert [line.text for line in content.furniture] == ["Contents entry 3"]


def taken_out(document: Document, paragraph: Paragraph, text: bool = True, kind: str = "del") -> None:
    """Track the deletion of a paragraph's end and, as a rule, of its text."""
    properties = paragraph._p.get_or_add_pPr()
    properties.append(parse_xml(f'<w:rPr {nsdecls("w")}><w:{kind} w:id="1" w:author="x"/></w:rPr>'))
    for run in list(paragraph._p.r_lst) if text else []:
        change = parse_xml(f'<w:{kind} {nsdecls("w")} w:id="2" w:author="x"/>')
        run.addprevious(change)
        change.append(run)


@pytest.mark.parametrize("kind", ["del", "moveFrom"])
def test_a_paragraph_that_tracked_changes_took_out_has_no_number(kind: str) -> None:
    document = docx.Document()
    with_list(document, _LEVELS)
    for words, level in (("Quays", 0), ("A master pays:", 1), ("for oil;", 2), ("for rope;", 2), ("for tar.", 2)):
        item(document, words, level)
    item(document, "A master tells", 1)
    item(document, "the Warden.", 1)
    rope, tells = document.paragraphs[3], document.paragraphs[5]
    taken_out(document, rope, kind=kind)
    taken_out(document, tells, text=False, kind=kind)
    tells.add_run(" ")
    row = document.add_table(2, 2).rows[1]
    row._tr.get_or_add_trPr().append(parse_xml(f'<w:del {nsdecls("w")} w:id="3" w:author="x"/>'))
    for cell, words in zip(document.tables[0]._cells, ("Berth", "Fee", "North", "repealed"), strict=True):
        cell.text = words
    assert texts(document) == [
        "1. Quays", "1.1 A master pays:", "(a) for oil;", "(b) for tar.", "1.2 A master tells the Warden.",
        "| Berth | Fee |",
    ]  # fmt: skip


def test_a_list_in_a_cell_of_a_table_is_a_list_of_its_row() -> None:
    document = docx.Document()
    with_list(document, [("lowerLetter", "%1)")])
    for number in range(1, 4):
        document.add_paragraph(f"{number}. A master must keep berth {number} in the state that the table shows.")
    rows = {
        "Term": "Meaning",
        "Berth": "A place at a quay.",
        "Idle berth": "A berth at which for a month no ship has:",
        "Quay": "A wall of the harbour.",
    }
    table = document.add_table(len(rows), 2)
    for row, cells in zip(table.rows, rows.items(), strict=True):
        for cell, text in zip(row.cells, cells, strict=True):
            cell.text = text
    for text in ("lain; or", "been loaded."):
        item(document, text, 0)
        table.cell(2, 1)._tc.append(document.paragraphs[-1]._p)
    sections = parse_document(Source("x", "x", "any"), saved(document)).sections
    terms = {s.term: s for s in sections if s.type == "definition"}
    assert list(terms) == ["Berth", "Idle berth", "Quay"]
    assert terms["Idle berth"].text == "Idle berth: A berth at which for a month no ship has:"
    items = [(s.number, s.text) for s in sections if s.parent_eid == terms["Idle berth"].eid]
    assert items == [("a", "lain; or"), ("b", "been loaded.")]


def test_a_paragraph_numbered_by_the_style_of_a_heading_is_text() -> None:
    """Its list ends in a sentence of its own, which is no part of the last item."""
    document = docx.Document()
    with_list(document, _LEVELS)
    for title in ("Quays", "Ropes"):
        item(document, title, 0, style="Heading 1")
        item(document, f"A master must inspect all {title.lower()} in May.", 1, style="Heading 2")
        item(document, "The Warden may:", 1, style="Heading 2")
        item(document, "close the harbour; or", 2)
        item(document, "set a fee.", 2)
        document.add_paragraph(f"The fee is due before the {title.lower()} are used.")
    sections = parse_document(Source("x", "x", "any"), saved(document)).sections
    for number, title in (("1", "Quays"), ("2", "Ropes")):
        assert [s.heading for s in sections if s.number == number] == [title]
        duty, powers = (next(s for s in sections if s.number == f"{number}.{n}") for n in (1, 2))
        assert (duty.heading, duty.text) == ("", f"A master must inspect all {title.lower()} in May.")
        assert (powers.heading, powers.text) == ("", "The Warden may:")
        below = [(s.number, s.text) for s in sections if s.parent_eid == powers.eid]
        flush = f"The fee is due before the {title.lower()} are used."
        assert below == [("a", "close the harbour; or"), ("b", "set a fee."), ("", flush)]


def test_a_schedule_may_have_its_title_on_the_next_line_of_its_heading_and_ends_before_seal_and_note() -> None:
    """Its paragraphs count anew below titles that are set as those of the regulations are."""
    document = docx.Document()
    start = '<w:lvlOverride w:ilvl="0"><w:startOverride w:val="1"/></w:lvlOverride>'
    with_list(document, [("decimal", "%1."), ("decimal", "(%2)")], start)

    def provisions(number: str, *titles: str) -> None:
        for title in titles:
            item(document, title, 0, number, style="Heading 2")
            item(document, f"A keeper shall look after all {title.lower()}.", 1, number)
            item(document, f"A keeper may sell {title.lower()}.", 1, number)

    document.add_heading("Part 1 Duties", 1)
    provisions("77", "Lamps", "Wicks")
    document.add_heading("SCHEDULE\nColours and sizes", 1)
    document.add_paragraph("Regulation 2(1)")
    provisions("78", "Red lamps", "Small lamps")
    document.add_paragraph("GIVEN under the Official Seal of the Warden of the Harbours of the Coast, 4 May 2041.")
    document.add_heading("Explanatory Note", 2)
    document.add_paragraph("This note is no part of the Regulations.")
    sections = parse_document(Source("x", "x", "any", grammar="numbered"), saved(document)).sections
    assert [(s.type, s.heading, s.text) for s in sections if not s.parent_eid] == [
        ("part", "Duties", ""),
        ("schedule", "Colours and sizes", "Regulation 2(1)"),
        ("heading", "Explanatory Note", "This note is no part of the Regulations."),
    ]
    assert [(s.number, s.heading) for s in sections if s.parent_eid == "sched"] == [
        ("1", "Red lamps"), ("2", "Small lamps"),
    ]  # fmt: skip
    assert [s.text for s in sections if s.parent_eid == "sched__sec_2"] == [
        "A keeper shall look after all small lamps.",
        "A keeper may sell small lamps.",
        "GIVEN under the Official Seal of the Warden of the Harbours of the Coast, 4 May 2041.",
    ]


def test_footnotes_leave_their_marks_and_follow_the_text() -> None:
    document = docx.Document()
    document.add_paragraph("A bank keeps funds")._p.append(
        parse_xml(f'<w:r {nsdecls("w")}><w:footnoteReference w:id="2"/></w:r>')
    )
    data = _with_part(
        saved(document), "word/footnotes.xml",
        f'<w:footnotes {nsdecls("w")}><w:footnote w:id="2"><w:p><w:r><w:t>In gold.</w:t></w:r></w:p></w:footnote>'
        "</w:footnotes>",
    )  # fmt: skip
    assert [line.text for line in read(WORD, data).lines] == ["A bank keeps funds (¹)", "(¹) In gold."]


def _with_part(data: bytes, name: str, xml: str) -> bytes:
    """Add footnotes to a Word file."""
    kind = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/footnotes"
    content = "application/vnd.openxmlformats-officedocument.wordprocessingml.footnotes+xml"

    def edited(entry: str, text: bytes) -> bytes:
        if entry == "word/_rels/document.xml.rels":
            relation = f'<Relationship Id="rIdF" Type="{kind}" Target="footnotes.xml"/></Relationships>'
            return text.replace(b"</Relationships>", relation.encode())
        if entry == "[Content_Types].xml":
            return text.replace(b"</Types>", f'<Override PartName="/{name}" ContentType="{content}"/></Types>'.encode())
        return text

    return _zip(_rewritten(data, edited) | {name: xml.encode()})


def _rewritten(data: bytes, edit: Callable[[str, bytes], bytes]) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: edit(name, archive.read(name)) for name in archive.namelist()}


def _zip(entries: dict[str, bytes]) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in entries.items():
            archive.writestr(name, data)
    return stream.getvalue()


def _with_body(inner: str) -> bytes:
    def edited(name: str, text: bytes) -> bytes:
        body = f'<?xml version="1.0"?>{inner}'
        return body.encode() if name == "word/document.xml" else text

    return _zip(_rewritten(saved(docx.Document()), edited))


_LAUGHS = "".join(f'<!ENTITY {b} "{f"&{a};" * 10}">' for a, b in zip("abcdefgh", "bcdefghi", strict=True))
_LAUGHING = "<w:p><w:r><w:t>&i;</w:t></w:r></w:p>"
_BODY = f"<w:document {nsdecls('w')}><w:body>{{}}</w:body></w:document>"


@pytest.mark.parametrize(
    ("data", "why"),
    [
        pytest.param(saved(docx.Document())[:2000], "broken", id="cut off"),
        pytest.param(_zip({"word/document.xml": b"<a/>"}), "broken", id="no package"),
        pytest.param(_zip({"word/document.xml": b"0" * (600 * 2**20)}), "unpacks to", id="zip bomb"),
        pytest.param(saved(docx.Document()), "no text", id="empty"),
        pytest.param(
            _with_body(f'<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa">{_LAUGHS}]>' + _BODY.format(_LAUGHING)),
            "broken|no text|entities", id="billion laughs",
        ),
        pytest.param(_with_body(_BODY.format("<w:sdt>" * 400 + "</w:sdt>" * 400)), "broken", id="deep"),
    ],
)  # fmt: skip
def test_broken_and_hostile_documents_are_refused(data: bytes, why: str) -> None:
    with pytest.raises(DocumentError, match=why):
        parse_document(Source("x", "x", "us", media_type=WORD), data)


def test_a_word_document_is_known_by_its_content() -> None:
    document = docx.Document()
    document.add_paragraph("x")
    assert detect(saved(document)) == WORD
