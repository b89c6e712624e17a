"""Printed lines folded into running text: words that a hyphen broke at a line's end are put together again."""

from __future__ import annotations

import re
from collections.abc import Iterable

import Stemmer

#: A hyphen at a line's end, or a soft one anywhere, between two word parts.
_BROKEN = re.compile(r"(\w+)([-\u2010\u00ad])$")
_HYPHENS = ("-", "\u2010", "\u00ad")
_COMPOUND = re.compile(r"\w+(?:-\w+)*")
_STEMMER = Stemmer.Stemmer("english")
_FIRST_WORD = re.compile(r"\w{1,80}")


class Vocabulary:
    """The words of a document that stand whole within its lines."""

    def __init__(self, words: Iterable[str]) -> None:
        """Take these words, in lower case; hyphenated ones count whole and by their parts."""
        self.words = frozenset(words)
        self._parts = frozenset(part for word in self.words for part in word.split("-"))
        self._stems = frozenset(_STEMMER.stemWords([word for word in self.words if "-" not in word]))

    def joins(self, first: str, second: str) -> bool:
        """Tell whether two pieces with a hyphen between them at a line's end are one word without it.

        They are if the document has the word and never has it hyphenated; or has another form of it ("received" for
        "receiv-ing"), while its second piece is no word of the document ("pre-determined" stays).
        """
        whole, parted = f"{first}{second}".lower(), f"{first}-{second}".lower()
        if parted in self.words:
            return False
        return whole in self.words or (second.lower() not in self._parts and _STEMMER.stemWord(whole) in self._stems)


def vocabulary(lines: Iterable[str]) -> Vocabulary:
    """Collect a document's words for ``join_lines``, without those that a line's end may have broken."""
    found: set[str] = set()
    broken = False
    for line in lines:
        found.update(_COMPOUND.findall(line.lower())[int(broken) : -1])
        broken = line.endswith(_HYPHENS)
    return Vocabulary(found)


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
            second = "".join(_FIRST_WORD.findall(line[:80])[:1])
            if hyphen == "\u00ad" or known.joins(first, second):
                parts[-1] = parts[-1][:-1]
        elif parts:
            parts.append(" ")
        parts.append(line)
    return "".join(parts).replace("\u00ad", "")
