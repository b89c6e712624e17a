"""Abbreviations in full: a rule that says "TLPT" is about penetration tests, which the other side spells out."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

#: A short form in brackets, with at least two capitals: "(TLPT)", "(SLAs)".
_SHORT = re.compile(r"\((?=[^)]*[A-Z][^)]*[A-Z])([A-Z][A-Za-z&-]{1,7}?)s?\)")
#: Words before the bracket in which its long form is sought, and characters that these may take.
_WORDS, _REACH = 9, 160
#: Words of a long form that may have no letter in the short one.
_LITTLE = frozenset({"of", "and", "the", "for", "to", "in", "on", "or"})
#: What stands in more than this share of a side's texts is a word of its own there, which says nothing of one of them.
_COMMON = 0.1


def learned(texts: Sequence[str]) -> dict[str, str]:
    """Find what abbreviations stand for, from texts that introduce them: "penetration testing (PT)".

    The long form is the shortest run of words before the bracket whose initials make the short form (a simpler form of
    Schwartz and Hearst 2003). The first text that introduces one wins.
    """
    found: dict[str, str] = {}
    for text in texts:
        for match in _SHORT.finditer(text):
            long = _long_form(match[1], text[max(0, match.start() - _REACH) : match.start()])
            if long:
                found.setdefault(match[1], long)
    return found


def _long_form(short: str, before: str) -> str:
    letters = re.sub(r"[^A-Z]", "", short.upper())
    words = before.split()[-_WORDS:]
    for count in range(1, len(words) + 1):
        if letters in _initials(words[-count:]):
            return " ".join(words[-count:]).strip("‘“\"'(")
    return ""


def _initials(words: Sequence[str]) -> Iterator[str]:
    parts = [part for word in words for part in re.findall(r"\w+", word)]
    yield "".join(part[0] for part in parts).upper()
    yield "".join(part[0] for part in parts if part.lower() not in _LITTLE).upper()
    yield "".join(word[0] for word in words).upper()


def expand(texts: Sequence[str]) -> list[str]:
    """Put behind each rare abbreviation what it stands for.

    Args:
        texts: of one side; they introduce the abbreviations themselves.

    Returns:
        The texts, in their order.
    """
    long = learned(texts)
    if not long:
        return list(texts)
    known = "|".join(re.escape(short) for short in sorted(long, key=len, reverse=True))
    pattern = re.compile(rf"\b({known})s?\b")
    seen: dict[str, int] = dict.fromkeys(long, 0)
    for text in texts:
        for short in {match[1] for match in pattern.finditer(text)}:
            seen[short] += 1
    common = {short for short, count in seen.items() if count > _COMMON * len(texts)}
    return [
        pattern.sub(lambda match: match[0] if match[1] in common else f"{match[0]} {long[match[1]]}", text)
        for text in texts
    ]
