"""The steps of a European citation: levels, numbers, lists, ranges, ordinals.

component = LEVEL values | ordinals LEVEL | ("this" | "that") LEVEL
values    = value { ("," | "and" | "or" | "to") value }
value     = NUMBER { "(" NUMBER ")" }
"""

from __future__ import annotations

import re
from dataclasses import replace

from antinomy.cite.cursor import Cursor
from antinomy.cite.instruments import instruments
from antinomy.cite.model import Path, Step
from antinomy.cite.numbers import carried, touching
from antinomy.text import numerals

#: Word → level; plural forms too.
LEVELS = {
    "annex": "annex", "annexes": "annex", "part": "part", "parts": "part",
    "title": "title", "titles": "title",
    "chapter": "chapter", "chapters": "chapter", "section": "section", "sections": "section",
    "article": "article", "articles": "article", "art": "article", "arts": "article",
    "recital": "recital", "recitals": "recital",
    "paragraph": "paragraph", "paragraphs": "paragraph", "para": "paragraph", "paras": "paragraph",
    "subparagraph": "subparagraph", "subparagraphs": "subparagraph",
    "point": "point", "points": "point", "item": "point", "items": "point", "indent": "indent", "indents": "indent",
    "sentence": "sentence", "sentences": "sentence",
}  # fmt: skip
_CAPITAL = {"annex", "part", "title", "chapter", "section"}
ORDINALS = {word: str(n) for n, word in enumerate(numerals.ORDINALS, start=1)} | {"last": "last", "final": "last"}
_COUNTED = {"paragraph", "subparagraph", "indent", "sentence"}

_BELOW_POINT = {"point", "subparagraph", "indent", "sentence"}
#: What may stand inside what.
INSIDE: dict[str, set[str]] = {
    "annex": {"part", "title", "chapter", "section", "paragraph"} | _BELOW_POINT,
    "part": {"title", "chapter", "section", "article", "paragraph", "point"},
    "title": {"chapter", "section", "article"},
    "chapter": {"section", "article"},
    "section": {"article", "paragraph"} | _BELOW_POINT,
    "article": {"paragraph"} | _BELOW_POINT,
    "recital": {"subparagraph", "point", "sentence"},
    "paragraph": _BELOW_POINT,
    "subparagraph": {"point", "indent", "sentence"},
    "point": _BELOW_POINT,
    "indent": {"point", "sentence"},
    "sentence": set(),
}
_COMMUNITIES = instruments().communities
_ROMAN = re.compile(r"[IVXLC]{1,7}[a-z]?$")
_SMALL_ROMAN = re.compile(r"[ivx]+$")
#: No citation goes deeper.
MAX_STEPS = 8
_MAX_ORDINALS = 12
# What may follow a number at a distance from its keyword: nothing that the number could count.
_AFTER_BARE = {
    "", "of", "and", "or", "shall", "may", "is", "are", "apply", "applies", "respectively", "thereof", "to",
}  # fmt: skip


def is_roman(value: str) -> bool:
    """Whether a value may be a small Roman numeral; "i" and "v" may also be letters."""
    return bool(_SMALL_ROMAN.match(value))


def nests(outer: str, inner: str) -> bool:
    """Whether a point numbered ``inner`` is a sub-point of one numbered ``outer``, and not its neighbour."""
    if number_class(outer) == "digit" or number_class(inner) == "digit":
        return number_class(outer) != number_class(inner)
    return is_roman(inner) != is_roman(outer)


def number_class(value: str) -> str:
    """Tell digits, letters and small Roman numerals apart: ``digit``, ``letter`` or ``roman``."""
    if value[:1].isdigit():
        return "digit"
    return "roman" if _SMALL_ROMAN.match(value) and len(value) > 1 else "letter"


def spanned(first: Path, last: Path) -> Path:
    """Make a range of two ends."""
    return (*first[:-1], replace(first[-1], upto=last[-1].value))


def read_level(tokens: Cursor, at: int) -> tuple[str, bool, int] | None:
    """Read a level's name: (level, plural, next)."""
    word = tokens.low(at)
    if word == "sub" and tokens.low(at + 1) == "-" and tokens.low(at + 2).startswith("paragraph"):
        return "subparagraph", tokens.low(at + 2).endswith("s"), at + 3
    level = LEVELS.get(word)
    if level is None or (level in _CAPITAL and not tokens[at].text[0].isupper()):
        return None
    plural = word.endswith("s") or word == "annexes"
    following = at + 1
    if word in ("art", "arts", "para", "paras") and tokens.low(following) == ".":
        following += 1
    return level, plural, following


# -- values


def _brackets(tokens: Cursor, at: int, base: Path) -> tuple[Path, int]:
    """Read "(1)(a)(ii)" after a number; older acts print a space before the first: "Article 6 (1), "."""
    path = base
    spaced = base[-1].level == "article" and _stands_off(tokens, at)
    while tokens.kind(at) == "paren" and (tokens.touches(at) or spaced) and len(path) < MAX_STEPS:
        value = tokens[at].text
        if number_class(value) == "digit" and path and path[-1].level == "article":
            path += (Step("paragraph", value),)
        elif value.lower() in _COMMUNITIES and len(value) > 1:
            break
        else:
            path += (Step("point", value),)
        at += 1
        spaced = False
    return path, at


def _stands_off(tokens: Cursor, at: int) -> bool:
    return tokens.low(at + 1) in _AFTER_BARE or tokens.low(at + 1) in (",", ".", ";")


def read_value(tokens: Cursor, at: int, level: str) -> tuple[Path, int] | None:
    """Read one number with the brackets after it."""
    kind = tokens.kind(at)
    if kind == "paren" and level in ("point", "paragraph", "subparagraph", "recital", "indent"):
        value = tokens[at].text
        if level in ("recital", "paragraph") and number_class(value) != "digit":
            return None
        return _brackets(tokens, at + 1, (Step(level, value),))
    if kind == "num" and level not in ("sentence", "indent"):
        if len(tokens[at].text) > 6 or (touching(tokens, at + 1, ".") and tokens.kind(at + 2) == "num"):
            # "Section 4.7" is of no act.
            return None
        return _brackets(tokens, at + 1, (Step(level, tokens[at].text),))
    if kind == "word" and level in _CAPITAL:
        value = tokens[at].text
        if _ROMAN.match(value) or (len(value) == 1 and value.isupper() and level in ("annex", "part", "section")):
            return (Step(level, value),), at + 1
    return None


def _sibling(tokens: Cursor, at: int, before: Path) -> tuple[Path, int] | None:
    """Read a bare "(3)" or "(b)" that continues a list: it replaces the step of its own kind."""
    if tokens.kind(at) != "paren":
        return None
    value = tokens[at].text
    fixed = [step.level in _CAPITAL | {"article"} or step.how == "ordinal" for step in before]
    outer = len(before) - fixed[::-1].index(True) if True in fixed else 0
    if (value.lower() in _COMMUNITIES and len(value) > 1) or outer == len(before):
        return None
    cut = outer + len(carried([step.value for step in before[outer:]], [value])) - 1
    if cut == len(before):
        return None
    return _brackets(tokens, at + 1, (*before[:cut], replace(before[cut], value=value, upto="")))


def read_values(tokens: Cursor, at: int, level: str, plural: bool) -> tuple[list[Path], int] | None:
    """Read the numbers of a list or range; after a singular keyword a second one only if it is certain."""
    first = read_value(tokens, at, level)
    if first is None:
        return None
    paths = [first[0]]
    at = first[1]
    while True:
        word = tokens.low(at)
        is_range = word in ("to", "-", "through") and not paths[-1][-1].upto
        following = at + 1 if is_range else tokens.separator(at)
        if following == at:
            return paths, at
        found = _sibling(tokens, following, paths[-1])
        if found is None and tokens.kind(following) in ("num", "word", "paren"):
            found = read_value(tokens, following, level)
            if found and not plural and not is_range and not _bare(tokens, found, at, following):
                found = None
        if found is None:
            return paths, at
        path, at = found
        before = paths[-1]
        if is_range and len(path) == len(before) and path[:-1] == before[:-1]:
            paths[-1] = spanned(before, path)
        else:
            paths.append(path)


def _bare(tokens: Cursor, found: tuple[Path, int], at: int, following: int) -> bool:
    """Whether a second number belongs to a singular keyword ("paragraph 4 and 5 of this Article")."""
    if tokens.low(at) == ",":
        # "Article 6, 7 or 9"
        last = tokens.separator(found[1])
        return last > found[1] and tokens.low(last - 1) in ("and", "or") and tokens.kind(last) == "num"
    after = tokens[found[1]] if found[1] < len(tokens) else None
    return after is None or after.kind in ("mark", "paren") or after.low in _AFTER_BARE


# -- components and chains


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
    named = read_level(tokens, at) if values else None
    if named is None or named[0] not in _COUNTED:
        return None
    # "first paragraph 3" is a typing error, "first Article" a phrase: neither is read.
    return [(Step(named[0], value, upto, "ordinal"),) for value, upto in values], named[2]


def read_component(tokens: Cursor, at: int) -> tuple[list[Path], int, str] | None:
    """Read one component: (paths, next, rule)."""
    word = tokens.low(at)
    if word in ("this", "that", "those", "these"):
        named = read_level(tokens, at + 1)
        if named is None or read_value(tokens, named[2], named[0]) is not None:
            return None
        how = "this" if word in ("this", "these") else "that"
        if named[1] != (word in ("those", "these")) and named[0] != "annex":
            return None
        return [(Step(named[0], how=how),)], named[2], how
    if word in ORDINALS:
        found = _ordinals(tokens, at)
        return (*found, "ordinal") if found else None
    named = read_level(tokens, at)
    if named is None:
        return None
    values = read_values(tokens, named[2], named[0], named[1])
    if values is not None:
        return (*values, "provision")
    if named[0] == "annex" and tokens.low(at - 1) in ("the", "this") and not named[1]:
        return [(Step("annex"),)], named[2], "provision"
    return None
