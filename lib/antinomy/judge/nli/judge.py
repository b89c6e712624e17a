"""The judge ``nli``: natural-language inference between two provisions, clause by clause."""

from __future__ import annotations

import hashlib
import logging
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from antinomy.embed.encoder import model_revision, task_device
from antinomy.judge.evidence import quote
from antinomy.judge.fitted.texts import Spans, Text, TextCache, revision
from antinomy.judge.nli.model import label_columns, worker_model
from antinomy.judge.protocol import Pair, Verdict
from antinomy.judge.rules.clauses import ClausePair, pair_clauses
from antinomy.judge.rules.comparison import Comparison, compare_modalities
from antinomy.norms import Norm, extract
from antinomy.norms.definitions import common_term
from antinomy.run import fingerprints
from antinomy.settings.nli import NliSettings

if TYPE_CHECKING:
    from numpy.typing import NDArray

log = logging.getLogger("antinomy")

#: Code and lexicons that decide a verdict, besides the model.
_CODE = (
    "antinomy.judge.nli", "antinomy.judge.rules", "antinomy.judge.fitted.texts", "antinomy.judge.evidence",
    "antinomy.norms", "antinomy.text", "antinomy.embed.clauses",
)  # fmt: skip
#: Number of pairs whose clauses the model reads in one batch.
_BATCH_PAIRS = 32
#: Number of aligned clauses of two provisions that the model reads, the nearest first.
_CLAUSE_PAIRS = 3
#: Least probability from which on an answer of the model counts.
_MIN_PROBABILITY = 0.5
#: Least confidence from which on a comparison of quantities decides.
_MIN_CONFIDENCE = 0.8
_RATIONALES = {
    "conflict": "the model finds that one contradicts the other",
    "stricter": "the model finds that the {governs} one says all that the other says, and more",
    "overlap": "the model finds that each follows from the other, or one from the other without a further demand",
    "definition": "both define one term, and neither meaning follows from the other",
    "none": "the model finds that neither says anything of the other",
}


@dataclass(frozen=True)
class _ClauseScores:
    """The model's answers on two aligned clauses.

    Attributes:
        left, right: offsets of the clauses.
        forward, backward: probabilities of ``model.LABELS`` with the left clause as the premise, and with the right.
    """

    left: tuple[int, int]
    right: tuple[int, int]
    forward: NDArray[np.float32]
    backward: NDArray[np.float32]

    @property
    def contradiction(self) -> float:
        """Probability of a contradiction, the mean of both directions since contradiction is symmetric."""
        return float(self.forward[0] + self.backward[0]) / 2

    @property
    def related(self) -> float:
        """Probability that the clauses are not neutral, the greater one of both directions."""
        return 1 - float(min(self.forward[2], self.backward[2]))


class NliJudge:
    """Judges pairs by a model of natural-language inference.

    Contradiction makes a conflict. Entailment in both directions makes an overlap. Entailment in one direction makes a
    stricter rule if both clauses demand something, else an overlap. Neutral in both directions makes ``none``.
    Quantities that can be compared decide between conflict and stricter, because such models take "within 24 hours" to
    contradict "within 72 hours".

    Attributes:
        name, model, prompt_sha256: as in ``Judge``.
        context_lines: as in ``ReadsHeadings``.
        encoder: as in ``ReadsVectors``; clauses are aligned by the vectors of the packaged model.
    """

    name = "nli"
    context_lines = 0

    def __init__(self, settings: NliSettings) -> None:
        """Check that the model is one of natural-language inference; it is loaded on the workers.

        Raises:
            EnvironmentFault: if it cannot be loaded.
            JudgeError: if it has other labels.
        """
        label_columns(settings.model, settings.revision)
        self._settings = settings
        self.encoder = revision()
        self.model = f"{Path(settings.model).name} {model_revision(settings.model, settings.revision)}"
        deciding_settings = settings.model_dump_json(include={"max_tokens", "near"})
        code = fingerprints.of_module("antinomy.judge.nli.judge", *_CODE)
        self.prompt_sha256 = hashlib.sha256(f"{code} {self.encoder} {deciding_settings}".encode()).hexdigest()

    def for_task(self, tasks: int, index: int) -> NliJudge:
        """Return itself: it has no budget to divide."""
        return self

    def judge(self, pairs: Iterable[Pair]) -> Iterator[Verdict]:
        """Yield one verdict per pair, in the order of the pairs; an exception becomes the error of its pair."""
        cache = TextCache()
        rest = iter(pairs)
        while batch := list(islice(rest, _BATCH_PAIRS)):
            began = time.perf_counter()
            texts = cache.get(p for pair in batch for p in (pair.left, pair.right))
            failed: dict[str, Verdict] = {}
            spans: dict[str, list[Spans]] = {}
            for pair in batch:
                try:
                    spans[pair.pair_key] = self._align(texts[pair.left.text], texts[pair.right.text])
                except Exception as fault:  # one bad pair must not lose the others; the reason is kept in its row
                    failed[pair.pair_key] = self._error(pair, fault)
            aligned = self._score_clauses([pair for pair in batch if pair.pair_key in spans], spans)
            latency_ms = (time.perf_counter() - began) * 1000 / len(batch)
            for pair in batch:
                try:
                    found = failed.get(pair.pair_key) or verdict(pair, aligned[pair.pair_key])
                except Exception as fault:  # as above: this step reads the norms of both texts
                    found = self._error(pair, fault)
                yield replace(found, latency_ms=latency_ms)

    def _error(self, pair: Pair, fault: Exception) -> Verdict:
        """Log an exception that is being handled, and return the verdict that says why there is none."""
        log.exception("pair %s cannot be judged", pair.pair_key)
        return Verdict(pair.pair_key, "error", error=f"{self.name}_failed: {type(fault).__name__}: {fault}")

    def _align(self, left: Text, right: Text) -> list[Spans]:
        """Align each clause with the most similar one of the other side; return offsets, the most similar first."""
        cosines = left.clause_vectors @ right.clause_vectors.T
        nearest = {(i, int(cosines[i].argmax())) for i in range(len(left.clause_spans))}
        nearest |= {(int(cosines[:, j].argmax()), j) for j in range(len(right.clause_spans))}
        ranked = sorted(nearest, key=lambda place: (-round(float(cosines[place]), 6), place))
        kept = [place for place in ranked if cosines[place] >= self._settings.near][:_CLAUSE_PAIRS]
        return [(left.clause_spans[i], right.clause_spans[j]) for i, j in kept]

    def _score_clauses(self, pairs: list[Pair], spans: dict[str, list[Spans]]) -> dict[str, list[_ClauseScores]]:
        """Return the model's answers on the aligned clauses of each pair, by the pair's key."""
        questions, places = [], []
        for pair in pairs:
            for left, right in spans[pair.pair_key]:
                a, b = pair.left.text[slice(*left)], pair.right.text[slice(*right)]
                questions += [(a, b), (b, a)]
                places.append((pair.pair_key, left, right))
        found: dict[str, list[_ClauseScores]] = {pair.pair_key: [] for pair in pairs}
        if questions:
            settings = self._settings
            device = task_device(settings.device)
            model = worker_model(settings.model, settings.revision, device, settings.max_tokens)
            rows = model.probabilities(questions, settings.batch_size)
            for (key, left, right), forward, backward in zip(places, rows[::2], rows[1::2], strict=True):
                found[key].append(_ClauseScores(left, right, forward, backward))
        return found


def verdict(pair: Pair, aligned: list[_ClauseScores]) -> Verdict:
    """Return the verdict on a pair by the answers on its aligned clauses, which are in order of similarity."""
    if not aligned:
        return Verdict(
            pair.pair_key, "ok", "none", p_conflict=0.0, p_related=0.0, order_consistent=True,
            rationale="No clause of the one is near a clause of the other.",
        )  # fmt: skip
    # The clauses with the surest answer decide, of equals the most similar.
    decisive = max(aligned, key=lambda a: max(a.contradiction, float(a.forward[1]), float(a.backward[1])))
    relation, governs, kind, probability = _relation(pair, decisive)
    reason = _RATIONALES[relation].format(governs=governs)
    quotes = quote(pair.left.text, decisive.left), quote(pair.right.text, decisive.right)
    conflict = decisive.contradiction
    if relation not in ("conflict", "none"):
        conflict = min(conflict, 1 - probability)
    return Verdict(
        pair_key=pair.pair_key,
        status="ok",
        relation=relation,
        kind=kind,
        governs=governs,
        p_conflict=round(conflict, 4),
        p_related=round(decisive.related, 4),
        p_relation=round(probability, 4),
        evidence_left=quotes[0],
        evidence_right=quotes[1],
        evidence_verified=bool(quotes[0] and quotes[1]),
        # Both directions count alike.
        order_consistent=True,
        rationale=f"{relation.capitalize()} ({min(probability, 0.99):.0%}): {reason}.",
    )


def _relation(pair: Pair, decisive: _ClauseScores) -> tuple[str, str | None, str | None, float]:
    """Return relation, side that governs, kind, and probability of the relation."""
    forward, backward = float(decisive.forward[1]), float(decisive.backward[1])
    contradiction, either = decisive.contradiction, max(forward, backward)
    both = min(forward, backward)
    if max(contradiction, either) >= _MIN_PROBABILITY:
        comparison = _compare_quantities(pair, decisive)
        if comparison is not None and comparison.relation in ("conflict", "stricter"):
            return comparison.relation, comparison.governs or None, comparison.kind, max(contradiction, either)
    if common_term(pair.left.text, pair.right.text) and both < _MIN_PROBABILITY:
        return "definition", None, "definition", 1 - both
    if contradiction >= _MIN_PROBABILITY:
        return "conflict", None, _kind_of_conflict(pair, decisive), contradiction
    if both >= _MIN_PROBABILITY:
        return "overlap", None, None, both
    if either >= _MIN_PROBABILITY:
        if _demands(pair.left.text, decisive.left) and _demands(pair.right.text, decisive.right):
            return "stricter", "left" if forward > backward else "right", "scope", either
        return "overlap", None, None, either
    return "none", None, None, max(0.0, 1 - max(contradiction, either))


def _norms(text: str, span: tuple[int, int]) -> list[Norm]:
    return [norm for norm in extract(text) if span[0] <= norm.start < span[1]]


def _demands(text: str, span: tuple[int, int]) -> bool:
    return any(
        norm.modality in ("must", "must_not") and norm.strength > _MIN_PROBABILITY for norm in _norms(text, span)
    )


def _clause_pairs(pair: Pair, decisive: _ClauseScores) -> list[ClausePair]:
    rows = pair_clauses(_norms(pair.left.text, decisive.left), _norms(pair.right.text, decisive.right))
    return [clauses for row in rows for clauses in row]


def _compare_quantities(pair: Pair, decisive: _ClauseScores) -> Comparison | None:
    """Return the comparison of the clauses' quantities if there is exactly one with enough confidence."""
    comparisons = [comparison for clauses in _clause_pairs(pair, decisive) for _, _, comparison in clauses.measures]
    found = [comparison for comparison in comparisons if comparison.confidence >= _MIN_CONFIDENCE]
    return found[0] if len(found) == 1 else None


def _kind_of_conflict(pair: Pair, decisive: _ClauseScores) -> str:
    """Return ``modality`` if the modalities of the clauses differ in strictness or conflict, else ``procedure``."""
    clause_pairs = _clause_pairs(pair, decisive)
    comparisons = (compare_modalities(clauses.left.modality, clauses.right.modality) for clauses in clause_pairs)
    return "modality" if any(comparisons) else "procedure"
