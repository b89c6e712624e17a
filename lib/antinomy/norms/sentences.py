"""Finds the sentences and list items of a text."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise

import pysbd

_BLOCK = re.compile(r"\n+|(?:^|\s)[•▪●◦\uf0b7]\s*|;\s+(?:and\s+)?(?=\([a-z0-9]{1,4}\)\s)")
_SENTENCE_END = re.compile(r"[.!?]['\")\]]*\s+")
#: A full stop that may not end a sentence. Only texts with one go to pysbd, which is slower than a regular expression.
_AMBIGUOUS = re.compile(
    r"\b(?:[a-z]\.\s?){2,}|\b(?:[a-z]|no|nos|art|arts|sec|sect|para|paras|pt|mr|mrs|ms|dr|vs|etc|inc|ltd"
    r"|co|corp|cf|fig|vol"
    r"|approx|app|supp|ed|eds|pp|al|jr|st|dept|est|reg|regs|rev|ch|\d+)\.\s"
)
#: The first letter of a sentence. Behind "9 a.m." one begins only with a word that seldom goes on with one.
_INITIAL = re.compile(
    r"(^\s*|(?<!\b[ap]\.m)[.!?]['\")]*\s+"
    r"|\b[ap]\.m\.\s+(?=(?:the|an?|it|each|every|any|no|where|when|if|this|these|such|all)\b))([a-z])"
)


@lru_cache(maxsize=1)
def _segmenter() -> pysbd.Segmenter:
    return pysbd.Segmenter(language="en", clean=False, char_span=False)


@lru_cache(maxsize=4096)
def sentences(folded: str) -> tuple[tuple[int, int], ...]:
    """Return the sentences and list items of a folded text as offsets (start, end), in reading order."""
    spans: list[tuple[int, int]] = []
    at = 0
    for block in [*_BLOCK.finditer(folded), None]:
        stop = block.start() if block else len(folded)
        piece = folded[at:stop]
        if piece.strip():
            spans.extend(_split(piece, at))
        at = block.end() if block else stop
    return tuple(spans)


def _split(piece: str, offset: int) -> list[tuple[int, int]]:
    if not _AMBIGUOUS.search(piece):
        cuts = [0, *(m.end() for m in _SENTENCE_END.finditer(piece)), len(piece)]
        plain = [_trim(piece, a, b, offset) for a, b in pairwise(cuts)]
        return [(a, b) for a, b in plain if a < b]
    spans: list[tuple[int, int]] = []
    at = 0
    # pysbd needs capitals, which folding has removed.
    for sentence in _segmenter().segment(_capitalised(piece)):
        found = piece.find(sentence.strip().lower(), at)
        if found < 0:
            continue
        spans.append(_trim(piece, found, found + len(sentence.strip()), offset))
        at = found + len(sentence.strip())
    return spans or [_trim(piece, 0, len(piece), offset)]


def _capitalised(piece: str) -> str:
    return _INITIAL.sub(lambda m: m.group(1) + m.group(2).upper(), piece)


def _trim(piece: str, start: int, end: int, offset: int) -> tuple[int, int]:
    while start < end and piece[start].isspace():
        start += 1
    while end > start and piece[end - 1].isspace():
        end -= 1
    return offset + start, offset + end
