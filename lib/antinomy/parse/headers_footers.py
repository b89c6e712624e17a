"""Running heads, running feet and the numbers of pages and lines, told from the body by where they stand, how often."""

from __future__ import annotations

import re
from bisect import bisect
from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import accumulate, pairwise, takewhile

from antinomy.parse.codes import is_place_in_code
from antinomy.parse.footnotes import body_size
from antinomy.parse.in_force import CHANGE_DATE
from antinomy.parse.labels import leading_labels
from antinomy.parse.model import Line
from antinomy.text.typography import LOWER

_NUMBER = re.compile(r"\b[A-Z]-\d+\b|\d+|\b[ivxlc]+\b")

#: The number of a page behind the words of its head, or before them: left pages and right ones differ.
_PAGE_NUMBERS = (
    re.compile(r"(?P<words>.*[^\W_]) (?P<page>\d{1,4})"),
    re.compile(r"(?P<page>\d{1,4}) (?P<words>[A-Z].*)"),
)
#: The same, or that of a page of the front.
_LAST_NUMBER = re.compile(r"(?<=[^\s_.,;:–-] )(?:\d{1,4}|[ivxl]{1,6})$")

#: Where a page begins in the files of the American government's printer, and in what programs make of a PDF.
_BREAK = re.compile(r"\[\[page [\w-]+\]\]|\{\d{1,4}\}-{8,}|-{2,} ?page \d+ ?-{2,}", re.IGNORECASE)
_FOOT = re.compile(
    r"(?:.{0,150}\W)?page (?P<page>\d{1,4})(?: (?:of|/) \d{1,4})?\W{0,9}"
    r"|(?P<alone>\d{1,4})(?: ?/ ?\d{1,4})?|[–—-] ?(?P<dashed>\d{1,4}) ?[–—-]",
    re.IGNORECASE,
)
#: A line above the number of a page ends so within a sentence.
_RUNS = re.compile(r"[a-z,]$")
#: What marks have in common, and numbers that stand alone.
_MARK, _ALONE = "", "#"
#: What a program that reads pages by their looks makes of a head that is set in a table, and what it reads there alike
#: on each page, whatever it makes of single letters, blanks and cells.
_IN_TABLE, _READ_ALIKE = re.compile(r"<table\b.*</table>"), re.compile(r"<[^<>]*>|([^\W\d_]{5,}|\d+)|.")
#: A foot stands below so many pages.
_LEAST = 3
#: A page has no more lines, and the number of a line has fewer digits.
_PAGE, _LONGEST_NUMBER = 100, 6
#: What is printed in a margin: how binding a provision is.
_LETTER = re.compile(r"[A-Z]")
#: What a web site prints between sections is no longer, and the same for such a share of them.
_LONGEST, _NEARLY_ALL = 200, 0.9
#: So a program that makes Markdown of a PDF ends a page, and for such a share of them the words below are the head.
_PAGE_RULE, _MOSTLY = "-----", 0.75
#: What Canadian statutes print behind a section: the acts that made and amended it. "2003 cL-6.5 s1;2009 c50 s2"
_ACT = (
    r"(?:R\.?S\.?[A-Z.]{0,4},? ?)?\d{4}(?:,? c\.? ?[A-Z]?[\w.-]{0,6}\d\w?,?(?: Sched\.? ?\w{1,3},?)?"
    r" ss?\.? ?\d[\w.]{0,6}(?: ?\(\w{1,4}\)){0,4}){1,9}"
)
_HISTORY = re.compile(rf"(?:^|(?<=[.;:)] )){_ACT}(?: ?[;,] ?(?:{_ACT}|(?:AR|SOR|SI)[ /]\d+[/-]\d+)){{0,30}}[.;]?$")
#: What Idaho's rules print behind each paragraph: the dates from which its words are in force, "(3-31-22)(7-1-25)".
_STAMP = re.compile(
    r"(?:^|(?<=[.;:)”\"’])|(?<=; and)|(?<=; or))\s*(?:\((?:1[0-2]|[1-9])-(?:[12]\d|3[01]|[1-9])-\d\d\)T?\s*)+$"
)
#: Stands for the number of the section beside it.
_CITED = "§#"


def page_breaks(texts: Sequence[str]) -> set[int]:
    """Find the lines that say where a page ended, in a format that has no pages.

    Args:
        texts: the lines.

    Returns:
        The places of ``[[Page 12]]`` and its like, of feet whose words repeat while their page numbers grow, and of
        running heads, with the lines beside these that are the same on nearly all pages, or count them, and the letters
        of the margin.
    """
    feet: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
    for at, text in enumerate(texts):
        if _BREAK.fullmatch(text[:100]):
            feet[_MARK].append((at, at))
        elif len(text) <= 200 and (foot := _FOOT.fullmatch(text)):
            feet[_NUMBER.sub("#", text)].append((at, int(foot["page"] or foot["alone"] or foot["dashed"])))
    breaks = {at for at, _ in feet[_MARK]}
    printed = [at for at, text in enumerate(texts) if text]
    neighbours = [dict(pairwise(order)) for order in (printed[::-1], printed)]
    alone = _consecutive(feet.pop(_ALONE, []))
    around = [[texts[next_to.get(at, at)] for next_to in neighbours] for at, _ in alone]
    if sum(bool(_RUNS.search(above)) and below[:1].islower() for above, below in around) > 1:
        # They part sentences.
        feet[_ALONE] = alone
    for found in feet.values():
        if len(found) >= _LEAST and all(before < after for (_, before), (_, after) in pairwise(found)):
            breaks |= _with_neighbours([at for at, _ in found], texts, neighbours)
    breaks |= _running_heads(texts, printed, neighbours) | _below_rules(texts, neighbours[1])
    above = neighbours[0]
    for at in [printed[-1], *(above.get(at, -1) for at in breaks)] if breaks else []:
        # The letters from a page's margin stand at the end of its text.
        while at >= 0 and _LETTER.fullmatch(texts[at]):
            breaks.add(at)
            at = above.get(at, -1)
    return breaks


def _consecutive(numbers: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Keep those page numbers that go on with the one before or go before the next, one page between at most."""
    steps = [0, *(page - last for (_, last), (_, page) in pairwise(numbers)), 0]
    return [number for number, around in zip(numbers, pairwise(steps), strict=False) if {1, 2} & {*around}]


def _with_neighbours(places: Sequence[int], texts: Sequence[str], neighbours: Sequence[dict[int, int]]) -> set[int]:
    """Return the places of lines with those above and below them that are the same nearly everywhere, or count them.

    Left pages may have one such line, and right ones another.
    """
    found = {*places}
    last = max(neighbours[0], default=0)
    for next_to in neighbours:
        beside = list(places)
        while beside := [next_to[at] for at in beside if at in next_to and next_to[at] not in found]:
            words = {at: texts[at] for at in beside}
            # The last page ends with the text.
            numbers = [at for at in {*beside, last} if texts[at].isdecimal()]
            counts = {at: str(int(texts[at]) - bisect(places, at)) for at in numbers}
            if len(counts) >= _LEAST and _shared([*counts.values()]):
                # Their numbers grow as the pages do.
                words = counts
            elif _count_up([texts[at] for at in beside]):
                words = {at: _LAST_NUMBER.sub("#", text) for at, text in words.items()}
            shared = [_shared([*words.values()])]
            if not any(shared) and len(words) >= 2 * _LEAST:
                shared = [_shared([*words.values()][side::2]) for side in (0, 1)]
            beside = [at for at, own in words.items() if all(shared) and own in shared]
            found |= {*beside}
    return found


def _count_up(feet: Sequence[str]) -> bool:
    """Tell whether nearly all lines end with a number, which is one more than that of the line before."""
    numbers = [int(number[0]) for text in feet if (number := _LAST_NUMBER.search(text)) and number[0].isdecimal()]
    rises = sum(after == before + 1 for before, after in pairwise(numbers))
    # The pages of the front have Roman numbers.
    return rises >= max(_LEAST, _MOSTLY * len(numbers)) and 2 * len(numbers) >= len(feet)


def _running_heads(texts: Sequence[str], printed: Sequence[int], neighbours: Sequence[dict[int, int]]) -> set[int]:
    """Find the heads of pages: they repeat all over the text but for the page's number, and some part a sentence."""
    places: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
    for at in printed:
        numbered = [line for number in _PAGE_NUMBERS if (line := number.fullmatch(texts[at]))]
        for line in numbered:
            places[f"{_read(line['words'])} #"].append((at, int(line["page"])))
        if not numbered:
            places[_read(texts[at])].append((at, 0))
    heads: set[int] = set()
    for text, numbers in places.items():
        found = [at for at, _ in numbers]
        if text.endswith("#") and len({texts[at] for at in found}) > 1:
            found = [at for at, _ in _consecutive(numbers)]
            if not found or leading_labels(text):
                continue
        ends = [printed[0], *found, printed[-1]]
        often = len(found) > _LEAST and max(b - a for a, b in pairwise(ends)) <= _PAGE
        if not often or found[0] in heads or text[:1].islower() or len(text.split()) < _LEAST:
            continue
        head = _with_neighbours(found, texts, neighbours)
        if any(_parts_a_sentence(at, head, texts, neighbours) for at in head):
            heads |= head
    return heads


def _read(text: str) -> str:
    """Return what a line has in common with others that are read from the same print."""
    if not _IN_TABLE.fullmatch(text):
        return text
    return " ".join(sorted(filter(None, _READ_ALIKE.findall(text))))


def _below_rules(texts: Sequence[str], below: dict[int, int]) -> set[int]:
    """Find the rules between the pages of a PDF that was made Markdown, with the heads below them, if most have one."""
    rules = [at for at, text in enumerate(texts) if text == _PAGE_RULE]
    words = {below[at]: texts[below[at]].strip("#*_ ") for at in rules if at in below}
    times = Counter(words.values())
    heads = {at for at, head in words.items() if times[head] > 1 and head[:1].isalpha() and not leading_labels(head)}
    return {*rules, *heads} if len(heads) >= max(_LEAST, _MOSTLY * len(rules)) else set()


def _parts_a_sentence(at: int, head: set[int], texts: Sequence[str], neighbours: Sequence[dict[int, int]]) -> bool:
    """Tell whether the head that begins with a line stands between the words of one sentence."""
    above, below = neighbours
    before = above.get(at, -1)
    if before < 0 or before in head:
        return False
    while at in head:
        at = below.get(at, -1)
    return at >= 0 and texts[at][:1].islower() and texts[before][-1] not in ".:;!?"


def without_history(lines: Iterable[Line]) -> Iterator[Line]:
    """Leave out notes on which acts made and amended a section, and when, on own lines or behind its words."""
    for line in lines:
        note = _STAMP.search(line.text) or _HISTORY.search(line.text)
        if note is None:
            yield line
        elif note.start():
            yield replace(line, text=line.text[: note.start()].rstrip())


def between_sections(texts: Sequence[str], sections: Sequence[str]) -> set[int]:
    """Find what a web site prints between the sections of a code: how each is cited, how current it is.

    Args:
        texts: the lines.
        sections: for each line the number of the section that begins with it, "" if none does.

    Returns:
        The places of lines that stand above nearly all sections, or right below their first lines, and are the same but
        for the section's number; also of those that cite another part of the code in this way, an appendix.
    """
    firsts = [at for at, number in enumerate(sections) if number]
    if len(firsts) <= _LEAST:
        return set()
    above = list(accumulate(sections, _latest))
    below = list(accumulate(sections[::-1], _latest))[::-1]
    patterns = [
        "" if sections[at] or len(text) > _LONGEST else _without_numbers(text, {before, after})
        for at, (text, before, after) in enumerate(zip(texts, above, below, strict=True))
    ]
    repeated: set[str] = set()
    for step, neighbours in ((-1, firsts[1:]), (1, firsts[:-1])):
        beside = [at + step for at in neighbours]
        while pattern := _shared([patterns[at] for at in beside]):
            repeated.add(pattern)
            beside = [at + step * (patterns[at] == pattern) for at in beside]
    # Without a citation it may be a penalty that is the same for all.
    cited = any(_CITED in pattern for pattern in repeated)
    return {at for at, found in enumerate(patterns) if cited and (found in repeated or is_place_in_code(texts[at]))}


def lone_dates(texts: Sequence[str]) -> set[int]:
    """Find the dates of the last change that a web site prints below the rules of a rulebook.

    Args:
        texts: the lines.

    Returns:
        The places of lines that are no more than a date, where there are many.
    """
    found = {at for at, text in enumerate(texts) if CHANGE_DATE.fullmatch(text)}
    return found if len(found) > _LEAST else set()


def _latest(before: str, number: str) -> str:
    return number or before


def _shared(patterns: Sequence[str]) -> str:
    """Return what nearly all are, "" if they differ."""
    pattern, times = Counter(patterns).most_common(1)[0]
    return pattern if times >= _NEARLY_ALL * len(patterns) else ""


def _without_numbers(text: str, numbers: set[str]) -> str:
    return " ".join(_CITED if word.strip(".,;:()[]") in numbers else word for word in text.split())


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
    return _NUMBER.sub("#", line.text), round(line.x), round(line.y)


def _rows(lines: list[Line]) -> list[list[Line]]:
    """Group a page's lines by height, top row first."""
    rows: defaultdict[int, list[Line]] = defaultdict(list)
    for line in lines:
        rows[round(line.y)].append(line)
    return [rows[y] for y in sorted(rows, reverse=True)]


def _pattern(row: list[Line]) -> str:
    # A number is a page's only in the type of the others.
    return f"{row[0].size:.0f} {_NUMBER.sub('#', ' '.join(line.text for line in row))}"
