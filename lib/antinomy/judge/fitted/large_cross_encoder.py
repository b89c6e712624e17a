"""The larger cross-encoder: MPNet with 110 million parameters, which reads the pairs that remain likely.

It is the base of ``run.base_model``, whose upper layers were adapted by low-rank matrices (LoRA: Hu et al. 2021), with
a linear layer on top. The package holds these matrices alone. Its probabilities are combined with those of the
decision.
"""

from __future__ import annotations

from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any

import numpy as np

from antinomy.embed.adapter import merge
from antinomy.judge.fitted.cross_encoder import MIRRORED_CLASSES, TOKENS, dequantised
from antinomy.judge.fitted.decision import CLASSES
from antinomy.run import base_model
from antinomy.store import storage

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

#: File of the low-rank matrices, beside the packaged weights.
FILE = "large_cross_encoder.safetensors"
HEAD = "head"
#: Name of the shares of CLASSES in the training data.
SHARES = "shares"


class LargeCrossEncoder:
    """The network with its weights.

    Attributes:
        shares: of CLASSES in the data that it was fitted on.
    """

    def __init__(self, adapter: Mapping[str, NDArray[np.float32]]) -> None:
        """Load the base and add the adapter.

        Args:
            adapter: low-rank matrices, weights of the head and SHARES, by name.

        Raises:
            EnvironmentFault: if the base is not installed.
        """
        import torch
        from tokenizers import Tokenizer
        from transformers import AutoModel
        from transformers.utils import logging as transformers_logging

        transformers_logging.disable_progress_bar()  # type: ignore[no-untyped-call]

        folder = base_model.installed_folder()
        # CPUs without instructions for bfloat16 emulate it, ten times slower than float32.
        dtype = torch.bfloat16 if torch.cpu._is_avx512_bf16_supported() else torch.float32
        self._body: Any = AutoModel.from_pretrained(folder, add_pooling_layer=False, dtype=dtype)
        merge(self._body, adapter)
        self._head = adapter[f"{HEAD}.weight"], adapter[f"{HEAD}.bias"]
        self._tokenizer: Any = Tokenizer.from_file(str(folder / base_model.TOKENIZER))
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(TOKENS, strategy="longest_first")
        self.shares: dict[str, float] = dict(zip(CLASSES, adapter[SHARES].tolist(), strict=True))

    def probabilities(self, left: str, right: str) -> dict[str, float]:
        """Return the probability of each of CLASSES at the shares of the training data.

        The order in which the texts are read depends on the texts alone, so exchanged sides give mirrored answers. Each
        pair is read by itself: beside others it would be padded, and the numbers would depend on the others.
        """
        import torch

        swapped = right < left
        encoding = self._tokenizer.encode(*((right, left) if swapped else (left, right)))
        with torch.inference_mode():
            states = self._body(input_ids=torch.tensor([encoding.ids])).last_hidden_state[0].float().numpy()
        weight, bias = self._head
        logits = weight @ np.concatenate((states[0], states.mean(axis=0))) + bias
        if swapped:
            logits = logits[list(MIRRORED_CLASSES)]
        shifted = np.exp(logits - logits.max())
        return dict(zip(CLASSES, (shifted / shifted.sum()).tolist(), strict=True))


def adapter_file(folder: str) -> bytes:
    """Return the bytes of the adapter in a folder (a path or URI), of the packaged one for ""."""
    if folder:
        return storage.read_bytes(storage.join(folder, FILE))
    # On a worker the package may be in a zip file.
    return resources.files("antinomy.judge.fitted").joinpath("weights", FILE).read_bytes()


@cache
def shared_large_cross_encoder(folder: str) -> LargeCrossEncoder:
    """Return the network with the adapter in a folder, the packaged one for ""; loaded once per process.

    Raises:
        EnvironmentFault: if the base is not installed.
    """
    from safetensors.numpy import load

    return LargeCrossEncoder(dequantised(load(adapter_file(folder))))
