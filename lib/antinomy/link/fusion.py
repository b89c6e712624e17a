"""Fusion of the scores of several channels into one ranking."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

#: Constant of reciprocal rank fusion: Cormack, Clarke and Büttcher 2009 use 60 throughout.
RRF_K = 60
#: Weight of a standardised score, by channel. Words find neighbours least often in texts by different drafters, and the
#: context of a provision says little about it (docs/evaluation.md has the figures).
WEIGHTS = {"own": 1.0, "clauses": 1.0, "context": 0.25, "lexical": 0.75, "mpnet": 1.5}


def ranks(query: NDArray[np.int64], scores: NDArray[np.float64]) -> NDArray[np.int64]:
    """Rank scores within each query.

    Args:
        query: sorted; which query an entry belongs to.
        scores: of the entries; nan where an entry is not in the list.

    Returns:
        1 for the greatest score of a query, ties by position; 0 where the score is nan.
    """
    order = np.lexsort((-scores, query))  # stable, nan comes last
    out = np.empty(len(scores), dtype=np.int64)
    out[order] = np.arange(1, len(scores) + 1) - np.searchsorted(query, query)
    out[np.isnan(scores)] = 0
    return out


def reciprocal_rank_fusion(ranked: NDArray[np.int64]) -> NDArray[np.float64]:
    """Fuse rankings: the sum over channels of 1 / (60 + rank).

    Args:
        ranked: shape (channels, candidates); 0 where a channel does not have the candidate.

    Returns:
        Fused score per candidate.
    """
    parts = np.where(ranked > 0, 1.0 / (RRF_K + ranked), 0.0)
    fused: NDArray[np.float64] = parts.sum(axis=0).round(12)
    return fused


def standardised_sum(
    query: NDArray[np.int64], scores: NDArray[np.float64], weights: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Fuse scores: the weighted sum of how many standard deviations each lies above the mean of its query.

    Args:
        query: sorted; which query an entry belongs to.
        scores: shape (channels, entries); nan where a channel has no score for an entry, which then counts as average.
        weights: of the channels.

    Returns:
        Fused score per entry.
    """
    starts = np.flatnonzero(np.diff(query, prepend=-1))
    place = np.repeat(np.arange(len(starts)), np.diff(np.append(starts, len(query))))
    fused = np.zeros(len(query))
    for line, weight in zip(scores, weights, strict=True):
        known = ~np.isnan(line)
        value = np.where(known, line, 0.0)
        count = np.maximum(np.add.reduceat(known.astype(np.float64), starts), 1.0)
        mean = np.add.reduceat(value, starts) / count
        off = np.where(known, value - mean[place], 0.0)
        spread = np.sqrt(np.add.reduceat(off**2, starts) / count)
        # Where all are equal, none stands out.
        fused += weight * np.divide(off, spread[place], out=np.zeros_like(off), where=spread[place] > 1e-9)
    return fused.round(9)
