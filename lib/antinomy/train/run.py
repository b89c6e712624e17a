"""Training from labelled files to weights, a card and the figures: ``antinomy train``."""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from antinomy import storage
from antinomy.embed.encoder import model_revision
from antinomy.errors import AntinomyError
from antinomy.judge.local import vectors
from antinomy.judge.local.cross_encoder import FOLDER, PREFIX, weights_sha256
from antinomy.judge.local.decision import CLASSES, Decision, to_json
from antinomy.judge.local.judge import kind_of, relation_of, telling
from antinomy.judge.norms import compare
from antinomy.judge.norms.judge import sources_sha256
from antinomy.judge.norms.view import view
from antinomy.train import cross_encoder, head
from antinomy.train.baselines import baselines
from antinomy.train.card import card
from antinomy.train.pairs import Example, by_transfer, file_sha256, folds, padded, read, strangers
from antinomy.train.settings import TrainSettings

log = logging.getLogger("antinomy")

#: Judges that are fitted, and which features each sees.
JUDGES = {"local": ("near_", "cross_", "paired_"), "default": ("",)}
#: The cross-encoder by itself, measured beside them.
_ALONE = "cross-encoder"


@dataclass(frozen=True)
class Judged:
    """Pairs as a judge decides them when it has not seen them.

    Attributes:
        name: of the judge or baseline.
        rows: the pairs as ``evaluate.pairs.measure`` wants them.
    """

    name: str
    rows: list[dict[str, Any]]


def packaged_data() -> tuple[str, ...]:
    """Return the paths of the labelled files that come with the package."""
    folder = Path(str(resources.files("antinomy.train"))) / "data"
    return tuple(str(path) for path in sorted(folder.glob("*.jsonl")))


def run(settings: TrainSettings) -> dict[str, Any]:
    """Fit both judges, measure them on folds, and write weights, card and judged pairs.

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
    fold = folds(written, settings.folds, settings.dealt)
    values = head.described(written)
    log.info("%d pairs described after %.0f s", len(written), time.monotonic() - began)
    made = _made(written, fold, settings)
    tuned = _with_cross_encoder(written, values, fold, made, settings) if settings.cross_encoder else None
    made_with = {
        "encoder": vectors.revision(),
        "norms": sources_sha256(),
        "data": {Path(path).name: file_sha256(path) for path in paths},
        "pairs": len(written),
        "pairs_made": len(made),
        "folds": settings.folds,
        "seed": settings.seed,
        "network": settings.network.model_dump(),
        "cross_encoder": tuned,
    }
    judged = [_norms(written)]
    kinds = {}
    for name, starts in JUDGES.items():
        names = sorted(n for n in values[0] if n.startswith(starts))
        chances = head.out_of_fold(written, values, fold, names, settings.network, settings.seed, made)
        used = [(e, v) for e, v in zip(written, values, strict=True)] + [(e, v) for e, v, _ in made]
        relation = head.fit_relation([e for e, _ in used], [v for _, v in used], names, settings.network, settings.seed)
        kind = head.fit_kind(written, values, names)
        share = sum(e.label == "conflict" for e, _ in used) / len(used)
        decision = Decision(relation, kind, round(share, 4), made_with)
        storage.write_bytes(storage.join(settings.out, f"{name}.json"), to_json(decision))
        kinds[name] = _kinds(written, values, fold, names)
        judged.append(Judged(name, _rows(written, chances, kinds[name])))
        log.info("%s fitted after %.0f s", name, time.monotonic() - began)
    if tuned:
        alone = np.array([[np.exp(row[f"{PREFIX}{name}"]) for name in CLASSES] for row in values])
        # It tells no kinds; those of `default` stand in.
        judged.append(Judged(_ALONE, _rows(written, alone / alone.sum(axis=1, keepdims=True), kinds["default"])))
    for name, chance in baselines(written, fold).items():
        threshold = head.best_threshold(chance, np.array([e.label == "conflict" for e in written]))
        judged.append(Judged(name, _plain_rows(written, chance, threshold)))
    (default,) = (j.rows for j in judged if j.name == "default")
    lines = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in default)
    storage.write_bytes(storage.join(settings.out, "out_of_fold.jsonl"), lines.encode())
    figures, text = card([(j.name, j.rows) for j in judged], made_with)
    storage.write_bytes(storage.join(settings.out, "MODEL_CARD.md"), text.encode())
    return {"figures": figures, "card": text, "seconds": round(time.monotonic() - began, 1)}


def _with_cross_encoder(
    written: Sequence[Example], values: Sequence[head.Values], fold: Sequence[int],
    made: Sequence[tuple[Example, head.Values, int]], settings: TrainSettings,
) -> dict[str, Any]:  # fmt: skip
    """Add what a cross-encoder says that has not seen a pair's fold to what describes it; train and write the last.

    Returns:
        How it was made, and the hash of its weights.
    """
    chosen = settings.cross_encoder
    assert chosen is not None
    examples = cross_encoder.focused([*written, *(e for e, _, _ in made)])
    folds_of = [*fold, *(f for _, _, f in made)]
    said = cross_encoder.described_out_of_fold(examples, folds_of, chosen, settings.seed)
    for row, found in zip([*values, *(v for _, v, _ in made)], said, strict=True):
        row |= found
    folder = storage.join(settings.out, FOLDER)
    cross_encoder.save(cross_encoder.fine_tune(examples, chosen, settings.seed), folder)
    also = {Path(path).name: file_sha256(path) for path in chosen.also}
    base = model_revision(chosen.model, "")
    return {**chosen.model_dump(), "also": also, "model": f"{chosen.model} {base}", "sha256": weights_sha256(folder)}


def _made(
    written: Sequence[Example], fold: Sequence[int], settings: TrainSettings
) -> list[tuple[Example, head.Values, int]]:
    """Make further pairs; each stands in the fold of the set that it was made from."""
    place = {e.group: f for e, f in zip(written, fold, strict=True)}
    rng = np.random.default_rng(settings.seed)
    drawn: list[Example] = []
    for pool, most in (
        (by_transfer(written), settings.transferred),
        (strangers(written, settings.seed) if settings.strangers else [], settings.strangers),
        (padded(written, settings.seed) if settings.padded else [], settings.padded),
    ):
        drawn += [pool[i] for i in sorted(rng.permutation(len(pool))[:most])]
    return [(e, v, place[e.group]) for e, v in zip(drawn, head.described(drawn), strict=True)]


def _kinds(
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


def _row(e: Example, number: int) -> dict[str, Any]:
    relation, _, governs = e.label.partition("_")
    return {
        "id": f"{e.source}:{number}", "source": e.source, "left": e.left, "right": e.right, "relation": relation,
        "kind": e.kind or None, "governs": governs or None, "predicted_kind": None, "predicted_governs": None,
        "status": "ok", "calls": 0, "tokens": 0,
    }  # fmt: skip


def _rows(
    written: Sequence[Example], chances: NDArray[np.float64], kinds: Sequence[dict[str, float]]
) -> list[dict[str, Any]]:
    rows = []
    for i, (e, chance) in enumerate(zip(written, chances, strict=True)):
        relation, governs = relation_of(dict(zip(CLASSES, chance.tolist(), strict=True)))
        rows.append(
            {
                **_row(e, i),
                "predicted": relation,
                "predicted_governs": governs,
                "predicted_kind": kind_of(relation, telling(view(e.left, e.right), relation, governs), kinds[i]),
                "p_conflict": round(float(chance[0]), 4),
            }
        )
    return rows


def _plain_rows(written: Sequence[Example], chance: NDArray[np.float64], threshold: float) -> list[dict[str, Any]]:
    return [
        {**_row(e, i), "predicted": "conflict" if p >= threshold else "none", "p_conflict": float(p)}
        for i, (e, p) in enumerate(zip(written, chance, strict=True))
    ]


def _norms(written: Sequence[Example]) -> Judged:
    rows = []
    for i, e in enumerate(written):
        found = compare(e.left, e.right)
        rows.append(
            {
                **_row(e, i),
                "status": "ok" if found.relation else "undecided",
                "predicted": found.relation,
                "predicted_kind": found.kind,
                "predicted_governs": found.governs,
                "p_conflict": round(found.p_conflict, 4),
            }
        )
    return Judged("norms", rows)
