"""The content words of a question, and what share of them a text covers, by stem or by synonym group."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache

from antinomy.norms.words import fold, read_words

#: Words of a question that say how it asks, not about what.
_QUESTION_WORDS = frozenset((
    "what", "which", "who", "whom", "whose", "where", "when", "why", "how", "many", "much", "often", "long", "far",
    "soon", "say", "says", "said", "tell", "show", "list", "give", "find", "does", "do", "did", "is", "are", "was",
    "were", "be", "been", "has", "have", "had", "can", "could", "may", "might", "must", "should", "shall", "will",
    "would", "need", "needs", "needed", "allowed", "required", "require", "requires", "requirement", "requirements",
    "rule", "rules", "provision", "provisions", "document", "documents", "regulation", "regulations", "regime",
    "regimes", "booklet", "booklets", "handbook", "handbooks", "speak", "speaks", "talk", "talks", "discuss",
    "discusses", "deal", "deals", "text", "mean", "means", "meaning", "please", "exactly", "concerning", "regarding",
    "about", "under",
    "both", "either", "each", "any", "all", "there", "else", "differ", "differs", "difference", "different", "one",
    "it", "they", "we", "our", "us", "me", "i", "you", "your", "happen", "happens", "apply", "applies", "applied",
    "take", "place", "let", "lets", "lay", "lays", "down", "set", "sets", "out", "number", "count", "total",
))  # fmt: skip


@lru_cache(maxsize=65536)
def content_words(text: str) -> frozenset[tuple[str, frozenset[str]]]:
    """Return the content words of a text: stem, and the groups of the lexicon that it belongs to."""
    folded = fold(text)
    found = set()
    for word in read_words(folded, 0, len(folded)):
        if folded[word.start : word.end] not in _QUESTION_WORDS:
            for stem in word.stem.split(" ") if " " in word.stem and not word.concepts else [word.stem]:
                found.add((stem, word.concepts))
    return frozenset(found)


class TopicIndex:
    """Measures how much of a question's topic a text covers.

    Args:
        texts: all texts; a word in few of them counts for more.
    """

    def __init__(self, texts: Iterable[str]) -> None:
        counts: Counter[str] = Counter()
        total = 0
        for text in texts:
            total += 1
            stems, groups = _stems_and_groups(content_words(text))
            counts.update(stems | groups)
        self._counts, self._total = counts, max(total, 1)

    def weight(self, name: str) -> float:
        """Return the inverse document frequency of a stem or group: 0 if it is in every text."""
        return math.log((self._total + 1) / (self._counts[name] + 0.5)) if name else 0.0

    def coverage(self, question: str, text: str) -> float:
        """Return the share of a question's words, by weight, that a text covers; words of the same group count less."""
        asked = content_words(question)
        if not asked:
            return 0.0
        stems, groups = _stems_and_groups(content_words(text))
        whole = part = 0.0
        for stem, own in asked:
            weight = max(self.weight(stem), 0.1)
            whole += weight
            if stem in stems:
                part += weight
            elif own & groups:
                part += 0.7 * weight
        return part / whole


@lru_cache(maxsize=65536)
def _stems_and_groups(words: frozenset[tuple[str, frozenset[str]]]) -> tuple[frozenset[str], frozenset[str]]:
    stems = frozenset(stem for stem, _ in words)
    return stems, frozenset(group for _, groups in words for group in groups)
