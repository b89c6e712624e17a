"""One pair, read once: two provisions side by side, and what their clauses say of each other."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from antinomy.judge.fitted.edits import Difference, difference
from antinomy.judge.fitted.texts import Text
from antinomy.judge.rules.clauses import ClausePair, beside
from antinomy.norms.definitions import common_term

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: Longest provision, in characters, that is judged as a whole; most of those that the decision was fitted on are no
#: longer. In a longer one the clause that matters would drown in what stands around it.
_WHOLE = 600
#: Length, in characters, of the part of a longer one that is judged: a clause and its neighbours.
_AROUND = 300
#: A definition that only says where the term is defined: there is no meaning to compare.
_ELSEWHERE = re.compile(
    r"\b(?:as defined in|(?:has|have) the (?:same )?meaning (?:as|given|assigned|set out|laid down))\b"
)


@dataclass(frozen=True, eq=False)
class PairReading:
    """Two provisions side by side: the decision, its features and the quoted clauses all come from this.

    Each property is worked out when it is first asked for.

    Attributes:
        left, right: the provisions, or parts of them.
        headings: above the provisions.
    """

    left: Text
    right: Text
    headings: tuple[str, str] = ("", "")

    @cached_property
    def difference(self) -> Difference | None:
        """How the two differ, if they run in nearly the same words and the difference can be read."""
        found = difference(self.left, self.right)
        # Two definitions of one term differ in meaning, not in what they demand.
        defined = found and found.relation != "overlap" and common_term(self.left.text, self.right.text)
        return None if defined else found

    @cached_property
    def term(self) -> str:
        """The term that both sides define, "" for none."""
        if _ELSEWHERE.search(self.left.text) or _ELSEWHERE.search(self.right.text):
            return ""
        return common_term(self.left.text, self.right.text, self.headings)

    @cached_property
    def clause_cosines(self) -> NDArray[np.float32]:
        """How near the clauses of one side are to those of the other, of shape (left, right)."""
        return self.left.vectors @ self.right.vectors.T

    @cached_property
    def word_cosines(self) -> NDArray[np.float32]:
        """How near the words of one side are to those of the other; 0 for a side without words."""
        if not self.left.words or not self.right.words:
            return np.zeros((max(1, len(self.left.words)), max(1, len(self.right.words))), dtype=np.float32)
        return self.left.word_vectors @ self.right.word_vectors.T

    @cached_property
    def norm_nearness(self) -> NDArray[np.float32]:
        """How near the norms of one side are to those of the other, by their clauses' vectors and their own words."""
        found = np.zeros((len(self.left.norms), len(self.right.norms)), dtype=np.float32)
        if not found.size:
            return found
        clauses = self.clause_cosines[np.ix_(self.left.clause_of_norm, self.right.clause_of_norm)]
        for i, row in enumerate(self.left.norm_words):
            for j, column in enumerate(self.right.norm_words):
                part = self.word_cosines[row, column]
                if part.size and self.left.words and self.right.words:
                    found[i, j] = np.sqrt(max(0.0, part.max(axis=1).mean() * part.max(axis=0).mean()))
        both: NDArray[np.float32] = (clauses + found) / np.float32(2)
        return both

    @cached_property
    def clauses(self) -> tuple[tuple[ClausePair, ...], ...]:
        """Each norm of one side beside each of the other."""
        return beside(self.left.norms, self.right.norms)

    @cached_property
    def excerpt(self) -> PairReading:
        """The parts that the features describe: the nearest two clauses with neighbours; of short texts everything.

        In a long provision the text before and after a clause is mostly on other matters.
        """
        if max(len(self.left.text), len(self.right.text)) <= _WHOLE:
            return self
        i, j = argmax(self.clause_cosines)
        return PairReading(_around(self.left, i), _around(self.right, j))


def argmax(matrix: NDArray[np.float32]) -> tuple[int, int]:
    """Return row and column of the largest number, the first of equals."""
    i, j = np.unravel_index(int(matrix.argmax()), matrix.shape)
    return int(i), int(j)


def _around(text: Text, clause: int) -> Text:
    """Return a clause with as many of its neighbours as are read together."""
    if len(text.text) <= _WHOLE:
        return text
    spans = text.spans
    first = last = clause
    grown = True
    while grown:
        before, after = (max(0, first - 1), last), (first, min(len(spans) - 1, last + 1))
        # From both sides in turn, so that the clause stands in the middle.
        turns = (before, after) if last - clause >= clause - first else (after, before)
        grown = False
        for low, high in turns:
            if (low, high) != (first, last) and spans[high][1] - spans[low][0] <= _AROUND:
                first, last, grown = low, high, True
                break
    return text.part(first, last)
