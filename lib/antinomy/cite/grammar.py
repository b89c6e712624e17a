"""Runs the grammars over a text's tokens from left to right."""

from __future__ import annotations

from collections.abc import Sequence

from antinomy.cite.acts import KINDS, TREATIES
from antinomy.cite.eu import EuGrammar
from antinomy.cite.eu_steps import LEVELS, ORDINALS
from antinomy.cite.handbook import Handbook
from antinomy.cite.instruments import Instruments
from antinomy.cite.model import Reference, Token
from antinomy.cite.names import Names
from antinomy.cite.outline import OutlineGrammar

_EU_STARTS = (
    frozenset(LEVELS)
    | frozenset(ORDINALS)
    | frozenset(KINDS)
    | {words[0] for words, _ in TREATIES}
    | {
        "this",
        "that",
        "these",
        "those",
        "sub",
        "council",
        "commission",
        "delegated",
        "implementing",
        "framework",
    }
)


def references(tokens: Sequence[Token], regime: str, names: Names, outline: bool = False) -> list[Reference]:
    """Read every citation phrase, left to right, none overlapping another.

    A text that is numbered through is read as such. A US text is read as a handbook first; of the European grammar it
    gets what names an act, since its own "section", "part" and "title" mean other things. Any other text is read as
    European, with US instruments.

    Args:
        tokens: of one text.
        regime: of its document.
        names: of the documents that it may cite.
        outline: its document is numbered through, see ``Tree.is_outline``.
    """
    if outline:
        return _outline_references(tokens, names)
    american = regime == "us"
    eu = EuGrammar(tokens, names)
    us = Handbook(tokens, names) if american else Instruments(tokens, names)
    found: list[Reference] = []
    at = 0
    read_to = 0
    while at < len(tokens):
        token = tokens[at]
        read = None
        european = token.low in _EU_STARTS or names.starts_alias(token)
        if european and not american:
            read = eu.phrase(at)
        if read is None and us.starts(at):
            read = us.phrase(at)
        if read is None and european and american and at >= read_to:
            read = eu.phrase(at)
            if read is not None:
                kept = [reference for reference in read[0] if _names_act(reference)]
                # What names no act is left to the handbook's grammar, and not read by the other twice.
                read_to = read[1]
                read = (kept, read_to) if kept else None
        if read is None:
            at += 1
            continue
        found.extend(read[0])
        at = max(read[1], at + 1)
    return found


def _outline_references(tokens: Sequence[Token], names: Names) -> list[Reference]:
    grammar = OutlineGrammar(tokens, names)
    found: list[Reference] = []
    at = 0
    while at < len(tokens):
        read = grammar.phrase(at)
        if read is None and (tokens[at].low in _EU_STARTS or names.starts_alias(tokens[at])):
            read = grammar.act(at)
            if read is not None and not all(map(_names_act, read[0])):
                read = None
        if read is None:
            at += 1
            continue
        found.extend(read[0])
        at = max(read[1], at + 1)
    return found


def _names_act(reference: Reference) -> bool:
    return any(act.how == "named" and act.ref for act in reference.acts)
