"""Sections of US statutes: "section 501(b) of the Gramm-Leach-Bliley Act", "GLBA section 501(b)", "UCC Article 4A"."""

from __future__ import annotations

import re

from antinomy.cite.codes import code_item
from antinomy.cite.cursor import Cursor, Found
from antinomy.cite.instruments import instruments
from antinomy.cite.model import Act, Path, Step
from antinomy.cite.us_numbers import subdivisions

_YEAR = re.compile(r"(?:17|18|19|20)[0-9]{2}$")
_SMALL = {"of", "and", "the", "for", "to", "in", "on", "-", "'", "s", ","}
_MAX_NAME = 14
#: Last words of names that may stand before a section's number.
_LAWS = frozenset({"Act", "Handbook", "Law", "Ordinance", "Regulations", "Rules", "Order"})


def _numbered(tokens: Cursor, at: int) -> tuple[str, int]:
    """Read "4A", "501": a number and the one letter that touches it."""
    number, at = tokens.text(at), at + 1
    if tokens.kind(at) == "word" and tokens.touches(at) and len(tokens.text(at)) == 1:
        number, at = number + tokens.text(at), at + 1
    return number, at


class Statutes:
    """Reads the names of statutes, and sections by their numbers."""

    def __init__(self, tokens: Cursor) -> None:
        """Read from these tokens."""
        self._tokens = tokens

    def sections(self, at: int) -> Found | None:
        """Read sections of a statute, from the word "section" on; its name may come before or after."""
        tokens = self._tokens
        paths: list[Path] = []
        end = following = at + 1
        while tokens.kind(following) == "num":
            number, after = _numbered(tokens, following)
            marks, end = subdivisions(tokens, after)
            paths.append((Step("section", number + marks),))
            following = tokens.separator(end)
            if following == end:
                break
        if not paths:
            return None
        named = self._behind(end)
        start = at
        if named is None:
            before = self.before(at)
            named = (before[0], end) if before else None
            start = before[1] if before else at
        if named is None:
            return [tokens.reference(at, end, [Act("that", "statute")], paths, "statute", "statute")], end
        acts = [Act("named", "statute", named[0])]
        return [tokens.reference(start, named[1], acts, paths, "statute", "statute")], named[1]

    def behind_of(self, at: int) -> tuple[list[Act], int] | None:
        """Read "of the Gramm-Leach-Bliley Act", "of the Harbours Act 1901" after a number: statute and next index."""
        named = self._behind(at)
        if named is None:
            return None
        name, end = named
        tokens = self._tokens
        if tokens.low(end) == "," and _YEAR.match(tokens.text(end + 1)):
            # "the Banking Regulation Act, 1949": in India and Canada a comma stands before the year
            end += 1
        if _YEAR.match(tokens.text(end)):
            name, end = f"{name} {tokens.text(end)}", end + 1
        elif tokens.low(end) == "of" and _YEAR.match(tokens.text(end + 1)):
            name, end = f"{name} of {tokens.text(end + 1)}", end + 2
        return [Act("named", "statute", name)], end

    def _behind(self, at: int) -> tuple[str, int] | None:
        tokens = self._tokens
        if tokens.low(at) != "of":
            return None
        at += 2 if tokens.low(at + 1) == "the" else 1
        if tokens.low(at) in instruments().statutes:
            return instruments().statutes[tokens.low(at)], at + 1
        if _YEAR.match(tokens.text(at)) and tokens.text(at + 1) in _LAWS:
            # "the 2000 Act"
            return tokens.joined(at, at + 2), at + 2
        for end in range(at, at + _MAX_NAME):
            if tokens.text(end) == "Act" and end > at:
                return self._name(at, end + 1), end + 1
            if not (tokens.text(end)[:1].isupper() or tokens.low(end) in _SMALL):
                return None
        return None

    def before(self, at: int) -> tuple[str, int] | None:
        """Read the statute whose name ends before a token: the name, with the year if there is one, and its start."""
        tokens = self._tokens
        end = at - 1 if tokens.low(at - 1) in (",", ":") else at
        if tokens.kind(end - 1) == "num" and tokens.text(end - 2) in _LAWS:
            named = self.before(end - 1)
            return (f"{named[0]} {tokens.text(end - 1)}", named[1]) if named else None
        if tokens.low(end - 1) in instruments().statutes:
            return instruments().statutes[tokens.low(end - 1)], end - 1
        if tokens.text(end - 1) not in _LAWS:
            return None
        start = end - 1
        while start > max(0, end - _MAX_NAME) and (
            tokens.text(start - 1)[:1].isupper() or tokens.low(start - 1) in ("of", "and", "-", "'", "s")
        ):
            start -= 1
        while start < end - 1 and (not tokens.text(start)[:1].isupper() or tokens.low(start) == "the"):
            start += 1
        return (self._name(start, end), start) if start < end - 1 else None

    def _name(self, start: int, end: int) -> str:
        """Name a statute in one way however it is written."""
        name = self._tokens.joined(start, end).replace("- ", "-")
        return instruments().statutes.get(name.lower(), name)


class UniformCode:
    """Reads citations of the Uniform Commercial Code."""

    starts = ("ucc",)

    def __init__(self, tokens: Cursor) -> None:
        """Read from these tokens."""
        self._tokens = tokens

    def read(self, at: int) -> Found | None:
        """Read an article, and its sections if they are named."""
        tokens = self._tokens
        following = at + 2 if tokens.low(at + 1) == "article" else at + 1
        if tokens.kind(following) != "num":
            return None
        article, end = _numbered(tokens, following)
        paths: list[Path] = []
        if tokens.low(end) in ("section", "sections"):
            item = code_item(tokens, end, "")
            while item is not None:
                paths.append((Step("section", item[0]),))
                end = item[2]
                following = tokens.separator(end)
                item = code_item(tokens, following, item[1]) if following > end else None
        return tokens.instrument(at, end, "statute", [f"UCC art. {article}"], paths)
