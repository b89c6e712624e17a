"""The network of the cross-encoder during training: pairs, batches, output layers, and the steps of the fit."""

from __future__ import annotations

import logging
import random
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from antinomy.judge.fitted.cross_encoder import MIRRORED_CLASSES, TOKENS
from antinomy.judge.fitted.decision import CLASSES
from antinomy.store import records

log = logging.getLogger("antinomy")

#: Labels of general inference pairs; they mean the same as those of provisions.
_GENERAL = ("conflict", "overlap", "none")
#: Greatest number of tokens of a general pair; general pairs are short.
_GENERAL_TOKENS = 96
#: Share of the steps in which the learning rate rises linearly; it falls linearly over the rest.
_WARM_UP_SHARE = 0.06
#: Learning rate of the output layers, which start from random weights.
_HEAD_LEARNING_RATE = 1e-3
_LABEL_SMOOTHING = 0.05
#: Characters by which the lengths of pairs in one batch may differ at random.
_LENGTH_NOISE = 60


@dataclass(frozen=True)
class Labelled:
    """A pair of texts and the index of its label."""

    left: str
    right: str
    label: int


@dataclass(frozen=True)
class Step:
    """Pairs that are read at once, and whether they are general inference pairs or provisions."""

    pairs: Sequence[Labelled]
    general: bool = False


def general_pairs(paths: Sequence[str]) -> list[Labelled]:
    """Read general inference pairs.

    Args:
        paths: JSON lines with ``left``, ``right`` and ``relation``, one of conflict, overlap, none.

    Raises:
        AntinomyError: for a file that is not like this.
    """
    known = records.choice_check("relation", _GENERAL)
    return [
        Labelled(row["left"], row["right"], _GENERAL.index(row["relation"]))
        for path in paths
        for row in records.read(path, ("left", "right"), known)
    ]


def in_random_order(pair: Labelled, rng: random.Random) -> Labelled:
    """Return a pair of provisions, in half of all cases with its sides exchanged."""
    return Labelled(pair.right, pair.left, MIRRORED_CLASSES[pair.label]) if rng.random() < 0.5 else pair


def batches(pairs: Sequence[Labelled], size: int, rng: random.Random) -> list[Sequence[Labelled]]:
    """Return batches of pairs with similar lengths, the batches in random order."""
    ordered = sorted(pairs, key=lambda pair: len(pair.left) + len(pair.right) + rng.random() * _LENGTH_NOISE)
    found: list[Sequence[Labelled]] = [ordered[i : i + size] for i in range(0, len(ordered), size)]
    rng.shuffle(found)
    return found


class Network:
    """A transformer with an output layer for CLASSES and one for general pairs, on the GPU where there is one.

    Attributes:
        body: the transformer; what of it is fitted requires a gradient.
        head, general: the output layers.
    """

    def __init__(self, folder: str, **options: Any) -> None:
        """Load the transformer and its tokenizer from a folder.

        Args:
            folder: see above.
            options: for transformers' ``from_pretrained``.
        """
        import torch
        from transformers import AutoModel, AutoTokenizer
        from transformers.utils import logging as transformers_logging

        transformers_logging.disable_progress_bar()  # type: ignore[no-untyped-call]
        self._device = "cuda" if torch.cuda.is_available() else "cpu"
        self._tokenizer: Any = AutoTokenizer.from_pretrained(folder)
        self.body: Any = AutoModel.from_pretrained(folder, add_pooling_layer=False, **options).to(self._device)
        size = 2 * self.body.config.hidden_size
        self.head: Any = torch.nn.Linear(size, len(CLASSES)).to(self._device)
        self.general: Any = torch.nn.Linear(size, len(_GENERAL)).to(self._device)
        self._dropout = torch.nn.Dropout(0.1)

    def optimise(self, steps: Sequence[Step], rate: float) -> None:
        """Fit what requires a gradient, step by step.

        Args:
            steps: in their order.
            rate: highest learning rate of the transformer.
        """
        import torch

        heads = [*self.head.parameters(), *self.general.parameters()]
        layers = [p for p in self.body.parameters() if p.requires_grad]
        rates = (rate, _HEAD_LEARNING_RATE)
        optimizer = torch.optim.AdamW(
            [{"params": layers, "lr": rate}, {"params": heads, "lr": _HEAD_LEARNING_RATE}], weight_decay=0.01
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
            torch.nn.utils.clip_grad_norm_([*layers, *heads], 1.0)
            optimizer.step()
            if number % 100 == 99:
                log.info("batch %d of %d after %.0f s", number + 1, len(steps), time.monotonic() - began)

    def _logits(self, step: Step) -> Any:
        import torch

        inputs = self._tokenizer(
            [pair.left for pair in step.pairs], [pair.right for pair in step.pairs], truncation=True,
            max_length=_GENERAL_TOKENS if step.general else TOKENS, padding=True, return_tensors="pt",
        ).to(self._device)  # fmt: skip
        # Most CPUs emulate bfloat16, ten times slower than float32.
        with torch.autocast(self._device, torch.bfloat16, enabled=self._device == "cuda"):
            states = self.body(**inputs).last_hidden_state.float()
            mask = inputs["attention_mask"].unsqueeze(-1)
            mean = (states * mask).sum(1) / mask.sum(1)
            head = self.general if step.general else self.head
            logits = head(self._dropout(torch.cat([states[:, 0], mean], -1)))
        return logits.float()
