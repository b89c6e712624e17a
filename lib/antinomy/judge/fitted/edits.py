"""Two provisions in nearly the same words: where they differ decides how they relate.

Texts are compared clause by clause, so that clauses added on one side, or put in another order, make no difference.
Case, white space, punctuation, list labels and the numbers of cited provisions make none either. Numbers in words equal
those in digits.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any

from antinomy.judge.fitted.texts import Text, Token
from antinomy.judge.rules.typed import compare_forces, compare_measures
from antinomy.norms import Norm
from antinomy.norms.model import Measure
from antinomy.norms.words import fold

#: Sides are compared word by word if this share of the shorter side's words stands on the other.
_SHARED = 0.7
#: Two clauses are one clause with changes if this share of their words runs alike.
_ALIKE = 0.6
#: A pair is nearly the same if this share of one side's words stands in such clauses.
_COVERED = 0.8

_NEGATIONS = frozenset(("not", "no", "never", "nor", "neither", "cannot", "none", "nobody", "without"))


@dataclass(frozen=True)
class Edit:
    """A place where a clause differs from its counterpart.

    Attributes:
        left, right: the words on either side, one of them possibly empty.
    """

    left: tuple[Token, ...]
    right: tuple[Token, ...]


@dataclass(frozen=True)
class Matched:
    """A clause and its counterpart.

    Attributes:
        left, right: numbers of the clauses.
        edits: where they differ.
    """

    left: int
    right: int
    edits: tuple[Edit, ...]


def _matched(one: Text, two: Text) -> list[Matched] | None:
    """Return the clauses of one side with their counterparts on the other; None if the texts are not nearly equal."""
    mine, yours = one.vocabulary, two.vocabulary
    if not mine or not yours or len(mine & yours) < _SHARED * min(len(mine), len(yours)):
        return None
    lefts, rights = one.clause_tokens, two.clause_tokens
    counts = [[Counter(w for w, _ in own) for own in side] for side in (lefts, rights)]
    options = []
    for i, a in enumerate(lefts):
        for j, b in enumerate(rights):
            shared = (counts[0][i] & counts[1][j]).total()
            if shared and shared >= _ALIKE * min(len(a), len(b)):
                options.append((shared / max(len(a), len(b)), shared, -abs(i - j), i, j))
    found: dict[int, int] = {}
    for *_, i, j in sorted(options, reverse=True):
        if i not in found and j not in found.values():
            found[i] = j
    matched, sizes = [], [0, 0]
    for i, j in sorted(found.items()):
        edits, alike = _edits(lefts[i], rights[j])
        if alike >= _ALIKE * min(len(lefts[i]), len(rights[j])):
            matched.append(Matched(i, j, edits))
            sizes = [sizes[0] + len(lefts[i]), sizes[1] + len(rights[j])]
    whole = [max(1, len(t.tokens)) for t in (one, two)]
    return matched if max(sizes[0] / whole[0], sizes[1] / whole[1]) >= _COVERED else None


def _equal(one: Text, two: Text, matched: Sequence[Matched]) -> bool:
    """Whether both sides say the same in the same words."""
    inside = [sum(map(len, t.clause_tokens)) for t in (one, two)]
    covered = [sum(len(t.clause_tokens[getattr(m, side)]) for m in matched) for t, side in _sided(one, two)]
    return inside == covered and not any(m.edits for m in matched)


def _sided(one: Text, two: Text) -> tuple[tuple[Text, str], tuple[Text, str]]:
    return (one, "left"), (two, "right")


def _edits(a: Sequence[Token], b: Sequence[Token]) -> tuple[tuple[Edit, ...], int]:
    """Return where two clauses differ, and the number of words that run alike."""
    words = [w for w, _ in a], [w for w, _ in b]
    swapped = words[0] > words[1]
    # The matcher is not symmetric in its arguments, and the order of judging must not matter.
    first, second = (b, a) if swapped else (a, b)
    matcher = SequenceMatcher(None, [w for w, _ in first], [w for w, _ in second], autojunk=False)
    edits, alike = [], 0
    for what, i, j, k, m in matcher.get_opcodes():
        if what == "equal":
            alike += j - i
        else:
            x, y = tuple(first[i:j]), tuple(second[k:m])
            edits.append(Edit(y, x) if swapped else Edit(x, y))
    return tuple(edits), alike


@dataclass(frozen=True)
class Difference:
    """How two nearly equal texts differ.

    Attributes:
        relation, governs: of the two, as in ``Verdict``; "" (within this module) where it cannot be read.
        kind: of the difference, "" for none.
        why: ``equal``, ``further``, ``party``, ``force``, ``negation`` or ``measure``.
        sides: the clauses that show it, as offsets into each text.
        measures: the quantities that show it.
    """

    relation: str
    governs: str | None = None
    kind: str = ""
    why: str = ""
    sides: tuple[tuple[int, int], tuple[int, int]] | None = None
    measures: tuple[Measure, Measure] | None = None


_UNREAD = Difference("")


def difference(one: Text, two: Text) -> Difference | None:
    """Return how two texts differ; None where they are not nearly equal, or the difference cannot be read."""
    matched = _matched(one, two)
    found = None if matched is None else _read(one, two, matched)
    return found if found and found.relation else None


def _read(one: Text, two: Text, matched: Sequence[Matched]) -> Difference:
    found: list[Difference] = []
    for m in matched:
        if m.edits:
            found += _told(one, two, m)
    if all(_rest(text, {getattr(m, side) for m in matched}) for text, side in _sided(one, two)):
        # Each side has clauses that the other lacks, and they may answer each other.
        return _UNREAD
    if not found:
        # Both can be obeyed, whatever one side adds.
        return Difference(
            "overlap", why="equal" if _equal(one, two, matched) else "further", sides=_sides(one, two, matched)
        )
    if any(not f.relation for f in found):
        return _UNREAD
    telling = [f for f in found if f.why != "same"] or [Difference("overlap", why="equal", sides=found[0].sides)]
    said = {(f.relation, f.governs) for f in telling}
    turned = [f for f in telling if f.why in ("party", "negation")]
    if turned:
        return turned[0]
    return telling[0] if len(said) == 1 else _UNREAD


def _rest(text: Text, matched: set[int]) -> bool:
    """Whether a text has clauses besides those matched."""
    return any(own and i not in matched for i, own in enumerate(text.clause_tokens))


def _sides(one: Text, two: Text, matched: Sequence[Matched]) -> tuple[tuple[int, int], tuple[int, int]] | None:
    longest = max(matched, key=lambda m: one.spans[m.left][1] - one.spans[m.left][0], default=None)
    return (one.spans[longest.left], two.spans[longest.right]) if longest else None


def _told(one: Text, two: Text, m: Matched) -> list[Difference]:
    """Read the edits of a clause; an entry without a relation for what cannot be read."""
    sides = one.spans[m.left], two.spans[m.right]
    left = [n for n, home in zip(one.norms, one.clause_of_norm, strict=True) if home == m.left]
    right = [n for n, home in zip(two.norms, two.clause_of_norm, strict=True) if home == m.right]
    measured = _measured(one, sides[0]), _measured(two, sides[1])
    if len(measured[0]) != len(measured[1]):
        return [_UNREAD]
    told = [*_measures(*measured, sides), *_forces(left, right, sides)]
    negations = 0
    for edit in m.edits:
        words = [
            [w for w, at in edited if not _inside(at, norms, own)]
            for edited, norms, own in ((edit.left, left, measured[0]), (edit.right, right, measured[1]))
        ]
        forbidden = sum(w in _NEGATIONS for w, _ in edit.left) - sum(w in _NEGATIONS for w, _ in edit.right)
        if forbidden % 2 and len(edit.left) + len(edit.right) == 1 and _of_duty(one, two, edit):
            told.append(Difference("conflict", None, "modality", "negation", sides))
        negations += forbidden
        rest = [[w for w in side if w not in _GRAMMAR] for side in words]
        if rest[0] or rest[1]:
            if not _party(left, right, edit):
                return [_UNREAD]
            told.append(Difference("none", why="party", sides=sides))
    if negations % 2 and not any(f.why in ("force", "negation") for f in told):
        return [_UNREAD]
    # Words of grammar alone, or the same value in other units.
    return told or [Difference("overlap", why="same", sides=sides)]


#: A comparison of quantities is plain from this weight on.
_PLAIN = 0.8
_Measured = tuple[Norm, Measure]
_DUTY = re.compile(r"\b(?:shall|must|should|is|are|will)\s+$")


def _of_duty(one: Text, two: Text, edit: Edit) -> bool:
    """Whether a negation that only one side has stands right behind a word of duty."""
    text, at = (one.text, edit.left[0][1]) if edit.left else (two.text, edit.right[0][1])
    return bool(_DUTY.search(fold(text[max(0, at - 10) : at])))


#: Words whose exchange is read elsewhere or means nothing.
_GRAMMAR = frozenset(
    [
        "a", "an", "the", "this", "that", "these", "those", "its", "their", "such", "and", "or", "shall", "must",
        "should", "may", "can", "will", "be", "is", "are", "been", "being", "to", "of", "in", "on", "at", "by",
        "for", "with", "from", "as", "it", "they", "also", "not", "no", "never", "nor", "neither", "cannot", "does",
        "do", "did", "have", "has", "been", "was", "were", "mean", "means",
    ]
)  # fmt: skip


def _inside(at: int, norms: Sequence[Norm], measured: Sequence[_Measured]) -> bool:
    """Whether a word is part of a quantity or of what sets a clause's force."""
    return any(n.cue[0] <= at < n.cue[1] for n in norms) or any(k.start <= at < k.end for _, k in measured)


def _party(left: Sequence[Norm], right: Sequence[Norm], edit: Edit) -> bool:
    """Whether an authority is bound on one side, and those that it supervises on the other."""
    for a, b in zip(left, right, strict=False):
        before = all(at < a.cue[0] for _, at in edit.left) and all(at < b.cue[0] for _, at in edit.right)
        other = a.addressee and b.addressee and a.addressee != b.addressee
        if before and other and "authority" in (a.addressee, b.addressee) and not (a.exclusive or b.exclusive):
            return True
    return False


def _forces(left: Sequence[Norm], right: Sequence[Norm], sides: Any) -> list[Difference]:
    if len(left) != len(right):
        return []
    found = []
    for a, b in zip(left, right, strict=True):
        typed = None if "defines" in (a.modality, b.modality) else compare_forces(a.modality, b.modality)
        if typed:
            found.append(Difference(typed.relation, typed.governs or None, typed.kind, "force", sides))
    return found


def _measured(text: Text, span: tuple[int, int]) -> list[_Measured]:
    return [(n, k) for n in text.norms for k in n.measures if span[0] <= k.start < span[1]]


def _measures(left: Sequence[_Measured], right: Sequence[_Measured], sides: Any) -> list[Difference]:
    found = []
    for (a, x), (b, y) in zip(left, right, strict=True):
        if x.text == y.text:
            continue
        typed = compare_measures(x, y, a, b)
        if typed is None or typed.weight < _PLAIN:
            found.append(_UNREAD)
        elif typed.relation != "equal":
            found.append(Difference(typed.relation, typed.governs or None, typed.kind, "measure", sides, (x, y)))
    return found
