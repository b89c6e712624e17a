"""The reason of a verdict in words for a compliance analyst, and the clauses that it rests on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from antinomy.judge.fitted.edits import Difference
from antinomy.judge.fitted.reading import PairReading, argmax
from antinomy.judge.rules.clauses import ClausePair
from antinomy.norms.model import Measure, Norm

#: Longest quote in a sentence, in characters.
_SHORT = 110
#: Only clauses nearer than this are named as the reason of a verdict.
_NEAR = 0.45
_LEAD = {
    "conflict": "Possible conflict",
    "stricter": "Both concern one duty, and the {governs} provision demands more",
    "overlap": "Both demand the same or are compatible",
    "definition": "One term is defined in two ways",
    "none": "The two concern different matters",
}
#: The same where no single relation is likelier than not.
_OPEN = _LEAD | {
    "stricter": "Both concern one duty, and the {governs} provision may demand more",
    "overlap": "Both concern one duty; how their demands relate is open",
}
_FORCES = {
    "must": "requires", "must_not": "forbids", "may": "allows", "need_not": "does not require", "defines": "defines",
}  # fmt: skip
_ROLES = {
    "deadline": "a time limit", "retention": "a retention period", "frequency": "a frequency",
    "notice": "a notice period", "threshold": "a threshold", "duration": "a period", "amount": "an amount",
}  # fmt: skip
_READ = {
    "equal": "both say the same in the same words",
    "same": "both say the same in the same words",
    "further": "one side repeats the other and says more besides",
    "party": "the same words bind an authority on one side and the firm on the other",
    "negation": "one side forbids what the other demands, in the same words",
    "force": "the same words, with another force",
}
_WHY = {
    "pole": "they prescribe opposite ways",
    "only": "one of them excludes what the other leaves open",
    "": "weighed by the wording as a whole: read both",
}


@dataclass(frozen=True)
class Basis:
    """What a verdict rests on.

    Attributes:
        left, right: offsets of the clauses in the texts.
        norms: the two clauses' norms, where they were read.
        measures: the quantities that show the relation, if any.
        cue: what shows it: ``measure``, ``force``, ``pole`` or ``only``; "" for none in particular.
        kind: of the difference if the cue shows it, else "".
    """

    left: tuple[int, int]
    right: tuple[int, int]
    norms: tuple[Norm, Norm] | None = None
    measures: tuple[Measure, Measure] | None = None
    cue: str = ""
    kind: str = ""


def basis(read: PairReading, relation: str, governs: str | None) -> Basis:
    """Find the clauses that speak for a relation: the nearest two that show it, else the nearest two."""
    one, two, near = read.left, read.right, read.norm_nearness
    if not near.size:
        i, j = argmax(read.clause_cosines)
        return Basis(one.spans[i], two.spans[j])
    if relation in ("conflict", "stricter"):
        wanted = governs or relation
        cues = [f"measure_{wanted}", f"force_{wanted}", *(("pole", "only") if relation == "conflict" else ())]
        found: list[tuple[float, Basis]] = []
        for i, row in enumerate(read.clauses):
            for j, pair in enumerate(row):
                cue = next((c for c in cues if c in pair.said), "") if near[i, j] >= _NEAR else ""
                if cue:
                    found.append((float(near[i, j]), _named(pair, cue.partition("_")[0], wanted)))
        if found:
            return max(found, key=lambda f: (round(f[0], 6), -f[1].left[0] - f[1].right[0]))[1]
    i, j = argmax(near)
    return _named(read.clauses[i][j])


def _named(pair: ClausePair, cue: str = "", wanted: str = "") -> Basis:
    """Return two clauses as the basis of a verdict, with the quantities and the kind that a cue shows."""
    a, b = pair.left, pair.right
    measures, kind = None, "modality" if cue == "force" else ""
    if cue == "measure":
        i, j, typed = next(found for found in pair.measures if found[2].sided == wanted)
        measures, kind = (a.measures[i], b.measures[j]), typed.kind
    return Basis((a.start, a.end), (b.start, b.end), (a, b), measures, cue, kind)


def sentence(
    relation: str, governs: str | None, chance: float, related: float, texts: Sequence[str], found: Basis
) -> str:
    """Return one sentence that names the relation, how probable it is, and what each side says.

    Args:
        relation, governs: the verdict.
        chance: of the relation, in [0, 1].
        related: chance that the two are related in any way.
        texts: left and right.
        found: what it rests on.
    """
    is_open = chance < 0.5
    lead = (_OPEN if is_open else _LEAD)[relation].format(governs=governs)
    lead += f" ({min(related if is_open and relation == 'overlap' else chance, 0.99):.0%})"
    if relation == "none":
        return lead + "."
    if found.measures:
        return f"{lead}: {_quantities(found.measures)}."
    if found.norms is None:
        return lead + "."
    sides = zip(("left", "right"), texts, found.norms, strict=True)
    said = "; ".join(f"the {side} {_says(text, norm)}" for side, text, norm in sides)
    why = f" ({_WHY[found.cue]})" if relation in ("conflict", "stricter") and found.cue in _WHY else ""
    return f"{lead}: {said}{why}."


def of_difference(read: Difference, chance: float) -> str:
    """Return the sentence where the difference of two nearly equal texts decides."""
    lead = f"{_LEAD[read.relation].format(governs=read.governs)} ({min(chance, 0.99):.0%})"
    if read.measures:
        return f"{lead}: in the same words, {_quantities(read.measures)}."
    return f"{lead}: {_READ[read.why]}."


def _quantities(measures: tuple[Measure, Measure]) -> str:
    one, two = measures
    what = "a limit" if one.dimension == "count" else _ROLES.get(one.role, "a quantity")
    return f"{what} of “{_plain(one.text)}” on the left, of “{_plain(two.text)}” on the right"


def _says(text: str, norm: Norm) -> str:
    words = _short(_plain(text[norm.start : norm.end]))
    passive = norm.action is not None and norm.action.start < norm.cue[0]
    if passive or norm.modality == "defines" or norm.strength < 0.5:
        return f"says “{words}”"
    return f"{_FORCES[norm.modality]} (“{words}”)"


def _plain(text: str) -> str:
    return " ".join(text.split()).strip(" .;,")


def _short(text: str) -> str:
    return text if len(text) <= _SHORT else text[: _SHORT - 1].rsplit(" ", 1)[0] + "…"
