"""Two provisions compared clause by clause: quantities, deontic forces, opposites, reserved actions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from antinomy.judge.rules.likeness import SYNONYM, same_addressee, similarity
from antinomy.judge.rules.typed import Typed, clocks, comparable, compare_forces, compare_measures, equal
from antinomy.norms.model import Measure, Norm, bag
from antinomy.norms.words import lexicon


@dataclass(frozen=True, eq=False)
class ClausePair:
    """A clause of one provision beside one of the other; each comparison is made once, when it is asked for.

    Attributes:
        left, right: the clauses' norms.
    """

    left: Norm
    right: Norm

    @cached_property
    def similarity(self) -> float:
        """How far both are on the same matter, in [0, 1]."""
        return similarity(self.left.bag, self.right.bag)

    @cached_property
    def measures(self) -> tuple[tuple[int, int, Typed], ...]:
        """The quantities that can be compared: their places in the two clauses, and the comparison."""
        return tuple(
            (i, j, typed)
            for i, x in enumerate(self.left.measures)
            for j, y in enumerate(self.right.measures)
            if (typed := compare_measures(x, y, self.left, self.right))
        )

    @cached_property
    def same_act(self) -> float:
        """1.0 where both name the action by one word, less for synonyms, 0.0 for different actions."""
        best = 0.0
        for x in self.left.action_words:
            for y in self.right.action_words:
                if x.stem == y.stem:
                    best = max(best, 1.0)
                elif x.concepts & y.concepts:
                    best = max(best, SYNONYM)
        return best

    @cached_property
    def opposed_poles(self) -> int:
        """Number of the lexicon's oppositions of which each clause holds only one side, and not the same one."""
        mine, yours = self.left.antonym_sides, self.right.antonym_sides
        found = 0
        if any(s.kind == "before" for norm in (self.left, self.right) for s in norm.conditions) and self.same_act:
            found = _opposed_order(self.left, self.right) + _opposed_order(self.right, self.left)
        quality = lexicon().first_quality
        return found + sum(
            (k < quality or self.similarity >= _ALIKE)
            for k, side in mine
            if (k, 1 - side) in yours and (k, side) not in yours and (k, 1 - side) not in mine
        )

    @cached_property
    def both_limit(self) -> bool:
        """Whether a ban with an exception meets a clause that limits the action too.

        "Not … unless …" and "only if …" are two ways to say one thing, so their forces are no sign of a clash. The
        limits themselves are not compared here: "only" may limit another thing than the exception does.
        """
        return self._ban and _limits(self.left) and _limits(self.right)

    @cached_property
    def conditional_ban(self) -> bool:
        """Whether one is a ban that ends where the other's duty begins: "not without …"; "not before …", "after …"."""
        if not self._ban:
            return False
        ban, duty = (self.left, self.right) if self.left.modality == "must_not" else (self.right, self.left)
        kinds = {s.kind for s in ban.conditions}
        if "exception" in kinds:
            return True
        return "before" in kinds and any(s.kind in ("before", "after") for s in duty.conditions)

    @property
    def _ban(self) -> bool:
        return "must_not" in (self.left.modality, self.right.modality)

    @cached_property
    def said(self) -> frozenset[str]:
        """Names of the relations that hold between both.

        ``measure_…`` and ``force_…`` with ``conflict``, ``equal`` or the side that governs; ``force_same``,
        ``force_bans``, ``force_excepted``; ``pole``: they hold opposites; ``doer``, ``authority``, ``only``.
        """
        a, b = self.left, self.right
        if "defines" in (a.modality, b.modality):
            return frozenset()
        said = {f"measure_{typed.sided}" for _, _, typed in self.measures}
        if a.embedded or b.embedded:
            return frozenset(said)
        force = None if self.both_limit else compare_forces(a.modality, b.modality)
        if a.modality == b.modality == "must_not" and not a.measures and not b.measures:
            # Two bans: who does neither obeys both.
            said.add("force_bans")
        if force and self.conditional_ban:
            said.add("force_excepted")
        elif force:
            said.add(f"force_{force.sided}")
        elif self.both_limit or a.modality == b.modality:
            said.add("force_same")
        if self.opposed_poles:
            said.add("pole")
        if a.addressee and b.addressee and a.addressee != b.addressee:
            said.add("doer")
            if "authority" in (a.addressee, b.addressee):
                said.add("authority")
        if a.exclusive != b.exclusive:
            said.add("only")
        return frozenset(said)

    def clashes(self) -> Iterator[Clash]:
        """Yield the relations between both, but for those of their quantities."""
        a, b = self.left, self.right
        if "defines" in (a.modality, b.modality) or a.embedded or b.embedded:
            return
        strength = 0.4 + 0.6 * min(a.strength, b.strength)
        # Clauses whose force is only implied, or that bind others, count for less.
        likeness = self.similarity * (strength * (0.4 + 0.6 * same_addressee(a, b)))
        if likeness < 0.1:
            return
        typed = None if self.both_limit else compare_forces(_force(a), _force(b))
        match = self.same_act
        banned = (a.modality == "must_not") != (b.modality == "must_not")
        if typed and typed.relation == "conflict" and self.conditional_ban:
            typed = None
        if typed and match and not self.opposed_poles:
            yield Clash(Typed(typed.relation, typed.kind, typed.governs, typed.weight * match), likeness, "force")
        elif self.opposed_poles and not banned and {a.modality, b.modality} <= {"must", "must_not"}:
            yield Clash(Typed("conflict", "procedure", "", min(1.0, 0.6 + 0.2 * self.opposed_poles)), likeness, "pole")
        if a.exclusive != b.exclusive and a.modality == b.modality == "must":
            yield Clash(Typed("conflict", "other", "", 0.5), self.similarity * strength, "only")
        if (a.reserved or b.reserved) and _reserves(a) and _reserves(b) and match and _other_doers(a, b):
            both = a.reserved and b.reserved
            yield Clash(
                Typed("conflict", "actor", "", (0.9 if both else 0.7) * match),
                _similarity_without_agents(a, b),
                "actor",
            )


@dataclass(frozen=True, slots=True)
class Clash:
    """A typed relation of two clauses.

    Attributes:
        typed: relation, kind and who governs.
        likeness: how far the two clauses are on the same matter, in [0, 1].
        source: ``force``, ``pole``, ``actor`` or ``only``.
    """

    typed: Typed
    likeness: float
    source: str


def beside(left: Sequence[Norm], right: Sequence[Norm]) -> tuple[tuple[ClausePair, ...], ...]:
    """Put each clause of one provision beside each of the other: a row for each on the left."""
    return tuple(tuple(ClausePair(a, b) for b in right) for a in left)


@dataclass(frozen=True, slots=True)
class MeasurePair:
    """Two measures of the same thing.

    Attributes:
        left, right: the measures.
        likeness: similarity of what is measured, in [0, 1].
        typed: the comparison; None where the clocks or bounds say nothing.
        clock: 1.0 if both run from like events, 0.0 if not, between where this is unsaid.
    """

    left: Measure
    right: Measure
    likeness: float
    typed: Typed | None
    clock: float


def measure_pairs(clauses: Sequence[Sequence[ClausePair]]) -> list[MeasurePair]:
    """Pair the measures of two provisions one to one: the most alike first, equal values before unequal ones."""
    options = []
    first = 0
    for row in clauses:
        second = 0
        for pair in row:
            for i, j, found in _comparable(pair):
                # Ties are broken alike whichever side is called left.
                texts = tuple(sorted((found.left.text, found.right.text)))
                place = first + i, second + j
                options.append((_fit(found), -sum(place), texts, (-place[0], -place[1]), found))
            second += len(pair.right.measures)
        first += len(row[0].left.measures) if row else 0
    options.sort(key=lambda o: o[:4], reverse=True)
    used: tuple[set[int], set[int]] = set(), set()
    pairs = []
    for *_, (i, j), found in options:
        if i not in used[0] and j not in used[1]:
            used[0].add(i)
            used[1].add(j)
            pairs.append(found)
    return pairs


def _comparable(pair: ClausePair) -> Iterator[tuple[int, int, MeasurePair]]:
    typed = {(i, j): found for i, j, found in pair.measures}
    for i, m in enumerate(pair.left.measures):
        for j, k in enumerate(pair.right.measures):
            if comparable(m, k):
                likeness = (
                    pair.similarity + similarity(pair.left.measure_contexts[i], pair.right.measure_contexts[j])
                ) / 2
                yield i, j, MeasurePair(m, k, likeness, typed.get((i, j)), clocks(m, k))


def _fit(pair: MeasurePair) -> float:
    same = 0.15 if equal(pair.left, pair.right) and pair.left.bound == pair.right.bound else 0.0
    role = 0.1 if pair.left.role == pair.right.role else 0.0
    return round(pair.likeness + same + role + 0.1 * pair.clock, 9)


#: How alike two clauses must be for opposite qualities in them to clash.
_ALIKE = 0.5


def _opposed_order(a: Norm, b: Norm) -> int:
    """Whether one clause puts the action before an event, and the other after it."""
    for x in a.conditions:
        for y in b.conditions:
            if x.kind == "before" and y.kind == "after":
                mine, yours = bag(x.words), bag(y.words)
                if mine.total > 0.5 and yours.total > 0.5 and similarity(mine, yours) >= 0.5:
                    return 1
    return 0


def _force(norm: Norm) -> str:
    """The force on the action itself: what is only capped ("not more than twice") is not forbidden."""
    if norm.modality == "must_not" and any(m.comparative and m.role != "threshold" for m in norm.measures):
        return "must"
    if norm.modality == "may" and any(m.bound == "max" and m.text.startswith(("no ", "not ")) for m in norm.measures):
        return "must"
    return norm.modality


def _reserves(norm: Norm) -> bool:
    """Whether the clause can reserve the action to one party: a duty, or a permission for one only."""
    return norm.modality == "must" or (norm.modality == "may" and norm.reserved)


def _other_doers(a: Norm, b: Norm) -> bool:
    """Whether both clauses say who acts, and name none in common."""
    if not a.agent or not b.agent:
        return False
    mine = {w.stem for w in a.agent} | {c for w in a.agent for c in w.concepts}
    yours = {w.stem for w in b.agent} | {c for w in b.agent for c in w.concepts}
    return not mine & yours


def _similarity_without_agents(a: Norm, b: Norm) -> float:
    """Return the similarity of two clauses without the words for who acts."""
    return similarity(bag(w for w in a.words if w not in a.agent), bag(w for w in b.words if w not in b.agent))


def _limits(norm: Norm) -> bool:
    """Whether a ban holds in some cases or for some time only ("not before …"), or a duty or permission says "only"."""
    if norm.modality == "must_not":
        return any(s.kind in ("exception", "before") for s in norm.conditions)
    return norm.exclusive
