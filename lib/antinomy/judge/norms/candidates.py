"""What speaks for a relation between two provisions: each piece of evidence with the numbers that weigh it."""

from __future__ import annotations

from dataclasses import dataclass

from antinomy.judge.norms.align import norm_bag
from antinomy.judge.norms.model import Norm
from antinomy.judge.norms.scope import bag, same_addressee, similarity, unmatched
from antinomy.judge.norms.typed import PERMITTED_BAN, Typed
from antinomy.judge.norms.view import View
from antinomy.judge.norms.words import lexicon

#: Sources of evidence; each has weights of its own.
SOURCES = ("measure", "force", "pole", "actor", "only")


@dataclass(frozen=True, slots=True)
class Candidate:
    """One piece of evidence for a typed relation.

    Attributes:
        source: one of SOURCES.
        typed: relation, kind, who governs.
        left, right: the clauses.
        values: numbers that weigh it, by name.
    """

    source: str
    typed: Typed
    left: Norm
    right: Norm
    values: dict[str, float]


def candidates(seen: View) -> list[Candidate]:
    """Return the evidence that two provisions give, likeliest host first within each source."""
    found = []
    for p in seen.measures:
        if _strangers(p.left_norm, p.right_norm):
            continue
        if p.typed is not None and p.typed.relation != "equal":
            values = _values(seen, p.left_norm, p.right_norm, p.host, p.typed)
            found.append(Candidate("measure", p.typed, p.left_norm, p.right_norm, values | {"like_clock": p.clock}))
    for c in seen.clashes:
        if c.source != "actor" and _strangers(c.left_norm, c.right_norm):
            continue
        values = _values(seen, c.left_norm, c.right_norm, c.host, c.typed)
        found.append(Candidate(c.source, c.typed, c.left_norm, c.right_norm, values | {"like_clock": 0.7}))
    return found


def _condition(a: Norm, b: Norm) -> float:
    """Return how far two clauses hold in the same situation: 0.5 where one says none, 0.7 where neither does."""
    mine = [w for s in a.segments if s.kind in ("trigger", "after") for w in s.words]
    yours = [w for s in b.segments if s.kind in ("trigger", "after") for w in s.words]
    if not mine or not yours:
        return 0.7 if not mine and not yours else 0.5
    return similarity(bag(mine), bag(yours))


def _strangers(a: Norm, b: Norm) -> bool:
    """Whether one clause binds an authority and the other those that it supervises."""
    return bool(a.addressee and b.addressee) and (a.addressee == "authority") != (b.addressee == "authority")


def _shared(a: Norm, b: Norm) -> float:
    """Count the weighty words that both clauses have, besides who acts and what they turn on."""

    def heavy(norm: Norm) -> dict[str, frozenset[str]]:
        return {
            w.stem: w.concepts for w in norm.words if w.weight >= 0.6 and not w.actor and w.stem not in lexicon().poles
        }

    mine, yours = heavy(a), heavy(b)

    def found(x: dict[str, frozenset[str]], y: dict[str, frozenset[str]]) -> int:
        every = frozenset(c for cs in y.values() for c in cs)
        return sum(s in y or bool(cs & every) for s, cs in x.items())

    return float(min(found(mine, yours), found(yours, mine)))


def _values(seen: View, a: Norm, b: Norm, host: float, typed: Typed) -> dict[str, float]:
    bag_a, bag_b = norm_bag(a), norm_bag(b)
    only_a, only_b = unmatched(bag_a, bag_b), unmatched(bag_b, bag_a)
    least = max(1.0, min(bag_a.total, bag_b.total))
    whole = seen.values
    return {
        "host": host,
        "wording": typed.weight,
        "clause_swap": min(sum(w for _, w in only_a), sum(w for _, w in only_b)) / least,
        "clause_similarity": similarity(bag_a, bag_b),
        "shared": min(3.0, _shared(a, b)) / 3.0,
        "permitted_ban": float(typed.kind == "modality" and typed.weight <= PERMITTED_BAN),
        "condition": _condition(a, b),
        "object": similarity(bag(a.object), bag(b.object)),
        "addressee": same_addressee(a, b),
        "strength": min(a.strength, b.strength),
        "similarity": whole["similarity"],
        "swap": whole["swap"],
        "order": whole["order"],
        "parallel_swap": whole["parallel_swap"],
        "exclusive_differs": whole["exclusive_differs"],
        "defines": float("defines" in (seen.left[0].modality, seen.right[0].modality)),
    }
