"""The numbers of a text with continuous numbers: "section 900.3(b) and (c)", "rules 2.3.1R to 2.3.3R", "Part IV".

place  = WORD value { sep value } [ [","] place ]     "Schedule 2, paragraph 3(a)"
value  = NUMBER { "(" MARK ")" } | "(" MARK ")" { "(" MARK ")" }
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from antinomy.cite.cursor import Cursor
from antinomy.cite.levels import LETTER_WORDS, OUTLINE, read_level
from antinomy.cite.model import Act, Path, Step
from antinomy.cite.numbers import SUFFIX, read_number, touching
from antinomy.cite.values import read_values
from antinomy.text.numerals import ORDINALS

_BACK_MATTER = ("schedule", "annex", "appendix")
#: Words before a bare number that may be a place, words after marks that may be one, and units that rule it out.
BEFORE = frozenset({
    "", ".", ";", "(", "in", "under", "with", "to", "see", "by", "unless", "from", "and", "or", "where", "at", "per",
    "if", "than",
})  # fmt: skip
_BEHIND_MARKS = frozenset({"above", "below", "apply", "applies", "is", "are"})
_SAID_OF = frozenset({"purpose", "purposes", "requirement", "requirements", "provisions", "terms", "meaning"})
UNITS = frozenset({"%", "$", "€", "£"})
#: Words with which a sentence goes on after a place or a name.
GOES_ON = frozenset({
    "and", "or", "is", "are", "shall", "must", "may", "does", "do", "apply", "applies", "as", "for", "in", "to", "by",
    "which", "that", "where", "if", "unless", "with", "on", "above", "below", "before", "after", "when", "until", "but",
    "have", "has",
})  # fmt: skip
_MAX_STEPS = 8


def read_place(tokens: Cursor, at: int, inside: bool = False, depth: int = 0) -> tuple[list[Path], int] | None:
    """Read a level's word with its numbers, and the place inside it that follows.

    Args:
        at: index of the word.
        inside: a larger place was named before it, so that further places lie inside.
        depth: how many places were named before it.
    """
    if depth > _MAX_STEPS:
        return None
    if tokens.low(at) in ORDINALS:
        return _read_counted(tokens, at)
    named = read_level(tokens, at)
    if named is None:
        return None
    level, plural, following = named
    if level in OUTLINE.lettered and tokens.low(following) == "-" and tokens.touches(following):
        following += 1
    found = read_values(tokens, following, level, plural)
    if found is None:
        sole = level in _BACK_MATTER and tokens.text(at)[:1].isupper()
        if not sole or tokens.low(at - 1) not in ("the", "this", "that"):
            return None
        return [(Step(level),)], following
    paths, end = found
    # Outer to inner: "Schedule 2, paragraph 3(a)".
    inner_at = tokens.past_heading(end)
    inner_at += tokens.low(inner_at) == ","
    if level in _BACK_MATTER and tokens.low(inner_at) == "in":
        # "In Schedule 2, in paragraph 1"
        inner_at += 1
    inner = read_level(tokens, inner_at)
    lettered = tokens.low(inner_at) in LETTER_WORDS and tokens.low(at) not in LETTER_WORDS
    # "Arts. 3-5 and 8 para. 1"
    last = level == "article" and inner_at == end
    if (len(paths) == 1 or lettered or last) and inner is not None and inner[0] in OUTLINE.inside[level]:
        more = read_place(tokens, inner_at, inside or level in OUTLINE.lettered, depth + 1)
        marked = more is not None and all(path[0].level == "point" for path in more[0])
        held = more is not None and tokens.low(more[1]) in ("of", "to")
        deeper = inside or level in OUTLINE.lettered or (level == "article" and not marked)
        if more is not None and (deeper or lettered or (marked and not held)):
            paths, end = paths[:-1] + [paths[-1] + path for path in more[0]], more[1]
            # "margin nos. 8 let. b and 10", "Arts. 3 para. 2 and 4"
            following = tokens.separator(end)
            rest = read_values(tokens, following, level, plural) if plural and following > end else None
            return (paths + rest[0], rest[1]) if rest else (paths, end)
    return paths, end


def _read_counted(tokens: Cursor, at: int) -> tuple[list[Path], int] | None:
    """Read "the First Schedule": statutes of the Commonwealth count their schedules in words."""
    level = OUTLINE.levels.get(tokens.low(at + 1), "")
    if level not in _BACK_MATTER or not tokens.text(at + 1)[:1].isupper():
        return None
    return [(Step(level, str(1 + ORDINALS.index(tokens.low(at)))),)], at + 2


def in_statute(paths: list[Path], acts: Sequence[Act]) -> list[Path]:
    """Call "paragraph 628(1)(b)" of a statute what it is in: section 628."""
    if not acts or acts[0].kind != "statute":
        return paths
    inner = [len(path) > 1 and path[0].level == "paragraph" and path[1].level == "point" for path in paths]
    return [(replace(p[0], level="section"), *p[1:]) if own else p for p, own in zip(paths, inner, strict=True)]


def read_lettered(tokens: Cursor, at: int) -> tuple[list[Path], int] | None:
    """Read "B2" before "of Annex B"."""
    number, end = read_number(tokens, at, "paragraph") if tokens.kind(at) == "word" else ("", at)
    held = tokens.low(end) in ("of", "in") and OUTLINE.levels.get(tokens.low(end + 1)) in _BACK_MATTER
    return read_values(tokens, at, "paragraph") if number[-1:].isdigit() and held else None


def read_rule_number(tokens: Cursor, at: int) -> tuple[list[Path], int] | None:
    """Read a rule by its number alone: "2.3.4R", "2.3.4 G(2)"."""
    number = read_number(tokens, at, "rule")[0]
    return read_values(tokens, at, "rule") if "." in number and number[-1] in SUFFIX else None


def read_dotted(tokens: Cursor, at: int) -> tuple[list[Path], int] | None:
    """Read "5.1(2)": numbers that give a place in the whole document."""
    if tokens.kind(at) != "num" or "." not in read_number(tokens, at, "rule")[0]:
        return None
    return read_values(tokens, at, "rule")


def read_bare(tokens: Cursor, at: int) -> tuple[list[Path], int] | None:
    """Read "under 3.2", "2.2(2)(a)", "(1) above": numbers that may be places, by what stands around them."""
    before = tokens.low(at - 1)
    if before == "of" and tokens.low(at - 2) in _SAID_OF:
        # "for the purposes of 3.2", not "a ratio of 3.2"
        before = "under"
    if tokens.kind(at) == "paren":
        found = read_values(tokens, at, "paragraph") if before in BEFORE or before == "which" else None
        return found if found and tokens.low(found[1]) in _BEHIND_MARKS else None
    found = read_dotted(tokens, at) if not touching(tokens, at - 1, ".", "-") else None
    if found is None or tokens.is_counted(found[1]):
        return None
    sure = any(len(path) > 1 for path in found[0])
    after = tokens.low(found[1])
    held = after == "of" and tokens.low(found[1] + 1) == "this"
    led = before in BEFORE or (tokens.rulebook and before == ",")
    around = led and (tokens.kind(found[1]) in ("", "mark") or after in GOES_ON or held)
    firm = tokens.rulebook and before in ("with", "under", "see")
    return found if (sure or around or firm) and after not in UNITS else None
