"""The cross-encoder: a transformer that reads both provisions of a pair at once and classifies their relation.

Separate vectors of two texts show that both concern the same duty. That one demands the opposite of the other shows
only where attention runs across both (Nogueira and Cho, "Passage Re-ranking with BERT", 2019). The network is the
packaged encoder with a linear layer on top; its embeddings are unchanged, its layers were fine-tuned. It is computed in
NumPy: importing a deep-learning library would take longer than the pairs of a small run.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from antinomy.embed.encoder import PACKAGED, model_path
from antinomy.judge.fitted.decision import CLASSES, CROSS_ENCODER_FEATURES, mirror_name
from antinomy.store import storage

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: For each of CLASSES the index of the class that it becomes when the sides are exchanged.
MIRRORED_CLASSES = tuple(CLASSES.index(mirror_name(name)) for name in CLASSES)
#: File of the weights, in the same folder as those of the decision.
FILE = "cross_encoder.safetensors"
#: Greatest number of tokens of both texts together; beyond that the longer text is truncated.
TOKENS = 256
HEADS = 12
_EPSILON = 1e-12
_ROOT_OF_TWO_OVER_PI = (2 / np.pi) ** 0.5
#: Greatest absolute value of a quantised weight.
_INT8_MAX = 127

Weights = dict[str, "NDArray[np.float32]"]


class CrossEncoder:
    """The network with its weights."""

    def __init__(self, data: bytes) -> None:
        """Load the weights.

        Args:
            data: what ``quantised`` returns, as safetensors.
        """
        from safetensors.numpy import load

        self._weights = _embeddings() | dequantised(load(data))
        self._layers = 1 + max(int(name.split(".")[2]) for name in self._weights if name.startswith("encoder."))

    def logits(self, left: str, right: str) -> dict[str, float]:
        """Return the logits of CLASSES, less their mean, under the names CROSS_ENCODER_FEATURES.

        The order in which the texts are read depends on the texts alone, so exchanged sides give mirrored logits.
        Reading both orders would take twice the time for .005 of the area under the curve.
        """
        swapped = right < left
        logits = self._forward(*_tokens(right, left) if swapped else _tokens(left, right))
        if swapped:
            logits = logits[list(MIRRORED_CLASSES)]
        return {
            name: round(float(x), 4) for name, x in zip(CROSS_ENCODER_FEATURES, logits - logits.mean(), strict=True)
        }

    def _forward(self, ids: Sequence[int], segments: Sequence[int]) -> NDArray[np.float32]:
        """Return the logits, of shape (classes,).

        Args:
            ids: of the tokens.
            segments: for each token 0 if it belongs to the first text, 1 for the second.
        """
        w = self._weights
        x = w["embeddings.word_embeddings.weight"][ids] + w["embeddings.token_type_embeddings.weight"][segments]
        x = _layer_norm(x + w["embeddings.position_embeddings.weight"][: len(ids)], w, "embeddings.LayerNorm")
        for i in range(self._layers):
            prefix = f"encoder.layer.{i}"
            attended = self._linear(
                self._self_attention(x, f"{prefix}.attention.self"), f"{prefix}.attention.output.dense"
            )
            x = _layer_norm(x + attended, w, f"{prefix}.attention.output.LayerNorm")
            inner = _gelu(self._linear(x, f"{prefix}.intermediate.dense"))
            x = _layer_norm(x + self._linear(inner, f"{prefix}.output.dense"), w, f"{prefix}.output.LayerNorm")
        return self._linear(np.concatenate((x[0], x.mean(axis=0))), "head")

    def _self_attention(self, x: NDArray[np.float32], prefix: str) -> NDArray[np.float32]:
        tokens, size = x.shape

        def heads(name: str) -> NDArray[np.float32]:
            return self._linear(x, f"{prefix}.{name}").reshape(tokens, HEADS, -1).transpose(1, 0, 2)

        scores = heads("query") @ heads("key").transpose(0, 2, 1) / np.float32(np.sqrt(size / HEADS))
        scores = np.exp(scores - scores.max(axis=-1, keepdims=True))
        attended: NDArray[np.float32] = (scores / scores.sum(axis=-1, keepdims=True)) @ heads("value")
        return attended.transpose(1, 0, 2).reshape(tokens, size)

    def _linear(self, x: NDArray[np.float32], name: str) -> NDArray[np.float32]:
        found: NDArray[np.float32] = x @ self._weights[f"{name}.weight"].T + self._weights[f"{name}.bias"]
        return found


def _layer_norm(x: NDArray[np.float32], weights: Weights, name: str) -> NDArray[np.float32]:
    centred = x - x.mean(axis=-1, keepdims=True)
    deviation = np.sqrt((centred * centred).mean(axis=-1, keepdims=True) + np.float32(_EPSILON))
    found: NDArray[np.float32] = centred / deviation * weights[f"{name}.weight"] + weights[f"{name}.bias"]
    return found


def _gelu(x: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return GELU in its tanh approximation (Hendrycks and Gimpel 2016), which saves a quarter of the time."""
    inner = np.float32(_ROOT_OF_TWO_OVER_PI) * (x + np.float32(0.044715) * x * x * x)
    found: NDArray[np.float32] = np.float32(0.5) * x * (1 + np.tanh(inner))
    return found


def weights_file(folder: str) -> bytes:
    """Return the bytes of the weights file in a folder (a path or URI), of the packaged one for ""."""
    if folder:
        return storage.read_bytes(storage.join(folder, FILE))
    # On a worker the package may be in a zip file.
    return resources.files("antinomy.judge.fitted").joinpath("weights", FILE).read_bytes()


@cache
def shared_cross_encoder(folder: str) -> CrossEncoder:
    """Return the cross-encoder with the weights in a folder, the packaged ones for ""; loaded once per process."""
    return CrossEncoder(weights_file(folder))


def quantised(weights: Mapping[str, Any]) -> dict[str, Any]:
    """Return weights as they are stored: matrices as int8 with a factor per row, vectors as float16.

    Args:
        weights: parameter name → array of floats. Embeddings are left out: they are the encoder's own.
    """
    stored: dict[str, Any] = {}
    for name, value in weights.items():
        if name.startswith("embeddings."):
            continue
        if value.ndim == 2:
            factor = np.abs(value).max(axis=1, keepdims=True) / _INT8_MAX
            stored[name] = np.round(value / np.maximum(factor, 1e-12)).astype(np.int8)
            stored[f"{name}.factor"] = factor.astype(np.float32)
        else:
            stored[name] = value.astype(np.float16)
    return stored


def dequantised(stored: Mapping[str, Any]) -> Weights:
    """Return the float32 weights from what ``quantised`` returned."""
    found = {}
    for name, value in stored.items():
        if not name.endswith(".factor"):
            factor = stored.get(f"{name}.factor", np.float32(1))
            found[name] = np.ascontiguousarray(value.astype(np.float32) * factor)
    return found


@cache
def _embeddings() -> Weights:
    from safetensors import safe_open

    with safe_open(str(Path(model_path(PACKAGED)) / "model.safetensors"), framework="np") as file:
        # Some writers of the file put the name of the model before those of the parameters.
        names = {name[name.index("embeddings.") :]: name for name in file.keys() if "embeddings." in name}  # noqa: SIM118
        return {name: file.get_tensor(key).astype(np.float32) for name, key in names.items()}


@cache
def _tokenizer() -> Any:
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(Path(model_path(PACKAGED)) / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(TOKENS, strategy="longest_first")
    return tokenizer


def _tokens(first: str, second: str) -> tuple[list[int], list[int]]:
    """Return the ids of the tokens of two texts, and for each token the text that it belongs to (0 or 1)."""
    found = _tokenizer().encode(first, second)
    return found.ids, found.type_ids
