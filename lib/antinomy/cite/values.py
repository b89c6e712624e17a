"""What stands behind the word of a place: numbers with their marks, in lists and ranges.

values = value { ("," | "and" | "or" | "to" | "-") ( value | MARKS ) }     "900.3(b) and (c)", "5 to 7", "(a)-(d)"
value  = NUMBER [ MARKS ] | MARKS                                          "900.3(b)(1)", "(a)(ii)"
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from string import ascii_uppercase

from antinomy.cite.cursor import Cursor
from antinomy.cite.levels import EUROPEAN, GOES_ON, LETTER, LETTER_WORDS, NESTED, OUTLINE, Style
from antinomy.cite.model import Path, Step
from antinomy.cite.numbers import carried, is_stopped, read_letters, read_marks, read_number, read_spaced

RANGE = ("to", "through", "-")
_MAX_VALUES = 40
_BESIDE = ("above", "below")
#: Codes of American states set marks apart by spaces: "subdivision A 3", "subdivisions A 1 through 4".
_SPACED = frozenset({"subdivision", "subdivisions"})
#: Tokens in which a bracket before a letter is looked for.
_NEAR = 40
_CAPITALS = frozenset(ascii_uppercase)


def read_values(
    tokens: Cursor, at: int, level: str, plural: bool = False, style: Style = OUTLINE, signs: bool = True
) -> tuple[list[Path], int] | None:
    """Read the numbers of a list or range.

    Args:
        tokens, at: where the first number stands.
        level: of the places.
        plural: the word before them is a plural: "12-15" is a range then, else it may be one number.
        style: of the text.
        signs: a section sign may stand again before a number, "§ 930.1 and § 930.2".
    """
    word = at - 2 if tokens.low(at - 1) == "." else at - 1
    lettered = _is_lettered(tokens, word) and LETTER.match(tokens.text(at))
    first = tokens.once(read_value, at, level, plural, style)
    if lettered:
        first = (Step("point", tokens.text(at)),), _past_bracket(tokens, at + 1)
    if first is None:
        return None
    paths, end = [first[0]], first[1]
    spaced = tokens.low(word) in _SPACED and paths[0][-1].value.isupper() and tokens.kind(end) == "num"
    if spaced:
        paths, end = [(*first[0], Step("point", tokens.text(end)))], end + 1
    # A list that is no European act's may be read in vain, and again from each of its words on.
    while style is EUROPEAN or len(paths) < _MAX_VALUES:
        if is_stopped(tokens, end - 1) and (tokens.separator(end + 1) > end + 1 or tokens.low(end + 1) in RANGE):
            # "subds. 1. and 2."
            end += 1
        ranged = tokens.low(end) in RANGE
        # "sections 3 (fees) and 4"
        headed = tokens.past_heading(end)
        following = end + 1 if ranged else tokens.separator(headed)
        if following == headed:
            break
        # "§ 930.1 and § 930.2", "Chapter 3 to Chapter 5"
        again = signs and tokens.low(at - 1) == tokens.low(following)
        again = again and (tokens.low(following) == "§" or (ranged and tokens.kind(following) == "word"))
        following += again
        more = read_marks(tokens, following)
        if spaced and tokens.kind(following) == "num":
            more = [tokens.text(following)], following + 1
        if not more[0] and tokens.low(end - 1) == "." and is_stopped(tokens, following):
            # "(1)a. or b."
            more = [tokens.text(following)], following + 2
        # "letter b or a bank": letters rise.
        rises = paths[-1][-1].value.replace("đ", "dd") < tokens.text(following).replace("đ", "dd")
        # "paragraphs A.1.a and b"
        lettered_on = lettered or (tokens.low(end - 2) == "." and LETTER.match(tokens.text(end - 1)))
        if lettered_on and not more[0] and rises and LETTER.match(tokens.text(following)):
            more = [tokens.text(following)], _past_bracket(tokens, following + 1)
        if not more[0] and (lettered or tokens.kind(at) == "paren"):
            # "points (a) and (b), and 2(3)"
            break
        if more[0]:
            path, after = _continued(paths[-1], more[0], style), more[1]
        else:
            value = tokens.once(read_value, following, level, plural, style)
            if value is None or tokens.is_counted(value[1]):
                break
            path, after = value
        last, alike = paths[-1][-1], paths[-1][-1].value.count(".") == path[-1].value.count(".")
        if ranged and (last.upto or (again and not alike)):
            # "paragraph 3.1 to paragraph 3.1.2" are two.
            break
        paths[-1:], end = join(paths[-1:], [path], ranged), after
    last, behind = paths[-1][-1], _and_following(tokens, end, level)
    if behind and last.value.isdecimal() and not last.upto:
        paths[-1], end = (*paths[-1][:-1], replace(last, upto=str(int(last.value) + 1))), behind
    return paths, end


def _is_lettered(tokens: Cursor, at: int) -> bool:
    """Tell whether a word names letters without brackets: "let. a", "Points a and b Clause 1", not "Point a lamp"."""
    behind = tokens.text(at + 2)
    goes_on = not behind.islower() or tokens.low(at + 2) in (*GOES_ON, "of", "this")
    return tokens.low(at) in LETTER_WORDS or (tokens.text(at) in ("Point", "Points") and goes_on)


def _and_following(tokens: Cursor, at: int, level: str) -> int:
    """Read "f." behind a number, which is and the following one, as Swiss circulars say "et seq.", too; 0 if none."""
    end = (tokens.low(at) == "f" and at + 1) or (level == "paragraph" and tokens.words(at, "et seq"))
    return end + 1 if end and tokens.low(end) == "." else 0


def _past_bracket(tokens: Cursor, at: int) -> int:
    """Step over the bracket behind "letter b)"; that of "(see letter b)" closes another one."""
    closes = tokens.low(at) == ")" and tokens.touches(at)
    opened = next((tokens.low(n) == "(" for n in range(at - 1, max(0, at - _NEAR), -1) if tokens.low(n) in "()"), False)
    return at + 1 if closes and (not opened or tokens.low(at + 1) == ")") else at


def read_value(
    tokens: Cursor, at: int, level: str, plural: bool = False, style: Style = OUTLINE
) -> tuple[Path, int] | None:
    """Read one number with its marks, or marks alone."""
    number, end = read_number(tokens, at, level, plural or style is EUROPEAN, style)
    if (
        style is EUROPEAN
        and "." in number
        and not (tokens.low(at - 1) in ("number", "numbers") or tokens.low(at - 3) == ".")
    ):
        # "Section 4.7" is of no act, "numbers 2.1 to 2.3" are.
        return None
    if not number and level == "paragraph" and LETTER.match(tokens.text(at)) and tokens.low(at + 1) in _BESIDE:
        # "paragraph g below"
        return (Step("point", tokens.text(at)),), at + 1
    # "II.C.1", "items 2.a and 2.b"
    outlined = number.isalpha() or (
        level in ("paragraph", "point") and number.isdigit() and LETTER.match(tokens.text(end + 1))
    )
    letters, end = read_letters(tokens, end) if outlined else ([], end)
    if not letters and level == "section" and style is OUTLINE and number.isalpha():
        letters, end = read_spaced(tokens, end)
    if tokens.rule_number(at) and tokens.text(end) in _CAPITALS and not tokens.text(end + 1)[:1].isupper():
        # "14VAC5-270-20 B"
        letters, end = [tokens.text(end)], end + 1
    marks, end = read_marks(tokens, end)
    if number:
        return _marked((Step(level, number),), letters + marks, style), end
    if not marks or not (level in style.bracketed or (level in style.counted and marks[0][:1].isdigit())):
        return None
    # "paragraph (1)" is a paragraph of a European act, and in any other text a mark as "(a)" is.
    first = Step(level if style is EUROPEAN or level in NESTED else "point", marks[0])
    return (first, *(Step("point", mark) for mark in marks[1:])), end


def join(paths: list[Path], more: list[Path], ranged: bool) -> list[Path]:
    """Continue a list with further places, or with the end of a range if both ends are in the same place."""
    last, first = paths[-1], more[0]
    if not ranged or first[:-1] != last[:-1]:
        return paths + more
    return [*paths[:-1], (*last[:-1], replace(last[-1], upto=first[-1].value)), *more[1:]]


def _marked(before: Path, marks: Sequence[str], style: Style) -> Path:
    """Put marks behind a number; the first behind a European article, if it has digits, is a paragraph's."""
    digits = style is EUROPEAN and before[-1].level == "article" and marks[:1] and marks[0][:1].isdigit()
    levels = ["paragraph" if digits else "point"] + ["point"] * len(marks)
    return (*before, *(Step(level, mark) for level, mark in zip(levels, marks, strict=False)))


def _continued(before: Path, marks: Sequence[str], style: Style) -> Path:
    """Complete marks alone by the value before them: "(2)" after "(a)(1)" is "(a)(2)"."""
    kept = next((at for at in range(len(before), 0, -1) if before[at - 1].level in style.stems), 0)
    marked = carried([step.value for step in before[kept:]], marks)
    if kept == len(before):
        return _marked(before, marked, style)
    levels = [step.level for step in before[kept:]] + ["point"] * len(marked)
    return (*before[:kept], *(Step(level, mark) for level, mark in zip(levels, marked, strict=False)))
