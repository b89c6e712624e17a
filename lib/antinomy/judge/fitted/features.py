"""The numbers that describe a pair to the fitted decision.

Numbers whose names end in ``_left`` or ``_right`` are of one side; all others are the same whichever side comes first.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cached_property

import numpy as np

from antinomy.judge.fitted.reading import PairReading
from antinomy.judge.fitted.texts import Text
from antinomy.judge.rules.clauses import measure_pairs
from antinomy.judge.rules.likeness import coverage, unmatched, wording_order
from antinomy.norms import Norm
from antinomy.norms.words import addressee_class, fold

#: A word counts as new without a counterpart this near.
_STRANGE = 0.5
#: A side of at least so many characters says more than one thing. A shorter one is compared with the part of the other
#: that is nearest to it; the words that it shares with the rest tell nothing.
_LONG = 200


class Rarity(dict[str, float]):
    """How rare each stem is, see ``rarities``; a stem that is missing counts as the rarest."""

    def __missing__(self, stem: str) -> float:
        return self._rarest

    @cached_property
    def _rarest(self) -> float:
        return max(self.values(), default=1.0)


def describe(read: PairReading, rarity: Rarity) -> dict[str, float]:
    """Return the numbers that describe a pair, the same names for every pair.

    Args:
        read: the pair.
        rarity: of stems.
    """
    part = read.excerpt
    near, words = _near(part), _words(part, rarity)
    values = {f"near_{name}": value for name, value in near.items()}
    values |= {f"word_{name}": value for name, value in words.items()}
    values |= {f"view_{name}": value for name, value in _norms(part).items()}
    values |= _crossed(part)
    whole = near | words if part is read else _near(read) | _words(read, rarity)
    cut = part.left is not read.left or part.right is not read.right
    values["long"] = float(cut and min(len(read.left.text), len(read.right.text)) >= _LONG)
    return values | {f"whole_{name}": value for name, value in whole.items()}


def rarities(texts: Iterable[Text]) -> Rarity:
    """Return how rare each stem is among texts: minus the logarithm of the share of texts that have it.

    Stems of a single text are left out: what is missing counts as that rare.
    """
    counts: Counter[str] = Counter()
    number = 0
    for text in texts:
        number += 1
        counts.update(set(text.stems))
    return Rarity({s: round(math.log(number / n), 2) for s, n in sorted(counts.items()) if n > 1})


def _near(read: PairReading) -> dict[str, float]:
    one, two, cosines = read.left, read.right, read.clause_cosines
    sizes = [np.array([b - a for a, b in t.spans], dtype=np.float32) for t in (one, two)]
    rows, columns = cosines.max(axis=1), cosines.max(axis=0)
    values = {
        "cos": float(one.whole @ two.whole),
        "best": float(rows.max()),
        "cover_left": float(rows @ sizes[0] / max(1.0, sizes[0].sum())),
        "cover_right": float(columns @ sizes[1] / max(1.0, sizes[1].sum())),
        "least_left": float(rows.min()),
        "least_right": float(columns.min()),
    }
    return values | _whichever(values, len(one.text) - len(two.text))


def _words(read: PairReading, rarity: Rarity) -> dict[str, float]:
    """Compare word by word, each with its nearest on the other side (as BERTScore does, Zhang et al. 2020)."""
    values = {}
    one, two = read.left, read.right
    mine, yours = set(one.stems), set(two.stems)
    shared = sum(rarity[s] for s in mine & yours)
    for side, text, own, nearest in (
        ("left", one, mine, read.word_cosines.max(axis=1)),
        ("right", two, yours, read.word_cosines.max(axis=0)),
    ):
        weight = np.array([rarity[s] for s in text.stems] or [1.0], dtype=np.float32)
        values[f"held_{side}"] = shared / max(1.0, sum(rarity[s] for s in own))
        weight = weight / max(1e-6, float(weight.sum()))
        values[f"mean_{side}"] = float(nearest @ weight)
        values[f"new_{side}"] = float((nearest < _STRANGE) @ weight)
        values[f"low_{side}"] = float(np.quantile(nearest, 0.2))
    values["shared"] = math.log1p(shared)
    values["both"] = math.sqrt(values["held_left"] * values["held_right"])
    return values | _whichever(values, len(one.words) - len(two.words))


def _norms(read: PairReading) -> dict[str, float]:
    """Compare the norms of two provisions: their words, quantities and forces."""
    a, b = read.left.norms, read.right.norms
    bags = read.left.bag, read.right.bag
    pairs = measure_pairs(read.clauses)
    opposed = [clash for row in read.clauses for pair in row for clash in pair.clashes()]
    # Who acts is compared as the addressee: another actor is not another object.
    doers = {n.addressee for n in (*a, *b)}
    only_a = [w for stem, w in unmatched(bags[0], bags[1]) if addressee_class(stem) not in doers]
    only_b = [w for stem, w in unmatched(bags[1], bags[0]) if addressee_class(stem) not in doers]
    swap = min(sum(only_a), sum(only_b)) / max(1.0, min(bags[0].total, bags[1].total))
    order = wording_order([w for n in a for w in n.words], [w for n in b for w in n.words])
    cover = coverage(bags[0], bags[1]), coverage(bags[1], bags[0])
    values = {
        "similarity": math.sqrt(cover[0] * cover[1]),
        "coverage_least": min(cover),
        "coverage_most": max(cover),
        "order": order,
        "swap": swap,
        "parallel_swap": order * min(1.0, swap * 4),
        "best_clause": max((pair.similarity for row in read.clauses for pair in row), default=0.0),
        "equal_measures": float(sum(p.typed is not None and p.typed.relation == "equal" for p in pairs)),
        "other_clock": float(any(p.clock == 0.0 for p in pairs)),
        "one_definition": float(_defines(a) != _defines(b)),
        "both_define": float(_defines(a) and _defines(b)),
        "exclusive_differs": float(any(n.exclusive for n in a) != any(n.exclusive for n in b)),
        "bans_differ": float(sum(n.modality == "must_not" for n in a) != sum(n.modality == "must_not" for n in b)),
        "one_sided": abs(cover[0] - cover[1]),
        "norms_least": float(min(len(a), len(b))),
    }
    told = [("measure", p.typed, p.likeness) for p in pairs if p.typed] + [
        (c.source, c.typed, c.likeness) for c in opposed
    ]
    for name in _OPPOSED:
        source, _, relation = name.partition("_")
        weights = [likeness * t.weight for said, t, likeness in told if said == source and t.relation == relation]
        values[name] = max(weights, default=0.0)
    return values


#: Evidence of a relation of two provisions.
_OPPOSED = (
    "measure_conflict", "force_conflict", "pole_conflict", "actor_conflict", "only_conflict",
    "measure_stricter", "force_stricter",
)  # fmt: skip


def _defines(norms: Iterable[Norm]) -> bool:
    return any(n.modality == "defines" for n in norms)


#: What may hold of two clauses; each is weighed by how near the clauses are.
_CROSSED = (
    "force_conflict", "force_left", "force_right", "force_same", "force_bans", "force_excepted", "doer",
    "authority", "only", "measure_conflict", "measure_left", "measure_right", "measure_equal",
)  # fmt: skip


def _crossed(read: PairReading) -> dict[str, float]:
    """Return what two clauses say of each other, weighed by their nearness.

    ``cross_*`` is the nearness of the nearest two clauses of which something holds; ``paired_*`` the share, weighed by
    nearness, of the nearest clause pairs of which it holds.
    """
    most = dict.fromkeys(_CROSSED, 0.0)
    paired = dict.fromkeys(_CROSSED, 0.0)
    near = read.norm_nearness
    nearest: set[tuple[int, int]] = set()
    if near.size:
        nearest = {(i, int(j)) for i, j in enumerate(near.argmax(axis=1))}
        nearest |= {(int(i), j) for j, i in enumerate(near.argmax(axis=0))}
    for i, row in enumerate(read.clauses):
        for j, pair in enumerate(row):
            for name in pair.said & most.keys():
                most[name] = max(most[name], float(near[i, j]))
                if (i, j) in nearest:
                    paired[name] += float(near[i, j]) / len(nearest)
    values = {f"cross_{name}": value for name, value in most.items()}
    values |= {f"paired_{name}": value for name, value in paired.items()}
    values["cross_turned"] = most["force_conflict"] - most["force_same"]
    return values


def _whichever(values: Mapping[str, float], longer: int) -> dict[str, float]:
    """Return the two sides' numbers by which is greater, and by which text is longer."""
    found = {}
    for name in [n.removesuffix("_left") for n in values if n.endswith("_left")]:
        left, right = values[f"{name}_left"], values[f"{name}_right"]
        found[f"{name}_more"], found[f"{name}_less"] = max(left, right), min(left, right)
        # Of two equally long neither is the shorter.
        short, long = (right, left) if longer > 0 else (left, right) if longer < 0 else ((left + right) / 2,) * 2
        found[f"{name}_short"], found[f"{name}_long"] = short, long
    return found


_LEFT_OUT = re.compile(r"\b(?:not|no|never|neither|nor|without|exclud\w+|except\w*|outside|other than)\b")
_SETTLED = re.compile(
    r"\b(?:whatever|irrespective|regardless|whether or not|whoever|however|even (?:if|where|when)|includ\w+|only)\b"
)
#: A count above this tells nothing more.
_MOST = 2


def describe_meanings(one: Text, two: Text) -> dict[str, float]:
    """Return the numbers that describe two definitions of one term; the same whichever side comes first.

    That their words are near says next to nothing about whether they mean the same. It tells a little if one leaves
    something out, names a number, or says what makes no difference.
    """
    sides = fold(one.text), fold(two.text)
    out = [len(_LEFT_OUT.findall(side)) for side in sides]
    numbers = [{m.text for norm in text.norms for m in norm.measures} for text in (one, two)]
    return {
        "out": float(min(_MOST, abs(out[0] - out[1]))),
        "settled": float(min(_MOST, sum(len(_SETTLED.findall(side)) for side in sides))),
        "numbers": float(numbers[0] != numbers[1]),
    }
