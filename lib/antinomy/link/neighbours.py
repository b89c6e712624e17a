"""The neighbours of a block of sections: search by channel, then one ranking. Runs inside a Spark task."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from antinomy.link import fuse, lexical
from antinomy.link.index import Index
from antinomy.link.knn import DECIMALS, Range
from antinomy.link.settings import LinkSettings

#: Pairs of vectors multiplied at a time: so few that they (pairs x 2 x dim x 12 bytes) stay in the cache.
_PAIRS_AT_A_TIME = 256


class Hits(NamedTuple):
    """What the channels propose: one entry per channel, query section and base section.

    Attributes:
        channel: number of the channel in the settings.
        query: section.
        base: section.
        score: of the channel.
    """

    channel: NDArray[np.int64]
    query: NDArray[np.int64]
    base: NDArray[np.int64]
    score: NDArray[np.float64]


class Neighbours(NamedTuple):
    """Fused neighbours, by (query, rank).

    Attributes:
        query: section.
        base: section.
        rank: 1 is the nearest.
        score: fused by reciprocal rank.
        cosine: of the best pair of their units, nan if a side has no vector.
        query_unit: the query's unit in that pair.
        base_unit: the base's.
        channels: which channels have the pair among their own k nearest; shape (entries, channels).
    """

    query: NDArray[np.int64]
    base: NDArray[np.int64]
    rank: NDArray[np.int64]
    score: NDArray[np.float64]
    cosine: NDArray[np.float64]
    query_unit: NDArray[np.int64]
    base_unit: NDArray[np.int64]
    channels: NDArray[np.bool_]


def propose(index: Index, queries: Range, among: Sequence[Range], settings: LinkSettings) -> Hits:
    """Find what each channel ranks first.

    Args:
        index: of all sections.
        queries: sections to find neighbours for, all of one group.
        among: sections that may be neighbours.
        settings: channels, k, depth, neighbours.

    Returns:
        At most ``depth`` entries per channel and query.
    """
    depth = reach(settings)
    found = []
    for number, channel in enumerate(settings.channels):
        search = _by_vector if channel == "vector" else _by_words
        query, base, score = search(index, queries, among, depth)
        found.append((np.full(len(query), number), query, base, score))
    return Hits(*(np.concatenate(column) for column in zip(*found, strict=True)))


def reach(settings: LinkSettings) -> int:
    """Return how many candidates each channel brings: more than k only where something reorders them."""
    alone = len(settings.channels) == 1 and not settings.neighbours
    return settings.k if alone else max(settings.k, settings.depth)


_Found = tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]


def _by_vector(index: Index, queries: Range, among: Sequence[Range], depth: int) -> _Found:
    rows = np.arange(index.vector_start[queries.start], index.vector_start[queries.stop])
    owner = np.searchsorted(index.vector_start, rows, side="right") - 1
    wanted = depth + _most_excluded(index, queries)
    available = sum(r.stop - r.start for r in index.vector_ranges(among))
    nearest = index.nearest(among)
    parts: list[_Found] = []
    fetch = min(wanted, available)
    while len(rows) and fetch:
        scores, ids = nearest(np.ascontiguousarray(index.vectors[rows]), fetch)
        base = np.where(ids >= 0, np.searchsorted(index.vector_start, ids, side="right") - 1, -1)
        # Several pieces of one section may take the places of other sections: such queries fetch more. An id
        # of -1 says that the approximate index has no more to give.
        distinct = (np.diff(np.sort(base, axis=1), axis=1) != 0).sum(axis=1) + 1
        done = (distinct >= wanted) | (ids[:, -1] < 0) | (fetch == available)
        kept = done[:, None] & (ids >= 0)
        parts.append((np.repeat(owner, fetch)[kept.ravel()], base[kept], scores[kept]))
        rows, owner = rows[~done], owner[~done]
        fetch = min(fetch * 2, available)
    columns = [np.concatenate(column) for column in zip(*parts, strict=True)] if parts else [np.empty(0)] * 3
    return best(index, columns[0].astype(np.int64), columns[1].astype(np.int64), columns[2], depth)


def _by_words(index: Index, queries: Range, among: Sequence[Range], depth: int) -> _Found:
    assert index.lexicon is not None
    sections = np.arange(queries.start, queries.stop)
    wanted = depth + _most_excluded(index, queries)
    found = [lexical.top(index.lexicon, sections, r.start, r.stop, wanted) for r in among]
    query, base, score = (np.concatenate(column) for column in zip(*found, strict=True))
    return best(index, query, base, score, depth)


def _most_excluded(index: Index, queries: Range) -> int:
    if index.excluded is None:
        return 0
    return max(len(index.excluded[section]) for section in range(*queries))


def best(
    index: Index, query: NDArray[np.int64], base: NDArray[np.int64], score: NDArray[np.float64], depth: int
) -> _Found:
    """Keep the ``depth`` best eligible base sections of each query, each once, by (-score, base)."""
    if index.excluded is not None and len(query):
        total = len(index.section_ids)
        asked = np.unique(query)
        banned = np.concatenate([q * total + index.excluded[int(q)] for q in asked])
        kept = ~np.isin(query * total + base, banned)
        query, base, score = query[kept], base[kept], score[kept]
    order = np.lexsort((-score, base, query))
    query, base, score = query[order], base[order], score[order]
    first = np.ones(len(query), dtype=bool)
    first[1:] = (query[1:] != query[:-1]) | (base[1:] != base[:-1])
    query, base, score = query[first], base[first], score[first]
    order = np.lexsort((base, -score, query))
    query, base, score = query[order], base[order], score[order]
    place = np.arange(len(query)) - np.searchsorted(query, query)
    kept = place < depth
    return query[kept], base[kept], score[kept]


def merge(index: Index, hits: Hits, settings: LinkSettings) -> Hits:
    """Merge what was found in shards: the same as ``propose`` finds in all of them at once."""
    parts = []
    for number in range(len(settings.channels)):
        own = hits.channel == number
        query, base, score = best(index, hits.query[own], hits.base[own], hits.score[own], reach(settings))
        parts.append((np.full(len(query), number), query, base, score))
    return Hits(*(np.concatenate(column) for column in zip(*parts, strict=True)))


def rank(index: Index, hits: Hits, settings: LinkSettings) -> Neighbours:
    """Make one ranking of what the channels propose.

    Every candidate gets its score from every channel, whichever proposed it.

    Args:
        index: of all sections.
        hits: complete for each of their queries.
        settings: channels, k, neighbours, min_score.
    """
    query, base = np.divmod(np.unique(hits.query * len(index.section_ids) + hits.base), max(len(index.section_ids), 1))
    cosine, query_unit, base_unit = _cosines(index, query, base)
    scores = np.stack(
        [np.nan_to_num(cosine) if c == "vector" else _words(index, query, base) for c in settings.channels]
    )
    if settings.neighbours:
        for part in _by_query(query):
            near = _section_vectors(index, base[part])
            scores[:, part] = fuse.smooth(scores[:, part], near, settings.neighbours)
    for number, channel in enumerate(settings.channels):
        # What a channel knows nothing of is not in its list: no vector, no word in common.
        scores[number, np.isnan(cosine) if channel == "vector" else scores[number] <= 0] = np.nan
    ranked = np.stack([fuse.ranks(query, line) for line in scores])
    fused = fuse.reciprocal_rank_fusion(ranked)
    place = fuse.ranks(query, np.where(fused > 0, fused, np.nan))
    # A cosine that does not exist cannot be below the minimum.
    kept = np.flatnonzero((place > 0) & (place <= settings.k) & ~(cosine < settings.min_score))
    kept = kept[np.lexsort((place[kept], query[kept]))]
    return Neighbours(
        query=query[kept],
        base=base[kept],
        rank=place[kept],
        score=fused[kept],
        cosine=cosine[kept],
        query_unit=query_unit[kept],
        base_unit=base_unit[kept],
        channels=((ranked > 0) & (ranked <= settings.k))[:, kept].T,
    )


def _by_query(query: NDArray[np.int64]) -> list[slice]:
    """Cut sorted entries into one slice per query."""
    cuts = [0, *(np.flatnonzero(np.diff(query)) + 1).tolist(), len(query)]
    return [slice(start, stop) for start, stop in pairwise(cuts) if stop > start]


def _words(index: Index, query: NDArray[np.int64], base: NDArray[np.int64]) -> NDArray[np.float64]:
    assert index.lexicon is not None
    out = np.empty(len(query))
    for part in _by_query(query):
        out[part] = lexical.scores(index.lexicon, query[part][:1], base[part])[0]
    return out


def _cosines(
    index: Index, query: NDArray[np.int64], base: NDArray[np.int64]
) -> tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.int64]]:
    """Cosine of the best pair of units of each two sections, and the units of that pair."""
    cosine = np.full(len(query), np.nan)
    query_unit, base_unit = index.unit_start[query], index.unit_start[base]
    start = index.vector_start
    wide = start[base + 1] - start[base]
    count = (start[query + 1] - start[query]) * wide
    pair = np.repeat(np.arange(len(query)), count)
    step = np.arange(len(pair)) - np.repeat(np.cumsum(count) - count, count)
    q_row, b_row = start[query][pair] + step // wide[pair], start[base][pair] + step % wide[pair]
    value = np.empty(len(pair))
    for at in range(0, len(pair), _PAIRS_AT_A_TIME):
        part = slice(at, at + _PAIRS_AT_A_TIME)
        left, right = index.vectors[q_row[part]], index.vectors[b_row[part]]
        value[part] = np.einsum("nd,nd->n", left.astype(np.float64), right.astype(np.float64))
    value = value.round(DECIMALS)
    # Of equals the first by rows, whichever side asks: both sides then name the same units.
    order = np.lexsort((np.maximum(q_row, b_row), np.minimum(q_row, b_row), -value, pair))
    best_of, first = np.unique(pair[order], return_index=True)
    chosen = order[first]
    cosine[best_of] = value[chosen]
    query_unit[best_of], base_unit[best_of] = index.vector_unit[q_row[chosen]], index.vector_unit[b_row[chosen]]
    return cosine, query_unit, base_unit


def _section_vectors(index: Index, sections: NDArray[np.int64]) -> NDArray[np.float32]:
    """Mean direction of each section's units; zero for a section without vectors."""
    rows, offsets = index.vectors_of(sections)
    gathered = np.asarray(index.vectors[rows])
    if len(rows) == len(sections) and (np.diff(offsets) == 1).all():
        return gathered
    out = np.zeros((len(sections), index.vectors.shape[1]), dtype=np.float32)
    owner = np.repeat(np.arange(len(sections)), np.diff(np.append(offsets, len(rows))))
    np.add.at(out, owner, gathered)
    norms = np.linalg.norm(out, axis=1, keepdims=True)
    norms[norms == 0] = 1
    out /= norms
    return out
