"""Quotes: cut out of a text, or found in it again, so that a model's evidence can be verified and marked."""

from __future__ import annotations

import re
import unicodedata

from antinomy.text.characters import CONTROL, INVISIBLE
from antinomy.text.typography import PLAIN_MARKS

_NUMBER_BEFORE = re.compile(r"\d[.,]$")
_NUMBER_AFTER = re.compile(r"[.,]\d")
#: What a model puts around a quote, after folding.
_EDGES = "\"'.,;:()[]"


def _fold(text: str) -> tuple[str, list[int]]:
    """Return the text as it is compared, and for each of its characters the offset it came from."""
    folded: list[str] = []
    origin: list[int] = []
    for offset, char in enumerate(text):
        if char.isspace() or INVISIBLE.match(char) or CONTROL.match(char):
            continue
        for piece in unicodedata.normalize("NFKC", char).translate(PLAIN_MARKS).casefold():
            if not piece.isspace():
                folded.append(piece)
                origin.append(offset)
    return "".join(folded), origin


def locate(quote: str, text: str) -> tuple[int, int] | None:
    """Find a quote in a text.

    White space, letter case, forms of quotation marks and hyphens, ligatures and invisible characters make no
    difference, nor do punctuation and quotation marks around the quote. All else must be equal, and a quote
    neither starts nor ends within a word or number: "24 hours" is not in "124 hours".

    Returns:
        Start and end offset in ``text`` of the first place, so that ``text[start:end]`` is the verbatim span;
        None if the quote is not there or holds no letter and no digit.
    """
    wanted = _fold(quote)[0].strip(_EDGES)
    if not any(char.isalnum() for char in wanted):
        return None
    folded, origin = _fold(text)
    at = folded.find(wanted)
    while at >= 0:
        start, end = origin[at], origin[at + len(wanted) - 1] + 1
        if not _inside_word(text, start) and not _inside_word(text, end):
            return start, end
        at = folded.find(wanted, at + 1)
    return None


def _inside_word(text: str, offset: int) -> bool:
    if not 0 < offset < len(text):
        return False
    if text[offset - 1].isalnum() and text[offset].isalnum():
        return True
    # Inside 2.5 or 10,000, on either side of the mark.
    return bool(_NUMBER_BEFORE.search(text, max(0, offset - 2), offset) and text[offset].isdigit()) or bool(
        text[offset - 1].isdigit() and _NUMBER_AFTER.match(text, offset)
    )


def verbatim(quote: str, text: str) -> str:
    """Return the span of ``text`` that ``quote`` quotes, "" if it is not there or is a single word.

    A single word ("shall") stands in every provision and proves nothing.
    """
    span = locate(quote, text)
    if span is None:
        return ""
    found = text[span[0] : span[1]]
    return found if len(found.split()) > 1 else ""


#: Longest quote that a judge cuts out of a text itself, in characters.
_LONGEST = 400


def quote(text: str, span: tuple[int, int]) -> str:
    """Return a clause as it stands in the text, cut at a word where it is long."""
    clause = text[span[0] : span[1]].strip()
    return clause if len(clause) <= _LONGEST else clause[:_LONGEST].rsplit(" ", 1)[0].strip()
