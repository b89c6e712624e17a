"""Marks in brackets behind a number, "(a)(1)(ii)": how lists of them go on, and the members of a range."""

from __future__ import annotations

import re
from collections.abc import Sequence

from antinomy.text.numerals import in_roman, roman

#: What stands in the brackets.
MARK = re.compile(r"[0-9]{1,3}(?:[a-z]|[A-Z]{1,3}|[.][0-9]{1,2})?$|z?[a-z]{1,2}$|([A-Z])\1?$|[ivxl]{1,6}$|[IVXL]{1,6}$")
#: A number with points, "5.2" or "15.3.1R", by its last part.
_LAST_PART = re.compile(r"((?:[0-9A-Za-z]+[.])*)([0-9]{1,4})((?<=[.][0-9])[RGED])?$")
_LETTERED = re.compile(r"([0-9]+)([A-Z])$")
_MAX_RANGE = 100


def carried(before: Sequence[str], marks: Sequence[str]) -> list[str]:
    """Complete marks alone by those before them: (2) after (a)(1) is (a)(2).

    >>> carried(["a", "1"], ["2"]), carried(["a", "1", "i"], ["b"]), carried(["1"], ["a"])
    (['a', '2'], ['b'], ['1', 'a'])
    """
    alike = [at for at in range(len(before) - 1, -1, -1) if _alike(before[at], marks[0])]
    # "(b)" after "(a)(1)(i)" continues (a): among letters i is the ninth, else it is a Roman one.
    sure = [at for at in alike if before[at] != "i" or marks[0][:1] in "ivxj"]
    kept = (sure or alike)[0] if alike else len(before)
    return [*before[:kept], *marks]


def _alike(one: str, other: str) -> bool:
    """Tell whether two marks may be numbers of one list."""
    if one[:1].isdigit() or other[:1].isdigit():
        return one[:1].isdigit() and other[:1].isdigit()
    if one.isupper() != other.isupper():
        return False
    if (len(one) > 1) != (len(other) > 1):
        longer = one if len(one) > len(other) else other
        if len(longer) == 2 and longer[0] == longer[1] and longer != "ii":
            # "(ff)" goes on after "(t)".
            return True
        return all(char in "ivxlIVXL" for char in one + other)
    return True


def members(first: str, last: str) -> list[str]:
    """List the members of a range of numbers or letters; of one too long or mixed, its ends.

    >>> members("a", "c"), members("5.2", "5.4"), members("i", "iii"), members("3", "5A")
    (['a', 'b', 'c'], ['5.2', '5.3', '5.4'], ['i', 'ii', 'iii'], ['3', '5A'])
    """
    head, tail = _LAST_PART.match(first), _LAST_PART.match(last)
    if head and tail:
        count = int(tail[2]) - int(head[2])
        if head.group(1, 3) == tail.group(1, 3) and 0 < count < _MAX_RANGE:
            return [f"{head[1]}{n}{head[3] or ''}" for n in range(int(head[2]), int(tail[2]) + 1)]
        return [first, last]
    head, tail = _LETTERED.match(first), _LETTERED.match(last)
    if head and tail and head[1] == tail[1] and head[2] < tail[2]:
        return [head[1] + chr(n) for n in range(ord(head[2]), ord(tail[2]) + 1)]
    lowest, highest = roman(first), roman(last)
    if lowest and highest > lowest and (len(first + last) > 2 or first == "i"):
        return [in_roman(n) for n in range(lowest, highest + 1)]
    if len(first) == len(last) == 1 and first < last and first.islower() == last.islower() and last.isalpha():
        return [chr(n) for n in range(ord(first), ord(last) + 1)]
    return [first, last]
