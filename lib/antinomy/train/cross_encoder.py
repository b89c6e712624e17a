"""Fine-tuning of the cross-encoder: first on general inference pairs, then on labelled pairs of provisions.

General pairs teach contradiction on far more sentences than there are labelled provisions; some of them are read again
throughout, against forgetting. Word embeddings are frozen, so that words outside the labelled pairs keep their meaning.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from antinomy.embed.encoder import PACKAGED, model_path
from antinomy.settings.train import CrossEncoderSettings
from antinomy.train.network import Labelled, Network, Step, batches, in_random_order

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

#: Number of batches of provisions per batch of general pairs.
_GENERAL_EVERY = 6


class Trainer(Network):
    """The cross-encoder during training: the packaged encoder, whose word embeddings are frozen."""

    def __init__(
        self,
        settings: CrossEncoderSettings,
        seed: int,
        initial_weights: Mapping[str, NDArray[np.float32]] | None = None,
    ) -> None:
        """Start from the packaged encoder, or from the weights of a cross-encoder."""
        import torch

        torch.manual_seed(seed)
        super().__init__(model_path(PACKAGED))
        self._random = random.Random(seed)
        self._settings = settings
        for parameter in self.body.embeddings.parameters():
            parameter.requires_grad = False
        if initial_weights is not None:
            tensors = {name: torch.from_numpy(value) for name, value in initial_weights.items()}
            self.head.load_state_dict({name: tensors.pop(f"head.{name}") for name in ("weight", "bias")})
            self.body.load_state_dict(tensors, strict=False)
        self.body.train()

    def warm_up(self, pairs: Sequence[Labelled]) -> None:
        """Fit on general pairs, in one pass."""
        read = batches(pairs, self._settings.general_batch, self._random)
        self.optimise([Step(batch, general=True) for batch in read], self._settings.general_rate)

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
            for number, batch in enumerate(batches(in_this_pass, self._settings.batch, self._random)):
                steps.append(Step([in_random_order(pair, self._random) for pair in batch]))
                if general and number % _GENERAL_EVERY == 0:
                    sample = self._random.sample(general, min(len(general), self._settings.batch))
                    steps.append(Step(sample, general=True))
        self.optimise(steps, self._settings.rate)

    def weights(self) -> dict[str, NDArray[np.float32]]:
        """Return the weights under their names in ``judge.fitted.cross_encoder``."""
        layers = {name: value for name, value in self.body.state_dict().items() if name.startswith("encoder.")}
        layers |= {f"head.{name}": value for name, value in self.head.state_dict().items()}
        return {name: value.detach().float().cpu().numpy() for name, value in layers.items()}

    def snapshot(self) -> Any:
        """Return a copy of all parameters."""
        parts = (self.body, self.head, self.general)
        return [{name: value.clone() for name, value in factor.state_dict().items()} for factor in parts]

    def restore(self, snapshot: Any) -> None:
        """Restore the parameters of a snapshot."""
        for factor, state in zip((self.body, self.head, self.general), snapshot, strict=True):
            factor.load_state_dict(state)
