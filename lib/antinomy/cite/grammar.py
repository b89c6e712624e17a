"""Grammars: lists of parts in order of preference, run over a text's tokens from left to right."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from antinomy.cite.booklets import Guidelines, PlainBooklets, QuotedNames, Statements, ThisBooklet
from antinomy.cite.bulletins import Bulletins
from antinomy.cite.codes import Codes, Reports
from antinomy.cite.controls import Controls
from antinomy.cite.cursor import CAPITALS, INITIAL, MARK, NUMBER, Cursor, Found, Part
from antinomy.cite.eu import EuPhrases
from antinomy.cite.handbook import HandbookPlaces
from antinomy.cite.instrument_places import InstrumentPlaces, NamedDocuments, NumberedTitles, PlacesBeforeSeries
from antinomy.cite.model import Reference, Token
from antinomy.cite.names import Names
from antinomy.cite.outline import OutlinePlaces
from antinomy.cite.rule_sets import RuleSets
from antinomy.cite.series import Series
from antinomy.cite.statutes import UniformCode

#: Instruments that any text may cite.
_INSTRUMENTS: tuple[Callable[[Cursor], Part], ...] = (Codes, Reports, Series, Bulletins, Controls)


class EuropeanActs:
    """Reads citations of European acts in a handbook, whose "section", "part" and "title" are its own."""

    def __init__(self, tokens: Cursor) -> None:
        """Read from these tokens."""
        self._phrases = EuPhrases(tokens)
        self._read_to = 0
        self.starts = self._phrases.starts

    def read(self, at: int) -> Found | None:
        """Read the acts and places in them named from a token on."""
        found = self._phrases.read(at) if at >= self._read_to else None
        if found is None:
            return None
        kept = [reference for reference in found[0] if reference.names_act]
        # Citations that name no act are left to the handbook's parts.
        self._read_to = found[1]
        return (kept, found[1]) if kept else None


#: A text that is numbered through is read by its own numbers.
_OUTLINE: tuple[Callable[[Cursor], Part], ...] = (
    RuleSets,
    UniformCode,
    InstrumentPlaces,
    *_INSTRUMENTS,
    OutlinePlaces,
    NamedDocuments,
    NumberedTitles,
)
#: A US text is read as a handbook first.
_HANDBOOK: tuple[Callable[[Cursor], Part], ...] = (
    QuotedNames,
    Guidelines,
    RuleSets,
    UniformCode,
    InstrumentPlaces,
    PlacesBeforeSeries,
    *_INSTRUMENTS,
    HandbookPlaces,
    ThisBooklet,
    Statements,
    PlainBooklets,
    EuropeanActs,
)
#: Any other text is read as European.
_EUROPEAN: tuple[Callable[[Cursor], Part], ...] = (EuPhrases, *_INSTRUMENTS, UniformCode)


class Grammar:
    """Reads the citations of one document's texts."""

    def __init__(self, regime: str, names: Names, outline: bool = False, rulebook: bool = False) -> None:
        """Choose the parts.

        Args:
            regime: of the document.
            names: of the documents that it may cite.
            outline: whether it is numbered through, see ``Tree.is_outline``.
            rulebook: whether it is a rulebook or a Part of one, which cites other Parts by their names.
        """
        self._names = names
        self._rulebook = rulebook
        self._parts: tuple[Callable[[Cursor], Part], ...] = (
            _OUTLINE if outline else _HANDBOOK if regime == "us" else _EUROPEAN
        )
        starts = [set(part(Cursor((), names)).starts) for part in self._parts]
        # Word → the parts whose citations may start with it.
        self._by_word = {
            word: [
                n
                for n, own in enumerate(starts)
                if word in own or (CAPITALS in own and word != INITIAL) or INITIAL in own
            ]
            for word in set[str]().union(*starts)
        }

    def references(self, tokens: Sequence[Token]) -> list[Reference]:
        """Read every citation phrase of a text, left to right, none overlapping another."""
        cursor = Cursor(tokens, self._names, self._rulebook)
        # Made when first needed: most texts cite nothing.
        parts: dict[int, Part] = {}
        found: list[Reference] = []
        at = 0
        while at < len(tokens):
            read = None
            for n in self._candidates(tokens[at]):
                if n not in parts:
                    parts[n] = self._parts[n](cursor)
                read = parts[n].read(at)
                if read is not None:
                    break
            if read is None:
                at += 1
                continue
            found.extend(read[0])
            at = max(read[1], at + 1)
        return found

    def _candidates(self, token: Token) -> Sequence[int]:
        if token.kind == "num":
            return self._by_word.get(NUMBER, ())
        if token.low in self._by_word:
            return self._by_word[token.low]
        if token.kind == "paren":
            return self._by_word.get(MARK, ())
        if token.text.isupper():
            return self._by_word.get(CAPITALS, ())
        return self._by_word.get(INITIAL, ()) if token.text[:1].isupper() else ()
