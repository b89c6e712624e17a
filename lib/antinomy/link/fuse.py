"""From the scores of several channels to one ranking."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from antinomy.link.knn import DECIMALS

#: Constant of reciprocal rank fusion: Cormack, Clarke and Büttcher 2009 use 60 throughout.
RRF_K = 60


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


def smooth(scores: NDArray[np.float64], vectors: NDArray[np.float32], neighbours: int) -> NDArray[np.float64]:
    """Smooth the scores of a query's candidates: texts that say the same are relevant together.

    Each candidate's vector v_i is replaced by u_i = v_i + mean of s_ij·v_j over the candidates j nearest to
    it, s_ij being their cosine; a score that is linear in the vector becomes that of u_i / |u_i|. For the
    vector channel this is the cosine with u_i; other channels take the same weights.
    Method: score regularisation after Diaz 2005 ("Regularizing ad hoc retrieval scores"), one step.

    Args:
        scores: shape (channels, candidates).
        vectors: shape (candidates, dim), unit length; zero where a candidate has none.
        neighbours: how many.

    Returns:
        Shape of ``scores``.
    """
    count = len(vectors)
    neighbours = min(neighbours, count - 1)
    if neighbours < 1:
        return scores
    similarity = vectors @ vectors.T
    np.fill_diagonal(similarity, -np.inf)
    nearest = np.sort(np.argpartition(similarity, count - neighbours, axis=1)[:, -neighbours:], axis=1)
    weight = np.take_along_axis(similarity, nearest, axis=1).clip(0) / neighbours
    np.fill_diagonal(similarity, 1.0)
    members = np.hstack([np.arange(count)[:, None], nearest])
    weights = np.hstack([np.ones((count, 1)), weight]).astype(np.float64)
    gram = similarity[members[:, :, None], members[:, None, :]]
    length = np.sqrt(np.einsum("ni,nij,nj->n", weights, gram, weights))
    mixed: NDArray[np.float64] = (scores[:, members] * weights).sum(axis=2) / length
    return mixed.round(DECIMALS)
