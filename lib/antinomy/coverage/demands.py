"""A provision's single demands, and the counterparts that answer them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from antinomy.coverage.pairs import Match
from antinomy.embed.addressee.patterns import CUE, FORMAL, ITEM
from antinomy.embed.clauses import clauses

#: A demand is unanswered if its cosine to every clause of the counterparts is lower. Of 475 known counterparts 19 have
#: no nearer clause (docs/evaluation.md).
_ANSWERED = 0.3
#: Clauses of two provisions with at least this cosine are on one thing (docs/evaluation.md).
_ALIGNED = 0.5
#: Characters of a demand that are shown.
_OPENING = 60


@dataclass(frozen=True, slots=True)
class Answer:
    """One demand of a provision that has several, and what answers it.

    Attributes:
        opening: of its text.
        counterpart: section_id of the counterpart with the nearest clause, None if none answers it.
    """

    opening: str
    counterpart: str | None


class Demands:
    """Clauses of provisions with their vectors.

    Args:
        units, embeddings: tables.
    """

    def __init__(self, units: pa.Table, embeddings: pa.Table) -> None:
        self._units = units.select(["section_id", "unit_text", "text_sha256"])
        self._embeddings = embeddings

    @cached_property
    def _texts(self) -> dict[str, list[tuple[str, str]]]:
        found: dict[str, list[tuple[str, str]]] = {}
        for row in self._units.to_pylist():
            found.setdefault(row["section_id"], []).append((row["unit_text"], row["text_sha256"]))
        return found

    @cached_property
    def _rows(self) -> dict[str, int]:
        return {name: row for row, name in enumerate(self._embeddings["text_sha256"].to_pylist())}

    @cached_property
    def _column(self) -> tuple[NDArray[np.int64], NDArray[np.float32], int]:
        column = self._embeddings["clause_vectors"].combine_chunks()
        lengths = pc.fill_null(pc.list_value_length(column), 0).to_numpy(zero_copy_only=False).astype(np.int64)
        starts = np.concatenate([[0], np.cumsum(lengths)])
        dims = self._embeddings["dim"]
        return starts, column.flatten().to_numpy(zero_copy_only=False), dims[0].as_py() if len(dims) else 1

    def _vectors(self, section_id: str) -> tuple[list[str], NDArray[np.float32]]:
        """Return the clauses of a provision and their vectors; none if the embed stage made none."""
        starts, values, dim = self._column
        texts: list[str] = []
        parts: list[NDArray[np.float32]] = [np.empty((0, dim), np.float32)]
        for text, sha256 in self._texts.get(section_id, ()):
            row = self._rows.get(sha256)
            spans = clauses(text)
            vectors = values[0:0] if row is None else values[starts[row] : starts[row + 1]]
            if len(vectors) == len(spans) * dim:
                texts += [text[a:b] for a, b in spans]
                parts.append(vectors.reshape(-1, dim))
        return texts, np.concatenate(parts)

    def aligned(self, section_id: str, counterpart: str) -> list[tuple[str, str]]:
        """Return the clauses of two provisions that answer each other, the nearest first."""
        (texts, own), (others, theirs) = self._vectors(section_id), self._vectors(counterpart)
        cosine = own @ theirs.T
        found = [(-float(cosine[i, j]), int(i), int(j)) for i, j in np.argwhere(cosine >= _ALIGNED)]
        return [(texts[i], others[j]) for _, i, j in sorted(found)]

    def answered(self, section_id: str, counterparts: Sequence[Match]) -> list[Answer]:
        """Tell which counterpart answers each demand of a provision that has several.

        For a provision with a single demand the result is empty: its counterparts answer it or do not.

        Args:
            section_id: the provision.
            counterparts: those that are related to it, the likeliest first.

        Returns:
            An answer for each demand, in the order of the text; none without vectors.
        """
        texts, own = self._vectors(section_id)
        demanding = _demanding(texts)
        held = [
            (match.counterpart, vectors)
            for match in counterparts
            if len(vectors := self._vectors(match.counterpart)[1])
        ]
        if len(demanding) < 2 or not held:
            return []
        nearest = np.stack([(own[demanding] @ vectors.T).max(axis=1) for _, vectors in held])
        best = nearest.argmax(axis=0)
        return [
            Answer(_opening(texts[place]), held[at][0] if nearest[at, number] >= _ANSWERED else None)
            for number, (place, at) in enumerate(zip(demanding, best.tolist(), strict=True))
        ]


def _demanding(texts: Sequence[str]) -> list[int]:
    """Return the places of the clauses that demand, by their own words or by those that introduce their list."""
    found: list[int] = []
    led = False
    for place, text in enumerate(texts):
        point = ITEM.match(text) is not None
        # "Articles 5 to 15 shall not apply to …" demands nothing.
        cue = CUE.search(text) is not None and not FORMAL.match(text)
        if text.endswith(":"):
            # The points say what is demanded; a list within a list is introduced twice.
            led = cue or (led and point)
            continue
        led = led and point
        # Each piece of a long provision repeats its lead.
        if (cue or led) and text not in texts[:place]:
            found.append(place)
    return found


def _opening(text: str) -> str:
    plain = " ".join(text.split())
    return plain if len(plain) <= _OPENING else plain[:_OPENING].rsplit(" ", 1)[0] + " …"
