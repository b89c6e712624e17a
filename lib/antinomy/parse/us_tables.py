"""Tables of a printed page: lines with columns → rows of cells."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from antinomy.parse.model import Line

_OPEN = re.compile(r"[^.!?:;)\]”\"⁰¹²³⁴⁵⁶⁷⁸⁹]$")


def table_rows(lines: Sequence[Line]) -> list[list[list[str]]]:
    """Read a table row by row; empty if the lines stand in no columns.

    Cells come in the order of the page's content: a row's cells from left to right, each with all of its lines. A
    step back to the left begins a row; so does a gap within the first column.

    Returns:
        Rows of cells of printed lines.
    """
    cells = [cell for line in lines for cell in _cells(line)]
    edges = _edges(cells)
    if len(edges) < 2:
        return []
    rows: list[list[list[str]]] = []
    column, at = len(edges), Line("")
    for cell in cells:
        here = max((k for k, edge in enumerate(edges) if edge <= cell.x + 6), default=0)
        turned = at.page != cell.page
        gap = not turned and at.y - cell.y > 1.3 * cell.size
        if not rows or here < column or (here == column and (turned or (gap and not here))):
            row: list[list[str]] = [[] for _ in edges]
            # A row that a page break cut in two: its first cell is empty and the one before was not at an end.
            if not (turned and here and rows and _goes_on(rows[-1][here], cell.text)):
                rows.append(row)
        rows[-1][here].append(cell.text)
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
