"""Exact and approximate search, with numpy as the oracle."""

from __future__ import annotations

from pathlib import Path

import faiss
import numpy as np
import pytest

from antinomy.link import knn
from antinomy.link.knn import Range


def unit(rows: int, dim: int = 32, seed: int = 0) -> np.ndarray:
    vectors = np.random.default_rng(seed).normal(size=(rows, dim)).astype(np.float32)
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def oracle(queries: np.ndarray, base: np.ndarray, k: int) -> tuple[np.ndarray, np.ndarray]:
    table = (queries.astype(np.float64) @ base.astype(np.float64).T).round(6)
    ids = np.stack([np.lexsort((np.arange(len(base)), -line))[:k] for line in table])
    return np.take_along_axis(table, ids, axis=1), ids


@pytest.mark.parametrize(("queries", "rows", "k"), [(1, 1, 1), (5, 40, 10), (300, 700, 10), (30, 12, 20)])
def test_equals_numpy(queries: int, rows: int, k: int) -> None:
    q, base = unit(queries, seed=1), unit(rows, seed=2)
    scores, ids = knn.search(q, base, k)
    expected_scores, expected_ids = oracle(q, base, k)
    assert ids.shape == (queries, min(k, rows))
    np.testing.assert_array_equal(ids, expected_ids)
    np.testing.assert_array_equal(scores, expected_scores)


def test_the_same_whatever_the_blocks_and_threads() -> None:
    q, base = unit(200, 384, seed=3), unit(3000, 384, seed=4)
    whole = knn.search(q, base, 10)
    before = faiss.omp_get_max_threads()
    try:
        for threads in (1, 2):
            faiss.omp_set_num_threads(threads)
            parts = [knn.search(q[at : at + step], base, 10) for step in (7,) for at in range(0, 200, step)]
            for i in (0, 1):
                np.testing.assert_array_equal(np.concatenate([part[i] for part in parts]), whole[i])
    finally:
        faiss.omp_set_num_threads(before)


def test_ranges_find_what_one_search_finds() -> None:
    q, base = unit(20, seed=5), unit(500, seed=6)
    nearest = knn.exact_nearest(base, [Range(0, 10), Range(10, 11), Range(300, 500)])
    scores, ids = nearest(q, 15)
    eligible = np.r_[0:11, 300:500]
    expected_scores, expected = oracle(q, base[eligible], 15)
    np.testing.assert_array_equal(ids, eligible[expected])
    np.testing.assert_array_equal(scores, expected_scores)


def test_equal_texts_come_in_order_of_their_rows() -> None:
    # More copies than are fetched at first: which of them FAISS proposes must not matter.
    base = np.vstack([unit(5, seed=7), np.repeat(unit(1, seed=8), 400, axis=0), unit(5, seed=9)])
    scores, ids = knn.search(base[100:101], base, 20)
    assert ids[0].tolist() == list(range(5, 25))
    assert scores[0].tolist() == [scores[0, 0]] * 20
    shuffled = np.random.default_rng(0).permutation(len(base))
    _, again = knn.search(base[100:101], base[shuffled], 20)
    assert all(5 <= shuffled[i] < 405 for i in again[0])
    assert again[0].tolist() == sorted(again[0])


def test_nothing_to_search_in() -> None:
    scores, ids = knn.search(unit(3), np.empty((0, 32), dtype=np.float32), 5)
    assert scores.shape == ids.shape == (3, 0)


def test_approximate_reaches_the_recall_and_scores_exactly(tmp_path: Path) -> None:
    # Texts come in topics; vectors without any structure are what no inverted file can help with.
    centres = unit(60, seed=11)
    noise = np.random.default_rng(12).normal(scale=0.08, size=(6000, 32)).astype(np.float32)
    vectors = centres[np.arange(6000) % 60] + noise
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    knn.build_index(vectors, tmp_path / "ivf")
    index = knn.open_index(tmp_path / "ivf")
    probes, recall = knn.tune_probes(index, vectors, np.arange(0, 6000, 20), 10)
    assert recall >= 0.95
    assert probes < index.nlist
    ranges = [Range(0, 1000), Range(5000, 6000)]
    scores, ids = knn.approximate_nearest(index, vectors, ranges, probes)(vectors[2000:2050], 10)
    eligible = np.r_[0:1000, 5000:6000]
    assert np.isin(ids, eligible).all()
    exact = np.einsum("qd,qkd->qk", vectors[2000:2050].astype(float), vectors[ids].astype(float))
    np.testing.assert_array_equal(scores, exact.round(6))
    _, expected = oracle(vectors[2000:2050], vectors[eligible], 10)
    found = [len(set(a) & set(eligible[b])) for a, b in zip(ids, expected, strict=True)]
    assert np.mean(found) >= 9


@pytest.mark.gpu
def test_gpu_gives_what_the_cpu_gives() -> None:
    if not faiss.get_num_gpus():
        pytest.skip("no GPU")
    q, base = unit(500, 384, seed=13), unit(20000, 384, seed=14)
    scores, ids = knn.search(q, base, 10)
    expected_scores, expected_ids = oracle(q, base, 10)
    np.testing.assert_array_equal(ids, expected_ids)
    np.testing.assert_array_equal(scores, expected_scores)
