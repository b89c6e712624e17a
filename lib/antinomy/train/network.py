"""The network of the cross-encoder during training: pairs, batches, output layers, and the steps of the fit."""

from __future__ import annotations

import logging
import random
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from antinomy.judge.fitted.cross_encoder import MIRRORED_CLASSES, TOKENS, with_heading
from antinomy.judge.fitted.decision import CLASSES
from antinomy.store import records

log = logging.getLogger("antinomy")

#: Labels of general inference pairs; they mean the same as those of provisions.
_GENERAL = ("conflict", "overlap", "none")
#: Greatest number of tokens of a general pair; general pairs are short.
_GENERAL_TOKENS = 96
#: Share of the steps in which the learning rate rises linearly; it falls linearly over the rest.
_WARM_UP_SHARE = 0.04
#: Learning rate of output layers that start from random weights.
NEW_HEAD_RATE = 1e-3
_LABEL_SMOOTHING = 0.05
_DROPOUT = 0.1
#: Span of the exponential moving average of the weights, which is what is kept, as a share of the steps.
_AVERAGED_SHARE = 0.06
#: Weight of the teachers' opinion against the label.
_TEACHERS_WEIGHT = 0.7
#: Share of the pairs that are read behind their headings; not every provision has one.
_HEADINGS_SHARE = 0.8
#: Characters by which the lengths of pairs in one batch may differ at random.
_LENGTH_NOISE = 60
#: Length, in characters, beyond which a pair is cut off: about TOKENS.
_MAX_CHARS = 1200


@dataclass(frozen=True)
class Labelled:
    """A pair of texts with their headings, "" for none, and the index of its label."""

    left: str
    right: str
    label: int
    headings: tuple[str, str] = ("", "")


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


def varied(pair: Labelled, rng: random.Random) -> Labelled:
    """Return a pair as it is read in one pass: mostly behind its headings, in half of all cases the other way round."""
    left, right = pair.left, pair.right
    if rng.random() < _HEADINGS_SHARE:
        left, right = map(with_heading, pair.headings, (left, right))
    if rng.random() < 0.5:
        return Labelled(right, left, MIRRORED_CLASSES[pair.label])
    return Labelled(left, right, pair.label)


def batches(pairs: Sequence[Labelled], chars: int, rng: random.Random) -> list[list[Labelled]]:
    """Return batches of pairs with similar lengths, the batches in random order.

    Args:
        pairs: to be read once each.
        chars: greatest size of a batch, each pair counted with the length of the longest.
        rng: of the random order.
    """
    ordered = sorted(pairs, key=lambda pair: _length(pair) + rng.random() * _LENGTH_NOISE)
    found: list[list[Labelled]] = [[]]
    longest = 0
    for pair in ordered:
        longest = max(longest, _length(pair))
        if found[-1] and longest * (len(found[-1]) + 1) > chars:
            found.append([])
            longest = _length(pair)
        found[-1].append(pair)
    rng.shuffle(found)
    return [batch for batch in found if batch]


def _length(pair: Labelled) -> int:
    return min(len(pair.left) + len(pair.right), _MAX_CHARS)


def device() -> str:
    """Return where networks are fitted: on the GPU where there is one."""
    import torch

    return "cuda" if torch.cuda.is_available() else "cpu"


class Network:
    """A transformer with an output layer for CLASSES and one for general pairs.

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
        self._device = device()
        self._tokenizer: Any = AutoTokenizer.from_pretrained(folder)
        self.body: Any = AutoModel.from_pretrained(folder, add_pooling_layer=False, **options).to(self._device)
        size = 2 * self.body.config.hidden_size
        self.head: Any = torch.nn.Linear(size, len(CLASSES)).to(self._device)
        self.general: Any = torch.nn.Linear(size, len(_GENERAL)).to(self._device)

    def optimise(
        self, steps: Sequence[Step], rate: float, teachers: Sequence[Network] = (), head_rate: float = NEW_HEAD_RATE
    ) -> None:  # fmt: skip
        """Fit what requires a gradient, step by step, and keep the moving average of its weights.

        Args:
            steps: in their order.
            rate: highest learning rate of the transformer.
            teachers: fitted networks, whose mean opinion on a provision pair is learned besides its label (ensemble
                distillation: Hinton et al., arXiv 1503.02531).
            head_rate: highest learning rate of the output layers.
        """
        import torch

        heads = [*self.head.parameters(), *self.general.parameters()]
        layers = [p for p in self.body.parameters() if p.requires_grad]
        rates = (rate, head_rate)
        optimizer = torch.optim.AdamW(
            [{"params": layers, "lr": rate}, {"params": heads, "lr": head_rate}], weight_decay=0.01,
            betas=(0.9, 0.98),
        )  # fmt: skip
        fitted = [*layers, *heads]
        averages = [p.detach().clone() for p in fitted]
        renewed = min(1.0, 1 / (_AVERAGED_SHARE * len(steps)))
        self.body.train()
        began = time.monotonic()
        for number, step in enumerate(steps):
            progress = number / len(steps)
            factor = progress / _WARM_UP_SHARE if progress < _WARM_UP_SHARE else (1 - progress) / (1 - _WARM_UP_SHARE)
            for group, peak in zip(optimizer.param_groups, rates, strict=True):
                group["lr"] = peak * factor
            loss = torch.nn.functional.cross_entropy(
                self.logits(step, _DROPOUT), self._targets(step, teachers),
                label_smoothing=0.0 if step.general or teachers else _LABEL_SMOOTHING,
            )  # fmt: skip
            optimizer.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            torch.nn.utils.clip_grad_norm_(fitted, 1.0)
            optimizer.step()
            with torch.no_grad():
                for average, weights in zip(averages, fitted, strict=True):
                    average.lerp_(weights, renewed)
            if number % 100 == 99:
                log.info("batch %d of %d after %.0f s", number + 1, len(steps), time.monotonic() - began)
        self.body.eval()
        with torch.no_grad():
            for weights, average in zip(fitted, averages, strict=True):
                weights.copy_(average)

    def _targets(self, step: Step, teachers: Sequence[Network]) -> Any:
        """Return the labels of a step, or probabilities of the classes where there are teachers."""
        import torch

        labels = torch.tensor([pair.label for pair in step.pairs], device=self._device)
        if step.general or not teachers:
            return labels
        with torch.no_grad():
            opinion = torch.stack([teacher.logits(step) for teacher in teachers]).mean(0).softmax(-1)
        written = torch.nn.functional.one_hot(labels, len(CLASSES)).float()
        smoothed = written * (1 - _LABEL_SMOOTHING) + _LABEL_SMOOTHING / len(CLASSES)
        return _TEACHERS_WEIGHT * opinion + (1 - _TEACHERS_WEIGHT) * smoothed

    def logits(self, step: Step, dropout: float = 0.0) -> Any:
        """Return the logits of CLASSES, or of the labels of general pairs; shape (pairs, classes)."""
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
            logits = head(torch.nn.functional.dropout(torch.cat([states[:, 0], mean], -1), dropout))
        return logits.float()
