"""Fusion, by hand-worked examples."""

from __future__ import annotations

import numpy as np
import pytest

from antinomy.link import fuse


def test_ranks_within_each_query() -> None:
    query = np.array([3, 3, 3, 3, 3, 8, 8])
    scores = np.array([0.2, 0.9, np.nan, 0.2, -0.5, 0.1, 0.3])
    assert fuse.ranks(query, scores).tolist() == [2, 1, 0, 3, 4, 2, 1]


def test_reciprocal_rank_fusion_worked_by_hand() -> None:
    # Candidates a, b, c. Vectors rank them a, b, c; words rank them c, a and do not know b.
    fused = fuse.reciprocal_rank_fusion(np.array([[1, 2, 3], [2, 0, 1]]))
    assert fused == pytest.approx([1 / 61 + 1 / 62, 1 / 62, 1 / 63 + 1 / 61])
    assert np.argsort(-fused).tolist() == [0, 2, 1]


def test_smoothing_is_the_cosine_with_the_mixed_vector() -> None:
    rng = np.random.default_rng(0)
    vectors = rng.normal(size=(12, 8)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    query = vectors[0] + 0.1
    cosine = vectors @ query
    smoothed = fuse.smooth(cosine[None].astype(float), vectors, 3)[0]
    table = vectors @ vectors.T
    for i in range(12):
        others = [j for j in np.argsort(-table[i]) if j != i][:3]
        mixed = vectors[i] + sum(max(table[i, j], 0) * vectors[j] for j in others) / 3
        assert smoothed[i] == pytest.approx(mixed @ query / np.linalg.norm(mixed), abs=1e-5)


def test_smoothing_lifts_the_candidate_whose_like_score_well() -> None:
    same, other = np.eye(4, dtype=np.float32)[:2]
    vectors = np.stack([same, same, same, other])
    smoothed = fuse.smooth(np.array([[0.9, 0.9, 0.4, 0.5]]), vectors, 2)[0]
    assert smoothed[2] > smoothed[3]


def test_a_candidate_without_a_vector_keeps_its_scores() -> None:
    vectors = np.array([[1, 0], [0, 0], [0, 1]], dtype=np.float32)
    smoothed = fuse.smooth(np.array([[0.1, 0.7, 0.3]]), vectors, 2)
    assert smoothed[0].tolist() == [0.1, 0.7, 0.3]


def test_one_candidate_alone_is_left_as_it_is() -> None:
    scores = np.array([[0.3], [2.0]])
    assert fuse.smooth(scores, np.ones((1, 4), dtype=np.float32), 5) is scores
