"""The steps of a European citation.

component = LEVEL values | ordinals LEVEL | ("this" | "that") LEVEL
"""

from __future__ import annotations

import re
from dataclasses import replace

from antinomy.cite.cursor import Cursor
from antinomy.cite.levels import EUROPEAN, read_level
from antinomy.cite.model import Path, Step
from antinomy.cite.values import read_values
from antinomy.text import numerals

ORDINALS = {word: str(n) for n, word in enumerate(numerals.ORDINALS, start=1)} | {"last": "last", "final": "last"}
_COUNTED = {"paragraph", "subparagraph", "indent", "sentence"}
_SMALL_ROMAN = re.compile(r"[ivx]+$")
#: No citation goes deeper.
MAX_STEPS = 8
_MAX_ORDINALS = 12


def nests(outer: str, inner: str) -> bool:
    """Whether a point numbered ``inner`` is a sub-point of one numbered ``outer``, and not its neighbour."""
    return _numbering(outer) != _numbering(inner)


def _numbering(value: str) -> str:
    if value[:1].isdigit():
        return "digits"
    return "Roman" if _SMALL_ROMAN.match(value) else "letters"


def spanned(first: Path, last: Path) -> Path:
    """Make a range of two ends."""
    return (*first[:-1], replace(first[-1], upto=last[-1].value))


def _ordinals(tokens: Cursor, at: int) -> tuple[list[Path], int] | None:
    """Read "first and third subparagraphs", "second to fourth indents", "last sentence"."""
    values: list[tuple[str, str]] = []
    while len(values) < _MAX_ORDINALS and tokens.low(at) in ORDINALS:
        values.append((ORDINALS[tokens.low(at)], ""))
        at += 1
        if tokens.low(at) in ("to", "-") and tokens.low(at + 1) in ORDINALS:
            values[-1] = (values[-1][0], ORDINALS[tokens.low(at + 1)])
            at += 2
        following = tokens.separator(at)
        if following > at and tokens.low(following) == "the":
            following += 1
        if following > at and tokens.low(following) in ORDINALS:
            at = following
        else:
            break
    named = read_level(tokens, at, EUROPEAN) if values else None
    if named is None or named[0] not in _COUNTED:
        return None
    # "first paragraph 3" is a typing error, "first Article" a phrase: neither is read.
    return [(Step(named[0], value, upto, "ordinal"),) for value, upto in values], named[2]


def read_component(tokens: Cursor, at: int) -> tuple[list[Path], int, str] | None:
    """Read one component: (paths, next, rule)."""
    word = tokens.low(at)
    if word in ("this", "that", "those", "these"):
        named = read_level(tokens, at + 1, EUROPEAN)
        if named is None or read_values(tokens, named[2], named[0], style=EUROPEAN) is not None:
            return None
        how = "this" if word in ("this", "these") else "that"
        if named[1] != (word in ("those", "these")) and named[0] != "annex":
            return None
        return [(Step(named[0], how=how),)], named[2], how
    if word in ORDINALS:
        found = _ordinals(tokens, at)
        return (*found, "ordinal") if found else None
    named = read_level(tokens, at, EUROPEAN)
    if named is None:
        return None
    values = read_values(tokens, named[2], named[0], named[1], EUROPEAN)
    if values is not None:
        return (*values, "provision")
    if named[0] == "annex" and tokens.low(at - 1) in ("the", "this") and not named[1]:
        return [(Step("annex"),)], named[2], "provision"
    return None
