"""PDF → lines: what is printed around the text goes, what is printed oddly reads as it is meant."""

from __future__ import annotations

import io
from collections.abc import Callable

import pypdf
import pytest
from reportlab.lib.pagesizes import A4
from reportlab.pdfgen.canvas import Canvas

from antinomy.errors import DocumentError
from antinomy.parse import parse_document
from antinomy.parse.content import Content
from antinomy.parse.model import Line
from antinomy.parse.readers.pdf import read_pdf
from antinomy.parse.readers.rejoin_words import without_old_hyphens
from antinomy.settings.source import Source

BODY = "The keeper of each light shall trim its wick before dusk and note the hour."


def make(*pages: Callable[[Canvas], None]) -> bytes:
    """Print a PDF of which each function draws a page."""
    target = io.BytesIO()
    canvas = Canvas(target, pagesize=A4)
    for page in pages:
        canvas.setFont("Times-Roman", 10)
        page(canvas)
        canvas.showPage()
    canvas.save()
    return target.getvalue()


def texts(content: Content) -> list[str]:
    return [line.text for line in content.lines]


@pytest.mark.parametrize("size", [7, 10])
@pytest.mark.parametrize("together", [True, False])
def test_numbers_that_count_the_lines_of_each_page_are_no_part_of_the_text(size: int, together: bool) -> None:
    printed = [
        [text for n in numbers for text in (f"Section {n}. Lamps", f"(a) Lamp {n} is lit by a", f"keeper on day {n}.")]
        for numbers in (range(1, 4), range(4, 7))
    ]

    def page(lines: list[str]) -> Callable[[Canvas], None]:
        def draw(canvas: Canvas) -> None:
            canvas.drawString(300, 40, f"{printed.index(lines) + 11}")
            for k, text in enumerate(lines):
                line = canvas.beginText(60, 800 - 14 * k)
                line.setFont("Times-Roman", size)
                line.textOut(f"{k + 1}")
                line.setFont("Times-Roman", 10)
                line.setTextOrigin(90, 800 - 14 * k)
                if together:
                    line.textOut(text)
                canvas.drawText(line)
            for k, text in enumerate(lines if not together else []):
                canvas.drawString(90, 800 - 14 * k, text)

        return draw

    content = read_pdf(make(*map(page, printed)))
    assert texts(content) == [text for lines in printed for text in lines]
    assert {line.x for line in content.lines} == {90}


def test_numbers_of_items_of_one_line_are_kept() -> None:
    items = [f"Lamp {n} is lit at dusk." for n in range(1, 13)]

    def page(canvas: Canvas) -> None:
        for k, text in enumerate(items):
            canvas.drawString(60, 800 - 14 * k, f"{k + 1}")
            canvas.drawString(90, 800 - 14 * k, text)

    document = parse_document(Source("lamps", "lamps.pdf", "any", grammar="numbered"), make(page))
    assert [(s.number, s.text) for s in document.sections] == [(f"{n}", text) for n, text in enumerate(items, 1)]


def test_the_words_beside_a_number_that_stands_apart_are_its_text() -> None:
    """Even if their last line looks like a number, and those above it like a heading."""
    named = [f"The keeper lights each of the harbour lamps that are listed for the night in Annex {n}" for n in "ABC"]

    def page(canvas: Canvas) -> None:
        y = 800.0
        for number, text in enumerate(named, 1):
            canvas.setFont("Times-Bold", 10)
            canvas.drawString(60, y, f"{number} Lamps")
            canvas.setFont("Times-Roman", 10)
            canvas.drawString(60, y - 20, f"{number}.1")
            canvas.drawString(110, y - 20, text[:-2])
            canvas.drawString(110, y - 32, f"{text[-1]}.")
            canvas.drawString(60, y - 52, f"{number}.2")
            canvas.drawString(110, y - 52, "The keeper writes it down.")
            y -= 80

    document = parse_document(Source("lamps", "lamps.pdf", "any", grammar="numbered"), make(page))
    found = {section.number: section.text for section in document.sections if "." in section.number}
    assert found == {
        **{f"{n}.1": f"{text}." for n, text in enumerate(named, 1)},
        **{f"{n}.2": "The keeper writes it down." for n in (1, 2, 3)},
    }


def test_a_heading_in_larger_type_goes_on_below_its_first_line() -> None:
    def page(canvas: Canvas) -> None:
        y = 800.0
        for number in range(1, 4):
            canvas.setFont("Times-Roman", 16)
            for line in (f"{number}. Lamps that the keeper hires", "from the owner of another", "lighthouse"):
                canvas.drawString(60, y, line)
                y -= 19
            canvas.setFont("Times-Roman", 10)
            for k in range(1, 4):
                for line in (f"{number}.{k} {BODY}", "It is kept for ten years."):
                    canvas.drawString(60, y, line)
                    y -= 12
                y -= 8
            y -= 8

    document = parse_document(Source("lamps", "lamps.pdf", "uk"), make(page))
    headings = [section.heading for section in document.sections if section.type == "section"]
    assert headings == ["Lamps that the keeper hires from the owner of another lighthouse"] * 3


def test_a_heading_that_is_set_smaller_than_the_chapters_holds_its_own_text_and_none_of_them() -> None:
    def page(canvas: Canvas) -> None:
        y = 800.0
        for font, size, line in (
            ("Times-Bold", 11, "The Port Office"),
            ("Times-Bold", 20, "Circular 5"),
            ("Times-Bold", 15, "Lamps"),
            ("Times-Roman", 11, "How lamps are kept by harbours and by pilots"),
        ):
            canvas.setFont(font, size)
            canvas.drawString(60, y, line)
            y -= 26
        for font, line in (
            ("Times-Roman", "It was issued by the port office and comes into force in the next year."),
            ("Times-Bold", "Addressees"),
            ("Times-Roman", "All harbours and those who keep lamps in them."),
        ):
            canvas.setFont(font, 8.5)
            canvas.drawString(60, y, line)
            y -= 26
        for chapter in ("I. Wicks", "II. Oil", "III. Horns"):
            canvas.setFont("Times-Bold", 12)
            canvas.drawString(60, y, chapter)
            y -= 20
            canvas.setFont("Times-Roman", 10)
            for label in ("(a)", "(b)"):
                canvas.drawString(60, y, f"{label} {BODY}")
                y -= 20

    document = parse_document(Source("lamps", "lamps.pdf", "", grammar="numbered"), make(page))
    chapters = [section for section in document.sections if section.type == "section"]
    assert [(section.number, section.parent_eid) for section in chapters] == [("I", ""), ("II", ""), ("III", "")]
    addressees = [section.text for section in document.sections if section.heading == "Addressees"]
    assert addressees == ["All harbours and those who keep lamps in them."]


def test_lines_tell_place_and_style() -> None:
    def page(canvas: Canvas) -> None:
        canvas.setFont("Helvetica-Bold", 14)
        canvas.drawString(200, 700, "Lights and their keepers")
        canvas.setFont("Times-Italic", 10)
        canvas.drawString(70, 650, BODY)

    heading, body = read_pdf(make(page)).lines
    assert (heading.text, heading.page, heading.x, heading.y, heading.size) == (
        "Lights and their keepers", 1, 200.0, 700.0, 14.0,
    )  # fmt: skip
    assert heading.bold
    assert (heading.font, body.font) == ("Helvetica-Bold", "Times-Italic")
    assert not body.bold


def test_running_heads_and_page_numbers_go() -> None:
    def page(number: int) -> Callable[[Canvas], None]:
        def draw(canvas: Canvas) -> None:
            canvas.drawString(70, 810, "Handbook of Lights")
            canvas.drawString(500, 810, f"L 12/{number + 40}")
            canvas.drawString(70, 700, f"Article {number * 3 % 7 + 1}")
            canvas.drawString(70, 680, f"{BODY[: 40 + number]}")
            canvas.drawString(290, 30, f"Page {number}")

        return draw

    content = read_pdf(make(*(page(number) for number in range(1, 8))))
    assert len(content.lines) == 14
    assert all("Handbook" not in text and not text.startswith("Page") for text in texts(content))
    # The first line of every page, at one height, but its numbers neither stand still nor count pages.
    assert [text for text in texts(content) if text.startswith("Article")] == [
        f"Article {n * 3 % 7 + 1}" for n in range(1, 8)
    ]
    assert len(content.furniture) == 3 * 7


def test_what_stands_at_one_place_of_each_page_goes_and_appendices_of_one_page_stay() -> None:
    def page(number: int) -> Callable[[Canvas], None]:
        def draw(canvas: Canvas) -> None:
            canvas.saveState()
            canvas.rotate(90)
            canvas.drawString(300, -570, "Version of 3 May 2041")
            canvas.restoreState()
            canvas.drawString(
                60, 810, ("Towers", "Quays", "Boats", *(f"Appendix {n}" for n in range(1, 5)))[number - 1]
            )
            canvas.drawString(60, 780, "•")
            for row in range(9):
                canvas.drawString(75, 780 - 12 * row, f"{BODY} {row}{number}")

        return draw

    content = read_pdf(make(*map(page, range(1, 8))))
    assert [text for text in texts(content) if not text.startswith(("•", BODY))] == [
        "Towers", "Quays", "Boats", *(f"Appendix {number}" for number in range(1, 5)),
    ]  # fmt: skip
    assert {line.text for line in content.furniture} == {"Version of 3 May 2041"}


def test_a_note_whose_number_is_not_raised_is_told_by_its_mark() -> None:
    def page(canvas: Canvas) -> None:
        canvas.drawString(60, 800, "1. Lamps")
        text = canvas.beginText(60, 780)
        text.textOut(f"1.1 {BODY}")
        text.setRise(3)
        text.setFont("Times-Roman", 6)
        text.textOut("2")
        canvas.drawText(text)
        canvas.setFont("Times-Roman", 10)
        canvas.drawString(60, 760, f"1.2 {BODY}")
        canvas.setFont("Times-Roman", 7.5)
        canvas.drawString(60, 60, "2 Not in the week in which harbours are closed.")
        canvas.drawString(60, 48, "3 That week is the last of the year.")

    document = parse_document(Source("lamps", "lamps.pdf", "any", grammar="numbered"), make(page))
    notes = {section.number: section.text for section in document.sections if section.type == "footnote"}
    assert notes["2"].startswith("Not in the week in which harbours are closed.")


def test_a_raised_number_that_is_set_before_its_note_is_the_notes() -> None:
    """The page prints the two apart; the provisions count on behind the note."""

    def page(number: int) -> Callable[[Canvas], None]:
        def draw(canvas: Canvas) -> None:
            for row in range(4):
                canvas.drawString(60, 780 - 30 * row, f"{4 * number + row + 1}. {BODY}")
            canvas.setFont("Times-Roman", 5)
            canvas.drawString(60, 92.5 + 20 * number, str(number + 1))
            canvas.setFont("Times-Roman", 7.5)
            canvas.drawString(72, 90 + 20 * number, ("Unless it rains.", "As the Harbour Act has it.")[number])

        return draw

    document = parse_document(Source("lamps", "lamps.pdf", "any", grammar="numbered"), make(page(0), page(1)))
    assert [s.number for s in document.sections if s.type == "paragraph"] == [str(n) for n in range(1, 9)]
    notes = {section.number: section.text for section in document.sections if section.type == "footnote"}
    assert notes["2"] == "As the Harbour Act has it."
    assert document.structure == 1


def test_headings_that_are_set_alike_are_beside_each_other_and_one_set_larger_ends_at_a_page() -> None:
    """ "Words" is no further line of the title, holds its own table alone, and no chapter."""

    def cover(canvas: Canvas) -> None:
        canvas.setFont("Helvetica", 20)
        canvas.drawString(60, 500, "Report on lamps and")
        canvas.drawString(60, 476, "on those who tend them")

    def body(canvas: Canvas) -> None:
        y = 800.0
        for heading, entries in (("Words", 1), ("1. Lamps", 2), ("2. Keepers", 2)):
            canvas.setFont("Helvetica-Bold", 15)
            canvas.drawString(60, y, heading)
            canvas.setFont("Times-Roman", 10)
            for entry in range(entries):
                y -= 24
                canvas.drawString(60, y, f"{BODY} It is done on day {entry}.")
            y -= 40

    document = parse_document(Source("lamps", "lamps.pdf", "any", grammar="numbered"), make(cover, body))
    headed = {section.heading: section for section in document.sections if section.heading}
    assert "Report on lamps and on those who tend them" in headed
    assert headed["Words"].text.startswith(BODY)
    assert headed["Lamps"].parent_eid == headed["Keepers"].parent_eid == headed["Words"].parent_eid


def test_a_section_behind_an_annex_goes_on_with_the_numbers_before_it() -> None:
    def page(canvas: Canvas) -> None:
        y, number = 800.0, 0
        for heading, size, entries in (
            ("1. Lamps", 15, 2), ("2. Keepers", 15, 2), ("Annex – Returns", 15, 0), ("3. Costs", 15, 0),
            ("3.1 Oil", 12, 0),
        ):  # fmt: skip
            canvas.setFont("Helvetica-Bold", size)
            canvas.drawString(60, y, heading)
            canvas.setFont("Times-Roman", 10)
            for _ in range(entries):
                y, number = y - 24, number + 1
                canvas.drawString(60, y, f"{number}. {BODY}")
            if not entries:
                y -= 24
                canvas.drawString(60, y, BODY)
            y -= 40

    document = parse_document(Source("lamps", "lamps.pdf", "any", grammar="numbered"), make(page))
    parents = {section.heading: section.parent_eid for section in document.sections if section.heading}
    assert parents["Costs"] == ""
    assert parents["Oil"] == next(section.eid for section in document.sections if section.heading == "Costs")


def test_footnote_marks_come_as_superscripts() -> None:
    def page(canvas: Canvas) -> None:
        text = canvas.beginText(70, 700)
        text.textOut("the opinion of the Board of Pilots (")
        text.setRise(3)
        text.setFont("Times-Roman", 6)
        text.textOut("12")
        text.setRise(0)
        text.setFont("Times-Roman", 10)
        text.textOut("), and so on")
        canvas.drawText(text)
        canvas.drawString(70, 680, BODY)

    assert texts(read_pdf(make(page)))[0] == "the opinion of the Board of Pilots (¹²), and so on"


def test_marks_that_are_scaled_by_the_text_matrix_come_as_superscripts() -> None:
    def page(canvas: Canvas) -> None:
        canvas.saveState()
        # One font size; the matrix scales the mark, as some office programs do.
        canvas._code.append("BT /F1 1 Tf 10 0 0 10 70 700 Tm (providers) Tj")
        canvas._code.append("6 0 0 6 112 704 Tm (28) Tj 10 0 0 10 119 700 Tm (who are not located here) Tj ET")
        canvas.restoreState()
        canvas.drawString(70, 650, BODY)

    assert texts(read_pdf(make(page)))[0].startswith("providers²⁸")


def test_marks_in_the_size_of_a_browsers_raised_text_come_as_superscripts() -> None:
    def page(canvas: Canvas) -> None:
        canvas.drawString(70, 650, BODY)
        text = canvas.beginText(70, 700)
        for words, rise, size in (
            ("A lamp burns", 0, 12),
            ("7", 4, 10),
            (" for ", 0, 12),
            ("6", 0, 10),
            (" hours", 0, 12),
        ):
            text.setFont("Times-Roman", size)
            text.setTextOrigin(text.getX(), 700 + rise)
            text.textOut(words)
        canvas.drawText(text)

    assert texts(read_pdf(make(page)))[0] == "A lamp burns⁷ for 6 hours"


def test_text_printed_over_itself_comes_once_and_bold() -> None:
    def page(canvas: Canvas) -> None:
        for shift in (0, 0.2, 0.4, 0.6):
            canvas.drawString(70 + shift, 700, "Risk Assessment")
        canvas.drawString(70, 650, BODY)

    line = read_pdf(make(page)).lines[0]
    assert (line.text, line.bold) == ("Risk Assessment", True)


def test_spaced_letters_make_a_word() -> None:
    def page(canvas: Canvas) -> None:
        canvas.drawString(70, 700, "C H A P T E R")
        canvas.drawString(70, 650, BODY)

    assert texts(read_pdf(make(page)))[0] == "CHAPTER"


def test_columns_come_one_after_the_other() -> None:
    def page(canvas: Canvas) -> None:
        for x, side in ((70, "left"), (320, "right")):
            for row in range(5):
                canvas.drawString(x, 700 - 12 * row, f"The {side} column has its line {row}")

    assert texts(read_pdf(make(page))) == [
        f"The {side} column has its line {row}" for side in ("left", "right") for row in range(5)
    ]


def test_what_a_browser_draws_last_is_read_where_it_stands() -> None:
    """Headings come first in the stream, the paragraphs between them later, each before the number on its left."""

    def page(canvas: Canvas) -> None:
        for y, text in ((30, "Page 1 of the code of keepers of lamps"), (720, "1 Lamps"), (600, "2 Horns")):
            canvas.drawString(70, y, text)
        for y, number in ((690, "1.1"), (660, "1.2"), (570, "2.1"), (540, "2.2")):
            canvas.drawString(110, y, f"The duty of rule {number} is that of each keeper")
            canvas.drawString(110, y - 12, "and of nobody else.")
            canvas.drawString(70, y, number)

    found = texts(read_pdf(make(page)))
    assert [text for text in found if text[0].isdecimal()] == ["1 Lamps", "1.1", "1.2", "2 Horns", "2.1", "2.2"]
    assert found[found.index("2.1") :][1:3] == ["The duty of rule 2.1 is that of each keeper", "and of nobody else."]


def test_a_turned_page_has_the_coordinates_one_sees() -> None:
    def page(canvas: Canvas) -> None:
        canvas.rotate(90)
        canvas.drawString(100, -60, BODY)

    writer = pypdf.PdfWriter(clone_from=io.BytesIO(make(page)))
    writer.pages[0].rotate(90)
    target = io.BytesIO()
    writer.write(target)
    line = read_pdf(target.getvalue()).lines[0]
    assert line.text == BODY
    assert (line.x, line.y) == (100.0, pytest.approx(A4[0] - 60, abs=0.1))


def test_bookmarks() -> None:
    def page(name: str, level: int) -> Callable[[Canvas], None]:
        def draw(canvas: Canvas) -> None:
            canvas.bookmarkPage(name)
            canvas.addOutlineEntry(name, name, level)
            canvas.drawString(70, 700, f"{name}: {BODY}")

        return draw

    content = read_pdf(make(page("I Lights", 0), page("I.A Wicks", 1), page("II Horns", 0)))
    assert [(e.title, e.level, e.page) for e in content.outline] == [
        ("I Lights", 0, 1), ("I.A Wicks", 1, 2), ("II Horns", 0, 3),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("stated", "title"),
    [
        ("Lamps Act 2041", "Lamps Act 2041"),
        ("lamps.html", ""),
        ("Microsoft Word - lamps v3.docx", ""),
        ("untitled", ""),
    ],
)
def test_the_name_of_a_file_is_no_title(stated: str, title: str) -> None:
    def draw(canvas: Canvas) -> None:
        canvas.setTitle(stated)
        canvas.drawString(70, 700, BODY)

    assert read_pdf(make(draw)).title == title


def test_a_page_without_text_is_told() -> None:
    content = read_pdf(make(lambda c: c.drawString(70, 700, BODY * 3), lambda c: c.rect(10, 10, 90, 90)))
    assert content.warnings == ["no text on page(s) 2"]


def refused(data: bytes) -> str:
    with pytest.raises(DocumentError) as caught:
        parse_document(Source("x", "x.pdf", "eu"), data)
    return str(caught.value)


def test_what_cannot_be_read_is_refused_with_the_reason() -> None:
    whole = make(*[lambda c: c.drawString(70, 700, BODY)] * 4)
    assert "empty" in refused(b"")
    assert "empty" in refused(b" \n")
    assert "cut off" in refused(whole[: len(whole) // 2])
    assert "scanned" in refused(make(lambda c: c.rect(10, 10, 90, 90)))
    assert "broken" in refused(b"%PDF-1.7\n" + b"junk " * 100 + b"\n%%EOF")
    assert "is none of" in refused(bytes(range(256)) * 20)


@pytest.mark.parametrize("algorithm", ["RC4-128", "AES-256"])
def test_encrypted_files(algorithm: str) -> None:
    def encrypted(user_password: str) -> bytes:
        writer = pypdf.PdfWriter(clone_from=io.BytesIO(make(lambda c: c.drawString(70, 700, BODY))))
        writer.encrypt(user_password, "owner", algorithm=algorithm)
        target = io.BytesIO()
        writer.write(target)
        return target.getvalue()

    assert "encrypted" in refused(encrypted("secret"))
    # Locked against changes only: it opens without a password, so it is read.
    assert texts(read_pdf(encrypted(""))) == [BODY]


def test_hyphens_of_former_line_ends_go() -> None:
    printed = [
        "Keep the information safe: information is dear, and informa-tion once lost is no information.",
        "Firms act in co-operation; cooperation, cooperation and cooperation of each operation.",
        "A risk-based plan names e-mail; email, email, email and mail.",
    ]
    lines = [line.text for line in without_old_hyphens([Line(text) for text in printed])]
    assert lines == [printed[0].replace("informa-tion", "information"), *printed[1:]]


def test_a_head_may_have_a_line_for_each_level() -> None:
    """It names what the page ends with, on left pages at the left; the chapters have the same words in larger type."""

    def page(number: int) -> Callable[[Canvas], None]:
        def draw(canvas: Canvas) -> None:
            canvas.setFont("Times-Roman", 7.5)
            for row, words in enumerate((f"Part {number} Lamps", f"Division {number}.2 Oil", f"Rule {number}.2.1")):
                canvas.drawString(60 if number % 2 else 400, 810 - 9 * row, words)
            canvas.setFont("Times-Bold", 14)
            canvas.drawString(60, 770 - 9 * number, f"Part {number} Lamps")
            canvas.setFont("Times-Roman", 10)
            for row in range(1, 4 + number % 2):
                canvas.drawString(60, 740 - 9 * number - 30 * row, f"{number}.{row} Lamp {number}{row} is lit. {BODY}")

        return draw

    document = parse_document(Source("lamps", "lamps.pdf", "any"), make(*map(page, range(1, 7))))
    assert [s.heading for s in document.sections if s.type == "part"] == ["Lamps"] * 6
    assert not [s for s in document.sections if "Division" in s.heading + s.text or "Rule" in s.label + s.text]


def test_a_note_on_an_inserted_provision_has_its_mark_before_the_number_of_this() -> None:
    """The page draws its head and the note last, and the note's number left of all lines."""

    def page(number: int) -> Callable[[Canvas], None]:
        def draw(canvas: Canvas) -> None:
            canvas.drawString(74, 790 - 12 * number, f"{number}. {BODY}")
            text = canvas.beginText(74, 760 - 12 * number)
            text.setRise(4)
            text.setFont("Times-Roman", 6)
            text.textOut(str(number))
            text.setRise(0)
            text.setFont("Times-Roman", 10)
            text.textOut(f"{number}A. A keeper {number} sells no oil.")
            canvas.drawText(text)
            canvas.setFont("Times-Roman", 8)
            canvas.drawString(60, 815, "Directions on lamps")
            canvas.setFont("Times-Roman", 6)
            canvas.drawString(60, 72.5 + 12 * number, str(number))
            canvas.setFont("Times-Roman", 8)
            canvas.drawString(66, 70 + 12 * number, f"Inserted by notice {number} of 2031.")

        return draw

    document = parse_document(Source("lamps", "lamps.pdf", "any", grammar="numbered"), make(*map(page, range(1, 5))))
    assert [s.number for s in document.sections if s.type == "paragraph"] == [
        number for n in range(1, 5) for number in (str(n), f"{n}A")
    ]
    notes = {s.label: s.text for s in document.sections if s.type == "footnote"}
    assert notes["Footnote 3 to Paragraph 3A"] == "Inserted by notice 3 of 2031."
