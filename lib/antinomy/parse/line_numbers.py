"""The numbers in the margin that count the lines of each page, or of the whole text, and are no part of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from antinomy.parse.model import Line
from antinomy.text.typography import LOWER

#: Numbers count from so many in a row.
_LEAST = 3
#: The number of a line has fewer digits.
_LONGEST_NUMBER = 6


def without_line_numbers(pages: list[list[Line]]) -> tuple[list[list[Line]], list[Line]]:
    """Take out the numbers in the left margin that count the lines of each page, or of the whole text.

    Nearly all lines have one, and many stand in the middle of a sentence: those of provisions do not.

    Args:
        pages: lines per page.

    Returns:
        The same without the numbers, and the numbers.
    """
    taken: list[Line] = []
    kept: list[list[Line]] = []
    for lines in pages:
        numbers = _line_numbers(lines)
        kept.append([])
        for k, line in enumerate(lines):
            end = numbers.get(k, 0)
            if end:
                taken.append(replace(line, text=line.text[:end].rstrip(), stops=()))
            if end < len(line.text):
                stops = tuple((at - end, x) for at, x in line.stops if at > end)
                kept[-1].append(replace(line, text=line.text[end:], x=line.stops[0][1], stops=stops) if end else line)
    rows = sum(len({round(line.y) for line in lines}) for lines in pages)
    inside = sum(line.text[:1].islower() for lines in kept for line in lines)
    return (kept, taken) if 5 * len(taken) >= 4 * rows and 4 * inside >= len(taken) else (pages, [])


def _line_numbers(lines: Sequence[Line]) -> dict[int, int]:
    """Return the lines that begin with a count from row to row, each with the end of its number."""
    firsts = {round(lines[k].y): k for k in sorted(range(len(lines)), key=lambda k: -lines[k].x)}
    found: list[tuple[int, int]] = []
    ends: dict[int, int] = {}
    for _, k in sorted(firsts.items(), reverse=True):
        ends[k] = lines[k].stops[0][0] if lines[k].stops else len(lines[k].text)
        number = lines[k].text[: ends[k]].strip().translate(LOWER)
        if number.isdecimal() and len(number) < _LONGEST_NUMBER:
            found.append((k, int(number)))
    return {k: ends[k] for k in counted(found)}


def counted(numbers: Iterable[tuple[int, int]]) -> set[int]:
    """Return the places of numbers that count: some in a row, one more each. A bill counts each section's lines anew.

    Args:
        numbers: places with their numbers, in reading order.
    """
    found: set[int] = set()
    run: list[int] = []
    last = -1
    for at, number in numbers:
        if number != last + 1:
            run = []
        run.append(at)
        last = number
        if len(run) == _LEAST:
            found.update(run)
        elif len(run) > _LEAST:
            found.add(at)
    return found
