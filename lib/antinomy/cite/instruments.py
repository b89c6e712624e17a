"""US instruments outside the handbook: codes and letters, and here standards and laws.

standard = "NIST" ["SP" | "IR"] NUMBER [revision] | "FIPS" NUMBER | "ISO" NUMBER [":" YEAR] | "PCI DSS"
law      = "Pub. L." NUMBER "-" NUMBER | "UCC" ["Article"] NUMBER ["Section" NUMBER]
"""

from __future__ import annotations

from antinomy.cite.agency_letters import Letters
from antinomy.cite.codes import Found
from antinomy.cite.model import Path, Step

_SERIES = {"500", "800", "1500", "1800"}
_REVISIONS = {
    "rev": "Rev.", "revision": "Rev.", "vol": "Vol.", "volume": "Vol.",
    "v": "Ver.", "version": "Ver.",
}  # fmt: skip


class Instruments(Letters):
    """Reads citations of instruments outside the handbook."""

    #: Words that can start one; numbers can too.
    STARTS = frozenset({
        "sr", "ca", "occ", "cfpb", "fdic", "ots", "thrift", "fil", "fils", "ncua", "letter", "letters", "ceo",
        "bulletin", "nist", "sp", "fips", "iso", "pci", "payment", "public", "pub", "p", "ucc",
        "supervision",
    })  # fmt: skip

    def starts(self, at: int) -> bool:
        """Whether a citation can start at a token: cheap, and asked of every one."""
        return self._kind(at) == "num" or self._low(at) in self.STARTS

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
        if self._low(at) == "-" and self._touches(at) and self._kind(at + 1) == "num" and self._touches(at + 1):
            number, at = f"{number}-{self._text(at + 1)}", at + 2
        if number[-1] == "r" and self._kind(at) == "num" and self._touches(at):
            number, at = f"{number[:-1]} Rev. {self._text(at)}", at + 1
        for _ in range(3):
            following = at + 1 if self._low(at) == "," else at
            name = _REVISIONS.get(self._low(following))
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
        if self._low(end) == ":" and self._touches(end) and self._kind(end + 1) == "num" and self._touches(end + 1):
            number, end = f"{number}:{self._text(end + 1)}", end + 2
        return self._found(at, end, "iso", [f"{name} {number}"])

    def _law(self, at: int) -> Found | None:
        following = self._words(at, "public law") or self._words(at, "pub . l .") or self._words(at, "p . l .")
        if following:
            if self._low(following) == "pub":
                following = self._words(following, "pub . l .") or following
            if self._low(following) == "no":
                following += 2 if self._low(following + 1) == "." else 1
            found = self._hyphened(following)
            return self._found(at, found[2], "public_law", [f"Pub. L. {found[0]}-{found[1]}"]) if found else None
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
