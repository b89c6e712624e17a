"""The numbers of places, "900.3" or "IV", and the marks behind them, "(a)(1)(ii)": how lists and ranges go on."""

from __future__ import annotations

import re
from collections.abc import Sequence

from antinomy.cite.cursor import Cursor
from antinomy.cite.levels import OUTLINE, ROMAN, Style
from antinomy.text.numerals import RULE_LETTERS, in_roman, roman

#: What stands in the brackets.
MARK = re.compile(
    r"[0-9]{1,4}(?:[a-z]|[A-Z]{1,3}|[.][0-9]{1,2})?$|z?[a-z]{1,2}$|([A-Z])\1?$|[ivxl]{1,6}$|[IVXL]{1,6}$"
    r"|[a-z]{1,5}[.][0-9]{1,2}$"
)
#: A number with points, "5.2" or "15.3.1R", by its last part.
_LAST_PART = re.compile(rf"((?:[0-9A-Za-z]+[.])*)([0-9]{{1,4}})((?<=[.][0-9])[{RULE_LETTERS}])?$")
_LETTERED = re.compile(r"([0-9]+)([A-Z])$")
_SMALL_ROMAN = re.compile(r"[ivx]{1,5}$")
#: What was inserted behind 14, 14/1, as Thai acts number it; a longer second number is a year, or counts acts.
_SLASHED = re.compile(r"[0-9]{1,3}/[0-9]{1,2}$")
#: Letters of a part of a section, and words that may stand behind them.
_SMALL = re.compile(r"[a-z]$")
_BEHIND_SPACED = frozenset({"and", "or", "to", "of", "is", "are", "applies", "apply", "shall", "must", "may", "does"})
_MAX_RANGE = 100
SUFFIX = frozenset(RULE_LETTERS)
#: Letters after a number that was inserted between two others: "11AF", "899-aa".
_MAX_LETTERS = 3
_MAX_STEPS = 8
_MAX_NUMBER = 30
_MAX_MARK = 3
#: A range of numbers with points runs over no more chapters.
_MAX_CHAPTERS = 9


def carried(before: Sequence[str], marks: Sequence[str]) -> list[str]:
    """Complete marks alone by those before them: (2) after (a)(1) is (a)(2).

    >>> carried(["a", "1"], ["2"]), carried(["a", "1", "i"], ["b"]), carried(["1"], ["a"])
    (['a', '2'], ['b'], ['1', 'a'])
    """
    alike = [at for at in range(len(before) - 1, -1, -1) if _alike(before[at], marks[0])]
    # "(b)" after "(a)(1)(i)" continues (a): among letters i is the ninth, else it is a Roman one.
    sure = [at for at in alike if before[at] != "i" or marks[0][:1] in "ivxj"]
    kept = (sure or alike)[0] if alike else len(before)
    return [*before[:kept], *marks]


def _alike(one: str, other: str) -> bool:
    """Tell whether two marks may be numbers of one list; (c.1) was inserted behind (c)."""
    one, other = one.partition(".")[0], other.partition(".")[0]
    if one[:1].isdigit() or other[:1].isdigit():
        return one[:1].isdigit() and other[:1].isdigit()
    if one.isupper() != other.isupper():
        return False
    if (len(one) > 1) != (len(other) > 1):
        longer = one if len(one) > len(other) else other
        if len(longer) == 2 and longer[0] == longer[1] and longer != "ii":
            # "(ff)" goes on after "(t)".
            return True
        return all(char in "ivxlIVXL" for char in one + other)
    return True


def members(first: str, last: str) -> list[str]:
    """List the members of a range of numbers or letters; of one too long or mixed, its ends; without ``last``, one.

    >>> members("a", "c"), members("5.2", "5.4"), members("i", "iii"), members("3", "5A")
    (['a', 'b', 'c'], ['5.2', '5.3', '5.4'], ['i', 'ii', 'iii'], ['3', '5A'])
    """
    if not last:
        return [first]
    head, tail = _LAST_PART.match(first), _LAST_PART.match(last)
    if head and tail:
        count = int(tail[2]) - int(head[2])
        if head.group(1, 3) == tail.group(1, 3) and 0 < count < _MAX_RANGE:
            return [f"{head[1]}{n}{head[3] or ''}" for n in range(int(head[2]), int(tail[2]) + 1)]
        return [first, last]
    head, tail = _LETTERED.match(first), _LETTERED.match(last)
    if head and tail and head[1] == tail[1] and head[2] < tail[2]:
        return [head[1] + chr(n) for n in range(ord(head[2]), ord(tail[2]) + 1)]
    lowest, highest = roman(first), roman(last)
    if lowest and highest > lowest and (len(first + last) > 2 or first == "i"):
        return [in_roman(n) for n in range(lowest, highest + 1)]
    if len(first) == len(last) == 1 and first < last and first.islower() == last.islower() and last.isalpha():
        return [chr(n) for n in range(ord(first), ord(last) + 1)]
    return [first, last]


def read_number(tokens: Cursor, at: int, level: str, plural: bool = False, style: Style = OUTLINE) -> tuple[str, int]:
    """Read "900.3", "2.3.4R", "5A", for a part or schedule also "IV" and "A-1"; "" if there is none.

    Args:
        tokens: of the text.
        at: index of the number.
        level: that the word before it names.
        plural: whether more numbers follow, so that "12-15" is a range.
        style: of the text.
    """
    if own := tokens.rule_number(at):
        return own
    if style is OUTLINE and level in ("section", "paragraph") and _SLASHED.match(tokens.text(at)):
        return tokens.text(at), at + 1
    if tokens.kind(at) == "num":
        number, at = tokens.text(at), at + 1
        while len(number) < _MAX_NUMBER:
            lettered = _capital(tokens, at) and tokens.joins(at + 1, ".")
            mark = at + lettered
            # The rules of some agencies are printed as 0437-02-06-.11.
            dotted = tokens.low(mark) == "-" and tokens.joins(mark + 1, ".")
            if not tokens.joins(mark, ".", "-") or tokens.kind(mark + 1 + dotted) != "num":
                break
            if tokens.low(mark) == "-" and (plural or "." in number) and _ascends(tokens, mark, number):
                break
            part = "".join(map(tokens.text, range(at, mark + 1))) + tokens.text(mark + 1 + dotted)
            number, at = number + part, mark + 2 + dotted
        suffix = tokens.text(at + 1)
        lettered = suffix.islower() if "." in number else level == "section" and suffix.isupper()
        if lettered and tokens.joins(at, ".") and len(suffix) == 1:
            # "section 2.1.5.c" and "§103.B", but not "2.1 e.g. oil".
            return _with_letters(tokens, f"{number}.{suffix}", at + 2) or (number, at)
        small = len(suffix) <= _MAX_LETTERS and suffix.islower()
        if tokens.joins(at, "-") and (small or _capital(tokens, at + 1)):
            return f"{number}-{suffix}", at + 2
        suffix = tokens.text(at)
        if tokens.kind(at) == "word" and suffix.isupper():
            # "Section 35 A of the Banking Act", as Indian texts write it
            apart = level == "section" and len(suffix) < _MAX_LETTERS and tokens.words(at + 1, "of the")
            behind = ("." in number and suffix in SUFFIX) or apart
            if (tokens.touches(at) and len(suffix) <= _MAX_LETTERS) or behind:
                number, at = number + suffix, at + 1
                if "." in number and suffix not in SUFFIX and tokens.text(at) in SUFFIX:
                    # "2.3.4A R"
                    number, at = number + tokens.text(at), at + 1
        return number, at
    text = tokens.text(at)
    roman = ROMAN.match(text) and (level in style.roman or (level == "paragraph" and tokens.joins(at + 1, ".")))
    holder = _holder(tokens, at + 1, level)
    # "Chapter III, Section B"
    around = OUTLINE.levels.get(tokens.low(at - 3 - (tokens.low(at - 2) == ",")))
    held = holder in style.lettered or (level == "section" and around in style.lettered)
    lettered = level in style.lettered or level == "table" or (level == "paragraph" and text != "I") or held
    letter = len(text) == 1 and text.isupper() and lettered
    if tokens.kind(at) == "word" and (roman or letter):
        at += 1
        if tokens.joins(at, "-") and tokens.kind(at + 1) == "num":
            return f"{text}-{tokens.text(at + 1)}", at + 2
        if letter and tokens.kind(at) == "num" and tokens.touches(at):
            if level == "appendix":
                # "E48" is appendix E and the mark of footnote 48.
                return text, at + 1
            # "item B1", "paragraph A2.3"
            return _with_parts(tokens, f"{text}{tokens.text(at)}", at + 1)
        return text, at
    return "", at


def _holder(tokens: Cursor, at: int, level: str) -> str:
    """Return the word for what holds letters: "section B of chapter III", "Sections A and B of that Chapter"."""
    while (following := tokens.separator(at) if tokens.low(at) != "to" else at + 1) > at:
        following += OUTLINE.levels.get(tokens.low(following)) == level
        if len(tokens.text(following)) != 1 or not tokens.text(following).isupper():
            break
        at = following + 1
    return tokens.low(at + 1 + (tokens.low(at + 1) in ("the", "this", "that"))) if tokens.low(at) == "of" else ""


def _with_parts(tokens: Cursor, number: str, at: int) -> tuple[str, int]:
    """Read the parts of a number behind its first, each behind a point: 2.3 behind A1."""
    while tokens.joins(at, ".") and tokens.kind(at + 1) == "num" and len(number) < _MAX_NUMBER:
        number, at = f"{number}.{tokens.text(at + 1)}", at + 2
    return number, at


def _with_letters(tokens: Cursor, number: str, at: int) -> tuple[str, int] | None:
    """Read what may follow a letter behind a stop: Idaho's rules cite "Subparagraph 021.02.c.ii. of these rules"."""
    if tokens.joins(at, ".") and tokens.kind(at + 1) != "mark":
        if not (number[-1].islower() and _SMALL_ROMAN.match(tokens.text(at + 1))):
            return None
        number, at = f"{number}.{tokens.text(at + 1)}", at + 2
    # The last stop is the number's own, if the sentence goes on.
    goes_on = tokens.low(at + 1) in (",", ";") or tokens.text(at + 1).islower()
    ended = number[-1].islower() and tokens.low(at) == "." and tokens.touches(at) and goes_on
    return number, at + ended


def _capital(tokens: Cursor, at: int) -> bool:
    """Whether the token is a single capital letter that touches the one before."""
    text = tokens.text(at)
    return tokens.kind(at) == "word" and len(text) == 1 and text.isupper() and tokens.touches(at)


def _ascends(tokens: Cursor, mark: int, number: str) -> bool:
    """Whether a dash joins a number to a greater one of the same form, so that they are the ends of a range."""
    upto, _ = _with_parts(tokens, tokens.text(mark + 1), mark + 2)
    first, last = number.split("."), upto.split(".")
    if not all(part.isdigit() for part in first + last):
        return False
    # "16-18.1" is one too; "1-1.2" is a number, and so is "12.1-40", section 40 of title 12.1.
    alike = len(first) == len(last) or int(first[0]) < int(last[0])
    if len(first) > 1 and int(last[0]) - int(first[0]) > _MAX_CHAPTERS:
        return False
    return alike and list(map(int, first)) < list(map(int, last))


def read_letters(tokens: Cursor, at: int) -> tuple[list[str], int]:
    """Read the rest of a Roman number: "II.C.1"."""
    found: list[str] = []
    while tokens.joins(at, ".") and len(found) < _MAX_STEPS:
        if not tokens.text(at + 1).isalnum() or (tokens.kind(at + 1) != "num" and len(tokens.text(at + 1)) != 1):
            break
        found.append(tokens.text(at + 1))
        at += 2
    return found, at


def read_spaced(tokens: Cursor, at: int) -> tuple[list[str], int]:
    """Read the rest of a Roman number that is set with spaces, "IV B a"; the "A" of "under IV A bank must" is none."""
    if not (len(tokens.text(at)) == 1 and tokens.text(at).isupper() and tokens.kind(at) == "word"):
        return [], at
    end = at + 1 + bool(_SMALL.match(tokens.text(at + 1)))
    ended = end == at + 1 and tokens.text(at) not in ("A", "I")
    ended |= tokens.kind(end) in ("", "mark") or tokens.low(end) in _BEHIND_SPACED
    return ([tokens.text(n) for n in range(at, end)], end) if ended else ([], at)


def read_marks(tokens: Cursor, at: int) -> tuple[list[str], int]:
    """Read the marks in brackets behind a number: "(a)(1)(ii)"; those inside of them may have stops: "(3) (a) 1."."""
    marks: list[str] = []
    while tokens.kind(at) == "paren" and MARK.match(tokens.text(at)) and len(marks) < _MAX_STEPS:
        marks.append(tokens.text(at))
        at += 1
    while marks and is_stopped(tokens, at):
        marks.append(tokens.text(at))
        at += 2
    return marks, at


def is_stopped(tokens: Cursor, at: int) -> bool:
    """Tell whether a mark of a list with a stop behind it stands here: "1.", "a."."""
    mark = tokens.text(at)
    short = len(mark) == 1 or (mark.isdigit() and len(mark) < _MAX_MARK)
    shaped = tokens.stopped and short and (mark.isdigit() or mark.islower())
    return shaped and tokens.low(at + 1) == "." and tokens.touches(at + 1)
