"""US regulations in XML → atoms: the eCFR, the annual CFR and the Federal Register.

The eCFR nests ``DIV1`` (title) to ``DIV9`` (appendix), each with its ``TYPE`` and ``HEAD``; the annual CFR and the
Federal Register name ``PART``, ``SUBPART``, ``SECTION`` with ``SECTNO`` and ``SUBJECT``. In both a paragraph prints
its labels in its text, and nothing but their order says how they nest.
"""

from __future__ import annotations

import re

from lxml import etree

from antinomy.errors import DocumentError
from antinomy.parse.content import Content, reader
from antinomy.parse.markup import SUPERSCRIPT, block_texts, fold, local_name, parse_xml, table_lines
from antinomy.parse.model import Line
from antinomy.parse.stated import Pieces

_ROOT = re.compile(
    rb"<(?:ECFR|DLPSTEXTCLASS|DIV[1-9]\s[^>]*\b(?:TYPE|N)=|CFRDOC|CFRGRANULE|CFRMERGE|FEDREG|FRDOC|RULE|PRORULE|REGTEXT"
    rb"|SECTION>|PART>)"
)
#: Where a rule was published, notes of the editors, the preface of an amending rule: no words of the regulation.
_SKIPPED = frozenset({
    "HEADER", "TEIHEADER", "FDSYS", "CITA", "SECAUTH", "EDNOTE", "EFFDNOT", "APPRO", "CROSSREF", "PRTPAGE", "EAR",
    "FRDOCBP", "BILCOD", "CFRTITLE", "TOC", "CONTENTS", "SUBCONT", "PTHD", "SUPLINF", "PREAMB", "AMDPAR", "SIG",
    "STARS", "IDNO", "RESERVED.TOC", "CHAPTI", "GID", "MATH",
})  # fmt: skip
_BLOCKS = frozenset({
    "HEAD", "HD", "HED", "PSPACE", "P", "FP", "HD1", "HD2", "HD3", "HD4", "HD5", "SECTNO", "SUBJECT", "AUTH", "SOURCE",
    "EXTRACT", "NOTE", "FTNT", "TABLE", "TR", "TD", "TH", "GPOTABLE", "ROW", "ENT", "CHED", "TTITLE", "LI", "DIV1",
    "DIV2", "DIV3", "DIV4", "DIV5", "DIV6", "DIV7", "DIV8", "DIV9", "PART", "SUBPART", "SUBCHAP", "CHAPTER", "SECTION",
    "APPENDIX", "RULE", "REGTEXT",
})  # fmt: skip
#: Elements that are parts of the law, with the type of those whose head has no number.
_PARTS = {
    "PART": "part", "SUBPART": "subpart", "SUBCHAP": "subchapter", "CHAPTER": "chapter", "SECTION": "section",
    "APPENDIX": "appendix", "SUBJGRP": "group",
} | {f"DIV{n}": "group" for n in range(1, 10)}  # fmt: skip
_KINDS = {
    "TITLE": "title", "SUBTITLE": "part", "CHAPTER": "chapter", "SUBCHAP": "subchapter", "PART": "part",
    "SUBPART": "subpart", "SUBJGRP": "group", "SECTION": "section", "APPENDIX": "appendix",
}  # fmt: skip
_ROWS = {"TR", "ROW", "BOXHD"}
_CELLS = {"TD", "TH", "ENT", "CHED"}
_ITALIC = ("I", "E")
_LABEL = re.compile(r"\s*\(\s?\w{1,7}\s?\)")
_NUMBERED = re.compile(r"([IVXLC]{1,7}|[A-Z]|[0-9]{1,2})\.\s+(.+)")
_LABEL_END = re.compile(r"\(\s?$")


@reader("application/cfr+xml", sniff=lambda head: bool(_ROOT.search(head)))
def read_cfr(data: bytes) -> Content:
    """Read a part of the Code of Federal Regulations, from the eCFR, the annual edition or the Federal Register.

    Raises:
        DocumentError: if it is no well-formed XML or holds no section or appendix.
    """
    root = parse_xml(data)
    # Of a document of the Federal Register, only what it makes of the code; the rest explains it.
    texts = [part for part in root.iter() if local_name(part) == "REGTEXT"] or [root]
    walk = _Walk()
    for text in texts:
        walk.block(text, 0)
    atoms = walk.pieces.close()
    if not any(atom.type in ("section", "appendix", "point") for atom in atoms):
        raise DocumentError("this XML holds no section of a regulation; take the file of the part or of its title")
    lines = [Line(line) for text in texts for line in block_texts(text, _BLOCKS, _SKIPPED)]
    return Content(atoms=atoms, lines=lines)


class _Walk:
    """One pass over the elements of a regulation."""

    def __init__(self) -> None:
        self.pieces = Pieces()

    def block(self, element: etree._Element, depth: int) -> None:
        """Take in an element that stands on lines of its own; ``depth`` parts hold it."""
        name = local_name(element)
        if not name or name in _SKIPPED:
            return
        if name in _PARTS:
            self._part(element, name, depth)
        elif name in ("P", "FP", "PSPACE", "LI"):
            self._paragraph(element)
        elif heading := re.fullmatch(r"HE?A?D([1-5]?)", name):
            self._heading(_text(element), depth + int(heading[1] or 1) - 1)
        elif name in ("AUTH", "SOURCE"):
            self.pieces.add("text", text=_text(element))
        elif name == "FTNT":
            self._note(element)
        elif name in ("TABLE", "GPOTABLE"):
            self._table(element)
        else:
            for child in element:
                self.block(child, depth)

    def _part(self, element: etree._Element, name: str, depth: int) -> None:
        kind = _KINDS.get(element.get("TYPE", ""), _PARTS[name])
        children = [child for child in element if local_name(child)]
        head = [child for child in children if local_name(child) in ("HEAD", "SECTNO", "SUBJECT")]
        if not head:
            head = [child for child in children[:3] if local_name(child) == "HD"][:1]
        printed = fold(" ".join(map(_text, head)))
        if printed:
            self.pieces.head(printed, kind, depth)
        for child in children:
            if child not in head:
                self.block(child, depth + bool(printed))

    def _heading(self, printed: str, depth: int) -> None:
        """Take a heading inside an appendix or a section: "II. Standards" is a section of it."""
        if numbered := _NUMBERED.match(printed):
            self.pieces.add("section", numbered[1], level=depth, printed=f"{numbered[1]}.")
            self.pieces.add("heading", text=numbered[2])
        else:
            self.pieces.add("group", text=printed, level=depth)

    def _paragraph(self, element: etree._Element) -> None:
        """Take a paragraph, cut before each label that follows a heading in italics: "(a) Scope. (1) …"."""
        cut: list[tuple[str, bool]] = [("", False)]
        before = element.text or ""
        cut[-1] = (before, False)
        for child in element:
            name = local_name(child)
            inner = _text(child, folded=False) if name and name not in _SKIPPED else ""
            printed, italic = cut[-1]
            label = name in _ITALIC and bool(_LABEL_END.search(printed)) and not _LABEL.sub("", printed).strip(" (")
            cut[-1] = (printed + inner, italic or label)
            tail = child.tail or ""
            heading = name in _ITALIC and inner.rstrip().endswith((".", "—")) and _LABEL.match(cut[-1][0])
            if heading and _LABEL.match(tail):
                cut.append((tail, False))
            else:
                cut[-1] = (cut[-1][0] + tail, cut[-1][1])
        for place, (text, italic) in enumerate(cut):
            self.pieces.paragraph(text, runs_in=place > 0, italic=italic)

    def _note(self, element: etree._Element) -> None:
        text = _text(element)
        number = re.match(r"[⁰¹²³⁴⁵⁶⁷⁸⁹]+|\d+", text)
        self.pieces.add("footnote", number[0] if number else "", text[number.end() :] if number else text)

    def _table(self, element: etree._Element) -> None:
        rows = []
        for row in element.iter():
            if local_name(row) in _ROWS:
                rows.append([_text(cell) for cell in row if local_name(cell) in _CELLS])
        title = next((_text(part) for part in element.iter() if local_name(part) in ("TTITLE", "CAPTION")), "")
        self.pieces.add("table", text="\n".join(table_lines(rows)), printed=title)


def _text(element: etree._Element, folded: bool = True) -> str:
    """Return an element's text, raised numbers as Unicode superscripts."""
    name = local_name(element)
    parts = [element.text or ""]
    for child in element:
        inner = _text(child, folded=False) if local_name(child) and local_name(child) not in _SKIPPED else ""
        apart = " " if local_name(child) in _BLOCKS else ""
        parts += [apart, inner, apart, child.tail or ""]
    text = "".join(parts)
    raised = name in ("SU", "SUP") or (name == "E" and element.get("T") == "51")
    if raised and text.strip().isdecimal():
        text = text.translate(SUPERSCRIPT)
    return fold(text) if folded else text
