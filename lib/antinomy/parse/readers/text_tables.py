"""Tables that plain text sets in blanks → rows ``| cell | cell |``."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from antinomy.parse.labels import leading_labels
from antinomy.parse.markup import table_lines

#: Words of one cell: single blanks stand within it.
_CELL = re.compile(r"\S+(?: \S+)*")
#: Fewer columns are a number or an explanation beside a paragraph, and fewer rows a line of addresses.
_COLUMNS, _ROWS = 3, 3
#: Two make a table above a rule, or if nothing else stands between blank lines, so far apart, and the rows are more.
_PAIR, _GAP, _MANY = 2, 3, 4
#: A rule across the page; there are three around a table's heads and rows, so many lines apart at most.
_RULED, _RULES, _LONGEST = re.compile(r"\s*-{30,}\s*"), 3, 150
#: From the end of a cell to the next.
_LEADER = re.compile(r"(?:\s?\.){2,}$")
#: The rule below the heads of columns.
_RULE = re.compile(r"\s*[-–—_=+]{3,}(?:[ +]+[-–—_=+]{3,})*\s*")


@dataclass
class _Column:
    """Where the cells of a column stand in their lines, first and last place."""

    first: int
    last: int

    def holds(self, cell: re.Match[str]) -> bool:
        return cell.start() < self.last and self.first < cell.end()

    def shares(self, cell: re.Match[str]) -> int:
        """Count the places that it has in common with a cell, below 0 those between the two."""
        return min(self.last, cell.end()) - max(self.first, cell.start())

    def widen(self, cell: re.Match[str]) -> None:
        self.first, self.last = min(self.first, cell.start()), max(self.last, cell.end())


@dataclass
class _Table:
    """Rows of cells, one below the other."""

    columns: list[_Column]
    rows: list[list[str]] = field(default_factory=list)

    def take(self, cells: Sequence[re.Match[str]]) -> bool:
        """Add a line's cells as a row, or to the row above; False if the line is none of the table."""
        places = [[k for k, column in enumerate(self.columns) if column.holds(cell)] for cell in cells]
        if any(len(found) != 1 for found in places) or len({k for (k,) in places}) < len(cells):
            return False
        whole = len(cells) == len(self.columns)
        if whole or (places[0] == [0] and len(cells) > 1):
            self.rows.append([""] * len(self.columns))
        elif not self.rows or (places[0] == [0] and len(self.columns) == len(cells) + 1):
            return False
        for cell, (k,) in zip(cells, places, strict=True):
            self.rows[-1][k] = f"{self.rows[-1][k]} {cell[0]}".strip()
            if whole:
                self.columns[k].widen(cell)
        return True


def with_table_rows(printed: Sequence[str]) -> list[str]:
    """Print the tables of a plain text as rows between bars.

    A table begins with the heads of its columns, three at least, or two above a rule, and has rows whose cells stand
    below these. A line with fewer cells goes on with the row above.

    Args:
        printed: lines of a text.
    """
    wide = [raw.expandtabs(4) for raw in printed]
    kept: list[str] = []
    at = 0
    while at < len(printed):
        rows, end = _read_ruled(wide, at)
        if not rows:
            table, end = _read(wide, at)
            if not table.rows:
                table, end = _read_pairs(wide, at)
            rows = table.rows
        if len(rows) >= _ROWS:
            kept += ["", *table_lines(rows), ""]
            at = end
        else:
            kept.append(printed[at])
            at += 1
    return kept


def _read_ruled(printed: Sequence[str], at: int) -> tuple[list[list[str]], int]:
    """Read a table between rules across the page, its heads above one of them: its rows, and the line behind it.

    Its columns are what no blank places part in any of its rows. A row begins with the first column, whose further
    lines are indented, and dots lead from the end of a cell to the next.

        -------------------------------------------
             Kind of lamp             Hours
        -------------------------------------------
        Lamps of harbors and
         of lighthouses.........  8
        Others..................  12, and 14 in
                                   winter
        -------------------------------------------
    """
    if not _RULED.fullmatch(printed[at]):
        return [], at
    rules = [k for k in range(at, min(at + _LONGEST, len(printed))) if _RULED.fullmatch(printed[k])][:_RULES]
    heads, lines = (list(filter(str.strip, printed[a + 1 : b])) for a, b in pairwise([*rules, at, at][:_RULES]))
    width = max(map(len, lines), default=0)
    used = "".join(" x"[any(line[k : k + 1].strip() for line in lines)] for k in range(width))
    columns = [_Column(cell.start(), cell.end()) for cell in _CELL.finditer(used)]
    rows = [[""] * len(columns)]
    for k, line in enumerate([*heads, *lines] if columns else []):
        if k == len(heads) or (k > len(heads) and line[columns[0].first : columns[0].first + 1].strip()):
            rows.append([""] * len(columns))
        for cell in _CELL.finditer(line):
            nearest = max(columns, key=lambda column: column.shares(cell))
            place = columns.index(nearest)
            rows[-1][place] = f"{rows[-1][place]} {cell[0]}".strip()
    if sum(map(bool, rows[0])) < max(_PAIR, len(columns) - 1):
        # Only the first column may have no head.
        return [], at
    return [[_LEADER.sub("", cell) for cell in row] for row in rows], rules[-1] + 1


def _read(printed: Sequence[str], at: int) -> tuple[_Table, int]:
    """Read the table whose heads stand on a line, and the line behind it; without rows if there is none."""
    heads = [*_CELL.finditer(printed[at])]
    table = _Table([_Column(cell.start(), cell.end()) for cell in heads])
    ruled = at + 1 < len(printed) and bool(_RULE.fullmatch(printed[at + 1]))
    if len(heads) < (_PAIR if ruled else _COLUMNS) or not all(_is_head(cell[0]) for cell in heads):
        return table, at
    end = at
    if ruled:
        table.take(heads)
        end += 2
    while end < len(printed) and (cells := [*_CELL.finditer(printed[end])]) and table.take(cells):
        end += 1
    return table, end


def _read_pairs(printed: Sequence[str], at: int) -> tuple[_Table, int]:
    """Read a table of two columns, whose heads, above a blank line or none, and rows begin at the same two places."""
    heads = [*_CELL.finditer(printed[at])]
    table = _Table([_Column(cell.start(), cell.end()) for cell in heads])
    apart = len(heads) == _PAIR and heads[1].start() - heads[0].end() >= _GAP
    # Titles and their pages are a list of contents, "To:" and a name those of a letter.
    if not apart or heads[0][0].endswith(":") or heads[1][0].lower() == "page":
        return table, at
    if (at and printed[at - 1].strip()) or not all(_is_head(cell[0]) for cell in heads):
        return table, at
    end = at + 1
    end += end < len(printed) and not printed[end].strip()
    rows = [[cell[0] for cell in heads]]
    while end < len(printed) and (cells := [*_CELL.finditer(printed[end])]):
        if [cell.start() for cell in cells] != [head.start() for head in heads]:
            return table, at
        rows.append([cell[0] for cell in cells])
        end += 1
    if len(rows) > _MANY:
        table.rows = rows
    return table, end


def _is_head(words: str) -> bool:
    return words[0].isupper() and any(sign.islower() for sign in words) and not leading_labels(words)
