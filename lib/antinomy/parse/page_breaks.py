"""Where pages ended in a text whose format has none: marks, running heads and feet, told by how often they repeat."""

from __future__ import annotations

import re
from bisect import bisect
from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import pairwise

from antinomy.parse.headers_footers import PAGE_NUMBER
from antinomy.parse.labels import leading_labels

#: The number of a page behind the words of its head, or before them: left pages and right ones differ.
_NUMBERED = (
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
#: A foot stands below so many pages, and a head above them.
_LEAST = 3
#: A page has no more lines.
_PAGE = 100
#: What is printed in a margin: how binding a provision is.
_LETTER = re.compile(r"[A-Z]")
#: So a program that makes Markdown of a PDF ends a page, and for such a share of them the words below are the head.
_PAGE_RULE, _MOSTLY = "-----", 0.75
#: Such a share are nearly all.
_NEARLY_ALL = 0.9


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
            feet[PAGE_NUMBER.sub("#", text)].append((at, int(foot["page"] or foot["alone"] or foot["dashed"])))
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
            if len(counts) >= _LEAST and common([*counts.values()]):
                # Their numbers grow as the pages do.
                words = counts
            elif _count_up([texts[at] for at in beside]):
                words = {at: _LAST_NUMBER.sub("#", text) for at, text in words.items()}
            shared = [common([*words.values()])]
            if not any(shared) and len(words) >= 2 * _LEAST:
                shared = [common([*words.values()][side::2]) for side in (0, 1)]
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
        numbered = [line for number in _NUMBERED if (line := number.fullmatch(texts[at]))]
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


def common(patterns: Sequence[str]) -> str:
    """Return what nearly all are, "" if they differ."""
    pattern, times = Counter(patterns).most_common(1)[0]
    return pattern if times >= _NEARLY_ALL * len(patterns) else ""
