"""Labelled pairs for training, and the further pairs that follow from their labels."""

from __future__ import annotations

import hashlib
import random
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from antinomy.evaluate.pairs import read_labelled
from antinomy.norms.read import sentences
from antinomy.norms.words import fold as fold_case
from antinomy.store import storage

if TYPE_CHECKING:
    from numpy.typing import NDArray

_MIRROR = {"stricter_left": "stricter_right", "stricter_right": "stricter_left"}


@dataclass(frozen=True, slots=True)
class Example:
    """A labelled pair.

    Attributes:
        left, right: the two provisions.
        label: one of ``judge.fitted.decision.LABELS``.
        kind: the label's kind, "" where it has none.
        source: name of the file it comes from.
        group: its contrast set; pairs of one group never stand on both sides of a split.
        origin: ``written`` by its author, or how it was made from written ones.
    """

    left: str
    right: str
    label: str
    kind: str
    source: str
    group: str
    origin: str = "written"

    def mirrored(self) -> Example:
        """Return the same pair with its sides exchanged."""
        return replace(self, left=self.right, right=self.left, label=_MIRROR.get(self.label, self.label))


def read(path: str) -> list[Example]:
    """Read a labelled file; a pair that names no set is a group of its own.

    Raises:
        AntinomyError: for a file that is not as ``evaluate pairs`` wants it.
    """
    source = Path(path).name
    found = []
    for row in read_labelled(path):
        label = row["relation"]
        if label == "stricter":
            label = f"stricter_{row['governs']}"
        group = f"{source}:{row.get('set') or row['id']}"
        found.append(Example(row["left"], row["right"], label, row.get("kind") or "", source, group))
    return found


def file_sha256(path: str) -> str:
    """Return the hash of a labelled file's bytes."""
    return hashlib.sha256(storage.read_bytes(path)).hexdigest()


def folds(examples: Sequence[Example], number: int, dealt: Iterable[str] = ()) -> list[int]:
    """Assign every pair to a fold: whole files together, so that a fold's topics are unseen by its model.

    Args:
        examples: the pairs.
        number: of folds.
        dealt: names of files (of mixed topics) whose groups are dealt out over the folds instead.

    Returns:
        Fold of each pair, in [0, number).
    """
    spread = set(dealt)
    sizes: dict[str, int] = defaultdict(int)
    for e in examples:
        if e.source not in spread:
            sizes[e.source] += 1
    load = [0] * number
    place: dict[str, int] = {}
    for source in sorted(sizes, key=lambda s: (-sizes[s], s)):
        place[source] = load.index(min(load))
        load[place[source]] += sizes[source]

    def fold(e: Example) -> int:
        if e.source in spread:
            return int(hashlib.sha256(e.group.encode()).hexdigest(), 16) % number
        return place[e.source]

    return [fold(e) for e in examples]


def transferred(examples: Sequence[Example]) -> list[Example]:
    """Derive pairs within contrast sets: what holds of a provision holds of its paraphrase.

    Where O is an overlap partner of base B, and C stands to B in some relation, C stands to O in the same one. Such
    pairs share few words whatever their label, which the written conflicts do not.
    """
    groups: dict[str, list[Example]] = defaultdict(list)
    for e in examples:
        groups[e.group].append(e)
    made = []
    for name in sorted(groups):
        members = groups[name]
        # The base stands in every pair of its set, on either side.
        bases = set.intersection(*({e.left, e.right} for e in members))
        if len(members) < 2 or len(bases) != 1:
            continue
        (base,) = bases
        # Written so that the partner stands left.
        turned = [e if e.right == base else e.mirrored() for e in members]
        paraphrases = [e.left for e in turned if e.label == "overlap"]
        made += [
            replace(e, right=paraphrase, origin="transfer")
            for e in turned
            for paraphrase in paraphrases
            if e.label != "overlap"
        ]
    return made


def hard_negatives(examples: Sequence[Example], vectors: Mapping[str, NDArray[np.float32]], seed: int) -> list[Example]:
    """Pair each provision with near ones of other sets, which are unrelated however alike in topic.

    Args:
        examples: the pairs.
        vectors: of each text, of shape (dim,) and unit length.
        seed: of what is drawn.

    Returns:
        Up to four pairs per text in an order by chance, two of its own file and two of others. The very nearest are
        left out: two sets may have been written on one matter.
    """
    rng = np.random.default_rng(seed)
    home = {text: e for e in reversed(examples) for text in (e.left, e.right)}
    texts = sorted(home)
    known = np.array([vectors[text] for text in texts])
    source = np.array([home[text].source for text in texts])
    group = np.array([home[text].group for text in texts])
    made = []
    for i, text in enumerate(texts):
        near = known @ known[i]
        for same, (first, last, most) in _HARD_RANGE.items():
            others = np.flatnonzero((group != group[i]) & ((source == source[i]) == same))
            pool = others[near[others].argsort()[::-1][first:last]]
            pool = pool[near[pool] < most]
            for j in rng.permutation(pool)[:2]:
                made.append(Example(text, texts[j], "none", "", home[text].source, home[text].group, "hard_negatives"))
    return [made[i] for i in rng.permutation(len(made))]


#: Of the texts of the same file, and of others, by nearness: the first and the last that may be drawn, and the cosine
#: from which on two texts are likely to be on one duty.
_HARD_RANGE = {True: (1, 7, 0.68), False: (2, 12, 0.6)}


def unrelated(examples: Sequence[Example], seed: int) -> list[Example]:
    """Pair each pair's left side with a right side from another file."""
    rng = random.Random(seed)
    made = []
    for e in examples:
        other = rng.choice(examples)
        if other.source != e.source:
            made.append(Example(e.left, other.right, "none", "", e.source, e.group, "unrelated"))
    return made


def padded(examples: Sequence[Example], seed: int) -> list[Example]:
    """Embed one side of each pair in a provision from another file; the label stays.

    Written pairs are about equally long and speak of one matter throughout. Real sections hold more than the clause
    that matters, and what they hold besides is no sign that a pair is unrelated.
    """
    rng = random.Random(seed)
    by_source: dict[str, list[str]] = defaultdict(list)
    for e in examples:
        # A second definition would be read as what the pair is about.
        if e.label != "definition":
            by_source[e.source] += [e.left, e.right]
    made = []
    for e in examples:
        others = sorted(source for source in by_source if source != e.source)
        if not others:
            continue
        filling = rng.choice(by_source[rng.choice(others)])
        spans = sentences(fold_case(filling))
        at = rng.randint(0, len(spans))
        before = " ".join(filling[start:end] for start, end in spans[:at])
        after = " ".join(filling[start:end] for start, end in spans[at:])
        side = rng.choice(("left", "right"))
        text = " ".join(part for part in (before, getattr(e, side), after) if part)
        made.append(replace(e, origin="padded", **{side: text}))
    return made
