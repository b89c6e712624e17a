"""What the cross-encoder says of labelled pairs that it was not fitted on: the second network learns from that.

What it says of pairs that it was fitted on is too good to learn from. So the packaged pairs are read by networks that
were fitted without their file, and the answers are kept beside the data. Other pairs are read by the packaged network.
"""

from __future__ import annotations

import hashlib
import io
import logging
import random
from collections.abc import Iterable, Mapping, Sequence
from importlib import resources
from pathlib import Path

import numpy as np
from safetensors.numpy import save

from antinomy.judge.fitted import cross_encoder
from antinomy.judge.fitted.cross_encoder import CrossEncoder, packed
from antinomy.judge.fitted.decision import CLASSES, READ_TOGETHER
from antinomy.judge.fitted.reading import PairReading
from antinomy.judge.fitted.texts import Text, encoded
from antinomy.settings.train import TrainSettings
from antinomy.store import storage
from antinomy.train.cross_encoder import Labelled, Trainer, general_pairs
from antinomy.train.pairs import Example, hard_negatives, read

log = logging.getLogger("antinomy")

#: File of what the cross-encoder says of the packaged pairs, out of fold.
FILE = "readings.npz"
#: Made pairs of unrelated provisions: the cross-encoder is shown others, new ones in each pass.
_NONE = ("unrelated", "hard_negatives")

#: What it says of a pair: log-odds of CLASSES under the names READ_TOGETHER.
Reading = dict[str, float]


def excerpts(examples: Sequence[Example], texts: Mapping[str, Text]) -> list[tuple[str, str]]:
    """Return the part of each pair that the cross-encoder reads."""
    parts = (PairReading(texts[e.left], texts[e.right]).excerpt for e in examples)
    return [(part.left.text, part.right.text) for part in parts]


def of_packaged(
    examples: Sequence[Example], parts: Sequence[tuple[str, str]], packaged: Iterable[str]
) -> list[Reading | None]:
    """Return what the packaged cross-encoder says of pairs that it was not fitted on.

    Args:
        examples: the pairs, written and made.
        parts: of each what is read, see ``excerpts``.
        packaged: names of the files that it was fitted on.

    Returns:
        A reading per pair; None for a pair that it was fitted on, and whose reading is not kept.
    """
    kept, known = _kept(), set(packaged)
    reader = cross_encoder.loaded("")
    return [
        reader.read(*part) if e.source not in known else kept.get(_key(part))
        for e, part in zip(examples, parts, strict=True)
    ]


def fitted(
    examples: Sequence[Example], parts: Sequence[tuple[str, str]], texts: Mapping[str, Text], settings: TrainSettings
) -> list[Reading | None]:
    """Fit a cross-encoder without each fold, and return what each says of the pairs that it has not seen.

    The mean of their weights ("model soups", Wortsman et al. 2022), which has seen all pairs, and the readings are
    written to ``out``.
    """
    chosen = settings.cross_encoder
    fold_of = {name: number for number, names in enumerate(chosen.folds) for name in names}
    for number, name in enumerate(sorted({e.source for e in examples} - fold_of.keys())):
        fold_of[name] = number % len(chosen.folds)
    fold = [fold_of[e.source] for e in examples]
    general = general_pairs(chosen.general)
    real = [e for path in chosen.real for e in read(path) if e.label in CLASSES]
    real_texts = {t.text: t for t in encoded(sorted({text for e in real for text in (e.left, e.right)}))}
    labelled = _labelled(zip(real, excerpts(real, real_texts), strict=True))
    trainer = Trainer(chosen, settings.seed)
    trainer.warm_up(general)
    warm = trainer.snapshot()
    readings: list[Reading | None] = [None] * len(examples)
    networks = []
    for held in range(len(chosen.folds)):
        log.info("cross-encoder without fold %d", held)
        trainer.restore(warm)
        shown = [(e, part) for e, part, f in zip(examples, parts, fold, strict=True) if f != held]
        _fit(trainer, shown, texts, labelled, general, settings)
        networks.append(trainer.weights())
        reader = CrossEncoder(save(packed(networks[-1])))
        for i, part in enumerate(parts):
            if fold[i] == held:
                readings[i] = reader.read(*part)
    mean = {name: sum(weights[name] for weights in networks) / len(networks) for name in networks[0]}
    storage.write_bytes(storage.join(settings.out, cross_encoder.FILE), save(packed(mean)))
    rows = {_key(part): said for part, said in zip(parts, readings, strict=True) if said}
    storage.write_bytes(storage.join(settings.out, FILE), kept_bytes(rows))
    return readings


def _fit(
    trainer: Trainer, shown: Sequence[tuple[Example, tuple[str, str]]], texts: Mapping[str, Text],
    real: Sequence[Labelled], general: Sequence[Labelled], settings: TrainSettings,
) -> None:  # fmt: skip
    chosen = settings.cross_encoder
    known = [(e, part) for e, part in shown if e.label in CLASSES]
    written = [(e, part) for e, part in known if e.origin == "written"]
    made = [(e, part) for e, part in known if e.origin not in ("written", *_NONE)]
    random.Random(settings.seed).shuffle(made)
    vectors = {name: text.whole for name, text in texts.items()}
    most = int(chosen.passes * chosen.hard_negatives * len(written))
    near = hard_negatives([e for e, _ in written], vectors, settings.seed)[:most]
    negatives = _labelled(zip(near, excerpts(near, texts), strict=True))
    trainer.fit([*_labelled([*written, *made[: chosen.made]]), *real], negatives, general)


def _labelled(pairs: Iterable[tuple[Example, tuple[str, str]]]) -> list[Labelled]:
    return [Labelled(*part, CLASSES.index(e.label)) for e, part in pairs]


def kept_bytes(rows: Mapping[str, Reading]) -> bytes:
    """Return readings by ``key`` as they are kept beside the data."""
    file = io.BytesIO()
    keys = sorted(rows)
    values = np.array([[rows[key][name] for name in READ_TOGETHER] for key in keys], dtype=np.float16)
    np.savez_compressed(file, keys=np.array(keys, dtype="S16"), values=values)
    return file.getvalue()


def _kept() -> dict[str, Reading]:
    with np.load(io.BytesIO((Path(str(resources.files("antinomy.train"))) / FILE).read_bytes())) as file:
        rows = zip(file["keys"].tolist(), file["values"].tolist(), strict=True)
        return {key.decode(): dict(zip(READ_TOGETHER, values, strict=True)) for key, values in rows}


def _key(part: tuple[str, str]) -> str:
    """Return what a pair's reading is kept under."""
    return hashlib.sha256("\0".join(part).encode()).hexdigest()[:16]
