"""How alike two provisions or clauses are by their words, and whether they bind the same people."""

from __future__ import annotations

import math
from collections.abc import Sequence
from difflib import SequenceMatcher

from antinomy.norms.model import BagOfWords, Norm, Word
from antinomy.norms.words import lexicon

#: How far two different words of one group of the lexicon correspond.
SYNONYM = 0.8
#: Longest provision, in content words, whose wording is compared in order.
_LONGEST = 400


def coverage(a: BagOfWords, b: BagOfWords) -> float:
    """Return the share of ``a``'s weight that has a counterpart in ``b``, 0 for an empty bag."""
    if not a.total:
        return 0.0
    got = 0.0
    for s, weight in a.weights.items():
        if s in b.weights:
            got += weight
        elif a.concepts[s] & b.all_concepts:
            got += SYNONYM * weight
    return got / a.total


def similarity(a: BagOfWords, b: BagOfWords) -> float:
    """Return the geometric mean of the two bags' coverage of each other, in [0, 1]; symmetric.

    A few words that all recur in a long text do not make it alike: the lesser coverage pulls the mean down.
    """
    return math.sqrt(coverage(a, b) * coverage(b, a))


def wording_order(left: Sequence[Word], right: Sequence[Word]) -> float:
    """Return how far two provisions have the same words in the same order, in [0, 1].

    The measure is Ratcliff and Obershelp's (1988).
    """
    a, b = [w.stem for w in left[:_LONGEST]], [w.stem for w in right[:_LONGEST]]
    # It is not symmetric in its arguments, and the order of judging must not matter.
    if a > b:
        a, b = b, a
    return SequenceMatcher(None, a, b, autojunk=False).ratio()


def unmatched(a: BagOfWords, b: BagOfWords) -> list[tuple[str, float]]:
    """Return the weighty words of ``a`` without a counterpart in ``b``."""
    return [
        (s, w) for s, w in a.weights.items() if w >= 0.4 and s not in b.weights and not a.concepts[s] & b.all_concepts
    ]


def same_addressee(a: Norm, b: Norm) -> float:
    """Return 1.0 for one class of addressee, 0.0 for two that exclude each other, between them if unsaid."""
    if a.charter and b.charter and a.charter != b.charter:
        return 0.2
    if not a.addressee or not b.addressee:
        return 0.7
    if a.addressee == b.addressee:
        return 1.0
    side = lexicon().firm_side
    if a.addressee in side and b.addressee in side:
        return 1.0 if "firm" in (a.addressee, b.addressee) or "management" in (a.addressee, b.addressee) else 0.5
    return 0.1
