"""What the page calls relations, kinds and states, and how it writes numbers."""

from __future__ import annotations

from antinomy.vocabulary import FindingState, Relation

#: Stands for the relation of a pair without a verdict.
NO_ANSWER = "unanswered"
#: Relations in the words of the page.
RELATION_WORDS: dict[str, str] = {
    Relation.CONFLICT: "Conflict",
    Relation.STRICTER: "Stricter",
    Relation.DEFINITION: "Definition",
    Relation.OVERLAP: "Overlap",
    Relation.NONE: "No relation",
    NO_ANSWER: "No answer",
}
#: Kinds of difference in the words of the page.
KIND_WORDS = {
    "deadline": "Deadline", "threshold": "Limit or amount", "frequency": "How often", "retention": "Retention period",
    "modality": "Must or may", "actor": "Who must act", "procedure": "Procedure", "scope": "Scope",
    "definition": "Definition", "other": "Other",
}  # fmt: skip
#: States against the previous run in the words of the page.
STATE_WORDS: dict[str, str] = {
    FindingState.NEW: "New",
    FindingState.CARRIED: "Carried over",
    FindingState.RESOLVED: "Resolved",
}
#: States of the crosswalk in the words of the page, in the order in which they are counted.
COVERAGE_WORDS = {
    "covered": "Counterpart", "stricter_here": "Stricter than its counterpart",
    "stricter_there": "Counterpart is stricter", "conflict": "Conflict", "partly": "Possible or partial counterpart",
    "gap": "Gap", "not_decidable": "Open", "left_out": "Left out",
}  # fmt: skip
#: What a stricter rule may be about: the kinds, and tests, in the order of the page. What one side demands and the
#: other allows comes last: it names no value.
TOPIC_WORDS = {
    "deadline": "Deadlines", "frequency": "How often", "retention": "Keeping and erasing", "threshold":
    "Amounts and limits", "testing": "Testing", "procedure": "Procedure", "actor": "Who must act",
    "scope": "Scope", "definition": "Definitions", "other": "Other", "modality": "Must or may",
}  # fmt: skip


def thousands(n: float) -> str:
    """Write a number with narrow spaces between its thousands."""
    return f"{n:,}".replace(",", "\u202f")
