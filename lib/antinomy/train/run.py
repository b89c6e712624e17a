"""Training from labelled files to weights, a card and the figures: ``antinomy train``."""

from __future__ import annotations

import hashlib
import json
import logging
import time
from collections.abc import Mapping, Sequence
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from antinomy.errors import AntinomyError
from antinomy.judge.fitted import cross_encoder
from antinomy.judge.fitted.decision import CLASSES, LABELS, Decision, to_json
from antinomy.judge.fitted.features import Rarity, rarities
from antinomy.judge.fitted.judge import FILE, described_sha256, relation_of
from antinomy.judge.fitted.texts import Text, revision
from antinomy.norms.definitions import common_term
from antinomy.settings.train import TrainSettings
from antinomy.store import storage
from antinomy.train import head, readings
from antinomy.train.baselines import baselines
from antinomy.train.card import card
from antinomy.train.pairs import Example, file_sha256, folds, hard_negatives, padded, read, transferred, unrelated
from antinomy.vocabulary import Relation

log = logging.getLogger("antinomy")


def packaged_data() -> tuple[str, ...]:
    """Return the paths of the labelled files that come with the package."""
    folder = Path(str(resources.files("antinomy.train"))) / "data"
    return tuple(str(path) for path in sorted(folder.glob("*.jsonl")))


def run(settings: TrainSettings) -> dict[str, Any]:
    """Fit the judge, measure it on folds, and write weights, card and judged pairs.

    Returns:
        figures (see ``card``), and seconds.

    Raises:
        AntinomyError: for a labelled file that is not as it should be.
        StorageError: if the results cannot be written.
    """
    began = time.monotonic()
    paths = settings.data or packaged_data()
    written = [e for path in paths for e in read(path)]
    if len({e.label == "conflict" for e in written}) < 2:
        raise AntinomyError("training needs pairs labelled conflict and pairs labelled otherwise: add them to `data`")
    packaged = {_file_name(path) for path in packaged_data()}
    if settings.cross_encoder.fit == "further" and all(e.source in packaged for e in written):
        raise AntinomyError("the cross-encoder has read every file of `data`: add the files to fit it further on")
    held_back = [e for e in written if e.source in settings.held_back]
    written = [e for e in written if e.source not in settings.held_back]
    fold = folds(written, settings.folds, settings.dealt)
    texts = head.encode_texts([*written, *held_back])
    augmented = augmented_pairs(written, texts, settings)
    texts |= head.encode_texts(augmented, texts)
    log.info("%d texts encoded after %.0f s", len(texts), time.monotonic() - began)
    rarity = rarities(texts[text] for text in sorted({t for e in written for t in (e.left, e.right)}))
    values = head.features(written, texts, rarity)
    explicit = head.explicit_labels(written, texts)
    defined = head.definition_features(written, texts)
    augmented_described = _describe_augmented(written, fold, augmented, texts, rarity)
    log.info("%d pairs described after %.0f s", len(written) + len(augmented_described), time.monotonic() - began)
    # What is read off the wording is not for the networks to learn, nor are definitions.
    open_ = [i for i, label in enumerate(explicit) if not label[0] and defined[i] is None]
    shown = [(written[i], values[i], fold[i]) for i in open_] + augmented_described
    examples = [*(e for e, _, _ in shown), *held_back]
    parts = readings.excerpts(examples, texts)
    cross_encoded = _cross_encode(examples, parts, texts, settings)
    cross_encoded_shown, cross_encoded_held_back = cross_encoded[: len(shown)], cross_encoded[len(shown) :]
    log.info("%d pairs read together after %.0f s", len(shown), time.monotonic() - began)
    made_with = {
        "encoder": revision(),
        "cross_encoder": hashlib.sha256(cross_encoder.content(settings.out)).hexdigest(),
        "described_by": described_sha256(),
        "data": {_file_name(path): file_sha256(path) for path in paths},
        "pairs": len(written),
        "pairs_made": len(augmented_described),
        "folds": settings.folds,
        "seed": settings.seed,
        "network": settings.network.model_dump(),
    }
    names = sorted(set(values[0]) - {"long"})
    chances = np.zeros((len(written), len(LABELS)))
    chances[open_, : len(CLASSES)] = head.out_of_fold(
        shown, cross_encoded_shown, names, settings.network, settings.seed
    )
    for i, (label, probability) in enumerate(explicit):
        if label:
            chances[i] = _explicit_chances(label, probability)
    listed = [i for i, row in enumerate(defined) if row is not None and not explicit[i][0]]
    glossary = [(written[i], row, fold[i]) for i in listed if (row := defined[i]) is not None]
    for i, found in zip(listed, head.definitions_out_of_fold(glossary), strict=True):
        chances[i] = [found.get(name, 0.0) for name in LABELS]
    pairs = list(zip(shown, cross_encoded_shown, strict=True))
    relation, together = head.fit_relations(pairs, names, settings.network, settings.seed)
    kind = head.fit_kind(written, values, names)
    definition = head.fit_definition([e for e, _, _ in glossary], [v for _, v, _ in glossary])
    shares = head.class_shares([e for e, _, _ in shown])
    decision = Decision(
        relation, together, head.fit_related(augmented_described), definition, kind, shares, rarity, made_with
    )
    storage.write_bytes(storage.join(settings.out, FILE), to_json(decision))
    log.info("fitted after %.0f s", time.monotonic() - began)
    held_back_values = head.features(held_back, texts, rarity)
    chances = np.concatenate(
        [chances, _predict_held_back(held_back, held_back_values, cross_encoded_held_back, texts, decision)]
    )
    kinds = [
        *_kinds_out_of_fold(written, values, fold, names),
        *(decision.kind.either_way(v) for v in held_back_values),
    ]
    fold = [*fold, *folds(held_back, settings.folds)] if held_back else fold
    written = [*written, *held_back]
    rows = _result_rows(written, chances, kinds)
    judged = [("default", rows)]
    for name, chance in baselines(written, fold).items():
        threshold = head.best_threshold(chance, np.array([e.label == "conflict" for e in written]))
        judged.append((name, _baseline_rows(written, chance, threshold)))
    lines = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    storage.write_bytes(storage.join(settings.out, "out_of_fold.jsonl"), lines.encode())
    figures, text = card(judged, made_with)
    storage.write_bytes(storage.join(settings.out, "MODEL_CARD.md"), text.encode())
    return {"figures": figures, "card": text, "seconds": round(time.monotonic() - began, 1)}


def _explicit_chances(label: str, probability: float) -> list[float]:
    """Return the probabilities of LABELS for a pair whose wording determines its label."""
    return [probability if name == label else (1 - probability) / (len(LABELS) - 1) for name in LABELS]


def _predict_held_back(
    held_back: Sequence[Example], values: Sequence[head.Values], together: Sequence[readings.Reading | None],
    texts: Mapping[str, Text], decision: Decision,
) -> NDArray[np.float64]:  # fmt: skip
    """Predict the probabilities of LABELS for pairs of held-back files, as in a run."""
    chances = np.zeros((len(held_back), len(LABELS)))
    explicit = head.explicit_labels(held_back, dict(texts))
    for i, (label, probability) in enumerate(explicit):
        if label:
            chances[i] = _explicit_chances(label, probability)
    for source in sorted({e.source for e in held_back}):
        own = [i for i, e in enumerate(held_back) if e.source == source and not explicit[i][0]]
        if own:
            chances[own, : len(CLASSES)] = head.predict_as_run(decision, [(values[i], together[i]) for i in own])
    return chances


def _cross_encode(
    examples: Sequence[Example], parts: Sequence[tuple[str, str]], texts: Mapping[str, Text], settings: TrainSettings
) -> list[readings.Reading | None]:
    """Return the cross-encoder's readings of pairs, and write its weights to ``out``."""
    packaged = [_file_name(path) for path in packaged_data()]
    if settings.cross_encoder.fit == "anew":
        return readings.fit_anew(examples, parts, texts, settings)
    if settings.cross_encoder.fit == "further":
        return readings.fit_further(examples, parts, texts, packaged, settings)
    storage.write_bytes(storage.join(settings.out, cross_encoder.FILE), cross_encoder.content(""))
    return readings.read_packaged(examples, parts, packaged)


def _file_name(path: str) -> str:
    return Path(path).name


def augmented_pairs(written: Sequence[Example], texts: Mapping[str, Text], settings: TrainSettings) -> list[Example]:
    """Derive further pairs from the written ones, as many of each kind as the settings say.

    Those of the files that the cross-encoder was first fitted on are made apart, so that they are the same whatever
    other files there are, and the readings of them that are kept hold.
    """
    later = {name for names in settings.cross_encoder.later for name in names}
    first = {_file_name(path) for path in packaged_data()} - later
    augmented = _augment([e for e in written if e.source in first], texts, settings)
    if any(e.source not in first for e in written):
        augmented += [e for e in _augment(written, texts, settings) if e.source not in first]
    return augmented


def _augment(written: Sequence[Example], texts: Mapping[str, Text], settings: TrainSettings) -> list[Example]:
    vectors = {text: known.whole for text, known in texts.items()}
    rng = np.random.default_rng(settings.seed)
    seed = settings.seed
    short = [e for e in written if len(e.left) + len(e.right) < _SHORT]
    held_back = hard_negatives(short, vectors, seed)[: len(short)]
    augmented: list[Example] = []
    for pool, most in (
        (transferred(written), settings.transferred),
        (hard_negatives(written, vectors, seed), settings.hard_negatives),
        (unrelated(written, seed), settings.unrelated),
        (padded(short, seed), settings.padded),
        (
            padded([*padded(short, seed + 1), *padded(held_back, seed + 1)], seed + 2),
            settings.embedded,
        ),
    ):
        augmented += [pool[i] for i in sorted(rng.permutation(len(pool))[:most])]
    return augmented


#: Pairs of fewer characters are put among other sentences.
_SHORT = 1200


def _describe_augmented(
    written: Sequence[Example], fold: Sequence[int], augmented: Sequence[Example], texts: dict[str, Text],
    rarity: Rarity,
) -> list[tuple[Example, head.Values, int]]:  # fmt: skip
    """Describe the pairs made that the network decides; each stands in the fold of the set that it was made from."""
    place = {e.group: f for e, f in zip(written, fold, strict=True)}
    kept = [
        e
        for e, (label, _) in zip(augmented, head.explicit_labels(augmented, texts), strict=True)
        if not label and not common_term(e.left, e.right)
    ]
    return [(e, v, place[e.group]) for e, v in zip(kept, head.features(kept, texts, rarity), strict=True)]


def _kinds_out_of_fold(
    written: Sequence[Example],
    values: Sequence[head.Values],
    fold: Sequence[int],
    names: Sequence[str],
) -> list[dict[str, float]]:
    """Predict every pair's kind by a model that has not seen its fold."""
    found: list[dict[str, float]] = [{} for _ in written]
    for held in sorted(set(fold)):
        seen = [(e, v) for e, v, f in zip(written, values, fold, strict=True) if f != held]
        kind = head.fit_kind([e for e, _ in seen], [v for _, v in seen], names)
        for i, f in enumerate(fold):
            if f == held:
                found[i] = kind.either_way(values[i])
    return found


def _result_row(e: Example, number: int) -> dict[str, Any]:
    relation, _, governs = e.label.partition("_")
    return {
        "id": f"{e.source}:{number}", "source": e.source, "left": e.left, "right": e.right, "relation": relation,
        "kind": e.kind or None, "governs": governs or None, "predicted_kind": None, "predicted_governs": None,
        "status": "ok", "calls": 0, "tokens": 0,
    }  # fmt: skip


def _result_rows(
    written: Sequence[Example], chances: NDArray[np.float64], kinds: Sequence[dict[str, float]]
) -> list[dict[str, Any]]:
    rows = []
    for i, (e, chance) in enumerate(zip(written, chances, strict=True)):
        relation, governs = relation_of(dict(zip(LABELS, chance.tolist(), strict=True)))
        likeliest = max(sorted(kinds[i]), key=kinds[i].__getitem__)
        kind = "definition" if relation == Relation.DEFINITION else likeliest
        rows.append(
            {
                **_result_row(e, i),
                "predicted": relation,
                "predicted_governs": governs,
                "predicted_kind": kind if relation in ("conflict", "stricter", "definition") else None,
                "p_conflict": round(float(chance[0]), 4),
            }
        )
    return rows


def _baseline_rows(written: Sequence[Example], chance: NDArray[np.float64], threshold: float) -> list[dict[str, Any]]:
    return [
        {**_result_row(e, i), "predicted": "conflict" if p >= threshold else "none", "p_conflict": float(p)}
        for i, (e, p) in enumerate(zip(written, chance, strict=True))
    ]
