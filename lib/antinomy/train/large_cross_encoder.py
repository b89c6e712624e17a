"""Fine-tuning of the larger cross-encoder by low-rank matrices (LoRA: Hu et al., arXiv 2106.09685).

A network of this size learns from few pairs that some provisions are in conflict with anything ("nothing shall leave
the premises"). So most of the unrelated pairs that it reads contain a text that is in conflict with another.
"""

from __future__ import annotations

import logging
import math
import random
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from safetensors.numpy import save

from antinomy.judge.fitted.cross_encoder import TOKENS, quantised
from antinomy.judge.fitted.decision import CLASSES
from antinomy.judge.fitted.large_cross_encoder import DOWN, HEAD, SHARES, UP
from antinomy.run import base_model
from antinomy.settings.train import LargeCrossEncoderSettings
from antinomy.train.cross_encoder import GENERAL, GENERAL_TOKENS, Labelled, general_pairs, in_random_order
from antinomy.train.pairs import Example, hard_negatives, padded

if TYPE_CHECKING:
    from numpy.typing import NDArray

log = logging.getLogger("antinomy")

#: Share of the steps in which the learning rate rises linearly; it falls linearly over the rest.
_WARM_UP_SHARE = 0.05
#: Learning rate of the output layers, which start from random weights.
_HEAD_LEARNING_RATE = 1e-3
_LABEL_SMOOTHING = 0.05
#: Factor of the product of two matrices ("alpha / r" in the paper).
_SCALE = 2.0
#: Longest pair, in characters, that is padded: the rest would be cut off.
_SHORT_CHARS = 700
#: Characters by which the lengths of pairs in one batch may differ at random.
_LENGTH_NOISE = 60


@dataclass(frozen=True)
class _Step:
    """A batch, and whether its pairs are general ones."""

    pairs: Sequence[Labelled]
    general: bool


def fit(
    examples: Sequence[Example], vectors: Mapping[str, NDArray[np.float32]], settings: LargeCrossEncoderSettings,
    seed: int,
) -> bytes:  # fmt: skip
    """Fit the adapter in a single pass.

    Args:
        examples: labelled pairs; those of the files in ``left_out`` are not read.
        vectors: of each text, of shape (dim,) and unit length.
        settings: see there.
        seed: of the random choices and first weights.

    Returns:
        The adapter as ``judge.fitted.large_cross_encoder`` reads it.

    Raises:
        EnvironmentFault: if the base is not installed.
    """
    import torch

    torch.manual_seed(seed)
    rng = random.Random(seed)
    read = [e for e in examples if e.source not in settings.left_out and e.label in CLASSES]
    found = _training_pairs(read, vectors, settings, seed)
    pairs = [in_random_order(pair, rng) for pair in rng.sample(found, min(len(found), settings.pairs))]
    general = general_pairs(settings.general)
    steps = [_Step(batch, False) for batch in _batches(pairs, settings.batch, rng)]
    steps += [
        _Step(batch, True)
        for batch in _batches(rng.sample(general, min(len(general), settings.general_pairs)), settings.batch, rng)
    ]
    rng.shuffle(steps)
    trainer = _Trainer(settings)
    trainer.fit(steps)
    counts = Counter(pair.label for pair in pairs)
    shares = np.array([counts[i] / len(pairs) for i in range(len(CLASSES))], dtype=np.float32)
    return save(quantised(trainer.adapter()) | {SHARES: shares})


def _training_pairs(
    examples: Sequence[Example], vectors: Mapping[str, NDArray[np.float32]], settings: LargeCrossEncoderSettings,
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


def _batches(pairs: Sequence[Labelled], size: int, rng: random.Random) -> list[Sequence[Labelled]]:
    ordered = sorted(pairs, key=lambda pair: len(pair.left) + len(pair.right) + rng.random() * _LENGTH_NOISE)
    return [ordered[i : i + size] for i in range(0, len(ordered), size)]


class _Trainer:
    """The network during training: the frozen base, low-rank matrices in its upper layers, and two output layers."""

    def __init__(self, settings: LargeCrossEncoderSettings) -> None:
        import torch
        from transformers import AutoModel, AutoTokenizer
        from transformers.utils import logging as transformers_logging

        transformers_logging.disable_progress_bar()  # type: ignore[no-untyped-call]
        self._settings = settings
        folder = base_model.installed_folder()
        self._device = "cuda" if torch.cuda.is_available() else "cpu"
        self._tokenizer: Any = AutoTokenizer.from_pretrained(folder, model_max_length=TOKENS)
        self._body: Any = AutoModel.from_pretrained(folder, add_pooling_layer=False, dtype=torch.bfloat16)
        # Dropout inside the network would take a third of the time.
        self._body.eval().to(self._device)
        for parameter in self._body.parameters():
            parameter.requires_grad = False
        self._down: dict[str, Any] = {}
        self._up: dict[str, Any] = {}
        for number, layer in enumerate(self._body.encoder.layer):
            if number >= settings.frozen_layers:
                for name, module in layer.named_modules():
                    if isinstance(module, torch.nn.Linear):
                        self._add_matrices(f"encoder.layer.{number}.{name}", module)
        size = 2 * self._body.config.hidden_size
        self._head: Any = torch.nn.Linear(size, len(CLASSES), device=self._device)
        self._general: Any = torch.nn.Linear(size, len(GENERAL), device=self._device)
        self._dropout = torch.nn.Dropout(0.1)

    def fit(self, steps: Sequence[_Step]) -> None:
        """Fit on the batches, in their order."""
        import torch

        heads = [*self._head.parameters(), *self._general.parameters()]
        matrices = [*self._down.values(), *self._up.values()]
        rates = (self._settings.rate, _HEAD_LEARNING_RATE)
        optimizer = torch.optim.AdamW(
            [{"params": matrices, "lr": rates[0]}, {"params": heads, "lr": rates[1]}], weight_decay=0.01
        )
        began = time.monotonic()
        for number, step in enumerate(steps):
            progress = number / len(steps)
            factor = progress / _WARM_UP_SHARE if progress < _WARM_UP_SHARE else (1 - progress) / (1 - _WARM_UP_SHARE)
            for group, peak in zip(optimizer.param_groups, rates, strict=True):
                group["lr"] = peak * factor
            labels = torch.tensor([pair.label for pair in step.pairs], device=self._device)
            smoothing = 0.0 if step.general else _LABEL_SMOOTHING
            loss = torch.nn.functional.cross_entropy(self._logits(step), labels, label_smoothing=smoothing)
            optimizer.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            torch.nn.utils.clip_grad_norm_([*matrices, *heads], 1.0)
            optimizer.step()
            if number % 100 == 99:
                log.info("batch %d of %d after %.0f s", number + 1, len(steps), time.monotonic() - began)

    def adapter(self) -> dict[str, NDArray[np.float32]]:
        """Return the matrices and the output layer for CLASSES by name."""
        found = {name + DOWN: matrix * _SCALE for name, matrix in self._down.items()}
        found |= {name + UP: matrix for name, matrix in self._up.items()}
        found |= {f"{HEAD}.{name}": value for name, value in self._head.state_dict().items()}
        return {name: value.detach().float().cpu().numpy() for name, value in found.items()}

    def _add_matrices(self, name: str, module: Any) -> None:
        """Add the product of two trained matrices to a frozen linear layer; it is zero at first."""
        import torch

        rank = self._settings.rank
        down = torch.nn.Parameter(torch.empty(rank, module.in_features, device=self._device))
        up = torch.nn.Parameter(torch.zeros(module.out_features, rank, device=self._device))
        torch.nn.init.kaiming_uniform_(down, a=math.sqrt(5))
        self._down[name], self._up[name] = down, up

        def added(_: Any, inputs: tuple[Any], output: Any) -> Any:
            (x,) = inputs
            linear = torch.nn.functional.linear
            return output + linear(linear(x, down.to(x.dtype) * _SCALE), up.to(x.dtype))

        module.register_forward_hook(added)

    def _logits(self, step: _Step) -> Any:
        import torch

        inputs = self._tokenizer(
            [pair.left for pair in step.pairs], [pair.right for pair in step.pairs], truncation="longest_first",
            max_length=GENERAL_TOKENS if step.general else TOKENS, padding=True, return_tensors="pt",
        ).to(self._device)  # fmt: skip
        states = self._body(**inputs).last_hidden_state.float()
        mask = inputs["attention_mask"].unsqueeze(-1)
        mean = (states * mask).sum(1) / mask.sum(1)
        head = self._general if step.general else self._head
        return head(self._dropout(torch.cat([states[:, 0], mean], -1)))
