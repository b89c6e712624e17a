"""Formex 4 XML, the Publications Office's own format → atoms.

Its elements say what they hold: ``ARTICLE``/``PARAG``/``ALINEA`` provisions, ``LIST``/``ITEM``/``NP`` points,
``GR.VISA`` and ``GR.CONSID`` the preamble, ``QUOT.S`` provisions of other acts, ``NOTE`` a footnote.
"""

from __future__ import annotations

import re
from dataclasses import replace

from lxml import etree

from antinomy.errors import DocumentError
from antinomy.parse.content import Atom, Content, reader
from antinomy.parse.markup import block_texts, fold, parse_xml
from antinomy.parse.model import Line
from antinomy.text.typography import RAISE

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
#: Atoms that are nothing without text.
_TEXTS = frozenset({"text", "quote", "heading", "preamble", "citation", "title", "conclusions"})
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


class _Walk:
    """One pass over the elements of an act."""

    def __init__(self) -> None:
        self.atoms: list[Atom] = []
        self.notes: list[Atom] = []
        self._quoting = False
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
                self._add("preamble", text=self._whole(element))
            case "VISA":
                self._add("citation", text=self._whole(element))
            case "CONSID":
                self._within("recital", element, level)
            case "DIVISION" if not self._quoting:
                self._division(element, level)
            case "ARTICLE" if not self._quoting:
                printed = self._whole(element.find("TI.ART"))
                number = _NUMBER.search(printed)
                digits = (element.get("IDENTIFIER") or "1").lstrip("0")
                self._add("article", number[1] if number else digits, printed=printed)
                self._within("article", element, level, skip="TI.ART")
            case "STI.ART" | "STI" if not self._quoting:
                self._add("heading", text=self._whole(element))
            case "PARAG":
                self._numbered("paragraph", self._whole(element.find("NO.PARAG")), element, "NO.PARAG", level)
            case "NP" | "DLIST.ITEM":
                self._item(element, level)
            case "ANNEX" | "CONS.ANNEX":
                self._annex(element)
            case "FINAL":
                self._each(element, "conclusions")
            case "GR.SEQ":
                self._sequence(element, level)
            case "ROW":
                cells = [self._whole(cell) for cell in element.iter("CELL")]
                self._add("text", text=" | ".join(filter(None, cells)), level=level)
            case _:
                self._flow(element, level)

    def _flow(self, element: etree._Element, level: int) -> None:
        """Take mixed content: runs of inline text are blocks between those that elements make."""
        run = element.text or ""
        for child in element:
            inner = child.tag == "QUOT.S" and any(part.tag in _BLOCKS for part in child.iter())
            if child.tag in _BLOCKS or child.tag in _SKIPPED or inner:
                self._add("text", text=run, level=level)
                run = ""
                if inner:
                    self._quotation(child, level)
                else:
                    self.block(child, level)
            else:
                run += self._inline(child)
            run += child.tail or ""
        self._add("text", text=run, level=level)

    def _quotation(self, element: etree._Element, level: int) -> None:
        outer, self._quoting = self._quoting, True
        self._flow(element, level)
        self._quoting = outer

    def _inline(self, element: etree._Element) -> str:
        """Return the text of an inline element; a footnote leaves its mark and goes to the notes."""
        if not isinstance(element.tag, str) or element.tag in _SKIPPED:
            return ""
        if element.tag in ("QUOT.START", "QUOT.END"):
            return chr(int(element.get("CODE") or "2018", 16))
        if element.tag == "NOTE":
            number = str(len(self.notes) + 1).translate(RAISE)
            place = len(self.notes)
            self.notes.append(Atom("footnote", number))
            self.notes[place] = Atom("footnote", number, self._whole(element))
            return f" ({number})"
        text = "".join([element.text or "", *(self._inline(child) + (child.tail or "") for child in element)])
        raised = element.tag == "HT" and element.get("TYPE") == "SUPER" and text.strip().isdecimal()
        return text.translate(RAISE) if raised else text

    def _whole(self, element: etree._Element | None) -> str:
        """Return all text of an element as one block."""
        if element is None:
            return ""
        parts = [element.text or ""]
        for child in element:
            apart = " " if child.tag in _BLOCKS else ""
            text = self._whole(child) if child.tag in _BLOCKS else self._inline(child)
            parts += [apart, text, apart, child.tail or ""]
        return fold("".join(parts))

    def _each(self, element: etree._Element, type: str) -> None:
        """Take every innermost block as an atom of one type; conclusions, from the second on, as text."""
        blocks = [part for part in element.iter() if part.tag in _BLOCKS and not _has_blocks(part)]
        for index, part in enumerate(blocks or [element]):
            self._add("text" if type == "conclusions" and index else type, text=self._whole(part))

    def _within(self, where: str, element: etree._Element, level: int, skip: str = "") -> None:
        outer, self._where = self._where, where
        for child in element:
            if child.tag != skip:
                self.block(child, level)
        self._where = outer

    def _division(self, element: etree._Element, level: int) -> None:
        title = element.find("TITLE")
        printed = self._whole(title.find("TI")) if title is not None else ""
        match = _DIVISION.match(printed)
        if match:
            word = match[1].lower()
            # Other languages: nesting tells chapters from sections.
            nested = any(parent.tag == "DIVISION" for parent in element.iterancestors())
            kind = word if word in _KINDS else "section" if nested else "chapter"
            self._add(kind, match[2], printed=printed)
        elif printed:
            self._add("heading", text=printed)
        if title is not None and title.find("STI") is not None:
            self._add("heading", text=self._whole(title.find("STI")))
        self._within("division", element, level, skip="TITLE")

    def _annex(self, element: etree._Element) -> None:
        title = element.find("TITLE")
        printed = self._whole(title.find("TI")) if title is not None else ""
        number = _ANNEX_NUMBER.search(printed)
        self._add("annex", number[1] if number else "", printed=printed)
        if title is not None and title.find("STI") is not None:
            self._add("heading", text=self._whole(title.find("STI")))
        self._within("annex", element, 0, skip="TITLE")

    def _sequence(self, element: etree._Element, level: int) -> None:
        title = element.find("TITLE")
        if title is not None:
            self._add("heading", text=self._whole(title))
        self._within(self._where or "sequence", element, level, skip="TITLE")

    def _item(self, element: etree._Element, level: int) -> None:
        if element.tag == "DLIST.ITEM":
            self._add("text", text=self._whole(element), level=level)
            return
        number = self._whole(element.find("NO.P"))
        type = "recital" if self._where == "recital" else "item" if number in ("—", "–", "-", "•") else "point"
        self._numbered(type, number, element, "NO.P", level)

    def _numbered(self, type: str, number: str, element: etree._Element, skip: str, level: int) -> None:
        """Take a numbered element: its first block is its own text."""
        below = level if type in ("paragraph", "recital") else level + 1
        opened = len(self.atoms)
        self._add(type, "" if type == "item" else number, level=level)
        for child in element:
            if child.tag != skip:
                self.block(child, below)
        taken = self.atoms[opened : opened + 2]
        if len(taken) == 2 and taken[1].type in ("text", "quote"):
            own = replace(taken[0], text=f"{taken[0].text} {taken[1].text}".strip())
            self.atoms[opened : opened + 2] = [own]

    def _add(self, type: str, number: str = "", text: str = "", level: int = 0, printed: str = "") -> None:
        text = fold(text)
        if self._quoting:
            # Nothing that is quoted is a provision of this act; it reads as it is printed.
            type, number, text, printed = "quote", "", f"{printed or number} {text}".strip(), ""
        if text or type not in _TEXTS:
            self.atoms.append(Atom(type, number, text, level, printed=printed))


def _has_blocks(element: etree._Element) -> bool:
    return any(child.tag in _BLOCKS for child in element)
