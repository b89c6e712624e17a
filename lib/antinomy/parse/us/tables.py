"""Tables of a printed page: lines with columns → rows of cells."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from antinomy.parse.model import Line
from antinomy.text.typography import RAISED_DIGITS

_OPEN = re.compile(rf"[^.!?:;)\]”\"{RAISED_DIGITS}]$")


@dataclass(slots=True)
class Row:
    """A row of a table: the printed lines of each cell, and the pages it stands on."""

    cells: list[list[str]]
    page: int = 0
    page_end: int = 0


def table_rows(lines: Sequence[Line]) -> list[Row]:
    """Read a table row by row; empty if the lines stand in no columns.

    Cells come in the order of the page's content: a row's cells from left to right, each with all of its
    lines. A step back to the left begins a row; so does a gap within the first column.
    """
    cells = [cell for line in lines for cell in _cells(line)]
    edges = _edges(cells)
    if len(edges) < 2:
        return []
    rows: list[Row] = []
    column, at = len(edges), Line("")
    for cell in cells:
        here = max((k for k, edge in enumerate(edges) if edge <= cell.x + 6), default=0)
        turned = at.page != cell.page
        gap = not turned and at.y - cell.y > 1.3 * cell.size
        begins = here < column or (here == column and (turned or (gap and not here)))
        # A page break may cut a row in two: its first cell is empty and the one before was not at an end.
        cut = turned and here > 0 and bool(rows) and _goes_on(rows[-1].cells[here], cell.text)
        if not rows or (begins and not cut):
            rows.append(Row([[] for _ in edges], cell.page))
        rows[-1].cells[here].append(cell.text)
        rows[-1].page_end = cell.page
        column, at = here, cell
    return rows


def _goes_on(cell: Sequence[str], text: str) -> bool:
    return bool(cell) and bool(_OPEN.search(cell[-1]) or text[0] in "•o–")


def _cells(line: Line) -> list[Line]:
    """Cut a line where the next column begins."""
    starts = [(0, line.x), *((offset, x) for offset, x in line.stops if offset > 2)]
    ends = [*(offset for offset, _ in starts[1:]), len(line.text)]
    return [
        replace(line, text=line.text[start:end].strip(), x=x, stops=())
        for (start, x), end in zip(starts, ends, strict=True)
    ]


def _edges(cells: Sequence[Line]) -> list[float]:
    """Return the left edges of the columns: those at which a fair share of the cells begin."""
    groups: list[list[float]] = []
    for x in sorted(cell.x for cell in cells):
        if groups and x - groups[-1][-1] < 4:
            groups[-1].append(x)
        else:
            groups.append([x])
    edges: list[float] = []
    for group in groups:
        if len(group) >= max(2, len(cells) // 12) and (not edges or group[0] > edges[-1] + 18):
            edges.append(group[0])
    return edges
