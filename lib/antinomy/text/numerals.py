"""Numbers that are written in letters: Roman ones, and a, b, … z, aa; and the letters behind the numbers of rules."""

from __future__ import annotations

import re

#: Ordinal numbers in words, from the first on.
ORDINALS = (
    "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh",
    "twelfth",
)  # fmt: skip

#: Letters behind a number that say how binding the rule of a sourcebook is: rule, guidance, evidential provision,
#: direction.
RULE_LETTERS = "RGED"

_WELL_FORMED = re.compile(r"(?=.)m{0,3}(?:c[md]|d?c{0,3})(?:x[cl]|l?x{0,3})(?:i[xv]|v?i{0,3})$")
_SIGNS = (
    (1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl"), (10, "x"),
    (9, "ix"), (5, "v"), (4, "iv"), (1, "i"),
)  # fmt: skip
#: A list counts no further in letters and Roman numbers.
_LAST = 3_000
_VALUES = {sign: value for value, sign in _SIGNS if len(sign) == 1}


def roman(text: str) -> int:
    """Return the value of a Roman number in lower case, 0 if it is none.

    >>> roman("xiv"), roman("iiii"), roman("a")
    (14, 0, 0)
    """
    if not _WELL_FORMED.match(text):
        return 0
    values = [_VALUES[sign] for sign in text]
    return sum(-v if v < max(values[i:]) else v for i, v in enumerate(values))


def in_roman(count: int) -> str:
    """Write a number of 1 to 3,999 in Roman signs, in lower case.

    >>> in_roman(1994)
    'mcmxciv'
    """
    found = ""
    for value, sign in _SIGNS:
        times, count = divmod(count, value)
        found += sign * times
    return found


def numeral(count: int, style: str) -> str:
    """Write a number as a list does: in lower-roman, upperLetter or alphalower; in digits in any other style.

    >>> numeral(28, "upper-alpha"), numeral(4, "lowerRoman"), numeral(4, "decimal")
    ('AB', 'iv', '4')
    """
    style, found = style.lower(), str(count)
    if 0 < count <= _LAST and "roman" in style:
        found = in_roman(count)
    elif 0 < count <= _LAST and any(word in style for word in ("alpha", "latin", "letter")):
        found = ""
        while count:
            count, rest = divmod(count - 1, 26)
            found = chr(97 + rest) + found
    return found.upper() if "upper" in style else found
