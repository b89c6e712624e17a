"""The second question: the verdict as JSON, with a reason and a verbatim quote from each side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from pydantic import BaseModel, model_validator

from antinomy.judge.evidence import verbatim
from antinomy.judge.protocol import Pair
from antinomy.text.characters import one_line
from antinomy.vocabulary import Relation

#: Relations with a kind, which says what differs.
DIFFERING: tuple[str, ...] = (Relation.CONFLICT, Relation.STRICTER, Relation.DEFINITION)


class Explanation(BaseModel, frozen=True, extra="forbid"):
    """The model's answer. It writes the fields in this order, so it reasons before it decides.

    ``first`` and ``second`` are the sides in the order of the prompt.
    """

    rationale: str
    quote_first: str
    quote_second: str
    relation: Literal["conflict", "stricter", "overlap", "definition", "none"]
    kind: (
        Literal[
            "deadline", "threshold", "frequency", "retention", "modality", "actor", "procedure", "scope",
            "definition", "other",
        ]
        | None
    )  # fmt: skip
    governs: Literal["first", "second"] | None

    @model_validator(mode="after")
    def _whole(self) -> Explanation:
        if self.relation in DIFFERING and self.kind is None:
            raise ValueError(f"relation {self.relation} without a kind")
        if self.relation == "stricter" and self.governs is None:
            raise ValueError("relation stricter without governs")
        if not self.rationale.strip():
            raise ValueError("empty rationale")
        return self


#: For ``response_format``; servers with constrained decoding enforce it.
RESPONSE_FORMAT: dict[str, Any] = {
    "type": "json_schema",
    "json_schema": {"name": "explanation", "strict": True, "schema": Explanation.model_json_schema()},
}


@dataclass(frozen=True, slots=True)
class SidedExplanation:
    """An explanation by left and right instead of first and second, with verified quotes.

    Attributes:
        relation, kind, governs, evidence_left, evidence_right: as in ``protocol.Verdict``.
        rationale: in one line.
    """

    relation: str
    kind: str | None
    governs: str | None
    evidence_left: str
    evidence_right: str
    rationale: str

    @property
    def verified(self) -> bool:
        """Whether both quotes are in their texts."""
        return bool(self.evidence_left and self.evidence_right)


def read(answer: Explanation, pair: Pair, swapped: bool) -> SidedExplanation:
    """Return an answer by left and right; ``swapped`` says that the prompt showed the right side first."""
    quote_left, quote_right = answer.quote_first, answer.quote_second
    governs = {"first": "left", "second": "right", None: None}[answer.governs]
    if swapped:
        quote_left, quote_right = quote_right, quote_left
        governs = {"left": "right", "right": "left", None: None}[governs]
    return SidedExplanation(
        relation=answer.relation,
        kind=answer.kind if answer.relation in DIFFERING else None,
        governs=governs if answer.relation == "stricter" else None,
        evidence_left=verbatim(quote_left, pair.left.text),
        evidence_right=verbatim(quote_right, pair.right.text),
        rationale=one_line(answer.rationale),
    )


def settle(
    explanations: Sequence[SidedExplanation], probabilities: dict[str, float]
) -> tuple[SidedExplanation, bool | None]:
    """Choose one of the explanations that were given in one or both orders.

    If they disagree on the relation or the side that governs, the one that the screen found likelier is chosen, of
    equals the graver one. If they agree, one with both quotes verified is chosen.

    Args:
        explanations: in the order in which they were asked for.
        probabilities: of each relation, from the screen.

    Returns:
        The chosen explanation, and whether both agree (None for a single one).
    """
    chosen = min(
        explanations,
        key=lambda r: (-probabilities.get(r.relation, 0.0), list(Relation).index(Relation(r.relation)), not r.verified),
    )
    if len(explanations) == 1:
        return chosen, None
    return chosen, len({(r.relation, r.governs) for r in explanations}) == 1
