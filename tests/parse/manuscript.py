"""Invented rules in the styles of authorities: one manuscript each, its key, and how it is set in six formats.

A manuscript's line is ``label | text``, indented below what holds it. ``= 1.1 | Words`` is a numbered heading, ``##``
one without a number, ``h Words | 1.`` a number with a heading above it; ``p`` is a paragraph without a number, ``d`` a
definition, ``.`` what stands outside of the numbering, ``T`` and ``r`` are the head and the rows of a table.
"""

from __future__ import annotations

import html
import io
import re
import textwrap
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import docx
from docx.shared import Pt
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.platypus import Flowable, Paragraph, SimpleDocTemplate, Table

from antinomy.text.typography import LOWER, RAISE

FOLDER = Path(__file__).parent / "manuscripts"
#: Labels that are no number.
_SIGNS = ("title", ".", "##", "###", "p", "d", "•", "T", "r")
_PARTS = ("part", "schedule", "attachment", "appendix", "annex")


@dataclass
class Entry:
    """A line of a manuscript: what it is, its label as printed, its words, how deep it stands, and what it holds."""

    kind: str
    label: str
    text: str
    depth: int
    above: Entry | None = None
    below: list[Entry] = field(default_factory=list)

    @property
    def number(self) -> str:
        """The number of the key: B1.1 for "B1.1", I for "Chapter – I", 4a for "§ 4 a.", 2bis for "2-bis.", 1 for ①."""
        label = re.sub(r"(?<=[\da-z])[ -](?=(?:[a-z]|bis|ter)[.)]*$)", "", self.label.rstrip("–- "))
        return label.split(" ")[-1].strip("().:°").translate(LOWER | {0x2460 + n: str(n + 1) for n in range(20)})

    @property
    def path(self) -> tuple[str, ...]:
        """The numbers of the key, from the outermost."""
        outer = self.above.path if self.above is not None else ()
        if self.kind in ("title", ".", "##", "###", "d", "T"):
            return outer
        if self.kind == "p":
            alone = self.above is not None and sum(beside.kind == "p" for beside in self.above.below) == 1
            return outer if alone and (self.below or not self.above.text) else (*outer, "")
        return (*outer, {"•": "•", "r": ""}.get(self.kind, self.number))


def entries(name: str) -> list[Entry]:
    """Return the lines of a manuscript in reading order."""
    found: list[Entry] = []
    for line in (FOLDER / f"{name}.txt").read_text(encoding="utf-8").splitlines():
        head, text = line.strip().split(" | ", 1) if " | " in line else (line.strip(" |"), "")
        kind, _, label = head.partition(" ")
        if kind not in (*_SIGNS, *_PARTS, "=", "h"):
            kind, label = "n", head
        if kind == "h":
            label, text = text, label
        depth = (len(line) - len(line.lstrip())) // 2
        entry = Entry(kind, "•" if kind == "•" else label, text, depth)
        entry.above = next((before for before in reversed(found) if before.depth < depth and before.kind != "."), None)
        if entry.above is not None:
            entry.above.below.append(entry)
        found.append(entry)
    return found


def key(found: list[Entry], tables: bool = True) -> list[tuple[tuple[str, ...], str]]:
    """Return what a parser should find: (numbers from the outermost, words) of each provision and numbered heading."""
    wanted = []
    for at, entry in enumerate(found):
        if (
            entry.kind in ("title", ".", "##", "###", "T")
            or not entry.text
            or (entry.kind == "•" and entry.above is None)
        ):
            continue
        text = entry.text
        if entry.kind == "r":
            if not tables:
                continue
            heads = next(before for before in reversed(found[:at]) if before.kind == "T").text.split(" ; ")
            cells = zip(heads, entry.text.split(" ; "), strict=True)
            text = "; ".join(f"{head}: {cell}" for head, cell in cells)
        wanted.append((entry.path, text))
    return wanted


@dataclass
class Block:
    """What is printed as one: a heading of a size, a paragraph with its label, or a table."""

    label: str
    text: str
    depth: int = 0
    heading: int = 0
    rows: list[list[str]] = field(default_factory=list)

    @property
    def words(self) -> str:
        """The label and the words."""
        return f"{self.label} {self.text}".strip()


def blocks(found: list[Entry]) -> list[Block]:
    """Return what is printed; a number that nothing follows stands on the line of the first paragraph below it."""
    printed: list[Block] = []
    waiting = ""
    for entry in found:
        if entry.kind in ("title", "##", "###", "=", *_PARTS):
            # A heading without a number is set below the numbered one that holds it.
            size = {"title": 1, "###": 4}.get(entry.kind, min(6, 2 + entry.depth + (entry.kind == "##")))
            printed.append(Block(entry.label, entry.text, 0, size))
        elif entry.kind == "n" and not entry.text and entry.below:
            waiting = f"{waiting} {entry.label}".strip()
        elif entry.kind == "h":
            printed.append(Block("", entry.text, 0, 4))
            waiting = entry.label
        elif entry.kind == "T":
            printed.append(Block("", "", entry.depth, rows=[entry.text.split(" ; ")]))
        elif entry.kind == "r":
            printed[-1].rows.append(entry.text.split(" ; "))
        else:
            printed.append(Block(f"{waiting} {entry.label}".strip(), entry.text, _indent(entry)))
            waiting = ""
    return printed


def _indent(entry: Entry) -> int:
    """Count the provisions that hold an entry."""
    above, count = entry.above, 0
    while above is not None:
        count += above.kind in ("n", "d", "p")
        above = above.above
    return count


def text(printed: list[Block]) -> bytes:
    """Wrapped and hanging; tables are left out."""
    lines: list[str] = []
    for block in printed:
        if not block.rows:
            left = " " * (4 * block.depth)
            start = left + (f"{block.label} " if block.label else "")
            lines += (
                textwrap.wrap(block.text, 78, initial_indent=start, subsequent_indent=" " * len(start))
                if not block.heading
                else [block.words]
            )
            lines.append("")
    return "\n".join(lines).encode()


def markdown(printed: list[Block]) -> bytes:
    """Headings with number signs, paragraphs, tables."""
    lines: list[str] = []
    for block in printed:
        if block.rows:
            lines += [f"| {' | '.join(row)} |" for row in block.rows]
            lines.insert(len(lines) - len(block.rows) + 1, "|" + "---|" * len(block.rows[0]))
        else:
            sign = "#" * block.heading
            lines.append(f"{sign} {block.words}".strip() if block.label != "•" else f"- {block.text}")
        lines.append("")
    return "\n".join(lines).encode()


def page(printed: list[Block]) -> bytes:
    """A web page of headings, paragraphs with typed numbers, and tables."""
    out = ["<!DOCTYPE html><html><head><title>Lamps</title></head><body>"]
    for block in printed:
        words = html.escape(block.words)
        if block.rows:
            cells = ("".join(f"<td>{html.escape(cell)}</td>" for cell in row) for row in block.rows)
            out.append(f"<table>{''.join(f'<tr>{row}</tr>' for row in cells)}</table>")
        elif block.heading:
            out.append(f"<h{block.heading}>{words}</h{block.heading}>")
        elif block.label[:1] in "¹²³" and block.label:
            out.append(f"<p><sup>{block.label.translate(LOWER)}</sup> {html.escape(block.text)}</p>")
        else:
            out.append(f"<ul><li>{html.escape(block.text)}</li></ul>" if block.label == "•" else f"<p>{words}</p>")
    return "".join([*out, "</body></html>"]).encode()


def bold_page(printed: list[Block]) -> bytes:
    """A web page whose headings are bold paragraphs, all alike."""
    return re.sub(rb"<(/?)h\d>", lambda tag: b"</b></p>" if tag[1] else b"<p><b>", page(printed))


def word(printed: list[Block]) -> bytes:
    """Headings by style, typed numbers with tabs, indents, tables."""
    document = docx.Document()
    for block in printed:
        if block.rows:
            table = document.add_table(len(block.rows), len(block.rows[0]))
            for row, cells in zip(table.rows, block.rows, strict=True):
                for cell, words in zip(row.cells, cells, strict=True):
                    cell.text = words
        elif block.heading:
            document.add_heading(block.words, block.heading - 1)
        elif block.label == "•":
            document.add_paragraph(block.text, style="List Bullet")
        else:
            paragraph = document.add_paragraph(f"{block.label}\t{block.text}" if block.label else block.text)
            paragraph.paragraph_format.left_indent = Pt(18 * block.depth)
    stream = io.BytesIO()
    document.save(stream)
    return stream.getvalue()


def pdf(printed: list[Block]) -> bytes:
    """Pages with bold headings, hanging numbers, raised numbers in small type, and ruled tables."""
    stream = io.BytesIO()
    plain = ParagraphStyle("plain", fontName="Helvetica", fontSize=10, leading=12.5, spaceAfter=5)
    flow: list[Flowable] = []
    for block in printed:
        words = html.escape(block.text)
        if block.rows:
            rows = [[Paragraph(html.escape(cell), plain) for cell in row] for row in block.rows]
            flow.append(Table(rows, style=[("GRID", (0, 0), (-1, -1), 0.5, "black")]))
        elif block.heading:
            size = 17 - 1.5 * block.heading
            bold = ParagraphStyle(
                "bold", plain, fontName="Helvetica-Bold", fontSize=size, leading=1.2 * size, keepWithNext=1
            )
            flow.append(Paragraph(html.escape(block.words), bold))
        elif block.label.isdecimal() and block.label.translate(RAISE) == block.label:
            flow.append(Paragraph(f"<super size='6'>{block.label.translate(LOWER)}</super> {words}", plain))
        else:
            left = 24 * block.depth
            hang = ParagraphStyle("hang", plain, leftIndent=left + (36 if block.label else 0), bulletIndent=left)
            flow.append(Paragraph(words, hang, bulletText=block.label or None))
    SimpleDocTemplate(stream, pagesize=A4).build(flow)
    return stream.getvalue()


#: Name of a format → how it is set.
FORMATS: dict[str, Callable[[list[Block]], bytes]] = {
    "txt": text, "md": markdown, "html": page, "bold.html": bold_page, "docx": word, "pdf": pdf,
}  # fmt: skip
#: The manuscripts.
NAMES = tuple(sorted(path.stem for path in FOLDER.glob("*.txt")))
