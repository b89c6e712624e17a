"""Prints the sample texts as PDFs laid out like an official journal and like a US handbook booklet.

Run ``python -m antinomy.samples.make_pdfs [FOLDER]`` after changing a text; needs reportlab (extra ``dev``).
The same text gives the same bytes: reportlab's invariant mode fixes dates and ids.
"""

from __future__ import annotations

import re
import sys
from dataclasses import replace
from pathlib import Path

from reportlab.lib.pagesizes import A4, letter
from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.pdfgen.canvas import Canvas

from antinomy.samples import DOCUMENTS, FOLDER
from antinomy.samples.typeset import INK, Block, Page, Sheet, Style, draw, paginate, paragraphs

# --- the European act ----------------------------------------------------------------------

_JOURNAL, _ISSUE, _DATE = "Specimen Journal of the Union", "L 9417", "14.3.2031"
_EU_SHEET = Sheet(
    size=A4,
    margins=(70.0, 92.0, 70.0, 62.0),
    note=Style(size=7.6, leading=9.0),
)
_TEXT = Style()
_CENTRE = Style(align="centre")
_ACT = replace(_CENTRE, font="Times-Bold", size=9.8)
_PARA = replace(_TEXT, first=22)
_POINT = replace(_TEXT, first=24, hang=24, before=8)
_SUBPOINT = replace(_TEXT, left=24, first=22, hang=46, before=6)
_ARTICLE = replace(_CENTRE, font="Times-Italic", before=24)
_HEADING = replace(_CENTRE, font="Times-Bold", before=10)
_CHAPTER = replace(_CENTRE, before=30)


def eu_blocks(body: list[str]) -> list[Block]:
    """Tell what each paragraph of the act is by its first words, as a reader of the printed act does."""
    blocks: list[Block] = []
    acting = next(i for i, text in enumerate(body) if text.startswith("THE SPECIMEN PARLIAMENT"))
    annex = body.index("ANNEX")
    for i, text in enumerate(body):
        marker, _, rest = text.partition("   ")
        opened = bool(blocks) and blocks[-1].level >= 0
        if i < acting:
            blocks.append(Block(text, _ACT, stay=True))
        elif re.fullmatch(r"CHAPTER [IVX]+", text):
            blocks.append(Block(text, _CHAPTER, level=0, stay=True))
        elif text == "ANNEX":
            blocks.append(Block(text, replace(_CHAPTER, font="Times-Bold"), level=0, stay=True))
        elif re.fullmatch(r"Article \d+", text):
            blocks.append(Block(text, _ARTICLE, level=1, stay=True))
        elif opened:
            blocks.append(Block(text, _HEADING, stay=True))
        elif not rest:
            blocks.append(Block(text, _TEXT))
        elif marker.endswith("."):
            blocks.append(Block(rest, _POINT if i > annex else _PARA, marker))
        elif i > annex or re.fullmatch(r"\([ivx]+\)", marker):
            blocks.append(Block(rest, _SUBPOINT, marker))
        else:
            blocks.append(Block(rest, _POINT, marker))
    return blocks


def print_eu(source: str, target: Path) -> None:
    """Print the act: running head with date, language, journal and page, changing sides on even pages."""
    body, notes = paragraphs(source)
    canvas = Canvas(str(target), pagesize=A4, invariant=1)
    canvas.setTitle(f"{body[0]} {body[1]} {body[2]}")
    for number, page in enumerate(paginate(eu_blocks(body), notes, _EU_SHEET), start=1):
        draw(canvas, page, _EU_SHEET)
        _bookmark(canvas, page, _EU_SHEET)
        outer, inner = (_DATE, f"{_ISSUE}/{number}") if number % 2 else (f"{_ISSUE}/{number}", _DATE)
        y, right = A4[1] - 58, A4[0] - 44
        canvas.setFillColorRGB(*INK)
        canvas.setFont("Times-Roman", 9)
        canvas.drawString(44, y, outer)
        canvas.setLineWidth(0.5)
        canvas.rect(116, y - 3, 22, 11)
        canvas.setFont("Times-Roman", 8)
        canvas.drawCentredString(127, y, "EN")
        canvas.setFont("Times-Roman", 9)
        canvas.drawCentredString(A4[0] / 2, y, _JOURNAL)
        canvas.drawRightString(right, y, inner)
        canvas.line(44, y - 9, right, y - 9)
        canvas.showPage()
    canvas.save()


# --- the US booklet ----------------------------------------------------------------------

_BLUE = (0.09, 0.25, 0.45)
_US_SHEET = Sheet(
    size=letter,
    margins=(72.0, 84.0, 72.0, 72.0),
    note=Style(size=10, leading=11.5, align="left"),
)
_PROSE = Style(size=12, leading=13.8, align="left", before=13.8)
_BULLET = replace(_PROSE, first=18, hang=18, before=1.5)
_STEP = replace(_PROSE, first=24, hang=24)
_SUBSTEP = replace(_PROSE, left=24, first=20, hang=44, before=2)
_HEADINGS = tuple(
    Style(font=font, size=size, leading=size * 1.25, align="left", before=before, ink=_BLUE)
    for font, size, before in (
        ("Helvetica-Bold", 18, 26), ("Helvetica-Bold", 16, 24), ("Helvetica-Bold", 14, 20),
        ("Helvetica-BoldOblique", 12, 18),
    )
)  # fmt: skip
_OBJECTIVE = replace(_PROSE, font="Times-Bold", before=18)
_NUMBERED = re.compile(r"([IVX]+(?:\.[A-Z](?:\.\d+)?)?)   (.+)")


def _inside(style: Style, before: float) -> Style:
    hang = style.hang + 10 if style.hang else 0.0
    return replace(style, left=style.left + 10, right=10, before=before, hang=hang)


def us_blocks(body: list[str]) -> list[Block]:
    """Tell what each paragraph of the booklet is: heading, part of a box, bullet, procedure, or prose."""
    blocks: list[Block] = []
    boxed, depth = False, 0
    for i, text in enumerate(body):
        marker, _, rest = text.partition("   ")
        following = body[i + 1] if i + 1 < len(body) else ""
        if text == "Action Summary":
            boxed = True
            blocks.append(Block(text, _inside(replace(_PROSE, font="Times-Bold"), 22), boxed=True, stay=True))
        elif marker == "•":
            listed = bool(blocks) and blocks[-1].marker == "•"
            style = replace(_BULLET, before=1.5 if listed else 13.8)
            blocks.append(Block(rest, _inside(style, style.before) if boxed else style, marker, boxed=boxed))
            boxed = boxed and following.startswith("•")
        elif numbered := _NUMBERED.fullmatch(text):
            depth = numbered[1].count(".")
            style = replace(_HEADINGS[depth], first=32 + 8 * depth, hang=32 + 8 * depth)
            blocks.append(Block(numbered[2], style, numbered[1], level=depth, stay=True))
        elif text.startswith("Appendix ") or text == "Introduction":
            blocks.append(Block(text, _HEADINGS[0], level=0, stay=True))
        elif text.startswith("Objective "):
            blocks.append(Block(text, _OBJECTIVE, level=1, stay=True))
        elif step := re.fullmatch(r"(\d+\.|[a-z]\.) (.+)", text):
            style = _STEP if step[1][0].isdigit() else _SUBSTEP
            blocks.append(Block(step[2], style, step[1]))
        elif not text.endswith((".", ":")):
            blocks.append(Block(text, _HEADINGS[3], level=depth + 1, stay=True))
        else:
            style = _inside(_PROSE, 13.8) if boxed else _PROSE
            blocks.append(Block(text, style, boxed=boxed, stay=text.endswith(":")))
    return blocks


def print_us(source: str, target: Path) -> None:
    """Print the booklet: cover, contents with dotted leaders, pages with running head and foot, outline."""
    body, notes = paragraphs(source)
    title, handbook, date = body[:3]
    pages = paginate(us_blocks(body[3:]), notes, _US_SHEET)
    canvas = Canvas(str(target), pagesize=letter, invariant=1)
    canvas.setTitle(title)
    canvas.setFillColorRGB(*_BLUE)
    for text, font, size, y in (
        (handbook, "Helvetica", 20, 560),
        (title, "Helvetica-Bold", 30, 500),
        (date, "Helvetica", 14, 190),
    ):
        canvas.setFont(font, size)
        canvas.drawString(72, y, text)
    canvas.showPage()
    entries = [(block, n) for n, page in enumerate(pages, start=1) for block, _ in page.headings]
    for n in range(0, len(entries), 36):
        _us_frame(canvas, handbook, title, date.title(), "i" * (n // 36 + 1))
        _contents(canvas, entries[n : n + 36], first=not n)
        canvas.showPage()
    for n, page in enumerate(pages, start=1):
        _us_frame(canvas, handbook, title, date.title(), str(n))
        draw(canvas, page, _US_SHEET)
        _bookmark(canvas, page, _US_SHEET)
        canvas.showPage()
    canvas.save()


def _us_frame(canvas: Canvas, handbook: str, title: str, date: str, number: str) -> None:
    canvas.setFillColorRGB(*_BLUE)
    canvas.setStrokeColorRGB(*_BLUE)
    canvas.setLineWidth(0.8)
    canvas.setFont("Helvetica", 10)
    canvas.drawString(72, 742, handbook)
    canvas.drawRightString(540, 742, title)
    canvas.line(72, 736, 540, 736)
    canvas.line(72, 50, 540, 50)
    canvas.drawString(72, 38, date)
    canvas.drawRightString(540, 38, number)
    canvas.setStrokeColorRGB(*INK)


def _contents(canvas: Canvas, entries: list[tuple[Block, int]], first: bool) -> None:
    y = 700.0
    if first:
        canvas.setFont("Helvetica-Bold", 16)
        canvas.setFillColorRGB(*_BLUE)
        canvas.drawString(72, y, "Contents")
    canvas.setFillColorRGB(*INK)
    for block, page in entries:
        y -= 17
        font = "Helvetica-Bold" if block.level < 2 and block.style is not _OBJECTIVE else "Helvetica"
        heading = block.text.upper() if block.level == 0 else block.text
        x = 72.0 + 14 * block.level
        end = 540.0 - stringWidth(str(page), font, 11)
        dot = stringWidth(".", font, 11)
        line = canvas.beginText(x, y)
        line.setFont(font, 11)
        if block.marker:
            line.textOut(f"{block.marker} ")
            x += 40
        dots = int((end - x - stringWidth(heading, font, 11) - 9) / dot)
        for at, piece in ((x, f"{heading} "), (end - 3 - dots * dot, f"{'.' * dots} "), (end, str(page))):
            line.setTextOrigin(at, y)
            line.textOut(piece)
        canvas.drawText(line)


def _bookmark(canvas: Canvas, page: Page, sheet: Sheet) -> None:
    """Put a page's headings into the outline."""
    for block, y in page.headings:
        title = f"{block.marker} {block.text}".strip()
        key = f"{canvas.getPageNumber()}-{y:.0f}"
        canvas.bookmarkHorizontalAbsolute(key, sheet.size[1] - sheet.margins[1] - y)
        canvas.addOutlineEntry(title, key, level=block.level)


def main(folder: Path) -> None:
    """Write the PDFs of both samples into a folder."""
    printers = {"eu": print_eu, "us": print_us}
    for name, regime in DOCUMENTS.items():
        printers[regime]((FOLDER / f"{name}.txt").read_text(encoding="utf-8"), folder / f"{name}.pdf")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if sys.argv[1:] else FOLDER)
