"""What the readers of XML share that state the structure of a law: the pieces in the order they are printed."""

from __future__ import annotations

import re
from dataclasses import replace

from antinomy.parse.content import Atom
from antinomy.parse.labels import Label, levels, take_labels
from antinomy.parse.markup import fold

#: Atoms that are nothing without text.
_TEXTS = frozenset({"text", "quote", "heading", "preamble", "citation", "title", "conclusions", "table"})
_DASH = r"\s*(?:[—–:]|-(?=\s)|\s-|\.(?=\s|$))?\s*"
#: "PART 30—SAFETY", "Subpart A - General", "Schedule 2", "Appendix A to Part 30—Forms", "§ 30.1 Scope."
_HEADS = (
    re.compile(
        r"(?P<word>subtitle|title|subchapter|chapter|subpart|part|division|schedule|annex)\s+"
        rf"(?P<number>[0-9]{{1,4}}[A-Za-z]{{0,2}}|[IVXLC]{{1,8}}|[A-Z]{{1,2}}){_DASH}(?P<heading>.*)",
        re.IGNORECASE,
    ),
    re.compile(
        r"(?P<word>appendix|supplement)(?:\s+(?P<number>[A-Z]{1,2}(?:-[0-9]+)?|[IVX]{1,5}|[0-9]{1,3}))?"
        rf"(?:\s+to\s+(?:sub)?part\s+[\w.]+(?:\s+of\s+part\s+[\w.]+)?)?{_DASH}(?P<heading>.*)",
        re.IGNORECASE,
    ),
    re.compile(
        r"(?P<word>§§?|section|sec\.|rule|article)\s*"
        rf"(?P<number>[0-9]+[A-Za-z]?(?:[.\-–:][0-9]+[A-Za-z]?)*){_DASH}(?P<heading>.*)",
        re.IGNORECASE,
    ),
)
_TYPES = {
    "§": "section", "§§": "section", "sec.": "section", "supplement": "appendix", "subtitle": "part",
    "subchapter": "chapter", "division": "part",
}  # fmt: skip


def read_head(printed: str) -> tuple[str, str, str, str] | None:
    """Read the line that heads a part of a law.

    Returns:
        Its type, its number, the words that print the number, and the heading; None if it is no such line.

    >>> read_head("§ 30.1 Scope.")
    ('section', '30.1', '§ 30.1', 'Scope.')
    """
    for shape in _HEADS:
        if match := shape.fullmatch(printed):
            word = match["word"].lower()
            head = printed[: match.start("heading")]
            return _TYPES.get(word, word), match["number"] or "", head.strip(" —–:-"), match["heading"].strip()
    return None


class Pieces:
    """The atoms of a law as a reader finds them.

    Paragraphs whose labels stand in their text, ``(a)(1)``, wait until their provision ends: only all of its labels
    together say which list each belongs to.

    Attributes:
        atoms: what was found so far; complete after ``close``.
    """

    def __init__(self) -> None:
        """Start with none."""
        self.atoms: list[Atom] = []
        self._notes: list[Atom] = []
        self._waiting: list[tuple[int, Label]] = []

    def add(self, type: str, number: str = "", text: str = "", level: int = 0, printed: str = "") -> None:
        """Append a piece; a blank one that is nothing without text is left out."""
        text = fold(text)
        if type in DIVISIONS:
            self._settle()
        if type == "footnote":
            self._notes.append(Atom(type, number, text))
        elif text or number or type not in _TEXTS:
            self.atoms.append(Atom(type, number, text, level, printed=printed))

    def head(self, printed: str, otherwise: str, level: int) -> None:
        """Append a part of the law by the line that heads it.

        Args:
            printed: the line.
            otherwise: the type of a part whose line has no number.
            level: how many parts hold this one.
        """
        head = read_head(fold(printed))
        if head is None and otherwise == "group":
            self.add("group", text=printed, level=level)
            return
        if head is None:
            self.add(otherwise, level=level)
            self.add("heading", text=printed)
            return
        type, number, words, heading = head
        self.add(type, number, level=level, printed=words)
        self.add("heading", text=heading)

    def paragraph(self, text: str, runs_in: bool = False, italic: bool = False) -> None:
        """Append a paragraph that prints its labels, if it has any, in its text.

        Args:
            text: as printed.
            runs_in: it stands in the same block as the one before, behind that one's heading.
            italic: its innermost label is set in italics.
        """
        found, rest = take_labels(fold(text))
        if not found:
            self.add("text", text=text, level=_LAST)
            return
        before = self.atoms[-1].text if self.atoms else ""
        for place, (printed, upto) in enumerate(found):
            last = place == len(found) - 1
            opened = place > 0 or runs_in or not before or before.endswith((":", "—"))
            label = Label(printed, upto, opened, "*" if italic and last else "")
            self._waiting.append((len(self.atoms), label))
            self.add("point", f"{printed}-{upto}" if upto else printed, rest if last else "")

    def close(self) -> list[Atom]:
        """Return all atoms, footnotes last."""
        self._settle()
        return [*self.atoms, *self._notes]

    def _settle(self) -> None:
        """Put the labels of the provision that ends at their levels, and unnumbered text inside what it follows."""
        placed = dict(zip((at for at, _ in self._waiting), levels([label for _, label in self._waiting]), strict=True))
        inside = 0
        for at in range(self._waiting[0][0] if self._waiting else len(self.atoms), len(self.atoms)):
            inside = placed[at] + 1 if at in placed else inside
            level = placed.get(at, inside)
            if at in placed or self.atoms[at].level == _LAST:
                self.atoms[at] = replace(self.atoms[at], level=level)
        self._waiting = []


#: Level of a text that belongs to the paragraph before it, whatever its level.
_LAST = 99
#: Parts of a law that have a heading, and provisions that hold paragraphs; a group has only a heading.
DIVISIONS = frozenset({
    "part", "title", "chapter", "subchapter", "subpart", "section", "subsection", "article", "rule", "annex",
    "appendix", "schedule", "group",
})  # fmt: skip
