"""Numbers that describe how two provisions compare: the norms judge's own, and input to a combined decision."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from antinomy.judge.rules.align import MeasurePair, measure_pairs, norm_bag, wording_order
from antinomy.judge.rules.clashes import Clash, clashes
from antinomy.judge.rules.scope import coverage, similarity, text_bag, unmatched
from antinomy.norms.model import Norm
from antinomy.norms.read import extract
from antinomy.norms.words import actor_of


@dataclass(frozen=True, slots=True)
class View:
    """Two provisions laid side by side.

    Attributes:
        left, right: their norms.
        measures: measures that answer each other.
        clashes: clauses that stand opposed, the likeliest first.
        values: the features, by name.
    """

    left: tuple[Norm, ...]
    right: tuple[Norm, ...]
    measures: tuple[MeasurePair, ...]
    clashes: tuple[Clash, ...]
    values: dict[str, float]


@lru_cache(maxsize=256)
def view(left: str, right: str) -> View:
    """Lay two provisions side by side and describe how they compare."""
    a, b = extract(left), extract(right)
    bag_a, bag_b = text_bag(left), text_bag(right)
    pairs = tuple(measure_pairs(a, b))
    opposed = tuple(clashes(a, b))
    # Who acts is compared as the addressee: another actor is not another object.
    doers = {n.addressee for n in (*a, *b)}
    only_a = [u for u in unmatched(bag_a, bag_b) if actor_of(u[0]) not in doers]
    only_b = [u for u in unmatched(bag_b, bag_a) if actor_of(u[0]) not in doers]
    swap = min(sum(w for _, w in only_a), sum(w for _, w in only_b))
    least = max(1.0, min(bag_a.total, bag_b.total))
    sim = similarity(bag_a, bag_b)
    order = wording_order([w for n in a for w in n.words], [w for n in b for w in n.words])
    cover = (coverage(bag_a, bag_b), coverage(bag_b, bag_a))
    values = {
        "similarity": sim,
        "coverage_least": min(cover),
        "coverage_most": max(cover),
        "order": order,
        "swap": swap / least,
        "parallel_swap": order * min(1.0, swap / least * 4),
        "best_clause": max((similarity(norm_bag(x), norm_bag(y)) for x in a for y in b), default=0.0),
        "equal_measures": float(sum(p.typed is not None and p.typed.relation == "equal" for p in pairs)),
        "other_clock": float(any(p.clock == 0.0 for p in pairs)),
        "one_definition": float(_defines(a) != _defines(b)),
        "both_define": float(_defines(a) and _defines(b)),
        "exclusive_differs": float(any(n.exclusive for n in a) != any(n.exclusive for n in b)),
        "bans_differ": float(sum(n.modality == "must_not" for n in a) != sum(n.modality == "must_not" for n in b)),
        "one_sided": abs(cover[0] - cover[1]),
        "norms_least": float(min(len(a), len(b))),
    }
    for relation in ("conflict", "stricter"):
        values[f"measure_{relation}"] = max(
            (p.host * p.typed.weight for p in pairs if p.typed and p.typed.relation == relation), default=0.0
        )
        for source in ("force", "pole", "actor", "only"):
            if relation == "stricter" and source != "force":
                continue
            values[f"{source}_{relation}"] = max(
                (c.host * c.typed.weight for c in opposed if c.source == source and c.typed.relation == relation),
                default=0.0,
            )
    return View(a, b, pairs, opposed, values)


def _defines(norms: tuple[Norm, ...]) -> bool:
    return any(n.modality == "defines" for n in norms)
