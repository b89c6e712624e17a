"""Why a verdict was given, in words for a compliance analyst."""

from __future__ import annotations

from antinomy.judge.norms.decide import Comparison
from antinomy.judge.norms.model import Measure, Norm
from antinomy.judge.norms.view import View

_LIMIT = 110
_ROLES = {
    "deadline": "a time limit", "retention": "a retention period", "frequency": "a frequency",
    "notice": "a notice period", "threshold": "a threshold", "duration": "a period", "amount": "an amount",
}  # fmt: skip
_FORCES = {
    "must": "requires", "must_not": "forbids", "may": "allows", "need_not": "does not require", "defines": "defines",
}  # fmt: skip
#: What decided, where no quantity did; "" is where no single cue did.
_WHY = {
    "actor": " (each leaves the act to somebody else)",
    "only": " (one of them excludes what the other leaves open)",
    "closed": " (one of them closes a term that the other leaves open)",
    "pole": " (they prescribe opposite ways)",
    "": " (no single word decides this; it was weighed by the wording as a whole: read both)",
}
#: Relations of which an analyst wants to know that.
_WEIGHED = ("conflict", "stricter")
_LEAD = {
    "conflict": "The two cannot both be obeyed",
    "stricter": "Both concern one duty and the {governs} provision demands more: who obeys it satisfies both",
    "overlap": "Both demand the same or are compatible",
    "definition": "One term is defined in two ways",
    "none": "The two concern different matters",
}


#: Why the norms alone leave a pair undecided.
_OPEN = {
    "a definition beside a norm": "one side defines a term, the other sets a duty",
    "not sure enough": "the two may bear on each other, but not surely enough to say how",
    "no norms to set against each other": "no duty on one side answers one on the other",
}


def of_comparison(seen: View, found: Comparison, left: str, right: str) -> str:
    """Return the sentence for what the norms alone say."""
    if found.relation is None:
        return f"Left undecided: {_OPEN[found.reason]}."
    measures = telling_measures(seen, found.relation, found.left_norm, found.right_norm)
    sides = (left, found.left_norm), (right, found.right_norm)
    basis = found.reason if found.reason in (*_WHY, "force", "measure") else "measure"
    return sentence(found.relation, found.governs, found.confidence, sides, measures, basis)


def telling_measures(
    seen: View, relation: str, left: Norm | None, right: Norm | None
) -> tuple[Measure, Measure] | None:
    """Return the quantities of two clauses that stand in a relation, None where none do."""
    for p in seen.measures:
        if p.typed is not None and p.typed.relation == relation and (p.left_norm, p.right_norm) == (left, right):
            return p.left, p.right
    return None


def sentence(
    relation: str,
    governs: str | None,
    probability: float,
    sides: tuple[tuple[str, Norm | None], tuple[str, Norm | None]],
    measures: tuple[Measure, Measure] | None,
    basis: str,
) -> str:
    """Return one sentence that names the relation, how sure it is, and what each side says.

    Args:
        relation, governs: the verdict.
        probability: of the relation, in [0, 1].
        sides: of each side its text and the clause that decided.
        measures: the quantities that decided, None where none did.
        basis: ``force``, ``pole``, ``actor``, ``only``, ``measure`` or "" where no single cue decided.
    """
    lead = _LEAD[relation].format(governs=governs)
    said = f"{lead} ({min(probability, 0.99):.0%} sure)"
    if relation == "none" or any(norm is None for _, norm in sides):
        return said + "."
    if measures is not None:
        one, two = measures
        what = "a limit" if one.dimension == "count" else _ROLES.get(one.role, "a quantity")
        return f"{said}: {what} of “{_plain(one.text)}” on the left, of “{_plain(two.text)}” on the right."
    named = zip(("left", "right"), sides, strict=True)
    parts = [f"the {side} {_says(text, norm)}" for side, (text, norm) in named if norm]
    return f"{said}: {'; '.join(parts)}{_WHY.get(basis, '') if relation in _WEIGHED or basis else ''}."


def _says(text: str, norm: Norm) -> str:
    deed = _plain(text[norm.cue[1] : norm.end])
    if (norm.action is not None and norm.action.start < norm.cue[0]) or not deed or norm.modality == "defines":
        return f"says “{_short(_plain(text[norm.start : norm.end]))}”"
    # The quote follows the verb as it stands, so the force is said apart.
    return f"{_FORCES[norm.modality]} (“{_short(_plain(text[norm.start : norm.end]))}”)"


def _plain(text: str) -> str:
    return " ".join(text.split()).strip(" .;,:")


def _short(text: str) -> str:
    return text if len(text) <= _LIMIT else text[: _LIMIT - 1].rsplit(" ", 1)[0] + "…"
