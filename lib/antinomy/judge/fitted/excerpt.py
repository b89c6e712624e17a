"""Which part of a long provision a pair is judged at: the clauses around the two that are nearest to each other."""

from __future__ import annotations

import numpy as np

from antinomy.judge.fitted.texts import Text

#: Longest provision, in characters, that is judged as a whole: as long as most of those that the decision was fitted
#: on. In a longer one the clause that matters would drown in what stands around it.
_WHOLE = 600
#: Length, in characters, of what is judged of a longer one: a clause and what is said in one breath with it.
_AROUND = 300


def focus(one: Text, two: Text) -> tuple[Text, Text]:
    """Return the part of each side that is judged; both sides whole where both are short."""
    if max(len(one.text), len(two.text)) <= _WHOLE:
        return one, two
    among = one.vectors @ two.vectors.T
    i, j = (int(k) for k in np.unravel_index(int(among.argmax()), among.shape))
    return _around(one, i), _around(two, j)


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
