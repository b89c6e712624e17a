"""From two provisions to a verdict: scope first, then the typed relation, or an abstention."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from typing import Any

import yaml

from antinomy.judge.norms.candidates import Candidate, candidates
from antinomy.judge.norms.definitions import admits_nothing_else, leaves_open
from antinomy.judge.norms.model import Norm
from antinomy.judge.norms.read import extract
from antinomy.judge.norms.view import View, same_term, view
from antinomy.judge.norms.words import fold

#: Reason of a conflict between a term that a duty closes and one left open.
CLOSED = "closed"


@dataclass(frozen=True, slots=True)
class Comparison:
    """What comparing two provisions gives.

    Attributes:
        relation: one of the protocol's relations, None for an abstention.
        kind, governs: as in ``Verdict``.
        p_conflict: probability of a conflict, in [0, 1], also where the judge abstains.
        confidence: probability that ``relation`` is right, 0.0 for an abstention.
        left_norm, right_norm: the clauses that decided; None where no clause did.
        reason: what decided, in a few words.
    """

    relation: str | None
    kind: str | None
    governs: str | None
    p_conflict: float
    confidence: float
    left_norm: Norm | None
    right_norm: Norm | None
    reason: str


def weights_text() -> bytes:
    """Return the bytes of the packaged weights."""
    return resources.files("antinomy.judge.norms").joinpath("weights.yaml").read_bytes()


@lru_cache(maxsize=1)
def weights() -> dict[str, Any]:
    """Return the packaged weights and thresholds."""
    data: dict[str, Any] = yaml.safe_load(weights_text())
    return data


def logistic(model: Mapping[str, float], values: Mapping[str, float]) -> float:
    """Return the probability that a linear model on the log-odds scale gives."""
    z = model["bias"] + sum(weight * values[name] for name, weight in model.items() if name != "bias")
    return 1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, z))))


def compare(left: str, right: str) -> Comparison:
    """Compare two provisions.

    Scope comes first: what is alike in addressee, deed, object and trigger is weighed before the two are set against
    each other. Texts are read with ``extract``; both readings are cached. ``compare(b, a)`` mirrors ``compare(a, b)``.
    """
    seen = view(left, right)
    models, limits = weights(), weights()["thresholds"]
    values = seen.values
    found = conflict_values(seen, models)
    p_model = logistic(models["conflict"], found)
    if found["permitted_ban"] >= limits["permitted_ban"]:
        p_model = max(p_model, 0.4)
    scored = sorted(
        ((logistic(models[c.source], c.values), c) for c in candidates(seen)),
        key=lambda s: (round(s[0], 9), s[1].typed.weight, -s[1].left.start - s[1].right.start, s[1].source),
        reverse=True,
    )
    closed = closed_term(left, right)
    if closed:
        return Comparison("conflict", "definition", None, limits["closed"], limits["closed"], *closed, CLOSED)
    if values["both_define"]:
        return _definitions(seen, p_model)
    sure = [(p, c) for p, c in scored if p >= limits[c.typed.relation].get(c.source, 1.0)]
    clash = next((s for s in sure if s[1].typed.relation == "conflict"), None)
    if clash:
        return _decided(clash[0], _by_measure(clash[1], scored), max(clash[0], p_model))
    stricter = next((s for s in sure if s[1].typed.relation == "stricter"), None)
    if stricter and _one_way(stricter, scored):
        return _decided(stricter[0], stricter[1], min(0.45, p_model))
    return _plain(seen, p_model, scored, limits)


def conflict_values(seen: View, models: Mapping[str, Any]) -> dict[str, float]:
    """Return the features with the best piece of evidence for each relation, weighed."""
    best = {"best_conflict": 0.0, "best_stricter": 0.0, "permitted_ban": 0.0}
    for c in candidates(seen):
        key = "permitted_ban" if c.values["permitted_ban"] else "best_" + c.typed.relation
        score = c.values["host"] if c.values["permitted_ban"] else logistic(models[c.source], c.values)
        best[key] = max(best[key], score)
    return {**seen.values, **best}


def _by_measure(clash: Candidate, scored: list[tuple[float, Candidate]]) -> Candidate:
    """Name the values where the same two clauses also clash by them: that is the kind of conflict."""
    for _, c in scored:
        if c.source == "measure" and c.typed.relation == "conflict" and (c.left, c.right) == (clash.left, clash.right):
            return c
    return clash


def _one_way(first: tuple[float, Candidate], scored: list[tuple[float, Candidate]]) -> bool:
    """Whether no near as good evidence makes the other side the stricter one."""
    rest = [(p, c) for p, c in scored if c.typed.relation == "stricter" and p > 0.8 * first[0]]
    return not any(c.typed.governs != first[1].typed.governs for _, c in rest)


def _decided(score: float, c: Candidate, p_conflict: float) -> Comparison:
    kind = c.typed.kind
    return Comparison(c.typed.relation, kind, c.typed.governs or None, p_conflict, score, c.left, c.right, c.source)


def closed_term(left: str, right: str) -> tuple[Norm, Norm] | None:
    """Return the two clauses where one side lets a term include nothing else and the other leaves it open."""
    mine, yours = _closing(left), _closing(right)
    if not mine and not yours:
        return None
    seen = view(left, right)
    found = [(a, b) for a in mine for b in seen.right if _leaves_open(b, right, a)]
    found += [(a, b) for b in yours for a in seen.left if _leaves_open(a, left, b)]
    return found[0] if found else None


def _closing(text: str) -> list[Norm]:
    return [n for n in extract(text) if n.term and n.exclusive and admits_nothing_else(fold(text), n.start, n.end)]


def _leaves_open(norm: Norm, text: str, closing: Norm) -> bool:
    if norm.term and not norm.exclusive and same_term((norm,), (closing,)):
        return True
    if norm.term and norm.term.rpartition(" ")[2] != closing.term.rpartition(" ")[2]:
        return False
    return leaves_open(fold(text)[norm.start : norm.end], closing.term)


def _definitions(seen: View, p_model: float) -> Comparison:
    a = next(n for n in seen.left if n.modality == "defines")
    b = next(n for n in seen.right if n.modality == "defines")
    if not seen.values["same_term"]:
        return Comparison("none", None, None, min(0.05, p_model), 0.85, a, b, "different terms defined")
    alike = seen.values["similarity"] >= 0.7 and seen.values["swap"] < 0.05 and not seen.values["bans_differ"]
    measured = [p.typed.relation for p in seen.measures if p.typed]
    if alike or (len(measured) >= 2 and set(measured) == {"equal"}):
        return Comparison("overlap", None, None, min(0.1, p_model), 0.7, a, b, "one term, one meaning")
    # A term that one side closes ("shall only include …") leaves no room for the other's meaning.
    p_conflict = 0.45 if seen.values["exclusive_differs"] else min(0.15, p_model)
    return Comparison("definition", "definition", None, p_conflict, 0.75, a, b, "one term, two meanings")


def _plain(seen: View, p_model: float, scored: list[tuple[float, Candidate]], limits: Mapping[str, Any]) -> Comparison:
    """No clash was found: unrelated, alike in what both measure, or an abstention."""
    values = seen.values
    evidence = max((s for s, _ in scored), default=0.0)
    first = (seen.left[0] if seen.left else None, seen.right[0] if seen.right else None)
    if values["similarity"] < limits["unrelated"] and not values["equal_measures"] and evidence < limits["quiet"]:
        return Comparison("none", None, None, min(p_model, 0.1), 0.8, *first, "nothing in common")
    if values["one_definition"]:
        return Comparison(None, None, None, min(p_model, 0.2), 0.0, *first, "a definition beside a norm")
    if values["parallel_swap"] > limits["parallel_swap"] and evidence < limits["quiet"]:
        return Comparison("none", None, None, min(p_model, 0.3), 0.8, *first, "like wording on another object")
    equal = [p for p in seen.measures if p.typed and p.typed.relation == "equal" and p.clock > 0]
    converted = [p for p in equal if p.left.unit != p.right.unit and p.left.dimension == "time"]
    if (
        converted
        and evidence < limits["quiet"]
        and values["similarity"] >= limits["alike"]
        and not values["bans_differ"]
    ):
        p = max(converted, key=lambda q: q.host)
        return Comparison("overlap", None, None, min(p_model, 0.3), 0.75, p.left_norm, p.right_norm, "same value")
    if scored:
        return Comparison(None, None, None, p_model, 0.0, scored[0][1].left, scored[0][1].right, "not sure enough")
    return Comparison(None, None, None, p_model, 0.0, *first, "no norms to set against each other")
