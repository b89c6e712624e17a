"""Letters and bulletins of the agencies.

    letter = ISSUER ["Letter" | "Bulletin" | …] NUMBER "-" NUMBER { sep NUMBER "-" NUMBER }

A number is written without leading noughts ("SR 00-4"), since the Handbook writes both and means one letter.
"""

from __future__ import annotations

from antinomy.cite.codes import Codes, Found

_BULLETIN_KINDS = {
    "bulletin": "Bulletin", "bulletins": "Bulletin", "circular": "Circular", "alert": "Alert",
    "alerts": "Alert", "letter": "Letter", "letters": "Letter", "issuance": "Issuance",
}  # fmt: skip
_BULLETIN_PREFIXES = {"banking", "advisory", "supervisory", "regulatory", "compliance", "thrift"}
_ISSUERS = {"occ": "OCC", "cfpb": "CFPB", "fdic": "FDIC", "ncua": "NCUA", "ots": "OTS"}


class Letters(Codes):
    """Reads citations of letters and bulletins."""

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

    def _series(self, at: int) -> tuple[str, int]:
        """Read "109" or, with the series between year and number, "01-CU-20"."""
        number, end = self._text(at), at + 1
        marks = self._low(end), self._low(end + 2)
        if marks == ("-", "-") and self._kind(end + 1) == "word" and self._kind(end + 3) == "num":
            return f"{number}-{self._text(end + 1).upper()}-{self._text(end + 3)}", end + 4
        return number, end

    def _letter(self, at: int) -> Found | None:
        word = self._low(at)
        if word in ("sr", "ca"):
            return self._fed_letter(at, at + 1)
        spelled = self._words(at, "supervision and regulation")
        if spelled:
            return self._fed_letter(at, spelled)
        if word in ("fil", "fils"):
            found = self._hyphened(at + 2 if self._low(at + 1) == "-" else at + 1)
            if found is None:
                return None
            return self._found(at, found[2], "letter", [f"FIL-{found[0].lstrip('0')}-{found[1]}"])
        if word == "ncua" or word in ("letter", "letters"):
            following = at + 2 if word == "ncua" else at + 1
            following = self._words(following, "to federal credit unions") or self._words(following, "to credit unions")
            return self._ncua_letter(at, following) if following else None
        if word == "ceo" and self._low(at + 1) in ("letter", "letters") and self._kind(at + 2) == "num":
            return self._found(at, at + 3, "letter", [f"OTS CEO Letter {self._text(at + 2)}"])
        return None

    def _fed_letter(self, at: int, following: int) -> Found | None:
        """Read "SR Letter 13-19/CA Letter 13-21", from what follows its issuer."""
        issuer = "CA" if self._low(at) == "ca" else "SR"
        if following == at + 1 and not self._text(at).isupper():
            return None
        if self._low(following) in ("letter", "letters"):
            following += 1
        refs, end = self._numbers(following, issuer)
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
        number, end = self._series(following)
        if self._low(end) == ")" and self._low(following - 1) == "(":
            end += 1
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
        following = self._words(following + 1, "and policy guidance") or following + 1
        if self._low(following) in (",", ";"):
            following += 1
        if self._low(following) == "no":
            following += 2 if self._low(following + 1) == "." else 1
        numbers, end = self._numbers(following, "")
        if not numbers and prefix and self._kind(following) == "num":
            number, end = self._series(following)
            numbers = [f" {number}"]
        if not numbers:
            return None
        if not issuer and self._kind(end) == "paren":
            issuer = _ISSUERS.get(self._low(end), "")
        if not issuer:
            return None
        return self._found(at, end, "letter", [f"{issuer} {prefix}{kind}{number}" for number in numbers])
