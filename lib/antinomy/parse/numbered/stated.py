"""Builds the tree of a law whose format states its structure, from atoms.

The parts and provisions stand where the format says. What it does not say, how ``(i)`` nests below ``(a)(1)`` in a
paragraph that prints its labels in its text, is read as in any numbered text; and types, ids and labels are given as
there, so that a law read from XML and from its print has the same.
"""

from __future__ import annotations

import re

from antinomy.parse.content import Atom, Content
from antinomy.parse.labels import leading_labels
from antinomy.parse.line_ends import vocabulary
from antinomy.parse.model import Line, Mark, ParsedDocument
from antinomy.parse.named_labels import ANNEX_TYPES
from antinomy.parse.numbered.grammar import build, read_labels
from antinomy.parse.numbered.pieces import Piece, Pieces
from antinomy.parse.numbered.search import Reading
from antinomy.settings.source import Source

#: Level of a text whose labels, if it has any, stand in it; of a text between those that has none.
UNREAD, UNLABELLED = -1, -2
#: Parts of a law, and provisions that hold paragraphs; a group has a heading and no number.
_LARGE = ANNEX_TYPES | {"part", "title", "chapter", "subpart"}
_DIVISIONS = _LARGE | {"section", "article", "rule", "group"}
#: Width of a level, in points, by which a text is told to belong inside a paragraph or below it.
_INDENT = 12.0


def outline_stated(content: Content, source: Source) -> ParsedDocument:
    """Build the tree of a law whose format states the roles of its pieces.

    Args:
        content: with atoms.
        source: its title, where given, is the document's.
    """
    law = _Law()
    for atom in content.atoms:
        law.take(atom)
    law.settle()
    body = [line.text for line in content.lines]
    pieces = Pieces(law.pieces, body, vocabulary(body))
    return build(pieces, law.readings, content, source)


class _Law:
    """The pieces of a law, with the levels that are known.

    ``_open`` are the depths, as the format counts them, of the parts that are open: their number is the level of what
    stands directly in the innermost. ``_inside`` tells that an article's paragraph is open, from which points count.
    """

    def __init__(self) -> None:
        self.pieces: list[Piece] = []
        self.readings: list[Reading] = []
        self._open: list[int] = []
        self._inside = False
        self._unread: list[Piece] = []

    def take(self, atom: Atom) -> None:
        """Put the next piece where it belongs."""
        if atom.type in _DIVISIONS and (atom.number or atom.type != "title"):
            self._division(atom)
        elif atom.type == "heading":
            self._heading(atom)
        elif atom.type in ("point", "paragraph"):
            self._label(atom)
        elif atom.type == "table":
            rows = [Line(row) for row in atom.text.split("\n")]
            self._between(Piece("table", rows, text=atom.text, heading=atom.heading))
        elif atom.type == "beside":
            self._between(Piece("beside", [Line(atom.text)], text=atom.text, heading=atom.heading))
        elif atom.type == "conclusions":
            self.settle()
            self._open = []
            self._add(Piece("conclusions", [Line(atom.text)], text=atom.text))
        elif atom.type == "footnote":
            mark = Mark(atom.number, atom.number.strip("()"), "note", (), end=0)
            self._add(Piece("note", [Line(atom.text)], (mark,), text=atom.text))
        elif atom.level == UNREAD:
            self._unread.append(Piece("text", [Line(atom.text)], _labels(atom.text), text=atom.text))
        elif atom.level == UNLABELLED:
            self._between(Piece("text", [Line(atom.text)], text=atom.text))
        else:
            self._text(atom)

    def _between(self, piece: Piece) -> None:
        """Put a piece without labels: those behind it go on with those before it."""
        if self._unread:
            self._unread.append(piece)
        else:
            self._add(piece)

    def settle(self) -> None:
        """Read the labels of the paragraphs that wait, all of one provision."""
        inside = len(self._open)
        for piece, reading in zip(*read_labels(self._unread), strict=True):
            # A repeated number has the complement of its level.
            below = (None if level is None else level + (inside if level >= 0 else -inside) for level in reading)
            self._add(piece, list(below))
        self._unread = []

    def _add(self, piece: Piece, reading: Reading | None = None) -> None:
        self.pieces.append(piece)
        self.readings.append(reading or [])

    def _division(self, atom: Atom) -> None:
        self.settle()
        self._inside = False
        while self._open and self._open[-1] >= atom.level:
            self._open.pop()
        if atom.type in ANNEX_TYPES:
            # They close all open levels, as they do in print.
            self._open = []
        line = [Line(atom.printed or atom.text, x=_INDENT * (len(self._open) + 1))]
        if atom.type == "group":
            self._add(Piece("heading", line, rank=20.0, text=atom.text), [len(self._open)])
        else:
            word = atom.printed[0] if atom.printed.startswith("§") else atom.type
            path = tuple(re.split(r"[.\-–]", atom.number)) if atom.number else ()
            mark = Mark(atom.printed, atom.number, f"{word} #", path, word, end=len(atom.printed), firm=2.0)
            rank = 10.0 if atom.type in _LARGE else 30.0
            self._add(Piece("text", line, (mark,), rank=rank, text=atom.printed), [len(self._open)])
        self._open.append(atom.level)

    def _heading(self, atom: Atom) -> None:
        """Give what was opened last its heading; a heading before all else is text."""
        if not self.pieces:
            self._text(atom)
            return
        piece = self.pieces[-1]
        keyword = piece.marks[0].keyword if piece.marks else ""
        text = atom.text.rstrip(".") if keyword in ("section", "§", "rule", "article") else atom.text
        piece.heading = f"{piece.heading} {text}".strip()

    def _label(self, atom: Atom) -> None:
        self._inside = self._inside and atom.type != "paragraph"
        level = len(self._open) + self._inside + atom.level
        self._inside = self._inside or atom.type == "paragraph"
        text = f"{atom.number} {atom.text}".strip()
        marks = leading_labels(atom.number)[:1]
        bare = atom.number.strip("()[]. ")
        mark = marks[0] if marks else Mark(atom.number, bare, "#", (bare,))
        mark = Mark(mark.printed, mark.number, mark.style, mark.path, upto=mark.upto, end=len(atom.number))
        line = [Line(text, x=_INDENT * (level + 1))]
        self._add(Piece("text", line, (mark,), text=text, heading=atom.heading), [level])

    def _text(self, atom: Atom) -> None:
        level = len(self._open) + self._inside + atom.level
        self.settle()
        # Further right than its parent, and less far than the parent's children.
        self._add(Piece("text", [Line(atom.text, x=_INDENT * (level + 0.5))], text=atom.text))


def _labels(text: str) -> tuple[Mark, ...]:
    """Return the labels of a paragraph; a keyword at its beginning is a word: the parts are known."""
    marks = leading_labels(text[:300])
    return () if marks and (marks[0].keyword or marks[0].style == "bullet") else marks
