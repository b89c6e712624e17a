"""Looking at tokens by index; what both grammars share."""

from __future__ import annotations

from collections.abc import Sequence

from antinomy.cite.model import Token
from antinomy.cite.names import Names


class Cursor:
    """Tokens of one text and the names of the documents that it may cite."""

    def __init__(self, tokens: Sequence[Token], names: Names) -> None:
        """Read these tokens, with these names for documents."""
        self._tokens = tokens
        self._names = names

    def _low(self, at: int) -> str:
        return self._tokens[at].low if 0 <= at < len(self._tokens) else ""

    def _text(self, at: int) -> str:
        return self._tokens[at].text if 0 <= at < len(self._tokens) else ""

    def _kind(self, at: int) -> str:
        return self._tokens[at].kind if 0 <= at < len(self._tokens) else ""

    def _touches(self, at: int) -> bool:
        """Whether a token follows the one before it without a space."""
        return 0 < at < len(self._tokens) and self._tokens[at].start == self._tokens[at - 1].end

    def _words(self, at: int, words: str) -> int:
        """Read these words: the next index, or 0 where they do not stand there."""
        for word in words.split():
            if self._low(at) != word:
                return 0
            at += 1
        return at

    def _separator(self, at: int) -> int:
        """Read ",", "and", ", or", "and/or", "as well as": the next index, or ``at`` if none stands there."""
        following = at
        if self._low(following) == ",":
            following += 1
        word = self._low(following)
        if word in ("and", "or", "&"):
            following += 1
            if self._low(following) == "/" and self._low(following + 1) == "or":
                following += 2
        elif word == "as" and self._low(following + 1) == "well" and self._low(following + 2) == "as":
            following += 3
        return following
