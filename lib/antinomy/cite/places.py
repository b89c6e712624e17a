"""The numbers of a text with continuous numbers: "section 900.3(b) and (c)", "rules 2.3.1R to 2.3.3R", "Part IV".

place  = WORD value { sep value } [ [","] place ]     "Schedule 2, paragraph 3(a)"
value  = NUMBER { "(" MARK ")" } | "(" MARK ")" { "(" MARK ")" }
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from antinomy.cite.cursor import Cursor
from antinomy.cite.model import Act, Path, Step
from antinomy.cite.numbers import LETTERED, ROMAN, SUFFIX, carried, read_letters, read_marks, read_number, touching
from antinomy.text.numerals import ORDINALS

#: Word → level. Singular and plural; "regulation" and "article" only in lower case or beside a number.
LEVELS = {
    "section": "section", "sec": "section", "§": "section", "rule": "rule", "article": "article", "art": "article",
    "paragraph": "paragraph", "para": "paragraph", "subparagraph": "paragraph", "subpara": "paragraph",
    "subsection": "paragraph", "subdivision": "paragraph", "clause": "paragraph", "subclause": "paragraph",
    "subrule": "paragraph", "point": "paragraph", "item": "paragraph",
    "part": "part", "subpart": "subpart", "chapter": "chapter", "schedule": "schedule", "annex": "annex",
    "appendix": "appendix", "attachment": "appendix", "regulation": "rule", "principle": "principle", "title": "title",
    "guideline": "principle", "requirement": "principle", "control": "paragraph",
}  # fmt: skip
_PLURALS = {"appendices": "appendix", "annexes": "annex"}
#: Words before a letter that needs no brackets: "let. a".
_LETTER_WORDS = frozenset({"letter", "letters", "let"})
#: All words with which a place may start.
LEVEL_WORDS = (
    frozenset(LEVELS)
    | frozenset(f"{word}s" for word in LEVELS)
    | frozenset(_PLURALS)
    | {"sub", "s", "ss", "margin", "marginal", "rz", *ORDINALS}
    | _LETTER_WORDS
)
_PARAGRAPH = frozenset({"paragraph"})
_BACK_MATTER = frozenset({"schedule", "annex", "appendix"})
#: Written with or without a full stop.
_SHORT = frozenset({"sec", "art", "para"})
#: Level → levels that may follow it, outer to inner: "Part 2, section 5".
_INSIDE = {
    "part": frozenset({"subpart", "chapter", "section", "rule", "article", "paragraph"}),
    "chapter": frozenset({"section", "rule", "article", "paragraph"}),
    "subpart": frozenset({"section", "paragraph"}),
    **dict.fromkeys(("schedule", "annex", "appendix"), frozenset({"part", "section", "paragraph"})),
}
_LETTER = re.compile(r"[a-z]$")
_RANGE = ("to", "through", "-")
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
_MAX_VALUES = 40
_MAX_STEPS = 8


def read_level(tokens: Cursor, at: int) -> tuple[str, bool, int] | None:
    """Read a level's word: (level, plural, next)."""
    word = tokens.low(at)
    if word == "sub" and tokens.low(at + 1) == "-":
        word, at = "sub" + tokens.low(at + 2), at + 2
    if word in ("margin", "marginal"):
        return _read_margin(tokens, at)
    if word in ("s", "ss", "rz", "no", "nos") or word in _LETTER_WORDS:
        return _read_short(tokens, at)
    single = _PLURALS.get(word) or (word if word in LEVELS else word.removesuffix("s"))
    level = LEVELS.get(single)
    following = at + 1
    if level is None or (single == "regulation" and not _may_be_rule(tokens, at)):
        return None
    if single == "control" and tokens.low(following + 1) != ".":
        # "controls 5.19 and 5.20", not "controls 2 banks"
        return None
    if level == "title" and not (ROMAN.match(tokens.text(following)) and tokens.low(at + 2) == "of"):
        return None
    if word == "§" and tokens.low(following) == "§":
        return level, True, following + 1
    if single in _SHORT and tokens.low(following) == ".":
        following += 1
    return level, word != single, following


def _may_be_rule(tokens: Cursor, at: int) -> bool:
    """Tell "regulation 5" and "Regulation 5" from the name of an EU act, whose number has a stroke."""
    return not tokens.text(at)[:1].isupper() or tokens.kind(at + 1) == "num"


def _read_margin(tokens: Cursor, at: int) -> tuple[str, bool, int] | None:
    """Read "margin no.", "marginal numbers": the numbers printed beside a circular's paragraphs."""
    word = tokens.low(at + 1)
    if word not in ("no", "nos", "number", "numbers"):
        return None
    return "paragraph", word.endswith("s"), at + 3 if tokens.low(at + 2) == "." else at + 2


def _read_short(tokens: Cursor, at: int) -> tuple[str, bool, int] | None:
    """Read "ss. 5 and 6", "Rz 3", "let. a", "Annex 1, no. 2": words that name a place only before its number."""
    word = tokens.low(at)
    number = at - 2 if tokens.low(at - 1) == "," else at - 1
    if word in ("no", "nos") and LEVELS.get(tokens.low(number - 1)) not in _BACK_MATTER:
        return None
    end = at + 2 if tokens.low(at + 1) == "." else at + 1
    if word in _LETTER_WORDS:
        lettered = tokens.kind(end) == "paren" or _LETTER.match(tokens.text(end))
        return ("paragraph", False, end) if lettered else None
    # The "s" of a genitive is none.
    if tokens.kind(end) != "num" or tokens.low(at - 1) == "'":
        return None
    if word == "s" and tokens.text(at) == "S" and end == at + 1:
        # "Directive S 6106"
        return None
    return "section" if word in ("s", "ss") else "paragraph", word in ("ss", "nos"), end


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
    if level in LETTERED and tokens.low(following) == "-" and tokens.touches(following):
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
    lettered = tokens.low(inner_at) in _LETTER_WORDS and tokens.low(at) not in _LETTER_WORDS
    # "Arts. 3-5 and 8 para. 1"
    last = level == "article" and inner_at == end
    if (len(paths) == 1 or lettered or last) and inner is not None and inner[0] in _INSIDE.get(level, _PARAGRAPH):
        more = read_place(tokens, inner_at, inside or level in LETTERED, depth + 1)
        marked = more is not None and all(path[0].level == "point" for path in more[0])
        held = more is not None and tokens.low(more[1]) in ("of", "to")
        deeper = inside or level in LETTERED or (level == "article" and not marked)
        if more is not None and (deeper or lettered or (marked and not held)):
            paths, end = paths[:-1] + [paths[-1] + path for path in more[0]], more[1]
            # "margin nos. 8 let. b and 10", "Arts. 3 para. 2 and 4"
            following = tokens.separator(end)
            rest = read_values(tokens, following, level, plural) if plural and following > end else None
            return (paths + rest[0], rest[1]) if rest else (paths, end)
    return paths, end


def _read_counted(tokens: Cursor, at: int) -> tuple[list[Path], int] | None:
    """Read "the First Schedule": statutes of the Commonwealth count their schedules in words."""
    level = LEVELS.get(tokens.low(at + 1), "")
    if level not in _BACK_MATTER or not tokens.text(at + 1)[:1].isupper():
        return None
    return [(Step(level, str(1 + ORDINALS.index(tokens.low(at)))),)], at + 2


def read_values(tokens: Cursor, at: int, level: str, plural: bool = False) -> tuple[list[Path], int] | None:
    """Read the numbers of a list or range; "12-15" is a range after a plural, else it may be one number."""
    word = at - 2 if tokens.low(at - 1) == "." else at - 1
    lettered = tokens.low(word) in _LETTER_WORDS and _LETTER.match(tokens.text(at))
    first = read_value(tokens, at, level, plural)
    if lettered:
        first = (Step("point", tokens.text(at)),), at + 1
    if first is None:
        return None
    paths, end = [first[0]], first[1]
    while len(paths) < _MAX_VALUES:
        ranged = tokens.low(end) in _RANGE
        # "sections 3 (fees) and 4"
        headed = tokens.past_heading(end)
        following = end + 1 if ranged else tokens.separator(headed)
        if following == headed:
            break
        if tokens.low(following) == "§":
            following += 1
        more = read_marks(tokens, following)
        if lettered and not more[0] and _LETTER.match(tokens.text(following)):
            more = [tokens.text(following)], following + 1
        if lettered and not more[0]:
            break
        if more[0]:
            path = _continued(paths[-1], more[0])
            after = more[1]
        else:
            value = read_value(tokens, following, level, plural)
            if value is None or tokens.is_counted(value[1]):
                break
            path, after = value
        longer = join_places(tokens, paths, [path], ranged)
        if longer is paths:
            break
        paths, end = longer, after
    return paths, end


def in_statute(paths: list[Path], acts: Sequence[Act]) -> list[Path]:
    """Call "paragraph 628(1)(b)" of a statute what it is in: section 628."""
    if not acts or acts[0].kind != "statute":
        return paths
    inner = [len(path) > 1 and path[0].level == "paragraph" and path[1].level == "point" for path in paths]
    return [(replace(p[0], level="section"), *p[1:]) if own else p for p, own in zip(paths, inner, strict=True)]


def join_places(tokens: Cursor, paths: list[Path], more: list[Path], ranged: bool) -> list[Path]:
    """Continue a list with further numbers or the end of a range; return ``paths`` itself if there are none."""
    if not ranged:
        return paths + more
    last, first = paths[-1], more[0]
    if len(first) != len(last) or last[-1].upto:
        return paths
    return [*paths[:-1], (*first[:-1], replace(last[-1], upto=first[-1].value)), *more[1:]]


def read_value(tokens: Cursor, at: int, level: str, plural: bool = False) -> tuple[Path, int] | None:
    """Read one number with its marks, or marks alone."""
    number, end = read_number(tokens, at, level, plural)
    if number:
        letters, end = read_letters(tokens, end) if number.isalpha() else ([], end)
        marks, end = read_marks(tokens, end)
        marks = letters + marks
        return (Step(level, number), *(Step("point", mark) for mark in marks)), end
    if level != "paragraph":
        return None
    marks, end = read_marks(tokens, at)
    return (tuple(Step("point", mark) for mark in marks), end) if marks else None


def read_lettered(tokens: Cursor, at: int) -> tuple[list[Path], int] | None:
    """Read "B2" before "of Annex B"."""
    number, end = read_number(tokens, at, "paragraph") if tokens.kind(at) == "word" else ("", at)
    held = tokens.low(end) in ("of", "in") and LEVELS.get(tokens.low(end + 1)) in _BACK_MATTER
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


def _continued(before: Path, marks: Sequence[str]) -> Path:
    """Complete marks alone by the value before them: "(2)" after "(a)(1)" is "(a)(2)"."""
    kept = next((at for at in range(len(before), 0, -1) if before[at - 1].level != "point"), 0)
    marked = carried([step.value for step in before[kept:]], marks)
    return (*before[:kept], *(Step("point", mark) for mark in marked))
