"""Labelled pairs for training, and augmentation: further pairs whose labels follow from theirs."""

from __future__ import annotations

import hashlib
import random
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from antinomy.errors import AntinomyError
from antinomy.evaluate.pairs import read_labelled
from antinomy.judge.fitted.decision import mirror_name
from antinomy.norms.sentences import sentences
from antinomy.norms.words import fold as fold_case

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Example:
    """A labelled pair.

    Attributes:
        left, right: the two provisions.
        label: one of ``judge.fitted.decision.LABELS``.
        kind: the label's kind, "" where it has none.
        source: name of its file.
        group: its contrast set; pairs of one group are always in the same fold.
        origin: ``written`` by an author, or the kind of augmentation that derived it from written pairs.
        headings: nearest heading of each, "" where it has none.
    """

    left: str
    right: str
    label: str
    kind: str
    source: str
    group: str
    origin: str = "written"
    headings: tuple[str, str] = ("", "")

    def mirrored(self) -> Example:
        """Return the same pair with its sides exchanged."""
        left, right = self.headings
        return replace(
            self, left=self.right, right=self.left, label=mirror_name(self.label), headings=(right, left)
        )  # fmt: skip


def read(path: str) -> list[Example]:
    """Read a labelled file, with ``left_heading`` and ``right_heading`` where it has them.

    A pair without a contrast set is a group of its own.

    Raises:
        AntinomyError: for a file that is not as ``evaluate pairs`` wants it.
    """
    source = Path(path).name
    found = []
    for row in read_labelled(path):
        label = row["relation"]
        if label == "stricter":
            if row.get("governs") not in ("left", "right"):
                raise AntinomyError(f"{path}: pair {row['id']}: a stricter pair needs governs, left or right")
            label = f"stricter_{row['governs']}"
        group = f"{source}:{row.get('set') or row['id']}"
        headings = row.get("left_heading") or "", row.get("right_heading") or ""
        kind = row.get("kind") or ""
        found.append(Example(row["left"], row["right"], label, kind, source, group, headings=headings))
    return found


def folds(examples: Sequence[Example], number: int, dealt: Iterable[str] = ()) -> list[int]:
    """Assign every pair to a fold, whole files together: a model has not seen the topics that it is measured on.

    Args:
        examples: the pairs.
        number: of folds.
        dealt: names of files of mixed topics; their contrast sets are dealt out over the folds instead.

    Returns:
        Fold of each pair, in [0, number).
    """
    dealt_sources = set(dealt)
    sizes: dict[str, int] = defaultdict(int)
    for e in examples:
        if e.source not in dealt_sources:
            sizes[e.source] += 1
    load = [0] * number
    fold_of_source: dict[str, int] = {}
    for source in sorted(sizes, key=lambda s: (-sizes[s], s)):
        fold_of_source[source] = load.index(min(load))
        load[fold_of_source[source]] += sizes[source]

    def fold(e: Example) -> int:
        if e.source in dealt_sources:
            return int(hashlib.sha256(e.group.encode()).hexdigest(), 16) % number
        return fold_of_source[e.source]

    return [fold(e) for e in examples]


def transferred(examples: Sequence[Example]) -> list[Example]:
    """Derive pairs within contrast sets: what holds for a provision holds for its paraphrase.

    If O overlaps with base B, and C has some relation to B, then C has the same relation to O. Such pairs share few
    words whatever their label, unlike written conflicts.
    """
    groups: dict[str, list[Example]] = defaultdict(list)
    for e in examples:
        groups[e.group].append(e)
    made = []
    for name in sorted(groups):
        members = groups[name]
        # The base is in every pair of its set, on either side.
        bases = set.intersection(*({e.left, e.right} for e in members))
        if len(members) < 2 or len(bases) != 1:
            continue
        (base,) = bases
        # With the base on the right.
        oriented = [e if e.right == base else e.mirrored() for e in members]
        paraphrases = [e.left for e in oriented if e.label == "overlap"]
        made += [
            replace(e, right=paraphrase, origin="transfer")
            for e in oriented
            for paraphrase in paraphrases
            if e.label != "overlap"
        ]
    return made


def hard_negatives(examples: Sequence[Example], vectors: Mapping[str, NDArray[np.float32]], seed: int) -> list[Example]:
    """Pair each provision with similar ones of other contrast sets: these are unrelated, though on a similar topic.

    Args:
        examples: the pairs.
        vectors: of each text, of shape (dim,) and unit length.
        seed: of the random choice.

    Returns:
        Up to four pairs per text in random order, two with texts of the same file and two with texts of other files.
        The most similar texts are left out, since two sets may have been written on the same duty.
    """
    rng = np.random.default_rng(seed)
    first_use = {text: e for e in reversed(examples) for text in (e.left, e.right)}
    texts = sorted(first_use)
    matrix = np.array([vectors[text] for text in texts])
    source = np.array([first_use[text].source for text in texts])
    group = np.array([first_use[text].group for text in texts])
    made = []
    for i, text in enumerate(texts):
        cosines = matrix @ matrix[i]
        for same, (first, last, max_cosine) in _HARD_RANGE.items():
            others = np.flatnonzero((group != group[i]) & ((source == source[i]) == same))
            pool = others[cosines[others].argsort()[::-1][first:last]]
            pool = pool[cosines[pool] < max_cosine]
            for j in rng.permutation(pool)[:2]:
                made.append(
                    Example(text, texts[j], "none", "", first_use[text].source, first_use[text].group, "hard_negatives")
                )
    return [made[i] for i in rng.permutation(len(made))]


#: For texts of the same file (True) and of other files, ranked by similarity: the first and last rank that may be
#: drawn, and the cosine from which on two texts probably concern the same duty.
_HARD_RANGE = {True: (1, 7, 0.68), False: (2, 12, 0.6)}


def unrelated(examples: Sequence[Example], seed: int) -> list[Example]:
    """Pair the left side of each pair with a random right side from another file."""
    rng = random.Random(seed)
    made = []
    for e in examples:
        other = rng.choice(examples)
        if other.source != e.source:
            made.append(Example(e.left, other.right, "none", "", e.source, e.group, "unrelated"))
    return made


def padded(examples: Sequence[Example], seed: int) -> list[Example]:
    """Embed one side of each pair in a provision from another file; the label stays the same.

    The sides of written pairs are about equally long and concern a single matter. Real sections contain more than the
    relevant clause, and the rest of them does not show that a pair is unrelated.
    """
    rng = random.Random(seed)
    by_source: dict[str, list[str]] = defaultdict(list)
    for e in examples:
        # A definition would change what the pair is about.
        if e.label != "definition":
            by_source[e.source] += [e.left, e.right]
    made = []
    for e in examples:
        others = sorted(source for source in by_source if source != e.source)
        if not others:
            continue
        other_text = rng.choice(by_source[rng.choice(others)])
        spans = sentences(fold_case(other_text))
        at = rng.randint(0, len(spans))
        before = " ".join(other_text[start:end] for start, end in spans[:at])
        after = " ".join(other_text[start:end] for start, end in spans[at:])
        is_left = rng.choice((True, False))
        text = " ".join(part for part in (before, e.left if is_left else e.right, after) if part)
        made.append(replace(e, left=text, origin="padded") if is_left else replace(e, right=text, origin="padded"))
    return made
