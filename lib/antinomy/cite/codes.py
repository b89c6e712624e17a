"""Codes: CFR and USC with their parts, appendices and subdivisions, and the Federal Register.

code     = TITLE ("CFR" | "USC") item { sep item }
item     = ["part" | "§"] NUMBER { "(" NUMBER ")" } [ ["supplement A to"] "appendix" LETTER [ section ] ]
register = NUMBER ("Fed. Reg." | "FR") NUMBER
"""

from __future__ import annotations

import re

from antinomy.cite.cursor import Cursor
from antinomy.cite.model import Act, Path, Reference, Step

Found = tuple[list[Reference], int]

_SUBDIVISION = re.compile(r"(?:[0-9]{1,3}|[a-z]{1,4}|[A-Z])$")
_ROMAN = re.compile(r"[IVX]{1,5}$")
_MAX_TITLE = 60
# A number before one of these goes on no list of parts: "12 CFR 364 and 30 days".
_COUNTED = {
    "days", "day", "hours", "months", "years", "weeks", "business", "calendar", "percent", "million",
    "billion", "federal", "fed", "fr",
}  # fmt: skip


class Codes(Cursor):
    """Reads citations of codes."""

    def _found(self, start: int, end: int, kind: str, refs: list[str], paths: list[Path] | None = None) -> Found:
        acts = [Act("named", kind, ref) for ref in dict.fromkeys(refs)]
        reference = Reference(
            self._tokens[start].start, self._tokens[end - 1].end, paths or [()], acts, rule=kind, kind=kind
        )
        return [reference], self._past_title(end)

    def _past_title(self, at: int) -> int:
        """Step over the instrument's quoted title: what it names is the instrument itself."""
        following = at + 1 if self._low(at) in (",", ":") else at
        if self._low(following) != '"':
            return at
        for closing in range(following + 1, following + _MAX_TITLE):
            if self._low(closing) == '"':
                return closing + 1
        return at

    def _dotted(self, at: int, letters: str) -> int:
        """Read an abbreviation with or without points ("CFR", "C.F.R."): the next index, or 0."""
        if self._low(at) == letters:
            return at + 1
        for letter in letters:
            if self._low(at) != letter:
                return 0
            at += 1
            if self._low(at) == ".":
                at += 1
            elif letter != letters[-1]:
                return 0
        # "U.S.C.C.A.N." is a series of reports.
        return 0 if self._kind(at) == "word" and self._touches(at) else at

    def _code(self, at: int) -> Found | None:
        kind = "cfr"
        following = self._dotted(at + 1, "cfr")
        if not following:
            # U.S.C.A. is the same code with annotations.
            kind, following = "usc", self._dotted(at + 1, "usc") or self._dotted(at + 1, "usca")
        if not following:
            return None
        if self._low(following) == ":":
            following += 1
        refs: list[str] = []
        paths: list[Path] = [()]
        base, end = "", following
        while paths == [()]:
            start = end if not refs else self._next_item(end)
            item = self._item(start, base) if not refs or start > end else None
            if item is None:
                break
            number, base, end = item
            if kind == "cfr":
                number, end = self._appendix(end, number)
                section, end = self._appendix_section(end) if " app. " in number else ("", end)
                if section and not refs:
                    paths = [(Step("section", section),)]
            refs.append(f"{self._text(at)} {kind.upper()} {number}")
        return self._found(at, end, kind, refs, paths) if refs else None

    def _next_item(self, at: int) -> int:
        following = self._separator(at)
        return at + 1 if following == at and self._low(at) == "/" else following

    def _item(self, at: int, base: str) -> tuple[str, str, int] | None:
        """Read "part 30", "208.61", "1867(c)(1)" or, behind one of them, "(e)": number, base, next."""
        if base and self._kind(at) == "paren":
            marks, end = self._subdivisions(at)
            return (base + marks, base, end) if marks else None
        if self._low(at) in ("part", "parts", "pt", "pts", "section", "sections", "§"):
            at += 2 if self._low(at) in ("pt", "pts") and self._low(at + 1) == "." else 1
            if self._low(at) == "§":
                at += 1
        if self._kind(at) != "num" or self._dotted(at + 1, "cfr") or self._dotted(at + 1, "usc"):
            return None
        if base and self._low(at + 1) in _COUNTED:
            return None
        number = self._text(at)
        at += 1
        while (
            self._low(at) in (".", "-") and self._touches(at) and self._kind(at + 1) == "num" and self._touches(at + 1)
        ):
            number += self._low(at) + self._text(at + 1)
            at += 2
        marks, end = self._subdivisions(at)
        return number + marks, number, end

    def _subdivisions(self, at: int) -> tuple[str, int]:
        marks = ""
        while self._kind(at) == "paren" and _SUBDIVISION.match(self._text(at)) and len(marks) < 40:
            marks += f"({self._text(at)})"
            at += 1
        return marks, at

    def _appendix(self, at: int, number: str) -> tuple[str, int]:
        """Read "appendix B", "supplement A to appendix B", "subpart C" behind a part's number."""
        following = at + 1 if self._low(at) == "," else at
        supplement = ""
        if self._low(following) == "supplement" and self._low(following + 2) == "to":
            supplement = f" supp. {self._text(following + 1)}"
            following += 3
        if self._low(following) in ("appendix", "app"):
            following += 2 if self._low(following + 1) == "." else 1
            letter, end = self._appendix_letter(following)
            return (f"{number} app. {letter}{supplement}", end) if letter else (number, at)
        if self._low(following) == "subpart" and not supplement:
            letter, end = self._appendix_letter(following + 1)
            return (f"{number} subpt. {letter}", end) if letter else (number, at)
        return number, at

    def _appendix_letter(self, at: int) -> tuple[str, int]:
        """Read "B" or "D-2"; "E48" is appendix E and the mark of footnote 48."""
        letter = self._text(at)
        if self._kind(at) != "word" or len(letter) != 1 or not letter.isupper():
            return "", at
        at += 1
        if self._low(at) == "-" and self._touches(at) and self._kind(at + 1) == "num" and self._touches(at + 1):
            return f"{letter}-{self._text(at + 1)}", at + 2
        return letter, at + (self._kind(at) == "num" and self._touches(at))

    def _appendix_section(self, at: int) -> tuple[str, int]:
        following = at + 1 if self._low(at) == "," else at
        if self._low(following) == "section":
            following += 1
        section, end = self._roman_section(following) if following > at else ("", at)
        return (section, end) if section else ("", at)

    def _roman_section(self, at: int) -> tuple[str, int]:
        """Read "II", "II.C", "II.C.10(a)"; "" and the same index where none stands there."""
        if self._kind(at) != "word" or not _ROMAN.match(self._text(at)):
            return "", at
        value, at = self._text(at), at + 1
        while self._low(at) == "." and self._touches(at) and self._touches(at + 1) and value.count(".") < 6:
            part = self._text(at + 1)
            if self._kind(at + 1) != "num" and not (self._kind(at + 1) == "word" and len(part) == 1):
                break
            value, at = f"{value}.{part}", at + 2
        while (
            self._kind(at) == "paren" and self._touches(at) and _SUBDIVISION.match(self._text(at)) and len(value) < 30
        ):
            value, at = f"{value}({self._text(at)})", at + 1
        return value, at

    def _register(self, at: int) -> Found | None:
        following = self._words(at + 1, "federal register") or self._words(at + 1, "fr")
        if not following and self._low(at + 1) == "fed":
            following = self._words(at + 1, "fed . reg .") or self._words(at + 1, "fed reg")
        if not following or self._kind(following) != "num":
            return None
        page, end = self._text(following), following + 1
        while self._low(end) == "," and self._touches(end) and self._kind(end + 1) == "num" and self._touches(end + 1):
            page, end = page + self._text(end + 1), end + 2
        return self._found(at, end, "federal_register", [f"{self._text(at)} FR {page}"])
