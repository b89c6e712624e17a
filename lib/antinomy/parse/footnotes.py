"""Footnotes and their marks in printed lines: a note begins with a raised number and is set smaller than the body."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Container, Sequence
from dataclasses import replace

from antinomy.parse.labels import leading_labels
from antinomy.parse.model import Line
from antinomy.parse.outline import without_marks
from antinomy.text.typography import LOWER, RAISE, RAISED_DIGITS

#: The raised number that a note begins with.
NOTE = re.compile(rf"^[\[(]?([{RAISED_DIGITS}]+)[\])]?\s*(?=\S)")
#: A number that is not raised, at the beginning of a note whose mark is.
_LEVEL = re.compile(r"^(\d{1,3})\s+(?=[A-Z“‘\"])")
#: What a page may print apart from a note: its number, and in the margin what it is.
_ALONE, _NOTES = re.compile(rf"\d{{1,3}}|[{RAISED_DIGITS}]{{1,3}}"), re.compile(r"(?:foot)?notes?:?", re.IGNORECASE)
_MARK = re.compile(rf"[{RAISED_DIGITS}]+")
#: A blank that kerning or a footnote mark has left before a stop.
_BLANK = re.compile(r" +(?=[.,;:)](?:\s|$))")


def body_size(lines: Sequence[Line]) -> float:
    """Return the font size of most characters, in points; 0.0 if unknown."""
    sizes: Counter[float] = Counter()
    for line in lines:
        sizes[line.size] += len(line.text)
    return sizes.most_common(1)[0][0] if sizes else 0.0


def with_numbers(lines: Sequence[Line], usual: float) -> list[Line]:
    """Set the number of a note that a page prints apart next to the note's words.

    The word "Footnotes" in the margin beside it goes. The mark of a note on an inserted provision, "²12A. Lamps", goes
    behind the number of this.

    Args:
        lines: in reading order.
        usual: font size of the body in points; 0.0 if unknown.
    """
    found: list[Line] = []
    for line in lines:
        if found and line.size < 0.95 * usual and _ALONE.fullmatch(found[-1].text) and _is_beside(found[-1], line):
            number = found.pop()
            printed = number.text.translate(RAISE) if _is_raised(number, line) else number.text
            line = replace(line, text=f"{printed} {line.text}", x=number.x, stops=(), lead=0)
            if found and _NOTES.fullmatch(found[-1].text) and _is_beside(found[-1], line):
                found.pop()
        found.append(line)
    noted = {(line.page, note[1]) for line in found if line.size < 0.95 * usual and (note := NOTE.match(line.text))}
    return [line if line.size < 0.95 * usual else _behind_label(line, noted) for line in found]


def _behind_label(line: Line, noted: Container[tuple[int, str]]) -> Line:
    """Set the mark of a note of its page that a line begins with behind the label that follows right behind it."""
    mark = found[0] if (found := _MARK.match(line.text)) else ""
    words = line.text.removeprefix(mark)
    labels = leading_labels(words)
    if (line.page, mark) not in noted or not labels or labels[0].firm < 1 or words != words.lstrip():
        return line
    end = labels[-1].end
    return replace(line, text=f"{words[:end].rstrip()} {mark}{words[end:].lstrip()}", stops=(), lead=0)


def _is_beside(left: Line, line: Line) -> bool:
    level = abs(left.y - line.y) < 1 or _is_raised(left, line)
    return left.page == line.page and level and left.x < line.x


def _is_raised(left: Line, line: Line) -> bool:
    return left.size < 0.8 * line.size and 1 <= left.y - line.y < 0.5 * line.size


def split_notes(
    lines: Sequence[Line],
    usual: float,
    is_other: Callable[[str], object] = lambda _text: False,
    is_paragraph: Callable[[str], object] = lambda _text: False,
) -> tuple[list[Line], list[tuple[re.Match[str], list[Line]]]]:
    """Tell footnotes from the body.

    Args:
        lines: in reading order.
        usual: font size of the body in points; 0.0 if unknown: then a note begins wherever a raised number does.
        is_other: tells, where type is unknown, that a line below a note's first is no part of the note.
        is_paragraph: tells that a line with a raised number begins no note.

    Returns:
        The body's lines; and of each note its number, as ``NOTE`` matches it, and its lines.
    """
    body: list[Line] = []
    notes: list[tuple[re.Match[str], list[Line]]] = []
    previous: Line | None = None
    marked = {
        (line.page, number) for line in lines if usual and line.size >= 0.95 * usual for number in marks(line.text)
    }
    for line in lines:
        match = None if is_paragraph(line.text) else NOTE.match(line.text)
        if match is None and (level := _LEVEL.match(line.text)) and (line.page, level[1]) in marked:
            match = level
        if match and (line.size < 0.95 * usual or not usual):
            notes.append((match, [line]))
        elif previous is not None and _continues(previous, line, usual) and not (not usual and is_other(line.text)):
            notes[-1][1].append(line)
        else:
            body.append(line)
            previous = None
            continue
        previous = line
    return body, notes


def _continues(previous: Line, line: Line, usual: float) -> bool:
    if usual:
        return line.page == previous.page and abs(line.size - previous.size) < 0.2
    return previous.y - line.y < 1.5


def marks(text: str) -> list[str]:
    """Return the numbers of the footnote marks in a text.

    >>> marks("The keeper¹² shall look.³")
    ['12', '3']
    """
    return [found.translate(LOWER) for found in _MARK.findall(text)]


def clean(text: str) -> str:
    """Take footnote marks out of a text, and the blanks that they leave."""
    return _BLANK.sub("", without_marks(text)).strip()
