"""One pass over the elements of a law in XML → its atoms. What the readers of the XML formats share.

Elements that stand on lines of their own are blocks; the others are words within a block. A note within the text
leaves its raised number there and goes to the notes.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection

from lxml import etree

from antinomy.parse.content import Atom
from antinomy.parse.markup import fold, local_name, table_lines
from antinomy.text.typography import RAISE

#: Atoms that are nothing without text.
_EMPTY = frozenset({"text", "quote", "heading", "preamble", "citation", "title", "conclusions", "table", "beside"})


class Walk(ABC):
    """The atoms of a law as they are found, its notes apart.

    A format says what its elements are called: those that are blocks, those that hold no text of the law, notes within
    the text; the rows, cells and captions of tables.
    """

    blocks: frozenset[str] = frozenset()
    skipped: frozenset[str] = frozenset()
    note_names: frozenset[str] = frozenset()
    rows: frozenset[str] = frozenset()
    cells: frozenset[str] = frozenset()
    captions: frozenset[str] = frozenset()

    def __init__(self) -> None:
        """Start with none."""
        self.atoms: list[Atom] = []
        self.notes: list[Atom] = []
        self.quoting = False

    @abstractmethod
    def block(self, element: etree._Element, level: int) -> None:
        """Take in an element that stands on lines of its own, at a level that the format counts."""

    def run(self, text: str, level: int) -> None:
        """Take in a run of text between two blocks."""
        self.add("text", text=text, level=level)

    def is_apart(self, element: etree._Element) -> bool:
        """Tell whether an element stands on lines of its own, or holds no text of the law."""
        return local_name(element) in self.blocks | self.skipped

    def is_quotation(self, element: etree._Element) -> bool:
        """Tell whether an element quotes provisions of another act."""
        return False

    def flow(self, element: etree._Element, level: int, skip: Collection[str] = ()) -> None:
        """Take in mixed content: runs of inline text are blocks between those that elements make."""
        run = element.text or ""
        for child in element:
            if (quotes := self.is_quotation(child)) or self.is_apart(child):
                self.run(run, level)
                run = ""
                if quotes:
                    outer, self.quoting = self.quoting, True
                    self.flow(child, level)
                    self.quoting = outer
                elif local_name(child) not in skip:
                    self.block(child, level)
            else:
                run += self.inline(child)
            run += child.tail or ""
        self.run(run, level)

    def add(
        self, type: str, number: str = "", text: str = "", level: int = 0, printed: str = "", heading: str = ""
    ) -> None:
        """Append an atom, unless it is nothing without text and has neither text nor number."""
        text = text if type == "table" else fold(text)
        if text or number or type not in _EMPTY:
            self.atoms.append(Atom(type, number, text, level, printed=printed, heading=heading))

    def add_table(self, element: etree._Element, level: int = 0) -> None:
        """Append a table, row by row."""
        rows = [
            [self.text(cell) for cell in row if local_name(cell) in self.cells]
            for row in element.iter()
            if local_name(row) in self.rows
        ]
        caption = next((self.text(part) for part in element.iter() if local_name(part) in self.captions), "")
        self.add("table", text="\n".join(table_lines(rows)), level=level, heading=caption)

    def text(self, element: etree._Element | None) -> str:
        """Return all text of an element as one block; "" for none."""
        return "" if element is None else fold(self._whole(element))

    def inline(self, element: etree._Element) -> str:
        """Return the text of an inline element, raised numbers as Unicode superscripts."""
        name = local_name(element)
        if not name or name in self.skipped:
            return ""
        if name in self.note_names:
            number, place = str(len(self.notes) + 1).translate(RAISE), len(self.notes)
            # It has its number before the notes within it have theirs.
            self.notes.append(Atom("footnote", number))
            self.notes[place] = Atom("footnote", number, self.text(element))
            return f" ({number})"
        text = self._whole(element)
        return text.translate(RAISE) if text.strip().isdecimal() and self.is_raised(element) else text

    def is_raised(self, element: etree._Element) -> bool:
        """Tell whether an element is set higher than its line."""
        return local_name(element) == "sup"

    def _whole(self, element: etree._Element) -> str:
        parts = [element.text or ""]
        for child in element:
            name = local_name(child)
            apart = " " if name in self.blocks and name not in self.note_names else ""
            parts += [apart, self.inline(child), apart, child.tail or ""]
        return "".join(parts)
