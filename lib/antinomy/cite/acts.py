"""European acts: their numbers old and new, as CELEX numbers.

The rule is that of the Official Journal: up to 2014 regulations, and decisions marked "No", carry
number/year, directives and other decisions year/number; since 2015 every act is (EU) year/number.
"""

from __future__ import annotations

import re

from antinomy.cite.instruments import instruments

#: Word, singular or plural → kind of act.
KINDS = {word: kind for kind in instruments().kinds for word in (kind, f"{kind}s")}


def _year(digits: str) -> int:
    """Return the year that two or four digits mean, 0 if they mean none."""
    number = int(digits)
    if len(digits) == 2:
        return 1900 + number if number >= 50 else 0
    return number if len(digits) == 4 and 1950 <= number <= 2099 else 0


def celex(kind: str, number: str, marked: bool, framework: bool = False) -> str:
    """Turn an act's printed number into its CELEX number.

    Args:
        kind: ``regulation``, ``directive``, ``decision`` or ``recommendation``.
        number: as printed, without spaces: ``2016/679``, ``1093/2010``, ``2009/110/EC``.
        marked: "No" stands before it, so the number comes first.
        framework: a framework decision, which has a letter of its own.

    Returns:
        The CELEX number, or "" where neither half can be a year.

    >>> celex("regulation", "1093/2010", True), celex("directive", "95/46/EC", False)
    ('32010R1093', '31995L0046')
    """
    first, second = number.split("/")[:2]
    early, late = _year(first), _year(second)
    year_first = bool(early) and not (marked and late)
    if year_first and late and kind == "regulation" and early < 2015:
        year_first = False
    if kind == "directive" and not (year_first or marked):
        # A directive's year comes first: "Directive 7/2018" is another legislator's.
        return ""
    year, serial = (early, second) if year_first else (late, first)
    letter = instruments().framework_decision if framework else instruments().kinds[kind]
    return f"3{year}{letter}{int(serial):04d}" if year else ""


_NUMBERED = re.compile(
    r"\s*(?:council |commission |delegated |implementing |framework )*"
    r"(regulation|directive|decision|recommendation)\s+"
    r"(?:\([A-Z, a-z]{2,20}\)\s*)?(No\.?\s+)?([0-9]{1,4}/[0-9]{1,4}(?:/[A-Z]{2,7})?)",
    re.IGNORECASE,
)


def celex_of(title: str) -> str:
    """Return the CELEX number of an act whose title begins with its number, "" for any other title.

    >>> celex_of("Regulation (EU) 2022/2554 of the European Parliament")
    '32022R2554'
    """
    match = _NUMBERED.match(title)
    return celex(match[1].lower(), match[3], bool(match[2])) if match else ""
