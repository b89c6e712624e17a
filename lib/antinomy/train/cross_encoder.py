"""Fine-tuning of the cross-encoder by low-rank matrices (LoRA: Hu et al., arXiv 2106.09685).

A network of this size learns from few pairs that some provisions are in conflict with anything ("nothing shall leave
the premises"). So most of the unrelated pairs that it reads contain a text that is in conflict with another.

Where a fitted adapter is fitted further, the mean of the weights before and after forgets less of the old pairs than
the weights after (Wortsman et al., arXiv 2109.01903).
"""

from __future__ import annotations

import logging
import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from safetensors.numpy import load, save

from antinomy.judge.fitted.cross_encoder import (
    HEAD,
    MIRRORED_CLASSES,
    SHARES,
    adapter_file,
    dequantised,
    keep_layers,
    layers_of,
    quantised,
)
from antinomy.judge.fitted.decision import CLASSES
from antinomy.judge.fitted.provision_pair import ProvisionPair
from antinomy.judge.fitted.texts import encode
from antinomy.run import base_model
from antinomy.settings.train import CrossEncoderSettings
from antinomy.train import low_rank
from antinomy.train.network import Labelled, Network, Step, batches, device, general_pairs, varied
from antinomy.train.pairs import Example, hard_negatives, padded, read

if TYPE_CHECKING:
    from numpy.typing import NDArray

log = logging.getLogger("antinomy")

#: Longest pair, in characters, that is padded: the rest would be cut off.
_SHORT_CHARS = 700


def fit(
    examples: Sequence[Example], vectors: Mapping[str, NDArray[np.float32]], settings: CrossEncoderSettings,
    seed: int,
) -> bytes:  # fmt: skip
    """Fit the adapter.

    Args:
        examples: labelled pairs; those of the files in ``left_out`` are not read.
        vectors: of each text, of shape (dim,) and unit length.
        settings: see there.
        seed: of the random choices and first weights.

    Returns:
        The adapter as ``judge.fitted.cross_encoder`` reads it.

    Raises:
        EnvironmentFault: if the base is not installed.
    """
    import torch

    chosen = [e for e in examples if e.source not in settings.left_out and e.label in CLASSES]
    found = _Pairs(
        _training_pairs(chosen, vectors, settings, seed), further_pairs(settings.further),
        general_pairs(settings.general),
    )  # fmt: skip
    torch.manual_seed(seed)
    last, steps = (_continue if settings.fit == "continued" else _fit_anew)(found, settings, seed)
    counts = Counter(pair.label for step in steps if not step.general for pair in step.pairs)
    shares = np.array([counts[i] / counts.total() for i in range(len(CLASSES))], dtype=np.float32)
    # Which side is the left one was drawn by lot: exchanged sides must give mirrored verdicts.
    mirrored = ((shares + shares[list(MIRRORED_CLASSES)]) / 2).astype(np.float32)
    adapter = {**last.adapter(), SHARES: mirrored}
    if settings.fit == "continued":
        adapter = _mean(_packaged(), adapter, settings.kept)
    kept_shares = adapter.pop(SHARES)
    return save(quantised(adapter) | {SHARES: kept_shares})


def _mean(
    first: Mapping[str, NDArray[np.float32]], second: Mapping[str, NDArray[np.float32]], weight: float
) -> dict[str, NDArray[np.float32]]:
    """Return the mean of two adapters, with this weight of the first one."""
    return {name: (weight * first[name] + (1 - weight) * second[name]).astype(np.float32) for name in second}


def _packaged() -> dict[str, NDArray[np.float32]]:
    return dequantised(load(adapter_file("")))


def _continue(found: _Pairs, settings: CrossEncoderSettings, seed: int) -> tuple[_Trainer, list[Step]]:
    """Fit the packaged adapter further; return it with the batches that it read."""
    trainer = _Trainer(settings, _packaged())
    steps = found.steps(settings, random.Random(seed))
    log.info("packaged adapter, continued: %d batches", len(steps))
    trainer.optimise(steps, settings.rate, head_rate=settings.rate)
    return trainer, steps


def _fit_anew(found: _Pairs, settings: CrossEncoderSettings, seed: int) -> tuple[_Trainer, list[Step]]:
    """Fit adapters one after the other; return the last one with the batches that it read."""
    import torch

    fitted: list[_Trainer] = []
    for number in range(settings.adapters):
        torch.manual_seed(seed + number)
        steps = found.steps(settings, random.Random(seed + number))
        trainer = _Trainer(settings)
        log.info("adapter %d of %d: %d batches", number + 1, settings.adapters, len(steps))
        # One teacher alone would hand on its errors.
        trainer.optimise(steps, settings.rate, fitted if len(fitted) > 1 else ())
        fitted.append(trainer)
    last = fitted[-1]
    if settings.layers < len(last.body.encoder.layer):
        steps = found.steps(settings, random.Random(seed + settings.adapters))
        log.info("adapter of %d layers: %d batches", settings.layers, len(steps))
        shortened = _Trainer(settings, last.adapter(), settings.layers)
        shortened.optimise(steps, settings.rate, (last,))
        last = shortened
    return last, steps


@dataclass(frozen=True)
class _Pairs:
    """What is read: pairs of ``data`` and those made from them, further pairs, and general inference pairs."""

    written: list[Labelled]
    further: list[Labelled]
    general: list[Labelled]

    def steps(self, settings: CrossEncoderSettings, rng: random.Random) -> list[Step]:
        """Return the batches of all passes in random order within each pass."""
        found: list[Step] = []
        for _ in range(settings.passes):
            pairs = [varied(pair, rng) for pair in (*_draw(self.written, settings.pairs, rng), *self.further)]
            batched = [Step(batch) for batch in batches(pairs, settings.batch, rng)]
            inference = _draw(self.general, settings.general_pairs, rng)
            batched += [Step(batch, general=True) for batch in batches(inference, settings.batch, rng)]
            rng.shuffle(batched)
            found += batched
        return found


def _draw(pairs: list[Labelled], most: int, rng: random.Random) -> list[Labelled]:
    return rng.sample(pairs, min(len(pairs), most))


def further_pairs(paths: Sequence[str]) -> list[Labelled]:
    """Return labelled pairs of files, cut to the excerpts that the judge reads.

    Args:
        paths: files as for ``train.pairs.read``.
    """
    examples = [e for path in paths for e in read(path) if e.label in CLASSES]
    texts = {text.text: text for text in encode(sorted({text for e in examples for text in (e.left, e.right)}))}
    excerpts = [ProvisionPair(texts[e.left], texts[e.right]).excerpt for e in examples]
    return [
        Labelled(x.left.text, x.right.text, CLASSES.index(e.label), e.headings)
        for e, x in zip(examples, excerpts, strict=True)
    ]


def _training_pairs(
    examples: Sequence[Example], vectors: Mapping[str, NDArray[np.float32]], settings: CrossEncoderSettings,
    seed: int,
) -> list[Labelled]:  # fmt: skip
    """Return the written pairs with unrelated and padded ones."""
    rng = random.Random(seed)
    in_conflict = {text for e in examples if e.label == "conflict" for text in (e.left, e.right)}
    negatives = hard_negatives(examples, vectors, seed)
    of_conflicts = [e for e in negatives if e.left in in_conflict or e.right in in_conflict]
    others = [e for e in negatives if e.left not in in_conflict and e.right not in in_conflict]
    chosen, rest = of_conflicts[: settings.negatives_of_conflicts], of_conflicts[settings.negatives_of_conflicts :]
    made = [*chosen, *others[: settings.negatives]]
    for pool, most in ((examples, settings.padded), (rest, settings.padded_negatives)):
        short = [e for e in pool if len(e.left) + len(e.right) < _SHORT_CHARS]
        made += padded(rng.sample(short, min(most, len(short))), seed)
    return [Labelled(e.left, e.right, CLASSES.index(e.label)) for e in (*examples, *made)]


class _Trainer(Network):
    """The network during training: the frozen base with low-rank matrices."""

    def __init__(
        self, settings: CrossEncoderSettings, start: Mapping[str, NDArray[np.float32]] | None = None, layers: int = 12
    ) -> None:
        """Load the base and add matrices.

        Args:
            settings: see there.
            start: an adapter to start from, as ``adapter`` returns it.
            layers: number of its lower layers to take, at most as many as it has.
        """
        import torch

        super().__init__(str(base_model.installed_folder()), dtype=base_model.number_type(device()))
        if start:
            keep_layers(self.body, min(layers, layers_of(start)))
        rank = low_rank.rank_of(start) if start else settings.rank
        low_rank.add_matrices(self.body, self.body.encoder.layer, rank)
        if start:
            low_rank.set_matrices(self.body, start)
            self.head.load_state_dict({name: torch.from_numpy(start[f"{HEAD}.{name}"]) for name in ("weight", "bias")})

    def adapter(self) -> dict[str, NDArray[np.float32]]:
        """Return the matrices and the output layer for CLASSES by name."""
        output = {
            f"{HEAD}.{name}": value.detach().float().cpu().numpy() for name, value in self.head.named_parameters()
        }
        return low_rank.matrices(self.body) | output
