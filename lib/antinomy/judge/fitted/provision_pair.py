"""A pair of provisions, and the similarities between their clauses, words and norms."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from antinomy.judge.fitted.edits import Difference, find_difference
from antinomy.judge.fitted.texts import Text
from antinomy.judge.rules.clauses import ClausePair, pair_clauses
from antinomy.norms.definitions import common_term

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: Longest provision, in characters, that is compared as a whole; most provisions of the training data are no longer. In
#: a longer one the relevant clause would be outweighed by the text around it.
_MAX_WHOLE_CHARS = 600
#: Longest excerpt of a longer provision, in characters: a clause with its neighbours.
_MAX_EXCERPT_CHARS = 300
#: A definition that only refers to another place, or gives a name ("the Act means the Harbours Act 2012"): there is no
#: meaning to compare.
_DEFINED_ELSEWHERE = re.compile(
    r"\b(?:as defined in|(?:has|have) the (?:same )?meaning (?:as|given|assigned|set out|laid down))\b"
    r"|\bmeans (?:the )?[A-Z](?:[\w.’'&-]|\([^()]*\)|,? (?=[A-Z\d(])| (?:of|and|the|for|on|in|to)(?= ))*[.;]?\s*$"
)


@dataclass(frozen=True, eq=False)
class ProvisionPair:
    """Two provisions; the features, the decision and the quoted clauses all come from this.

    Each property is computed on first use.

    Attributes:
        left, right: the provisions, or excerpts of them.
        headings: above the left and the right provision.
    """

    left: Text
    right: Text
    headings: tuple[str, str] = ("", "")

    @cached_property
    def difference(self) -> Difference | None:
        """How the two differ, if their wording is nearly equal and the difference can be interpreted."""
        found = find_difference(self.left, self.right)
        # Two definitions of one term differ in meaning, not in what they demand.
        is_definition = found and found.relation != "overlap" and common_term(self.left.text, self.right.text)
        return None if is_definition else found

    @cached_property
    def term(self) -> str:
        """The term that both provisions define, "" for none."""
        if any(_DEFINED_ELSEWHERE.search(side.text) for side in (self.left, self.right)):
            return ""
        return common_term(self.left.text, self.right.text, self.headings)

    @cached_property
    def clause_cosines(self) -> NDArray[np.float32]:
        """Cosine similarities of the clauses, of shape (left clauses, right clauses)."""
        return self.left.clause_vectors @ self.right.clause_vectors.T

    @cached_property
    def word_cosines(self) -> NDArray[np.float32]:
        """Cosine similarities of the words, of shape (left words, right words); a row or column of 0 for no words."""
        if not self.left.words or not self.right.words:
            return np.zeros((max(1, len(self.left.words)), max(1, len(self.right.words))), dtype=np.float32)
        return self.left.word_vectors @ self.right.word_vectors.T

    @cached_property
    def norm_similarities(self) -> NDArray[np.float32]:
        """Similarities of the norms, of shape (left norms, right norms): mean over their clauses and their words."""
        by_words = np.zeros((len(self.left.norms), len(self.right.norms)), dtype=np.float32)
        if not by_words.size:
            return by_words
        by_clauses = self.clause_cosines[np.ix_(self.left.clause_of_norm, self.right.clause_of_norm)]
        for i, rows in enumerate(self.left.words_of_norms):
            for j, columns in enumerate(self.right.words_of_norms):
                cosines = self.word_cosines[rows, columns]
                if cosines.size and self.left.words and self.right.words:
                    by_words[i, j] = np.sqrt(max(0.0, cosines.max(axis=1).mean() * cosines.max(axis=0).mean()))
        mean: NDArray[np.float32] = (by_clauses + by_words) / np.float32(2)
        return mean

    @cached_property
    def clause_pairs(self) -> tuple[tuple[ClausePair, ...], ...]:
        """Every norm of the left provision with every norm of the right one; a row for each on the left."""
        return pair_clauses(self.left.norms, self.right.norms)

    @cached_property
    def excerpt(self) -> ProvisionPair:
        """The two most similar clauses with their neighbours; short provisions whole.

        In a long provision most of the text concerns other matters.
        """
        if max(len(self.left.text), len(self.right.text)) <= _MAX_WHOLE_CHARS:
            return self
        i, j = argmax(self.clause_cosines)
        return ProvisionPair(_excerpt_around(self.left, i), _excerpt_around(self.right, j))


def argmax(matrix: NDArray[np.float32]) -> tuple[int, int]:
    """Return row and column of the greatest number, the first of equals."""
    i, j = np.unravel_index(int(matrix.argmax()), matrix.shape)
    return int(i), int(j)


def _excerpt_around(text: Text, clause: int) -> Text:
    """Return a clause with as many of its neighbours as fit into an excerpt."""
    if len(text.text) <= _MAX_WHOLE_CHARS:
        return text
    spans = text.clause_spans
    first = last = clause
    grown = True
    while grown:
        before, after = (max(0, first - 1), last), (first, min(len(spans) - 1, last + 1))
        # From both sides in turn, which keeps the clause in the middle.
        options = (before, after) if last - clause >= clause - first else (after, before)
        grown = False
        for low, high in options:
            if (low, high) != (first, last) and spans[high][1] - spans[low][0] <= _MAX_EXCERPT_CHARS:
                first, last, grown = low, high, True
                break
    return text.excerpt(first, last)
