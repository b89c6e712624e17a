"""The cross-encoder: a transformer that reads both provisions of a pair at once and classifies their relation.

Separate vectors of two texts show that both concern the same duty. That one demands the opposite of the other shows
only where attention runs across both (Nogueira and Cho, "Passage Re-ranking with BERT", 2019). The network is the base
of ``run.base_model`` (MPNet, 110 million parameters), adapted by low-rank matrices (LoRA: Hu et al. 2021), with a
linear layer on top. The package holds the matrices and that layer alone. They may be those of the lower layers only:
the upper ones are then left out, which takes that much less time.
"""

from __future__ import annotations

import math
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any

import numpy as np

from antinomy.embed.adapter import merge
from antinomy.judge.fitted.decision import CLASSES, mirror_name
from antinomy.run import base_model
from antinomy.store import storage

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

#: For each of CLASSES the index of the class that it becomes when the sides are exchanged.
MIRRORED_CLASSES = tuple(CLASSES.index(mirror_name(name)) for name in CLASSES)
#: Greatest number of tokens of both texts together; beyond that the longer text is truncated.
TOKENS = 256
#: File of the adapter, in the same folder as the weights of the decision.
FILE = "cross_encoder.safetensors"
HEAD = "head"
#: Name of the shares of CLASSES in the training data.
SHARES = "shares"
#: Greatest absolute value of a quantised weight.
_INT8_MAX = 127


class CrossEncoder:
    """The network with its weights.

    Attributes:
        shares: of CLASSES in the data that it was fitted on.
    """

    def __init__(self, adapter: Mapping[str, NDArray[np.float32]]) -> None:
        """Load the base and add the adapter.

        Args:
            adapter: low-rank matrices, weights of the head and SHARES, by name. The network has the layers that have
                matrices.

        Raises:
            EnvironmentFault: if the base is not installed.
        """
        from tokenizers import Tokenizer
        from transformers import AutoModel
        from transformers.utils import logging as transformers_logging

        transformers_logging.disable_progress_bar()  # type: ignore[no-untyped-call]

        folder = base_model.installed_folder()
        dtype = base_model.number_type("cpu")
        self._body: Any = AutoModel.from_pretrained(folder, add_pooling_layer=False, dtype=dtype)
        keep_layers(self._body, layers_of(adapter))
        merge(self._body, adapter)
        self._head = adapter[f"{HEAD}.weight"], adapter[f"{HEAD}.bias"]
        self._tokenizer: Any = Tokenizer.from_file(str(folder / base_model.TOKENIZER))
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(TOKENS, strategy="longest_first")
        self.shares: dict[str, float] = dict(zip(CLASSES, adapter[SHARES].tolist(), strict=True))

    def read(self, left: str, right: str, known: Sequence[float] = ()) -> Reading:
        """Return the reading of a pair; ``known``: its ``logits`` of an earlier time."""
        return Reading(self, left, right, known)

    def logits(self, left: str, right: str, swapped: bool) -> NDArray[np.float32]:
        """Read two texts, the right one first if ``swapped``, and return the logits of CLASSES.

        Each pair is read by itself: beside others it would be padded, and the numbers would depend on the others.
        """
        import torch

        encoding = self._tokenizer.encode(*((right, left) if swapped else (left, right)))
        with torch.inference_mode():
            states = self._body(input_ids=torch.tensor([encoding.ids])).last_hidden_state[0].float().numpy()
        weight, bias = self._head
        logits: NDArray[np.float32] = weight @ np.concatenate((states[0], states.mean(axis=0))) + bias
        return logits[list(MIRRORED_CLASSES)] if swapped else logits


class Reading:
    """What the network makes of a pair. Each order of the two texts is read when it is first asked for.

    Which order is the first depends on the texts alone, so exchanged sides give mirrored answers.
    """

    def __init__(self, network: CrossEncoder, left: str, right: str, known: Sequence[float] = ()) -> None:
        """Begin.

        Args:
            network: reads the texts.
            left, right: texts of the provisions.
            known: ``logits`` of an earlier reading of the same texts by the same network.
        """
        self._network, self._left, self._right = network, left, right
        self._orders = list(np.asarray(known, dtype=np.float32).reshape(-1, len(CLASSES)))

    def probabilities(self, both_orders: bool = False) -> dict[str, float]:
        """Return the probability of each of CLASSES at the shares of the training data.

        Args:
            both_orders: take the mean of the logits of both orders. It errs less and takes twice the time.
        """
        wanted = 2 if both_orders else 1
        while len(self._orders) < wanted:
            swapped = (self._right < self._left) != bool(self._orders)
            self._orders.append(self._network.logits(self._left, self._right, swapped))
        logits = np.mean(self._orders[:wanted], axis=0)
        shifted = np.exp(logits - logits.max()).tolist()
        # The exact sum is the same in any order of the classes, so that exchanged sides differ in no digit.
        total = math.fsum(shifted)
        return {name: value / total for name, value in zip(CLASSES, shifted, strict=True)}

    @property
    def logits(self) -> tuple[float, ...]:
        """The logits of CLASSES in the first order, if it was read; then those in the other order."""
        return tuple(float(value) for order in self._orders for value in order)


def layers_of(names: Iterable[str]) -> int:
    """Return how many layers the names of an adapter's matrices cover."""
    return len({name.split(".")[2] for name in names if name.startswith("encoder.layer.")})


def keep_layers(body: Any, count: int) -> None:
    """Leave out the upper layers of a transformer."""
    body.encoder.layer = body.encoder.layer[:count]


def with_heading(heading: str, text: str) -> str:
    """Return a provision as the network reads it: many provisions name their matter in the heading alone."""
    return f"{heading}: {text}" if heading else text


def adapter_file(folder: str) -> bytes:
    """Return the bytes of the adapter in a folder (a path or URI), of the packaged one for ""."""
    if folder:
        return storage.read_bytes(storage.join(folder, FILE))
    # On a worker the package may be in a zip file.
    return resources.files("antinomy.judge.fitted").joinpath("weights", FILE).read_bytes()


@cache
def shared_cross_encoder(folder: str) -> CrossEncoder:
    """Return the network with the adapter in a folder, the packaged one for ""; loaded once per process.

    Raises:
        EnvironmentFault: if the base is not installed.
    """
    from safetensors.numpy import load

    return CrossEncoder(dequantised(load(adapter_file(folder))))


def quantised(weights: Mapping[str, Any]) -> dict[str, Any]:
    """Return weights as they are stored: matrices as int8 with a factor per row, vectors as float16.

    Args:
        weights: parameter name → array of floats.
    """
    stored: dict[str, Any] = {}
    for name, value in weights.items():
        if value.ndim == 2:
            factor = np.abs(value).max(axis=1, keepdims=True) / _INT8_MAX
            stored[name] = np.round(value / np.maximum(factor, 1e-12)).astype(np.int8)
            stored[f"{name}.factor"] = factor.astype(np.float32)
        else:
            stored[name] = value.astype(np.float16)
    return stored


def dequantised(stored: Mapping[str, Any]) -> dict[str, NDArray[np.float32]]:
    """Return the float32 weights from what ``quantised`` returned."""
    found = {}
    for name, value in stored.items():
        if not name.endswith(".factor"):
            factor = stored.get(f"{name}.factor", np.float32(1))
            found[name] = np.ascontiguousarray(value.astype(np.float32) * factor)
    return found
