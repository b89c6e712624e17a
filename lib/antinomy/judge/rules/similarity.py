"""Lexical similarity of provisions and clauses, and whether two clauses bind the same party."""

from __future__ import annotations

import math
from collections.abc import Sequence
from difflib import SequenceMatcher

from antinomy.norms.model import BagOfWords, Norm, Word
from antinomy.norms.words import lexicon

#: Similarity of two words that are synonyms in the lexicon.
SYNONYM = 0.8
#: Number of content words of a provision whose order is compared.
_LONGEST = 400


def coverage(a: BagOfWords, b: BagOfWords) -> float:
    """Return the share of the weight of ``a`` that has a counterpart in ``b``, 0.0 for an empty bag."""
    if not a.total:
        return 0.0
    matched = 0.0
    for stem, weight in a.weights.items():
        if stem in b.weights:
            matched += weight
        elif a.concepts[stem] & b.all_concepts:
            matched += SYNONYM * weight
    return matched / a.total


def similarity(a: BagOfWords, b: BagOfWords) -> float:
    """Return the geometric mean of both bags' coverage of each other, in [0, 1]; symmetric.

    A short text whose words all recur in a long one is not similar to it: the lesser coverage lowers the mean.
    """
    return math.sqrt(coverage(a, b) * coverage(b, a))


def word_order_similarity(left: Sequence[Word], right: Sequence[Word]) -> float:
    """Return the similarity of the sequences of words of two provisions (Ratcliff and Obershelp 1988), in [0, 1]."""
    a, b = [word.stem for word in left[:_LONGEST]], [word.stem for word in right[:_LONGEST]]
    # The measure depends on the order of its arguments; the result must not.
    if a > b:
        a, b = b, a
    return SequenceMatcher(None, a, b, autojunk=False).ratio()


def unmatched_words(a: BagOfWords, b: BagOfWords) -> list[tuple[str, float]]:
    """Return the stems of ``a`` with a weight of 0.4 or more that have no counterpart in ``b``, and their weights."""
    return [
        (stem, weight)
        for stem, weight in a.weights.items()
        if weight >= 0.4 and stem not in b.weights and not a.concepts[stem] & b.all_concepts
    ]


def addressee_match(a: Norm, b: Norm) -> float:
    """Return how likely two clauses bind the same party, in [0, 1]; 0.7 where one does not name its addressee."""
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
