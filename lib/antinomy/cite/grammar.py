"""Grammars: which kinds of citation are read in which texts, in order of preference."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from antinomy.cite import (
    codes,
    controls,
    eu,
    handbook,
    instrument_places,
    levels,
    outline,
    rule_sets,
    series,
)
from antinomy.cite.corpus import Tree
from antinomy.cite.cursor import Cursor, Found
from antinomy.cite.instruments import instruments
from antinomy.cite.model import Reference, Token
from antinomy.cite.names import Names
from antinomy.cite.tokens import unbracketed

#: In ``Part.starts``: any number, number in brackets, word in capitals, word with a capital letter, and the names of
#: the corpus's acts and booklets.
NUMBER, MARK, CAPITALS, INITIAL, ALIAS, BOOKLET = "0", "(", "A", "Aa", "alias", "booklet"


@dataclass(frozen=True, slots=True)
class Part:
    """One kind of citation.

    Attributes:
        starts: the words, in small letters, with which one may start, and the marks above.
        read: reads the citation that starts at a token, looking at a bounded number of tokens; None if none does.
    """

    starts: frozenset[str]
    read: Callable[[Cursor, int], Found | None]


def _part(read: Callable[[Cursor, int], Found | None], *starts: str) -> Part:
    return Part(frozenset(starts), read)


_CONTROLS = _part(controls.read, *controls.FAMILIES)
_NAMED = _part(instrument_places.read, *series.STARTS, *instruments().statutes, INITIAL, CAPITALS)
_RULE_SETS = _part(rule_sets.read, INITIAL)
#: Instruments that any text may cite.
_INSTRUMENTS = (
    _part(codes.read, NUMBER),
    _part(codes.read_report, NUMBER),
)
#: A text that is numbered through is read by its own numbers.
_OUTLINE = (
    _part(controls.read_own, CAPITALS),
    _part(outline.read_rule, NUMBER, CAPITALS, INITIAL, "."),
    _RULE_SETS,
    _CONTROLS,
    _NAMED,
    *_INSTRUMENTS,
    _part(outline.read, *outline.STARTS, NUMBER, CAPITALS, MARK),
    _part(instrument_places.read_named_document, *eu.STARTS, ALIAS),
    _part(instrument_places.read_numbered_title, INITIAL),
)
#: A text that is neither numbered through nor an act is read as a handbook.
_HANDBOOK = (
    _part(handbook.read_quoted_name, '"'),
    _part(handbook.read_standards, "interagency", "information"),
    _RULE_SETS,
    _CONTROLS,
    _NAMED,
    _part(instrument_places.read_before_series, *levels.LEVEL_WORDS),
    *_INSTRUMENTS,
    _part(handbook.read_place, *handbook.LEVELS),
    _part(handbook.read_procedure, *handbook.PROCEDURES),
    _part(handbook.read_pointing, "this", "previous", "preceding", "next"),
    _part(handbook.read_table, "table", "tables", "footnote", "footnotes"),
    _part(handbook.read_number, *handbook.ROMAN),
    _part(handbook.read_statement, "ffiec"),
    _part(handbook.read_booklet, BOOKLET, "handbook", "this"),
    _part(eu.read_with_act, *eu.STARTS, ALIAS),
)
#: An act of articles is read as a European one.
_EUROPEAN = (
    _part(instrument_places.read_before_series, *levels.LEVEL_WORDS),
    _part(eu.read, *eu.STARTS, ALIAS),
    _part(eu.read_letter, *levels.LETTER_WORDS),
    *_INSTRUMENTS,
    _CONTROLS,
    _part(instrument_places.read_series, *series.STARTS, CAPITALS),
)


class Grammar:
    """Reads the citations of one document's texts."""

    def __init__(self, tree: Tree, names: Names, rulebook: bool = False) -> None:
        """Choose the parts.

        Args:
            tree: of the document.
            names: of the documents that it may cite.
            rulebook: whether it is a rulebook or a Part of one, which cites other Parts by their names.
        """
        self._names = names
        self._rulebook = rulebook
        self._codes = tree.codes if tree.is_outline else frozenset[str]()
        self._books = frozenset(tree.books.values() if tree.is_outline else ())
        self._rule_numbers = tree.rule_numbers if tree.is_outline else {}
        self._terms = tree.terms if tree.is_outline else frozenset[str]()
        self._rule_levels = tree.rule_levels if tree.is_outline else {}
        parts = _OUTLINE if tree.is_outline else _HANDBOOK if tree.is_handbook else _EUROPEAN
        named = {ALIAS: names.alias_starts, BOOKLET: names.booklet_starts}
        starts = [part.starts.union(*(words for mark, words in named.items() if mark in part.starts)) for part in parts]
        # Word → the parts whose citations may start with it.
        self._by_word = {
            word: [
                part
                for part, own in zip(parts, starts, strict=True)
                if word in own or (CAPITALS in own and word != INITIAL) or INITIAL in own
            ]
            for word in set[str]().union(*starts)
        }

    def references(self, tokens: Sequence[Token]) -> list[Reference]:
        """Read every citation phrase of a text, left to right, none overlapping another."""
        tokens = unbracketed(tokens, self._books)
        cursor = Cursor(
            tokens, self._names, self._rulebook, self._codes, self._books, self._rule_numbers, self._terms,
            self._rule_levels,
        )  # fmt: skip
        found: list[Reference] = []
        at = 0
        while at < len(tokens):
            following = at + 1
            for part in self._candidates(tokens[at]):
                if read := part.read(cursor, at):
                    found.extend(read[0])
                    following = max(read[1], following)
                    break
            at = following
        return found

    def _candidates(self, token: Token) -> Sequence[Part]:
        if token.kind == "num":
            return self._by_word.get(NUMBER, ())
        if token.low in self._by_word:
            return self._by_word[token.low]
        if token.kind == "paren":
            return self._by_word.get(MARK, ())
        if token.text.isupper():
            return self._by_word.get(CAPITALS, ())
        return self._by_word.get(INITIAL, ()) if token.text[:1].isupper() else ()
