"""How a pair is described to the fitted decision: by its norms and by the vectors of its clauses.

Names that end in ``_left`` or ``_right`` speak of one side; all others are the same whichever side comes first.
"""

from __future__ import annotations

from antinomy.judge.local.vectors import Nearness
from antinomy.judge.norms import Norm
from antinomy.judge.norms.candidates import candidates
from antinomy.judge.norms.decide import Comparison, conflict_values, logistic, weights
from antinomy.judge.norms.evidence import both_limit, conditional_ban, opposed_poles
from antinomy.judge.norms.typed import Typed, compare_forces, compare_measures
from antinomy.judge.norms.view import View

#: Kinds that evidence in the norms may name.
_EVIDENT = ("deadline", "threshold", "frequency", "retention", "modality", "actor", "procedure", "other")
_RELATIONS = ("conflict", "overlap", "definition", "none")


def describe(seen: View, found: Comparison, near: Nearness) -> dict[str, float]:
    """Return the numbers that describe a pair, the same names for every pair.

    Args:
        seen: the two provisions laid side by side.
        found: what the norms alone say.
        near: how near their clauses are.
    """
    models = weights()
    values = {f"norms_{name}": value for name, value in conflict_values(seen, models).items()}
    values["norms_p"] = found.p_conflict
    for relation in _RELATIONS:
        values[f"says_{relation}"] = float(found.relation == relation)
    for side in ("left", "right"):
        values[f"says_stricter_{side}"] = float(found.relation == "stricter" and found.governs == side)
        values[f"stricter_{side}"] = 0.0
    for kind in _EVIDENT:
        values[f"kind_{kind}"] = 0.0
    for candidate in candidates(seen):
        score = logistic(models[candidate.source], candidate.values)
        values[f"kind_{candidate.typed.kind}"] = max(values[f"kind_{candidate.typed.kind}"], score)
        if candidate.typed.relation == "stricter":
            name = f"stricter_{candidate.typed.governs}"
            values[name] = max(values[name], score)
    values |= {f"near_{name}": value for name, value in near.values.items()}
    return values | crossed(seen, near)


#: What may be said of two clauses; each is weighed by how near the clauses are.
_CROSSED = (
    "force_conflict", "force_left", "force_right", "force_same", "force_bans", "force_excepted", "pole", "doer",
    "authority", "only", "measure_conflict", "measure_left", "measure_right", "measure_equal",
)  # fmt: skip


def crossed(seen: View, near: Nearness) -> dict[str, float]:
    """Return what the norms say of two clauses, weighed by the nearness of their vectors.

    The norms weigh a clash by shared words; a paraphrase shares few, but its vector is near. ``cross_*`` is the nearest
    pair of clauses of which something holds; ``paired_*`` the share of clauses of which it holds against their nearest
    clause on the other side.
    """
    most = dict.fromkeys(_CROSSED, 0.0)
    paired = dict.fromkeys(_CROSSED, 0.0)
    among = near.among
    nearest = {(i, int(among[i].argmax())) for i in range(len(seen.left))}
    nearest |= {(int(among[:, j].argmax()), j) for j in range(len(seen.right))}
    for i, a in enumerate(seen.left):
        for j, b in enumerate(seen.right):
            for name in _said_of(a, b):
                most[name] = max(most[name], float(among[i, j]))
                if (i, j) in nearest:
                    paired[name] += float(among[i, j]) / len(nearest)
    values = {f"cross_{name}": value for name, value in most.items()}
    values |= {f"paired_{name}": value for name, value in paired.items()}
    values["cross_turned"] = most["force_conflict"] - most["force_same"]
    return values


def _said_of(a: Norm, b: Norm) -> set[str]:
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
