"""The projection of the packaged embedding model: ``python -m antinomy.train.projection FILE.npy``.

A linear map under which the two sides of a labelled pair on one duty are more similar to each other than to anything
else in the batch, hard negatives of the same contrast set included (contrastive learning with in-batch and hard
negatives: Henderson et al. 2017, Karpukhin et al. 2020). The encoder itself stays the same. There are few passes,
starting from the identity: fitted longer, the map overfits the training topics and finds less elsewhere.
"""

from __future__ import annotations

import random
import sys
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from antinomy.embed.encoder import PACKAGED, Encoder
from antinomy.train.pairs import Example, read

if TYPE_CHECKING:
    from numpy.typing import NDArray

_PASSES = 3
_BATCH = 256
_LEARNING_RATE = 3e-4
_TEMPERATURE = 0.05
#: File that others are measured on, so it is held out.
_HELD_OUT = "conflicts_dev.jsonl"


def fit(examples: Sequence[Example], vectors: dict[str, NDArray[np.float32]], seed: int = 0) -> NDArray[np.float32]:
    """Fit the map.

    Args:
        examples: labelled pairs; those labelled ``none`` are hard negatives, all others concern one duty.
        vectors: of all texts, from the model without a projection, unit length.
        seed: of the random order.

    Returns:
        float32 of shape (dim, dim), to multiply rows with.
    """
    import torch
    from torch.nn import functional

    draw = random.Random(seed)
    same = [e for e in examples if e.label != "none"]
    unlike: dict[str, list[Example]] = defaultdict(list)
    for example in examples:
        if example.label == "none":
            unlike[example.group].append(example)
    dim = len(next(iter(vectors.values())))
    weight = torch.eye(dim, requires_grad=True)
    optimiser = torch.optim.Adam([weight], lr=_LEARNING_RATE)

    def project(texts: Sequence[str]) -> torch.Tensor:
        rows = torch.from_numpy(np.stack([vectors[text] for text in texts]))
        return functional.normalize(rows @ weight, dim=-1)

    for _ in range(_PASSES):
        draw.shuffle(same)
        for at in range(0, len(same) - _BATCH + 1, _BATCH):
            batch = same[at : at + _BATCH]
            hard = [text for example in batch for text in _hard_negative(example, unlike[example.group], draw)]
            left, right = project([e.left for e in batch]), project([e.right for e in batch])
            # Another pair of the same set may be on the same duty: it is no negative.
            related = torch.tensor([[a is not b and a.group == b.group for b in batch] for a in batch])
            forward, backward = left @ right.T / _TEMPERATURE, right @ left.T / _TEMPERATURE
            forward, backward = forward.masked_fill(related, -1e4), backward.masked_fill(related, -1e4)
            if hard:
                forward = torch.cat([forward, left @ project(hard).T / _TEMPERATURE], dim=1)
            own = torch.arange(len(batch))
            loss = (functional.cross_entropy(forward, own) + functional.cross_entropy(backward, own)) / 2
            optimiser.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            optimiser.step()
    found: NDArray[np.float32] = weight.detach().numpy().astype(np.float32)
    return found


def _hard_negative(example: Example, unlike: Sequence[Example], draw: random.Random) -> list[str]:
    """Return a text that is similar to one of an example's but on another duty, if its contrast set has one."""
    for other in draw.sample(unlike, len(unlike)):
        if other.left in (example.left, example.right):
            return [other.right]
        if other.right in (example.left, example.right):
            return [other.left]
    return []


def main() -> None:
    """Fit on the packaged pairs and write the map, half precision."""
    target = Path(sys.argv[1])
    folder = Path(__file__).parent / "data"
    examples = [e for path in sorted(folder.glob("*.jsonl")) if path.name != _HELD_OUT for e in read(str(path))]
    texts = sorted({text for e in examples for text in (e.left, e.right)})
    encoder = Encoder(PACKAGED, projected=False)
    vectors = dict(zip(texts, encoder.encode(texts), strict=True))
    np.save(target, fit(examples, vectors).astype(np.float16))


if __name__ == "__main__":
    main()
