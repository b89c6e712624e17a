"""Quotation marks of the EU's languages: provisions that an act inserts elsewhere, and terms that it
defines."""

from __future__ import annotations

import re
from collections.abc import Sequence

#: Opening mark → what may close it.
_PAIRS = {"‘": "’", "“": "”", "„": "“”", "‚": "‘’", "»": "«", "«": "»", '"': '"'}
_OPEN = "".join(_PAIRS)
_TERM = re.compile(rf"[{_OPEN}](?![\d(])([^{_OPEN}’”]{{1,150}})[’”“«»\"](?=[\s,:(]|$)")
#: No quotation has more blocks than this.
_LONGEST = 2000
_NUMBERED = re.compile(r"^.(?:\(\w{1,5}\)|\d{1,3}[a-z]?[.)])\s")
_CLOSED = re.compile(r"([’”“‘«»\"])(?:\s*[;.,:]*)(?:\s+(?:and|or))?\s*\"?$")


def defined_term(text: str) -> str:
    """Return the term that stands in quotation marks at the text's start, "" if none does.

    >>> defined_term("‘ICT risk’ means any reasonably identifiable circumstance")
    'ICT risk'
    """
    match = _TERM.match(text)
    return " ".join(match[1].split()) if match and len(text) > match.end() + 2 else ""


def insertions(texts: Sequence[str], stops: Sequence[bool]) -> list[bool]:
    """Tell which blocks quote provisions that an amending act puts into another act.

    Such a quotation opens a block, after a block that ends in a colon, and closes at the end of the same or
    of a later block. What stands in it, however numbered, is no provision of this act.

    Args:
        texts: blocks in reading order, numbers included.
        stops: blocks that no quotation runs past (this act's own next article).

    Returns:
        For each block, whether it is part of a quotation.
    """
    inside = [False] * len(texts)
    start = 1
    while start < len(texts):
        text = texts[start]
        end = start
        if text[:1] in _PAIRS and texts[start - 1].endswith(":") and not _is_definition(text):
            closers = _PAIRS[text[:1]]
            limit = min(len(texts), start + _LONGEST)
            while end < limit and not stops[end] and not _closes(texts[end], closers):
                end += 1
            if end == limit or stops[end]:
                # Nobody closed it. An open mark before a number still tells that this block is quoted.
                end = start
                inside[start] = bool(_NUMBERED.match(text))
            else:
                inside[start : end + 1] = [True] * (end + 1 - start)
        start = end + 1
    return inside


def _closes(text: str, closers: str) -> bool:
    match = _CLOSED.search(text[-40:])
    return match is not None and match[1] in closers


def _is_definition(text: str) -> bool:
    """A block that opens with a quoted term and goes on in lower case defines it: ‘bank’ means …"""
    match = _TERM.match(text)
    rest = text[match.end() :].lstrip(" ,") if match else ""
    return rest[:1].islower() or rest.startswith(("(", ":"))
