"""Search by meaning: the link stage's channels with a question instead of a provision, then the graph."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from antinomy.ask.corpus import Corpus, Unit
from antinomy.ask.subject import TopicIndex
from antinomy.embed.units import nearest_heading
from antinomy.link import fusion

if TYPE_CHECKING:
    import pyarrow as pa

#: Gives the vector of a text, shape (dim,), unit length.
Encode = Callable[[str], NDArray[np.float32]]

#: Ways to search, for comparison: all channels and the graph; vectors alone; words and edges without vectors.
MODES = ("hybrid", "vector", "graph")
#: Weight of a provision's nearness to the best passage of another regime, in standard deviations.
CONDITIONED = 1.0
#: Passages of the first regime on which the search in the others is conditioned.
_FIRST = 2


@dataclass(frozen=True)
class Hit:
    """A section on the question's topic.

    Attributes:
        section_id: of it.
        unit: its piece that fits best.
        score: fused, in standard deviations above the mean section.
        cosine: of its nearest text or clause with the question; nan without vectors.
        coverage: share of the question's words that it covers.
        because: how it was found.
    """

    section_id: str
    unit: Unit
    score: float
    cosine: float
    coverage: float
    because: str


class Search:
    """All units as vectors and words.

    Args:
        corpus: of the units.
        encode: the model that made their vectors.
    """

    def __init__(self, corpus: Corpus, encode: Encode) -> None:
        self._corpus = corpus
        self.encode = encode
        self._units = [unit for unit in corpus.units if unit.unit_text.strip()]
        self._texts = [f"{nearest_heading(unit.heading_path)} {unit.unit_text}" for unit in self._units]

    @cached_property
    def topic_index(self) -> TopicIndex:
        """The words of all units."""
        return TopicIndex(self._texts)

    @cached_property
    def _vectors(self) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.int64]]:
        """Vectors of the units (zero where there is none), of their clauses, and the unit of each clause."""
        import pyarrow.compute as pc

        table = self._corpus.arrow("embeddings", ("text_sha256", "dim", "vector", "clause_vectors"))
        dim = table["dim"][0].as_py() if len(table) else 1
        row_of = {name: number for number, name in enumerate(table["text_sha256"].to_pylist())}
        # By column: a row at a time would take as long as all else that is read. The last row is for units without.
        own = np.vstack([_rows(table["vector"], dim), np.zeros((1, dim), np.float32)])
        parts = _rows(table["clause_vectors"], dim)
        counts = [(length or 0) // dim for length in pc.list_value_length(table["clause_vectors"]).to_pylist()]
        cuts = np.concatenate([[0], np.cumsum([*counts, 0])])
        units = [row_of.get(unit.text_sha256, len(table)) for unit in self._units]
        of_clause = [parts[cuts[n] : cuts[n + 1]] for n in units]
        return (
            own[units],
            np.concatenate(of_clause),
            np.repeat(np.arange(len(units)), [len(rows) for rows in of_clause]),
        )

    @cached_property
    def _bm25(self) -> object:
        from antinomy.link import lexical

        model = lexical.bm25()
        model.index(lexical.tokenize(self._texts), show_progress=False)
        return model

    def _coverage_and_bm25(self, question: str) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return for each unit how much of the question it covers, and its BM25."""
        coverage = np.array([self.topic_index.coverage(question, text) for text in self._texts])
        return coverage, self._bm25_scores(question)

    def _bm25_scores(self, question: str) -> NDArray[np.float64]:
        from antinomy.link import lexical

        words = lexical.tokenize([question])[0]
        known = [word for word in words if word in self._bm25.vocab_dict]  # type: ignore[attr-defined]
        if not known:
            return np.zeros(len(self._units))
        scores: NDArray[np.float64] = self._bm25.get_scores(known).astype(np.float64)  # type: ignore[attr-defined]
        return scores

    def rank(
        self, question: str, mode: str = "hybrid", among: Sequence[str] = (), conditioned: float = CONDITIONED
    ) -> list[Hit]:
        """Rank sections for a question.

        The regime with the best passage comes first, and its passages condition the search in the others: their
        provisions rank higher if edges SIMILAR_TO lead to them from there. The ranking takes one section of each regime
        in turn.

        Args:
            question: in words.
            mode: one of MODES.
            among: regimes, all if empty.
            conditioned: see ``CONDITIONED``.

        Returns:
            All sections of those regimes, the best first.
        """
        if not self._units:
            return []
        with ThreadPoolExecutor(1) as pool:
            # In another thread, while the words are looked up in this one.
            vector = None if mode == "graph" else pool.submit(self.encode, question)
            coverage, words = self._coverage_and_bm25(question)
            stored = None if mode == "graph" else self._vectors
        channels: list[tuple[NDArray[np.float64], float]] = []
        cosine = np.full(len(self._units), np.nan)
        if vector is not None and stored is not None:
            own, clauses = _cosines(vector.result(), *stored)
            cosine = np.maximum(own, clauses)
            channels += [(own, fusion.WEIGHTS["own"]), (clauses, fusion.WEIGHTS["clauses"])]
        if mode != "vector":
            channels += [(words, fusion.WEIGHTS["lexical"]), (coverage, fusion.WEIGHTS["lexical"])]
        # A single query, to which all candidates belong.
        queries = np.zeros(len(self._units), dtype=np.int64)
        lines, weights = np.stack([line for line, _ in channels]), np.array([weight for _, weight in channels])
        fused = fusion.standardised_sum(queries, lines, weights)
        best: dict[str, int] = {}
        for number in np.argsort(-fused, kind="stable"):
            best.setdefault(self._units[number].section_id, int(number))
        hits = [
            Hit(name, self._units[n], float(fused[n]), float(cosine[n]), float(coverage[n]), _channels_of(mode))
            for name, n in best.items()
            if not among or self._units[n].regime in among
        ]
        if mode != "vector" and conditioned:
            hits = self._conditioned(hits, conditioned)
        return _interleave_regimes(hits)

    def _conditioned(self, hits: list[Hit], weight: float) -> list[Hit]:
        if not hits:
            return hits
        first = hits[0].unit.regime
        leading = [hit for hit in hits if hit.unit.regime == first][:_FIRST]
        near: dict[str, tuple[float, str]] = {}
        for rank, hit in enumerate(leading):
            for other, score in self._corpus.similar.get(hit.section_id, {}).items():
                # The second passage counts for half of the first.
                if score / (1 + rank) > near.get(other, (0.0, ""))[0]:
                    near[other] = (score / (1 + rank), hit.section_id)
        if not near:
            return hits
        values = np.array([score for score, _ in near.values()])
        scale = 4 * weight / max(float(values.max()), 1e-9)
        moved = []
        for hit in hits:
            score, source = near.get(hit.section_id, (0.0, ""))
            if source and hit.unit.regime != first:
                label = self._corpus.sections[source].label
                hit = Hit(
                    hit.section_id, hit.unit, hit.score + scale * score, hit.cosine, hit.coverage,
                    f"{hit.because}; similar to {label}",
                )  # fmt: skip
            moved.append(hit)
        return sorted(moved, key=lambda hit: -hit.score)


def _rows(column: pa.ChunkedArray, dim: int) -> NDArray[np.float32]:
    """Return a column of lists of numbers as rows of one length."""
    flat = column.combine_chunks().flatten().to_numpy(zero_copy_only=False)
    rows: NDArray[np.float32] = flat.astype(np.float32).reshape(-1, dim)
    return rows


def _cosines(
    asked: NDArray[np.float32], own: NDArray[np.float32], clauses: NDArray[np.float32], of_clause: NDArray[np.int64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return for each unit the cosines of its text, and of its nearest clause, with a question."""
    of_units = (own @ asked).astype(np.float64)
    of_clauses = of_units.copy()
    if len(clauses):
        np.maximum.at(of_clauses, of_clause, (clauses @ asked).astype(np.float64))
    return of_units, of_clauses


def _channels_of(mode: str) -> str:
    return {"hybrid": "vectors and words", "vector": "vectors", "graph": "words"}[mode]


def _interleave_regimes(hits: list[Hit]) -> list[Hit]:
    """Interleave the regimes' hits, starting with the regime of the best one."""
    by_regime: dict[str, list[Hit]] = {}
    for hit in hits:
        by_regime.setdefault(hit.unit.regime, []).append(hit)
    turns = []
    for rank in range(max((len(own) for own in by_regime.values()), default=0)):
        turns += [own[rank] for own in by_regime.values() if rank < len(own)]
    return turns
