"""US regulations in XML → atoms: the eCFR, the annual CFR and the Federal Register.

The eCFR nests ``DIV1`` (title) to ``DIV9`` (appendix), each with its ``TYPE`` and ``HEAD``; the annual CFR and the
Federal Register name ``PART``, ``SUBPART``, ``SECTION`` with ``SECTNO`` and ``SUBJECT``. In both a paragraph prints
its labels in its text, and nothing but their order says how they nest.
"""

from __future__ import annotations

import re
from itertools import pairwise

from lxml import etree

from antinomy.errors import DocumentError
from antinomy.parse.content import Atom, Content, reader
from antinomy.parse.labels import leading_labels
from antinomy.parse.markup import block_texts, first_child, fold, local_name, parse_xml
from antinomy.parse.model import Line
from antinomy.parse.named_labels import KEYWORDS
from antinomy.parse.numbered.stated import UNLABELLED, UNREAD
from antinomy.parse.ordinals import breaks
from antinomy.parse.readers.xml_walk import Walk
from antinomy.text.typography import RAISED_DIGITS

_ROOT = re.compile(
    rb"<(?:ECFR|DLPSTEXTCLASS|DIV[1-9]\s[^>]*\b(?:TYPE|N)=|CFRDOC|CFRGRANULE|CFRMERGE|FEDREG|FRDOC|RULE|PRORULE|REGTEXT"
    rb"|SECTION>|PART>)"
)
#: Where a rule was published, notes of the editors, the preface of an amending rule: no words of the regulation.
_SKIPPED = frozenset({
    "HEADER", "TEIHEADER", "FDSYS", "CITA", "SECAUTH", "EDNOTE", "EFFDNOT", "APPRO", "CROSSREF", "PRTPAGE", "EAR",
    "FRDOCBP", "BILCOD", "CFRTITLE", "TOC", "CONTENTS", "SUBCONT", "PTHD", "SUPLINF", "PREAMB", "AMDPAR", "SIG",
    "STARS", "IDNO", "XREF", "RESERVED.TOC", "CHAPTI", "GID", "MATH",
})  # fmt: skip
_BLOCKS = frozenset({
    "HEAD", "HD", "HED", "PSPACE", "P", "FP", "HD1", "HD2", "HD3", "HD4", "HD5", "SECTNO", "SUBJECT", "AUTH", "SOURCE",
    "EXTRACT", "NOTE", "FTNT", "TABLE", "TR", "TD", "TH", "GPOTABLE", "ROW", "ENT", "CHED", "TTITLE", "LI", "DIV1",
    "DIV2", "DIV3", "DIV4", "DIV5", "DIV6", "DIV7", "DIV8", "DIV9", "PART", "SUBPART", "SUBCHAP", "CHAPTER", "SECTION",
    "APPENDIX", "RULE", "REGTEXT", "TNOTE", "RESERVED", "FP-1", "FP-2", "FP1-2", "FP-DASH",
})  # fmt: skip
#: Elements that are parts of the law.
_PARTS = frozenset({"PART", "SUBPART", "SUBCHAP", "CHAPTER", "SECTION", "APPENDIX", "SUBJGRP"}) | {
    f"DIV{n}" for n in range(1, 10)
}
_PARAGRAPHS = frozenset({"P", "FP", "PSPACE", "LI"})
#: Raised numbers are marks of notes, and count as no words.
_RAISED = frozenset({"SU", "SUP"})
_NUMBERED = re.compile(r"([IVXLC]{1,7}|[A-Z]|[0-9]{1,2})\.\s+(.+)")
#: An item of a list that is printed within a paragraph: "shall: (1) Report; and (2) Pay."
_FIRST_ITEM = re.compile(r"(?<=[:—]) ?(?=\((1|i|A|a)\) \w)")
_NEXT_ITEM = re.compile(r"(?:(?<=[;,])|(?<=[;,] and)|(?<=[;,] or)) (?=\(([0-9]{1,2}|[A-Za-z]{1,5})\) \w)")


@reader("application/cfr+xml", sniff=_ROOT.search)
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
    atoms = walk.atoms + walk.notes
    if not any(atom.type in ("section", "appendix") for atom in atoms):
        raise DocumentError("this XML holds no section of a regulation; take the file of the part or of its title")
    lines = [Line(line) for text in texts for line in block_texts(text, _BLOCKS, _SKIPPED | _RAISED)]
    # A part is known by its own heading; of a whole title, or of several parts, the first one's would mislead.
    head = root.find("HEAD") if root.get("TYPE") == "PART" else None
    return Content(atoms=atoms, lines=lines, title=walk.text(head))


class _Walk(Walk):
    """One pass over the elements of a regulation; ``_in_section`` tells that the innermost part is a section."""

    blocks = _BLOCKS
    skipped = _SKIPPED
    rows = frozenset({"TR", "ROW", "BOXHD"})
    cells = frozenset({"TD", "TH", "ENT", "CHED"})
    captions = frozenset({"TTITLE", "CAPTION"})

    def __init__(self) -> None:
        super().__init__()
        self._in_section = False

    def block(self, element: etree._Element, depth: int) -> None:
        """Take in an element that stands on lines of its own; ``depth`` parts hold it."""
        name = local_name(element)
        if not name or name in _SKIPPED:
            return
        if name in _PARTS:
            self._part(element, depth)
        elif name in ("AUTH", "SOURCE"):
            self.add("text", text=self.text(element), level=UNREAD)
        elif (heading := re.fullmatch(r"HE?A?D([1-5]?)", name)) and not self.quoting:
            self._heading(self.text(element), depth + int(heading[1] or 1) - 1)
        elif name in ("FTNT", "TNOTE"):
            self._note(element)
        elif name in ("TABLE", "GPOTABLE"):
            self.add_table(element)
            for below in element.iter("TNOTE"):
                self._note(below)
        elif name in ("NOTE", "EXAMPLE") and (head := first_child(element, "HED", "HD")) is not None:
            self._beside(element, head)
        elif name in _PARAGRAPHS or not any(local_name(below) in _BLOCKS for below in element.iterdescendants()):
            for item in [self.text(element)] if self.quoting else _items(self.text(element)):
                self.add("text", text=item, level=UNLABELLED if self.quoting else UNREAD)
        else:
            # What a section sets apart as a form or a quotation has numbers and headings of its own.
            outer, self.quoting = self.quoting, self.quoting or (name == "EXTRACT" and self._in_section)
            for child in element:
                self.block(child, depth)
            self.quoting = outer

    def _part(self, element: etree._Element, depth: int) -> None:
        children = [child for child in element if local_name(child)]
        head = [child for child in children if local_name(child) in ("HEAD", "SECTNO", "SUBJECT")]
        if not head:
            head = [child for child in children[:3] if local_name(child) == "HD"][:1]
        printed = fold(" ".join(map(self.text, head)))
        if printed:
            self._head(printed, depth)
        outer, self._in_section = self._in_section, local_name(element) in ("SECTION", "DIV8")
        for child in children:
            if child not in head:
                self.block(child, depth + bool(printed))
        self._in_section = outer

    def _heading(self, printed: str, depth: int) -> None:
        """Take a heading inside an appendix or a section: "II. Standards" is a section of it."""
        if numbered := _NUMBERED.match(printed):
            self.add("section", numbered[1], level=depth, printed=f"Section {numbered[1]}")
            self.add("heading", text=numbered[2])
        else:
            self.add("group", text=printed, level=depth)

    def _head(self, printed: str, depth: int) -> None:
        """Take the line that heads a part: its number and its heading."""
        mark = next(iter(leading_labels(printed)), None)
        if mark is None or not mark.keyword:
            self.add("group", text=printed, level=depth)
            return
        self.add(KEYWORDS[mark.keyword], mark.number, level=depth, printed=mark.printed)
        self.add("heading", text=printed[mark.end :])

    def _beside(self, element: etree._Element, head: etree._Element) -> None:
        """Take a note or an example that stands between two paragraphs and belongs to neither's text."""
        texts = [self.text(part) for part in element if part is not head and local_name(part)]
        self.add("beside", text=" ".join(texts), heading=self.text(head))

    def _note(self, element: etree._Element) -> None:
        text = self.text(element)
        number = re.match(rf"[{RAISED_DIGITS}]*", text)
        end = number.end() if number else 0
        self.notes.append(Atom("footnote", text[:end], text[end:].strip()))

    def is_raised(self, element: etree._Element) -> bool:
        """Tell whether an element is set higher than its line."""
        name = local_name(element)
        return name in _RAISED or (name == "E" and element.get("T") == "51")


def _items(text: str) -> list[str]:
    """Cut a paragraph that prints a whole list before each of its items."""
    cuts = [0]
    if first := _FIRST_ITEM.search(text):
        last = first[1]
        cuts.append(first.end())
        for match in _NEXT_ITEM.finditer(text, first.end()):
            if not breaks([last, match[1]]):
                last = match[1]
                cuts.append(match.end())
    if len(cuts) < 3:
        return [text]
    return [item for at, end in pairwise([*cuts, len(text)]) for item in _items(text[at:end].strip())]
