"""Numbers printed in a margin, moved to the beginning of the paragraphs beside them.

A page may print them before their paragraphs, behind them or all together: only heights tell what is beside what.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import accumulate, pairwise
from statistics import median
from typing import Protocol, TypeVar

from antinomy.parse.in_force import LONE_DATE
from antinomy.parse.labels import leading_labels
from antinomy.parse.markup import is_margin
from antinomy.parse.model import Line, Mark
from antinomy.parse.ordinals import places as readings
from antinomy.text.typography import RAISED_DIGITS

#: 12, 12*, 12 *, [12], margin no. 12, 12*–14*; 12.1 was inserted between 12 and 13.
_MARGIN = re.compile(
    r"^(?:margin(?:al)? (?:no|number)\.? ?|\[|\()?(\d{1,4}(?:\.\d{1,2})?)[\])]?\s?(\*?)(?:\s?[–-]\s?(\d{1,4})\*?)?$",
    re.IGNORECASE,
)
#: A letter that says how binding a provision is, and the number behind it.
_KIND = re.compile(r"[A-Z]")
_PARTED = re.compile(r"\d{1,3}(?:\.\d{1,3})+[A-Z]?\b")
#: An annex of a chapter, whose number stands left of it: "4", "Annex 1R".
_ANNEX = re.compile(r"Annex \d{1,2}[A-Z]?\s?[A-Z]\b")
#: A section behind the name of an agency in capitals.
_AGENCY = re.compile(r"[A-Z]{2,5} \d{1,3}\.\d{2,3}")
#: Fewer numbers in a column are none of a margin.
_LEAST = 4
#: So many lines at the height of a number are looked at.
_MOST_BESIDE = 16
#: Left edges nearer than this, in points, are one column.
_APART = 12
#: Where the margin is in formats that know no places on a page.
_FAR = 600.0
#: Numbers in the margins of tables leave out no more than so many.
_MOST_MISSING = 10

#: A cell of a table, and a table, as their format has them.
_Cell = TypeVar("_Cell")
_Table = TypeVar("_Table")


class _Marked(Protocol):
    """What has labels at its beginning."""

    marks: tuple[Mark, ...]


def read_by_others(pieces: Sequence[_Marked]) -> None:
    """Read the labels whose form leaves open what they are, by the others of the text."""
    _with_agencies(pieces)
    _with_first_items(pieces)


def _with_agencies(pieces: Sequence[_Marked]) -> None:
    """Take NR 445.10 for a section, as NR 445.02 is by its form: alone it may be of a sourcebook, as LAMP 2.10."""
    first = [(piece, piece.marks[0], piece.marks[0].printed.partition(" ")[0]) for piece in pieces if piece.marks]
    names = {name for _, mark, name in first if mark.keyword == "§" and _AGENCY.fullmatch(mark.printed)}
    for piece, mark, name in first:
        if name in names and mark.style == f"{name} #" and _AGENCY.fullmatch(mark.printed):
            piece.marks = (replace(mark, style="§ #", keyword="§", firm=2.0), *piece.marks[1:])


def _with_first_items(pieces: Sequence[_Marked]) -> None:
    """Take "A.1." for paragraph A and the first item in it where "2." stands below it, and not "A.2."."""
    marked = [piece for piece in pieces if piece.marks]
    for piece, below in pairwise(marked):
        mark, after = piece.marks[0], below.marks[0]
        if len(mark.path) < 2 or not (_holds_first(mark) and _holds_first(after)):
            continue
        if {(kind, 2) for kind, value in readings(mark.path[-1]) if value == 1} & {*readings(after.path[0])}:
            ends = accumulate(len(part) + 1 for part in mark.path)
            parts = [Mark(f"{part}.", part, "#.", (part,), end=end) for part, end in zip(mark.path, ends, strict=True)]
            piece.marks = (*parts[:-1], replace(parts[-1], end=mark.end), *piece.marks[1:])


def _holds_first(mark: Mark) -> bool:
    """Tell whether a label may be one number, or that and those of the first items in it: "2.", "2.a."."""
    turns = all(one.isalpha() != other.isalpha() for one, other in pairwise(mark.path))
    firsts = all(any(value == 1 for _, value in readings(part)) for part in mark.path[1:])
    return mark.style == "#." and bool(mark.path) and turns and firsts


def margin_place(text: str) -> float | None:
    """Return the place in its sequence of a number that stands in a margin; None for other texts."""
    number = _MARGIN.match(text)
    return float(number[1]) if number else None


def in_margin(number: str, y: float) -> Line:
    """Return the line of a number in the margin, at the height of its paragraph, where no page tells the place."""
    return Line(number, x=_FAR, y=y)


def beside_margin(cells: Sequence[_Cell], text: Callable[[_Cell], str]) -> tuple[str, list[_Cell]]:
    """Return the number that stands in the margin of a row, on the right or the left, and the cells beside it."""
    filled = [cell for cell in cells if text(cell)]
    for at, beside in ((-1, filled[:-1]), (0, filled[1:])):
        if beside and margin_place(number := text(filled[at])) is not None:
            return number, beside
    return "", filled


def places_of(rows: Sequence[Sequence[_Cell]], text: Callable[[_Cell], str]) -> list[float]:
    """Return what a table counts that only sets numbers in the margin of paragraphs; [] for any other table.

    The numbers rise, and most stand beside sentences; figures in a column do not. Signs of items may stand between.
    """
    places: list[float] = []
    ended = 0
    for number, beside in (beside_margin(row, text) for row in rows):
        *signs, last = [text(cell) for cell in beside] or [""]
        if not all(map(is_margin, signs)):
            return []
        if (place := margin_place(number)) is not None:
            places.append(place)
            # The mark of a note may stand behind the stop.
            ended += last.rstrip(f"(){RAISED_DIGITS}")[-1:] in (".", ";", ":")
    # A misprint may repeat one.
    falls = sum(one >= other for one, other in pairwise(places))
    return places if 10 * falls <= len(places) <= 2 * ended else []


def running_on(tables: Iterable[tuple[_Table, Sequence[float]]]) -> frozenset[_Table]:
    """Return the tables through which the numbers of a margin run on.

    None where they often leave some out, which may be printed in another way, or begin anew: each part counts its own.

    Args:
        tables: each with its ``places_of``.
    """
    found: list[_Table] = []
    last, count, doubts = 0.0, 0, 0
    for table, places in tables:
        if not places:
            continue
        count += len(places)
        if found and not last < places[0] <= last + _MOST_MISSING:
            doubts += len(places)
            continue
        doubts += bool(found) and places[0] >= int(last) + 2
        found.append(table)
        last = places[-1]
    return frozenset(found if 4 * doubts <= count else ())


def with_margins(lines: Sequence[Line]) -> tuple[list[Line], dict[int, str]]:
    """Move numbers printed in the margin to the beginning of the paragraphs beside them.

    Args:
        lines: in the order of the content.

    Returns:
        The lines without those of the margin; and the ids of those with a number from the margin, each with the last
        number if it stands for several, else "".
    """
    split = _split(lines)
    beside = _beside(split)
    if len(beside) < _LEAST:
        return list(lines), {}
    beside = _at_beginnings(split, beside)
    gone = set(beside.values())
    found: list[Line] = []
    numbered: dict[int, str] = {}
    for k, line in enumerate(split):
        if k in gone:
            continue
        if k in beside and (printed := _MARGIN.match(split[beside[k]].text)):
            # The sign of an amendment is read behind a plain number only.
            sign = "" if "." in printed[1] else printed[2]
            signs = leading_labels(line.text)[:1]
            # A number of its own takes the place of the sign of an item.
            words = line.text[signs[0].end :].lstrip() if signs and signs[0].style == "bullet" else line.text
            line = replace(line, text=f"{printed[1]}{sign} {words}", stops=())
            numbered[id(line)] = printed[3] or ""
        found.append(line)
    return found, numbered


def with_kinds(lines: Sequence[Line]) -> list[Line]:
    """Set what stands apart from provisions' numbers next to these: letters before or behind them, S 8.1, and dates."""
    found: list[Line] = []
    kinds = 0
    for line in lines:
        before = found[-1] if found else Line("")
        level = before.page == line.page > 0 and abs(before.y - line.y) < 1
        beside = level and before.x < line.x
        if beside and _KIND.fullmatch(before.text) and _PARTED.match(line.text):
            stops = tuple((at + 2, x) for at, x in line.stops)
            found[-1] = replace(line, text=f"{before.text} {line.text}", x=before.x, stops=stops, lead=0)
        elif (
            (beside and _PARTED.fullmatch(before.text) and _KIND.fullmatch(line.text))
            or (beside and before.text.isdecimal() and _ANNEX.match(line.text))
            or _is_date_below(before, line)
            or _is_letter_below(before, line)
        ):
            found[-1] = replace(before, text=f"{before.text} {line.text}")
        elif level and _PARTED.fullmatch(before.text) and _KIND.fullmatch(line.text):
            # The letter left of a number may come behind it in the file.
            found[-1] = replace(before, text=f"{line.text} {before.text}", x=line.x)
        elif line.stops[:1] and line.stops[0][0] == 2 and _KIND.match(line.text) and _PARTED.match(line.text, 2):
            found.append(replace(line, stops=line.stops[1:], lead=0))
        elif line.stops[:1] and (end := _rule_end(line)) > line.stops[0][0]:
            found.append(replace(line, stops=tuple(stop for stop in line.stops if stop[0] >= end)))
        else:
            found.append(line)
            continue
        kinds += 1
    return found if kinds >= _LEAST else list(lines)


def _rule_end(line: Line) -> int:
    """Return where the number of a rule with its letter ends, 0 if a line begins with none."""
    marks = leading_labels(line.text[:300])
    return marks[0].end if marks and marks[0].is_rule else 0


def _is_letter_below(number: Line, line: Line) -> bool:
    """Tell whether a letter stands below a number that leaves no room for it in the margin: "4.2.10", "R"."""
    near = number.page == line.page and 0 < number.y - line.y < 2 * number.size and number.x <= line.x
    return near and bool(_PARTED.fullmatch(number.text) and _KIND.fullmatch(line.text))


def _is_date_below(number: Line, line: Line) -> bool:
    near = number.page == line.page and 0 < number.y - line.y < 2 * number.size and number.x == line.x
    if not near or not LONE_DATE.fullmatch(line.text):
        return False
    return bool(_PARTED.fullmatch(number.text)) or 0 < _rule_end(number) >= len(number.text)


def _split(lines: Sequence[Line]) -> list[Line]:
    """Set a number that stands after a line's words and a gap on a line of its own."""
    split: list[Line] = []
    for line in lines:
        at, x = line.stops[-1] if line.stops else (0, 0.0)
        # The sign of an item may be printed behind its words; the number takes its place.
        words = line.text[:at].strip()
        sign = [(mark.style, mark.end) for mark in leading_labels(words)] == [("bullet", len(words))]
        if (at > 3 or sign) and (number := _MARGIN.match(line.text[at:].strip())):
            if not sign:
                split.append(replace(line, text=line.text[:at].rstrip(), stops=line.stops[:-1]))
            split.append(Line(number[0], line.page, x, line.y, line.size))
        else:
            split.append(line)
    return split


def _beside(lines: Sequence[Line]) -> dict[int, int]:
    """Return which number stands beside which line: the index of the line → that of the number."""
    bare = {k: match[1] for k, line in enumerate(lines) if (match := _MARGIN.match(line.text))}
    numbers = {k: text for k, text in bare.items() if lines[k].page or lines[k].size or lines[k].x}
    whole = Counter(_column(lines[k]) for k, text in numbers.items() if "." not in text)
    inserted = Counter(_column(lines[k]) for k, text in numbers.items() if "." in text)
    heights: defaultdict[int, list[tuple[float, int]]] = defaultdict(list)
    for k, line in enumerate(lines):
        if k not in bare:
            heights[line.page].append((line.y, k))
    for found in heights.values():
        found.sort()
    beside: dict[int, int] = {}
    for k, text in numbers.items():
        columns = {at + off for at in (_column(lines[k]), _last_column(lines[k])) for off in (-1, 0, 1)}
        count, few = (sum(times[column] for column in columns) for times in (whole, inserted))
        # Numbers are inserted now and then; more of them are those of headings.
        if count >= _LEAST and ("." not in text or 10 * few <= count):
            first = _first_of_row(lines, k, heights[lines[k].page])
            if first is not None:
                beside.setdefault(first, k)
    return beside


def _column(line: Line) -> int:
    return round(line.x / 10)


def _last_column(line: Line) -> int:
    """Return the column in which the last of several numbers would stand, which are as far right as any other."""
    number = _MARGIN.match(line.text)
    wider = len(line.text) - number.end(2) if number else 0
    return round((line.x + 0.5 * line.size * wider) / 10)


def _first_of_row(lines: Sequence[Line], k: int, heights: Sequence[tuple[float, int]]) -> int | None:
    """Return the first line at the height of a number, of those that are nearest to it in the content."""
    number = lines[k]
    reach = max(2.0, 0.5 * number.size)
    low = bisect_left(heights, (number.y - reach, -1))
    level = [
        (round(abs(y - number.y)), abs(j - k), j)
        for y, j in heights[low : low + _MOST_BESIDE]
        if y <= number.y + reach and abs(lines[j].x - number.x) > _APART
    ]
    if not level:
        return None
    _, _, first = min(level)
    row = {j for _, _, j in level if abs(lines[j].y - lines[first].y) < 1}
    while first - 1 in row:
        # The letter of an item stands before its words.
        first -= 1
    return first


def _at_beginnings(lines: Sequence[Line], beside: dict[int, int]) -> dict[int, int]:
    """Return the same for the first lines of the paragraphs, where numbers stand beside the last ones."""
    numbers = set(beside.values())
    body = [k for k in range(len(lines)) if k not in numbers]
    at = {k: place for place, k in enumerate(body)}
    gaps: dict[int, tuple[float, float]] = {
        k: (_gap(lines, body[at[k] - 1 : at[k] + 1]), _gap(lines, body[at[k] : at[k] + 2])) for k in beside
    }
    firsts = [below for above, below in gaps.values() if 0 < 1.3 * below < above]
    lasts = [above for above, below in gaps.values() if 0 < 1.3 * above < below]
    if len(lasts) <= 2 * len(firsts) or 3 * len(lasts) <= len(beside):
        # A paragraph of one line above a heading looks like a last line, too.
        return beside
    usual = 1.3 * median(lasts)
    found: dict[int, int] = {}
    for k, number in beside.items():
        first = at[k]
        while first and body[first - 1] not in beside and 0 <= _gap(lines, body[first - 1 : first + 1]) <= usual:
            first -= 1
        found[body[first]] = number
    return found


def _gap(lines: Sequence[Line], pair: Sequence[int]) -> float:
    """Return how far the second of two lines stands below the first; a negative number if it does not."""
    if len(pair) < 2:
        return -1.0
    above, below = (lines[k] for k in pair)
    return above.y - below.y if above.page == below.page else -1.0
