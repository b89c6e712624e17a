"""The pieces into which a numbered text is cut: paragraphs that may begin with labels, headings, tables, notes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from antinomy.parse.line_ends import Vocabulary, join_lines
from antinomy.parse.model import Line, Mark
from antinomy.parse.numbered.costs import TEXT


@dataclass(slots=True)
class Piece:
    """The lines of one printed paragraph.

    Attributes:
        kind: ``text``, ``heading``, ``table``, ``note``, ``conclusions`` or, between the paragraphs of a provision,
            ``beside``; a text may begin with labels.
        lines: its lines.
        marks: the labels at its beginning.
        starts: how certain it is that a block of print begins here, 0 to 1.
        rank: of text set as a heading: the smaller, the larger the part that it heads; of other text ``TEXT``.
        text: its joined lines, labels included.
        heading: for a numbered provision, the heading that is printed above it.
        beside: what the column beside it explains.
    """

    kind: str
    lines: list[Line] = field(default_factory=list)
    marks: tuple[Mark, ...] = ()
    starts: float = 1.0
    rank: float = TEXT
    text: str = ""
    heading: str = ""
    beside: list[Piece] = field(default_factory=list)

    @property
    def first(self) -> Line:
        """Its first line."""
        return self.lines[0]

    @property
    def last(self) -> Line:
        """Its last line so far."""
        return self.lines[-1]

    def go_on(self, other: Piece) -> None:
        """Append the lines of another piece."""
        self.lines.extend(other.lines)
        self.beside.extend(other.beside)


@dataclass(slots=True)
class Pieces:
    """A document cut up.

    Attributes:
        pieces: in reading order, footnotes last.
        body: the texts that have to be in the tree.
        known: the document's vocabulary, for words broken at line ends.
    """

    pieces: list[Piece]
    body: list[str]
    known: Vocabulary

    def join(self, lines: Sequence[Line]) -> str:
        """Fold printed lines into running text."""
        return join_lines((line.text for line in lines), self.known)
