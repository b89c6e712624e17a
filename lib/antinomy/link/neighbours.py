"""The neighbours of a block of sections: a search by channel, then one ranking. Runs inside a Spark task."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from antinomy.link import fusion, knn, lexical
from antinomy.link.index import Index, VectorSet
from antinomy.link.knn import DECIMALS, Range
from antinomy.settings.link import LinkSettings

#: Number of a section's peers: the sections of its own group that are nearest to it.
_PEERS = 5
#: Weight of the scores that a candidate has with the peers, all together, against its score with the section itself.
#: Of the NIST crosswalk .432 of the counterparts are among the first ten, without peers .419 (docs/evaluation.md).
_PEERS_WEIGHT = 0.4
#: Channels of these scores. The clauses take as long as the others together and add nothing.
_PEERS_CHANNELS = frozenset({"own", "lexical", "mpnet"})


class Hits(NamedTuple):
    """The channels' proposals: one entry per channel, query section and base section.

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
        score: fused.
        query_unit: the query's unit in the nearest pair of units.
        base_unit: the base's.
        scores: of each channel, nan where a side has no vector; shape (entries, channels).
        ranks: of the pair among the query's candidates, by channel; 0 where a side has no vector or they share no word;
            same shape.
    """

    query: NDArray[np.int64]
    base: NDArray[np.int64]
    rank: NDArray[np.int64]
    score: NDArray[np.float64]
    query_unit: NDArray[np.int64]
    base_unit: NDArray[np.int64]
    scores: NDArray[np.float64]
    ranks: NDArray[np.int64]


def propose(index: Index, queries: Range, among: Sequence[Range], settings: LinkSettings) -> Hits:
    """Find each channel's best candidates.

    Args:
        index: of all sections.
        queries: sections to find neighbours for, all of one group.
        among: sections that may be neighbours.
        settings: channels, k, k_right, depth.

    Returns:
        At most ``candidates_per_channel`` entries per channel and query.
    """
    depth = candidates_per_channel(settings)
    found = []
    for number, channel in enumerate(settings.channels):
        if channel == "lexical":
            query, base, score = _search_words(index, queries, among, depth)
        else:
            query, base, score = _search_vectors(index, index.sets[channel], queries, among, depth)
        found.append((np.full(len(query), number), query, base, score))
    return Hits(*(np.concatenate(column) for column in zip(*found, strict=True)))


def candidates_per_channel(settings: LinkSettings) -> int:
    """Return how many candidates each channel proposes: more than k only if other channels reorder them."""
    k = max(settings.k, settings.k_right)
    return k if len(settings.channels) == 1 else max(k, settings.depth)


_Found = tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]


def _search_vectors(index: Index, own: VectorSet, queries: Range, among: Sequence[Range], depth: int) -> _Found:
    rows = np.arange(own.start[queries.start], own.start[queries.stop])
    owner = np.searchsorted(own.start, rows, side="right") - 1
    wanted = depth + _max_excluded(index, queries)
    available = sum(r.stop - r.start for r in own.ranges(among))
    nearest = own.nearest(among)
    parts: list[_Found] = []
    fetch = min(wanted, available)
    while len(rows) and fetch:
        scores, ids = nearest(np.ascontiguousarray(own.vectors[rows]), fetch)
        base = np.where(ids >= 0, np.searchsorted(own.start, ids, side="right") - 1, -1)
        # Several vectors of one section may crowd out other sections: such queries fetch more. An id of -1 says that
        # the approximate index has no more.
        distinct = (np.diff(np.sort(base, axis=1), axis=1) != 0).sum(axis=1) + 1
        done = (distinct >= wanted) | (ids[:, -1] < 0) | (fetch == available)
        kept = done[:, None] & (ids >= 0)
        parts.append((np.repeat(owner, fetch)[kept.ravel()], base[kept], scores[kept]))
        rows, owner = rows[~done], owner[~done]
        fetch = min(fetch * 2, available)
    columns = [np.concatenate(column) for column in zip(*parts, strict=True)] if parts else [np.empty(0)] * 3
    return top_candidates(index, columns[0].astype(np.int64), columns[1].astype(np.int64), columns[2], depth)


def _search_words(index: Index, queries: Range, among: Sequence[Range], depth: int) -> _Found:
    assert index.lexicon is not None
    sections = np.arange(queries.start, queries.stop)
    wanted = depth + _max_excluded(index, queries)
    found = [lexical.top_k(index.lexicon, sections, r.start, r.stop, wanted) for r in among]
    query, base, score = (np.concatenate(column) for column in zip(*found, strict=True))
    return top_candidates(index, query, base, score, depth)


def _max_excluded(index: Index, queries: Range) -> int:
    if index.excluded is None:
        return 0
    return max(len(index.excluded[section]) for section in range(*queries))


def top_candidates(
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
    """Merge the hits of shards into what ``propose`` finds in all of them at once."""
    parts = []
    for number in range(len(settings.channels)):
        own = hits.channel == number
        query, base, score = top_candidates(
            index, hits.query[own], hits.base[own], hits.score[own], candidates_per_channel(settings)
        )
        parts.append((np.full(len(query), number), query, base, score))
    return Hits(*(np.concatenate(column) for column in zip(*parts, strict=True)))


def rank(index: Index, hits: Hits, settings: LinkSettings) -> Neighbours:
    """Fuse the channels' proposals into one ranking.

    Every candidate gets its score from every channel, whichever proposed it.

    Args:
        index: of all sections.
        hits: complete for each of their queries.
        settings: channels, fusion, k, k_right, min_score.
    """
    query, base = np.divmod(np.unique(hits.query * len(index.section_ids) + hits.base), max(len(index.section_ids), 1))
    scores, (query_unit, base_unit) = _channel_scores(index, query, base, settings.channels)
    # A candidate is missing from a channel's list if it has no vector or no word in common.
    listed = [
        np.where(line > 0, line, np.nan) if channel == "lexical" else line
        for channel, line in zip(settings.channels, scores, strict=True)
    ]
    ranked = np.stack([fusion.ranks(query, line) for line in listed])
    if settings.fusion == "reciprocal_rank":
        fused = fusion.reciprocal_rank_fusion(ranked)
    else:
        fused = fusion.standardised_sum(query, scores, _weights(settings.channels))
        channels = tuple(channel for channel in settings.channels if channel in _PEERS_CHANNELS)
        for entries, peer, share in _peers(index, query, base, settings):
            found, _ = _channel_scores(index, peer, base[entries], channels)
            summed = fusion.standardised_sum(query[entries], found, _weights(channels))
            fused[entries] += _PEERS_WEIGHT * share * summed
    place = fusion.ranks(query, np.where((ranked > 0).any(axis=0), fused, np.nan))
    # A missing cosine is not below the minimum.
    weak = scores[settings.channels.index("own")] < settings.min_score if "own" in settings.channels else False
    kept = np.flatnonzero((place > 0) & (place <= index.groups.partners_wanted(query, base)) & ~weak)
    kept = kept[np.lexsort((place[kept], query[kept]))]
    return Neighbours(
        query=query[kept],
        base=base[kept],
        rank=place[kept],
        score=fused[kept],
        query_unit=query_unit[kept],
        base_unit=base_unit[kept],
        scores=scores[:, kept].T,
        ranks=ranked[:, kept].T,
    )


def _channel_scores(
    index: Index, query: NDArray[np.int64], base: NDArray[np.int64], channels: Sequence[str]
) -> tuple[NDArray[np.float64], tuple[NDArray[np.int64], NDArray[np.int64]]]:
    """Return the score of each pair by channel, shape (channels, pairs), and the units of the two that are nearest."""
    scores = np.full((len(channels), len(query)), np.nan)
    nearest = index.unit_start[query], index.unit_start[base]
    named = False
    for number, channel in enumerate(channels):
        if channel == "lexical":
            scores[number] = _bm25_scores(index, query, base)
            continue
        scores[number], units = _cosines(index.sets[channel], query, base)
        if not named and channel != "context":  # the first channel of the texts themselves names the units
            found = ~np.isnan(scores[number])
            nearest = np.where(found, units[0], nearest[0]), np.where(found, units[1], nearest[1])
            named = True
    return scores, nearest


def _weights(channels: Sequence[str]) -> NDArray[np.float64]:
    return np.array([fusion.WEIGHTS[channel] for channel in channels])


def _peers(
    index: Index, query: NDArray[np.int64], base: NDArray[np.int64], settings: LinkSettings
) -> Iterator[tuple[NDArray[np.intp], NDArray[np.int64], NDArray[np.float64]]]:
    """Find the peers of the queries, by the vectors of ``mpnet``; none where that is not one of several channels.

    Sections on one matter have counterparts on one matter (the cluster hypothesis: van Rijsbergen 1979), and what one
    of them names in other words, another may name in the words of the other side.

    Yields:
        For the nearest peer, then the second, and so on: the entries whose query has one, the peer of each, and its
        share of the query's cosines with its peers; each of shape (entries,).
    """
    if "mpnet" not in settings.channels or len(settings.channels) == 1 or not len(query):
        return
    own = index.sets["mpnet"]
    block, (group,) = Range(int(query[0]), int(query[-1]) + 1), index.groups.group_of(query[:1]).tolist()
    asking, found, cosine = _search_vectors(index, own, block, [index.groups.ranges[group]], _PEERS + 1)
    others = asking != found
    asking, found, cosine = asking[others], found[others], cosine[others]
    place = np.arange(len(asking)) - np.searchsorted(asking, asking)
    kept = (place < _PEERS) & (cosine > 0)
    at = asking[kept] - block.start, place[kept]
    peers = np.zeros((block.stop - block.start, _PEERS), dtype=np.int64)
    shares = np.zeros(peers.shape)
    peers[at], shares[at] = found[kept], cosine[kept]
    shares /= np.maximum(shares.sum(axis=1, keepdims=True), 1e-9)
    # Within a group a peer may be the very neighbour.
    foreign = index.groups.group_of(base) != group
    for number in range(_PEERS):
        share = shares[query - block.start, number]
        entries = np.flatnonzero(foreign & (share > 0))
        yield entries, peers[query[entries] - block.start, number], share[entries]


def _slices_by_query(query: NDArray[np.int64]) -> list[slice]:
    """Cut sorted entries into one slice per query."""
    cuts = [0, *(np.flatnonzero(np.diff(query)) + 1).tolist(), len(query)]
    return [slice(start, stop) for start, stop in pairwise(cuts) if stop > start]


def _bm25_scores(index: Index, query: NDArray[np.int64], base: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return BM25 of each pair of sections, 0 where they share no word."""
    assert index.lexicon is not None
    out = np.empty(len(query))
    for part in _slices_by_query(query):
        out[part] = lexical.scores(index.lexicon, query[part][:1], base[part])[0]
    return out


def _cosines(
    own: VectorSet, query: NDArray[np.int64], base: NDArray[np.int64]
) -> tuple[NDArray[np.float64], tuple[NDArray[np.int64], NDArray[np.int64]]]:
    """Return the cosine of each pair's nearest two vectors, nan if a side has none, and the units of these."""
    cosine = np.full(len(query), np.nan)
    units = np.zeros(len(query), dtype=np.int64), np.zeros(len(query), dtype=np.int64)
    held = np.diff(own.start)
    single = (held[query] == 1) & (held[base] == 1)
    # Most sections have one vector of their own text: nothing to choose between.
    q_row, b_row = own.start[query[single]], own.start[base[single]]
    cosine[single] = knn.inner_products(own.vectors, q_row, b_row)
    units[0][single], units[1][single] = own.unit[q_row], own.unit[b_row]
    if not single.all():
        cosine[~single], several = _cosines_of_several(own, query[~single], base[~single])
        units[0][~single], units[1][~single] = several
    return cosine, units


def _cosines_of_several(
    own: VectorSet, query: NDArray[np.int64], base: NDArray[np.int64]
) -> tuple[NDArray[np.float64], tuple[NDArray[np.int64], NDArray[np.int64]]]:
    """Return what ``_cosines`` does, for sections with any number of vectors."""
    cosine = np.full(len(query), np.nan)
    units = np.zeros(len(query), dtype=np.int64), np.zeros(len(query), dtype=np.int64)
    for part in _slices_by_query(query):
        asking = np.arange(own.start[query[part][0]], own.start[query[part][0] + 1])
        begin, end = own.start[base[part]], own.start[base[part] + 1]
        wide = end - begin
        with_any = np.flatnonzero(wide > 0)
        if not len(asking) or not len(with_any):
            continue
        first = np.cumsum(wide[with_any]) - wide[with_any]
        rows = np.repeat(begin[with_any] - first, wide[with_any]) + np.arange(wide.sum())
        table = own.vectors[asking].astype(np.float64) @ own.vectors[rows].astype(np.float64).T
        table = table.round(DECIMALS)
        best_of = np.maximum.reduceat(table.max(axis=0), first)
        places = part.start + with_any
        cosine[places] = best_of
        # Of equal ones the first by rows, whichever side asks, so that both sides name the same units.
        which = np.repeat(np.arange(len(with_any)), wide[with_any])
        q, b = np.nonzero(table == best_of[which][None, :])
        q_row, b_row = asking[q], rows[b]
        order = np.lexsort((np.maximum(q_row, b_row), np.minimum(q_row, b_row), which[b]))
        chosen = order[np.unique(which[b][order], return_index=True)[1]]
        units[0][places], units[1][places] = own.unit[q_row[chosen]], own.unit[b_row[chosen]]
    return cosine, units
