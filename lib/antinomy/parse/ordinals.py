"""The possible places of a printed number in a sequence: ``(i)`` is the ninth letter or the first Roman number."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from antinomy.text.numerals import roman

#: A kind of numbering (``digit``, ``letter``, ``LETTER``, ``roman``, ``ROMAN``) and the place in it.
Place = tuple[str, float]

#: How acts of Latin countries number what was inserted: 2-bis, 2-ter.
_LATIN_WORDS = ("bis", "ter", "quater", "quinquies", "sexies", "septies", "octies", "novies", "decies")
#: A pattern of these.
LATIN = rf"(?:{'|'.join(_LATIN_WORDS)})"
_DIGITS = re.compile(r"(\d{1,6})(?:-?([a-z]{1,2})|-?([A-Z]{1,2})|[-/](\d{1,2}))?$")
#: How statutes of Canada number what was inserted, in decimals: (c.01), (c.1). But 2.1 is the first in 2.
_DECIMAL = re.compile(r"([a-z]{1,5})(\.\d{1,3})$")
_WITH_LATIN = re.compile(rf"(\d{{1,6}}|[a-z])({LATIN})$")
_WORDS = {
    word: value
    for value, word in enumerate(
        (
            "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
            "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty",
        ), 1,
    )
}  # fmt: skip


@lru_cache(maxsize=4096)
def places(number: str) -> tuple[Place, ...]:
    """Return the possible readings of a number without its punctuation; none if it is no number.

    ``2a``, ``2-2`` and ``2/2`` stand between 2 and 3, as in an amended act; after ``z`` comes ``aa``, then ``bb`` or
    ``ab``.

    >>> places("i"), places("2a"), places("2bis"), places("Two")
    ((('roman', 1), ('letter', 9)), (('digit', 2.01),), (('digit', 2.02),), (('word', 2),))
    >>> places("b.01")
    (('letter', 2.01),)
    >>> places("aa")
    (('letter', 27), ('letter', 1.01), ('double', 1))
    """
    if match := _DIGITS.match(number):
        letters = (match[2] or match[3] or "").lower()
        # 12AA, inserted behind 12A, stands between it and 12B.
        place = sum(_place_in_alphabet(letter) / 100**at for at, letter in enumerate(letters))
        return (("digit", int(match[1]) + (place or int(match[4] or 0)) / 100),)
    if match := _DECIMAL.match(number):
        return tuple((kind, value + float(match[2])) for kind, value in places(match[1]))
    if match := _WITH_LATIN.match(number):
        return tuple((kind, value + (2 + _LATIN_WORDS.index(match[2])) / 100) for kind, value in places(match[1]))
    if number == "đ":
        # It stands behind d in Vietnamese acts, and is also written dd.
        return places("dd")[1:2]
    if not number.isascii() or not number.isalpha():
        return ()
    small = number.lower()
    if small in _WORDS:
        return (("word", _WORDS[small]),)
    if number not in (small, number.upper()):
        return ()
    upper = number != small
    found: list[Place] = []
    if value := roman(small):
        found.append(("ROMAN" if upper else "roman", value))
    kind = "LETTER" if upper else "letter"
    if len(small) == 1:
        found.append((kind, _place_in_alphabet(small)))
    elif len(small) == 2:
        # aa, bb, cc or aa, ab, ac; an amended act has (aa) after (a) and (ba) after (b).
        first, second = map(_place_in_alphabet, small)
        found.append((kind, 26 + second))
        found.append((kind, first + second / 100))
        if first == second:
            # German acts count aa, bb, cc below a, b, c.
            found.append(("DOUBLE" if upper else "double", first))
    return tuple(found)


def _place_in_alphabet(letter: str) -> int:
    return ord(letter) - 96


def follows(before: float, after: float) -> bool:
    """Tell whether a place comes right after another: 3 after 2 or 2.01, 2.01 after 2, 2.02 after 2.01."""
    return before < after <= int(before) + 1


def breaks(numbers: Sequence[str]) -> list[tuple[int, str]]:
    """Find where a sequence of numbers is broken, in the kind of numbering that breaks it least.

    Args:
        numbers: without their punctuation, in order.

    Returns:
        (index, number before it) of each number that does not follow the one before. A first number is never broken.

    >>> breaks(["h", "i", "j"]), breaks(["i", "ii", "iii"]), breaks(["1", "2", "4"])
    ([], [], [(2, '2')])
    """
    readings = [dict(reversed(places(number))) for number in numbers]
    kinds = {kind for reading in readings for kind in reading}
    if not kinds:
        return []

    def found(kind: str) -> list[tuple[int, str]]:
        broken: list[tuple[int, str]] = []
        last: tuple[float, str] | None = None
        for index, reading in enumerate(readings):
            if kind not in reading:
                broken.append((index, last[1] if last else ""))
                continue
            options = [value for name, value in places(numbers[index]) if name == kind]
            value = next((v for v in options if last and follows(last[0], v)), reading[kind])
            if last is not None and not follows(last[0], value):
                broken.append((index, last[1]))
            last = (value, numbers[index])
        return broken

    return min((found(kind) for kind in sorted(kinds)), key=len)
