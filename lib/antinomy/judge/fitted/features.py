"""How a pair is described to the fitted decision.

Names that end in ``_left`` or ``_right`` speak of one side; all others are the same whichever side comes first.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

import numpy as np

from antinomy.judge.fitted.excerpt import focus
from antinomy.judge.fitted.texts import Text
from antinomy.judge.rules.clashes import both_limit, conditional_ban, opposed_poles
from antinomy.judge.rules.features import view
from antinomy.judge.rules.typed import Typed, compare_forces, compare_measures
from antinomy.norms import Norm

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: A word without a counterpart this near is counted as new.
_STRANGE = 0.5


#: Characters from which on a side says more than one thing. A shorter one is compared with the part of the other that
#: is nearest to it, and how many words of the rest it shares tells nothing.
_LONG = 200
#: Rarity of a stem, see ``rarities``.
Rarity = Mapping[str, float]


def describe(one: Text, two: Text, rarity: Rarity) -> dict[str, float]:
    """Return the numbers that describe a pair, the same names for every pair.

    Args:
        one, two: the provisions.
        rarity: of stems; see ``rarities``.
    """
    a, b = focus(one, two)
    among = a.vectors @ b.vectors.T
    values = {f"near_{name}": value for name, value in _near(a, b, among).items()}
    values |= {f"word_{name}": value for name, value in _words(a, b, rarity).items()}
    values |= {f"view_{name}": value for name, value in view(a.text, b.text).values.items()}
    values |= _crossed(a, b, among)
    whole = _near(one, two, one.vectors @ two.vectors.T) | _words(one, two, rarity)
    values["long"] = float((a is not one or b is not two) and min(len(one.text), len(two.text)) >= _LONG)
    return values | {f"whole_{name}": value for name, value in whole.items()}


def rarities(texts: Iterable[Text]) -> dict[str, float]:
    """Return how rare each stem is among texts: the logarithm of the share of texts that have it, turned positive.

    Stems of a single text are left out: what is not in the table is as rare.
    """
    counts: Counter[str] = Counter()
    number = 0
    for text in texts:
        number += 1
        counts.update(set(text.stems))
    return {s: round(math.log(number / n), 2) for s, n in sorted(counts.items()) if n > 1}


def _near(one: Text, two: Text, among: NDArray[np.float32]) -> dict[str, float]:
    sizes = [np.array([b - a for a, b in t.spans], dtype=np.float32) for t in (one, two)]
    values = {
        "cos": float(one.whole @ two.whole),
        "best": float(among.max()),
        "cover_left": float(among.max(axis=1) @ sizes[0] / max(1.0, sizes[0].sum())),
        "cover_right": float(among.max(axis=0) @ sizes[1] / max(1.0, sizes[1].sum())),
        "least_left": float(among.max(axis=1).min()),
        "least_right": float(among.max(axis=0).min()),
    }
    return values | _whichever(values, len(one.text) - len(two.text))


def _words(one: Text, two: Text, rarity: Rarity) -> dict[str, float]:
    """Compare word by word, each with its nearest on the other side (as BERTScore does, Zhang et al. 2020)."""
    values = {}
    if not one.words or not two.words:
        sims = np.zeros((max(1, len(one.words)), max(1, len(two.words))), dtype=np.float32)
    else:
        sims = one.word_vectors @ two.word_vectors.T
    rarest = max(rarity.values(), default=1.0)
    shared = set(one.stems) & set(two.stems)
    for side, text, nearest in (("left", one, sims.max(axis=1)), ("right", two, sims.max(axis=0))):
        weight = np.array([rarity.get(s, rarest) for s in text.stems] or [1.0], dtype=np.float32)
        values[f"held_{side}"] = sum(rarity.get(s, rarest) for s in shared) / max(
            1.0, sum(rarity.get(s, rarest) for s in set(text.stems))
        )
        weight = weight / max(1e-6, float(weight.sum()))
        values[f"mean_{side}"] = float(nearest @ weight)
        values[f"new_{side}"] = float((nearest < _STRANGE) @ weight)
        values[f"low_{side}"] = float(np.quantile(nearest, 0.2))
    values["shared"] = math.log1p(sum(rarity.get(s, rarest) for s in shared))
    values["both"] = math.sqrt(values["held_left"] * values["held_right"])
    return values | _whichever(values, len(one.words) - len(two.words))


#: What may be said of two clauses; each is weighed by how near the clauses are.
_CROSSED = (
    "force_conflict", "force_left", "force_right", "force_same", "force_bans", "force_excepted", "doer",
    "authority", "only", "measure_conflict", "measure_left", "measure_right", "measure_equal",
)  # fmt: skip


def _crossed(one: Text, two: Text, among: NDArray[np.float32]) -> dict[str, float]:
    """Return what two clauses say of each other, weighed by their nearness.

    ``cross_*`` is the nearest pair of clauses of which something holds; ``paired_*`` the share of clauses of which it
    holds against their nearest clause on the other side.
    """
    most = dict.fromkeys(_CROSSED, 0.0)
    paired = dict.fromkeys(_CROSSED, 0.0)
    near = norms_near(one, two, among)
    nearest: set[tuple[int, int]] = set()
    if near.size:
        nearest = {(i, int(near[i].argmax())) for i in range(len(one.norms))}
        nearest |= {(int(near[:, j].argmax()), j) for j in range(len(two.norms))}
    for i, a in enumerate(one.norms):
        for j, b in enumerate(two.norms):
            for name in said_of(a, b) & most.keys():
                most[name] = max(most[name], float(near[i, j]))
                if (i, j) in nearest:
                    paired[name] += float(near[i, j]) / len(nearest)
    values = {f"cross_{name}": value for name, value in most.items()}
    values |= {f"paired_{name}": value for name, value in paired.items()}
    values["cross_turned"] = most["force_conflict"] - most["force_same"]
    return values


def norms_near(one: Text, two: Text, among: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return how near each norm of one side is to each of the other: by their clauses' vectors and their own words."""
    homes = (
        among[np.ix_(one.homes, two.homes)]
        if one.norms and two.norms
        else np.zeros((len(one.norms), len(two.norms)), dtype=np.float32)
    )
    words = np.zeros(homes.shape, dtype=np.float32)
    if one.words and two.words and homes.size:
        sims = one.word_vectors @ two.word_vectors.T
        rows = [[k for k, (at, _) in enumerate(one.words) if n.start <= at < n.end] for n in one.norms]
        cols = [[k for k, (at, _) in enumerate(two.words) if n.start <= at < n.end] for n in two.norms]
        for i, row in enumerate(rows):
            for j, col in enumerate(cols):
                if row and col:
                    part = sims[np.ix_(row, col)]
                    words[i, j] = np.sqrt(max(0.0, part.max(axis=1).mean() * part.max(axis=0).mean()))
    near: NDArray[np.float32] = (homes + words) / np.float32(2)
    return near


def said_of(a: Norm, b: Norm) -> set[str]:
    """Return what two clauses say of each other: names of _CROSSED, or ``pole``: they hold opposites."""
    if "defines" in (a.modality, b.modality):
        return set()
    said = {f"measure_{_sided(t)}" for m in a.measures for k in b.measures if (t := compare_measures(m, k, a, b))}
    if a.embedded or b.embedded:
        return said
    limited = both_limit(a, b)
    force = None if limited else compare_forces(a.modality, b.modality)
    if a.modality == b.modality == "must_not" and not a.measures and not b.measures:
        # Two bans: doing neither obeys both.
        said.add("force_bans")
    if force and "must_not" in (a.modality, b.modality) and conditional_ban(a, b):
        said.add("force_excepted")
    elif force:
        said.add(f"force_{_sided(force)}")
    elif limited or a.modality == b.modality:
        said.add("force_same")
    if opposed_poles(a, b):
        said.add("pole")
    if a.addressee and b.addressee and a.addressee != b.addressee:
        said.add("doer")
        if "authority" in (a.addressee, b.addressee):
            said.add("authority")
    if a.exclusive != b.exclusive:
        said.add("only")
    return said


def _sided(typed: Typed) -> str:
    return typed.governs or typed.relation


def _whichever(values: Mapping[str, float], longer: int) -> dict[str, float]:
    """Return what is said of the two sides by what they are to each other."""
    found = {}
    for name in [n.removesuffix("_left") for n in values if n.endswith("_left")]:
        left, right = values[f"{name}_left"], values[f"{name}_right"]
        found[f"{name}_more"], found[f"{name}_less"] = max(left, right), min(left, right)
        # Of two equally long neither is the shorter.
        short, long = (right, left) if longer > 0 else (left, right) if longer < 0 else ((left + right) / 2,) * 2
        found[f"{name}_short"], found[f"{name}_long"] = short, long
    return found
