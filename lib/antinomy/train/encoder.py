"""An adapter of an embedding model: ``python -m antinomy.train.encoder MODEL OUT.safetensors FILE...``.

The model is ``packaged`` or ``mpnet``, see ``embed.encoder``. The files are labelled pairs as for ``antinomy evaluate
pairs``. The two sides of a pair that is related in any way are made more similar to each other than to anything else in
the batch, and to an unrelated provision that was written or found as a near miss (contrastive learning with in-batch
and hard negatives: Henderson et al. 2017, Karpukhin et al. 2020). The model itself stays frozen; low-rank matrices are
fitted (LoRA: Hu et al., arXiv 2106.09685).
"""

from __future__ import annotations

import logging
import random
import sys
import time
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from antinomy.embed.encoder import MPNET, PACKAGED, model_path
from antinomy.embed.stage import embedded_text
from antinomy.run import base_model
from antinomy.train import low_rank
from antinomy.train.network import device
from antinomy.train.pairs import Example, read

if TYPE_CHECKING:
    from numpy.typing import NDArray

log = logging.getLogger("antinomy")

_PASSES = 2
_BATCH = 64
_RANK = 16
_LEARNING_RATES = {PACKAGED: 5e-4, MPNET: 3e-4}
#: Share of the batches that are read under their headings; not every provision has one.
_HEADINGS_SHARE = 0.6
#: Share of the steps in which the learning rate rises linearly, and the share after which it falls linearly.
_WARM_UP_SHARE, _CONSTANT_SHARE = 0.05, 0.4
_TEMPERATURE = 0.05
#: Tokens that are read of a text while fitting.
_TOKENS = 192
#: Characters by which the lengths of pairs in one batch may differ at random.
_LENGTH_NOISE = 300


class Pairs:
    """Labelled pairs by their texts."""

    def __init__(self, examples: Sequence[Example]) -> None:
        """Gather what each text is related to, and what not."""
        self.related = sorted({(e.left, e.right) for e in examples if e.label != "none"})
        self._headings = {t: h for e in examples for t, h in zip((e.left, e.right), e.headings, strict=True)}
        self._partners: dict[str, set[str]] = defaultdict(set)
        self._unlike: dict[str, list[str]] = defaultdict(list)
        for e in examples:
            for text, other in ((e.left, e.right), (e.right, e.left)):
                if e.label == "none":
                    self._unlike[text].append(other)
                else:
                    self._partners[text].add(other)

    def hard_negatives(self, text: str) -> list[str]:
        """Return the texts that look like a text and are unrelated to it."""
        return self._unlike.get(text, [])

    def under_heading(self, text: str) -> str:
        """Return a text as the embed stage reads it, under its nearest heading."""
        return embedded_text(self._headings[text], text)

    def is_negative(self, pair: tuple[str, str], other: tuple[str, str]) -> bool:
        """Tell whether the right side of another pair counts as unrelated to the left side of a pair."""
        return pair[0] != other[0] and other[1] not in self._partners[pair[0]]


def fit(
    examples: Sequence[Example], model: str = PACKAGED, seed: int = 0, passes: int = _PASSES
) -> dict[str, NDArray[np.float32]]:
    """Fit the adapter.

    Args:
        examples: labelled pairs.
        model: ``PACKAGED`` or ``MPNET``.
        seed: of the random order and first weights.
        passes: number of times that each related pair is read.

    Returns:
        The matrices as ``embed.adapter.merge`` takes them.
    """
    import torch
    from torch.nn.functional import cross_entropy

    torch.manual_seed(seed)
    rng = random.Random(seed)
    pairs = Pairs(examples)
    network = _Network(model)
    layers = [p for p in network.body.parameters() if p.requires_grad]
    rate = _LEARNING_RATES[model]
    optimizer = torch.optim.AdamW(layers, lr=rate, weight_decay=0.0)
    steps = [batch for _ in range(passes) for batch in _batches(pairs.related, rng)]
    began = time.monotonic()
    for number, batch in enumerate(steps):
        progress = number / len(steps)
        factor = min(1.0, progress / _WARM_UP_SHARE, (1 - progress) / (1 - _CONSTANT_SHARE))
        for group in optimizer.param_groups:
            group["lr"] = rate * factor
        # Either side is the first one in half of all cases.
        batch = [pair if rng.random() < 0.5 else (pair[1], pair[0]) for pair in batch]
        hard = [rng.choice(found) for left, _ in batch if (found := pairs.hard_negatives(left))]
        texts = [*(left for left, _ in batch), *(right for _, right in batch), *hard]
        if rng.random() < _HEADINGS_SHARE:
            texts = [pairs.under_heading(text) for text in texts]
        vectors = network.encode(texts)
        left, right, unlike = vectors.split([len(batch), len(batch), len(hard)])
        ignored = torch.tensor([[a is not b and not pairs.is_negative(a, b) for b in batch] for a in batch])
        scores = (left @ right.T / _TEMPERATURE).masked_fill(ignored.to(left.device), -1e4)
        forward = torch.cat([scores, left @ unlike.T / _TEMPERATURE], dim=1)
        own = torch.arange(len(batch), device=left.device)
        loss = (cross_entropy(forward, own) + cross_entropy(scores.T, own)) / 2
        optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(layers, 1.0)
        optimizer.step()
        if number % 20 == 19:
            log.info("batch %d of %d after %.0f s: %.3f", number + 1, len(steps), time.monotonic() - began, loss.item())
    return low_rank.matrices(network.body)


def _batches(pairs: Sequence[tuple[str, str]], rng: random.Random) -> list[Sequence[tuple[str, str]]]:
    """Return full batches of pairs with similar lengths, the batches in random order; the rest is left out."""
    ordered = sorted(pairs, key=lambda pair: len(pair[0]) + len(pair[1]) + rng.random() * _LENGTH_NOISE)
    size = min(_BATCH, len(ordered))
    first = rng.randrange(len(ordered) % size + 1)
    found: list[Sequence[tuple[str, str]]] = [
        ordered[i : i + size] for i in range(first, len(ordered) - size + 1, size)
    ]
    rng.shuffle(found)
    return found


class _Network:
    """A model with matrices to be fitted, on the GPU where there is one.

    Attributes:
        body: the transformer.
    """

    def __init__(self, model: str) -> None:
        import torch
        from transformers import AutoModel, AutoTokenizer

        self._device = device()
        path = model_path(model)
        self._tokenizer: Any = AutoTokenizer.from_pretrained(path)
        self.body: Any = AutoModel.from_pretrained(path, add_pooling_layer=False, dtype=torch.float32).to(self._device)
        low_rank.add_matrices(self.body, self.body.encoder.layer, _RANK)
        self.body.eval()

    def encode(self, texts: Sequence[str]) -> Any:
        """Return the vectors of texts: the mean over their tokens, of unit length; shape (texts, dim)."""
        import torch

        inputs = self._tokenizer(
            list(texts), truncation=True, max_length=_TOKENS, padding=True, return_tensors="pt"
        ).to(self._device)  # fmt: skip
        narrow = base_model.number_type(self._device) == torch.bfloat16
        with torch.autocast(self._device, torch.bfloat16, enabled=narrow):
            states = self.body(**inputs).last_hidden_state.float()
        mask = inputs["attention_mask"].unsqueeze(-1)
        return torch.nn.functional.normalize((states * mask).sum(1) / mask.sum(1), dim=-1)


def main() -> None:
    """Fit on the files and write the matrices, half precision."""
    from safetensors.numpy import save

    logging.basicConfig(level=logging.INFO, format="%(message)s")
    model, target, *files = sys.argv[1:]
    matrices = fit([example for path in files for example in read(path)], model)
    Path(target).write_bytes(save({name: matrix.astype(np.float16) for name, matrix in matrices.items()}))


if __name__ == "__main__":
    main()
