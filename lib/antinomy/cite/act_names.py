"""Names of European acts in text: numbered, by treaty, by alias, or as "this" and "that" act.

acts = ("this" | "that") ACT | ACT item { sep item } | treaty | alias
item = ["(EU)"] ["No"] NUMBER "/" NUMBER ["/EC"]
"""

from __future__ import annotations

from antinomy.cite.acts import KINDS, celex
from antinomy.cite.cursor import Cursor
from antinomy.cite.instruments import instruments
from antinomy.cite.model import Act

_COMMUNITIES = instruments().communities


def read_known(tokens: Cursor, at: int) -> tuple[list[Act], int] | None:
    """Read a treaty's or a known document's name: "TFEU", "Treaty on European Union", an alias."""
    for words, ref in instruments().treaties:
        if tokens.low(at) == words[0] and all(tokens.low(at + n) == w for n, w in enumerate(words)):
            return [Act("named", "treaty", ref)], at + len(words)
    found = tokens.alias(at)
    return ([Act("named", "act", found[0])], found[1]) if found else None


def read_behind_of(tokens: Cursor, at: int) -> tuple[list[Act], int] | None:
    """Read the acts after "of": this, that, numbered, a treaty, an alias."""
    word = tokens.low(at)
    if word in ("this", "that", "those", "these"):
        named = KINDS.get(tokens.low(at + 1))
        treaty = tokens.low(at + 1) in ("treaty", "charter")
        if (named is None and not treaty) or not tokens[at + 1].text[0].isupper():
            return None
        if _read_number(tokens, at + 2, "regulation") is not None:
            return None
        how = {"these": "this", "this": "this", "that": "that", "those": "those"}[word]
        return [Act(how, named or "treaty")], at + 2
    definite = word in ("the", "a")
    following = at + 1 if definite else at
    found = read_numbered(tokens, following) or read_known(tokens, following)
    if found is not None:
        return found
    if not definite or not tokens.text(following)[:1].isupper():
        return None
    if tokens.low(following) in ("treaty", "charter"):
        return [Act("that", "treaty")], following + 1
    kind = KINDS.get(tokens.low(following))
    if kind is None:
        return None
    # An act that is described and not numbered ("the Regulation on markets in crypto-assets").
    described = tokens.low(following + 1) in ("on", "of")
    return [Act("named" if described else "the", kind)], following + 1


def read_named_behind_of(tokens: Cursor, at: int) -> tuple[list[Act], int] | None:
    """Read the acts after "of" that are named by number, treaty or alias; None for "this" and "that" act."""
    found = read_behind_of(tokens, at)
    return found if found and all(act.how == "named" and act.ref for act in found[0]) else None


def read_unnumbered(tokens: Cursor, at: int) -> list[Act]:
    """Read what follows "Article 5 of the": a convention has articles too, but no number."""
    word = tokens.text(at)
    for distance in range(4):
        if tokens.low(at + distance) in instruments().unnumbered:
            return [Act("named", "act")]
    return [Act("named", "act")] if word[:1].isupper() and tokens.kind(at) == "word" else []


def _read_number(tokens: Cursor, at: int, kind: str, framework: bool = False) -> tuple[str, int] | None:
    """Read "(EU) No 1093/2010", "2009/110/EC", "No 716/2009/EC"."""
    if tokens.kind(at) == "paren" and tokens[at].low in _COMMUNITIES:
        at += 1
    elif tokens.low(at) == "(" and tokens.low(at + 1) in _COMMUNITIES:
        while at < len(tokens) and tokens.low(at) != ")" and (tokens.low(at) in _COMMUNITIES | {"(", ","}):
            at += 1
        if tokens.low(at) != ")":
            return None
        at += 1
    marked = tokens.low(at) in ("no", "nos", "nr")
    if marked:
        at += 1
        if tokens.low(at) == ".":
            at += 1
    if tokens.kind(at) != "act":
        return None
    ref = celex(kind, tokens[at].text, marked, framework)
    return (ref, at + 1) if ref else None


def read_numbered(tokens: Cursor, at: int) -> tuple[list[Act], int] | None:
    """Read numbered acts: "Council Directives 78/660/EEC and 83/349/EEC"."""
    framework = False
    for _ in range(4):
        if tokens.low(at) in instruments().authors:
            framework = framework or tokens.low(at) == "framework"
            at += 1
    kind = KINDS.get(tokens.low(at))
    if kind is None or not tokens[at].text[0].isupper():
        return None
    at += 1
    acts: list[Act] = []
    following = at
    while True:
        found = _read_number(tokens, following, kind, framework)
        if found is None:
            break
        acts.append(Act("named", kind, found[0]))
        at = found[1]
        following = tokens.separator(at)
        if following == at:
            break
    return (acts, at) if acts else None
