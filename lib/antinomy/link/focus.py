"""Focus: selects the left provisions that a theme concerns; on the right only their neighbours are considered.

Method: two-stage retrieval after RAG-FLARKO (2025): the first selection conditions the next search, and the judge never
sees the rest.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from antinomy.errors import SettingsError
from antinomy.link import fusion, lexical
from antinomy.link.groups import Groups
from antinomy.link.knn import DECIMALS, Vectors

if TYPE_CHECKING:
    import pandas as pd

#: Gives the vector of a text, shape (dim,), unit length.
Encode = Callable[[str], NDArray[np.float32]]


@dataclass(frozen=True)
class FocusResult:
    """What remains after a focus.

    Attributes:
        units: which units stay, shape (units,).
        selected: sections of the left side that stay.
        left_sections: sections of the left side before.
        full_comparison: pairs that a full comparison without a focus would judge.
    """

    units: NDArray[np.bool_]
    selected: int
    left_sections: int
    full_comparison: int


def select_by_theme(
    frame: pd.DataFrame,
    vectors: Vectors,
    vector_unit: NDArray[np.int64],
    groups: Groups,
    theme: str,
    sections: int,
    encode: Encode,
) -> FocusResult:
    """Select the sections of the left side that a theme concerns.

    Sections are ranked by the cosine of their best unit and by BM25, fused by reciprocal rank.

    Args:
        frame: units with section_id, group, heading_path, unit_text; sorted by group, then section.
        vectors: of the units that have one.
        vector_unit: row in ``frame`` of each vector.
        groups: the sections' layout, before anything is left out.
        theme: a theme or question in words.
        sections: how many to select.
        encode: the model that made ``vectors``.

    Raises:
        SettingsError: if a group stands on the left of one group and on the right of another: sections left out on the
            left would be missing on the right.
    """
    lefts, rights = {left for left, _ in groups.oriented}, {right for _, right in groups.oriented}
    if lefts & rights:
        raise SettingsError(
            "link.focus selects provisions of the left side, and "
            f"{groups.names[min(lefts & rights)]} stands on both sides here: name the left side in link.left"
        )
    on_left = frame["group"].isin(lefts).to_numpy()
    section = (frame["section_id"] != frame["section_id"].shift()).cumsum().to_numpy(dtype=np.int64) - 1
    owners, place = np.unique(section[on_left], return_inverse=True)
    texts = (frame["heading_path"] + " " + frame["unit_text"])[on_left].groupby(place).agg(" ".join)
    scores = np.stack([_cosines(on_left, place, vectors, vector_unit, encode(theme)), _bm25(texts.tolist(), theme)])
    one_query = np.zeros(len(owners), dtype=np.int64)
    fused = fusion.reciprocal_rank_fusion(np.stack([fusion.ranks(one_query, line) for line in scores]))
    chosen = owners[np.lexsort((owners, -fused))[:sections]]
    return FocusResult(~on_left | np.isin(section, chosen), len(chosen), len(owners), groups.full_comparison)


def _cosines(
    on_left: NDArray[np.bool_],
    place: NDArray[np.int64],
    vectors: Vectors,
    vector_unit: NDArray[np.int64],
    theme: NDArray[np.float32],
) -> NDArray[np.float64]:
    """Cosine of each section's best unit with the theme, nan where it has no vector."""
    rows = np.flatnonzero(on_left[vector_unit])
    best = np.full(place.max(initial=-1) + 1, -np.inf)
    unit_place = np.cumsum(on_left) - 1
    values = (np.asarray(vectors[rows], dtype=np.float64) @ theme.astype(np.float64)).round(DECIMALS)
    np.maximum.at(best, place[unit_place[vector_unit[rows]]], values)
    best[np.isneginf(best)] = np.nan
    return best


def _bm25(texts: list[str], theme: str) -> NDArray[np.float64]:
    """BM25 of each text for the theme, nan where they share no word."""
    words, stems = lexical.tokenize([theme])[0], lexical.tokenize(texts)
    if not words or not any(stems):
        return np.full(len(texts), np.nan)
    model = lexical.bm25()
    model.index(stems, show_progress=False)
    scores: NDArray[np.float64] = model.get_scores(words).astype(np.float64).round(DECIMALS)
    scores[scores <= 0] = np.nan
    return scores
