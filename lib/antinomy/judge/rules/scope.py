"""Scope before verdict: do two norms bind the same people, to the same deed, in the same situation?"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from antinomy.norms.model import Norm, Word
from antinomy.norms.read import extract
from antinomy.norms.words import lexicon

#: How far two different words correspond that share a group of the lexicon.
SYNONYM = 0.8


@dataclass(frozen=True, slots=True)
class Bag:
    """The content words of a text or clause, each once.

    Attributes:
        weights: stem → weight.
        concepts: stem → groups.
        all_concepts: union of the groups.
        total: sum of the weights.
    """

    weights: dict[str, float]
    concepts: dict[str, frozenset[str]]
    all_concepts: frozenset[str]
    total: float


def bag(words: Iterable[Word]) -> Bag:
    """Return the bag of words, the heaviest reading of each stem."""
    weights: dict[str, float] = {}
    concepts: dict[str, frozenset[str]] = {}
    for w in words:
        weights[w.stem] = max(weights.get(w.stem, 0.0), w.weight)
        concepts[w.stem] = w.concepts
    every = frozenset(c for cs in concepts.values() for c in cs)
    return Bag(weights, concepts, every, sum(weights.values()))


@lru_cache(maxsize=4096)
def text_bag(text: str) -> Bag:
    """Return the bag of a whole provision."""
    return bag(w for norm in extract(text) for w in norm.words)


def coverage(a: Bag, b: Bag) -> float:
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


def similarity(a: Bag, b: Bag) -> float:
    """Return the geometric mean of the two bags' coverage of each other, in [0, 1]; symmetric.

    A few words that all recur in a long text are not the long text: the lesser coverage pulls the mean down.
    """
    return math.sqrt(coverage(a, b) * coverage(b, a))


def unmatched(a: Bag, b: Bag) -> list[tuple[str, float]]:
    """Return the weighty words of ``a`` without a counterpart in ``b``."""
    return [
        (s, w) for s, w in a.weights.items() if w >= 0.4 and s not in b.weights and not a.concepts[s] & b.all_concepts
    ]


def same_addressee(a: Norm, b: Norm) -> float:
    """Return 1.0 for the same class of addressee, 0.0 for two that exclude each other, between them where unsaid."""
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
