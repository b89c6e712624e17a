"""The numbers of US places: "1867(c)(1)", "II.C.10(a)", appendix "D-2"."""

from __future__ import annotations

import re

from antinomy.cite.cursor import Cursor

_SUBDIVISION = re.compile(r"(?:[0-9]{1,3}|[a-z]{1,4}|[A-Z])$")
_ROMAN = re.compile(r"[IVX]{1,5}$")


def subdivisions(tokens: Cursor, at: int) -> tuple[str, int]:
    """Read "(c)(1)"; "" and the same index where none stands there."""
    marks = ""
    while tokens.kind(at) == "paren" and _SUBDIVISION.match(tokens.text(at)) and len(marks) < 40:
        marks += f"({tokens.text(at)})"
        at += 1
    return marks, at


def appendix_letter(tokens: Cursor, at: int) -> tuple[str, int]:
    """Read "B" or "D-2"; "E48" is appendix E and the mark of footnote 48."""
    letter = tokens.text(at)
    if tokens.kind(at) != "word" or len(letter) != 1 or not letter.isupper():
        return "", at
    at += 1
    if tokens.low(at) == "-" and tokens.touches(at) and tokens.kind(at + 1) == "num" and tokens.touches(at + 1):
        return f"{letter}-{tokens.text(at + 1)}", at + 2
    return letter, at + (tokens.kind(at) == "num" and tokens.touches(at))


def roman_section(tokens: Cursor, at: int) -> tuple[str, int]:
    """Read "II", "II.C", "II.C.10(a)"; "" and the same index where none stands there."""
    if tokens.kind(at) != "word" or not _ROMAN.match(tokens.text(at)):
        return "", at
    value, at = tokens.text(at), at + 1
    while tokens.low(at) == "." and tokens.touches(at) and tokens.touches(at + 1) and value.count(".") < 6:
        part = tokens.text(at + 1)
        if tokens.kind(at + 1) != "num" and not (tokens.kind(at + 1) == "word" and len(part) == 1):
            break
        value, at = f"{value}.{part}", at + 2
    while tokens.kind(at) == "paren" and tokens.touches(at) and _SUBDIVISION.match(tokens.text(at)) and len(value) < 30:
        value, at = f"{value}({tokens.text(at)})", at + 1
    return value, at
