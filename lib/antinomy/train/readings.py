"""What the cross-encoder says of labelled pairs that it was not fitted on: the second network learns from that.

What it says of pairs that it was fitted on is too good to learn from. So the packaged pairs are read by networks that
were fitted without their file, and the answers are kept beside the data. Other pairs are read by the packaged network.
"""

from __future__ import annotations

import hashlib
import io
import logging
import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib import resources
from pathlib import Path

import numpy as np
from safetensors.numpy import load, save

from antinomy.judge.fitted import cross_encoder
from antinomy.judge.fitted.cross_encoder import CrossEncoder, content, packed, unpacked
from antinomy.judge.fitted.decision import CLASSES, READ_TOGETHER
from antinomy.judge.fitted.reading import PairReading
from antinomy.judge.fitted.texts import Text, encoded
from antinomy.settings.train import CrossEncoderSettings, TrainSettings
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


def read_packaged(
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
    kept, known = _load_readings(), set(packaged)
    reader = cross_encoder.loaded("")
    return [
        reader.read(*part) if e.source not in known else kept.get(_key(part))
        for e, part in zip(examples, parts, strict=True)
    ]


def fit_anew(
    examples: Sequence[Example], parts: Sequence[tuple[str, str]], texts: Mapping[str, Text], settings: TrainSettings
) -> list[Reading | None]:
    """Fit a cross-encoder without each fold, and return what each says of the pairs that it has not seen.

    The mean of their weights ("model soups", Wortsman et al. 2022), which has seen all pairs, and the readings are
    written to ``out``.
    """
    chosen = settings.cross_encoder
    fold = _assign_folds(examples, chosen.folds)
    general = general_pairs(chosen.general)
    real = _load_real(chosen)
    trainer = Trainer(chosen, settings.seed)
    trainer.warm_up(general)

    def fit(held: int) -> None:
        shown = [(e, part) for e, part, f in zip(examples, parts, fold, strict=True) if f != held]
        pairs, negatives = _training_pairs(shown, texts, settings)
        trainer.fit([*pairs, *real], negatives, general)

    readings: list[Reading | None] = [*_out_of_fold(trainer, fit, fold, parts, settings.out)]
    _write_readings(settings.out, parts, readings)
    return readings


def fit_further(
    examples: Sequence[Example], parts: Sequence[tuple[str, str]], texts: Mapping[str, Text],
    packaged: Iterable[str], settings: TrainSettings,
) -> list[Reading | None]:  # fmt: skip
    """Fit the packaged cross-encoder further on files that it has not read, a network without each fold of them.

    As many written pairs of the packaged files are shown again, with near, unrelated ones of both, so that they are not
    forgotten. Of these the readings that are kept stand: the networks that gave them were fitted on less.
    """
    known = set(packaged)
    new = [i for i, e in enumerate(examples) if e.source not in known]
    chosen = settings.cross_encoder
    fold = _assign_folds([examples[i] for i in new], chosen.later)
    again = [
        (e, part)
        for e, part in zip(examples, parts, strict=True)
        if e.source in known and e.origin == "written" and e.label in CLASSES
    ]
    real = _load_real(chosen)
    trainer = Trainer(chosen, settings.seed, unpacked(load(content(""))))

    def fit(held: int) -> None:
        shown = [(examples[i], parts[i]) for i, f in zip(new, fold, strict=True) if f != held]
        written = sum(e.origin == "written" for e, _ in shown)
        repeated = random.Random(settings.seed + held).sample(again, min(written, len(again)))
        pairs, negatives = _training_pairs([*shown, *repeated], texts, settings)
        trainer.fit([*pairs, *real], negatives, [])

    own = _out_of_fold(trainer, fit, fold, [parts[i] for i in new], settings.out)
    kept = _load_readings()
    readings = [kept.get(_key(part)) for part in parts]
    for i, answer in zip(new, own, strict=True):
        readings[i] = answer
    _write_readings(settings.out, parts, readings)
    return readings


def _assign_folds(examples: Sequence[Example], named: Sequence[Sequence[str]]) -> list[int]:
    """Return the fold of each pair: that of its file. Files without one are dealt out; their sets, if these are few."""
    fold_of = {name: number for number, names in enumerate(named) for name in names}
    free = [e for e in examples if e.source not in fold_of]
    whole = len({e.source for e in examples}) >= len(named)
    places = sorted({(e.source, "" if whole else e.group) for e in free})
    dealt = {place: number % len(named) for number, place in enumerate(places)}
    return [fold_of[e.source] if e.source in fold_of else dealt[e.source, "" if whole else e.group] for e in examples]


def _out_of_fold(
    trainer: Trainer, fit: Callable[[int], None], fold: Sequence[int], parts: Sequence[tuple[str, str]], out: str
) -> list[Reading]:
    """Fit without each fold, read it, and write the mean of the networks."""
    begin = trainer.snapshot()
    found: list[Reading] = [{} for _ in parts]
    networks = []
    for held in sorted(set(fold)):
        log.info("cross-encoder without fold %d", held)
        trainer.restore(begin)
        fit(held)
        networks.append(trainer.weights())
        reader = CrossEncoder(save(packed(networks[-1])))
        for i, part in enumerate(parts):
            if fold[i] == held:
                found[i] = reader.read(*part)
    mean = {name: sum(weights[name] for weights in networks) / len(networks) for name in networks[0]}
    storage.write_bytes(storage.join(out, cross_encoder.FILE), save(packed(mean)))
    return found


def _write_readings(out: str, parts: Sequence[tuple[str, str]], readings: Sequence[Reading | None]) -> None:
    rows = {_key(part): answer for part, answer in zip(parts, readings, strict=True) if answer}
    storage.write_bytes(storage.join(out, FILE), readings_npz(rows))


def _training_pairs(
    shown: Sequence[tuple[Example, tuple[str, str]]], texts: Mapping[str, Text], settings: TrainSettings
) -> tuple[list[Labelled], list[Labelled]]:
    """Return what is read in every pass, and near, unrelated pairs of which every pass reads others."""
    chosen = settings.cross_encoder
    known = [(e, part) for e, part in shown if e.label in CLASSES]
    written = [(e, part) for e, part in known if e.origin == "written"]
    made = [(e, part) for e, part in known if e.origin not in ("written", *_NONE)]
    random.Random(settings.seed).shuffle(made)
    vectors = {name: text.whole for name, text in texts.items()}
    most = int(chosen.passes * chosen.hard_negatives * len(written))
    near = hard_negatives([e for e, _ in written], vectors, settings.seed)[:most]
    negatives = _labelled(zip(near, excerpts(near, texts), strict=True))
    return _labelled([*written, *made[: chosen.made]]), negatives


def _load_real(chosen: CrossEncoderSettings) -> list[Labelled]:
    examples = [e for path in chosen.real for e in read(path) if e.label in CLASSES]
    texts = {t.text: t for t in encoded(sorted({text for e in examples for text in (e.left, e.right)}))}
    return _labelled(zip(examples, excerpts(examples, texts), strict=True))


def _labelled(pairs: Iterable[tuple[Example, tuple[str, str]]]) -> list[Labelled]:
    return [Labelled(*part, CLASSES.index(e.label)) for e, part in pairs]


def readings_npz(rows: Mapping[str, Reading]) -> bytes:
    """Return readings by ``key`` as they are kept beside the data."""
    file = io.BytesIO()
    keys = sorted(rows)
    values = np.array([[rows[key][name] for name in READ_TOGETHER] for key in keys], dtype=np.float16)
    np.savez_compressed(file, keys=np.array(keys, dtype="S16"), values=values)
    return file.getvalue()


def _load_readings() -> dict[str, Reading]:
    with np.load(io.BytesIO((Path(str(resources.files("antinomy.train"))) / FILE).read_bytes())) as file:
        rows = zip(file["keys"].tolist(), file["values"].tolist(), strict=True)
        return {key.decode(): dict(zip(READ_TOGETHER, values, strict=True)) for key, values in rows}


def _key(part: tuple[str, str]) -> str:
    """Return what a pair's reading is kept under."""
    return hashlib.sha256("\0".join(part).encode()).hexdigest()[:16]
