"""The neighbours of a block of sections: search by channel, then one ranking. Runs inside a Spark task."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from antinomy.link import fuse, lexical
from antinomy.link.index import Index
from antinomy.link.knn import DECIMALS, Range
from antinomy.link.settings import LinkSettings


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
    order = np.argsort(hits.query, kind="stable")
    query, base = hits.query[order], hits.base[order]
    cuts = np.flatnonzero(np.diff(query)) + 1
    rows = [
        _rank_one(index, int(section[0]), np.unique(candidates), settings)
        for section, candidates in zip(np.split(query, cuts), np.split(base, cuts), strict=True)
        if len(section)
    ]
    if not rows:
        none = np.empty(0, np.int64)
        flags = np.empty((0, len(settings.channels)), dtype=bool)
        return Neighbours(none, none, none, np.empty(0), np.empty(0), none, none, flags)
    return Neighbours(*(np.concatenate(column) for column in zip(*rows, strict=True)))


def _rank_one(index: Index, query: int, candidates: NDArray[np.int64], settings: LinkSettings) -> Neighbours:
    cosine, query_unit, base_unit = _cosines(index, query, candidates)
    scores = np.empty((len(settings.channels), len(candidates)))
    for number, channel in enumerate(settings.channels):
        if channel == "vector":
            scores[number] = np.nan_to_num(cosine)
        else:
            assert index.lexicon is not None
            scores[number] = lexical.scores(index.lexicon, np.array([query]), candidates)[0]
    if settings.neighbours:
        scores = fuse.smooth(scores, _section_vectors(index, candidates), settings.neighbours)
    for number, channel in enumerate(settings.channels):
        # What a channel knows nothing of is not in its list: no vector, no word in common.
        scores[number, np.isnan(cosine) if channel == "vector" else scores[number] <= 0] = np.nan
    ranked = np.array([fuse.ranks(line) for line in scores])
    fused = fuse.reciprocal_rank_fusion(ranked)
    order = np.lexsort((candidates, -fused))[: settings.k]
    # A candidate that no channel ranks is none; a cosine that does not exist cannot be below the minimum.
    order = order[(fused[order] > 0) & ~(cosine[order] < settings.min_score)]
    own = (ranked[:, order] > 0) & (ranked[:, order] <= settings.k)
    return Neighbours(
        query=np.full(len(order), query),
        base=candidates[order],
        rank=np.arange(1, len(order) + 1),
        score=fused[order],
        cosine=cosine[order],
        query_unit=query_unit[order],
        base_unit=base_unit[order],
        channels=own.T,
    )


def _cosines(
    index: Index, query: int, candidates: NDArray[np.int64]
) -> tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.int64]]:
    """Cosine of the best pair of units of the query and each candidate, and the units of that pair."""
    cosine = np.full(len(candidates), np.nan)
    query_unit = np.full(len(candidates), index.unit_start[query])
    base_unit = index.unit_start[candidates]
    own = slice(index.vector_start[query], index.vector_start[query + 1])
    rows, offsets = index.vectors_of(candidates)
    if own.stop == own.start or not len(rows):
        return cosine, query_unit, base_unit
    table = index.vectors[rows].astype(np.float64) @ index.vectors[own].astype(np.float64).T
    table = table.round(DECIMALS)
    bounds = np.append(offsets, len(rows))
    if len(rows) == len(candidates) and table.shape[1] == 1:  # no pieces, the common case
        return table[:, 0], index.vector_unit[own].repeat(len(candidates)), index.vector_unit[rows]
    for i in range(len(candidates)):
        part = table[bounds[i] : bounds[i + 1]]
        if len(part):
            at, by = np.unravel_index(int(part.argmax()), part.shape)
            cosine[i] = part[at, by]
            query_unit[i] = index.vector_unit[own][by]
            base_unit[i] = index.vector_unit[rows[bounds[i] + at]]
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
