"""What publishers print between the sections of a code: how each is cited, its history, the date of its last change."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import accumulate

from antinomy.parse.codes import is_place_in_code
from antinomy.parse.in_force import CHANGE_DATE
from antinomy.parse.model import Line
from antinomy.parse.page_breaks import common

#: There are so many sections, or dates.
_LEAST = 3
#: What a web site prints between sections is no longer.
_LONGEST = 200
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
        while pattern := common([patterns[at] for at in beside]):
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


def _without_numbers(text: str, numbers: set[str]) -> str:
    return " ".join(_CITED if word.strip(".,;:()[]") in numbers else word for word in text.split())
