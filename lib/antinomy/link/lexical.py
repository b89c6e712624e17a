"""BM25 in both directions: neither of two provisions is the query."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import NamedTuple

import bm25s
import numpy as np
import Stemmer
from bm25s.tokenization import Tokenized
from numpy.typing import NDArray
from scipy.sparse import csr_matrix, vstack

from antinomy.link.knn import DECIMALS

logging.getLogger("bm25s").setLevel(logging.WARNING)  # importing it sets DEBUG

#: A text with more words than this, without stop words, counts as long.
_LONG = 100
#: Cells in a block of dense scores; bounds memory to 8 bytes times this.
_CELLS = 20_000_000


class Lexicon(NamedTuple):
    """Texts as bags of stemmed words; both matrices have shape (texts, vocabulary) and the same entries.

    Attributes:
        weights: BM25 weight of a word in a text, within the text's own collection.
        counts: how often the word occurs.
        lengths: words of each text, shape (texts,).
    """

    weights: csr_matrix
    counts: csr_matrix
    lengths: NDArray[np.float32]


def tokenize(texts: Sequence[str]) -> list[list[str]]:
    """Split texts into stemmed words without stop words."""
    found: list[list[str]] = bm25s.tokenize(
        list(texts), stopwords="en", stemmer=Stemmer.Stemmer("english"), return_ids=False, show_progress=False
    )
    return found


def bm25() -> bm25s.BM25:
    """Return a model of BM25 without texts: Lucene's variant, k1 = 1.5, b = 0.75."""
    return bm25s.BM25(method="lucene", k1=1.5, b=0.75)


def build(words: Sequence[Sequence[str]], collections: Sequence[str]) -> Lexicon:
    """Weigh the words of texts.

    Args:
        words: of each text, repeats included.
        collections: which collection each text belongs to; how rare a word is, and how long a text, is
            measured within its collection: what is common in one regime may be telling in another.

    Returns:
        The lexicon, weighted by ``bm25``.
    """
    vocabulary: dict[str, int] = {}
    ids = [[vocabulary.setdefault(word, len(vocabulary)) for word in text] for text in words]
    shape = max(len(vocabulary), 1)
    _, labels = np.unique(np.asarray(collections, dtype=str), return_inverse=True)
    order = np.argsort(labels, kind="stable")
    cuts = np.flatnonzero(np.diff(labels[order])) + 1
    parts = [_weights([ids[i] for i in part], vocabulary, shape) for part in np.split(order, cuts)]
    weights = vstack(parts, format="csr")[np.argsort(order)]
    weights.sort_indices()
    lengths = [len(text) for text in ids]
    flat = np.fromiter((i for text in ids for i in text), dtype=np.int64, count=sum(lengths))
    rows = np.repeat(np.arange(len(ids)), lengths)
    counts = csr_matrix((np.ones(len(flat), dtype=np.float32), (rows, flat)), shape=(len(ids), shape))
    counts.sum_duplicates()
    return Lexicon(weights, counts, np.array(lengths, dtype=np.float32))


def _weights(ids: list[list[int]], vocabulary: dict[str, int], width: int) -> csr_matrix:
    if not any(ids):
        return csr_matrix((len(ids), width), dtype=np.float32)
    model = bm25()
    model.index(Tokenized(ids=ids, vocab=vocabulary), create_empty_token=False, show_progress=False)
    by_word = model.scores
    # bm25s keeps its weights by column: for each word the texts that hold it.
    indptr = np.append(by_word["indptr"], by_word["indptr"][-1:].repeat(width + 1 - len(by_word["indptr"])))
    transposed = csr_matrix((by_word["data"], by_word["indices"], indptr), shape=(width, len(ids)))
    return transposed.T.tocsr()


def scores(lexicon: Lexicon, queries: NDArray[np.int64], base: NDArray[np.int64] | slice) -> NDArray[np.float64]:
    """Score texts against query texts.

    The score is the geometric mean of BM25 with either text as the query, so that a word has to be rare on both sides,
    and the shorter text is not favoured. Where the other text is the query and has more than ``_LONG`` words, its score
    is scaled down; else the longest texts of a document would match everything.

    Args:
        lexicon: of all texts.
        queries: rows of the query texts.
        base: rows.

    Returns:
        Shape (queries, base), rounded.
    """
    weights, counts, lengths = lexicon
    forward = (counts[queries] @ weights[base].T).toarray().astype(np.float64)
    backward = (weights[queries] @ counts[base].T).toarray().astype(np.float64)
    backward /= np.maximum(lengths[base].astype(np.float64) / _LONG, 1.0)
    product: NDArray[np.float64] = np.sqrt(forward * backward).round(DECIMALS - 2)
    return product


def top_k(
    lexicon: Lexicon, queries: NDArray[np.int64], start: int, stop: int, k: int
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]:
    """Find the k best texts of the rows ``start`` to ``stop`` for each query.

    Returns:
        Query rows, base rows and scores, three arrays of one length: per query at most k, those with a score
        above 0, ties broken by row.
    """
    found: list[tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]] = []
    if stop <= start:
        return np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0)
    step = max(1, _CELLS // (stop - start))
    for at in range(0, len(queries), step):
        block = queries[at : at + step]
        table = scores(lexicon, block, slice(start, stop))
        for query, line in zip(block, table, strict=True):
            best = _top_positions(line, k)
            found.append((np.full(len(best), query), best + start, line[best]))
    return (
        np.concatenate([q for q, _, _ in found] or [np.empty(0, np.int64)]),
        np.concatenate([b for _, b, _ in found] or [np.empty(0, np.int64)]),
        np.concatenate([s for _, _, s in found] or [np.empty(0)]),
    )


def _top_positions(line: NDArray[np.float64], k: int) -> NDArray[np.int64]:
    """Return the positions of the k greatest values above 0, by (-value, position)."""
    if k < len(line):
        cut = max(float(np.partition(line, len(line) - k)[len(line) - k]), np.finfo(float).tiny)
        kept = np.flatnonzero(line >= cut)
    else:
        kept = np.flatnonzero(line > 0)
    return kept[np.lexsort((kept, -line[kept]))][:k]
