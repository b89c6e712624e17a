"""US instruments: codes, statutes at large, supervisory letters, standards.

code      = TITLE ("CFR" | "USC") item { sep item }
item      = ["part" | "§"] NUMBER { "(" NUMBER ")" } [ ["supplement A to"] "appendix" LETTER [ section ] ]
letter    = ISSUER ["Letter" | "Bulletin" | …] NUMBER "-" NUMBER { sep NUMBER "-" NUMBER }
standard  = "NIST" ["SP" | "IR"] NUMBER [revision] | "FIPS" NUMBER | "ISO" NUMBER [":" YEAR] | "PCI DSS"
law       = "Pub. L." NUMBER "-" NUMBER | NUMBER "Fed. Reg." NUMBER
"""

from __future__ import annotations

import re

from antinomy.cite.cursor import Cursor
from antinomy.cite.model import Act, Path, Reference, Step

Found = tuple[list[Reference], int]

_SUBDIVISION = re.compile(r"(?:[0-9]{1,3}|[a-z]{1,4}|[A-Z])$")
_ROMAN = re.compile(r"[IVX]{1,5}$")
_SERIES = {"500", "800", "1500", "1800"}
_BULLETIN_KINDS = {
    "bulletin": "Bulletin", "bulletins": "Bulletin", "circular": "Circular", "alert": "Alert",
    "alerts": "Alert", "letter": "Letter", "letters": "Letter", "issuance": "Issuance",
}  # fmt: skip
_BULLETIN_PREFIXES = {"banking", "advisory", "supervisory", "regulatory", "compliance", "thrift"}
_ISSUERS = {"occ": "OCC", "cfpb": "CFPB", "fdic": "FDIC", "ncua": "NCUA", "ots": "OTS"}
_MAX_TITLE = 60


class Instruments(Cursor):
    """Reads citations of instruments outside the handbook."""

    #: Words that can start one; numbers can too.
    STARTS = frozenset({
        "sr", "ca", "occ", "cfpb", "fdic", "ots", "thrift", "fil", "fils", "ncua", "letter", "letters", "ceo",
        "bulletin", "nist", "sp", "fips", "iso", "pci", "payment", "public", "pub", "p", "ucc",
    })  # fmt: skip

    def phrase(self, at: int) -> Found | None:
        """Read the citation that starts at a token, with the quoted title behind it.

        Returns:
            Its references and the index of the first token after it; None if none starts here.
        """
        if self._kind(at) == "num":
            return self._code(at) or self._register(at)
        if self._low(at) in self.STARTS:
            return self._letter(at) or self._bulletin(at) or self._standard(at) or self._law(at)
        return None

    def _found(
        self, start: int, end: int, kind: str, refs: list[str], paths: list[Path] | None = None
    ) -> Found:
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

    # -- codes

    def _code(self, at: int) -> Found | None:
        kind = "cfr"
        following = self._dotted(at + 1, "cfr")
        if not following:
            kind, following = "usc", self._dotted(at + 1, "usc")
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
        if self._low(at) in ("part", "parts", "section", "sections", "§"):
            at += 1
            if self._low(at) == "§":
                at += 1
        if self._kind(at) != "num" or self._dotted(at + 1, "cfr") or self._dotted(at + 1, "usc"):
            return None
        if (
            base
            and self._kind(at + 1) == "word"
            and self._low(at + 1) not in ("appendix", "app", "and", "or", "subpart")
        ):
            # "12 CFR 364 and 30 days", "15 USC 6801 and 66 Federal Register 8616".
            return None
        number = self._text(at)
        at += 1
        while (
            self._low(at) in (".", "-")
            and self._touches(at)
            and self._kind(at + 1) == "num"
            and self._touches(at + 1)
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
        if (
            self._low(at) == "-"
            and self._touches(at)
            and self._kind(at + 1) == "num"
            and self._touches(at + 1)
        ):
            return f"{letter}-{self._text(at + 1)}", at + 2
        return letter, at + (self._kind(at) == "num" and self._touches(at))

    def _appendix_section(self, at: int) -> tuple[str, int]:
        following = at + 1 if self._low(at) == "," else at
        if self._low(following) == "section":
            following += 1
        return self._roman_section(following) if following > at else ("", at)

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
            self._kind(at) == "paren"
            and self._touches(at)
            and _SUBDIVISION.match(self._text(at))
            and len(value) < 30
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
        while (
            self._low(end) == ","
            and self._touches(end)
            and self._kind(end + 1) == "num"
            and self._touches(end + 1)
        ):
            page, end = page + self._text(end + 1), end + 2
        return self._found(at, end, "federal_register", [f"{self._text(at)} FR {page}"])

    # -- letters

    def _hyphened(self, at: int) -> tuple[str, str, int] | None:
        """Read "13-19", "2013-29": both numbers without leading noughts in the second."""
        if self._kind(at) == self._kind(at + 2) == "num" and self._low(at + 1) == "-":
            return self._text(at), self._text(at + 2).lstrip("0") or "0", at + 3
        return None

    def _numbers(self, at: int, prefix: str) -> tuple[list[str], int]:
        refs: list[str] = []
        found = self._hyphened(at)
        while found is not None:
            refs.append(f"{prefix} {found[0]}-{found[1]}")
            at = found[2]
            following = self._separator(at)
            found = self._hyphened(following) if following > at else None
        return refs, at

    def _letter(self, at: int) -> Found | None:
        word = self._low(at)
        if word in ("sr", "ca"):
            return self._fed_letter(at)
        if word in ("fil", "fils"):
            found = self._hyphened(at + 2 if self._low(at + 1) == "-" else at + 1)
            if found is None:
                return None
            return self._found(at, found[2], "letter", [f"FIL-{found[0].lstrip('0')}-{found[1]}"])
        if word == "ncua" or word in ("letter", "letters"):
            start = at + 1 if word == "ncua" else at
            following = self._words(start, "letter to credit unions") or self._words(
                start, "letters to credit unions"
            )
            return self._ncua_letter(at, following) if following else None
        if word == "ceo" and self._low(at + 1) in ("letter", "letters") and self._kind(at + 2) == "num":
            return self._found(at, at + 3, "letter", [f"OTS CEO Letter {self._text(at + 2)}"])
        return None

    def _fed_letter(self, at: int) -> Found | None:
        """Read "SR Letter 13-19/CA Letter 13-21"."""
        if not self._text(at).isupper():
            return None
        following = at + 1
        if self._low(following) in ("letter", "letters"):
            following += 1
        refs, end = self._numbers(following, self._text(at))
        if not refs:
            return None
        twin = end + 1 if self._low(end) == "/" else 0
        if twin:
            twin = self._words(twin, "consumer affairs ca") or twin
            if self._low(twin) == "ca":
                twin += 1
            if self._low(twin) in ("letter", "letters"):
                twin += 1
            more, after = self._numbers(twin, "CA")
            if more:
                refs, end = refs + more, after
        return self._found(at, end, "letter", refs)

    def _ncua_letter(self, at: int, following: int) -> Found | None:
        while self._low(following) in (",", "no", ".", "(", "number"):
            following += 1
        if self._kind(following) != "num":
            return None
        number, end = self._text(following), following + 1
        if (
            self._low(end) == "-"
            and self._low(end + 1) == "cu"
            and self._low(end + 2) == "-"
            and self._kind(end + 3) == "num"
        ):
            number, end = f"{number}-CU-{self._text(end + 3)}", end + 4
        return self._found(at, end, "letter", [f"NCUA Letter {number}"])

    def _bulletin(self, at: int) -> Found | None:
        """Read "OCC Bulletin 2013-29", "(OCC) Bulletin 2023-17", "Bulletin 2003-14 (OCC)"."""
        word = self._low(at)
        issuer = _ISSUERS.get(word, "OTS" if word == "thrift" else "")
        following = at + 1 if issuer and word != "thrift" else at
        if not issuer and self._kind(at - 1) == "paren":
            issuer = _ISSUERS.get(self._low(at - 1), "")
        prefix = ""
        if self._low(following) in _BULLETIN_PREFIXES:
            prefix = self._text(following) + " "
            following += 1
        kind = _BULLETIN_KINDS.get(self._low(following))
        if kind is None:
            return None
        following += 1
        if self._low(following) == "no":
            following += 2 if self._low(following + 1) == "." else 1
        numbers, end = self._numbers(following, "")
        if not numbers and prefix and self._kind(following) == "num":
            numbers, end = [" " + self._text(following)], following + 1
        if not numbers:
            return None
        if not issuer and self._kind(end) == "paren":
            issuer = _ISSUERS.get(self._low(end), "")
        if not issuer:
            return None
        return self._found(at, end, "letter", [f"{issuer} {prefix}{kind}{number}" for number in numbers])

    # -- standards and laws

    def _standard(self, at: int) -> Found | None:
        word = self._low(at)
        if word in ("nist", "sp", "fips"):
            return self._nist(at)
        if word == "iso":
            return self._iso(at)
        for words in ("pci dss", "pci data security standard", "pci data security standards"):
            end = self._words(at, words)
            if end:
                return self._found(at, end, "pci", ["PCI DSS"])
        end = self._words(at, "payment card industry data security standard")
        return self._found(at, end, "pci", ["PCI DSS"]) if end else None

    def _nist(self, at: int) -> Found | None:
        following = at
        series = ""
        for _ in range(4):
            word = self._low(following)
            if word in ("nist", "pub", "publication") and (word == "nist" or series == "FIPS"):
                following += 1
            elif word in ("sp", "ir", "fips") and not series:
                series, following = word.upper(), following + 1
            elif self._words(following, "special publication") and not series:
                series, following = "SP", following + 2
        refs: list[str] = []
        end = following
        while True:
            number, after = self._nist_number(following, series or "SP")
            if not number:
                break
            name = f"FIPS {number}" if series == "FIPS" else f"NIST {series or 'SP'} {number}"
            refs.append(name)
            end = after
            following = self._separator(end)
            if following == end or series in ("IR", "FIPS"):
                break
        return self._found(at, end, "nist", refs) if refs else None

    def _nist_number(self, at: int, series: str) -> tuple[str, int]:
        if self._kind(at) != "num":
            return "", at
        number, at = self._text(at), at + 1
        if series == "SP":
            if number not in _SERIES or self._low(at) != "-" or self._kind(at + 1) != "num":
                return "", at
            number, at = f"{number}-{self._text(at + 1)}", at + 2
        elif self._low(at) == "-" and self._touches(at) and self._kind(at + 1) == "num":
            number, at = f"{number}-{self._text(at + 1)}", at + 2
        if self._kind(at) == "word" and self._touches(at) and len(self._text(at)) == 1:
            number, at = number + self._text(at), at + 1
        if (
            self._low(at) == "-"
            and self._touches(at)
            and self._kind(at + 1) == "num"
            and self._touches(at + 1)
        ):
            number, at = f"{number}-{self._text(at + 1)}", at + 2
        if number[-1] == "r" and self._kind(at) == "num" and self._touches(at):
            number, at = f"{number[:-1]} Rev. {self._text(at)}", at + 1
        for _ in range(3):
            following = at + 1 if self._low(at) == "," else at
            name = {
                "rev": "Rev.",
                "revision": "Rev.",
                "vol": "Vol.",
                "volume": "Vol.",
                "v": "Ver.",
                "version": "Ver.",
            }.get(self._low(following))
            following += 2 if self._low(following + 1) == "." else 1
            if name is None or self._kind(following) != "num":
                break
            number, at = f"{number} {name} {self._text(following)}", following + 1
        return number, at

    def _iso(self, at: int) -> Found | None:
        name, following = "ISO", at + 1
        while self._low(following) == "/" and self._low(following + 1) in ("iec", "ieee") and len(name) < 12:
            name, following = f"{name}/{self._text(following + 1)}", following + 2
        if self._kind(following) != "num" or len(self._text(following)) < 3:
            return None
        number, end = self._text(following), following + 1
        if self._low(end) == "-" and self._touches(end) and self._kind(end + 1) == "num":
            number, end = f"{number}-{self._text(end + 1)}", end + 2
        if (
            self._low(end) == ":"
            and self._touches(end)
            and self._kind(end + 1) == "num"
            and self._touches(end + 1)
        ):
            number, end = f"{number}:{self._text(end + 1)}", end + 2
        return self._found(at, end, "iso", [f"{name} {number}"])

    def _law(self, at: int) -> Found | None:
        following = (
            self._words(at, "public law") or self._words(at, "pub . l .") or self._words(at, "p . l .")
        )
        if following:
            if self._low(following) == "pub":
                following = self._words(following, "pub . l .") or following
            if self._low(following) == "no":
                following += 2 if self._low(following + 1) == "." else 1
            found = self._hyphened(following)
            return (
                self._found(at, found[2], "public_law", [f"Pub. L. {found[0]}-{found[1]}"]) if found else None
            )
        if self._low(at) != "ucc":
            return None
        following = at + 2 if self._low(at + 1) == "article" else at + 1
        if self._kind(following) != "num":
            return None
        article, end = self._text(following), following + 1
        if self._kind(end) == "word" and self._touches(end) and len(self._text(end)) == 1:
            article, end = article + self._text(end), end + 1
        paths: list[Path] = []
        if self._low(end) in ("section", "sections"):
            item = self._item(end, "")
            while item is not None:
                paths.append((Step("section", item[0]),))
                end = item[2]
                following = self._separator(end)
                item = self._item(following, item[1]) if following > end else None
        return self._found(at, end, "statute", [f"UCC art. {article}"], paths)
