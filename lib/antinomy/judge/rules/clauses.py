"""Compares two provisions clause by clause: quantities, modalities, antonyms, reserved actions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from antinomy.judge.rules.comparison import (
    Comparison,
    clock_match,
    comparable,
    compare_measures,
    compare_modalities,
    indistinguishable,
)
from antinomy.judge.rules.similarity import SYNONYM, addressee_match, similarity
from antinomy.norms.model import Measure, Norm, bag_of_words
from antinomy.norms.words import lexicon

#: Similarity of two clauses from which on opposed qualities in them count.
_MIN_SIMILARITY = 0.5


@dataclass(frozen=True, eq=False)
class ClausePair:
    """A clause of one provision and a clause of the other; each comparison is made on first use.

    Attributes:
        left, right: the norms of the clauses.
    """

    left: Norm
    right: Norm

    @cached_property
    def similarity(self) -> float:
        """Similarity of the subject matter, in [0, 1]."""
        return similarity(self.left.bag, self.right.bag)

    @cached_property
    def measures(self) -> tuple[tuple[int, int, Comparison], ...]:
        """The quantities that can be compared: their indices in the two clauses, and the comparison."""
        return tuple(
            (i, j, comparison)
            for i, x in enumerate(self.left.measures)
            for j, y in enumerate(self.right.measures)
            if (comparison := compare_measures(x, y, self.left, self.right))
        )

    @cached_property
    def action_similarity(self) -> float:
        """1.0 where both name the action by the same word, SYNONYM for synonyms, 0.0 for different actions."""
        best = 0.0
        for x in self.left.action_words:
            for y in self.right.action_words:
                if x.stem == y.stem:
                    best = max(best, 1.0)
                elif x.concepts & y.concepts:
                    best = max(best, SYNONYM)
        return best

    @cached_property
    def opposed_antonyms(self) -> int:
        """Number of antonym pairs of which one clause has only the one side, and the other only the other."""
        a, b = self.left.antonym_sides, self.right.antonym_sides
        opposed = 0
        has_before = any(c.kind == "before" for norm in (self.left, self.right) for c in norm.conditions)
        if has_before and self.action_similarity:
            opposed = _opposed_order(self.left, self.right) + _opposed_order(self.right, self.left)
        first_quality = lexicon().first_quality
        return opposed + sum(
            (number < first_quality or self.similarity >= _MIN_SIMILARITY)
            for number, side in a
            if (number, 1 - side) in b and (number, side) not in b and (number, 1 - side) not in a
        )

    @cached_property
    def both_restrict(self) -> bool:
        """Whether a prohibition with an exception meets a clause that restricts the action too.

        "Not … unless …" and "only if …" express one rule in two ways, so their modalities do not conflict. The
        restrictions are not compared: "only" may concern something else than the exception does.
        """
        return self._has_prohibition and _restricts(self.left) and _restricts(self.right)

    @cached_property
    def conditional_prohibition(self) -> bool:
        """Whether one clause prohibits something until the other's duty begins: "not without …"; "not before …"."""
        if not self._has_prohibition:
            return False
        prohibition, other = (self.left, self.right) if self.left.modality == "must_not" else (self.right, self.left)
        kinds = {c.kind for c in prohibition.conditions}
        if "exception" in kinds:
            return True
        return "before" in kinds and any(c.kind in ("before", "after") for c in other.conditions)

    @property
    def _has_prohibition(self) -> bool:
        return "must_not" in (self.left.modality, self.right.modality)

    @cached_property
    def relations(self) -> frozenset[str]:
        """Names of the relations that hold between the clauses; the weights of the fitted judge know them by name.

        ``measure_…`` and ``force_…`` end in ``conflict``, ``equal`` or the side that governs; ``force`` is the weights'
        name for the modality. ``force_same``: equal modalities; ``force_bans``: two prohibitions; ``force_excepted``: a
        prohibition ends where the other's duty begins. ``pole``: antonyms; ``doer``: different addressees;
        ``authority``: one of these is an authority; ``only``: one clause is exclusive.
        """
        a, b = self.left, self.right
        if "defines" in (a.modality, b.modality):
            return frozenset()
        relations = {f"measure_{comparison.side_or_relation}" for _, _, comparison in self.measures}
        if a.embedded or b.embedded:
            return frozenset(relations)
        modality = None if self.both_restrict else compare_modalities(a.modality, b.modality)
        if a.modality == b.modality == "must_not" and not a.measures and not b.measures:
            relations.add("force_bans")
        if modality and self.conditional_prohibition:
            relations.add("force_excepted")
        elif modality:
            relations.add(f"force_{modality.side_or_relation}")
        elif self.both_restrict or a.modality == b.modality:
            relations.add("force_same")
        if self.opposed_antonyms:
            relations.add("pole")
        if a.addressee and b.addressee and a.addressee != b.addressee:
            relations.add("doer")
            if "authority" in (a.addressee, b.addressee):
                relations.add("authority")
        if a.exclusive != b.exclusive:
            relations.add("only")
        return frozenset(relations)

    def relation_cues(self) -> Iterator[RelationCue]:
        """Yield what else than quantities speaks for a relation between the clauses."""
        a, b = self.left, self.right
        if "defines" in (a.modality, b.modality) or a.embedded or b.embedded:
            return
        strength = 0.4 + 0.6 * min(a.strength, b.strength)
        # An implied modality and different addressees reduce the weight.
        weight = self.similarity * (strength * (0.4 + 0.6 * addressee_match(a, b)))
        if weight < 0.1:
            return
        modality = None if self.both_restrict else compare_modalities(_effective_modality(a), _effective_modality(b))
        same_action = self.action_similarity
        only_one_prohibits = (a.modality == "must_not") != (b.modality == "must_not")
        if modality and modality.relation == "conflict" and self.conditional_prohibition:
            modality = None
        if modality and same_action and not self.opposed_antonyms:
            scaled = Comparison(modality.relation, modality.kind, modality.governs, modality.confidence * same_action)
            yield RelationCue(scaled, weight, "force")
        elif self.opposed_antonyms and not only_one_prohibits and {a.modality, b.modality} <= {"must", "must_not"}:
            confidence = min(1.0, 0.6 + 0.2 * self.opposed_antonyms)
            yield RelationCue(Comparison("conflict", "procedure", "", confidence), weight, "pole")
        if a.exclusive != b.exclusive and a.modality == b.modality == "must":
            yield RelationCue(Comparison("conflict", "other", "", 0.5), self.similarity * strength, "only")
        if (
            (a.reserved or b.reserved)
            and _may_reserve(a)
            and _may_reserve(b)
            and same_action
            and _different_agents(a, b)
        ):
            confidence = (0.9 if a.reserved and b.reserved else 0.7) * same_action
            actor = Comparison("conflict", "actor", "", confidence)
            yield RelationCue(actor, _similarity_without_agents(a, b), "actor")


@dataclass(frozen=True, slots=True)
class RelationCue:
    """Evidence in two clauses for a relation.

    Attributes:
        comparison: the relation with its kind and the side that governs.
        similarity: weighted similarity of the two clauses, in [0, 1].
        source: ``force`` (modalities), ``pole`` (antonyms), ``actor`` or ``only``.
    """

    comparison: Comparison
    similarity: float
    source: str


def pair_clauses(left: Sequence[Norm], right: Sequence[Norm]) -> tuple[tuple[ClausePair, ...], ...]:
    """Pair every clause of one provision with every clause of the other; one row for each clause on the left."""
    return tuple(tuple(ClausePair(a, b) for b in right) for a in left)


@dataclass(frozen=True, slots=True)
class MeasurePair:
    """Two measures of the same thing.

    Attributes:
        left, right: the measures.
        similarity: of what is measured, in [0, 1].
        comparison: of their values; None where their bounds do not allow one.
        clock_match: see ``comparison.clock_match``.
    """

    left: Measure
    right: Measure
    similarity: float
    comparison: Comparison | None
    clock_match: float


def measure_pairs(clauses: Sequence[Sequence[ClausePair]]) -> list[MeasurePair]:
    """Align the measures of two provisions one to one, greedily: the most similar first, equal values preferred."""
    options = []
    left_offset = 0
    for row in clauses:
        right_offset = 0
        for pair in row:
            for i, j, aligned in _comparable_measures(pair):
                # The order of ties must not depend on which provision is on the left.
                texts = tuple(sorted((aligned.left.text, aligned.right.text)))
                place = left_offset + i, right_offset + j
                options.append((_match_score(aligned), -sum(place), texts, (-place[0], -place[1]), aligned))
            right_offset += len(pair.right.measures)
        left_offset += len(row[0].left.measures) if row else 0
    options.sort(key=lambda option: option[:4], reverse=True)
    used_left: set[int] = set()
    used_right: set[int] = set()
    pairs = []
    for *_, (i, j), aligned in options:
        if i not in used_left and j not in used_right:
            used_left.add(i)
            used_right.add(j)
            pairs.append(aligned)
    return pairs


def _comparable_measures(pair: ClausePair) -> Iterator[tuple[int, int, MeasurePair]]:
    comparisons = {(i, j): comparison for i, j, comparison in pair.measures}
    for i, a in enumerate(pair.left.measures):
        for j, b in enumerate(pair.right.measures):
            if comparable(a, b):
                context = similarity(pair.left.measure_contexts[i], pair.right.measure_contexts[j])
                alike = (pair.similarity + context) / 2
                yield i, j, MeasurePair(a, b, alike, comparisons.get((i, j)), clock_match(a, b))


def _match_score(pair: MeasurePair) -> float:
    same_value = 0.15 if indistinguishable(pair.left, pair.right) and pair.left.bound == pair.right.bound else 0.0
    same_role = 0.1 if pair.left.role == pair.right.role else 0.0
    return round(pair.similarity + same_value + same_role + 0.1 * pair.clock_match, 9)


def _opposed_order(a: Norm, b: Norm) -> int:
    """Return 1 where ``a`` puts the action before an event and ``b`` after it, else 0."""
    for x in a.conditions:
        for y in b.conditions:
            if x.kind == "before" and y.kind == "after":
                events = bag_of_words(x.words), bag_of_words(y.words)
                if min(event.total for event in events) > 0.5 and similarity(*events) >= 0.5:
                    return 1
    return 0


def _effective_modality(norm: Norm) -> str:
    """Return the modality of the action itself: what is only capped ("not more than twice") is not prohibited."""
    if norm.modality == "must_not" and any(m.comparative and m.role != "threshold" for m in norm.measures):
        return "must"
    if norm.modality == "may" and any(m.bound == "max" and m.text.startswith(("no ", "not ")) for m in norm.measures):
        return "must"
    return norm.modality


def _may_reserve(norm: Norm) -> bool:
    """Tell whether a clause can reserve the action to one party: it is a duty, or an exclusive permission."""
    return norm.modality == "must" or (norm.modality == "may" and norm.reserved)


def _different_agents(a: Norm, b: Norm) -> bool:
    """Tell whether both clauses name an agent, and none in common."""
    if not a.agent or not b.agent:
        return False
    agents = [{w.stem for w in norm.agent} | {c for w in norm.agent for c in w.concepts} for norm in (a, b)]
    return not agents[0] & agents[1]


def _similarity_without_agents(a: Norm, b: Norm) -> float:
    return similarity(*(bag_of_words(w for w in norm.words if w not in norm.agent) for norm in (a, b)))


def _restricts(norm: Norm) -> bool:
    """Tell whether a prohibition has an exception or an end ("not before …"), or a duty or permission says "only"."""
    if norm.modality == "must_not":
        return any(c.kind in ("exception", "before") for c in norm.conditions)
    return norm.exclusive
