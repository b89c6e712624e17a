"""A small typesetter on reportlab's canvas for the sample PDFs: blocks → pages with footnotes and boxes.

Only the standard PDF fonts are used, so no font is embedded and a page is small.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.pdfgen.canvas import Canvas

from antinomy.text.typography import LOWER, RAISED_DIGITS

_RAISED = re.compile(rf"([{RAISED_DIGITS}]+)")
_NOTE = re.compile(rf"[(]?{_RAISED.pattern}[)]?\s")
INK = (0.0, 0.0, 0.0)
_PALE = (0.86, 0.90, 0.96)


@dataclass(frozen=True, slots=True)
class Style:
    """How a block is set; lengths in points.

    Attributes:
        left: indent of the marker, or of the text where there is no marker.
        first: indent of the first line's text after a marker.
        hang: indent of the lines that follow.
        right: indent from the right.
        before: space above, dropped at the top of a page.
    """

    font: str = "Times-Roman"
    size: float = 9.4
    leading: float = 11.0
    left: float = 0.0
    first: float = 0.0
    hang: float = 0.0
    right: float = 0.0
    before: float = 11.0
    align: str = "justify"
    ink: tuple[float, float, float] = INK


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph, list item or heading as it will be printed.

    Attributes:
        marker: number or bullet that stands before the text.
        level: depth in the PDF outline; -1 keeps it out.
        stay: must not be the last thing on a page.
        boxed: part of a shaded box, which is never broken.
    """

    text: str
    style: Style
    marker: str = ""
    level: int = -1
    stay: bool = False
    boxed: bool = False


#: A word is its pieces: (text, raised); a raised piece is the mark of a footnote.
Word = list[tuple[str, bool]]


@dataclass(frozen=True, slots=True)
class Placed:
    """A line at its place: y is the baseline, from the top of the text area."""

    words: list[Word]
    x: float
    y: float
    style: Style
    stretch: float = 0.0
    marker: str = ""


@dataclass(slots=True)
class Page:
    """What one page holds: lines, shaded boxes as (top, bottom), footnote lines, headings for the outline."""

    lines: list[Placed] = field(default_factory=list)
    boxes: list[tuple[float, float]] = field(default_factory=list)
    notes: list[Placed] = field(default_factory=list)
    headings: list[tuple[Block, float]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Sheet:
    """A page format.

    Attributes:
        size: width and height of the paper.
        margins: left, top, right, bottom of the text area.
        note: style of footnotes.
    """

    size: tuple[float, float]
    margins: tuple[float, float, float, float]
    note: Style

    @property
    def width(self) -> float:
        """Width of the text area."""
        return self.size[0] - self.margins[0] - self.margins[2]

    @property
    def height(self) -> float:
        """Height of the text area."""
        return self.size[1] - self.margins[1] - self.margins[3]


def _width(word: Word, style: Style) -> float:
    return sum(stringWidth(text, style.font, style.size * (0.62 if up else 1.0)) for text, up in word)


def _words(text: str) -> list[Word]:
    return [
        [(piece.translate(LOWER), bool(i % 2)) for i, piece in enumerate(_RAISED.split(printed)) if piece]
        for printed in text.split()
    ]


def _wrap(block: Block, width: float) -> list[tuple[list[Word], float, float]]:
    """Break a block into lines: (words, indent, points to add to each space)."""
    style = block.style
    width -= style.right
    space = stringWidth(" ", style.font, style.size)
    lines: list[tuple[list[Word], float, float]] = []
    indent = style.left + (style.first if block.marker else 0.0)
    line: list[Word] = []
    used = 0.0
    for word in _words(block.text):
        wide = _width(word, style)
        if line and used + space + wide > width - indent:
            justified = style.align == "justify" and len(line) > 1
            lines.append((line, indent, (width - indent - used) / (len(line) - 1) if justified else 0.0))
            indent, line, used = style.left + style.hang, [], 0.0
        used += (space if line else 0.0) + wide
        line.append(word)
    lines.append((line, indent, 0.0))
    if style.align != "centre":
        return lines
    widths = [sum(_width(word, style) for word in line) + space * (len(line) - 1) for line, _, _ in lines]
    return [(line, (width - wide) / 2, 0.0) for (line, _, _), wide in zip(lines, widths, strict=True)]


def _note_lines(note: str, sheet: Sheet) -> list[Placed]:
    wrapped = _wrap(Block(note, sheet.note), sheet.width)
    return [Placed(words, x, 0.0, sheet.note, stretch) for words, x, stretch in wrapped]


def paginate(blocks: list[Block], notes: dict[str, str], sheet: Sheet) -> list[Page]:
    """Break blocks into pages: headings stay with what follows, boxes whole, footnotes by their marks.

    Args:
        blocks: in reading order.
        notes: footnote number → the note with its mark.
        sheet: the page format.
    """
    pages = [Page()]
    y = 0.0

    def room() -> float:
        taken = len(pages[-1].notes) * sheet.note.leading
        return sheet.height - y - (taken + 10.0 if taken else 0.0)

    for i, block in enumerate(blocks):
        wrapped = _wrap(block, sheet.width)
        starts_box = block.boxed and not (i and blocks[i - 1].boxed)
        if y and room() < _needed(blocks, i, sheet):
            pages.append(Page())
            y = 0.0
        page = pages[-1]
        y += block.style.before if y else 0.0
        if starts_box:
            page.boxes.append((y - 4.0, y))
        if block.level >= 0:
            page.headings.append((block, y))
        for n, (words, x, stretch) in enumerate(wrapped):
            cited = [text for word in words for text, up in word if up]
            foot = [line for number in cited for line in _note_lines(notes[number], sheet)]
            if room() < block.style.leading + len(foot) * sheet.note.leading:
                pages.append(page := Page())
                y = 0.0
            y += block.style.leading
            page.lines.append(Placed(words, x, y, block.style, stretch, "" if n else block.marker))
            page.notes.extend(foot)
        if block.boxed:
            page.boxes[-1] = (page.boxes[-1][0], y + 10.0)
            if not (i + 1 < len(blocks) and blocks[i + 1].boxed):
                y += 12.0
    return pages


def _needed(blocks: list[Block], i: int, sheet: Sheet) -> float:
    """Height that must be free for block i to start here: two lines, or more where it may not stand alone."""
    block = blocks[i]
    lines = len(_wrap(block, sheet.width))
    last = i + 1 == len(blocks)
    boxed = block.boxed and not last and blocks[i + 1].boxed
    whole = block.stay or block.boxed
    own = block.style.before + block.style.leading * (lines if whole else min(lines, 2))
    return own + (_needed(blocks, i + 1, sheet) if (block.stay or boxed) and not last else 0.0)


def draw(canvas: Canvas, page: Page, sheet: Sheet) -> None:
    """Draw a page's boxes, lines and footnotes."""
    left, top, _, bottom = sheet.margins
    for upper, lower in page.boxes:
        canvas.setFillColorRGB(*_PALE)
        canvas.rect(left - 4, sheet.size[1] - top - lower, sheet.width + 8, lower - upper, stroke=0, fill=1)
    for line in page.lines:
        _draw_line(canvas, line, left, sheet.size[1] - top - line.y)
    if page.notes:
        y = bottom + sheet.note.leading * len(page.notes)
        canvas.setLineWidth(0.5)
        canvas.line(left, y + 2, left + 90, y + 2)
        for line in page.notes:
            y -= sheet.note.leading
            _draw_line(canvas, line, left, y + 2)


def _draw_line(canvas: Canvas, line: Placed, left: float, y: float) -> None:
    style = line.style
    canvas.setFillColorRGB(*style.ink)
    text = canvas.beginText(left + (style.left if line.marker else line.x), y)
    if line.marker:
        # In one text object with the line, as word processors print it: readers then take both for one line.
        text.setFont("Symbol" if line.marker == "•" else style.font, style.size)
        text.textOut(f"{line.marker} ")
        text.setTextOrigin(left + line.x, y)
    text.setWordSpace(line.stretch)
    # Pieces of one font and rise go out in one piece, so that a reader meets whole lines.
    for run, up in _runs(line.words):
        text.setFont(style.font, style.size * (0.62 if up else 1.0))
        text.setRise(style.size * 0.33 if up else 0.0)
        text.textOut(run)
    canvas.drawText(text)


def _runs(words: Iterable[Word]) -> Iterator[tuple[str, bool]]:
    run, raised = "", False
    for i, word in enumerate(words):
        for n, (piece, up) in enumerate(word):
            if up != raised:
                if run:
                    yield run, raised
                run, raised = "", up
            run += f" {piece}" if i and not n else piece
    yield run, raised


def paragraphs(source: str) -> tuple[list[str], dict[str, str]]:
    """Split a sample's text into its paragraphs and its footnotes (number → the note with its mark)."""
    notes: dict[str, str] = {}
    body: list[str] = []
    for paragraph in source.strip().split("\n\n"):
        if found := _NOTE.match(paragraph):
            notes[found[1].translate(LOWER)] = paragraph
        else:
            body.append(paragraph)
    return body, notes
