"""Akoma Ntoso (LegalDocML), USLM and national XML → atoms.

Akoma Ntoso is the OASIS standard in which the United Kingdom and others publish their law; USLM, of the United
States Code, is its sibling. Both nest hierarchical elements with ``num``, ``heading`` and content, as ``akoma_names``
makes the formats of national publishers do. The provisions
that lawyers cite by a number of their own are articles, rules and sections, and the paragraphs of a schedule; what
is nested in one is its paragraphs and points, whatever its name.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import partial

from lxml import etree

from antinomy.errors import DocumentError
from antinomy.parse.content import Atom, Content, reader
from antinomy.parse.labels import leading_labels
from antinomy.parse.markup import block_texts, first_child, fold, local_name, parse_xml
from antinomy.parse.model import Line
from antinomy.parse.named_labels import ANNEX_TYPES, KEYWORDS
from antinomy.parse.readers.akoma_names import rename
from antinomy.parse.readers.xml_walk import Walk

#: The formats: the name of each, what a file of it has near its beginning, and whether its elements are renamed first.
_FORMATS = {
    "application/akn+xml": ("Akoma Ntoso", rb"<(?:\w+:)?akomaNtoso|/legaldocml/", False),
    "application/uslm+xml": ("USLM", rb"schemas/uslm|/xml/uslm", False),
    "application/clml+xml": ("Crown Legislation", rb"legislation\.gov\.uk/namespaces/legislation", True),
    "application/lims+xml": ("Justice Laws", rb"<(?:Statute|Regulation)[\s>]", True),
}
_SKIPPED = frozenset({
    "meta", "toc", "coverPage", "sourceCredit", "sourceCredits", "notes", "note", "editorialNote", "editorialContent",
    "componentRef", "documentRef", "eol", "remark", "signatures", "footer", "header", "changeBar", "img", "math",
})  # fmt: skip
#: Hierarchical elements, with the section types of those that are parts of a law and not of a provision.
_PARTS = {
    "part": "part", "title": "title", "subtitle": "title", "chapter": "chapter", "subchapter": "chapter",
    "subpart": "subpart", "book": "part", "tome": "part", "division": "part", "subdivision": "subpart",
    "appendix": "appendix", "annex": "annex", "schedule": "schedule",
}  # fmt: skip
_PROVISIONS = {"article": "article", "rule": "rule", "section": "section"}
_INSIDE = frozenset({
    "subsection", "paragraph", "subparagraph", "clause", "subclause", "item", "subitem", "subsubitem", "point",
    "indent", "level", "alinea", "subrule", "transitional", "proviso", "list", "hcontainer", "tblock", "blockList",
})  # fmt: skip
_TEXTS = frozenset({
    "p", "text", "listIntroduction", "listConclusion", "listWrapUp", "li", "block", "blockContainer", "formula",
    "enactingFormula", "longTitle", "docTitle", "officialTitle", "shortTitle", "docNumber", "docType", "heading", "num",
    "subheading", "crossHeading", "crossheading", "preface", "preamble", "conclusions", "content", "chapeau", "intro",
    "wrapUp", "continuation", "recital", "citation", "td", "th", "tr", "table", "column", "row", "authorialNote",
    "footnote", "body", "mainBody", "main", "attachment", "quotedStructure", "quotedContent", "container", "caption",
    "foreign",
})  # fmt: skip
_BLOCKS = _TEXTS | _INSIDE | frozenset(_PARTS) | frozenset(_PROVISIONS)
#: An element of any other name that holds one of these stands on lines of its own too.
_STRUCTURE = _INSIDE | frozenset(_PARTS) | frozenset(_PROVISIONS) | {"p", "content", "heading"}
_NOTES = frozenset({"authorialNote", "footnote"})
_QUOTED = frozenset({"quotedStructure", "quotedContent"})
#: Containers without a meaning of their own: with a heading and no number they are a group of provisions or a note.
_GROUPS = _INSIDE | {"container", "blockContainer"}
#: Kinds of attachments and named containers; the notes behind an act are no part of it.
_NAMED = {
    "schedule": "schedule", "annex": "annex", "appendix": "appendix", "annexe": "annex",
    "explanatorynote": "conclusions", "explanatorynotes": "conclusions", "executivenote": "conclusions",
    "earlierorders": "conclusions",
}  # fmt: skip
_TITLES = frozenset({"longTitle", "shortTitle", "docTitle", "officialTitle"})


def _read(data: bytes, kind: str, renamed: bool) -> Content:
    """Read an act or another document.

    Raises:
        DocumentError: if it is no well-formed XML or holds no provision.
    """
    root = parse_xml(data)
    if renamed:
        rename(root)
    walk = _Walk()
    walk.block(root, 0)
    atoms = walk.atoms + walk.notes
    if not any(atom.type in _PROVISIONS or atom.type in ("point", "paragraph", "schedule", "annex") for atom in atoms):
        raise DocumentError(f"this {kind} file holds no provision; take the file of the act, not of its metadata")
    lines = [Line(text) for text in block_texts(root, _BLOCKS, _SKIPPED)]
    return Content(atoms=atoms, lines=lines)


for _media_type, (_kind, _mark, _renamed) in _FORMATS.items():
    reader(_media_type, sniff=re.compile(_mark).search)(partial(_read, kind=_kind, renamed=_renamed))


class _Walk(Walk):
    """One pass over the elements of an act.

    ``_provision`` is the provision that is open, "" outside of all; ``_level`` counts the numbered elements that are
    open inside it.
    """

    blocks = _BLOCKS
    skipped = _SKIPPED
    note_names = _NOTES
    rows = frozenset({"tr", "row"})
    cells = frozenset({"td", "th", "column"})
    captions = frozenset({"caption"})

    def __init__(self) -> None:
        super().__init__()
        self._provision = ""
        self._level = 0
        self._restarts = False
        self._titled = False
        # How many atoms there are while a paragraph still waits for its first words.
        self._fresh = -1
        self._heads: etree._Element | None = None

    def block(self, element: etree._Element, depth: int) -> None:
        """Take in an element that stands on lines of its own; half of ``depth`` parts hold it."""
        name = local_name(element)
        if not name or name in _SKIPPED:
            return
        if self.quoting:
            self.add("quote", text=self.text(element), level=self._level)
        elif name in _TITLES and element is not self._heads:
            self.add("preamble" if self._titled else "title", text=self.text(element))
            if not self._titled:
                # Above it a publisher prints what kind of act it is, and its number.
                self.atoms.insert(0, self.atoms.pop())
            self._titled = True
        elif element is self._heads:
            return
        elif name in ("recital", "citation"):
            self._numbered_text(element, name)
        elif name in ("formula", "enactingFormula"):
            self.add("preamble", text=self.text(element))
        elif name == "conclusions" or _named(element) == "conclusions":
            self.add("conclusions", text=self.text(element))
        elif name in ("crossHeading", "crossheading"):
            # It heads what comes after it at its own depth.
            self.add("group", text=self.text(element), level=depth - 1)
        elif name == "table":
            self.add_table(element, self._level)
        elif kind := self._kind(element, name):
            self._part(element, kind, depth)
        elif name in _INSIDE or name in _PROVISIONS:
            self._inside(element, depth)
        else:
            self.flow(element, depth)

    def _kind(self, element: etree._Element, name: str) -> str:
        """Return the type of a part of the law or of a provision; "" for anything inside a provision."""
        if (named := _named(element)) and not self._restarts:
            # What wraps a schedule and has no heading is not a second one.
            bare = all(first_child(element, part) is None for part in ("num", "heading"))
            return "" if bare and any(_named(below) == named for below in element.iterdescendants()) else named
        if name in _PARTS:
            return _PARTS[name]
        if self._provision:
            return ""
        if name in _PROVISIONS:
            # A section that holds articles, or sections of its own, is a part.
            inner = any(local_name(below) in _PROVISIONS for below in element.iterdescendants())
            return "group_section" if inner and name == "section" else _PROVISIONS[name]
        if name in _GROUPS and first_child(element, "num") is None and first_child(element, "heading") is not None:
            return "group"
        return "paragraph" if name == "paragraph" and self._restarts and first_child(element, "num") is not None else ""

    def _part(self, element: etree._Element, kind: str, depth: int) -> None:
        """Take a part of the law or a provision: its number, its heading, what it holds."""
        outer = self._provision, self._level, self._restarts
        taken = ["num", "heading"]
        number, heading = (self.text(first_child(element, name)) for name in taken)
        if not number and kind in ANNEX_TYPES:
            if not heading:
                self._heads = next((part for part in element.iter() if local_name(part) in _TITLES), None)
                number = self.text(self._heads)
            elif any(mark.keyword for mark in leading_labels(heading)[:1]):
                # Its heading is its number, and its subheading the heading.
                taken.append("subheading")
                number, heading = heading, self.text(first_child(element, "subheading"))
        self._open(kind, number, heading, depth)
        if kind in ANNEX_TYPES:
            self._restarts = True
        if kind in _PROVISIONS.values() or kind == "paragraph":
            self._provision, self._level = kind, int(kind == "paragraph")
        for child in element:
            if local_name(child) not in taken:
                self.block(child, depth + 2)
        self._provision, self._level, self._restarts = outer

    def _open(self, kind: str, number: str, heading: str, depth: int) -> None:
        if kind == "paragraph":
            self.add("point", number, level=0)
            self.add("heading", text=heading)
            return
        kind = kind.removeprefix("group_")
        if number.startswith("["):
            # What is repealed stands in brackets, number and heading together.
            number, heading = number[1:], heading.removesuffix("]")
        mark = next(iter(leading_labels(number)), None)
        if mark is not None and mark.keyword:
            self.add(KEYWORDS[mark.keyword], mark.number, level=depth, printed=mark.printed)
            self.add("heading", text=f"{number[mark.end :]} {heading}".strip())
        elif number or (heading and kind in ANNEX_TYPES):
            bare = number.strip(". ")
            self.add(kind, bare, level=depth, printed=f"{kind.capitalize()} {bare}".strip())
            self.add("heading", text=heading)
        elif heading:
            self.add("group", text=heading, level=depth)

    def _inside(self, element: etree._Element, depth: int) -> None:
        """Take an element inside a provision: a paragraph or point if it has a number."""
        number = first_child(element, "num")
        printed = self.text(number)
        if not printed:
            self.flow(element, depth)
            return
        heading = self.text(first_child(element, "heading")).rstrip("—–").removesuffix(".")
        # Of an article's paragraphs the points are counted anew, as everywhere in acts of articles.
        own = self._provision == "article" and not self._level and local_name(element) == "paragraph"
        self.add("paragraph" if own else "point", printed, level=self._level, heading=heading)
        self._fresh = len(self.atoms)
        self._level += not own
        self.flow(element, depth, skip=("num", "heading"))
        self._level -= not own

    def _numbered_text(self, element: etree._Element, type: str) -> None:
        number = self.text(first_child(element, "num"))
        text = self.text(element).removeprefix(number)
        self.add(type, number.strip("()[]. "), text, printed=number)

    def is_quotation(self, element: etree._Element) -> bool:
        """Tell whether an element quotes another act."""
        return local_name(element) in _QUOTED

    def is_apart(self, element: etree._Element) -> bool:
        """Tell whether an element stands on lines of its own."""
        name = local_name(element)
        if name in _SKIPPED or name in _BLOCKS:
            return name not in _NOTES
        return any(local_name(below) in _STRUCTURE for below in element.iterdescendants())

    def flow(self, element: etree._Element, level: int, skip: Collection[str] = ()) -> None:
        """Take in mixed content; the signs of a quotation may be attributes of what is quoted."""
        start = len(self.atoms)
        super().flow(element, level, skip)
        if self.is_quotation(element) and start < len(self.atoms):
            opened, closed = (element.get(name) or "" for name in ("startQuote", "endQuote"))
            self.atoms[start] = replace(self.atoms[start], text=f"{opened}{self.atoms[start].text}")
            self.atoms[-1] = replace(self.atoms[-1], text=f"{self.atoms[-1].text}{closed}")

    def run(self, text: str, level: int) -> None:
        """Take a run of text: the first of a paragraph is its own text, another one a block of it."""
        if not fold(text):
            return
        if self.atoms and self.atoms[-1].type == "quote" and not re.search(r"\w", text):
            # The full stop behind a quotation.
            self.atoms[-1] = replace(self.atoms[-1], text=f"{self.atoms[-1].text}{fold(text)}")
        elif self.quoting:
            self.add("quote", text=text, level=self._level)
        elif self._fresh == len(self.atoms):
            self.atoms[-1] = replace(self.atoms[-1], text=fold(text))
            self._fresh = -1
        else:
            self.add("preamble" if not _begun(self.atoms) else "text", text=text, level=self._level)


def _named(element: etree._Element) -> str:
    """Return the kind of an attachment or a container that is named after it, "" for any other element."""
    name = local_name(element)
    if name in ("attachment", "component") and (document := first_child(element, "doc")) is not None:
        return _named(document)
    return _NAMED.get((element.get("name") or "").lower(), "") if name in ("hcontainer", "doc") else ""


def _begun(atoms: Sequence[Atom]) -> bool:
    return any(atom.type in _PROVISIONS or atom.type in _PARTS.values() for atom in atoms)
