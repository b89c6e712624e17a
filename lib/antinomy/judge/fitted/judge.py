"""The judge ``default``: needs no server and no GPU.

If two provisions have nearly the same wording, their differences decide (``edits``). Two definitions of one term have
features and a model of their own. All other pairs are described by features (``features``), from which a fitted network
computes the probabilities of the relations, at the shares expected among the candidates (``prior``). If that makes a
relation possible, a cross-encoder reads both provisions, and both opinions are pooled.
"""

from __future__ import annotations

import hashlib
import logging
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources
from itertools import islice
from pathlib import Path

from antinomy import section_ids
from antinomy.embed.units import nearest_heading
from antinomy.errors import EnvironmentFault
from antinomy.judge.evidence import quote
from antinomy.judge.fitted import cross_encoder, prior, word_pairs
from antinomy.judge.fitted.decision import Decision, load
from antinomy.judge.fitted.edits import Difference
from antinomy.judge.fitted.features import describe, describe_definitions
from antinomy.judge.fitted.provision_pair import ProvisionPair
from antinomy.judge.fitted.rationale import Basis, difference_rationale, find_basis, rationale
from antinomy.judge.fitted.texts import Spans, Text, TextCache, revision
from antinomy.judge.protocol import LAST_PLACE, RELATED, Pair, Provision, Shares, Verdict, WordPairs
from antinomy.judge.rules.values import told_by_values
from antinomy.run import base_model, fingerprints
from antinomy.store import storage

log = logging.getLogger("antinomy")

#: File of the weights in their folder.
FILE = "default.json"
#: Number of pairs whose texts are encoded in one batch.
_BATCH_PAIRS = 64
#: Least probability of any relation, by the features alone, from which on the cross-encoder reads a pair. It takes a
#: thousand times as long as the features do, and most candidates are unrelated. On thirteen pairs of invented
#: regulations it reads 22 % of the candidates; from .08 on 15 %, and two fewer conflicts in a hundred are found.
_MIN_RELATED = 0.05
#: Last place of a candidate that the cross-encoder reads whatever the features say: the first candidate of either side.
#: Of 232 related pairs of ten invented regulations 23 were not read before, and it recognises half of them; it reads
#: 4 % more pairs.
_ALWAYS_READ = 2
#: Probability of a conflict, by the features alone, from which on they decide, unless the cross-encoder finds the two
#: unrelated. They are seldom so sure, and then since two values exclude each other, which the cross-encoder sometimes
#: overlooks. In the same regulations all eight are conflicts.
_SURE_CONFLICT = 0.9
#: Weight of the cross-encoder's opinion against that of the networks. On the same pairs weights between 0.8 and 1 find
#: as many conflicts; the claims are right most often at 0.8.
_CROSS_ENCODER_WEIGHT = 0.8
#: Least probability of a conflict or a stricter rule from which on the cross-encoder reads a pair in both orders. These
#: pairs are few. On nine pairs of invented regulations 77 of 97 claims of a conflict are right, instead of 77 of 103.
_MIN_POSSIBLE = 0.1
#: Probability that the interpretation of a difference between nearly equal texts is right, by the reason of the
#: difference: (right + 1) / (all + 2) over the packaged pairs and the cases of behaviour (quantities 43 of 46 right,
#: negations 123 of 123, modalities 4 of 4, equal texts 280 of 280, parties none). It does not depend on the shares
#: among the candidates: that most of them are unrelated says nothing about two texts with the same words.
DIFFERENCE_PRECISION = {
    "measure": 0.92, "negation": 0.99, "modality": 0.83, "equal": 0.99, "further": 0.99, "party": 0.5,
}  # fmt: skip
#: Code and lexicons that decide a verdict, besides the weights.
_CODE = (
    "antinomy.judge.fitted", "antinomy.judge.rules", "antinomy.judge.evidence", "antinomy.norms", "antinomy.text",
    "antinomy.embed.clauses",
)  # fmt: skip
#: Least probability with which a conflict is claimed, below one half as a possible one; on twelve pairs of invented
#: regulations 107 of 145 claims are right, from 0.5 on 98 of 118. Least probability of a stricter rule of one side: 103
#: of 125.
_MIN_CONFLICT, _MIN_STRICTER = 0.35, 0.5
#: The two sides of a stricter rule among CLASSES, and both together.
_SIDES, _STRICTER = ("stricter_left", "stricter_right"), "stricter"


def weights_folder() -> Path:
    """Return the folder of the packaged weights."""
    return Path(str(resources.files("antinomy.judge.fitted"))) / "weights"


@cache
def _text_cache() -> TextCache:
    """Return this process's cache of texts: the encoder is loaded once, however many judges a worker runs."""
    return TextCache()


@dataclass(frozen=True)
class _Decided:
    """What is decided about a pair, before it becomes a ``Verdict``; the fields have the same meaning there."""

    relation: str
    governs: str | None
    kind: str | None
    p_relation: float
    p_conflict: float
    p_related: float
    evidence: Spans
    rationale: str
    logits: tuple[float, ...] = ()


class FittedJudge:
    """Judges pairs by their wording, with fitted models.

    Attributes:
        name, model, prompt_sha256: as in ``Judge``.
        adapts: as in ``Adaptive``.
        context_lines: as in ``ReadsHeadings``: headings show whether a glossary defines a term.
        encoder: as in ``ReadsVectors``.
        shares: expected shares of the relations among the pairs, by place.
        words: as in ``ReadsWordPairs``.
        logits_sha256: as in ``CachesLogits``.
    """

    name = "default"
    context_lines = 1

    def __init__(self, folder: str = "", conflicts: float | None = None) -> None:
        """Load the decision.

        Args:
            folder: weights as ``antinomy train`` writes them: a path that every worker sees or a URI; "" for the
                packaged ones.
            conflicts: share of conflicts expected among the pairs; None for the share in the training data.

        Raises:
            EnvironmentFault: if the weights are damaged, of another program, or were fitted on another encoder.
        """
        path = storage.join(folder or str(weights_folder()), FILE)
        self._decision: Decision = load(path)
        provenance = self._decision.provenance
        encoder = revision()
        if provenance["encoder"] != encoder:
            raise EnvironmentFault(
                f"{path} was fitted on {provenance['encoder']}, but {encoder} is installed: install the first, or run "
                "`antinomy train`"
            )
        self._folder = folder
        shares = self._decision.shares
        self.adapts = conflicts is None
        self.shares = prior.same_in_all_places(
            shares if conflicts is None else prior.shares_with_conflicts(shares, conflicts)
        )
        self.words: WordPairs = {}
        self._adapter_sha256 = hashlib.sha256(cross_encoder.adapter_file(folder)).hexdigest()
        base_model.installed_folder()  # raises on the driver what each worker would raise
        self.encoder = encoder
        self.model = f"{encoder} {base_model.REVISION} {self._decision.sha256[:12]}"
        self._update_identity()

    @property
    def depends_on_place(self) -> bool:
        """As in ``ReadsPlaces``: where few candidates were seen, the same is expected of all of them."""
        return any(shares != self.shares[0] for shares in self.shares)

    def _update_identity(self) -> None:
        code = fingerprints.of_module("antinomy.judge.fitted.judge", *_CODE)
        weights = f"{self._decision.sha256} {base_model.REVISION} {self._adapter_sha256}"
        words = sorted((names, sorted(pairs.items())) for names, pairs in self.words.items())
        self.logits_sha256 = hashlib.sha256(f"{code} {weights} {words}".encode()).hexdigest()
        shares = [sorted(of_group.items()) for of_group in self.shares]
        self.prompt_sha256 = hashlib.sha256(f"{self.logits_sha256} {shares}".encode()).hexdigest()

    def for_task(self, tasks: int, index: int) -> FittedJudge:
        """Return itself: it has no budget to divide."""
        return self

    def use_shares(self, shares: Shares) -> None:
        """Expect these shares of the relations from now on."""
        self.shares = shares.by_place
        self._update_identity()

    def use_word_pairs(self, words: WordPairs) -> None:
        """Let the cross-encoder read left provisions in the words of the right document from now on."""
        self.words = words
        self._update_identity()

    def probabilities(self, pairs: Iterable[Pair]) -> Iterator[dict[str, float]]:
        """Yield for each pair the probabilities of CLASSES at the shares of the training data, and ``place``.

        Left out are nearly equal texts, definitions of one term, and pairs that fail.
        """
        for pair, texts, _ in _with_texts(pairs):
            try:
                provisions = _provision_pair(pair, texts)
                if not provisions.difference and not provisions.term:
                    probabilities = self._decision.probabilities(describe(provisions, self._decision.idf))
                    yield probabilities | {"place": float(pair.place or 0)}
            except Exception:  # it fails again when it is judged, and its verdict says so
                log.exception("pair %s cannot be described", pair.pair_key)

    def estimate(self, probabilities: list[dict[str, float]]) -> prior.Shares:
        """Estimate the shares of the relations from what ``probabilities`` yields."""
        return prior.estimate_shares(probabilities, self._decision.shares)

    def judge(self, pairs: Iterable[Pair]) -> Iterator[Verdict]:
        """Yield one verdict per pair, in the order of the pairs; an exception becomes the error of its pair."""
        for pair, texts, encoding_ms in _with_texts(pairs):
            began = time.perf_counter()
            try:
                verdict = self._verdict(pair, _provision_pair(pair, texts))
            except Exception as fault:  # one bad pair must not lose the others; the reason is kept in its row
                log.exception("pair %s cannot be judged", pair.pair_key)
                reason = f"{self.name}_failed: {type(fault).__name__}: {fault}"
                verdict = Verdict(pair.pair_key, "error", error=reason)
            yield replace(verdict, latency_ms=_ms_since(began) + encoding_ms)

    def _verdict(self, pair: Pair, provisions: ProvisionPair) -> Verdict:
        difference = provisions.difference
        decided = self._decide(provisions, pair) if difference is None else _decide_by_difference(difference)
        left, right = quote(pair.left.text, decided.evidence[0]), quote(pair.right.text, decided.evidence[1])
        return Verdict(
            pair_key=pair.pair_key,
            status="ok",
            relation=decided.relation,
            kind=decided.kind,
            governs=decided.governs,
            p_conflict=round(decided.p_conflict, 4),
            p_related=round(decided.p_related, 4),
            p_relation=round(decided.p_relation, 4),
            evidence_left=left,
            evidence_right=right,
            evidence_verified=bool(left and right),
            # The order in which the texts are read does not depend on the sides.
            order_consistent=True,
            rationale=decided.rationale,
            logits=decided.logits,
        )

    def _decide(self, pair: ProvisionPair, candidate: Pair) -> _Decided:
        """Decide by the fitted models."""
        features = {} if pair.term else describe(pair, self._decision.idf)
        probabilities, logits = self._relation_probabilities(pair, features, candidate)
        relation, governs = relation_of(probabilities)
        p_relation, p_related = probabilities[f"stricter_{governs}" if governs else relation], 1 - probabilities["none"]
        basis = find_basis(pair, relation, governs)
        p_conflict = probabilities["conflict"]
        if relation == "overlap" and (told := told_by_values(*_quotes(pair, basis))):
            # The networks are sure of the duty, and know little of numbers.
            relation, governs = told
            p_relation = p_related
            p_conflict = p_related if relation == "conflict" else p_conflict
            basis = find_basis(pair, relation, governs)
        kind = "definition" if relation == "definition" else None
        if relation in ("conflict", "stricter"):
            kind = basis.kind or self._decision.likeliest_kind(features)
        sentence = rationale(relation, governs, p_relation, p_related, (pair.left.text, pair.right.text), basis)
        evidence = basis.left, basis.right
        return _Decided(
            relation, governs, kind, p_relation, p_conflict, p_related, evidence, sentence, logits
        )  # fmt: skip

    def _relation_probabilities(
        self, pair: ProvisionPair, features: dict[str, float], candidate: Pair
    ) -> tuple[dict[str, float], tuple[float, ...]]:
        """Return the probability of each relation at the shares expected at this place, and the logits read."""
        if pair.term:
            return self._decision.definition_probabilities(describe_definitions(pair.left, pair.right)), ()
        place = candidate.place or LAST_PLACE
        shares = self.shares[place - 1]
        probabilities = prior.adjust_to_shares(self._decision.probabilities(features), self._decision.shares, shares)
        always_read = self.depends_on_place and place <= _ALWAYS_READ
        if 1 - probabilities["none"] < _MIN_RELATED and not always_read:
            return probabilities, candidate.cached_logits
        network = cross_encoder.shared_cross_encoder(self._folder)
        documents = _document(candidate.left), _document(candidate.right)
        headings, excerpt = map(nearest_heading, pair.headings), pair.excerpt
        left, right = map(cross_encoder.with_heading, headings, (excerpt.left.text, excerpt.right.text))
        left = word_pairs.translate(left, self.words.get(documents, {}))
        reading = network.read(left, right, candidate.cached_logits)

        def pool(both_orders: bool) -> dict[str, float]:
            read = reading.probabilities(both_orders)
            return _pooled(probabilities, prior.adjust_to_shares(read, network.shares, shares))

        pooled = pool(both_orders=False)
        if probabilities["conflict"] >= _SURE_CONFLICT and pooled["none"] < RELATED:
            related = (1 - pooled["none"]) / (1 - probabilities["none"])
            pooled = {name: p * related for name, p in probabilities.items()} | {"none": pooled["none"]}
        elif pooled["conflict"] + _merge_sides(pooled)[_STRICTER] >= _MIN_POSSIBLE:
            pooled = pool(both_orders=True)
        return pooled, reading.logits


def _quotes(pair: ProvisionPair, basis: Basis) -> tuple[str, str]:
    return quote(pair.left.text, basis.left), quote(pair.right.text, basis.right)


def _document(provision: Provision) -> str:
    return section_ids.split_section_id(provision.section_id)[0]


def _pooled(networks: dict[str, float], reader: dict[str, float]) -> dict[str, float]:
    """Return the normalised weighted geometric mean of two opinions (a logarithmic opinion pool).

    Which side of a stricter rule governs is pooled by itself, with equal weights: the networks read deadlines, amounts
    and modal verbs, and are seldom wrong there.
    """
    merged = _merge_sides(networks), _merge_sides(reader)
    product = {
        name: p ** (1 - _CROSS_ENCODER_WEIGHT) * merged[1][name] ** _CROSS_ENCODER_WEIGHT
        for name, p in merged[0].items()
    }
    total = sum(product.values())
    stricter = product.pop(_STRICTER)
    sides = {name: networks[name] * reader[name] for name in _SIDES}
    sides = {name: stricter * p / sum(sides.values()) for name, p in sides.items()}
    return {name: value / total for name, value in (product | sides).items()}


def _merge_sides(probabilities: dict[str, float]) -> dict[str, float]:
    """Return the probabilities with those of the two sides of a stricter rule added up."""
    others = {name: p for name, p in probabilities.items() if name not in _SIDES}
    return others | {_STRICTER: sum(probabilities[name] for name in _SIDES)}


def _decide_by_difference(difference: Difference) -> _Decided:
    """Decide by the difference of two nearly equal texts."""
    relation, probability = difference.relation, DIFFERENCE_PRECISION[difference.reason]
    return _Decided(
        relation=relation,
        governs=difference.governs,
        kind=difference.kind or None,
        p_relation=probability,
        p_conflict=probability if relation == "conflict" else (1 - probability) / 4,
        p_related=probability if relation != "none" else 1 - probability,
        evidence=difference.spans or ((0, 0), (0, 0)),
        rationale=difference_rationale(difference, probability),
    )


def _with_texts(pairs: Iterable[Pair]) -> Iterator[tuple[Pair, dict[str, Text], float]]:
    """Yield each pair with its texts, which are encoded in batches, and its share of that time in milliseconds."""
    rest = iter(pairs)
    while batch := list(islice(rest, _BATCH_PAIRS)):
        began = time.perf_counter()
        texts = _text_cache().get(p for pair in batch for p in (pair.left, pair.right))
        encoding_ms = _ms_since(began) / len(batch)
        yield from ((pair, texts, encoding_ms) for pair in batch)


def _provision_pair(pair: Pair, texts: dict[str, Text]) -> ProvisionPair:
    # The headings are the first line of the context.
    headings = pair.left.context.partition("\n")[0], pair.right.context.partition("\n")[0]
    return ProvisionPair(texts[pair.left.text], texts[pair.right.text], headings)


def _ms_since(began: float) -> float:
    return (time.perf_counter() - began) * 1000


def relation_of(probabilities: dict[str, float]) -> tuple[str, str | None]:
    """Return the relation that is claimed, and the side that governs.

    It is the likeliest of the relations, but ``none`` if that is likelier than all of them together. A conflict is
    claimed even then, if it is likely enough to be worth reading. A conflict, and a stricter rule of one side, that is
    not likely enough becomes an ``overlap``: the provisions are related, and nothing is said of which governs.
    """
    merged = _merge_sides(probabilities)
    best = max((name for name in sorted(merged) if name != "none"), key=lambda name: merged[name])
    if best == "conflict" and merged[best] >= _MIN_CONFLICT:
        return best, None
    if 1 - merged["none"] < RELATED:
        return "none", None
    if best == _STRICTER:
        side = max(_SIDES, key=lambda name: probabilities[name])
        if probabilities[side] >= _MIN_STRICTER:
            return _STRICTER, side.removeprefix(f"{_STRICTER}_")
    return ("overlap" if best in ("conflict", _STRICTER) else best), None
