"""The data model of a provision: its norms, and their words, conditions and quantities."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property

#: Deontic modalities: duty, prohibition, permission and release; ``defines`` marks a definition.
MODALITIES = ("must", "must_not", "may", "need_not", "defines")


@dataclass(frozen=True, slots=True)
class Word:
    """A word or fixed phrase that carries content.

    Attributes:
        start, end: offsets in the provision.
        stem: its stem; of a phrase, the stems joined by blanks.
        concepts: names of the lexicon's groups of synonyms that it belongs to.
        weight: how much it says about the subject matter, from near 0 for words common in finance to 1.0.
        actor: class of addressee that it names, "" if none.
    """

    start: int
    end: int
    stem: str
    concepts: frozenset[str]
    weight: float
    actor: str = ""


@dataclass(frozen=True, slots=True)
class BagOfWords:
    """The content words of a text or clause, each stem once.

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


def bag_of_words(words: Iterable[Word]) -> BagOfWords:
    """Return the bag of some words; a stem gets the greatest weight among its words."""
    weights: dict[str, float] = {}
    concepts: dict[str, frozenset[str]] = {}
    for w in words:
        weights[w.stem] = max(weights.get(w.stem, 0.0), w.weight)
        concepts[w.stem] = w.concepts
    recurring = frozenset(c for cs in concepts.values() for c in cs)
    return BagOfWords(weights, concepts, recurring, sum(weights.values()))


@dataclass(frozen=True, slots=True)
class Measure:
    """A quantity with its role in its norm.

    Attributes:
        start, end: offsets in the provision.
        dimension: ``time``, ``percent``, ``money``, ``length``, ``mass``, ``temperature``, ``count``, ``date``.
        low, high: bounds of the value in the dimension's base unit, equal where the unit is exact. Time is in
            seconds; a month is 28 to 31 days, a business day one calendar day or more.
        unit: canonical unit ("day", "business day", "EUR", "%", or what is counted).
        role: ``deadline``, ``retention``, ``frequency``, ``notice``, ``threshold``, ``duration``, ``amount``.
        bound: ``max``, ``min`` or ``exact``. Of a frequency, ``max`` bounds the interval between two occasions.
        clock: concepts of the event from which a period runs; empty if the text does not name one.
        text: as written.
        comparative: the bound is a comparison ("more than"), which a prohibition reverses.
        exact_only: no other value is allowed ("exactly"); of a range, none outside it.
        is_range: the text states both ends ("between 36 and 60 hours").
    """

    start: int
    end: int
    dimension: str
    low: float
    high: float
    unit: str
    role: str
    bound: str
    text: str
    clock: frozenset[str] = frozenset()
    comparative: bool = False
    exact_only: bool = False
    is_range: bool = False


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition of a norm.

    Attributes:
        kind: ``trigger``, ``exception``, ``before`` or ``after``.
        start, end: offsets in the provision.
        words: its content words.
    """

    kind: str
    start: int
    end: int
    words: tuple[Word, ...]


#: Number of words on each side of a measure that say what it measures.
_CONTEXT_WORDS = 4


@dataclass(frozen=True)
class Norm:
    """One norm: a clause with its deontic modality.

    Attributes:
        start, end: offsets of the clause in the provision.
        modality: one of MODALITIES.
        strength: how plainly the text states the modality: 1.0 for shall and must, 0.9 for should, 0.8 for other
            wording of a duty, 0.5 where only the present tense implies it, 0.3 where there is no predicate.
        addressee: class of the party that is bound, "" if the text names none.
        charter: particular kind of firm that is bound, "" for any.
        exclusive: the clause has a word of exclusivity ("only", "solely", "alone").
        embedded: the clause stands inside a condition or relative clause of another.
        agent: words that name who acts.
        reserved: the clause reserves the action to its agent.
        action: the main verb, or the noun that stands for it; None if there is none.
        action_words: words that name the action: the verb, or the heaviest complements of a light verb ("make").
        antonym_sides: places of the demanded words in the lexicon's antonyms, as (antonym pair, side 0 or 1).
        words: all content words of the clause, conditions included, quantities left out.
        conditions: conditions and exceptions, in reading order.
        measures: quantities, in reading order.
        promptness: ``immediate``, ``prompt`` ("without undue delay") or "".
        term: for a definition, the stems of the defined term.
        cue: offsets of the words that state the modality.
    """

    start: int
    end: int
    modality: str
    strength: float
    addressee: str = ""
    charter: str = ""
    exclusive: bool = False
    embedded: bool = False
    agent: tuple[Word, ...] = ()
    reserved: bool = False
    action: Word | None = None
    action_words: tuple[Word, ...] = ()
    antonym_sides: frozenset[tuple[int, int]] = frozenset()
    words: tuple[Word, ...] = ()
    conditions: tuple[Condition, ...] = ()
    measures: tuple[Measure, ...] = ()
    promptness: str = ""
    term: str = ""
    cue: tuple[int, int] = field(default=(0, 0))

    @cached_property
    def bag(self) -> BagOfWords:
        """The bag of its content words."""
        return bag_of_words(self.words)

    @cached_property
    def measure_contexts(self) -> tuple[BagOfWords, ...]:
        """For each measure, the bag of the words next to it, which say what it measures."""
        found = []
        for measure in self.measures:
            before = [w for w in self.words if w.end <= measure.start][-_CONTEXT_WORDS:]
            after = [w for w in self.words if w.start >= measure.end][:_CONTEXT_WORDS]
            found.append(bag_of_words([*before, *after]))
        return tuple(found)
