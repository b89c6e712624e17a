"""What is read in a provision: norms, and the measures in them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property

#: Deontic forces, from strongest demand to strongest ban; ``defines`` marks a definition.
MODALITIES = ("must", "must_not", "may", "need_not", "defines")


@dataclass(frozen=True, slots=True)
class Word:
    """A word or fixed phrase that carries content.

    Attributes:
        start, end: offsets in the provision.
        stem: its stem (of a phrase: the stems joined by blanks).
        concepts: names of the lexicon's groups that it belongs to.
        weight: how much it tells about the matter: 1.0 for a plain word, near 0 for the trade's common ones.
        actor: class of addressee that it names, "" if none.
    """

    start: int
    end: int
    stem: str
    concepts: frozenset[str]
    weight: float
    actor: str = ""


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
    """Return the bag of words; of each stem the heaviest word."""
    weights: dict[str, float] = {}
    concepts: dict[str, frozenset[str]] = {}
    for w in words:
        weights[w.stem] = max(weights.get(w.stem, 0.0), w.weight)
        concepts[w.stem] = w.concepts
    every = frozenset(c for cs in concepts.values() for c in cs)
    return Bag(weights, concepts, every, sum(weights.values()))


@dataclass(frozen=True, slots=True)
class Measure:
    """A quantity with its role in its norm.

    Attributes:
        start, end: offsets in the provision.
        dimension: ``time``, ``percent``, ``money``, ``length``, ``mass``, ``temperature``, ``count``, ``date``.
        low, high: bounds of the value in the dimension's base unit (time: seconds; a month is 28 to 31
            days, a business day one calendar day or more), equal where the unit is exact.
        unit: canonical unit ("day", "business day", "EUR", "%", or what is counted).
        role: ``deadline``, ``retention``, ``frequency``, ``notice``, ``threshold``, ``duration``, ``amount``.
        bound: ``max``, ``min`` or ``exact``. Of a frequency, ``max`` bounds the interval between two times.
        clock: stems and concepts of the event from which time runs; empty if not said.
        text: as written.
        comparative: the bound was a comparison ("more than"), which a negated duty reverses.
        pinned: no other value is allowed ("exactly"); of a range, none outside it.
        ranged: from ``low`` to ``high`` as said ("between 36 and 60 hours").
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
    pinned: bool = False
    ranged: bool = False


@dataclass(frozen=True, slots=True)
class Segment:
    """A condition: ``kind`` is ``trigger``, ``exception``, ``before`` or ``after``."""

    kind: str
    start: int
    end: int
    words: tuple[Word, ...]


#: So many words on each side of a measure say what it measures.
_NEAR = 4


@dataclass(frozen=True)
class Norm:
    """One norm: a clause with its deontic force.

    Attributes:
        start, end: offsets of the clause in the provision.
        modality: one of MODALITIES.
        strength: 1.0 for shall/must, 0.9 for should, 0.8 for other wording of duty, 0.5 where only the present
            tense implies it, 0.3 where there is no predicate.
        addressee: class of whoever is bound, "" if not said.
        charter: particular kind of firm that is bound, "" for any.
        exclusive: the norm reserves the action ("only", "solely", "alone").
        embedded: the clause stands inside a condition or relative clause of another.
        doer: words that name the agent, if any.
        reserved: the clause reserves the action to its agent.
        action: the verb's word, None if none was found.
        object: words of what the action is done to.
        act: words that name what is done: the verb, or the heaviest complements of a light verb ("make").
        poles: the (opposition, side) pairs of the lexicon that it demands; those in a condition are not demanded.
        words: all content words of the clause, conditions included.
        segments: conditions and exceptions.
        measures: quantities, in reading order.
        promptness: ``immediate``, ``prompt`` or "" (wording such as "without undue delay").
        term: for a definition, the stems of the defined term.
        cue: offsets of the words that set the force.
    """

    start: int
    end: int
    modality: str
    strength: float
    addressee: str = ""
    charter: str = ""
    exclusive: bool = False
    embedded: bool = False
    doer: tuple[Word, ...] = ()
    reserved: bool = False
    action: Word | None = None
    object: tuple[Word, ...] = ()
    act: tuple[Word, ...] = ()
    poles: frozenset[tuple[int, int]] = frozenset()
    words: tuple[Word, ...] = ()
    segments: tuple[Segment, ...] = ()
    measures: tuple[Measure, ...] = ()
    promptness: str = ""
    term: str = ""
    cue: tuple[int, int] = field(default=(0, 0))

    @cached_property
    def bag(self) -> Bag:
        """Its content words, each once."""
        return bag(self.words)

    @cached_property
    def around(self) -> tuple[Bag, ...]:
        """For each measure the words next to it, which say what it measures."""
        found = []
        for measure in self.measures:
            before = [w for w in self.words if w.end <= measure.start][-_NEAR:]
            after = [w for w in self.words if w.start >= measure.end][:_NEAR]
            found.append(bag([*before, *after]))
        return tuple(found)
