"""Which part of a long provision a pair is judged at: the clauses around the two that are nearest to each other."""

from __future__ import annotations

from antinomy.judge.local.vectors import Text, cut, nearness
from antinomy.judge.norms import extract

#: Longest provision, in characters, that is judged as a whole: as long as those that the decision was fitted on. In a
#: longer one the clause that matters would drown in what stands around it.
_WHOLE = 600
#: Length, in characters, of what is judged of a longer one: a clause and what is said in one breath with it.
_AROUND = 300


def focus(left: str, right: str, one: Text, two: Text) -> tuple[tuple[str, Text], tuple[str, Text]]:
    """Return the part of each side that is judged, with its vectors; both sides whole where both are short."""
    if max(len(left), len(right)) <= _WHOLE:
        return (left, one), (right, two)
    i, j = nearness(one, two).best
    return _around(left, one, i), _around(right, two, j)


def _around(text: str, found: Text, clause: int) -> tuple[str, Text]:
    """Return a clause with as many of its neighbours, on both sides in turn, as are read together."""
    norms = extract(text)
    if len(text) <= _WHOLE or clause >= len(norms):
        return text, found
    first = last = clause
    grown = True
    while grown:
        before, after = (max(0, first - 1), last), (first, min(len(norms) - 1, last + 1))
        # Turn by turn, so that the clause stands in the middle.
        turns = (before, after) if last - clause >= clause - first else (after, before)
        grown = False
        for low, high in turns:
            if (low, high) != (first, last) and norms[high].end - norms[low].start <= _AROUND:
                first, last, grown = low, high, True
                break
    start, end = norms[first].start, norms[last].end
    return text[start:end], cut(text, found, start, end)
