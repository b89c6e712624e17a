"""The names by which documents of the corpus are cited."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence

from antinomy.cite.model import DocumentInfo, Token

_WORD = re.compile(r"[^\W_]+")
# Words around the name in a booklet's title or alias.
_AROUND = re.compile(
    r"^\s*(?:the\s+)?(?:ffiec\s+)?(?:(?:it|information\s+technology)\s+)?(?:examination\s+)?(?:handbook|booklet)?\s*[:,–—-]*\s*"
    r"|\s+booklet\s*$",
    re.IGNORECASE,
)  # fmt: skip
_SMALL_WORDS = {"and", "of", "the", "for"}


def name_key(name: str) -> tuple[str, ...]:
    """Return the words of a name in lower case, without "FFIEC IT Examination Handbook" and "booklet"."""
    bare = _AROUND.sub("", name.replace("’", "'"))
    return tuple(word.lower() for word in _WORD.findall(bare))


class Names:
    """Looks up acts by alias and booklets by name.

    An alias is matched as written: "DORA", "Digital Operational Resilience Act". A single common word ("Audit") is no
    alias: it names a booklet only before the word "booklet".
    """

    def __init__(self, documents: Iterable[DocumentInfo], handbooks: Collection[str] = ()) -> None:
        """Index the names of these documents; a shared name belongs to the first.

        Args:
            documents: that may be cited.
            handbooks: ids of those that are cited as booklets; all others are cited by their names like acts.
        """
        self._aliases: dict[str, list[tuple[tuple[str, ...], str]]] = {}
        self._booklets: dict[tuple[str, ...], str] = {}
        for document in documents:
            for name in (document.title, *document.aliases):
                key = name_key(name)
                if not key:
                    continue
                self._booklets.setdefault(key, document.doc_id)
                initials = "".join(word[0] for word in key if word not in _SMALL_WORDS)
                if len(initials) >= 3:
                    self._booklets.setdefault((initials,), document.doc_id)
                words = tuple(_WORD.findall(name))
                telling = len(words) > 1 or (len(name) > 2 and name.isupper())
                if telling and "booklet" not in name.lower() and document.doc_id not in handbooks:
                    self._aliases.setdefault(words[0], []).append((words, document.doc_id))
        #: Words, in small letters, with which a booklet's name starts, and those with which an alias does.
        self.booklet_starts = frozenset(key[0] for key in self._booklets)
        self.alias_starts = frozenset(word.lower() for word in self._aliases)
        for known in self._aliases.values():
            known.sort(key=lambda pair: -len(pair[0]))

    def alias(self, tokens: Sequence[Token], at: int) -> tuple[str, int] | None:
        """Return the document whose alias starts at a token and the index after it."""
        if at >= len(tokens):
            return None
        for words, doc_id in self._aliases.get(tokens[at].text, ()):
            found = tuple(t.text for t in tokens[at : at + len(words)])
            if found == words:
                return doc_id, at + len(words)
        return None

    def booklet(self, name: str) -> str:
        """Return the doc_id of the booklet of that name, "" if the corpus has none."""
        return self._booklets.get(name_key(name), "")

    def booklet_at(self, tokens: Sequence[Token], at: int) -> tuple[str, int] | None:
        """Return the booklet whose unquoted name, and the word "booklet", start at a token."""
        words: list[str] = []
        for index in range(at, min(at + 8, len(tokens))):
            token = tokens[index]
            if token.kind != "word":
                if token.text == "," and words:
                    continue
                return None
            if token.low in ("booklet", "booklets"):
                found = self._booklets.get(tuple(words), "")
                return (found, index + 1) if found else None
            words.append(token.low)
        return None
