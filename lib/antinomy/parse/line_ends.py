"""Printed lines folded into running text: words that a hyphen broke at a line's end are put together again."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence

import Stemmer

#: A sentence, or what introduces a list, ends so.
STOPPED = re.compile(r"[.;:!?][\"”’)]*$")
#: A hyphen at a line's end, or a soft one anywhere, between two word parts.
_BROKEN = re.compile(r"((?:\w+-)*\w+)([-\u2010\u00ad])$")
_HYPHENS = ("-", "\u2010", "\u00ad")
_COMPOUND = re.compile(r"\w+(?:-\w+)*")
_STEMMER = Stemmer.Stemmer("english")
#: A word that may be broken: not ICT, 2a or McKay.
_PLAIN = re.compile(r"[A-Za-z]?[a-z]+")
#: Prefixes that are mostly written with a hyphen.
_HYPHENED = frozenset({"anti", "co", "cross", "multi", "non", "pseudo", "quasi", "self", "semi"})
#: Prefixes that make words of words, with a hyphen or without.
_PREFIXES = frozenset({"de", "inter", "post", "pre", "re", "sub", "un"})
#: A document breaks words if so many of its line ends do for certain.
_LEAST_BROKEN = 3


class Vocabulary:
    """The words of a document that stand whole within its lines."""

    def __init__(self, words: Iterable[str], ends: Iterable[tuple[str, str]] = ()) -> None:
        """Take these words, in lower case; hyphenated ones count whole and by their parts.

        Args:
            words: those that stand within lines.
            ends: the pieces before and after each hyphen at a line's end.
        """
        self.words = frozenset(words)
        self._parts = frozenset(part for word in self.words for part in word.split("-"))
        self._stems = frozenset(_STEMMER.stemWords([word for word in self.words if "-" not in word]))
        self._firsts = frozenset(word.partition("-")[0] for word in self.words if "-" in word)
        self._sorted = sorted(self._parts)
        self._backwards = sorted(part[::-1] for part in self._parts)
        told = Counter(self._told(*pieces) for pieces in ends)
        #: Whether its line ends part words, and not only compounds at their hyphens.
        self._breaks = told[True] >= _LEAST_BROKEN and told[True] > 2 * told[False]

    def joins(self, first: str, second: str) -> bool:
        """Tell whether two pieces with a hyphen between them at a line's end are one word without it.

        They are if the document has the word and never has it hyphenated; or has another form of it ("received" for
        "receiv-ing"), while its second piece is no word of the document ("pre-determined" stays). Where the document
        tells by neither but breaks words as a rule, they are unless both may be words by themselves.
        """
        told = self._told(first, second)
        return self._breaks and not self._may_be_two(first, second) if told is None else told

    def _told(self, first: str, second: str) -> bool | None:
        """Tell the same by the document's own words; None if it does not have the word."""
        if f"{first}-{second}".lower() in self.words:
            return False
        # "third-par-" + "ty" is broken inside of its second word.
        first, second = first.rpartition("-")[2].lower(), second.partition("-")[0].lower()
        if f"{first}-{second}" in self.words:
            return False
        whole = first + second
        if whole in self.words or (second not in self._parts and _STEMMER.stemWord(whole) in self._stems):
            return True
        return None

    def _may_be_two(self, first: str, second: str) -> bool:
        """Tell whether two pieces may be a compound: "risk-based", "non-resident", "ICT-related".

        Measured on regulations broken at 40 to 75 characters: where the second piece is a word, the first makes words
        of words ("pre-existing") or stands in no others, they often are; where only the first is a word, they are
        unless some other word ends so ("relation-ship", "owner-ship").
        """
        if not _PLAIN.fullmatch(first) or not second.isalpha() or not second.islower() or len(second) < 2:
            return True
        first = first.lower()
        if first in _HYPHENED:
            return True
        if first == "be":
            # "be-yond": a word of nearly every text, which makes no compounds.
            return False
        if first in self._parts:
            return second in self._parts or first in self._firsts or not _begin(self._backwards, second[::-1], 1)
        if second not in self._parts:
            return False
        stands = _begin(self._sorted, first, 2) or (len(second) > 2 and _begin(self._backwards, second[::-1], 4))
        return first in _PREFIXES or not stands


def _begin(words: Sequence[str], piece: str, least: int) -> bool:
    """Tell whether so many sorted words begin with a piece and go on."""
    at = bisect_right(words, piece)
    return at + least <= len(words) and words[at + least - 1].startswith(piece)


def vocabulary(lines: Iterable[str]) -> Vocabulary:
    """Collect a document's words for ``join_lines``, without those that a line's end may have broken."""
    found: set[str] = set()
    ends: list[tuple[str, str]] = []
    first = ""
    for line in lines:
        words = _COMPOUND.findall(line.lower())
        if first and line[:1].isalnum():
            ends.append((first, _first_word(line)))
        broken = line.endswith(_HYPHENS)
        found.update(words[bool(first) : len(words) - broken])
        before = _BROKEN.search(line[-80:])
        first = before[1] if before else ""
    return Vocabulary(found, ends)


def _first_word(line: str) -> str:
    word = _COMPOUND.match(line[:80])
    return word[0] if word else ""


def join_lines(lines: Iterable[str], known: Vocabulary) -> str:
    """Fold printed lines into running text.

    A soft hyphen at a line's end goes. A plain one goes if the document's vocabulary joins the two pieces; else it
    stays, without a space after it ("ICT-" + "related").

    Args:
        lines: in order.
        known: the document's ``vocabulary``.
    """
    parts: list[str] = []
    for line in lines:
        # A word is never longer than this; the bound keeps the search linear.
        broken = _BROKEN.search(parts[-1][-80:]) if parts and line[:1].isalnum() else None
        if broken:
            first, hyphen = broken.groups()
            if hyphen == "\u00ad" or known.joins(first, _first_word(line)):
                parts[-1] = parts[-1][:-1]
        elif parts:
            parts.append(" ")
        parts.append(line)
    return "".join(parts).replace("\u00ad", "")
