"""Tables that are drawn with dashes, as Pandoc does → rows ``| cell | cell |`` or numbered paragraphs."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import pairwise

from antinomy.parse.markup import sets_numbers, table_lines

#: A border of a grid.
BORDER = re.compile(r" {0,40}\+(?:[-=:]{2,}\+){1,100}\s*")
#: What stands below the heads of columns that bars part.
PIPES = re.compile(r" {0,3}\|?(?: *:?-{2,}:? *\|)+(?: *:?-{2,}:?)?\s*")
#: The dashes below or above the columns of a table without bars.
_COLUMNS = re.compile(r" {0,3}-{2,}(?: +-{2,})+ *")
_LINE = re.compile(r" {0,3}-{3,} *")
#: A paragraph in a row of a table that sets numbers beside paragraphs stands so far in.
_INDENT = "    "
#: A hostile file nests more, and its heads have more lines.
_DEEPEST = 12
_MOST_HEADS = 12

#: A row's cells, each with its printed lines.
_Row = list[list[str]]


def set_tables(printed: Sequence[str], plain: Callable[[str], str], depth: int = 0) -> list[str]:
    """Print tables as rows between bars, or, where they only set numbers beside paragraphs, as these.

    Args:
        printed: lines of a text.
        plain: takes the signs out of a cell's words.
        depth: of the cell that holds the lines.
    """
    kept: list[str] = []
    at = first = 0
    while at < len(printed):
        rows: list[_Row] = []
        end = at
        headed = False
        if depth <= _DEEPEST and BORDER.fullmatch(printed[at]):
            end = next((k for k in range(at, len(printed)) if printed[k].lstrip()[:1] not in ("+", "|")), len(printed))
            rows, headed = _grid(printed[at:end])
        elif _COLUMNS.fullmatch(printed[at]):
            begin, end = _extent(printed, at, first)
            headed = begin < at
            above = printed[begin:at]
            rows = _columns(printed[at], above, printed[at + 1 : end])
            del kept[len(kept) - len(above) :]
        if rows:
            kept += ["", *_printed(rows, headed, plain, depth), ""]
            first = end
        else:
            end = at + 1
            kept.append(printed[at])
        at = end
    return kept


def _grid(printed: Sequence[str]) -> tuple[list[_Row], bool]:
    """Cut a grid into its rows, and tell whether it has heads. Where a bar is missing, the cell spans both columns."""
    rows: list[_Row] = []
    held: list[str] = []
    headed = False
    edges = sorted({at for raw in printed if BORDER.fullmatch(raw) for at, sign in enumerate(raw) if sign == "+"})
    for raw in printed:
        if not BORDER.fullmatch(raw):
            held.append(raw)
            continue
        if held:
            own = [at for at in edges if all(line[at : at + 1] == "|" for line in held)]
            rows.append([[line[a + 2 : b].rstrip() for line in held] for a, b in pairwise(own)])
            headed = headed or (len(rows) == 1 and "=" in raw)
        held = []
    return rows, headed


def _extent(printed: Sequence[str], at: int, first: int) -> tuple[int, int]:
    """Return the line of the heads, or of the dashes if there are none, and the line behind a table without bars."""
    first = max(first, at - _MOST_HEADS)
    begin = at
    while begin > first and printed[begin - 1].strip() and not _LINE.fullmatch(printed[begin - 1]):
        begin -= 1
    closed = begin == at or (begin > first and bool(_LINE.fullmatch(printed[begin - 1])))
    for end in range(at + 1, len(printed)):
        if closed and (_COLUMNS.fullmatch(printed[end]) or _LINE.fullmatch(printed[end])):
            return begin, end + 1
        if not closed and not printed[end].strip():
            return begin, end
    return (at, at) if closed else (begin, len(printed))


def _columns(dashes: str, heads: Sequence[str], printed: Sequence[str]) -> list[_Row]:
    """Cut the lines of a table without bars into the cells of its rows; blank lines part rows of several lines."""
    lefts = [0, *(found.start() for found in re.finditer(r"(?<= )-", dashes)), None]
    if dashes.startswith(" "):
        del lefts[1]

    def cut(lines: Sequence[str]) -> _Row:
        return [[line[a:b].strip() for line in lines] for a, b in pairwise(lefts)]

    body = [raw for raw in printed if not (_COLUMNS.fullmatch(raw) or _LINE.fullmatch(raw))]
    apart = any(not raw.strip() for raw in body[:-1])
    rows: list[list[str]] = [[]]
    for raw in body:
        if raw.strip():
            rows[-1].append(raw)
        if not (apart and raw.strip()):
            rows.append([])
    return [cut(lines) for lines in (heads, *rows) if lines]


def _printed(rows: Sequence[_Row], headed: bool, plain: Callable[[str], str], depth: int) -> list[str]:
    words = [[" ".join(" ".join(cell).split()) for cell in row] for row in rows]
    lines: list[str] = []
    if sets_numbers([[plain(cell) for cell in row] for row in words if any(row)]) or all(
        sum(map(bool, row)) <= 1 for row in words
    ):
        for row, texts in zip(rows, words, strict=True):
            filled = [cell for cell, text in zip(row, texts, strict=True) if text]
            numbers = [text for text in texts if text][:-1]
            for at, text in enumerate(set_tables(filled[-1], plain, depth + 1) if filled else []):
                lines.append(text and _INDENT + text if at else " ".join([*numbers, text.lstrip()]))
            lines.append("")
        return lines
    width = max(map(len, words))
    # A cell with a list in a table has its items in one line.
    heads, *others = table_lines([row + [""] * (width - len(row)) for row in words])
    return [heads, *others] if headed or not others else ["|" + "  |" * width, heads, *others[1:]]
