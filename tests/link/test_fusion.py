"""Fusion, by hand-worked examples."""

from __future__ import annotations

import numpy as np
import pytest

from antinomy.link import fusion


def test_ranks_within_each_query() -> None:
    query = np.array([3, 3, 3, 3, 3, 8, 8])
    scores = np.array([0.2, 0.9, np.nan, 0.2, -0.5, 0.1, 0.3])
    assert fusion.ranks(query, scores).tolist() == [2, 1, 0, 3, 4, 2, 1]


def test_reciprocal_rank_fusion_worked_by_hand() -> None:
    # Candidates a, b, c. Vectors rank them a, b, c; words rank them c, a and do not know b.
    fused = fusion.reciprocal_rank_fusion(np.array([[1, 2, 3], [2, 0, 1]]))
    assert fused == pytest.approx([1 / 61 + 1 / 62, 1 / 62, 1 / 63 + 1 / 61])
    assert np.argsort(-fused).tolist() == [0, 2, 1]


def test_standardised_sum_worked_by_hand() -> None:
    query = np.array([0, 0, 0, 5, 5])
    scores = np.array([[1.0, 2.0, 3.0, 0.4, 0.6], [10.0, 10.0, 10.0, np.nan, 7.0]])
    fused = fusion.standardised_sum(query, scores, np.array([1.0, 0.5]))
    spread = np.sqrt(2 / 3)
    # The second channel tells nothing: all equal in one query, known of one candidate only in the other.
    assert fused == pytest.approx([-1 / spread, 0, 1 / spread, -1, 1])


def test_a_channel_counts_by_its_weight() -> None:
    query, scores = np.zeros(2, dtype=np.int64), np.array([[1.0, 0.0], [0.0, 1.0]])
    fused = fusion.standardised_sum(query, scores, np.array([1.0, 3.0]))
    assert fused == pytest.approx([-2, 2])


def test_nothing_to_fuse() -> None:
    nothing = np.empty((2, 0))
    assert len(fusion.standardised_sum(np.empty(0, dtype=np.int64), nothing, np.ones(2))) == 0
