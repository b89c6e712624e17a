"""Nearest neighbours by inner product: exact by FAISS, and equal to the last digit however the work is split."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, reduce
from pathlib import Path
from typing import Any, NamedTuple

import faiss
import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float32]
Scores = NDArray[np.float64]
Ids = NDArray[np.int64]

#: Scores are rounded to this many decimals, which do not depend on threads, blocks or processor.
DECIMALS = 6
#: FAISS adds up float32 in an order that depends on the block; its scores are off by less than this.
_NOISE = 1e-5
#: Fetched beyond k, so that the exact scores decide who is the k-th.
_MARGIN = 8
#: Pairs of rows scored exactly at a time: few enough that the gathered vectors (pairs x dim x 8 bytes) stay in the
#: cache.
_PAIRS_AT_ONCE = 512
#: knn_gpu's bound on k.
_GPU_MAX_K = 2048

#: (queries, k) → (scores, ids), as ``search`` gives them; where an approximate search finds fewer than k, the rest of a
#: line has the score -inf and the id -1.
Nearest = Callable[[Vectors, int], tuple[Scores, Ids]]


def search(queries: Vectors, base: Vectors, k: int) -> tuple[Scores, Ids]:
    """Find the k rows of ``base`` with the greatest inner product with each query, exactly.

    FAISS proposes candidates; their scores are computed again in float64 and rounded to ``DECIMALS``. Where a
    row that was not proposed could still belong to the k best (equal texts), more are fetched. So the answer
    depends on the vectors alone, not on threads, blocks, GPU or CPU.

    Args:
        queries: float32, shape (n, dim); all rows ``searchable``.
        base: float32, shape (m, dim); all rows ``searchable``.
        k: neighbours per query.

    Returns:
        Scores and row numbers in ``base``, both of shape (n, min(k, m)), sorted by (-score, row).
    """
    k = min(k, len(base))
    scores = np.empty((len(queries), k))
    ids = np.empty((len(queries), k), dtype=np.int64)
    todo = np.arange(len(queries))
    fetch = min(k + _MARGIN, len(base))
    while k and len(todo):
        proposed, found = _knn(queries[todo], base, fetch)
        exact = _scores(queries[todo], base, found)
        order = np.lexsort((found, -exact), axis=1)[:, :k]
        scores[todo] = np.take_along_axis(exact, order, axis=1)
        ids[todo] = np.take_along_axis(found, order, axis=1)
        if fetch == len(base):
            break
        # A row that was not fetched scores no more than the last proposal, up to FAISS's rounding.
        todo = todo[scores[todo, k - 1] <= proposed[:, -1] + _NOISE]
        fetch = min(fetch * 2, len(base))
    return scores, ids


def searchable(vectors: Vectors) -> NDArray[np.bool_]:
    """Return which rows can have neighbours: finite and not zero."""
    # One pass without a copy: the norm is nan or inf where any component is, 0 where all are.
    norms = np.einsum("nd,nd->n", vectors, vectors)
    valid: NDArray[np.bool_] = np.isfinite(norms) & (norms > 0)
    return valid


def _knn(queries: Vectors, base: Vectors, k: int) -> tuple[NDArray[np.float32], Ids]:
    if faiss.get_num_gpus() > 0 and k <= _GPU_MAX_K:
        found: tuple[NDArray[np.float32], Ids] = faiss.knn_gpu(
            _gpu_resources(), queries, base, k, metric=faiss.METRIC_INNER_PRODUCT,
            vectorsMemoryLimit=1 << 30, queriesMemoryLimit=1 << 28,
        )  # fmt: skip
    else:
        found = faiss.knn(queries, base, k, metric=faiss.METRIC_INNER_PRODUCT)
    return found


@cache
def _gpu_resources() -> Any:
    return faiss.StandardGpuResources()


def _scores(queries: Vectors, base: Vectors, ids: Ids) -> Scores:
    """Return the rounded inner products of each query with the base rows in its line of ``ids``."""
    out = np.empty(ids.shape)
    step = max(1, _PAIRS_AT_ONCE // max(ids.shape[1], 1))
    for at in range(0, len(queries), step):
        part = slice(at, at + step)
        gathered = base[ids[part]].astype(np.float64)
        out[part] = np.matmul(gathered, queries[part].astype(np.float64)[:, :, None])[:, :, 0]
    return out.round(DECIMALS)


def inner_products(vectors: Vectors, rows: Ids, others: Ids) -> Scores:
    """Return the rounded inner product of each of ``rows`` with its counterpart in ``others``, rows of ``vectors``."""
    out = np.empty(len(rows))
    for at in range(0, len(rows), _PAIRS_AT_ONCE):
        part = slice(at, at + _PAIRS_AT_ONCE)
        out[part] = np.einsum(
            "nd,nd->n", vectors[rows[part]].astype(np.float64), vectors[others[part]].astype(np.float64)
        )
    return out.round(DECIMALS)


class Range(NamedTuple):
    """Rows ``start`` to ``stop`` (exclusive)."""

    start: int
    stop: int


def exact_nearest(vectors: Vectors, ranges: Sequence[Range]) -> Nearest:
    """Return a search among ranges of rows; ids are rows of ``vectors``."""

    def nearest(queries: Vectors, k: int) -> tuple[Scores, Ids]:
        found = [(search(queries, vectors[r.start : r.stop], k), r.start) for r in ranges if r.stop > r.start]
        if not found:
            return np.empty((len(queries), 0)), np.empty((len(queries), 0), dtype=np.int64)
        scores = np.hstack([s for (s, _), _ in found])
        ids = np.hstack([i + start for (_, i), start in found])
        order = np.lexsort((ids, -scores), axis=1)[:, :k]
        return np.take_along_axis(scores, order, axis=1), np.take_along_axis(ids, order, axis=1)

    return nearest


#: Vectors per list to train the coarse quantiser on; FAISS asks for at least 39.
_TRAIN_PER_LIST = 64
#: Share of the exact neighbours that the approximate search has to find.
_RECALL = 0.95


def build_index(vectors: Vectors, path: Path) -> None:
    """Write an inverted-file index (IVF, uncompressed) over all rows.

    Method: FAISS's IndexIVFFlat with about 4·√n lists, its documented choice for a million vectors. The
    training sample and FAISS's seed are fixed.
    """
    n, dim = vectors.shape
    lists = max(1, min(int(4 * n**0.5), n // _TRAIN_PER_LIST))
    index = faiss.IndexIVFFlat(faiss.IndexFlatIP(dim), dim, lists, faiss.METRIC_INNER_PRODUCT)
    sample = np.linspace(0, n - 1, num=min(n, lists * _TRAIN_PER_LIST), dtype=np.int64)
    index.train(np.ascontiguousarray(vectors[sample]))
    step = 1 << 16
    for at in range(0, n, step):
        index.add(np.ascontiguousarray(vectors[at : at + step]))
    faiss.write_index(index, str(path))


def open_index(path: Path) -> Any:
    """Map an index file: tasks on one machine share its pages."""
    return faiss.read_index(str(path), faiss.IO_FLAG_MMAP | faiss.IO_FLAG_READ_ONLY)


def approximate_nearest(index: Any, vectors: Vectors, ranges: Sequence[Range], probes: int) -> Nearest:
    """Return a search among ranges of rows, in the ``probes`` nearest lists only."""
    selectors: list[Any] = [faiss.IDSelectorRange(r.start, r.stop) for r in ranges]
    selector = reduce(faiss.IDSelectorOr, selectors)

    def nearest(queries: Vectors, k: int) -> tuple[Scores, Ids]:
        k = min(k, sum(r.stop - r.start for r in ranges))
        parameters = faiss.SearchParametersIVF(sel=selector, nprobe=probes)  # type: ignore[call-arg]
        _, ids = index.search(np.ascontiguousarray(queries), k, params=parameters)
        scores = np.where(ids >= 0, _scores(queries, vectors, ids), -np.inf)
        order = np.lexsort((ids, -scores), axis=1)
        return np.take_along_axis(scores, order, axis=1), np.take_along_axis(ids, order, axis=1)

    return nearest


def tune_probes(index: Any, vectors: Vectors, sample: Ids, k: int) -> tuple[int, float]:
    """Find how many lists to search to find enough of the exact neighbours.

    Args:
        index: over ``vectors``.
        vectors: float32, shape (n, dim).
        sample: rows to use as queries.
        k: neighbours per query, itself not counted.

    Returns:
        The number of lists, doubled until they give ``_RECALL`` of the exact neighbours, and the share on the sample;
        neighbours with equal scores count as one another.
    """
    everything = [Range(0, len(vectors))]
    queries = np.ascontiguousarray(vectors[sample])
    exact, _ = exact_nearest(vectors, everything)(queries, k + 1)
    probes = 1
    while True:
        found, _ = approximate_nearest(index, vectors, everything, probes)(queries, k + 1)
        # Row for row the found scores are no better than the exact ones: count those that reach the k-th.
        reached = float((found >= exact[:, -1:])[:, 1:].mean())
        if reached >= _RECALL or probes >= index.nlist:
            return probes, reached
        probes = min(probes * 2, index.nlist)
