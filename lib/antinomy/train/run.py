"""Training of the judge ``default``, from labelled files to weights, model card and figures: ``antinomy train``."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from antinomy.errors import AntinomyError
from antinomy.judge.fitted import cross_encoder as reader
from antinomy.judge.fitted.decision import CLASSES, LABELS, Decision, to_json
from antinomy.judge.fitted.features import Idf, inverse_document_frequencies
from antinomy.judge.fitted.judge import FILE, relation_of
from antinomy.judge.fitted.texts import Text, revision
from antinomy.norms.definitions import common_term
from antinomy.settings.train import TrainSettings
from antinomy.store import records, storage
from antinomy.train import cross_encoder, head
from antinomy.train.baselines import baselines
from antinomy.train.card import card
from antinomy.train.head import DescribedPair, Features
from antinomy.train.pairs import Example, folds, hard_negatives, padded, read, transferred, unrelated
from antinomy.vocabulary import Relation

log = logging.getLogger("antinomy")

#: Pairs with fewer characters on both sides together are embedded in other text (``pairs.padded``).
_SHORT_CHARS = 1200
#: Pairs of each file whose features are recorded with the weights.
MEASURED_PAIRS = 5


def packaged_data() -> tuple[str, ...]:
    """Return the paths of the labelled files that come with the package."""
    folder = Path(str(resources.files("antinomy.train"))) / "data"
    return tuple(str(path) for path in sorted(folder.glob("*.jsonl")))


@dataclass(frozen=True)
class _Dataset:
    """The described pairs.

    Attributes:
        written: of the files that are fitted on.
        held_back: of the files that are only measured on.
        wording: for each of both, in this order, its label by wording (``head.labels_by_wording``).
        definitions: for each written pair the features of its definitions, None for other pairs.
        learned: pairs that the networks are fitted on: written ones, then augmented ones. Pairs that the wording
            decides and definitions are not among them.
        idf: inverse document frequencies of stems in the written pairs.
    """

    written: list[DescribedPair]
    held_back: list[DescribedPair]
    wording: list[tuple[str, float]]
    definitions: list[Features | None]
    learned: list[DescribedPair]
    idf: Idf

    @property
    def measured(self) -> list[DescribedPair]:
        """All pairs that are predicted."""
        return [*self.written, *self.held_back]

    @property
    def is_learned(self) -> list[bool]:
        """For each written pair whether the networks are fitted on it."""
        return [not self.wording[i][0] and features is None for i, features in enumerate(self.definitions)]

    @property
    def glossary(self) -> list[tuple[int, DescribedPair]]:
        """Index and definition features of each written pair of definitions that the wording does not decide."""
        return [
            (i, DescribedPair(self.written[i].example, features, self.written[i].fold))
            for i, features in enumerate(self.definitions)
            if features is not None and not self.wording[i][0]
        ]

    @property
    def features(self) -> list[str]:
        """Names of the features that the networks use."""
        return sorted(set(self.written[0].features) - {"long"})


def run(settings: TrainSettings) -> dict[str, Any]:
    """Fit the judge, measure it on folds, and write weights, card and judged pairs.

    Returns:
        figures (see ``card``), the card, and seconds.

    Raises:
        AntinomyError: for a labelled file that is not as it should be.
        StorageError: if the results cannot be written.
    """
    began = time.monotonic()
    written, held_back = _read_examples(settings)
    data = _prepare(written, held_back, settings)
    log.info("pairs prepared after %.0f s", time.monotonic() - began)
    decision = _fit(data, settings)
    storage.write_bytes(storage.join(settings.out, FILE), to_json(decision))
    log.info("fitted after %.0f s", time.monotonic() - began)
    rows = _result_rows(data.measured, _predict(data, decision, settings), _predict_kinds(data, decision))
    judged = [("default", rows), *_judge_by_baselines(data.measured)]
    figures, text = card(judged, decision.provenance, settings.cross_encoder)
    records.write(storage.join(settings.out, "out_of_fold.jsonl"), rows)
    storage.write_bytes(storage.join(settings.out, "MODEL_CARD.md"), text.encode())
    return {"figures": figures, "card": text, "seconds": round(time.monotonic() - began, 1)}


def feature_means(described: Iterable[DescribedPair]) -> dict[str, float]:
    """Return the mean of each feature over the first pairs of each file.

    Weights are valid as long as the code that describes pairs gives these means again.
    """
    by_file: dict[str, list[Features]] = {}
    for pair in described:
        by_file.setdefault(pair.example.source, []).append(pair.features)
    first = [features for of_file in by_file.values() for features in of_file[:MEASURED_PAIRS]]
    return {name: round(float(np.mean([features[name] for features in first])), 6) for name in sorted(first[0])}


def _read_examples(settings: TrainSettings) -> tuple[list[Example], list[Example]]:
    """Return the pairs of the files that are fitted on, and of those that are held back."""
    examples = [e for path in settings.data or packaged_data() for e in read(path)]
    if len({e.label == "conflict" for e in examples}) < 2:
        raise AntinomyError("training needs pairs labelled conflict and pairs labelled otherwise: add them to `data`")
    written = [e for e in examples if e.source not in settings.held_back]
    return written, [e for e in examples if e.source in settings.held_back]


def _prepare(written: list[Example], held_back: list[Example], settings: TrainSettings) -> _Dataset:
    """Encode, augment and describe pairs."""
    texts = head.encode_texts([*written, *held_back])
    _write_adapter([*written, *held_back], texts, settings)
    augmented = augmented_pairs(written, texts, settings)
    texts |= head.encode_texts(augmented, texts)
    log.info("%d texts encoded", len(texts))
    idf = inverse_document_frequencies(texts[text] for text in sorted({t for e in written for t in (e.left, e.right)}))
    data = _Dataset(
        written=_described(written, folds(written, settings.folds, settings.dealt), texts, idf),
        held_back=_described(held_back, folds(held_back, settings.folds), texts, idf),
        wording=head.labels_by_wording([*written, *held_back], texts),
        definitions=head.describe_definition_pairs(written, texts),
        learned=[],
        idf=idf,
    )
    learned = [pair for pair, is_learned in zip(data.written, data.is_learned, strict=True) if is_learned]
    learned += _described_augmented(data.written, augmented, texts, idf)
    log.info("%d pairs described", len(learned))
    return replace(data, learned=learned)


def _write_adapter(examples: Sequence[Example], texts: dict[str, Text], settings: TrainSettings) -> None:
    """Write the adapter of the cross-encoder, which the networks do not depend on."""
    if settings.cross_encoder.fit == "packaged":
        adapter = reader.adapter_file("")
    else:
        vectors = {wording: text.vector for wording, text in texts.items()}
        adapter = cross_encoder.fit(examples, vectors, settings.cross_encoder, settings.seed)
    storage.write_bytes(storage.join(settings.out, reader.FILE), adapter)


def _described(
    examples: Sequence[Example], fold: Sequence[int], texts: dict[str, Text], idf: Idf
) -> list[DescribedPair]:
    return [
        DescribedPair(*pair) for pair in zip(examples, head.describe_pairs(examples, texts, idf), fold, strict=True)
    ]


def _described_augmented(
    written: Sequence[DescribedPair], augmented: Sequence[Example], texts: dict[str, Text], idf: Idf
) -> list[DescribedPair]:
    """Describe the augmented pairs that the networks decide; each has the fold of the contrast set it is made from."""
    fold_of_group = {pair.example.group: pair.fold for pair in written}
    wording = head.labels_by_wording(augmented, texts)
    learned = [
        e for e, (label, _) in zip(augmented, wording, strict=True) if not label and not common_term(e.left, e.right)
    ]
    return _described(learned, [fold_of_group[e.group] for e in learned], texts, idf)


def _fit(data: _Dataset, settings: TrainSettings) -> Decision:
    """Fit the models of the decision on all pairs that are not held back."""
    augmented = [pair for pair in data.learned if pair.example.origin != "written"]
    paths = settings.data or packaged_data()
    return Decision(
        relation=head.fit_relation(data.learned, data.features, settings.network, settings.seed),
        related=head.fit_related(augmented),
        definition=head.fit_definition([pair for _, pair in data.glossary]),
        kind=head.fit_kind(data.written, data.features),
        shares=head.class_shares([pair.example for pair in data.learned]),
        idf=data.idf,
        provenance={
            "encoder": revision(),
            "features": feature_means(data.measured),
            "data": {Path(path).name: storage.sha256(path) for path in paths},
            "pairs": len(data.written),
            "pairs_made": len(augmented),
            "folds": settings.folds,
            "seed": settings.seed,
            "network": settings.network.model_dump(),
        },
    )


def _predict(data: _Dataset, decision: Decision, settings: TrainSettings) -> NDArray[np.float64]:
    """Predict written pairs by models without their fold, and held-back pairs by the decision.

    Returns:
        Probabilities of LABELS, of shape (written and held-back pairs, labels).
    """
    probabilities = np.zeros((len(data.measured), len(LABELS)))
    learned = np.flatnonzero(data.is_learned)
    probabilities[learned, : len(CLASSES)] = head.relations_out_of_fold(
        data.learned, data.features, settings.network, settings.seed
    )
    for i, (label, probability) in enumerate(data.wording):
        if label:
            others = (1 - probability) / (len(LABELS) - 1)
            probabilities[i] = [probability if name == label else others for name in LABELS]
    by_definition = head.definitions_out_of_fold([pair for _, pair in data.glossary])
    for (i, _), found in zip(data.glossary, by_definition, strict=True):
        probabilities[i] = [found.get(name, 0.0) for name in LABELS]
    # A run estimates the shares of the relations from its own pairs, so each file is predicted by itself.
    for source in sorted({pair.example.source for pair in data.held_back}):
        own = [
            i
            for i, pair in enumerate(data.held_back)
            if pair.example.source == source and not data.wording[len(data.written) + i][0]
        ]
        if own:
            rows = [len(data.written) + i for i in own]
            probabilities[rows, : len(CLASSES)] = head.predict_as_run(decision, [data.held_back[i] for i in own])
    return probabilities


def _predict_kinds(data: _Dataset, decision: Decision) -> list[Features]:
    """Return the probabilities of the kinds, of written pairs by models without their fold, then of held-back pairs."""
    held_back = [decision.kind.symmetric_probabilities(pair.features) for pair in data.held_back]
    return [*head.kinds_out_of_fold(data.written, data.features), *held_back]


def augmented_pairs(written: Sequence[Example], texts: dict[str, Text], settings: TrainSettings) -> list[Example]:
    """Derive further pairs from the written ones, as many of each origin as the settings say."""
    vectors = {wording: text.vector for wording, text in texts.items()}
    seed = settings.seed
    rng = np.random.default_rng(seed)
    short = [e for e in written if len(e.left) + len(e.right) < _SHORT_CHARS]
    short_negatives = hard_negatives(short, vectors, seed)[: len(short)]
    embedded = padded([*padded(short, seed + 1), *padded(short_negatives, seed + 1)], seed + 2)
    augmented: list[Example] = []
    for pool, most in (
        (transferred(written), settings.transferred),
        (hard_negatives(written, vectors, seed), settings.hard_negatives),
        (unrelated(written, seed), settings.unrelated),
        (padded(short, seed), settings.padded),
        (embedded, settings.embedded),
    ):
        augmented += [pool[i] for i in sorted(rng.permutation(len(pool))[:most])]
    return augmented


def _judge_by_baselines(pairs: Sequence[DescribedPair]) -> list[tuple[str, list[dict[str, Any]]]]:
    """Return the name of each baseline and the pairs as it judges them."""
    examples = [pair.example for pair in pairs]
    actual = np.array([e.label == "conflict" for e in examples])
    judged = []
    for name, probabilities in baselines(examples, [pair.fold for pair in pairs]).items():
        threshold = head.best_threshold(probabilities, actual)
        rows = [
            _result_row(e, i) | {"predicted": "conflict" if p >= threshold else "none", "p_conflict": float(p)}
            for i, (e, p) in enumerate(zip(examples, probabilities, strict=True))
        ]
        judged.append((name, rows))
    return judged


def _result_rows(
    pairs: Sequence[DescribedPair], probabilities: NDArray[np.float64], kinds: Sequence[Features]
) -> list[dict[str, Any]]:
    """Return the pairs as the fitted judge judges them, with their labels."""
    rows = []
    for i, (pair, row, kind_probabilities) in enumerate(zip(pairs, probabilities, kinds, strict=True)):
        relation, governs = relation_of(dict(zip(LABELS, row.tolist(), strict=True)))
        likeliest = max(sorted(kind_probabilities), key=kind_probabilities.__getitem__)
        kind = "definition" if relation == Relation.DEFINITION else likeliest
        rows.append(
            {
                **_result_row(pair.example, i),
                "predicted": relation,
                "predicted_governs": governs,
                "predicted_kind": kind if relation in ("conflict", "stricter", "definition") else None,
                "p_conflict": round(float(row[0]), 4),
            }
        )
    return rows


def _result_row(e: Example, number: int) -> dict[str, Any]:
    relation, _, governs = e.label.partition("_")
    return {
        "id": f"{e.source}:{number}", "source": e.source, "left": e.left, "right": e.right, "relation": relation,
        "kind": e.kind or None, "governs": governs or None, "predicted_kind": None, "predicted_governs": None,
        "status": "ok", "calls": 0, "tokens": 0,
    }  # fmt: skip
