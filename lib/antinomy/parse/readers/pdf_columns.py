"""Tables of a PDF that no lines rule: rows whose cells begin at the same places, line after line.

Justified text has gaps, too, but at no same places; a list's numbers stand in a column of their own, and are no table.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from antinomy.parse.labels import leading_labels
from antinomy.parse.markup import is_margin
from antinomy.parse.model import Line, Table
from antinomy.parse.readers.pdf_rules import Grid, fill

#: Starts that differ by no more, in points, are one column; heights that do, one line.
_SAME, _LEVEL = 2.5, 1.0
#: So many lines with all columns, and rows, are no chance.
_LEAST = 3
_MOST_COLUMNS = 8
#: The next line of a table is no further below, in sizes of type.
_GAP = 4.0
#: The number of a page, or of a paragraph in the margin: 12*.
_PAGE_NUMBER = re.compile(r"(?:[A-Z]-?)?\d{1,4}\*?|[ivxlc]{1,6}")
#: 12.1, which was inserted behind 12.
_INSERTED = re.compile(r"\d{1,4}\.\d{1,2}\*?")


class _Piece(NamedTuple):
    """What a line prints from one place on."""

    line: Line
    at: int
    x: float
    text: str


def find_columns(lines: Sequence[Line]) -> list[Table]:
    """Return the tables that are set in columns, page by page from the top.

    Args:
        lines: in reading order, those of ruled tables left out.
    """
    levels = {
        page: _levels([piece for at, line in own for piece in _pieces(line, at)])
        for page, own in groupby(enumerate(lines), key=lambda numbered: numbered[1].page)
    }
    found = {page: list(_of_page(own, page)) for page, own in levels.items()}
    for page, own in levels.items():
        # A table that runs on over a page's end may leave a row or two on it.
        beside = [table.columns for near in (page - 1, page + 1) for table in found.get(near, [])]
        found[page] = list(_of_page(own, page, beside)) if beside else found[page]
    return [table for tables in found.values() for table in tables]


def _pieces(line: Line, at: int) -> Iterator[_Piece]:
    starts = [(0, line.x), *line.stops]
    for (start, x), (end, _) in zip(starts, [*starts[1:], (len(line.text), 0.0)], strict=True):
        if text := line.text[start:end].strip():
            yield _Piece(line, at, x, text)


def _levels(pieces: Sequence[_Piece]) -> list[list[_Piece]]:
    """Group pieces by their heights, from the top of the page down, each group from left to right."""
    levels: list[list[_Piece]] = []
    for piece in sorted(pieces, key=lambda piece: -piece.line.y):
        if levels and levels[-1][0].line.y - piece.line.y <= _LEVEL:
            levels[-1].append(piece)
        else:
            levels.append([piece])
    return [sorted(level, key=lambda piece: piece.x) for level in levels]


def _of_page(levels: Sequence[list[_Piece]], page: int, beside: Sequence[tuple[float, ...]] = ()) -> Iterator[Table]:
    first = 0
    while first < len(levels):
        columns = [piece.x for piece in levels[first]]
        end = first + 1
        while end < len(levels) and _goes_on(levels[end - 1], levels[end], columns):
            end += 1
        while end > first and len(levels[end - 1]) == 1 and _column(levels[end - 1][0], columns) == 0:
            # A short line below the table.
            end -= 1
        runs_on = any(len(columns) + 1 == len(known) and all(map(_is_same, columns, known)) for known in beside)
        least = 1 + (first > 0 and end < len(levels)) if runs_on else _LEAST
        table = _table(levels[first:end], columns, page, least) if 2 <= len(columns) <= _MOST_COLUMNS else None
        if table is not None:
            yield table
        first = end if table is not None else first + 1


def _goes_on(above: list[_Piece], level: list[_Piece], columns: Sequence[float]) -> bool:
    last, line = above[0].line, level[0].line
    if last.y - line.y > _GAP * max(last.size, 1.0) or abs(last.size - line.size) > 0.6:
        return False
    places = [_column(piece, columns) for piece in level]
    # What begins in the first column and runs on over the next is a paragraph.
    reach = level[0].x + 0.4 * line.size * len(level[0].text)
    return None not in places and not (places == [0] and reach > columns[1:2][0] if columns[1:] else True)


def _column(piece: _Piece, columns: Sequence[float]) -> int | None:
    return next((at for at, x in enumerate(columns) if _is_same(piece.x, x)), None)


def _is_same(one: float, other: float) -> bool:
    return abs(one - other) <= _SAME


def _table(levels: Sequence[list[_Piece]], columns: Sequence[float], page: int, least: int) -> Table | None:
    """Make a table of what stands in columns; None if it is none."""
    if sum(len(level) == len(columns) for level in levels) < least:
        return None
    pieces = sorted((piece for level in levels for piece in level), key=lambda piece: piece.at)
    if len({piece.at for piece in pieces}) != pieces[-1].at - pieces[0].at + 1:
        # Other lines stand between them.
        return None
    cells: list[tuple[tuple[int, int], Line]] = []
    row, before = -1, len(columns)
    for piece in pieces:
        column = _column(piece, columns) or 0
        row += column == 0 and before > 0 and not (cells and piece.text[:1].islower())
        before = column
        line = piece.line
        cells.append(((row, column), Line(piece.text, page, piece.x, line.y, line.size, line.bold)))
    firsts = [line.text for (_, column), line in cells if column == 0]
    lasts = [line.text for (_, column), line in cells if column == len(columns) - 1]
    # Numbers stand beside their paragraphs, and between them short headings, beside which nothing stands.
    labels = [is_margin(text) or _is_label(text) for text in firsts]
    lone = {level[0].text for level in levels if len(level) == 1}
    numbered = all(own or leading_labels(text) or text in lone for own, text in zip(labels, firsts, strict=True))
    numbered = numbered and 2 * sum(labels) > len(firsts)
    whole = [text for text in lasts if not _INSERTED.fullmatch(text)]
    counted = 2 * len(whole) > len(lasts) and all(map(_PAGE_NUMBER.fullmatch, whole))
    if row + 1 < least or (numbered and len(columns) == 2) or counted:
        return None
    if 3 * sum(text[:1].islower() for text in firsts) > len(firsts):
        # Two columns of running text.
        return None
    edges = [*columns, columns[-1] + 1000.0]
    top, bottom = levels[0][0].line.y + _LEVEL, levels[-1][0].line.y - _LEVEL
    return fill(Grid(edges, [top, *[bottom] * (row + 1)], []), cells, page, min(least, 2))


def _is_label(text: str) -> bool:
    # Some labels are none without words behind: "IV -".
    found = (leading_labels(text), leading_labels(f"{text} The"))
    return any(marks[-1].end >= len(text) for marks in found if marks)
