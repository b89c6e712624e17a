"""The judge ``nli``: natural-language inference between two provisions, clause by clause."""

from __future__ import annotations

import hashlib
import logging
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from antinomy.embed.encoder import model_revision, task_device
from antinomy.judge.evidence import quote
from antinomy.judge.fitted.texts import Text, Texts, revision
from antinomy.judge.nli.model import columns, worker_model
from antinomy.judge.protocol import Pair, Verdict
from antinomy.judge.rules.clauses import ClausePair, beside
from antinomy.judge.rules.typed import Typed, compare_forces
from antinomy.norms import Norm, extract
from antinomy.norms.definitions import common_term
from antinomy.run import fingerprints
from antinomy.settings.nli import NliSettings

if TYPE_CHECKING:
    from numpy.typing import NDArray

log = logging.getLogger("antinomy")

#: What decides a verdict besides the model: its code, its lexicon.
_CODE = (
    "antinomy.judge.nli", "antinomy.judge.rules", "antinomy.judge.fitted.texts", "antinomy.judge.evidence",
    "antinomy.norms", "antinomy.text", "antinomy.embed.clauses",
)  # fmt: skip
#: Pairs whose clauses are read together.
_TOGETHER = 32
#: The model's answer counts from this probability on.
_SAID = 0.5
#: A comparison of quantities is plain from this weight on.
_PLAIN = 0.8
_SAYS = {
    "conflict": "the model finds that one contradicts the other",
    "stricter": "the model finds that the {governs} one says all that the other says, and more",
    "overlap": "the model finds that each follows from the other, or one from the other without a further demand",
    "definition": "both define one term, and neither meaning follows from the other",
    "none": "the model finds that neither says anything of the other",
}


@dataclass(frozen=True)
class _Asked:
    """Two aligned clauses.

    Attributes:
        left, right: their offsets.
        ahead, back: probabilities of ``model.LABELS`` with the left clause as premise, and with the right.
    """

    left: tuple[int, int]
    right: tuple[int, int]
    ahead: NDArray[np.float32]
    back: NDArray[np.float32]

    @property
    def contradiction(self) -> float:
        """Mean of both ways: who contradicts is contradicted."""
        return float(self.ahead[0] + self.back[0]) / 2

    @property
    def related(self) -> float:
        """Probability that the clauses are related, i.e. not neutral: the greater of both ways."""
        return 1 - float(min(self.ahead[2], self.back[2]))


class NliJudge:
    """Judges pairs by a model of natural-language inference.

    Contradiction is a conflict; entailment both ways an overlap; entailment one way a stricter rule where both demand
    something, else an overlap; neutral both ways nothing. Where the two clauses name quantities that compare plainly,
    these decide between conflict and stricter: such models take "within 24 hours" to contradict "within 72 hours".

    Attributes:
        name, model, prompt_sha256: as in ``Judge``.
        context_lines: as in ``ReadsHeadings``.
        encoder: as in ``ReadsVectors``: clauses are aligned by the packaged model's vectors.
    """

    name = "nli"
    context_lines = 0

    def __init__(self, settings: NliSettings) -> None:
        """Check that the model is one of natural-language inference.

        Raises:
            EnvironmentFault: if it cannot be loaded.
            JudgeError: if its labels are others.
        """
        columns(settings.model, settings.revision)
        self._settings = settings
        self.encoder = revision()
        self.model = f"{Path(settings.model).name} {model_revision(settings.model, settings.revision)}"
        told = settings.model_dump_json(include={"max_tokens", "clauses", "near"})
        code = fingerprints.of_module("antinomy.judge.nli.judge", *_CODE)
        self.prompt_sha256 = hashlib.sha256(f"{code} {self.encoder} {told}".encode()).hexdigest()

    def for_task(self, tasks: int, index: int) -> NliJudge:
        """Return itself: there is nothing to divide."""
        return self

    def judge(self, pairs: Iterable[Pair]) -> Iterator[Verdict]:
        """Yield one verdict per pair, in the order of the pairs; what fails in one pair stays in its verdict."""
        texts = Texts()
        rest = iter(pairs)
        while chunk := list(islice(rest, _TOGETHER)):
            began = time.perf_counter()
            known = texts.of(p for pair in chunk for p in (pair.left, pair.right))
            faults: dict[str, str] = {}
            spans: dict[str, list[tuple[tuple[int, int], tuple[int, int]]]] = {}
            for pair in chunk:
                try:
                    spans[pair.pair_key] = self._aligned(known[pair.left.text], known[pair.right.text])
                except Exception as fault:  # one bad pair must not lose the others; the reason is kept in its row
                    log.exception("pair %s cannot be judged", pair.pair_key)
                    faults[pair.pair_key] = f"{self.name}_failed: {type(fault).__name__}: {fault}"
            asked = self._asked([pair for pair in chunk if pair.pair_key in spans], spans)
            each = (time.perf_counter() - began) * 1000 / len(chunk)
            for pair in chunk:
                if pair.pair_key in faults:
                    yield Verdict(pair.pair_key, "error", error=faults[pair.pair_key], latency_ms=each)
                else:
                    yield verdict(pair, asked[pair.pair_key], each)

    def _aligned(self, one: Text, two: Text) -> list[tuple[tuple[int, int], tuple[int, int]]]:
        """Return the offsets of the clauses to compare, each with its nearest one, the nearest pair first."""
        among = one.vectors @ two.vectors.T
        nearest = {(i, int(among[i].argmax())) for i in range(len(one.spans))}
        nearest |= {(int(among[:, j].argmax()), j) for j in range(len(two.spans))}
        ranked = sorted(nearest, key=lambda place: (-round(float(among[place]), 6), place))
        kept = [place for place in ranked if among[place] >= self._settings.near][: self._settings.clauses]
        return [(one.spans[i], two.spans[j]) for i, j in kept]

    def _asked(self, pairs: list[Pair], spans: dict[str, Any]) -> dict[str, list[_Asked]]:
        """Ask the model about the aligned clauses of pairs, both ways."""
        questions, places = [], []
        for pair in pairs:
            for left, right in spans[pair.pair_key]:
                a, b = pair.left.text[slice(*left)], pair.right.text[slice(*right)]
                questions += [(a, b), (b, a)]
                places.append((pair.pair_key, left, right))
        found: dict[str, list[_Asked]] = {pair.pair_key: [] for pair in pairs}
        if questions:
            settings = self._settings
            device = task_device(settings.device)
            model = worker_model(settings.model, settings.revision, device, settings.max_tokens)
            rows = model.probabilities(questions, settings.batch_size)
            for (key, left, right), ahead, back in zip(places, rows[::2], rows[1::2], strict=True):
                found[key].append(_Asked(left, right, ahead, back))
        return found


def verdict(pair: Pair, asked: list[_Asked], latency_ms: float) -> Verdict:
    """Make a verdict from the model's answers on a pair's aligned clauses."""
    if not asked:
        return Verdict(
            pair.pair_key, "ok", "none", p_conflict=0.0, p_related=0.0, order_consistent=True, latency_ms=latency_ms,
            rationale="No clause of the one is near a clause of the other.",
        )  # fmt: skip
    # The clauses that the model is surest of decide; of equals the nearest.
    told = max(asked, key=lambda a: max(a.contradiction, float(a.ahead[1]), float(a.back[1])))
    relation, governs, kind, chance = _relation(pair, told)
    quotes = quote(pair.left.text, told.left), quote(pair.right.text, told.right)
    conflict = told.contradiction if relation in ("conflict", "none") else min(told.contradiction, 1 - chance)
    return Verdict(
        pair_key=pair.pair_key,
        status="ok",
        relation=relation,
        kind=kind,
        governs=governs,
        p_conflict=round(conflict, 4),
        p_related=round(told.related, 4),
        p_relation=round(chance, 4),
        evidence_left=quotes[0],
        evidence_right=quotes[1],
        evidence_verified=bool(quotes[0] and quotes[1]),
        # Both ways are asked and weighed alike.
        order_consistent=True,
        rationale=f"{relation.capitalize()} ({min(chance, 0.99):.0%}): {_SAYS[relation].format(governs=governs)}.",
        latency_ms=latency_ms,
    )


def _relation(pair: Pair, told: _Asked) -> tuple[str, str | None, str | None, float]:
    """Return relation, who governs, kind, and the relation's probability."""
    ahead, back, contradiction = float(told.ahead[1]), float(told.back[1]), told.contradiction
    both = min(ahead, back)
    if contradiction >= _SAID or max(ahead, back) >= _SAID:
        typed = _typed(pair, told)
        if typed is not None and typed.relation in ("conflict", "stricter"):
            return typed.relation, typed.governs or None, typed.kind, max(contradiction, ahead, back)
    if common_term(pair.left.text, pair.right.text) and both < _SAID:
        return "definition", None, "definition", 1 - both
    if contradiction >= _SAID:
        return "conflict", None, _kind(pair, told), contradiction
    if both >= _SAID:
        return "overlap", None, None, both
    if max(ahead, back) >= _SAID:
        if _demands(pair.left.text, told.left) and _demands(pair.right.text, told.right):
            return "stricter", "left" if ahead > back else "right", "scope", max(ahead, back)
        return "overlap", None, None, max(ahead, back)
    return "none", None, None, max(0.0, 1 - max(contradiction, ahead, back))


def _norms(text: str, span: tuple[int, int]) -> list[Norm]:
    return [norm for norm in extract(text) if span[0] <= norm.start < span[1]]


def _demands(text: str, span: tuple[int, int]) -> bool:
    return any(norm.modality in ("must", "must_not") and norm.strength > _SAID for norm in _norms(text, span))


def _clauses(pair: Pair, told: _Asked) -> list[ClausePair]:
    rows = beside(_norms(pair.left.text, told.left), _norms(pair.right.text, told.right))
    return [both for row in rows for both in row]


def _typed(pair: Pair, told: _Asked) -> Typed | None:
    """Return the comparison of the clauses' quantities, if there is a single one and it is plain."""
    found = [typed for both in _clauses(pair, told) for _, _, typed in both.measures if typed.weight >= _PLAIN]
    return found[0] if len(found) == 1 else None


def _kind(pair: Pair, told: _Asked) -> str:
    """Return the kind of a conflict: modality where one clause forbids what the other demands, else procedure."""
    forces = (compare_forces(both.left.modality, both.right.modality) for both in _clauses(pair, told))
    return "modality" if any(forces) else "procedure"
