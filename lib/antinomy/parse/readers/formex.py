"""Formex 4 XML, the Publications Office's own format → atoms.

Its elements say what they hold: ``ARTICLE``/``PARAG``/``ALINEA`` provisions, ``LIST``/``ITEM``/``NP`` points,
``GR.VISA`` and ``GR.CONSID`` the preamble, ``QUOT.S`` provisions of other acts, ``NOTE`` a footnote.
"""

from __future__ import annotations

import re
from dataclasses import replace

from lxml import etree

from antinomy.errors import DocumentError
from antinomy.parse.content import Content, reader
from antinomy.parse.markup import block_texts, parse_xml
from antinomy.parse.model import Line
from antinomy.parse.readers.xml_walk import Walk

_ROOTS = (b"<ACT", b"<CONS.ACT", b"<ANNEX", b"<GENERAL", b"<FMX.COLLECTION")
_SKIPPED = frozenset({
    "BIB.INSTANCE", "BIB.DATA", "BIB.DATA.AMD", "INFO.CONSLEG", "INFO.PROD", "FAM.COMP", "TOC",
    "INCL.ELEMENT", "CORRECTION", "GR.CORRECTION", "PUBLICATION.REF", "REF.PHYS",
})  # fmt: skip
_BLOCKS = frozenset({
    "P", "ALINEA", "LIST", "ITEM", "NP", "NO.P", "TXT", "TBL", "CORPUS", "ROW", "CELL", "DLIST",
    "DLIST.ITEM", "GR.SEQ", "DIVISION", "ARTICLE", "PARAG", "NO.PARAG", "TITLE", "TI", "STI", "TI.ART",
    "STI.ART", "CONTENTS", "ACT", "ANNEX", "CONS.ACT", "CONS.DOC", "CONS.ANNEX", "GENERAL",
    "FMX.COLLECTION", "PREAMBLE", "PREAMBLE.INIT", "GR.VISA", "VISA", "GR.VISA.INIT", "GR.CONSID",
    "GR.CONSID.INIT", "DIV.CONSID", "CONSID", "PREAMBLE.FINAL", "ENACTING.TERMS", "FINAL", "SIGNATURE",
    "PL.DATE", "SIGNATORY", "GR.ANNOTATION", "ANNOTATION", "COMMENT", "SUBDIV", "PROLOG",
})  # fmt: skip
_DIVISION = re.compile(r"^(\w+)\s+([IVXLC]+[a-z]?|\d+[a-z]?|[A-Z])$")
_KINDS = ("part", "title", "chapter", "section", "subsection")
_NUMBER = re.compile(r"(\d+[a-z]{0,2})\W*$")
_ANNEX_NUMBER = re.compile(r"\s([IVXLC]+|\d+|[A-Z])\W*$")


@reader("application/formex+xml", sniff=lambda head: any(root in head for root in _ROOTS))
def read_formex(data: bytes) -> Content:
    """Read an act, an annex or a consolidated act in Formex 4.

    Raises:
        DocumentError: if it is no well-formed XML or holds no provision.
    """
    root = parse_xml(data)
    walk = _Walk()
    walk.block(root, 0)
    if not walk.atoms:
        raise DocumentError("this Formex file holds no text of an act; take the act's file, not its metadata's")
    lines = [Line(text) for text in block_texts(root, _BLOCKS | {"NOTE"}, _SKIPPED)]
    return Content(atoms=walk.atoms + walk.notes, lines=lines)


class _Walk(Walk):
    """One pass over the elements of an act."""

    blocks = _BLOCKS
    skipped = _SKIPPED
    note_names = frozenset({"NOTE"})

    def __init__(self) -> None:
        super().__init__()
        self._where = ""

    def block(self, element: etree._Element, level: int) -> None:
        """Take in an element that stands on lines of its own."""
        tag = str(element.tag)
        if tag in _SKIPPED or not isinstance(element.tag, str):
            return
        match tag:
            case "TITLE" if not self._where:
                self._each(element, "title")
            case "PREAMBLE.INIT" | "GR.CONSID.INIT" | "GR.VISA.INIT" | "PREAMBLE.FINAL":
                self.add("preamble", text=self.text(element))
            case "VISA":
                self.add("citation", text=self.text(element))
            case "CONSID":
                self._within("recital", element, level)
            case "DIVISION" if not self.quoting:
                self._division(element, level)
            case "ARTICLE" if not self.quoting:
                printed = self.text(element.find("TI.ART"))
                number = _NUMBER.search(printed)
                digits = (element.get("IDENTIFIER") or "1").lstrip("0")
                self.add("article", number[1] if number else digits, printed=printed)
                self._within("article", element, level, skip="TI.ART")
            case "STI.ART" | "STI" if not self.quoting:
                self.add("heading", text=self.text(element))
            case "PARAG":
                self._numbered("paragraph", self.text(element.find("NO.PARAG")), element, "NO.PARAG", level)
            case "NP" | "DLIST.ITEM":
                self._item(element, level)
            case "ANNEX" | "CONS.ANNEX":
                self._annex(element)
            case "FINAL":
                self._each(element, "conclusions")
            case "GR.SEQ":
                self._sequence(element, level)
            case "ROW":
                cells = [self.text(cell) for cell in element.iter("CELL")]
                self.add("text", text=" | ".join(filter(None, cells)), level=level)
            case _:
                self.flow(element, level)

    def is_quotation(self, element: etree._Element) -> bool:
        """Tell whether an element quotes provisions, not words."""
        return element.tag == "QUOT.S" and any(part.tag in _BLOCKS for part in element.iter())

    def inline(self, element: etree._Element) -> str:
        """Return the text of an inline element; the signs of a quotation are elements of their own."""
        if element.tag in ("QUOT.START", "QUOT.END"):
            try:
                return chr(int(element.get("CODE") or "2018", 16))
            except (ValueError, OverflowError):  # no number of a character
                return "‘"
        return super().inline(element)

    def is_raised(self, element: etree._Element) -> bool:
        """Tell whether an element is set higher than its line."""
        return element.tag == "HT" and element.get("TYPE") == "SUPER"

    def _each(self, element: etree._Element, type: str) -> None:
        """Take every innermost block as an atom of one type; conclusions, from the second on, as text."""
        blocks = [part for part in element.iter() if part.tag in _BLOCKS and not _has_blocks(part)]
        for index, part in enumerate(blocks or [element]):
            self.add("text" if type == "conclusions" and index else type, text=self.text(part))

    def _within(self, where: str, element: etree._Element, level: int, skip: str = "") -> None:
        outer, self._where = self._where, where
        for child in element:
            if child.tag != skip:
                self.block(child, level)
        self._where = outer

    def _division(self, element: etree._Element, level: int) -> None:
        printed, heading = self._title(element)
        match = _DIVISION.match(printed)
        if match:
            word = match[1].lower()
            # Other languages: nesting tells chapters from sections.
            nested = any(parent.tag == "DIVISION" for parent in element.iterancestors())
            kind = word if word in _KINDS else "section" if nested else "chapter"
            self.add(kind, match[2], printed=printed)
        elif printed:
            self.add("heading", text=printed)
        self.add("heading", text=heading)
        self._within("division", element, level, skip="TITLE")

    def _annex(self, element: etree._Element) -> None:
        printed, heading = self._title(element)
        number = _ANNEX_NUMBER.search(printed)
        self.add("annex", number[1] if number else "", printed=printed)
        self.add("heading", text=heading)
        self._within("annex", element, 0, skip="TITLE")

    def _title(self, element: etree._Element) -> tuple[str, str]:
        """Return what prints the number of a division or annex, and its heading."""
        return self.text(element.find("TITLE/TI")), self.text(element.find("TITLE/STI"))

    def _sequence(self, element: etree._Element, level: int) -> None:
        title = element.find("TITLE")
        if title is not None:
            self.add("heading", text=self.text(title))
        self._within(self._where or "sequence", element, level, skip="TITLE")

    def _item(self, element: etree._Element, level: int) -> None:
        if element.tag == "DLIST.ITEM":
            self.add("text", text=self.text(element), level=level)
            return
        number = self.text(element.find("NO.P"))
        type = "recital" if self._where == "recital" else "item" if number in ("—", "–", "-", "•") else "point"
        self._numbered(type, number, element, "NO.P", level)

    def _numbered(self, type: str, number: str, element: etree._Element, skip: str, level: int) -> None:
        """Take a numbered element: its first block is its own text."""
        below = level if type in ("paragraph", "recital") else level + 1
        opened = len(self.atoms)
        self.add(type, "" if type == "item" else number, level=level)
        for child in element:
            if child.tag != skip:
                self.block(child, below)
        taken = self.atoms[opened : opened + 2]
        if len(taken) == 2 and taken[1].type in ("text", "quote"):
            own = replace(taken[0], text=f"{taken[0].text} {taken[1].text}".strip())
            self.atoms[opened : opened + 2] = [own]

    def add(
        self, type: str, number: str = "", text: str = "", level: int = 0, printed: str = "", heading: str = ""
    ) -> None:
        """Append an atom; nothing that is quoted is a provision of this act: it reads as it is printed."""
        if self.quoting:
            type, number, text, printed, heading = "quote", "", f"{printed or number} {heading} {text}", "", ""
        super().add(type, number, text, level, printed, heading)


def _has_blocks(element: etree._Element) -> bool:
    return any(child.tag in _BLOCKS for child in element)
