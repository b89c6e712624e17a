"""Places in other instruments: named before them, "CPS 234, paragraph 20", and behind them, "clause 6 of ISO 27001"."""

from __future__ import annotations

import re

from antinomy.cite import eu, places, series, titles
from antinomy.cite.cursor import Cursor, Found
from antinomy.cite.instruments import instruments
from antinomy.cite.levels import LEVEL_WORDS
from antinomy.cite.model import Act
from antinomy.cite.titles import NO_NAME

_MAX_TITLE = 14
_MAX_BRACKETS = 12
_MIN_SHORT = 2
_PLACE_WORDS = LEVEL_WORDS | {"§"}
#: Levels that neither a handbook nor a European act has, or does not cite so.
_OTHERS = frozenset({"title", "principle", "rule"})
#: At the end of a title.
_YEAR = re.compile(r" [0-9]{4}$")


def read(tokens: Cursor, at: int) -> Found | None:
    """Read the instruments that are named from a token on, with the places behind them."""
    if found := read_series(tokens, at):
        return found
    if named := titles.read(tokens, at):
        acts, end = named
        return read_behind(tokens, at, acts, end) or read_behind(tokens, at, acts, _past_brackets(tokens, end))
    return _short(tokens, at) if tokens.kind(at) == "word" and tokens.text(at).isupper() else None


def read_series(tokens: Cursor, at: int) -> Found | None:
    """Read instruments that are named by their numbers, with the places behind them."""
    found = series.read_named(tokens, at)
    if found is None:
        return None
    acts, end = found[0], tokens.past_title(found[1])
    placed = read_behind(tokens, at, acts, end) or read_behind(tokens, at, acts, _past_words(tokens, end))
    return placed or tokens.instrument(at, found[1], acts[0].kind, [act.ref for act in acts])


def read_numbered_title(tokens: Cursor, at: int) -> Found | None:
    """Read an instrument with a number or a year in its title: "CSSF Circular 12/552", "Harbours Act 1901"."""
    named = titles.read(tokens, at)
    if named is None or named[0][0].ref.count(" ") < 2:
        # "Notice 12" alone may be the number of a paragraph, "the 2000 Act" was named before.
        return None
    act, end = named[0][0], named[1]
    if act.kind in instruments().numbered:
        return tokens.instrument(at, end, "instrument", [act.ref])
    return tokens.instrument(at, end, act.kind, [act.ref]) if _YEAR.search(act.ref) else None


def _short(tokens: Cursor, at: int) -> Found | None:
    """Read a place behind a name in short: "FSMA s. 137G", "OR-2, section 4"."""
    text = tokens.text(at)
    if tokens.touches(at + 1) and (numbered := series.read_number(tokens, at, "code")):
        return read_behind(tokens, at, [Act("named", "instrument", numbered[0])], numbered[1])
    following = tokens.text(at + 1)
    place = tokens.low(at + 1) in _PLACE_WORDS and not (following.isupper() and len(following) > 1)
    if len(text) < _MIN_SHORT or text.lower() in NO_NAME or text in tokens.books or not place:
        return None
    return read_behind(tokens, at, [Act("named", "instrument", text)], at + 1)


def _past_brackets(tokens: Cursor, at: int) -> int:
    """Step over brackets behind a name, "(Cap. 571)"; ``at`` if there are none."""
    if tokens.kind(at) == "paren" and tokens.text(at).isupper():
        return at + 1
    if tokens.low(at) != "(":
        return at
    return next((n + 1 for n in range(at + 1, at + _MAX_BRACKETS) if tokens.low(n) == ")"), at)


def read_behind(tokens: Cursor, start: int, acts: list[Act], end: int) -> Found | None:
    """Read the place behind a name: "Harbours Act 2040, section 5(1)", "Banking Law section 36", "SA-2 (section 4)"."""
    bracketed = tokens.low(end) == "("
    place = places.read_place(tokens, end + 1 if bracketed or tokens.low(end) in (",", ":") else end)
    if place is None or tokens.low(place[1]) == "of" or (bracketed and tokens.low(place[1]) != ")"):
        return None
    return tokens.placed(start, place[1] + bracketed, places.in_statute(place[0], acts), acts)


def _past_words(tokens: Cursor, at: int) -> int:
    """Step over a title without marks, "CPS 234 Information Security, paragraph 20"; ``at`` if there is none."""
    end = at
    while end < at + _MAX_TITLE and tokens.kind(end) == "word":
        if not (tokens.text(end)[:1].isupper() or end > at) or tokens.low(end) in LEVEL_WORDS:
            return at
        end += 1
    return end if tokens.low(end) == "," else at


def read_before_series(tokens: Cursor, at: int) -> Found | None:
    """Read the places and "of" the instrument."""
    place = places.read_place(tokens, at)
    if place is None or tokens.low(place[1]) not in ("of", "in"):
        return None
    behind = place[1] + 1 + (tokens.low(place[1] + 1) == "the")
    named = series.read_named(tokens, behind)
    first = place[0][0][0]
    if named is None and (first.level in _OTHERS or "." in first.value):
        # "title V of the Gramm-Leach-Bliley Act", "Section 4.7 of the EBA Guidelines"
        named = titles.read(tokens, behind)
    if named is None:
        return None
    return tokens.placed(at, named[1], place[0], named[0])


def read_named_document(tokens: Cursor, at: int) -> Found | None:
    """Read the documents named from a token on; None if a place among them belongs to none."""
    found = eu.read(tokens, at)
    if found is not None and len(found[0]) == 1 and found[0][0].paths == [()]:
        acts, end = found[0][0].acts, found[1]
        found = read_behind(tokens, at, acts, end) or found
    return found if found is not None and all(reference.names_act for reference in found[0]) else None
