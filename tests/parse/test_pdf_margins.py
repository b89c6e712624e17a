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


def draw(edge: float, order: str, beside: str = "first") -> bytes:
    """Print the paragraphs, with numbers at an edge: each ``before`` or ``after`` its own, or all at the ``end``."""
    stream = io.BytesIO()
    canvas = Canvas(stream, pagesize=A4)

    def put(font: str, size: float, x: float, y: float, text: str) -> None:
        line = canvas.beginText(x, y)
        line.setFont(font, size)
        line.textOut(text)
        canvas.drawText(line)

    put("Times-Bold", 14, 100, 790, "Circular on lamps")
    y, kept = 750.0, []
    for number, lines in PARAGRAPHS:
        item = not number
        heights = [y if item else y - 14 * k for k in range(len(lines))]
        at = (edge, heights[0 if beside == "first" else -1], number)
        if number and order == "before":
            put("Times-Roman", 9, *at)
        for k, (line, height) in enumerate(zip(lines, heights, strict=True)):
            put("Times-Roman", 10, 105 + 15 * k if item else 100, height, line)
        if number and order == "after":
            put("Times-Roman", 9, *at)
        kept.append(at)
        y = heights[-1] - 24
    for at in kept if order == "end" else ():
        put("Times-Roman", 9, *at)
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
