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


def references(tokens: Sequence[Token], regime: str, names: Names) -> list[Reference]:
    """Read every citation phrase, left to right, none overlapping another.

    A US text is read as a handbook first; of the European grammar it gets what names an act, since its own
    "section", "part" and "title" mean other things. Any other text is read as European, with US instruments.
    """
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


def _names_act(reference: Reference) -> bool:
    return any(act.how == "named" and act.ref for act in reference.acts)
