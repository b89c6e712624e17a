"""Ruled tables on a page of a PDF: the lines that are drawn → a grid of cells → the words in them.

A table is taken for one only where its grid is drawn: borders between the columns and between the rows. What is only
set in columns is looked for in ``pdf_columns``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from antinomy.parse.model import Line, Table

#: A filled box no thicker than this is a line that is drawn.
_THIN = 3.0
#: Lines no further apart are one; ends that are no further apart meet.
_NEAR = 3.0
#: A cell is no narrower or lower than this.
_LEAST = 8.0
#: Of the borders between the cells of a table so many are drawn.
_DRAWN = 0.6
#: So many of the cells hold words.
_FILLED = 0.5
#: No table of words has more columns; a form or a chart has.
_MOST_COLUMNS = 10
#: No page of text has more lines; a drawing has.
_MOST_RULES = 400
_LONGEST_HEAD = 80
_STROKED = frozenset({b"S", b"s", b"B", b"b", b"B*", b"b*"})
_FILLS = frozenset({b"f", b"F", b"f*"}) | _STROKED
#: What lines are drawn with: so many numbers.
_LENGTHS = {b"re": 4, b"m": 2, b"l": 2, b"cm": 6}
_MOVES = frozenset({b"Td", b"TD", b"Tm", b"T*", b"'", b'"'})

_Point = tuple[float, float]
#: How a page's coordinates are turned to those that one sees.
Turn = Callable[[float, float], _Point]


@dataclass(frozen=True, slots=True)
class Rule:
    """A drawn line: level or upright, at a height or from the left, from an end to an end."""

    level: bool
    at: float
    start: float
    end: float


@dataclass(slots=True)
class Grid:
    """The borders of a table's columns, from left to right, and of its rows, from the top down."""

    columns: list[float]
    rows: list[float]
    rules: list[Rule]

    def at(self, x: float, y: float) -> tuple[int, int] | None:
        """Return row and column of the cell in which words begin; None outside."""
        column = next((k for k, edge in enumerate(self.columns[1:]) if self.columns[0] - 2 <= x < edge - 1), None)
        row = next((k for k, edge in enumerate(self.rows[1:]) if self.rows[0] >= y > edge - 1), None)
        return None if row is None or column is None else (row, column)

    def drawn(self, level: bool, at: float, start: float, end: float) -> bool:
        """Tell whether most of a border is drawn."""
        covered = sum(
            max(0.0, min(end, rule.end) - max(start, rule.start))
            for rule in self.rules
            if rule.level is level and abs(rule.at - at) <= _NEAR
        )
        return covered >= 0.7 * (end - start)


def find_rules(operations: Iterable[tuple[Any, bytes]], turn: Turn) -> list[Rule]:
    """Return the level and upright lines that a page's content draws.

    Args:
        operations: of the content stream.
        turn: from the page's coordinates to those that one sees.
    """
    matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)
    kept: list[tuple[float, float, float, float, float, float]] = []
    boxes: list[tuple[_Point, _Point]] = []
    edges: list[tuple[_Point, _Point]] = []
    at: _Point = (0.0, 0.0)
    found: list[Rule] = []

    def seen(x: Any, y: Any) -> _Point:
        a, b, c, d, e, f = matrix
        return turn(a * float(x) + c * float(y) + e, b * float(x) + d * float(y) + f)

    for operands, operator in operations:
        if operator in _LENGTHS and not (
            len(operands) == _LENGTHS[operator] and all(isinstance(number, (int, float)) for number in operands)
        ):
            continue
        if operator == b"re":
            x, y, width, height = map(float, operands)
            boxes.append((seen(x, y), seen(x + width, y + height)))
        elif operator == b"m":
            at = seen(*operands)
        elif operator == b"l":
            before, at = at, seen(*operands)
            edges.append((before, at))
        elif operator in _FILLS or operator == b"n":
            for one, other in boxes:
                found.extend(_sides(one, other, operator in _STROKED) if operator != b"n" else ())
            if operator in _STROKED:
                found.extend(filter(None, (_rule(one, other) for one, other in edges)))
            boxes, edges = [], []
        elif operator == b"q":
            kept.append(matrix)
        elif operator == b"Q" and kept:
            matrix = kept.pop()
        elif operator == b"cm":
            a, b, c, d, e, f = map(float, operands)
            p, q, r, s, t, u = matrix
            matrix = (a * p + b * r, a * q + b * s, c * p + d * r, c * q + d * s, e * p + f * r + t, e * q + f * s + u)
    return found


def _sides(one: _Point, other: _Point, stroked: bool) -> Iterable[Rule]:
    """Yield the lines of a box: one if it is thin, its four sides if these are drawn."""
    left, right = sorted((one[0], other[0]))
    bottom, top = sorted((one[1], other[1]))
    if top - bottom <= _THIN or right - left <= _THIN:
        level = right - left >= top - bottom
        yield Rule(True, (bottom + top) / 2, left, right) if level else Rule(False, (left + right) / 2, bottom, top)
    elif stroked:
        for height in (bottom, top):
            yield Rule(True, height, left, right)
        for x in (left, right):
            yield Rule(False, x, bottom, top)


def _rule(one: _Point, other: _Point) -> Rule | None:
    if abs(one[1] - other[1]) <= 0.5:
        return Rule(True, one[1], *sorted((one[0], other[0])))
    if abs(one[0] - other[0]) <= 0.5:
        return Rule(False, one[0], *sorted((one[1], other[1])))
    return None


def find_grids(rules: Sequence[Rule]) -> list[Grid]:
    """Return the grids of two columns and two rows or more that lines make, from the top of the page down."""
    found: list[Grid] = []
    whole = _whole(rules)
    for group in _connected(whole) if len(whole) <= _MOST_RULES else ():
        level, upright = ([rule for rule in group if rule.level is kind] for kind in (True, False))
        columns, rows = _edges(upright, level), _edges(level, upright)
        grid = Grid(columns, rows[::-1], group)
        if len(rows) >= 3 and 3 <= len(columns) <= _MOST_COLUMNS + 1 and _is_drawn(grid):
            found.append(grid)
    return sorted(found, key=lambda grid: -grid.rows[0])


def _whole(rules: Sequence[Rule]) -> list[Rule]:
    """Join the pieces of lines: most programs draw a border cell by cell."""
    found: list[Rule] = []
    for rule in sorted(rules, key=lambda rule: (rule.level, round(rule.at), rule.start)):
        last = found[-1] if found else None
        if last and last.level is rule.level and abs(last.at - rule.at) <= 1 and rule.start <= last.end + _NEAR:
            found[-1] = replace(last, end=max(last.end, rule.end))
        else:
            found.append(rule)
    return found


def _connected(rules: Sequence[Rule]) -> list[list[Rule]]:
    """Group lines that meet."""
    groups: list[list[Rule]] = []
    for rule in rules:
        touched = [group for group in groups if any(_meet(rule, other) for other in group)]
        groups = [group for group in groups if group not in touched]
        groups.append([rule, *(other for group in touched for other in group)])
    return groups


def _meet(one: Rule, other: Rule) -> bool:
    if one.level == other.level:
        near = abs(one.at - other.at) <= _NEAR
        return near and one.start <= other.end + _NEAR and other.start <= one.end + _NEAR
    return one.start - _NEAR <= other.at <= one.end + _NEAR and other.start - _NEAR <= one.at <= other.end + _NEAR


def _edges(drawn: Sequence[Rule], across: Sequence[Rule]) -> list[float]:
    """Return the places of borders in rising order; a table may have no outer ones, then the others end there."""
    ends = [end for rule in across for end in (rule.start, rule.end)]
    found: list[float] = []
    for place in sorted([*(rule.at for rule in drawn), *([min(ends), max(ends)] if ends else [])]):
        if not found or place - found[-1] >= _LEAST:
            found.append(place)
    return found


def _is_drawn(grid: Grid) -> bool:
    """Tell whether most of the borders between cells are drawn, both ways: a chart or a set of boxes lacks them."""
    rows, columns = list(pairwise(grid.rows)), list(pairwise(grid.columns))
    level = [grid.drawn(True, y, *span) for y in grid.rows[1:-1] for span in columns]
    upright = [grid.drawn(False, x, low, high) for x in grid.columns[1:-1] for high, low in rows]
    return sum(level) >= _DRAWN * len(level) and sum(upright) >= _DRAWN * len(upright)


def placed(operations: Iterable[tuple[Any, bytes]]) -> Iterable[tuple[Any, bytes]]:
    """Make pypdf report a run of its own wherever the place of the text is set: an identity ``cm`` ends a run."""
    for operands, operator in operations:
        yield operands, operator
        if operator in _MOVES:
            yield [1, 0, 0, 1, 0, 0], b"cm"


def fill(grid: Grid, lines: Sequence[tuple[tuple[int, int], Line]], page: int, least: int = 2) -> Table | None:
    """Make a table of the printed lines in the cells of a grid.

    Args:
        grid: the borders.
        lines: in reading order, with row and column.
        page: 1-based.
        least: it has so many rows.

    Returns:
        The table; None if the grid is not filled as one.
    """
    width = len(grid.columns) - 1
    rows: list[list[list[str]]] = [[[] for _ in range(width)] for _ in grid.rows[1:]]
    light: set[int] = set()
    for (row, column), line in lines:
        while row and grid.rules and not grid.drawn(True, grid.rows[row], *grid.columns[column : column + 2]):
            # A cell that stands beside several rows has its words in the first of them.
            row -= 1
        rows[row][column].append(line.text)
        if not line.bold:
            light.add(row)
    bold = any(line.bold for _, line in lines)
    kept = [row for row, cells in enumerate(rows) if any(cells)]
    found = [rows[row] for row in kept]
    if len(found) < least or sum(bool(cell) for cells in found for cell in cells) < _FILLED * len(found) * width:
        return None
    texts = [[" ".join(cell) for cell in row] for row in found]
    # "5 years" above "2 years" names no column.
    quantity = any(all(text[:1].isdecimal() for text in column) for column in zip(*texts, strict=True))
    named = (_names_column(text) for text in texts[0])
    # A name is no entry of its column, as in "Pilots X" above "Masters X".
    others = [row for row in texts if row != texts[0]]
    recurs = any(cell in column for cell, *column in zip(texts[0], *others, strict=True))
    titles = all(named) and not quantity and not recurs
    # In a table without bold type its first row is taken for its head, as in other formats.
    heads = titles and (kept[0] not in light or not bold)
    return Table(page, tuple(grid.columns), grid.rows[0], grid.rows[-1], found, heads)


def _names_column(text: str) -> bool:
    ended = text[-1:] in tuple(".;:") and not text.endswith("No.")
    return 0 < len(text) <= _LONGEST_HEAD and not ended and not text[0].islower()
