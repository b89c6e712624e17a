"""Notes in the margin of a page: what a provision is about, which a table sets in the column left of it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import TypeVar

from lxml import etree

from antinomy.parse.labels import leading_labels
from antinomy.parse.markup import inline_text
from antinomy.parse.numbered.heading_words import CLAUSE

#: How a provision begins that counts in the whole text: "12.", "12A. (1)".
_NUMBER = re.compile(r"^(\d{1,4})[A-Z]{0,2}\b")
#: A note has no more words; fewer numbers of provisions are no sequence.
_MOST_WORDS, _LEAST = 25, 4
#: How a provision ends.
_ENDS = (".", ";", ":", "—", "–")

#: A table, as its format has it.
_Table = TypeVar("_Table")


def note_beside(cells: Sequence[etree._Element]) -> tuple[str, list[etree._Element]]:
    """Return the note that stands left of a numbered provision in a row, "" for none, and the cells beside it.

    It is returned without the stop at its end: it heads the provision.
    """
    filled = [cell for cell in cells if inline_text(cell)]
    note = inline_text(filled[0]) if filled[1:] else ""
    titled = note[:1].isupper() and len(note.split()) <= _MOST_WORDS and not leading_labels(note)
    return (note.removesuffix("."), filled[1:]) if titled and leading_labels(_words(filled[1:])) else ("", filled)


def with_notes(tables: Iterable[tuple[_Table, Sequence[Sequence[etree._Element]]]]) -> frozenset[_Table]:
    """Return the tables of a page that only set notes beside provisions, whose numbers rise from table to table.

    Args:
        tables: each with the cells of its rows.
    """
    found = [(table, numbers) for table, rows in tables if (numbers := _noted(rows)) is not None]
    counted = [number for _, numbers in found for number in numbers]
    # A schedule may begin anew.
    falls = sum(one > other for one, other in pairwise(counted))
    return frozenset(table for table, _ in found if len(counted) >= _LEAST and 10 * falls <= len(counted))


def _noted(rows: Sequence[Sequence[etree._Element]]) -> list[int] | None:
    """Return the numbers of the provisions beside which the rows of a table set notes; None for any other table."""
    numbers: list[int] = []
    noted = sentences = 0
    for note, beside in map(note_beside, rows):
        words = _words(beside)
        if not note and beside[1:]:
            return None
        if note:
            noted += 1
            # A list of contents has none.
            sentences += words.endswith(_ENDS) and bool(CLAUSE.search(words))
            numbers += [int(number) for number in _NUMBER.findall(words)]
    return numbers if 0 < noted <= 2 * sentences else None


def _words(cells: Sequence[etree._Element]) -> str:
    return " ".join(map(inline_text, cells))
