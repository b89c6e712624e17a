"""European acts as they are named in text: numbered, by treaty, by alias, or as "this" and "that" act.

acts = ("this" | "that") ACT | ACT item { sep item } | treaty | alias
item = ["(EU)"] ["No"] NUMBER "/" NUMBER ["/EC"]
"""

from __future__ import annotations

from antinomy.cite.acts import COMMUNITIES, KINDS, TREATIES, celex
from antinomy.cite.cursor import Cursor
from antinomy.cite.model import Act

# Words before the kind of an act, which its number makes superfluous.
_AUTHORS = {"council", "commission", "delegated", "implementing", "framework"}
# Instruments that have no number; their articles are not this document's.
_INSTRUMENTS = {"agreement", "protocol", "convention", "statute", "rules", "report", "law", "code", "act"}


class ActGrammar(Cursor):
    """Reads the names of acts."""

    def _names_act(self, at: int) -> tuple[list[Act], int] | None:
        """Read a treaty's or a known document's name: "TFEU", "Treaty on European Union", an alias."""
        for words, ref in TREATIES:
            if self._low(at) == words[0] and all(self._low(at + n) == w for n, w in enumerate(words)):
                return [Act("named", "treaty", ref)], at + len(words)
        found = self._names.alias(self._tokens, at)
        return ([Act("named", "act", found[0])], found[1]) if found else None

    def _acts(self, at: int) -> tuple[list[Act], int] | None:
        """Read the acts behind "of": this, that, numbered, a treaty, an alias."""
        word = self._low(at)
        if word in ("this", "that", "those", "these"):
            named = KINDS.get(self._low(at + 1))
            treaty = self._low(at + 1) in ("treaty", "charter")
            if (named is None and not treaty) or not self._tokens[at + 1].text[0].isupper():
                return None
            if self._item(at + 2, "regulation") is not None:
                return None
            how = {"these": "this", "this": "this", "that": "that", "those": "those"}[word]
            return [Act(how, named[0] if named else "treaty")], at + 2
        definite = word in ("the", "a")
        following = at + 1 if definite else at
        found = self.act_phrase(following) or self._names_act(following)
        if found is not None:
            return found
        if not definite or not self._text(following)[:1].isupper():
            return None
        if self._low(following) in ("treaty", "charter"):
            return [Act("that", "treaty")], following + 1
        kind = KINDS.get(self._low(following))
        if kind is None:
            return None
        # An act that is described and not numbered ("the Regulation on markets in crypto-assets").
        described = self._low(following + 1) in ("on", "of")
        return [Act("named" if described else "the", kind[0])], following + 1

    def _unnumbered(self, at: int) -> list[Act]:
        """Read what follows "Article 5 of the": a convention has articles too, but no number."""
        word = self._text(at)
        for distance in range(4):
            if self._low(at + distance) in _INSTRUMENTS:
                return [Act("named", "act")]
        return [Act("named", "act")] if word[:1].isupper() and self._kind(at) == "word" else []

    def _item(self, at: int, kind: str, framework: bool = False) -> tuple[str, int] | None:
        """Read "(EU) No 1093/2010", "2009/110/EC", "No 716/2009/EC"."""
        if self._kind(at) == "paren" and self._tokens[at].low in COMMUNITIES:
            at += 1
        elif self._low(at) == "(" and self._low(at + 1) in COMMUNITIES:
            while at < len(self._tokens) and self._low(at) != ")" and (self._low(at) in COMMUNITIES | {"(", ","}):
                at += 1
            if self._low(at) != ")":
                return None
            at += 1
        marked = self._low(at) in ("no", "nos", "nr")
        if marked:
            at += 1
            if self._low(at) == ".":
                at += 1
        if self._kind(at) != "act":
            return None
        ref = celex(kind, self._tokens[at].text, marked, framework)
        return (ref, at + 1) if ref else None

    def act_phrase(self, at: int) -> tuple[list[Act], int] | None:
        """Read numbered acts: "Council Directives 78/660/EEC and 83/349/EEC"."""
        framework = False
        for _ in range(4):
            if self._low(at) in _AUTHORS:
                framework = framework or self._low(at) == "framework"
                at += 1
        kind = KINDS.get(self._low(at))
        if kind is None or not self._tokens[at].text[0].isupper():
            return None
        at += 1
        acts: list[Act] = []
        following = at
        while True:
            found = self._item(following, kind[0], framework)
            if found is None:
                break
            acts.append(Act("named", kind[0], found[0]))
            at = found[1]
            following = self._separator(at)
            if following == at:
                break
        return (acts, at) if acts else None
