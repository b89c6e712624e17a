"""Codes such as CFR and USC, with their parts, appendices and subdivisions, and reports such as the Federal Register.

code     = TITLE ("CFR" | "USC") item { sep item }
item     = ["part" | "§"] NUMBER { "(" NUMBER ")" } [ ["supplement A to"] "appendix" LETTER [ section ] ]
report   = NUMBER ("Fed. Reg." | "FR" | "Stat.") NUMBER
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from antinomy.cite import numbers, values
from antinomy.cite.cursor import Cursor, Found
from antinomy.cite.instruments import instruments
from antinomy.cite.model import Path
from antinomy.cite.numbers import members
from antinomy.cite.series import read_number

#: Tokens of numbers before what they are of.
_MAX_HELD = 16
_PARTS_OF_PARTS = {
    "appendix": "appendix", "appendices": "appendix", "app": "appendix", "subpart": "subpart", "subparts": "subpart",
}  # fmt: skip
#: Words before a number.
_PART_WORDS = frozenset({"part", "parts", "pt", "pts", "section", "sections", "§"})


def named(tokens: Cursor, at: int, names: Mapping[str, Sequence[str]]) -> tuple[str, int]:
    """Read the name of a code or report: the code and the next index; ("", 0) if there is none."""
    for code, written in names.items():
        for name in written:
            end = tokens.words(at, name)
            # "U.S.C.C.A.N." is a series of reports.
            if end and not (tokens.kind(end) == "word" and tokens.touches(end)):
                return code, end
    return "", 0


def _is_held(tokens: Cursor, at: int) -> bool:
    """Tell whether numbers are of something named behind them: "§ 930.1 of this part", "sections 915 and 916 of …"."""
    end = at
    while end < at + _MAX_HELD and (
        tokens.kind(end) in ("num", "paren") or tokens.low(end) in (".", ",", "and", "or", "to", "through", "-")
    ):
        end += 1
    return tokens.low(end) == "of"


def _read_numbers(tokens: Cursor, at: int, first: bool) -> tuple[list[str], int] | None:
    """Read "part 30", "208.61(a) and (b)", "1867(c)(1)", "1005.11 to 1005.14": the numbers and the next index."""
    word = tokens.low(at)
    if word in _PART_WORDS:
        if not first and (word.startswith("section") or _is_held(tokens, at + 1)):
            # "215 ILCS 5/155 and section 3": a section of the text itself, or of what is named behind it.
            return None
        at += 1 + (tokens.low(at + 1) == ".")
        at += tokens.low(at) == "§"
    if tokens.kind(at) == "act":
        # "215 ILCS 5/155"
        marks, end = numbers.read_marks(tokens, at + 1)
        return [tokens.text(at) + _bracketed(marks)], end
    # What stands behind another sign may be a section of the text itself, see above.
    found = values.read_values(tokens, at, "section", signs=False) if tokens.kind(at) == "num" else None
    if found is None or (not first and tokens.is_counted(at + 1)):
        return None
    return [written for path in found[0] for written in _written(path)], found[1]


def _written(path: Path) -> list[str]:
    """Write a place as its code does, "208.61(a)"; the end of a range stands for all its members."""
    last = path[-1]
    ends = members(last.value, last.upto)
    if len(path) == 1:
        return ends
    stem = path[0].value + _bracketed([step.value for step in path[1:-1]])
    return [f"{stem}({end})" for end in ends]


def _bracketed(marks: Sequence[str]) -> str:
    return "".join(f"({mark})" for mark in marks)


def in_code(ref: str, path: Path) -> tuple[str, Path]:
    """Join a place named before its code, "appendix B to 12 CFR part 30", to the code's number."""
    level, value = path[0].level, path[0].value
    if level in ("part", "section") and not ref[-1].isdigit() and not path[0].upto:
        # "section 1818 of title 12, United States Code"
        return in_code(f"{ref} {value}", path[1:]) if path[1:] else (f"{ref} {value}", ())
    if level in ("appendix", "subpart") and not path[0].upto:
        return f"{ref} {'app.' if level == 'appendix' else 'subpt.'} {value}", path[1:]
    if all(step.level == "point" and not step.upto for step in path):
        return ref + _bracketed([step.value for step in path]), ()
    return ref, path


def read(tokens: Cursor, at: int) -> Found | None:
    """Read the parts and sections of a code, from its title's number on."""
    code, end = named(tokens, at + 1, instruments().codes)
    if not code:
        return None
    title = f"{tokens.text(at)} {code}"
    following = end + (tokens.low(end) == ":")
    refs: list[str] = []
    paths: list[Path] = [()]
    while paths == [()] and (found := _read_numbers(tokens, following, not refs)):
        *before, last = found[0]
        parts, end = _read_parts(tokens, found[1], last) if code != "USC" else ([last], found[1])
        if " app. " in parts[0] and not refs:
            paths, end = _sections(tokens, end)
        refs.extend(f"{title} {number}" for number in (*before, *parts))
        following = _next_item(tokens, end)
        if following == end:
            break
    return tokens.instrument(at, end, code.lower(), refs, paths) if refs else None


def _next_item(tokens: Cursor, at: int) -> int:
    following = tokens.separator(at)
    section = tokens.kind(at + 1) == "num" and tokens.low(at + 2) == "." and tokens.touches(at + 3)
    if following == at and (tokens.low(at) == "/" or (tokens.low(at) == ";" and section)):
        return at + 1
    return following


def _read_parts(tokens: Cursor, at: int, number: str) -> tuple[list[str], int]:
    """Read "appendix B", "supplement A to appendix B", "subparts A and E" after a part's number."""
    following = at + 1 if tokens.low(at) == "," else at
    supplement = ""
    if tokens.low(following) == "supplement" and tokens.low(following + 2) == "to":
        supplement = f" supp. {tokens.text(following + 1)}"
        following += 3
    word = tokens.low(following)
    level = _PARTS_OF_PARTS.get(word, "")
    following += 2 if tokens.low(following + 1) == "." else 1
    if word in ("appendices", "subparts"):
        found = values.read_values(tokens, following, level, plural=True)
        letters, end = ([path[0].value for path in found[0]], found[1]) if found else ([], at)
    else:
        letter, end = numbers.read_number(tokens, following, level) if level else ("", at)
        letters = [letter] if letter else []
    mark = "app." if level == "appendix" else "subpt."
    return ([f"{number} {mark} {letter}{supplement}" for letter in letters], end) if letters else ([number], at)


def _sections(tokens: Cursor, at: int) -> tuple[list[Path], int]:
    """Read the Roman sections of an appendix: ", section II.B"; the appendix as a whole if there are none."""
    following = at + (tokens.low(at) == ",")
    following += tokens.low(following) in ("section", "sections")
    found = values.read_values(tokens, following, "section") if following > at else None
    return found if found and found[0][0][0].value.isalpha() else ([()], at)


def read_report(tokens: Cursor, at: int) -> Found | None:
    """Read a page, from its volume's number on."""
    report, end = named(tokens, at + 1, instruments().reports)
    page = read_number(tokens, end, "page") if report else None
    if page is None:
        return None
    return tokens.instrument(at, page[1], "federal_register", [f"{tokens.text(at)} {report} {page[0]}"])
