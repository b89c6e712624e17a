"""EUR-Lex (X)HTML → atoms; any other HTML → lines.

EUR-Lex prints the Official Journal's structure as ``div`` ids (``art_6``, ``rct_12``, ``cpt_II.sct_I``,
``006.003``) and classes (``oj-ti-art``, before 2023 without ``oj-``); points are rows of two-column tables,
nested as the points are.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from dataclasses import replace

from lxml import etree

from antinomy.parse.content import Atom, Content, reader
from antinomy.parse.markup import NUMBER, fold, inline_text, parse_html
from antinomy.parse.model import Line, OutlineEntry

_DIVISIONS = {"prt": "part", "tis": "title", "cpt": "chapter", "sct": "section", "sbs": "subsection"}
_DIVISION = re.compile(r"(?:^|\.)(prt|tis|cpt|sct|sbs)_(\w+)$")
_ARTICLE = re.compile(r"^art_(\w+)$")
_PARAGRAPH = re.compile(r"^(\d{1,3}[a-z]{0,2}\.)\s+")
_RECITAL = re.compile(r"^(\(\d{1,4}\))\s+")
_LAST_NUMBER = re.compile(r"\s([IVXLC]+|\d+[a-z]?|[A-Z])$")
_NOTE = re.compile(r"^[\[(]\s*([⁰¹²³⁴⁵⁶⁷⁸⁹]+)\s*[\])]\s*")
_STRAY_QUOTE = re.compile(r"([’”«“»][;.,]*)\s*\"$")
_SKIPPED = frozenset({"script", "style", "head", "hr", "colgroup", "col", "img", "noscript", "template"})
_BLOCKS = frozenset({
    "p", "div", "section", "article", "main", "table", "tbody", "thead", "tfoot", "tr", "td", "th", "ul",
    "ol", "li", "dl", "dt", "dd", "blockquote", "pre", "header", "footer", "nav", "aside", "form",
    "figure", "caption", "h1", "h2", "h3", "h4", "h5", "h6", "body", "html",
})  # fmt: skip


def _is_html(head: bytes) -> bool:
    head = head.removeprefix(codecs.BOM_UTF8).lstrip().lower()
    return head.startswith(b"<") and (b"<html" in head or b"<!doctype html" in head)


@reader("text/html", sniff=_is_html)
def read_html(data: bytes) -> Content:
    """Read an act as EUR-Lex publishes it, or the text and headings of any other page.

    Raises:
        DocumentError: if nothing can be made of the bytes.
    """
    root = parse_html(data)
    body = next(iter(root.iter("body")), root)
    title = next((fold(element.text or "") for element in root.iter("title")), "")
    blocks = [block for block in _leaves(body) if _text(block)]
    if any(_classes(block) & {"ti-art", "doc-ti"} for block in blocks):
        walk = _Walk()
        walk.children(body, 0)
        kept = [block for block in blocks if not any(name.startswith("hd-") for name in _classes(block))]
        return Content(atoms=walk.atoms + walk.notes, lines=[Line(_text(block)) for block in kept], title=title)
    lines, outline = [], []
    for row, block in enumerate(blocks):
        # Two rows each: every block of a page stands apart, as by a blank line.
        y, text = float(-2 * row), _text(block)
        level = int(block.tag[1]) if re.fullmatch(r"h[1-6]", block.tag) else 0
        if level:
            outline.append(OutlineEntry(text, level - 1, y=y))
        lines.append(Line(text, y=y, bold=bool(level)))
    return Content(lines=lines, outline=outline, title=title)


class _Walk:
    """One pass over an act's elements."""

    def __init__(self) -> None:
        self.atoms: list[Atom] = []
        self.notes: list[Atom] = []
        self._part = "front"

    def children(self, parent: etree._Element, level: int) -> None:
        """Take in all that is below an element, as part of a point of level ``level`` - 1."""
        if parent.text and parent.text.strip():
            self._text(fold(parent.text), level)
        for child in parent:
            if isinstance(child.tag, str) and child.tag not in _SKIPPED:
                self._element(child, level)
            if child.tail and child.tail.strip():
                self._text(fold(child.tail), level)

    def _element(self, element: etree._Element, level: int) -> None:
        name, classes = element.get("id") or "", _classes(element)
        if element.tag == "table":
            self._table(element, level)
        elif not _is_leaf(element):
            part = self._part
            self._open(name, element)
            self.children(element, level)
            if self._part in ("cit", "rct"):
                self._part = part
        elif text := _text(element):
            self._leaf(element, classes, text, level)

    def _open(self, name: str, element: etree._Element) -> None:
        """Note what part of the act an element with this id holds."""
        if match := _ARTICLE.match(name):
            self._part = "body"
            self._add("article", match[1], printed=_first(element, "ti-art"))
        elif match := _DIVISION.search(name):
            self._part = "body"
            self._add(_DIVISIONS[match[1]], match[2], printed=_first(element, "ti-section-1"))
        elif name.startswith("anx_"):
            self._part = "body"
            printed = _first(element, "doc-ti") or _first(element, "ti-section-1")
            number = _LAST_NUMBER.search(printed)
            self._add("annex", number[1] if number else "", printed=printed)
        elif name.startswith(("pbl_", "cit_", "rct_")):
            self._part = name[:3]
        elif name.startswith("fnp_"):
            self._part = "fnp"

    def _leaf(self, element: etree._Element, classes: set[str], text: str, level: int) -> None:
        note = _NOTE.match(text)
        if "note" in classes and note:
            self.notes.append(Atom("footnote", note[1], text[note.end() :]))
        elif "ti-art" in classes or "ti-section-1" in classes:
            self._titled(text, "ti-art" in classes)
        elif classes & {"sti-art", "ti-section-2", "ti-grseq-1", "ti-annotation"}:
            self._add("heading", text=text)
        elif "doc-ti" in classes:
            self._document_title(text)
        else:
            self._text(_STRAY_QUOTE.sub(r"\1", text), level)

    def _titled(self, text: str, article: bool) -> None:
        """Take the line that prints a number; it opens an article or division where no id has yet."""
        if self.atoms and self.atoms[-1].printed == text:
            return
        number = _LAST_NUMBER.search(text)
        if number is None:
            self._add("heading", text=text)
            return
        word = text.split()[0].lower()
        kind = "article" if article else word if word in _DIVISIONS.values() else "chapter"
        self._part = "body"
        self._add(kind, number[1], printed=text)

    def _document_title(self, text: str) -> None:
        last = self.atoms[-1] if self.atoms else None
        if last is not None and last.type == "annex":
            if last.printed != text:
                self._add("heading", text=text)
        elif re.match(r"^ANNEX\b", text):
            number = _LAST_NUMBER.search(text)
            self._part = "body"
            self._add("annex", number[1] if number else "", printed=text)
        elif self._part == "front":
            self._add("title", text=text)
        else:
            self._add("heading", text=text)

    def _text(self, text: str, level: int) -> None:
        match self._part:
            case "front":
                self._add("title", text=text)
            case "pbl":
                self._add("preamble", text=text)
            case "cit":
                self._add("citation", text=text)
            case "rct":
                number = _RECITAL.match(text)
                if number:
                    self._add("recital", number[1], text[number.end() :])
                else:
                    self._add("text", text=text)
            case "fnp":
                opened = bool(self.atoms) and self.atoms[-1].type in ("conclusions", "text") and self._closing
                self._add("text" if opened else "conclusions", text=text)
                self._closing = True
            case _:
                number = _PARAGRAPH.match(text)
                if number and level == 0:
                    self._add("paragraph", number[1], text[number.end() :])
                else:
                    self._add("text", text=text, level=level)

    _closing = False

    def _table(self, table: etree._Element, level: int) -> None:
        """Take a table: rows of number and text are points or a recital, others are kept row by row."""
        for row in _rows(table):
            cells = [cell for cell in row if cell.tag in ("td", "th")]
            first = _text(cells[0]) if cells else ""
            if len(cells) >= 2 and NUMBER.match(first):
                if self._part == "rct":
                    self._add("recital", first)
                elif first in "—–-•":
                    self._add("item", text="", level=level)
                else:
                    self._add("point", first, level=level)
                self._cells(cells[1:], level)
            elif any(name.startswith("hd-") for cell in cells for name in _inner_classes(cell)):
                continue
            elif len(cells) == 1:
                self._element(cells[0], level)
            elif text := _row_text(cells):
                self._text(text, level)

    def _cells(self, cells: list[etree._Element], level: int) -> None:
        """Take the cells beside a number: the first block is the point's own text."""
        opened = len(self.atoms)
        for cell in cells:
            self._element(cell, level + 1)
        if opened < len(self.atoms) and self.atoms[opened].type == "text":
            own = self.atoms.pop(opened)
            self.atoms[opened - 1] = replace(self.atoms[opened - 1], text=own.text)

    def _add(self, type: str, number: str = "", text: str = "", level: int = 0, printed: str = "") -> None:
        self.atoms.append(Atom(type, number, text, level, printed=printed))


def _classes(element: etree._Element) -> set[str]:
    return {name.removeprefix("oj-") for name in (element.get("class") or "").split()}


def _inner_classes(element: etree._Element) -> set[str]:
    return set().union(*map(_classes, element.iter("p", "span")))


def _row_text(cells: list[etree._Element]) -> str:
    """Write a table's row as one line; a quoted number and its text go together without a bar."""
    texts = [text for text in map(_text, cells) if text]
    return (" " if texts and NUMBER.match(texts[0][1:]) else " | ").join(texts)


def _raised(element: etree._Element) -> bool:
    return element.tag == "sup" or "super" in _classes(element)


def _text(element: etree._Element) -> str:
    return inline_text(element, _raised)


def _is_leaf(element: etree._Element) -> bool:
    return not any(isinstance(child.tag, str) and child.tag in _BLOCKS for child in element.iterdescendants())


def _leaves(element: etree._Element) -> Iterator[etree._Element]:
    """Yield the elements that hold text and no further block."""
    if not isinstance(element.tag, str) or element.tag in _SKIPPED:
        return
    if _is_leaf(element):
        yield element
        return
    for child in element:
        yield from _leaves(child)


def _first(element: etree._Element, name: str) -> str:
    """Return the text of the first element of a class below this one, "" if there is none."""
    return next((_text(found) for found in element.iter("p", "span", "div") if name in _classes(found)), "")


def _rows(table: etree._Element) -> Iterator[etree._Element]:
    """Yield a table's own rows, not those of tables within it."""
    for child in table:
        if child.tag == "tr":
            yield child
        elif child.tag in ("tbody", "thead", "tfoot"):
            yield from _rows(child)
