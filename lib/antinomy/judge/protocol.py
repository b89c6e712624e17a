"""The judging protocol: what goes into a judge and what every judge gives back, whatever its backend."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

#: A pair is related from this probability of any relation on, even if "none" is likelier than any single relation.
RELATED = 0.5


@dataclass(frozen=True, slots=True)
class Provision:
    """One side of a pair.

    Attributes:
        section_id: the section judged.
        unit_id: the unit (the section or a piece of it) whose text is judged.
        label: how a lawyer cites it.
        text: the unit's own text with its list items; evidence quotes come from here only.
        context: heading path, definitions used, cited text; may be "".
        sha256: hash of text and context together.
        clause_vectors: vectors of the clauses (``embed.clauses``) that the embed stage made, of shape (clauses, dim);
            None where there are none.
        facts: facts that a served model found in the text, one per line; None if no model was asked.
    """

    section_id: str
    unit_id: str
    label: str
    text: str
    context: str
    sha256: str
    clause_vectors: NDArray[np.float32] | None = field(default=None, compare=False, repr=False)
    facts: str | None = None


#: Rank of a provision that is not among the other's candidates; greater than any.
NO_RANK = 1_000_000
#: Places of a candidate, from 1: how near its provisions are among each other's candidates. For each place the worst
#: that the better and the worse of their two ranks may be: each other's first, first of one, among the first five of
#: one. All others have the last place.
PLACES = ((1, 1), (1, NO_RANK), (5, NO_RANK))
LAST_PLACE = len(PLACES) + 1


def place_of(rank_left: int | None, rank_right: int | None) -> int:
    """Return the place of a candidate from the ranks of its provisions among each other's candidates, None for none."""
    better, worse = sorted((rank_left or NO_RANK, rank_right or NO_RANK))
    return next((n for n, (b, w) in enumerate(PLACES, start=1) if better <= b and worse <= w), LAST_PLACE)


@dataclass(frozen=True, slots=True)
class Pair:
    """A candidate pair.

    Attributes:
        pair_key: hash of both provisions' hashes in their left/right order, and of their facts where the judge reads
            these.
        left, right: the provisions.
        place: see ``PLACES``; None if no run proposed the pair.
        cached_logits: ``Verdict.logits`` of an earlier verdict on these texts, () if there is none.
    """

    pair_key: str
    left: Provision
    right: Provision
    place: int | None = field(default=None, compare=False)
    cached_logits: tuple[float, ...] = field(default=(), compare=False)


@dataclass(frozen=True, slots=True)
class Verdict:
    """A judge's answer on one pair; every pair gets exactly one.

    Attributes:
        pair_key: of the pair judged.
        status: ``ok``; ``unverified`` (a quote is not in its text); ``error`` (no readable verdict; the reason is in
            ``error``).
        relation: a ``Relation``, None in error.
        kind: a ``Kind`` for conflict, stricter and definition, else None.
        governs: ``left`` or ``right`` for stricter: the side whose observance satisfies both; else None.
        p_conflict: probability that the relation is conflict, in [0, 1]; None in error.
        p_related: probability that both are about the same duty or term, that is of any relation but none; None where
            the judge gives no probabilities.
        p_relation: probability of ``relation``, for stricter with the side that governs; None likewise.
        evidence_left: verbatim quote from the left text, "" if none.
        evidence_right: verbatim quote from the right text, "" if none.
        evidence_verified: both quotes were found in their texts.
        order_consistent: both orders gave the same relation; None when one order was asked.
        label_mass: probability that the model gave to the labels asked for, before they were renormalised;
            None for judges without labels. A low mass means that the model did not understand the question.
        rationale: one sentence for an analyst.
        input_tokens, cached_tokens, output_tokens: counted by the server; 0 for judges without tokens.
        calls: requests made for this pair.
        explain_calls, explain_tokens: requests that asked for an explanation, and their tokens, input and output
            together; 0 where the screen settled the pair.
        latency_ms: wall time spent on this pair.
        error: reason, "" unless status is error; starts with a stable code and a colon ("timeout: …").
        logits: of the cross-encoder for ``fitted.decision.CLASSES``, in the first order of the texts, then in the other
            if that was read too; () for a judge without one and for a pair that it did not read.
    """

    pair_key: str
    status: str
    relation: str | None = None
    kind: str | None = None
    governs: str | None = None
    p_conflict: float | None = None
    evidence_left: str = ""
    evidence_right: str = ""
    evidence_verified: bool = False
    order_consistent: bool | None = None
    rationale: str = ""
    input_tokens: int = 0
    cached_tokens: int = 0
    output_tokens: int = 0
    calls: int = 0
    latency_ms: float = 0.0
    error: str = ""
    label_mass: float | None = None
    explain_calls: int = 0
    explain_tokens: int = 0
    p_related: float | None = None
    p_relation: float | None = None
    logits: tuple[float, ...] = ()


class Shares(Protocol):
    """Estimated shares of the relations among pairs, over all and by place (``by_place``)."""

    expected: dict[str, float]
    by_place: tuple[dict[str, float], ...]

    def as_dict(self) -> dict[str, Any]:
        """Return it as plain values, for a manifest and a page."""
        ...


class Judge(Protocol):
    """A backend. It is built once, shipped to the workers (so it can be pickled), and gives one verdict per pair.

    Attributes:
        name: ``default``, ``nli``, ``openai``.
        model: model name, or the code version of a judge without a model.
        prompt_sha256: hash of everything besides the texts and the model that decides the verdict
            (prompt file, rules, thresholds): a verdict is re-used only where it is equal.
    """

    name: str
    model: str
    prompt_sha256: str

    def judge(self, pairs: Iterable[Pair]) -> Iterator[Verdict]:
        """Yield one verdict per pair, in any order, as they come."""
        ...

    def for_task(self, tasks: int, index: int) -> Judge:
        """Return the judge for task ``index`` of ``tasks``: what may be spent is divided between them."""
        ...


@runtime_checkable
class ReadsVectors(Protocol):
    """A judge that reads the vectors of clauses; where a provision has none, it encodes the clauses itself.

    Attributes:
        encoder: revision of the packaged model whose vectors it reads, see ``embed.encoder.model_revision``.
    """

    encoder: str


@runtime_checkable
class ReadsHeadings(Protocol):
    """A judge that reads only the first lines of a provision's context, so that no verdict depends on the rest.

    Attributes:
        context_lines: their number.
    """

    context_lines: int


@runtime_checkable
class ReadsPlaces(Protocol):
    """A judge whose verdict on two texts may depend on their place among the candidates.

    Attributes:
        depends_on_place: whether it does.
    """

    depends_on_place: bool


#: Documents (doc_ids) on the left and on the right → word of the left one → what the right one calls the same thing.
WordPairs = Mapping[tuple[str, str], Mapping[str, str]]


@runtime_checkable
class ReadsWordPairs(Protocol):
    """A judge that reads a provision in the words of the other document."""

    def use_word_pairs(self, words: WordPairs) -> None:
        """Use these words from now on; ``prompt_sha256`` changes with them."""
        ...


@runtime_checkable
class CachesLogits(Protocol):
    """A judge whose verdicts rest on logits that take long to compute and on shares that other pairs decide.

    The logits are cached with the verdict (``Verdict.logits``). Where only the shares have changed since, the pair
    comes with them (``Pair.cached_logits``).

    Attributes:
        logits_sha256: hash of everything besides the texts that decides the logits.
    """

    logits_sha256: str


@runtime_checkable
class Adaptive(Protocol):
    """A judge that estimates from the pairs how frequent each relation is, and whose verdicts depend on that.

    Attributes:
        adapts: whether it estimates; False where the settings name a share.
    """

    adapts: bool

    def probabilities(self, pairs: Iterable[Pair]) -> Iterator[dict[str, float]]:
        """Yield for each pair the probabilities that ``estimate`` takes."""
        ...

    def estimate(self, probabilities: list[dict[str, float]]) -> Shares:
        """Estimate the shares of the relations among pairs."""
        ...

    def use_shares(self, shares: Shares) -> None:
        """Expect these shares from now on; ``prompt_sha256`` changes with them."""
        ...
