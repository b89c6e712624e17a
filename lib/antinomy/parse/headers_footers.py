"""Running heads, running feet and the numbers of pages, told from the body by where they stand on a page, how often."""

from __future__ import annotations

import re
from collections import Counter, defaultdict, deque
from collections.abc import Iterator, Sequence
from itertools import pairwise, takewhile

from antinomy.parse.footnotes import body_size
from antinomy.parse.labels import leading_labels
from antinomy.parse.model import Line

#: What may be the number of a page: 12, A-3, iv.
PAGE_NUMBER = re.compile(r"\b[A-Z]-\d+\b|\d+|\b[ivxlc]+\b")
#: A head stands on so many pages.
_LEAST = 3


def split_furniture(pages: list[list[Line]]) -> tuple[list[Line], list[Line]]:
    """Tell the body from running heads, feet and page numbers.

    A row of lines is furniture if it is the outermost of its page (or stands outside of other furniture only),
    the same words, numbers aside, stand at the same height on other pages and hardly ever inside a page, and
    its numbers stand still, count the pages or stand beside words that stay in their place, as a section's do in the
    heads of a code. So "Article 5", which happens to open many pages, stays. Words that
    stand at one place of most pages are furniture, too: a date that is turned in the margin, a mark behind the text.

    Args:
        pages: lines per page.

    Returns:
        The body's lines in their order, and the others.
    """
    enough = max(2 if len(pages) <= 3 else 3, len(pages) // 25)
    places = Counter(place for lines in pages for place in set(map(_place, lines)) if place)
    fixed = {place for place, times in places.items() if times >= max(3, enough) and 2 * times > len(pages)}
    rows = [_rows([line for line in lines if _place(line) not in fixed]) for lines in pages]
    varying = _varying(rows)
    rows = [[row for row in page if id(row[0]) not in varying] for page in rows]
    words: Counter[str] = Counter()
    heights: Counter[tuple[str, int]] = Counter()
    for page in rows:
        for row in page:
            pattern = _pattern(row)
            words[pattern] += 1
            # Three heights each, so that a hair's difference between pages does not matter.
            heights.update((pattern, round(row[0].y) + off) for off in (-1, 0, 1))
    repeated = {pattern for pattern, times in words.items() if times >= enough}

    def peel() -> dict[str, list[list[Line]]]:
        taken: defaultdict[str, list[list[Line]]] = defaultdict(list)
        for page in rows:
            left = deque(page)
            for outermost, take in ((0, left.popleft), (-1, left.pop)):
                while left:
                    pattern = _pattern(left[outermost])
                    if pattern not in repeated or heights[pattern, round(left[outermost][0].y)] < 2:
                        break
                    taken[pattern].append(take())
        return taken

    for pattern, found in peel().items():
        if len(found) < 0.75 * words[pattern] or not (_counts_pages(found) or _stands_beside(found)):
            repeated.discard(pattern)
    taken = varying | {id(line) for found in peel().values() for row in found for line in row}
    # A cover prints a part of what runs along the other pages, and a chapter of one page alone what names it there.
    spots = {_spot(line) for lines in pages for line in lines if id(line) in taken}
    feet = Counter((round(page[-1][0].y), page[-1][0].size) for page in rows if page and id(page[-1][0]) in taken)
    taken.update(
        id(line) for page in rows for row in page[-1:] for line in row
        if 2 * feet[round(row[0].y), row[0].size] > len(pages)
    )  # fmt: skip
    taken.update(id(line) for lines in pages for line in lines if _place(line) in fixed or _spot(line) in spots)
    body = [line for lines in pages for line in lines if id(line) not in taken]
    return body, [line for lines in pages for line in lines if id(line) in taken]


def _varying(pages: Sequence[list[list[Line]]]) -> set[int]:
    """Return the lines of heads that name the chapter or section of each page, and of the tabs with its number.

    They stand at one height of most pages in a type that is not the body's; a head may have a line for each level.
    """
    usual = body_size([line for page in pages for row in page for line in row])
    heads = [row for page in pages for row in _head(page) if row[0].size < usual - 0.8]
    tabs = [row for page in pages for row in page if row[0].size > usual + 0.8 and not row[1:] and len(row[0].text) < 4]
    rows = [*heads, *tabs]
    times = Counter((round(row[0].y), row[0].size) for row in rows)
    often = max(_LEAST, len(pages) // 2 + 1)
    return {id(line) for row in rows if times[round(row[0].y), row[0].size] >= often for line in row}


def _head(page: list[list[Line]]) -> list[list[Line]]:
    """Return the rows at the top of a page that are set alike, close to one another."""
    close = (
        above[0].size == row[0].size and above[0].y - row[0].y < 1.6 * row[0].size for above, row in pairwise(page)
    )
    return page[: 1 + sum(takewhile(bool, close))]


def _counts_pages(rows: list[list[Line]]) -> bool:
    """Tell whether the numbers in rows of one pattern stand still or grow as the pages do, as a rule.

    A part's number that never stands still is that of a heading: appendices of one page each. Beside a page's number
    may stand that of a chapter.
    """
    named = [(marks[0].keyword, marks[0].number) for row in rows if (marks := leading_labels(row[0].text))]
    if len(set(named)) == len(rows) and all(keyword for keyword, _ in named):
        return False
    numbers = [
        (row[0].page, [int(number) for line in row for number in re.findall(r"\d+", line.text)[:9]]) for row in rows
    ]
    good = sum(
        first == second or any(b - a == page_b - page_a for a, b in zip(first, second, strict=False))
        for (page_a, first), (page_b, second) in pairwise(numbers)
    )
    return 2 * good >= len(rows) - 1


def _stands_beside(rows: list[list[Line]]) -> bool:
    """Tell whether words without a number stand at one place of all rows of a pattern, apart from their numbers.

    "7 § 41.3      LIGHTHOUSES      Pt. II": the page's section changes as it will, and the title stays.
    """
    words = Counter(place for row in rows for place in {*_apart(row)})
    return max(words.values(), default=0) == len(rows)


def _apart(row: list[Line]) -> Iterator[tuple[str, int]]:
    """Yield the words of a row that blanks set apart from others, and have no number, each with its left edge."""
    for line in row:
        places = [(0, line.x), *line.stops, (len(line.text), 0.0)]
        for (start, x), (end, _) in pairwise(places):
            words = line.text[start:end].strip()
            if len(words) < len(line.text) + len(row) - 1 and words[:1].isalpha() and not re.search(r"\d", words):
                yield words, round(x)


def _place(line: Line) -> tuple[str, int, int] | None:
    """Return a line's words and place; None for a bare mark or number, which may stand beside any paragraph."""
    return (line.text, round(line.x), round(line.y)) if len(line.text.split()) > 1 else None


def _spot(line: Line) -> tuple[str, int, int]:
    return PAGE_NUMBER.sub("#", line.text), round(line.x), round(line.y)


def _rows(lines: list[Line]) -> list[list[Line]]:
    """Group a page's lines by height, top row first."""
    rows: defaultdict[int, list[Line]] = defaultdict(list)
    for line in lines:
        rows[round(line.y)].append(line)
    return [rows[y] for y in sorted(rows, reverse=True)]


def _pattern(row: list[Line]) -> str:
    # A number is a page's only in the type of the others.
    return f"{row[0].size:.0f} {PAGE_NUMBER.sub('#', ' '.join(line.text for line in row))}"
