"""Sections of US statutes: "section 501(b) of the Gramm-Leach-Bliley Act", "GLBA section 501(b)"."""

from __future__ import annotations

from antinomy.cite.codes import Found
from antinomy.cite.instruments import Instruments
from antinomy.cite.model import Act, Path, Reference, Step

_STATUTES = {
    "glba": "Gramm-Leach-Bliley Act",
    "fdia": "Federal Deposit Insurance Act",
    "fdicia": "Federal Deposit Insurance Corporation Improvement Act",
    "fcra": "Fair Credit Reporting Act",
    "bsca": "Bank Service Company Act",
    "usa patriot act": "USA PATRIOT Act",
}
_SMALL = {"of", "and", "the", "for", "to", "in", "on", "-", "'", "s", ","}
_MAX_NAME = 14


class Statutes(Instruments):
    """Reads citations of sections of statutes."""

    def _reference(
        self, start: int, end: int, acts: list[Act], paths: list[Path], rule: str, kind: str, title: str = ""
    ) -> Reference:
        return Reference(
            self._tokens[start].start,
            self._tokens[end - 1].end,
            paths,
            acts,
            rule=rule,
            kind=kind,
            title=title,
        )

    def _statutory(self, at: int) -> Found | None:
        """Read "section 501(b) of the Gramm-Leach-Bliley Act", "GLBA section 501(b)"."""
        paths: list[Path] = []
        base, end = "", at + 1
        while self._kind(end if not paths else self._separator(end)) == "num":
            following = end if not paths else self._separator(end)
            if paths and following == end:
                break
            number, after = self._text(following), following + 1
            if self._kind(after) == "word" and self._touches(after) and len(self._text(after)) == 1:
                number, after = number + self._text(after), after + 1
            marks, end = self._subdivisions(after)
            base = number
            paths.append((Step("section", base + marks),))
        if not paths:
            return None
        named = self._statute_after(end)
        start = at
        if named is None:
            before = self._statute_before(at)
            named = (before[0], end) if before else None
            start = before[1] if before else at
        if named is None:
            return [self._reference(at, end, [Act("that", "statute")], paths, "statute", "statute")], end
        acts = [Act("named", "statute", named[0])]
        return [self._reference(start, named[1], acts, paths, "statute", "statute")], named[1]

    def _statute_after(self, at: int) -> tuple[str, int] | None:
        if self._low(at) != "of":
            return None
        at += 2 if self._low(at + 1) == "the" else 1
        if self._low(at) in _STATUTES:
            return _STATUTES[self._low(at)], at + 1
        for end in range(at, at + _MAX_NAME):
            if self._text(end) == "Act" and end > at:
                return self._statute(at, end + 1), end + 1
            if not (self._text(end)[:1].isupper() or self._low(end) in _SMALL):
                return None
        return None

    def statute_of(self, at: int) -> tuple[list[Act], int] | None:
        """Read "of the Gramm-Leach-Bliley Act", "of the Harbours Act 1901" behind a number: statute and next index."""
        named = self._statute_after(at)
        if named is None:
            return None
        name, end = named
        if self._kind(end) == "num" and len(self._text(end)) == 4 and self._text(end)[:2] in ("17", "18", "19", "20"):
            name, end = f"{name} {self._text(end)}", end + 1
        return [Act("named", "statute", name)], end

    def _statute_before(self, at: int) -> tuple[str, int] | None:
        end = at - 1 if self._low(at - 1) in (",", ":") else at
        if self._low(end - 1) in _STATUTES:
            return _STATUTES[self._low(end - 1)], end - 1
        if self._text(end - 1) not in ("Act", "Handbook"):
            return None
        start = end - 1
        while start > max(0, end - _MAX_NAME) and (
            self._text(start - 1)[:1].isupper() or self._low(start - 1) in ("of", "and", "-", "'", "s")
        ):
            start -= 1
        while start < end - 1 and (not self._text(start)[:1].isupper() or self._low(start) == "the"):
            start += 1
        return (self._statute(start, end), start) if start < end - 1 else None

    def _statute(self, start: int, end: int) -> str:
        """Name a statute in one way however it is written."""
        name = self._title(start, end).replace("- ", "-")
        return _STATUTES.get(name.lower(), name)

    def _title(self, start: int, end: int) -> str:
        """Put tokens together again as printed, without an abbreviation in brackets."""
        words: list[str] = []
        for at in range(start, end):
            if self._kind(at) == "paren" and self._text(at).isupper():
                continue
            words.append(("" if self._touches(at) or not words else " ") + self._text(at))
        return "".join(words)
