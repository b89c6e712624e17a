"""Two provisions laid side by side: which clauses and which measures answer each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache

from antinomy.judge.rules.scope import Bag, bag, similarity
from antinomy.judge.rules.typed import Typed, clocks, comparable, compare_measures, equal
from antinomy.norms.model import Measure, Norm, Word

#: Words on each side of a measure that say what it measures.
_NEAR = 4
#: Longest provision, in content words, whose wording is compared in order.
_LONGEST = 400


@dataclass(frozen=True, slots=True)
class MeasurePair:
    """Two measures that answer each other.

    Attributes:
        left, right: the measures.
        left_norm, right_norm: their clauses.
        host: similarity of what is measured, in [0, 1].
        typed: the comparison; None where the clocks or bounds say nothing.
        clock: 1.0 like clocks, 0.0 unlike, between where unsaid.
    """

    left: Measure
    right: Measure
    left_norm: Norm
    right_norm: Norm
    host: float
    typed: Typed | None
    clock: float


@lru_cache(maxsize=4096)
def norm_bag(norm: Norm) -> Bag:
    """Return the bag of a clause's words."""
    return bag(norm.words)


@lru_cache(maxsize=4096)
def _near(norm: Norm, measure: Measure) -> Bag:
    before = [w for w in norm.words if w.end <= measure.start][-_NEAR:]
    after = [w for w in norm.words if w.start >= measure.end][:_NEAR]
    return bag([*before, *after])


def measure_pairs(left: Sequence[Norm], right: Sequence[Norm]) -> list[MeasurePair]:
    """Pair the measures of two provisions one to one: the best host first, equal values before unequal ones."""
    options: list[tuple[float, int, tuple[str, ...], MeasurePair, int, int]] = []
    lefts = [(n, m) for n in left for m in n.measures]
    rights = [(n, m) for n in right for m in n.measures]
    for i, (a, m) in enumerate(lefts):
        for j, (b, k) in enumerate(rights):
            if not comparable(m, k):
                continue
            host = (similarity(norm_bag(a), norm_bag(b)) + similarity(_near(a, m), _near(b, k))) / 2
            clock = clocks(m, k)
            typed = compare_measures(m, k, a, b)
            pair = MeasurePair(m, k, a, b, host, typed, clock)
            same = 0.15 if equal(m, k) and m.bound == k.bound else 0.0
            role = 0.1 if m.role == k.role else 0.0
            # Ties are broken alike whichever side is called left.
            texts = tuple(sorted((m.text, k.text)))
            options.append((round(host + same + role + 0.1 * clock, 9), -(i + j), texts, pair, i, j))
    options.sort(key=lambda o: o[:3], reverse=True)
    used_left: set[int] = set()
    used_right: set[int] = set()
    pairs = []
    for _, _, _, pair, i, j in options:
        if i not in used_left and j not in used_right:
            used_left.add(i)
            used_right.add(j)
            pairs.append(pair)
    return pairs


def wording_order(left: Sequence[Word], right: Sequence[Word]) -> float:
    """Return how far two provisions run in the same words in the same order, in [0, 1].

    The measure is Ratcliff and Obershelp's (1988).
    """
    a, b = [w.stem for w in left[:_LONGEST]], [w.stem for w in right[:_LONGEST]]
    # It is not symmetric in its arguments, and the order of judging must not matter.
    if a > b:
        a, b = b, a
    return SequenceMatcher(None, a, b, autojunk=False).ratio()
