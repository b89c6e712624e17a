"""What speaks for a clash between two clauses besides measures: forces, opposites, reserved actions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from antinomy.judge.rules.align import norm_bag
from antinomy.judge.rules.scope import SYNONYM, bag, same_addressee, similarity
from antinomy.judge.rules.typed import Typed, compare_forces
from antinomy.norms.model import Norm, Word
from antinomy.norms.words import lexicon

_BAN = ("must_not",)


@dataclass(frozen=True, slots=True)
class Clash:
    """A pair of clauses that stand in a typed relation.

    Attributes:
        left_norm, right_norm: the clauses.
        typed: relation, kind and who governs.
        host: how far the two clauses speak of the same matter, in [0, 1].
        source: ``force``, ``pole``, ``actor`` or ``only``.
    """

    left_norm: Norm
    right_norm: Norm
    typed: Typed
    host: float
    source: str


@lru_cache(maxsize=4096)
def deed(norm: Norm) -> tuple[Word, ...]:
    """Return the words that name what is done: the verb, or where it is a light one, its heaviest complements."""
    if norm.action is not None and norm.action.stem not in lexicon().light_verbs:
        return (norm.action,)
    heavy = [w for w in norm.object if w.weight >= 0.4 and not w.actor]
    return tuple(heavy[:2]) or ((norm.action,) if norm.action else ())


def same_deed(a: Norm, b: Norm) -> float:
    """Return 1.0 where both name the deed by one word, less for synonyms, 0.0 for different deeds."""
    best = 0.0
    for x in deed(a):
        for y in deed(b):
            if x.stem == y.stem:
                best = max(best, 1.0)
            elif x.concepts & y.concepts:
                best = max(best, SYNONYM)
    return best


@lru_cache(maxsize=4096)
def _poles(norm: Norm) -> frozenset[tuple[int, int]]:
    table = lexicon().poles
    found: set[tuple[int, int]] = set()
    # What stands in a condition is not what the clause demands.
    conditions = [s for s in norm.segments if s.kind in ("trigger", "exception")]
    for w in norm.words:
        # Nor is what states the force: "flights are not allowed" allows nothing.
        stated = norm.cue[0] <= w.start < norm.cue[1]
        if not stated and not any(s.start <= w.start < s.end for s in conditions):
            found |= table.get(w.stem, frozenset())
    return frozenset(found)


#: How alike two clauses must be for opposite qualities in them to clash.
_ALIKE = 0.5


def opposed_poles(a: Norm, b: Norm) -> int:
    """Count the oppositions of the lexicon of which each clause holds one side only, and not the same."""
    pa, pb = _poles(a), _poles(b)
    order = _opposed_order(a, b) + _opposed_order(b, a) if same_deed(a, b) else 0
    quality = lexicon().first_quality
    alike = similarity(norm_bag(a), norm_bag(b)) >= _ALIKE
    return order + sum(
        (k, 1 - s) in pb and (k, s) not in pb and (k, 1 - s) not in pa and (k < quality or alike) for k, s in pa
    )


def _opposed_order(a: Norm, b: Norm) -> int:
    """Whether one clause puts the deed before an event after which the other puts it."""
    for x in a.segments:
        for y in b.segments:
            if x.kind == "before" and y.kind == "after":
                mine, yours = bag(x.words), bag(y.words)
                if mine.total > 0.5 and yours.total > 0.5 and similarity(mine, yours) >= 0.5:
                    return 1
    return 0


def clashes(left: Sequence[Norm], right: Sequence[Norm]) -> list[Clash]:
    """Return the pairs of clauses that stand opposed, the likeliest first."""
    found: list[Clash] = []
    for a in left:
        for b in right:
            if "defines" in (a.modality, b.modality) or a.embedded or b.embedded:
                continue
            host = similarity(norm_bag(a), norm_bag(b)) * _reading(a, b)
            if host < 0.1:
                continue
            found.extend(_clashes(a, b, host))
    found.sort(key=lambda c: (round(c.host * c.typed.weight, 9), -c.left_norm.start - c.right_norm.start), reverse=True)
    return found


def _reading(a: Norm, b: Norm) -> float:
    """Discount clauses whose force is only implied, or that bind other people."""
    strength = min(a.strength, b.strength)
    return (0.4 + 0.6 * strength) * (0.4 + 0.6 * same_addressee(a, b))


def _clashes(a: Norm, b: Norm, host: float) -> list[Clash]:
    out: list[Clash] = []
    typed = None if both_limit(a, b) else compare_forces(_force(a), _force(b))
    match = same_deed(a, b)
    poles = opposed_poles(a, b)
    banned = (a.modality in _BAN) != (b.modality in _BAN)
    if typed and typed.relation == "conflict" and conditional_ban(a, b):
        typed = None
    if typed and match and not poles:
        out.append(Clash(a, b, Typed(typed.relation, typed.kind, typed.governs, typed.weight * match), host, "force"))
    elif poles and not banned and {a.modality, b.modality} <= {"must", "must_not"}:
        out.append(Clash(a, b, Typed("conflict", "procedure", "", min(1.0, 0.6 + 0.2 * poles)), host, "pole"))
    if a.exclusive != b.exclusive and a.modality == b.modality == "must":
        out.append(Clash(a, b, Typed("conflict", "other", "", 0.5), _matter(a, b), "only"))
    if (a.reserved or b.reserved) and _reserves(a) and _reserves(b) and match and _other_doers(a, b):
        both = a.reserved and b.reserved
        out.append(
            Clash(
                a,
                b,
                Typed("conflict", "actor", "", (0.9 if both else 0.7) * match),
                _deed_matter(a, b),
                "actor",
            )
        )
    return out


def _force(norm: Norm) -> str:
    """The force on the deed itself: what is only capped ("not more than twice") is not forbidden."""
    if norm.modality == "must_not" and any(m.comparative and m.role != "threshold" for m in norm.measures):
        return "must"
    if norm.modality == "may" and any(m.bound == "max" and m.text.startswith(("no ", "not ")) for m in norm.measures):
        return "must"
    return norm.modality


def _reserves(norm: Norm) -> bool:
    """Whether the clause can give the deed to one alone: a duty, or a permission for one only."""
    return norm.modality == "must" or (norm.modality == "may" and norm.reserved)


def _other_doers(a: Norm, b: Norm) -> bool:
    """Whether both clauses say who acts, and name none in common."""
    if not a.doer or not b.doer:
        return False
    mine = {w.stem for w in a.doer} | {c for w in a.doer for c in w.concepts}
    yours = {w.stem for w in b.doer} | {c for w in b.doer for c in w.concepts}
    return not mine & yours


def _deed_matter(a: Norm, b: Norm) -> float:
    """Similarity of two clauses without those who act in them."""
    return similarity(bag(w for w in a.words if w not in a.doer), bag(w for w in b.words if w not in b.doer))


def both_limit(a: Norm, b: Norm) -> bool:
    """Whether a ban that has an exception meets a clause that limits the deed too.

    "Not … unless …" and "only if …" are two ways to say one thing, so that their forces say nothing of a clash. What
    the limits are is not compared here: "only" may limit another thing than the exception does, and other evidence has
    to tell.
    """
    return "must_not" in (a.modality, b.modality) and _limits(a) and _limits(b)


def _limits(norm: Norm) -> bool:
    """Whether a ban holds in some cases or for some time only ("not before …"), or a duty or permission says "only"."""
    if norm.modality == "must_not":
        return any(s.kind in ("exception", "before") for s in norm.segments)
    return norm.exclusive


def conditional_ban(a: Norm, b: Norm) -> bool:
    """Whether the ban of two clauses ends where the duty begins ("not without …", or "not before …" against "after …").

    One of them forbids.
    """
    ban, duty = (a, b) if a.modality == "must_not" else (b, a)
    kinds = {s.kind for s in ban.segments}
    if "exception" in kinds:
        return True
    return "before" in kinds and any(s.kind in ("before", "after") for s in duty.segments)


def _matter(a: Norm, b: Norm) -> float:
    """Similarity of two clauses whoever acts in them."""
    return similarity(norm_bag(a), norm_bag(b)) * (0.4 + 0.6 * min(a.strength, b.strength))
