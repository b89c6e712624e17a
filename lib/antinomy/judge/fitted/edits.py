"""Compares two provisions in nearly the same words: their differences decide how they relate.

Texts are compared clause by clause, so added or reordered clauses do not matter. Nor do case, white space, punctuation,
list labels and the numbers of cited provisions. Numbers in words equal those in digits.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from antinomy.judge.fitted.texts import Spans, Text, Token
from antinomy.judge.rules.comparison import compare_measures, compare_modalities
from antinomy.norms import Norm
from antinomy.norms.model import Measure
from antinomy.norms.words import fold

#: Share of the shorter side's vocabulary that must occur on the other side for the clauses to be compared at all.
_MIN_SHARED_WORDS = 0.7
#: Share of the shorter clause's words that two aligned clauses must have in common.
_MIN_EQUAL_WORDS = 0.6
#: Share of one side's words that must stand in aligned clauses for the texts to count as nearly equal.
_MIN_ALIGNED_WORDS = 0.8
#: A comparison of quantities is relied on from this confidence on.
_MIN_CONFIDENCE = 0.8

_NEGATIONS = frozenset(("not", "no", "never", "nor", "neither", "cannot", "none", "nobody", "without"))


@dataclass(frozen=True)
class Edit:
    """A place where a clause differs from its counterpart.

    Attributes:
        left, right: the words on either side; one of the two may be empty.
    """

    left: tuple[Token, ...]
    right: tuple[Token, ...]


@dataclass(frozen=True)
class AlignedClauses:
    """A clause and its counterpart.

    Attributes:
        left, right: indices of the clauses in their texts.
        edits: where they differ.
    """

    left: int
    right: int
    edits: tuple[Edit, ...]


@dataclass(frozen=True)
class Difference:
    """How two nearly equal texts differ.

    Attributes:
        relation, governs: as in ``Verdict``; within this module "" for a difference that cannot be interpreted.
        kind: of the difference, "" for none.
        reason: ``equal``, ``further``, ``party``, ``modality``, ``negation`` or ``measure``.
        spans: the clauses that show it.
        measures: the quantities that show it.
    """

    relation: str
    governs: str | None = None
    kind: str = ""
    reason: str = ""
    spans: Spans | None = None
    measures: tuple[Measure, Measure] | None = None


_UNCLEAR = Difference("")


def find_difference(left: Text, right: Text) -> Difference | None:
    """Return how two texts differ; None where they are not nearly equal, or the difference cannot be interpreted."""
    aligned = _align_clauses(left, right)
    found = None if aligned is None else _combine_differences(left, right, aligned)
    return found if found and found.relation else None


def _align_clauses(left: Text, right: Text) -> list[AlignedClauses] | None:
    """Align the clauses of two texts one to one, greedily by shared words; None if the texts are not nearly equal."""
    shared_vocabulary = len(left.vocabulary & right.vocabulary)
    smaller_vocabulary = min(len(left.vocabulary), len(right.vocabulary))
    if not smaller_vocabulary or shared_vocabulary < _MIN_SHARED_WORDS * smaller_vocabulary:
        return None
    left_clauses, right_clauses = left.clause_tokens, right.clause_tokens
    left_counts, right_counts = (
        [Counter(word for word, _ in clause) for clause in clauses] for clauses in (left_clauses, right_clauses)
    )
    options = []
    for i, a in enumerate(left_clauses):
        for j, b in enumerate(right_clauses):
            shared = (left_counts[i] & right_counts[j]).total()
            if shared and shared >= _MIN_EQUAL_WORDS * min(len(a), len(b)):
                options.append((shared / max(len(a), len(b)), shared, -abs(i - j), i, j))
    counterpart: dict[int, int] = {}
    for *_, i, j in sorted(options, reverse=True):
        if i not in counterpart and j not in counterpart.values():
            counterpart[i] = j
    aligned, left_words, right_words = [], 0, 0
    for i, j in sorted(counterpart.items()):
        edits, equal_words = _edits(left_clauses[i], right_clauses[j])
        if equal_words >= _MIN_EQUAL_WORDS * min(len(left_clauses[i]), len(right_clauses[j])):
            aligned.append(AlignedClauses(i, j, edits))
            left_words += len(left_clauses[i])
            right_words += len(right_clauses[j])
    share = max(left_words / max(1, len(left.tokens)), right_words / max(1, len(right.tokens)))
    return aligned if share >= _MIN_ALIGNED_WORDS else None


def _edits(left: Sequence[Token], right: Sequence[Token]) -> tuple[tuple[Edit, ...], int]:
    """Return where two clauses differ, and the number of words in which they are equal."""
    # The matcher depends on the order of its arguments; the result must not.
    swapped = [word for word, _ in left] > [word for word, _ in right]
    first, second = (right, left) if swapped else (left, right)
    matcher = SequenceMatcher(None, [word for word, _ in first], [word for word, _ in second], autojunk=False)
    edits, equal_words = [], 0
    for operation, i, j, k, m in matcher.get_opcodes():
        if operation == "equal":
            equal_words += j - i
        else:
            a, b = tuple(first[i:j]), tuple(second[k:m])
            edits.append(Edit(b, a) if swapped else Edit(a, b))
    return tuple(edits), equal_words


def _combine_differences(left: Text, right: Text, aligned: Sequence[AlignedClauses]) -> Difference:
    """Return the difference of two texts from those of their aligned clauses."""
    differences = [d for clauses in aligned if clauses.edits for d in _interpret_edits(left, right, clauses)]
    left_rest = _has_other_clauses(left, {clauses.left for clauses in aligned})
    right_rest = _has_other_clauses(right, {clauses.right for clauses in aligned})
    if left_rest and right_rest:
        # These clauses may be counterparts of each other in other words.
        return _UNCLEAR
    if not differences:
        # Both can be obeyed, whatever one side adds.
        reason = "equal" if _all_words_aligned(left, right, aligned) else "further"
        return Difference("overlap", reason=reason, spans=_longest_clauses(left, right, aligned))
    if any(not d.relation for d in differences):
        return _UNCLEAR
    telling = [d for d in differences if d.reason != "same"]
    if not telling:
        return Difference("overlap", reason="equal", spans=differences[0].spans)
    decisive = [d for d in telling if d.reason in ("party", "negation")]
    if decisive:
        return decisive[0]
    return telling[0] if len({(d.relation, d.governs) for d in telling}) == 1 else _UNCLEAR


def _has_other_clauses(text: Text, aligned: set[int]) -> bool:
    """Tell whether a text has clauses besides those that are aligned."""
    return any(tokens and i not in aligned for i, tokens in enumerate(text.clause_tokens))


def _all_words_aligned(left: Text, right: Text, aligned: Sequence[AlignedClauses]) -> bool:
    """Tell whether both sides say the same in the same words."""
    left_words = sum(len(left.clause_tokens[clauses.left]) for clauses in aligned)
    right_words = sum(len(right.clause_tokens[clauses.right]) for clauses in aligned)
    totals = tuple(sum(map(len, text.clause_tokens)) for text in (left, right))
    return totals == (left_words, right_words) and not any(clauses.edits for clauses in aligned)


def _longest_clauses(left: Text, right: Text, aligned: Sequence[AlignedClauses]) -> Spans | None:
    def length(clauses: AlignedClauses) -> int:
        start, end = left.clause_spans[clauses.left]
        return end - start

    longest = max(aligned, key=length, default=None)
    return (left.clause_spans[longest.left], right.clause_spans[longest.right]) if longest else None


def _interpret_edits(left: Text, right: Text, clauses: AlignedClauses) -> list[Difference]:
    """Return the differences that the edits of a clause make; ``_UNCLEAR`` for an edit that cannot be interpreted."""
    spans = left.clause_spans[clauses.left], right.clause_spans[clauses.right]
    left_norms = [n for n, clause in zip(left.norms, left.clause_of_norm, strict=True) if clause == clauses.left]
    right_norms = [n for n, clause in zip(right.norms, right.clause_of_norm, strict=True) if clause == clauses.right]
    left_measures, right_measures = _measures_within(left, spans[0]), _measures_within(right, spans[1])
    if len(left_measures) != len(right_measures):
        return [_UNCLEAR]
    differences = _measure_differences(left_measures, right_measures, spans)
    differences += _modality_differences(left_norms, right_norms, spans)
    negations = 0
    for edit in clauses.edits:
        added_negations = _count_negations(edit.left) - _count_negations(edit.right)
        negations += added_negations
        is_single_word = len(edit.left) + len(edit.right) == 1
        if added_negations % 2 and is_single_word and _follows_duty(left, right, edit):
            differences.append(Difference("conflict", None, "modality", "negation", spans))
        if _has_content(edit.left, left_norms, left_measures) or _has_content(edit.right, right_norms, right_measures):
            if not _changes_party(left_norms, right_norms, edit):
                return [_UNCLEAR]
            differences.append(Difference("none", reason="party", spans=spans))
    if negations % 2 and not any(d.reason in ("modality", "negation") for d in differences):
        return [_UNCLEAR]
    # Only function words differ, or the same value stands in other units.
    return differences or [Difference("overlap", reason="same", spans=spans)]


_Measured = tuple[Norm, Measure]
_DUTY = re.compile(r"\b(?:shall|must|should|is|are|will)\s+$")


def _count_negations(tokens: Sequence[Token]) -> int:
    return sum(word in _NEGATIONS for word, _ in tokens)


def _follows_duty(left: Text, right: Text, edit: Edit) -> bool:
    """Tell whether the only word of an edit stands right after a word of duty."""
    text, at = (left.text, edit.left[0][1]) if edit.left else (right.text, edit.right[0][1])
    return bool(_DUTY.search(fold(text[max(0, at - 10) : at])))


#: Function words: a change of these is interpreted elsewhere, or means nothing.
_FUNCTION_WORDS = frozenset(
    [
        "a", "an", "the", "this", "that", "these", "those", "its", "their", "such", "and", "or", "shall", "must",
        "should", "may", "can", "will", "be", "is", "are", "been", "being", "to", "of", "in", "on", "at", "by",
        "for", "with", "from", "as", "it", "they", "also", "not", "no", "never", "nor", "neither", "cannot", "does",
        "do", "did", "have", "has", "been", "was", "were", "mean", "means",
    ]
)  # fmt: skip


def _has_content(tokens: Sequence[Token], norms: Sequence[Norm], measures: Sequence[_Measured]) -> bool:
    """Tell whether edited words say more than what the comparison of quantities and modalities covers."""
    covered = [norm.cue for norm in norms] + [(measure.start, measure.end) for _, measure in measures]
    return any(
        word not in _FUNCTION_WORDS and not any(start <= at < end for start, end in covered) for word, at in tokens
    )


def _changes_party(left: Sequence[Norm], right: Sequence[Norm], edit: Edit) -> bool:
    """Tell whether an edit makes one side bind an authority, and the other side those whom it supervises."""
    for a, b in zip(left, right, strict=False):
        in_subject = all(at < a.cue[0] for _, at in edit.left) and all(at < b.cue[0] for _, at in edit.right)
        different = a.addressee and b.addressee and a.addressee != b.addressee
        if in_subject and different and "authority" in (a.addressee, b.addressee) and not (a.exclusive or b.exclusive):
            return True
    return False


def _modality_differences(left: Sequence[Norm], right: Sequence[Norm], spans: Spans) -> list[Difference]:
    if len(left) != len(right):
        return []
    differences = []
    for a, b in zip(left, right, strict=True):
        found = None if "defines" in (a.modality, b.modality) else compare_modalities(a.modality, b.modality)
        if found:
            differences.append(Difference(found.relation, found.governs or None, found.kind, "modality", spans))
    return differences


def _measures_within(text: Text, span: tuple[int, int]) -> list[_Measured]:
    return [(norm, m) for norm in text.norms for m in norm.measures if span[0] <= m.start < span[1]]


def _measure_differences(left: Sequence[_Measured], right: Sequence[_Measured], spans: Spans) -> list[Difference]:
    differences = []
    for (a, x), (b, y) in zip(left, right, strict=True):
        if x.text == y.text:
            continue
        found = compare_measures(x, y, a, b)
        if found is None or found.confidence < _MIN_CONFIDENCE:
            differences.append(_UNCLEAR)
        elif found.relation != "equal":
            differences.append(Difference(found.relation, found.governs or None, found.kind, "measure", spans, (x, y)))
    return differences
