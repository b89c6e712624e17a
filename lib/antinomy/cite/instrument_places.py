"""Places in other instruments: named before them, "CPS 234, paragraph 20", and behind them, "clause 6 of ISO 27001"."""

from __future__ import annotations

import re

from antinomy.cite.cursor import INITIAL, Cursor, Found
from antinomy.cite.eu import EuPhrases
from antinomy.cite.instrument_names import in_statute
from antinomy.cite.instruments import instruments
from antinomy.cite.model import Act
from antinomy.cite.outline_numbers import LEVEL_WORDS, OutlineNumbers
from antinomy.cite.series import Series, code
from antinomy.cite.titles import NO_NAME, Titles

_MAX_TITLE = 14
_MAX_BRACKETS = 12
_MIN_SHORT = 2
_PLACE_WORDS = LEVEL_WORDS | {"§"}
#: At the end of a title.
_YEAR = re.compile(r" [0-9]{4}$")


class InstrumentPlaces:
    """Reads places with the instrument that is named before them, by its number or its title."""

    def __init__(self, tokens: Cursor) -> None:
        """Read from these tokens."""
        self._tokens = tokens
        self._series = Series(tokens)
        self._titles = Titles(tokens)
        self._numbers = OutlineNumbers(tokens)
        self.starts = {*self._series.starts, *instruments().statutes, INITIAL}

    def read(self, at: int) -> Found | None:
        """Read the instruments and the places; None if there are only the instruments."""
        tokens = self._tokens
        if found := self._series.acts(at):
            acts, end = found[0], tokens.past_title(found[1])
            return self.behind(at, acts, end) or self.behind(at, acts, self._past_words(end))
        if tokens.alias(at) is not None:
            return None
        if named := self._titles.read(at):
            return self.behind(at, *named) or self.behind(at, named[0], self._past_brackets(named[1]))
        return self._short(at) if tokens.text(at).isupper() else None

    def _short(self, at: int) -> Found | None:
        """Read a place behind a name in short: "FSMA s. 137G", "OR-2, section 4"."""
        tokens = self._tokens
        text = tokens.text(at)
        if tokens.kind(at) == "word" and (numbered := code(tokens, at)):
            return self.behind(at, [Act("named", "instrument", numbered[0])], numbered[1])
        following = tokens.text(at + 1)
        place = tokens.low(at + 1) in _PLACE_WORDS and not (following.isupper() and len(following) > 1)
        if len(text) < _MIN_SHORT or text.lower() in NO_NAME or not place:
            return None
        return self.behind(at, [Act("named", "instrument", text)], at + 1)

    def _past_brackets(self, at: int) -> int:
        """Step over brackets behind a name, "(Cap. 571)"; ``at`` if there are none."""
        if self._tokens.kind(at) == "paren" and self._tokens.text(at).isupper():
            return at + 1
        if self._tokens.low(at) != "(":
            return at
        return next((n + 1 for n in range(at + 1, at + _MAX_BRACKETS) if self._tokens.low(n) == ")"), at)

    def behind(self, start: int, acts: list[Act], end: int) -> Found | None:
        """Read the place behind a name: "Harbours Act 2040, section 5(1)", "Banking Law section 36"."""
        tokens = self._tokens
        place = self._numbers.place(end + 1 if tokens.low(end) in (",", ":") else end)
        if place is None or tokens.low(place[1]) == "of":
            return None
        paths = in_statute(place[0]) if acts[0].kind == "statute" else place[0]
        return [tokens.reference(start, place[1], acts, paths, "outline", paths[0][-1].level)], place[1]

    def _past_words(self, at: int) -> int:
        """Step over a title without marks, "CPS 234 Information Security, paragraph 20"; ``at`` if there is none."""
        end = at
        while end < at + _MAX_TITLE and self._tokens.kind(end) == "word":
            if not (self._tokens.text(end)[:1].isupper() or end > at) or self._tokens.low(end) in LEVEL_WORDS:
                return at
            end += 1
        return end if self._tokens.low(end) == "," else at


class PlacesBeforeSeries:
    """Reads places whose instrument is named behind them, in a text whose own numbers are written in another way."""

    starts = tuple(LEVEL_WORDS)

    def __init__(self, tokens: Cursor) -> None:
        """Read from these tokens."""
        self._tokens = tokens
        self._series = Series(tokens)
        self._titles = Titles(tokens)
        self._numbers = OutlineNumbers(tokens)

    def read(self, at: int) -> Found | None:
        """Read the places and "of" the instrument."""
        place = self._numbers.place(at)
        if place is None or self._tokens.low(place[1]) not in ("of", "in"):
            return None
        behind = place[1] + 1 + (self._tokens.low(place[1] + 1) == "the")
        named = self._series.acts(behind)
        if named is None and place[0][0][0].level == "title":
            # "title V of the Gramm-Leach-Bliley Act": a handbook has no titles.
            named = self._titles.read(behind)
        if named is None:
            return None
        kind = place[0][0][-1].level
        return [self._tokens.reference(at, named[1], named[0], place[0], "outline", kind)], named[1]


class NamedDocuments:
    """Reads the names of European acts and of other documents, with the places after them."""

    def __init__(self, tokens: Cursor) -> None:
        """Read from these tokens."""
        self._tokens = tokens
        self._phrases = EuPhrases(tokens)
        self._places = InstrumentPlaces(tokens)
        self._numbers = OutlineNumbers(tokens)
        self.starts = self._phrases.starts

    def read(self, at: int) -> Found | None:
        """Read the documents named from a token on; None if a place among them belongs to none."""
        found = self._phrases.read(at)
        if found is not None and len(found[0]) == 1 and found[0][0].paths == [()]:
            acts, end = found[0][0].acts, found[1]
            found = self._places.behind(at, acts, end) or self._rules(at, acts, end) or found
        return found if found is not None and all(reference.names_act for reference in found[0]) else None

    def _rules(self, start: int, acts: list[Act], end: int) -> Found | None:
        """Read "Beacon Part 5.1", a rule by its number behind a document's name."""
        place = self._numbers.dotted(end)
        if place is None or self._tokens.low(place[1]) == "of":
            return None
        return [self._tokens.reference(start, place[1], acts, place[0], "outline", place[0][0][-1].level)], place[1]


class NumberedTitles:
    """Reads instruments by the number or the year in their titles: "CSSF Circular 12/552", "Harbours Act 1901"."""

    starts = (INITIAL,)

    def __init__(self, tokens: Cursor) -> None:
        """Read from these tokens."""
        self._tokens = tokens
        self._titles = Titles(tokens)

    def read(self, at: int) -> Found | None:
        """Read the instrument whose title starts at a token."""
        named = self._titles.read(at)
        if named is None or named[0][0].ref.count(" ") < 2:
            # "Notice 12" alone may be the number of a paragraph, "the 2000 Act" was named before.
            return None
        act, end = named[0][0], named[1]
        if act.kind in instruments().numbered:
            return self._tokens.instrument(at, end, "instrument", [act.ref])
        dated = _YEAR.search(act.ref)
        return self._tokens.instrument(at, end, act.kind, [act.ref]) if dated else None
