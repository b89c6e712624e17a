"""One pair, read once: the two provisions side by side, which clauses answer each other, and what they say."""

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

#: Longest provision, in characters, that is judged as a whole: as long as most of those that the decision was fitted
#: on. In a longer one the clause that matters would drown in what stands around it.
_WHOLE = 600
#: Length, in characters, of what is judged of a longer one: a clause and what is said in one breath with it.
_AROUND = 300
#: A definition that only says where the term is defined: what it means is not here to compare.
_ELSEWHERE = re.compile(
    r"\b(?:as defined in|(?:has|have) the (?:same )?meaning (?:as|given|assigned|set out|laid down))\b"
)


@dataclass(frozen=True, eq=False)
class PairReading:
    """Two provisions side by side: what is decided on, described by numbers, and quoted to explain the verdict.

    Each property is worked out when it is first asked for, and kept as long as the reading.

    Attributes:
        left, right: the provisions, or parts of them.
        headings: above the provisions.
    """

    left: Text
    right: Text
    headings: tuple[str, str] = ("", "")

    @cached_property
    def difference(self) -> Difference | None:
        """What one says otherwise than the other, where they run in nearly the same words and it can be read."""
        found = difference(self.left, self.right)
        # Where two definitions of one term differ, it is by their meaning and no demand.
        defined = found and found.relation != "overlap" and common_term(self.left.text, self.right.text)
        return None if defined else found

    @cached_property
    def term(self) -> str:
        """The term that both sides define, "" if they define none in common."""
        if _ELSEWHERE.search(self.left.text) or _ELSEWHERE.search(self.right.text):
            return ""
        return common_term(self.left.text, self.right.text, self.headings)

    @cached_property
    def among(self) -> NDArray[np.float32]:
        """How near the clauses of one side are to those of the other, of shape (left, right)."""
        return self.left.vectors @ self.right.vectors.T

    @cached_property
    def words(self) -> NDArray[np.float32]:
        """How near the words of one side are to those of the other; one word that is near none where a side is bare."""
        if not self.left.words or not self.right.words:
            return np.zeros((max(1, len(self.left.words)), max(1, len(self.right.words))), dtype=np.float32)
        return self.left.word_vectors @ self.right.word_vectors.T

    @cached_property
    def near(self) -> NDArray[np.float32]:
        """How near the norms of one side are to those of the other: by their clauses' vectors and their own words."""
        found = np.zeros((len(self.left.norms), len(self.right.norms)), dtype=np.float32)
        if not found.size:
            return found
        homes = self.among[np.ix_(self.left.homes, self.right.homes)]
        for i, row in enumerate(self.left.norm_words):
            for j, column in enumerate(self.right.norm_words):
                part = self.words[row, column]
                if part.size and self.left.words and self.right.words:
                    found[i, j] = np.sqrt(max(0.0, part.max(axis=1).mean() * part.max(axis=0).mean()))
        both: NDArray[np.float32] = (homes + found) / np.float32(2)
        return both

    @cached_property
    def clauses(self) -> tuple[tuple[ClausePair, ...], ...]:
        """What each norm of one side says of each of the other."""
        return beside(self.left.norms, self.right.norms)

    @cached_property
    def excerpt(self) -> PairReading:
        """The parts that the numbers describe: the clauses around the two that are nearest; all where both are short.

        What stands before and after a clause in a long provision is mostly another matter.
        """
        if max(len(self.left.text), len(self.right.text)) <= _WHOLE:
            return self
        i, j = place_of_most(self.among)
        return PairReading(_around(self.left, i), _around(self.right, j))


def place_of_most(among: NDArray[np.float32]) -> tuple[int, int]:
    """Return row and column of the largest number, the first of equals."""
    i, j = np.unravel_index(int(among.argmax()), among.shape)
    return int(i), int(j)


def _around(text: Text, clause: int) -> Text:
    """Return a clause with as many of its neighbours, on both sides in turn, as are read together."""
    if len(text.text) <= _WHOLE:
        return text
    spans = text.spans
    first = last = clause
    grown = True
    while grown:
        before, after = (max(0, first - 1), last), (first, min(len(spans) - 1, last + 1))
        # Turn by turn, so that the clause stands in the middle.
        turns = (before, after) if last - clause >= clause - first else (after, before)
        grown = False
        for low, high in turns:
            if (low, high) != (first, last) and spans[high][1] - spans[low][0] <= _AROUND:
                first, last, grown = low, high, True
                break
    return text.part(first, last)
