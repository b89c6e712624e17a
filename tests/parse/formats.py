"""Sets numbered blocks (``styles``) in Markdown, HTML, text, DOCX and PDF, the ways publications are set."""

from __future__ import annotations

import html as escape
import io
import random
import textwrap
from collections.abc import Callable

import docx
from docx.shared import Pt
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.platypus import BaseDocTemplate, Frame, PageTemplate, Paragraph

from parse.styles import Block, roman

_TITLE = "Rules on the keeping of harbours"


def _joined(block: Block) -> str:
    return f"{block.label} {block.text}".strip()


def markdown(blocks: list[Block], rng: random.Random, style: str) -> bytes:
    """Headings with number signs; items as paragraphs or as nested bullets; numbers of paragraphs bold or not."""
    bullets, bold = rng.random() < 0.4, rng.random() < 0.4
    lines = [] if style == "eu" else [f"# {_TITLE}", ""]
    for block in blocks:
        if block.heading:
            if style == "eu" and block.labels:
                lines += [f"{'#' * (block.level + 2)} {block.label}", "", f"**{block.text}**", ""]
            else:
                lines += [f"{'#' * (block.level + 2)} {_joined(block)}", ""]
        elif block.kind and (bullets or block.kind == "•") and block.level >= 2:
            lines.append(
                "  " * (block.level - 2) + ("- " if block.kind == "•" else "- " + block.label + " ") + block.text
            )
        else:
            label = f"**{block.label}**" if bold and block.label and style != "eu" else block.label
            lines += ["", f"{label} {block.text}".strip(), ""]
    return "\n".join(lines).encode()


def text(blocks: list[Block], rng: random.Random, style: str) -> bytes:
    """Wrapped lines, a blank line between paragraphs, items indented or hanging or neither."""
    width, indent, hanging = rng.choice([68, 76, 84]), rng.choice([0, 4]), rng.random() < 0.5
    right = style == "swiss" and rng.random() < 0.5
    tight = style not in ("eu", "handbook") and rng.random() < 0.4
    lines = [] if style == "eu" else [_TITLE.upper() if rng.random() < 0.5 else _TITLE, ""]
    for block in blocks:
        if block.heading:
            words = _joined(block)
            if style == "eu" and block.labels:
                lines += [block.label, "", *textwrap.wrap(block.text, width), ""]
            else:
                lines += ["", words, ""] if tight else [words, ""]
            continue
        left = indent * max(0, block.level - 2) * (style != "eu")
        label = "" if block.margin and right else block.label
        start = " " * left + (f"{label} " if label else "")
        if label and hanging:
            start = " " * left + f"{label} ".ljust(4)
        rest = " " * (len(start) if hanging else left)
        wrapped = textwrap.wrap(block.text, width, initial_indent=start, subsequent_indent=rest)
        if block.margin and right:
            wrapped[0] = wrapped[0].ljust(width + 4) + block.label
        lines += wrapped if tight else [*wrapped, ""]
    return "\n".join(lines).encode()


def _ordinal(block: Block) -> int:
    """The place of a list item's number: 3 for (c)."""
    number = block.path[-1]
    if block.kind == "1":
        return int(number)
    if block.kind == "i":
        return next(n for n in range(1, 40) if roman(n) == number)
    return ord(number.lower()) - 96


def html(blocks: list[Block], rng: random.Random, style: str) -> bytes:
    """Headings, paragraphs, items as nested lists whose numbers the browser counts, or as paragraphs."""
    lists = rng.random() < 0.6 and style != "eu"
    out = ["<!DOCTYPE html><html><head><title>", _TITLE, "</title></head><body>"]
    if style != "eu":
        out.append(f"<h1>{_TITLE}</h1>")
    out.append("<div class='nav'><a href='#a'>Print</a></div>" if rng.random() < 0 else "")
    open_lists: list[int] = []

    def close(level: int) -> None:
        while open_lists and open_lists[-1] >= level:
            open_lists.pop()
            out.append("</li></ol>")

    for block in blocks:
        words = escape.escape(block.text)
        listed = lists and block.kind and block.kind != "•" and len(block.labels) == 1 and block.level >= 3
        if listed:
            close(block.level + 1)
            if open_lists and open_lists[-1] == block.level:
                out.append("</li><li>")
            else:
                open_lists.append(block.level)
                start = _ordinal(block) if len(block.path) else 1
                out.append(f'<ol type="{block.kind}"' + (f' start="{start}"' if start > 1 else "") + "><li>")
            out.append(words)
            continue
        close(0)
        if block.heading and style == "eu" and block.labels:
            out.append(f"<h{block.level + 2}>{block.label}</h{block.level + 2}><p><b>{words}</b></p>")
        elif block.heading:
            out.append(f"<h{block.level + 2}>{escape.escape(_joined(block))}</h{block.level + 2}>")
        elif block.margin:
            out.append(
                f"<table><tr><td>{block.label}</td><td>{words}</td></tr></table>"
                if rng.random() < 0.5
                else f"<p><span class='mn'>{block.label}</span> {words}</p>"
            )
        elif block.kind == "•":
            out.append(f"<ul><li>{words}</li></ul>")
        else:
            out.append(f"<p>{escape.escape(block.label)} {words}</p>")
    close(0)
    return "".join([*out, "</body></html>"]).encode()


def word(blocks: list[Block], rng: random.Random, style: str) -> bytes:
    """Headings by style or in bold, typed numbers with tabs, indents; margin numbers in a table."""
    document = docx.Document()
    styled, table = rng.random() < 0.7, rng.random() < 0.5
    if style != "eu":
        document.add_heading(_TITLE, 0)
    for block in blocks:
        if block.heading and styled and style != "eu":
            document.add_heading(_joined(block), block.level + 1)
        elif block.heading:
            for part in [block.label, block.text] if style == "eu" and block.labels else [_joined(block)]:
                document.add_paragraph().add_run(part).bold = True
        elif block.margin and table:
            cells = document.add_table(1, 2).rows[0].cells
            cells[0].text, cells[1].text = block.label, block.text
        elif block.kind == "•":
            document.add_paragraph(block.text, style="List Bullet")
        else:
            paragraph = document.add_paragraph(f"{block.label}\t{block.text}" if block.label else block.text)
            paragraph.paragraph_format.left_indent = Pt(18 * max(0, block.level - 1))
    stream = io.BytesIO()
    document.save(stream)
    return stream.getvalue()


class _Margin(Paragraph):
    """A paragraph with a number in the margin."""

    number = ""
    offset = 0.0

    def draw(self) -> None:
        self.canv.setFont("Times-Roman", 9)
        self.canv.drawString(self.offset, self.height - self.style.leading + 2, self.number)
        super().draw()

    def split(self, width: float, height: float) -> list[Paragraph]:  # the number stays with the first part
        parts = super().split(width, height)
        for part in parts:
            part.__class__ = Paragraph
        if parts:
            parts[0].__class__ = _Margin
            parts[0].number, parts[0].offset = self.number, self.offset
        return parts


def pdf(blocks: list[Block], rng: random.Random, style: str) -> bytes:
    """Pages with running heads and page numbers; items indented or hanging; margin numbers left or right."""
    size = rng.choice([9.5, 10.5, 11])
    hanging, spaced, contents = (
        rng.random() < 0.5,
        rng.choice([0, 3, 4, 7] if style not in ("eu", "handbook") else [4, 7]),
        rng.random() < 0.5 and style != "eu",
    )
    serif = rng.random() < 0.5
    font, heavy = ("Times-Roman", "Times-Bold") if serif else ("Helvetica", "Helvetica-Bold")
    outside = rng.choice([-40.0, 440.0])
    stream = io.BytesIO()
    document = BaseDocTemplate(stream, pagesize=A4, title="" if style == "eu" else _TITLE)

    def furniture(canvas: object, page: object) -> None:
        canvas.setFont(font, 8)  # type: ignore[attr-defined]
        canvas.drawString(80, 800, f"{_TITLE} – consolidated")  # type: ignore[attr-defined]
        canvas.drawRightString(515, 30, f"Page {canvas.getPageNumber()}")  # type: ignore[attr-defined]

    frame = Frame(80, 60, 430, 720, 0, 0, 0, 0)
    document.addPageTemplates([PageTemplate("page", [frame], onPage=furniture)])

    def set_in(name: str, points: float, **more: float) -> ParagraphStyle:
        return ParagraphStyle("x", fontName=name, fontSize=points, leading=points * 1.2, spaceAfter=spaced, **more)

    flow = [] if style == "eu" else [Paragraph(_TITLE, set_in(heavy, size + 6))]
    if contents:
        flow.append(Paragraph("Contents", set_in(heavy, size + 2)))
        for n, block in enumerate(b for b in blocks if b.heading):
            flow.append(Paragraph(f"{escape.escape(_joined(block))} {'.' * 30} {n // 5 + 2}", set_in(font, size)))
    for block in blocks:
        words = escape.escape(block.text)
        if block.heading:
            heading = set_in(heavy, size + (2 - block.level if rng.random() < 2 else 0), spaceBefore=6, keepWithNext=1)
            for part in [block.label, block.text] if style == "eu" and block.labels else [_joined(block)]:
                flow.append(Paragraph(escape.escape(part), heading))
            continue
        left = 18.0 * max(0, block.level - 2)
        if block.margin:
            paragraph = _Margin(words, set_in(font, size))
            paragraph.number, paragraph.offset = block.label, outside
            flow.append(paragraph)
        elif hanging and block.label:
            hang = 20.0 if len(block.label) < 5 else 48.0 if len(block.label) < 10 else 80.0
            setting = set_in(font, size, leftIndent=left + hang, bulletIndent=left)
            flow.append(Paragraph(words, setting, bulletText=block.label))
        else:
            flow.append(Paragraph(f"{escape.escape(block.label)} {words}".strip(), set_in(font, size, leftIndent=left)))
    document.build(flow)
    return stream.getvalue()


#: Name of a format → how it is set.
FORMATS: dict[str, Callable[[list[Block], random.Random, str], bytes]] = {
    "md": markdown, "html": html, "txt": text, "docx": word, "pdf": pdf,
}  # fmt: skip
