"""The logits that a cross-encoder gives labelled pairs that it was not fitted on: features of the second network.

Logits of pairs that it was fitted on are overconfident, and would teach the second network to trust them too much. So
the packaged pairs were read by networks that were fitted without their file, and these logits are stored with the data.
All other pairs are read by the packaged network.
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
from antinomy.judge.fitted.cross_encoder import CrossEncoder, dequantised, quantised, weights_file
from antinomy.judge.fitted.decision import CLASSES, CROSS_ENCODER_FEATURES
from antinomy.judge.fitted.provision_pair import ProvisionPair
from antinomy.judge.fitted.texts import Text, encode
from antinomy.settings.train import TrainSettings
from antinomy.store import storage
from antinomy.train.cross_encoder import Trainer
from antinomy.train.network import Labelled, general_pairs
from antinomy.train.pairs import Example, hard_negatives, read

log = logging.getLogger("antinomy")

#: File of the logits of the packaged pairs, out of fold.
FILE = "readings.npz"
#: Origins of augmented pairs that the cross-encoder is not fitted on; it gets new unrelated pairs in each pass instead.
_UNRELATED_ORIGINS = ("unrelated", "hard_negatives")

#: Logits of CLASSES under the names CROSS_ENCODER_FEATURES.
Logits = dict[str, float]
#: The left and the right text of a pair that the cross-encoder reads.
Excerpt = tuple[str, str]


def excerpts(examples: Sequence[Example], texts: Mapping[str, Text]) -> list[Excerpt]:
    """Return the excerpts of each pair that the cross-encoder reads."""
    pairs = (ProvisionPair(texts[e.left], texts[e.right]).excerpt for e in examples)
    return [(pair.left.text, pair.right.text) for pair in pairs]


def real_pairs(paths: Sequence[str]) -> list[Labelled]:
    """Return labelled pairs of real provisions, cut to the excerpts that the judge reads.

    Args:
        paths: files as for ``train.pairs.read``.
    """
    examples = [e for path in paths for e in read(path) if e.label in CLASSES]
    texts = {text.text: text for text in encode(sorted({text for e in examples for text in (e.left, e.right)}))}
    return _labelled(zip(examples, excerpts(examples, texts), strict=True))


def packaged_logits(
    examples: Sequence[Example], read_texts: Sequence[Excerpt], packaged: Iterable[str]
) -> list[Logits | None]:
    """Return the logits of the packaged cross-encoder for pairs that it was not fitted on.

    Args:
        examples: the pairs, written and augmented.
        read_texts: of each pair, see ``excerpts``.
        packaged: names of the files that it was fitted on.

    Returns:
        Logits per pair; for a pair of such a file the stored ones. Where there are none: None for a pair that it was
        fitted on, and its logits for an unrelated pair, since it was fitted on others of the same texts.
    """
    stored, fitted_files = _load_stored(), set(packaged)
    model = cross_encoder.shared_cross_encoder("")

    def logits(example: Example, excerpt: Excerpt) -> Logits | None:
        found = stored.get(_key(excerpt)) if example.source in fitted_files else None
        is_new = example.source not in fitted_files or example.origin in _UNRELATED_ORIGINS
        return found or (model.logits(*excerpt) if is_new else None)

    return [logits(e, excerpt) for e, excerpt in zip(examples, read_texts, strict=True)]


def fit_anew(
    examples: Sequence[Example], read_texts: Sequence[Excerpt], texts: Mapping[str, Text], settings: TrainSettings
) -> list[Logits | None]:
    """Fit a cross-encoder without each fold, and return the logits that each gives the pairs of its fold.

    The mean of the networks' weights ("model soups", Wortsman et al. 2022) and the logits are written to ``out``.
    """
    chosen = settings.cross_encoder
    fold = _assign_folds(examples, chosen.folds)
    general = general_pairs(chosen.general)
    real = real_pairs(chosen.real)
    trainer = Trainer(chosen, settings.seed)
    trainer.warm_up(general)

    def fit(held_out: int) -> None:
        rest = [(e, excerpt) for e, excerpt, f in zip(examples, read_texts, fold, strict=True) if f != held_out]
        pairs, negatives = _training_pairs(rest, texts, settings)
        trainer.fit([*pairs, *real], negatives, general)

    logits: list[Logits | None] = [*_logits_out_of_fold(trainer, fit, fold, read_texts, settings.out)]
    _write_logits(settings.out, read_texts, logits)
    return logits


def fit_further(
    examples: Sequence[Example], read_texts: Sequence[Excerpt], texts: Mapping[str, Text],
    packaged: Iterable[str], settings: TrainSettings,
) -> list[Logits | None]:  # fmt: skip
    """Fine-tune the packaged cross-encoder on new files, a network without each fold of them.

    As many written pairs of the packaged files are read again, against forgetting, with hard negatives of both. The
    stored logits of the packaged files stay valid: the networks that gave them were not fitted on these pairs.
    """
    fitted_files = set(packaged)
    new = [i for i, e in enumerate(examples) if e.source not in fitted_files]
    chosen = settings.cross_encoder
    fold = _assign_folds([examples[i] for i in new], chosen.later)
    old = [
        (e, excerpt)
        for e, excerpt in zip(examples, read_texts, strict=True)
        if e.source in fitted_files and e.origin == "written" and e.label in CLASSES
    ]
    real = real_pairs(chosen.real)
    trainer = Trainer(chosen, settings.seed, dequantised(load(weights_file(""))))

    def fit(held_out: int) -> None:
        rest = [(examples[i], read_texts[i]) for i, f in zip(new, fold, strict=True) if f != held_out]
        written = sum(e.origin == "written" for e, _ in rest)
        repeated = random.Random(settings.seed + held_out).sample(old, min(written, len(old)))
        pairs, negatives = _training_pairs([*rest, *repeated], texts, settings)
        trainer.fit([*pairs, *real], negatives, [])

    new_logits = _logits_out_of_fold(trainer, fit, fold, [read_texts[i] for i in new], settings.out)
    stored = _load_stored()
    logits = [stored.get(_key(excerpt)) for excerpt in read_texts]
    for i, found in zip(new, new_logits, strict=True):
        logits[i] = found
    _write_logits(settings.out, read_texts, logits)
    return logits


def _assign_folds(examples: Sequence[Example], named: Sequence[Sequence[str]]) -> list[int]:
    """Return the fold of each pair.

    Args:
        examples: the pairs.
        named: for each fold the names of its files. Other files are dealt out over the folds as a whole, or by contrast
            set if there are fewer files than folds.
    """
    fold_of_file = {name: number for number, names in enumerate(named) for name in names}
    whole_files = len({e.source for e in examples}) >= len(named)

    def unit(e: Example) -> tuple[str, str]:
        return e.source, "" if whole_files else e.group

    units = sorted({unit(e) for e in examples if e.source not in fold_of_file})
    fold_of_unit = {place: number % len(named) for number, place in enumerate(units)}
    return [fold_of_file[e.source] if e.source in fold_of_file else fold_of_unit[unit(e)] for e in examples]


def _logits_out_of_fold(
    trainer: Trainer, fit: Callable[[int], None], fold: Sequence[int], read_texts: Sequence[Excerpt], out: str
) -> list[Logits]:
    """Fit a network without each fold and return its logits for the fold; write the mean of the networks' weights."""
    initial = trainer.snapshot()
    logits: list[Logits] = [{} for _ in read_texts]
    networks = []
    for held_out in sorted(set(fold)):
        log.info("cross-encoder without fold %d", held_out)
        trainer.restore(initial)
        fit(held_out)
        networks.append(trainer.weights())
        model = CrossEncoder(save(quantised(networks[-1])))
        for i, excerpt in enumerate(read_texts):
            if fold[i] == held_out:
                logits[i] = model.logits(*excerpt)
    mean = {name: sum(weights[name] for weights in networks) / len(networks) for name in networks[0]}
    storage.write_bytes(storage.join(out, cross_encoder.FILE), save(quantised(mean)))
    return logits


def _training_pairs(
    pairs: Sequence[tuple[Example, Excerpt]], texts: Mapping[str, Text], settings: TrainSettings
) -> tuple[list[Labelled], list[Labelled]]:
    """Return the pairs that are read in every pass, and hard negatives, of which every pass reads others."""
    chosen = settings.cross_encoder
    usable = [(e, excerpt) for e, excerpt in pairs if e.label in CLASSES]
    written = [(e, excerpt) for e, excerpt in usable if e.origin == "written"]
    augmented = [(e, excerpt) for e, excerpt in usable if e.origin not in ("written", *_UNRELATED_ORIGINS)]
    random.Random(settings.seed).shuffle(augmented)
    vectors = {name: text.vector for name, text in texts.items()}
    count = int(chosen.passes * chosen.hard_negatives * len(written))
    negatives = hard_negatives([e for e, _ in written], vectors, settings.seed)[:count]
    return (
        _labelled([*written, *augmented[: chosen.made]]),
        _labelled(zip(negatives, excerpts(negatives, texts), strict=True)),
    )


def _labelled(pairs: Iterable[tuple[Example, Excerpt]]) -> list[Labelled]:
    return [Labelled(*excerpt, CLASSES.index(e.label)) for e, excerpt in pairs]


def _write_logits(out: str, read_texts: Sequence[Excerpt], logits: Sequence[Logits | None]) -> None:
    rows = {_key(excerpt): found for excerpt, found in zip(read_texts, logits, strict=True) if found}
    keys = sorted(rows)
    values = np.array([[rows[key][name] for name in CROSS_ENCODER_FEATURES] for key in keys], dtype=np.float16)
    file = io.BytesIO()
    np.savez_compressed(file, keys=np.array(keys, dtype="S16"), values=values)
    storage.write_bytes(storage.join(out, FILE), file.getvalue())


def _load_stored() -> dict[str, Logits]:
    """Return the stored logits of the packaged pairs by key."""
    with np.load(io.BytesIO((Path(str(resources.files("antinomy.train"))) / FILE).read_bytes())) as file:
        rows = zip(file["keys"].tolist(), file["values"].tolist(), strict=True)
        return {key.decode(): dict(zip(CROSS_ENCODER_FEATURES, values, strict=True)) for key, values in rows}


def _key(excerpt: Excerpt) -> str:
    """Return the key of a pair's stored logits, a hash of the texts that were read."""
    return hashlib.sha256("\0".join(excerpt).encode()).hexdigest()[:16]
