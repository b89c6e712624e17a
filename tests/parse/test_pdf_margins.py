"""Numbers in the margin of a PDF go with the paragraphs at their heights, in whatever order the page prints them."""

from __future__ import annotations

import io
from collections.abc import Sequence

import pytest
from reportlab.lib.pagesizes import A4
from reportlab.pdfgen.canvas import Canvas

from antinomy.parse import parse_document
from antinomy.parse.model import ParsedDocument
from antinomy.settings.source import Source

#: Number and printed lines of each paragraph; items hang behind their letters.
PARAGRAPHS: list[tuple[str, list[str]]] = [
    ("1", ["This circular sets out what the harbour office", "expects of those who tend lamps in harbours."]),
    ("2", ["A keeper makes sure that each lamp:"]),
    ("", ["a)", "is lit at dusk;"]),
    ("", ["b)", "is watched all night."]),
    ("3*", ["Gone"]),
    ("4", ["A keeper writes down the hour at which a lamp was lit,", "the hour at which it went out and the oil that",
           "it burned, and signs what was written. The office looks", "at it when it comes by, on any day of the week",
           "and at any hour of the day, and may take it away for a", "while if it gives the keeper a receipt."]),
    *((str(n), [f"Lamp {n} is wiped once"] + ["in a day."] * (n < 9)) for n in range(5, 12)),
    ("11.1", ["A lamp that was put up after the others is wiped on two", "days of a week."]),
    ("12", ["Wicks are new."]),
]  # fmt: skip


def put(canvas: Canvas, font: str, size: float, x: float, y: float, text: str) -> None:
    line = canvas.beginText(x, y)
    line.setFont(font, size)
    line.textOut(text)
    canvas.drawText(line)


def draw(
    edge: float, order: str, beside: str = "first", paragraphs: Sequence[tuple[str, list[str]]] = PARAGRAPHS
) -> bytes:
    """Print the paragraphs, with numbers at an edge: each ``before`` or ``after`` its own, or all at the ``end``."""
    stream = io.BytesIO()
    canvas = Canvas(stream, pagesize=A4)
    put(canvas, "Times-Bold", 14, 100, 790, "Circular on lamps")
    y, kept = 750.0, []
    for number, lines in paragraphs:
        item = not number
        heights = [y if item else y - 14 * k for k in range(len(lines))]
        # Several numbers end where one does.
        at = (edge - 25 * ("–" in number), heights[0 if beside == "first" else -1], number)
        if number and order == "before":
            put(canvas, "Times-Roman", 9, *at)
        for k, (line, height) in enumerate(zip(lines, heights, strict=True)):
            put(canvas, "Times-Roman", 10, 105 + 15 * k if item else 100, height, line)
        if number and order == "after":
            put(canvas, "Times-Roman", 9, *at)
        kept.append(at)
        y = heights[-1] - 24
    for at in kept if order == "end" else ():
        put(canvas, "Times-Roman", 9, *at)
    canvas.save()
    return stream.getvalue()


def read(data: bytes) -> ParsedDocument:
    return parse_document(Source("lamps", "lamps.pdf", "", grammar="numbered"), data)


def key(paragraphs: Sequence[tuple[str, list[str]]]) -> list[tuple[str, str]]:
    return [(n.rstrip("*"), " ".join(lines)) if n else (lines[0][0], lines[1]) for n, lines in paragraphs]


@pytest.mark.parametrize("order", ["before", "after", "end"])
@pytest.mark.parametrize(("edge", "beside"), [(60.0, "first"), (480.0, "first"), (480.0, "last")])
def test_numbers_go_with_the_paragraphs_beside_them(edge: float, order: str, beside: str) -> None:
    sections = [section for section in read(draw(edge, order, beside)).sections if section.number]
    assert [(section.number, section.text) for section in sections] == key(PARAGRAPHS)
    assert [section.parent_eid for section in sections if section.type == "point"] == ["para_2"] * 2
    assert all(not section.parent_eid for section in sections if section.text.startswith("Lamp"))


@pytest.mark.parametrize("order", ["before", "after", "end"])
def test_one_number_may_stand_for_several(order: str) -> None:
    gone = [*PARAGRAPHS, ("13*–15*", ["Repealed"]), ("16", ["Oil is clear."])]
    document = read(draw(480, order, paragraphs=gone))
    last = [(section.number, section.text) for section in document.sections][-3:]
    assert last == [("12", "Wicks are new."), ("13-15", "Repealed"), ("16", "Oil is clear.")]
    assert not any("13" in section.heading for section in document.sections)


def test_the_items_of_a_list_and_paragraphs_of_a_line_or_two_have_numbers_in_the_margin() -> None:
    """A browser prints the sign of an item behind its words; two columns are not a table if one counts paragraphs."""
    stream = io.BytesIO()
    canvas = Canvas(stream, pagesize=A4)
    put(canvas, "Times-Bold", 14, 100, 800, "Circular on lamps")
    printed = [
        ("The keeper watches:", ""),
        ("the lamp of the quay;", "•"),
        ("the lamp of the tower.", "•"),
        ("The office is told of a lamp that is out. It is told", ""),
        ("Repealed", ""),
        ("Wicks are new.", ""),
    ]
    for number, (words, sign) in enumerate(printed, start=1):
        y = 800 - 40 * number
        put(canvas, "Times-Roman", 10, 115 if sign else 100, y, words)
        if sign:
            put(canvas, "Times-Roman", 10, 100, y, sign)
        put(canvas, "Times-Roman", 10, 480, y, str(number))
        if number == 4:
            put(canvas, "Times-Roman", 10, 100, y - 14, "within a day of the hour of its end, see margin no.")
            put(canvas, "Times-Roman", 10, 100, y - 28, "1.")
    canvas.save()
    sections = [section for section in read(stream.getvalue()).sections if section.number]
    assert [(section.eid, section.text) for section in sections] == [
        ("para_1", "The keeper watches:"),
        ("para_2", "the lamp of the quay;"),
        ("para_3", "the lamp of the tower."),
        ("para_4", f"{printed[3][0]} within a day of the hour of its end, see margin no. 1."),
        ("para_5", "Repealed"),
        ("para_6", "Wicks are new."),
    ]


def test_the_pieces_of_an_entry_of_contents_are_one_line_and_a_note_behind_a_full_stop_makes_no_heading() -> None:
    stream = io.BytesIO()
    canvas = Canvas(stream, pagesize=A4)
    put(canvas, "Times-Bold", 12, 100, 790, "Table of contents")
    titles = ["Lamps", "Keepers", "Harbours", "Signals"]
    for k, title in enumerate(titles):
        y = 760 - 17 * k
        canvas.setFont("Times-Roman", 10)
        for x, piece in (
            (100, ("I.", "II.", "III.", "IV.")[k]),
            (130, title),
            (220 - 9 * k, "." * (50 + k)),
            (420 - 5 * (k > 2), f"margin nos. {3 * k + 1}–{3 * k + 3}"),
        ):
            canvas.drawString(x, y, piece)
    canvas.showPage()
    y = 790.0
    for k, title in enumerate(titles):
        put(canvas, "Times-Bold", 12, 100, y, ("I.", "II.", "III.", "IV.")[k])
        put(canvas, "Times-Bold", 12, 130, y, title)
        y -= 26
        for n in range(3 * k + 1, 3 * k + 4):
            put(canvas, "Times-Roman", 10, 100, y, f"The keeper of light {n} is awake for as long as it burns.")
            put(canvas, "Times-Roman", 9, 480, y, str(n))
            y -= 14
            words = f"The watch is kept at light {n}."
            put(canvas, "Times-Roman", 10, 100, y, words)
            put(canvas, "Times-Roman", 6, 100 + canvas.stringWidth(words, "Times-Roman", 10), y, str(n))
            y -= 24
    canvas.save()
    found = {section.eid: section for section in read(stream.getvalue()).sections}
    assert [section.heading for section in found.values() if section.type == "section"] == titles
    assert [section.eid for section in found.values() if section.text] == [f"para_{n}" for n in range(1, 13)]
    light = "The keeper of light 9 is awake for as long as it burns. The watch is kept at light 9."
    assert (found["para_9"].text, found["para_9"].parent_eid) == (light, "sec_III")


def test_a_lettered_title_above_a_margin_number_is_a_heading_and_the_last_item_of_a_list_is_not() -> None:
    stream = io.BytesIO()
    canvas = Canvas(stream, pagesize=A4)
    put(canvas, "Times-Bold", 14, 100, 800, "Circular on lamps")
    y, number = 770.0, 0
    for chapter, letters in (("A. Towers", "abc"), ("B. Quays", "ab")):
        put(canvas, "Times-Bold", 12, 100, y, chapter)
        y -= 24
        for letter in letters:
            title = {"a": "Records", "b": "Repairs", "c": "Inspections"}[letter]
            put(canvas, "Times-Roman", 10, 100, y, f"{letter}) {title}")
            y -= 24
            for words in ("The keeper sees to this every week.", "The office hears of:"):
                number += 1
                put(canvas, "Times-Roman", 10, 100, y, words)
                put(canvas, "Times-Roman", 9, 480, y, str(number))
                y -= 22
            for item in ("a) Lamps that are out", "b) Wicks and oil"):
                put(canvas, "Times-Roman", 10, 115, y, item)
                y -= 18
            y -= 6
    canvas.save()
    sections = {section.eid: section for section in read(stream.getvalue()).sections}
    titles = [section.heading for section in sections.values() if section.type == "section"]
    assert titles == ["Towers", "Records", "Repairs", "Inspections", "Quays", "Records", "Repairs"]
    assert sections["para_10__point_b"].text == "Wicks and oil"
    assert sections["para_5"].parent_eid == "sec_A__sec_c"


def test_letters_in_a_column_before_the_numbers_say_how_binding_provisions_are() -> None:
    stream = io.BytesIO()
    canvas = Canvas(stream, pagesize=A4)
    put(canvas, "Times-Bold", 14, 60, 800, "Notice on lamps")
    y = 770.0
    for chapter, kinds in ((1, "RGR"), (2, "R GR")):
        put(canvas, "Times-Bold", 12, 60, y, str(chapter))
        put(canvas, "Times-Bold", 12, 120, y, ("Towers", "Quays")[chapter - 1])
        for number, kind in enumerate(kinds, 1):
            y -= 28
            if kind.strip():
                put(canvas, "Times-Bold", 10, 60, y, kind)
            put(canvas, "Times-Roman", 10, 80, y, f"{chapter}.{number}")
            put(canvas, "Times-Roman", 10, 120, y, f"The keeper of tower {chapter} sees to lamp {number} on")
            put(canvas, "Times-Roman", 10, 120, y - 12, "each day of the year.")
        y -= 44
    canvas.save()
    document = read(stream.getvalue())
    assert document.coverage == 1
    assert [(section.number, section.text) for section in document.sections if section.text] == [
        (f"{chapter}.{number}", f"The keeper of tower {chapter} sees to lamp {number} on each day of the year.")
        for chapter, last in ((1, 3), (2, 4)) for number in range(1, last + 1)
    ]  # fmt: skip
