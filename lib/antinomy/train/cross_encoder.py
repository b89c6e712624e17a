"""Fine-tuning of the cross-encoder: first on general inference pairs, then on labelled pairs of provisions.

General pairs teach contradiction on far more sentences than there are labelled provisions; some of them are read again
throughout, against forgetting. Word embeddings are frozen, so that words outside the labelled pairs keep their meaning.
"""

from __future__ import annotations

import json
import logging
import random
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from antinomy.embed.encoder import PACKAGED, model_path
from antinomy.errors import AntinomyError
from antinomy.judge.fitted.cross_encoder import MIRRORED_CLASSES, TOKENS
from antinomy.judge.fitted.decision import CLASSES
from antinomy.settings.train import CrossEncoderSettings
from antinomy.store import storage

if TYPE_CHECKING:
    from numpy.typing import NDArray

log = logging.getLogger("antinomy")

#: Labels of general inference pairs; they mean the same as those of provisions.
GENERAL = ("conflict", "overlap", "none")
#: Greatest number of tokens of a general pair; general pairs are short.
GENERAL_TOKENS = 96
#: Number of batches of provisions per batch of general pairs.
_GENERAL_EVERY = 6
#: Share of the steps in which the learning rate rises linearly; it falls linearly over the rest.
_WARM_UP_SHARE = 0.06
#: Learning rate of the output layers, which start from random weights.
_HEAD_LEARNING_RATE = 1e-3
_LABEL_SMOOTHING = 0.05


@dataclass(frozen=True)
class Labelled:
    """A pair of texts and the index of its label."""

    left: str
    right: str
    label: int


def general_pairs(paths: Sequence[str]) -> list[Labelled]:
    """Read general inference pairs.

    Args:
        paths: JSON lines with ``left``, ``right`` and ``relation``, one of conflict, overlap, none.

    Raises:
        AntinomyError: for another relation.
    """
    pairs = []
    for path in paths:
        for number, line in enumerate(storage.read_bytes(path).decode().splitlines(), 1):
            row = json.loads(line)
            if row["relation"] not in GENERAL:
                raise AntinomyError(f"{path}, line {number}: relation must be one of {', '.join(GENERAL)}")
            pairs.append(Labelled(row["left"], row["right"], GENERAL.index(row["relation"])))
    return pairs


class Trainer:
    """The network during training: the packaged encoder, an output layer for CLASSES and one for general pairs."""

    def __init__(
        self,
        settings: CrossEncoderSettings,
        seed: int,
        initial_weights: Mapping[str, NDArray[np.float32]] | None = None,
    ) -> None:
        """Start from the packaged encoder, or from the weights of a cross-encoder."""
        import torch
        from transformers import AutoModel, AutoTokenizer

        torch.manual_seed(seed)
        self._random = random.Random(seed)
        self._settings = settings
        self._device = "cuda" if torch.cuda.is_available() else "cpu"
        self._tokenizer: Any = AutoTokenizer.from_pretrained(model_path(PACKAGED))
        self._body: Any = AutoModel.from_pretrained(model_path(PACKAGED), add_pooling_layer=False).to(self._device)
        for parameter in self._body.embeddings.parameters():
            parameter.requires_grad = False
        size = 2 * self._body.config.hidden_size
        self._head: Any = torch.nn.Linear(size, len(CLASSES)).to(self._device)
        self._general: Any = torch.nn.Linear(size, len(GENERAL)).to(self._device)
        self._dropout = torch.nn.Dropout(0.1)
        if initial_weights is not None:
            tensors = {name: torch.from_numpy(value) for name, value in initial_weights.items()}
            self._head.load_state_dict({name: tensors.pop(f"head.{name}") for name in ("weight", "bias")})
            self._body.load_state_dict(tensors, strict=False)

    def warm_up(self, pairs: Sequence[Labelled]) -> None:
        """Fit on general pairs, in one pass."""
        batches = self._batches(pairs, self._settings.general_batch)
        self._fit([(batch, self._general, GENERAL_TOKENS) for batch in batches], self._settings.general_rate)

    def fit(self, pairs: Sequence[Labelled], hard_negatives: Sequence[Labelled], general: Sequence[Labelled]) -> None:
        """Fit on labelled pairs of provisions, in random order of the sides, with some general pairs between them.

        Args:
            pairs: read in every pass.
            hard_negatives: unrelated pairs; each pass reads a part of them.
            general: general inference pairs.
        """
        steps = []
        passes = self._settings.passes
        for current in range(passes):
            in_this_pass = [*pairs, *hard_negatives[current::passes]]
            for number, batch in enumerate(self._batches(in_this_pass, self._settings.batch)):
                steps.append(([in_random_order(pair, self._random) for pair in batch], self._head, TOKENS))
                if general and number % _GENERAL_EVERY == 0:
                    sample = self._random.sample(general, min(len(general), self._settings.batch))
                    steps.append((sample, self._general, GENERAL_TOKENS))
        self._fit(steps, self._settings.rate)

    def weights(self) -> dict[str, NDArray[np.float32]]:
        """Return the weights under their names in ``judge.fitted.cross_encoder``."""
        layers = {name: value for name, value in self._body.state_dict().items() if name.startswith("encoder.")}
        layers |= {f"head.{name}": value for name, value in self._head.state_dict().items()}
        return {name: value.detach().float().cpu().numpy() for name, value in layers.items()}

    def snapshot(self) -> Any:
        """Return a copy of all parameters."""
        parts = (self._body, self._head, self._general)
        return [{name: value.clone() for name, value in factor.state_dict().items()} for factor in parts]

    def restore(self, snapshot: Any) -> None:
        """Restore the parameters of a snapshot."""
        for factor, state in zip((self._body, self._head, self._general), snapshot, strict=True):
            factor.load_state_dict(state)

    def _batches(self, pairs: Sequence[Labelled], size: int) -> list[list[Labelled]]:
        """Return batches of pairs with similar lengths, the batches in random order."""
        ordered = sorted(pairs, key=lambda p: len(p.left) + len(p.right) + self._random.random() * 60)
        batches = [ordered[i : i + size] for i in range(0, len(ordered), size)]
        self._random.shuffle(batches)
        return batches

    def _fit(self, steps: Sequence[tuple[Sequence[Labelled], Any, int]], rate: float) -> None:
        import torch

        heads = [*self._head.parameters(), *self._general.parameters()]
        layers = [p for p in self._body.parameters() if p.requires_grad]
        rates = (rate, _HEAD_LEARNING_RATE)
        optimizer = torch.optim.AdamW(
            [{"params": layers, "lr": rate}, {"params": heads, "lr": _HEAD_LEARNING_RATE}], weight_decay=0.01
        )
        self._body.train()
        began = time.monotonic()
        for number, (batch, head, tokens) in enumerate(steps):
            progress = number / len(steps)
            factor = progress / _WARM_UP_SHARE if progress < _WARM_UP_SHARE else (1 - progress) / (1 - _WARM_UP_SHARE)
            for group, peak in zip(optimizer.param_groups, rates, strict=True):
                group["lr"] = peak * factor
            smoothing = _LABEL_SMOOTHING if head is self._head else 0.0
            labels = torch.tensor([pair.label for pair in batch], device=self._device)
            loss = torch.nn.functional.cross_entropy(
                self._logits(batch, head, tokens), labels, label_smoothing=smoothing
            )
            optimizer.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            torch.nn.utils.clip_grad_norm_([*layers, *heads], 1.0)
            optimizer.step()
            if number % 100 == 99:
                log.info("batch %d of %d after %.0f s", number + 1, len(steps), time.monotonic() - began)

    def _logits(self, batch: Sequence[Labelled], head: Any, tokens: int) -> Any:
        import torch

        inputs = self._tokenizer(
            [p.left for p in batch], [p.right for p in batch], truncation=True, max_length=tokens, padding=True,
            return_tensors="pt",
        ).to(self._device)  # fmt: skip
        # Most CPUs emulate bfloat16, ten times slower than float32.
        with torch.autocast(self._device, torch.bfloat16, enabled=self._device == "cuda"):
            states = self._body(**inputs).last_hidden_state
            mask = inputs["attention_mask"].unsqueeze(-1)
            mean = (states * mask).sum(1) / mask.sum(1)
            logits = head(self._dropout(torch.cat([states[:, 0], mean], -1)))
        return logits.float()


def in_random_order(pair: Labelled, rng: random.Random) -> Labelled:
    """Return a pair of provisions, in half of all cases with its sides exchanged."""
    return Labelled(pair.right, pair.left, MIRRORED_CLASSES[pair.label]) if rng.random() < 0.5 else pair
