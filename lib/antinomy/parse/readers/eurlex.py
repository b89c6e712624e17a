"""EUR-Lex (X)HTML → atoms.

EUR-Lex prints the Official Journal's structure as ``div`` ids (``art_6``, ``rct_12``, ``cpt_II.sct_I``,
``006.003``) and classes (``oj-ti-art``, before 2023 without ``oj-``); points are rows of two-column tables,
nested as the points are. Consolidated acts have classes of their own (``title-article-norm``, ``norm``) and
points in grids of two columns.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from lxml import etree

from antinomy.parse.content import Atom
from antinomy.parse.eu.lines import ADOPTED, CITES, CLOSING, RULE, TABLE, starts_enacting
from antinomy.parse.markup import NUMBER, blocks, classes, inline_text, is_leaf, runs
from antinomy.parse.model import Line
from antinomy.text.typography import RAISED_DIGITS

_DIVISIONS = {"prt": "part", "tis": "title", "cpt": "chapter", "sct": "section", "sbs": "subsection"}
_DIVISION = re.compile(r"(?:^|\.)(prt|tis|cpt|sct|sbs)_(\w+)$")
_ARTICLE = re.compile(r"^art_(\w+)$")
_PARAGRAPH = re.compile(r"^(\d{1,3}[a-z]{0,2}\.)(?:\s+|$)")
_RECITAL = re.compile(r"^(\(\d{1,4}\))\s+")
_LAST_NUMBER = re.compile(r"\s([IVXLC]+|\d+[a-z]?|[A-Z])$")
_ANNEX_PART = re.compile(
    r"((?:PART|Part|TITLE|Title|CHAPTER|Chapter|SECTION|Section) (?:[IVXLC]+|\d{1,2}|[A-Z]))\s*(?:[-–—:.]\s*(\S.*))?"
)
_ARTICLE_NUMBER = re.compile(r"(\d+)\s?([a-z]{1,2}|bis|ter|quater)?$")
_NOTE = re.compile(rf"^[\[(]\s*([{RAISED_DIGITS}]+)\s*[\])]\s*")
_STRAY_QUOTE = re.compile(r"([’”«“»][;.,]*)\s*\"$")
#: Signs of the amending act in consolidated texts.
_AMENDED = re.compile(r"[►▼]\s?[A-Z]\d{0,3}\b\s?|\s?◄")
#: What a class of the Official Journal or of consolidated acts says of its line.
_ROLES = {
    "ti-art": "article", "title-article-norm": "article",
    "ti-section-1": "division", "title-division-1": "division",
    "sti-art": "heading", "stitle-article-norm": "heading", "ti-section-2": "heading",
    "title-division-2": "heading", "ti-annotation": "heading", "ti-grseq-1": "heading",
    **{f"title-gr-seq-level-{level}": "heading" for level in range(1, 6)}, "title-annex-2": "heading",
    "title-annex-1": "annex", "ti-tbl": "table",
    "doc-ti": "title", "title-doc-first": "title", "title-doc-last": "title",
    "note": "note", "footnote": "note",
}  # fmt: skip
_LINES = _ROLES.keys() | {"normal", "norm"}
_FURNITURE = re.compile(r"^(?:hd-.*|title-fam-.*|title-doc-oj-reference|arrow|modref|reference|disclaimer)$")


def is_act(body: etree._Element) -> bool:
    """Tell whether a page is an act as EUR-Lex prints it."""
    return any(_roles(element) & {"article", "title"} for element in body.iter("p"))


def act_of(body: etree._Element) -> etree._Element:
    """Return the innermost element that holds all lines of an act: the site's own menus stand around it."""
    common: list[etree._Element] = []
    for line in body.iter("p", "div", "span"):
        if not classes(line).isdisjoint(_LINES):
            around = set(line.iterancestors())
            common = [element for element in common or line.iterancestors() if element in around]
    return common[0]


def atoms(act: etree._Element) -> list[Atom]:
    """Return an act's pieces in reading order, footnotes last."""
    walk = _Walk()
    walk.children(act, 0)
    return walk.atoms + walk.notes


def act_lines(act: etree._Element) -> list[Line]:
    """Return an act's lines, with no regard to what they are."""
    return [Line(text) for element, text in blocks(act) if not (_is_furniture(element) or RULE.match(text))]


def _is_furniture(element: etree._Element) -> bool:
    """Tell the page's own heads and marks from the act's text."""
    return any(_FURNITURE.match(name) for name in classes(element))


class _Walk:
    """One pass over an act's elements."""

    def __init__(self) -> None:
        self.atoms: list[Atom] = []
        self.notes: list[Atom] = []
        self._part = "front"
        self._annexed = False

    def children(self, parent: etree._Element, level: int) -> None:
        """Take in all that an element holds, as part of a point of level ``level`` - 1."""
        for part in runs(parent):
            if isinstance(part, str):
                self._text(part, level)
            else:
                self._element(part, level)

    def _element(self, element: etree._Element, level: int) -> None:
        if _is_furniture(element):
            return
        if element.tag == "table":
            for row in _rows(element):
                self._row([cell for cell in row if cell.tag in ("td", "th")], level)
        elif "grid-container" in classes(element):
            for cells in _grid(element):
                self._row(cells, level)
        elif not is_leaf(element):
            part, name = self._part, element.get("id") or ""
            self._open(name, element)
            self.children(element, level)
            if name.startswith(("cit_", "rct_")):
                self._part = part
        elif not RULE.match(text := _AMENDED.sub("", inline_text(element))):
            self._leaf(_roles(element), text, level)

    def _open(self, name: str, element: etree._Element) -> None:
        """Note what part of the act an element with this id holds."""
        if match := _ARTICLE.match(name):
            self._add("article", match[1], printed=_first(element, "article"))
        elif match := _DIVISION.search(name):
            self._add(_DIVISIONS[match[1]], match[2], printed=_first(element, "division"))
        elif name.startswith("anx_"):
            printed = next(filter(None, (_first(element, role) for role in ("annex", "title", "division"))), "")
            self._annex(printed)
        elif name.startswith(("pbl_", "cit_", "rct_", "fnp_")):
            self._part = name[:3]

    def _leaf(self, roles: set[str], text: str, level: int) -> None:
        note = _NOTE.match(text)
        if "note" in roles and note:
            self.notes.append(Atom("footnote", note[1], text[note.end() :]))
        elif "article" in roles or "division" in roles:
            self._titled(text, "article" in roles)
        elif "annex" in roles:
            self._annex(text)
        elif "heading" in roles:
            # The parts of an annex are printed like headings: PART A.
            if part := _ANNEX_PART.fullmatch(text):
                self._titled(part[1], False)
            if heading := part[2] if part else text:
                self._add("heading", text=heading)
        elif "title" in roles:
            self._document_title(text)
        elif "table" in roles and self._annexed:
            self._table_title(text, level)
        else:
            self._text(text, level)

    def _titled(self, text: str, article: bool) -> None:
        """Take the line that prints a number; it opens an article or division where no id has yet."""
        if self.atoms and self.atoms[-1].printed == text:
            return
        if article:
            number = _ARTICLE_NUMBER.search(text)
            self._add("article", "".join(filter(None, number.groups())) if number else "1", printed=text)
        elif number := _LAST_NUMBER.search(text):
            word = text.split()[0].lower()
            self._add(word if word in _DIVISIONS.values() else "chapter", number[1], printed=text)
        else:
            self._add("heading", text=text)

    def _annex(self, printed: str) -> None:
        if self.atoms and self.atoms[-1].type == "annex" and self.atoms[-1].printed == printed:
            return
        number = _LAST_NUMBER.search(printed)
        self._add("annex", number[1] if number else "", printed=printed)

    def _table_title(self, text: str, level: int) -> None:
        if match := TABLE.match(text):
            self._add("table", match[1], printed=text.removesuffix(match[2] or ""))
            text = match[2] or ""
        if text and self.atoms[-1].type == "table":
            self._add("heading", text=text)
        elif text:
            self._text(text, level)

    def _document_title(self, text: str) -> None:
        last = self.atoms[-1] if self.atoms else None
        if re.match(r"^ANNEX\b", text) or (last is not None and last.printed == text):
            self._annex(text)
        elif self._part != "front":
            self._add("heading", text=text)
        elif all(text != atom.text for atom in self.atoms):
            # Consolidated acts print their title twice.
            self._add("title", text=text)

    def _text(self, text: str, level: int) -> None:
        text = _AMENDED.sub("", _STRAY_QUOTE.sub(r"\1", text))
        if not text:
            return
        last = self.atoms[-1] if self.atoms else None
        if self._part == "body" and not (level or self._annexed) and CLOSING.match(text):
            self._part = "fnp"
        if last is not None and last.type == "paragraph" and not last.text:
            # Its number stood in an element of its own.
            self.atoms[-1] = replace(last, text=text)
        elif self._part in ("front", "pbl") or (self._part == "rct" and ADOPTED.match(text)):
            self._front(text)
        elif self._part == "cit":
            self._add("citation", text=text)
        elif self._part == "rct" and (number := _RECITAL.match(text)):
            self._add("recital", number[1], text[number.end() :])
        elif self._part == "fnp" and not any(atom.type == "conclusions" for atom in self.atoms):
            self._add("conclusions", text=text)
        elif self._part == "body" and not level and (number := _PARAGRAPH.match(text)):
            self._add("paragraph", number[1], text[number.end() :])
        else:
            self._add("text", text=text, level=level)

    def _front(self, text: str) -> None:
        """Take a line of the title or the preamble; pages without ids tell them by their words."""
        if self._part == "front" and not starts_enacting(text):
            self._add("title", text=text)
            return
        self._part = "rct" if text.startswith("Whereas") else "pbl"
        self._add("citation" if CITES.match(text) else "preamble", text=text)

    def _row(self, cells: Sequence[etree._Element], level: int) -> None:
        """Take a row: number and text are a point or a recital, one cell is no table, others are kept whole."""
        first = inline_text(cells[0]) if cells else ""
        if len(cells) >= 2 and NUMBER.match(first):
            if self._part == "rct" and _RECITAL.match(f"{first} "):
                self._add("recital", first)
            elif first in "—–-•":
                self._add("item", level=level)
            else:
                self._add("point", first, level=level)
            self._cells(cells[1:], level)
        elif len(cells) == 1:
            self._element(cells[0], level)
        elif not any(_is_furniture(part) for cell in cells for part in cell.iter("p", "span", "td")):
            texts = list(filter(None, map(inline_text, cells)))
            # A quoted number and its text go together without a bar.
            self._text((" " if texts and NUMBER.match(texts[0][1:]) else " | ").join(texts), level)

    def _cells(self, cells: Sequence[etree._Element], level: int) -> None:
        """Take the cells beside a number: the first block is the point's own text."""
        opened = len(self.atoms)
        for cell in cells:
            self._element(cell, level + 1)
        if opened < len(self.atoms) and self.atoms[opened].type == "text":
            own = self.atoms.pop(opened)
            self.atoms[opened - 1] = replace(self.atoms[opened - 1], text=own.text)

    def _add(self, type: str, number: str = "", text: str = "", level: int = 0, printed: str = "") -> None:
        if number or type in ("article", "annex"):
            # A number opens the enacting terms, unless it is a recital's.
            self._part = self._part if type == "recital" else "body"
        if type in ("article", "annex", "conclusions"):
            self._annexed = type == "annex"
        self.atoms.append(Atom(type, number, text, level, printed=printed))


def _roles(element: etree._Element) -> set[str]:
    return {_ROLES[name] for name in classes(element) if name in _ROLES}


def _first(element: etree._Element, role: str) -> str:
    """Return the text of the first line of a role below an element, "" if there is none."""
    return next((inline_text(found) for found in element.iter("p", "span", "div") if role in _roles(found)), "")


def _rows(table: etree._Element) -> Iterator[etree._Element]:
    """Yield a table's own rows, not those of tables within it."""
    for child in table:
        if child.tag == "tr":
            yield child
        elif child.tag in ("tbody", "thead", "tfoot"):
            yield from _rows(child)


def _grid(grid: etree._Element) -> Iterator[list[etree._Element]]:
    """Yield a grid's rows: two columns, or rows of two."""
    below = [child for child in grid if isinstance(child.tag, str)]
    rows = [row for row in below if "grid-row" in classes(row)]
    for row in rows:
        yield [cell for cell in row if isinstance(cell.tag, str)]
    if not rows:
        for place in range(0, len(below), 2):
            yield below[place : place + 2]
