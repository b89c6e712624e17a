"""Reads the two provisions of a pair together, word against word, and says how they relate.

Separate vectors of two texts tell that both are on one duty. That one orders the opposite of what the other orders
shows only where both are read at once (Nogueira and Cho, "Passage Re-ranking with BERT", 2019). The network is the
packaged encoder with a linear layer on top; its embeddings are unchanged, its layers were trained further. NumPy
computes it: importing a deep-learning library would take longer than reading the pairs of a small run.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from antinomy.embed.encoder import PACKAGED, model_path
from antinomy.judge.fitted.decision import CLASSES, READ_TOGETHER, mirror
from antinomy.store import storage

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: Where each of CLASSES stands once the sides are exchanged.
EXCHANGED = tuple(CLASSES.index(mirror(name)) for name in CLASSES)
#: File of its weights, beside those of the decision.
FILE = "cross_encoder.safetensors"
#: Tokens of both texts together; beyond that the longer text is cut.
TOKENS = 256
HEADS = 12
_EPSILON = 1e-12
_ROOT_OF_TWO_OVER_PI = (2 / np.pi) ** 0.5
#: Layers' weights are stored as whole numbers up to this, times a factor per row.
_MOST = 127

Weights = dict[str, "NDArray[np.float32]"]


class CrossEncoder:
    """The network with its weights."""

    def __init__(self, content: bytes) -> None:
        """Load the weights.

        Args:
            content: what ``packed`` gives, as safetensors.
        """
        from safetensors.numpy import load

        self._weights = _embeddings() | unpacked(load(content))
        self._layers = 1 + max(int(name.split(".")[2]) for name in self._weights if name.startswith("encoder."))

    def read(self, left: str, right: str) -> dict[str, float]:
        """Return the log-odds of CLASSES, less their mean, under the names READ_TOGETHER.

        The two are read in an order that depends on the texts alone, so that exchanged sides give the exchanged answer.
        Reading them in both orders would cost twice the time for .005 of the area under the curve.
        """
        turned = right < left
        logits = self._logits(*_tokens(right, left) if turned else _tokens(left, right))
        if turned:
            logits = logits[list(EXCHANGED)]
        return {name: round(float(x), 4) for name, x in zip(READ_TOGETHER, logits - logits.mean(), strict=True)}

    def _logits(self, ids: Sequence[int], kinds: Sequence[int]) -> NDArray[np.float32]:
        """Return the outputs, of shape (classes,), for tokens' ids and the text that each belongs to."""
        w = self._weights
        x = w["embeddings.word_embeddings.weight"][ids] + w["embeddings.token_type_embeddings.weight"][kinds]
        x = _normed(x + w["embeddings.position_embeddings.weight"][: len(ids)], w, "embeddings.LayerNorm")
        for i in range(self._layers):
            at = f"encoder.layer.{i}"
            seen = self._linear(self._attended(x, f"{at}.attention.self"), f"{at}.attention.output.dense")
            x = _normed(x + seen, w, f"{at}.attention.output.LayerNorm")
            inner = _gelu(self._linear(x, f"{at}.intermediate.dense"))
            x = _normed(x + self._linear(inner, f"{at}.output.dense"), w, f"{at}.output.LayerNorm")
        return self._linear(np.concatenate((x[0], x.mean(axis=0))), "head")

    def _attended(self, x: NDArray[np.float32], at: str) -> NDArray[np.float32]:
        tokens, size = x.shape

        def heads(name: str) -> NDArray[np.float32]:
            return self._linear(x, f"{at}.{name}").reshape(tokens, HEADS, -1).transpose(1, 0, 2)

        scores = heads("query") @ heads("key").transpose(0, 2, 1) / np.float32(np.sqrt(size / HEADS))
        scores = np.exp(scores - scores.max(axis=-1, keepdims=True))
        seen: NDArray[np.float32] = (scores / scores.sum(axis=-1, keepdims=True)) @ heads("value")
        return seen.transpose(1, 0, 2).reshape(tokens, size)

    def _linear(self, x: NDArray[np.float32], name: str) -> NDArray[np.float32]:
        found: NDArray[np.float32] = x @ self._weights[f"{name}.weight"].T + self._weights[f"{name}.bias"]
        return found


def _normed(x: NDArray[np.float32], weights: Weights, name: str) -> NDArray[np.float32]:
    centred = x - x.mean(axis=-1, keepdims=True)
    spread = np.sqrt((centred * centred).mean(axis=-1, keepdims=True) + np.float32(_EPSILON))
    found: NDArray[np.float32] = centred / spread * weights[f"{name}.weight"] + weights[f"{name}.bias"]
    return found


def _gelu(x: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return GELU by its approximation with tanh (Hendrycks and Gimpel 2016), which saves a quarter of the time."""
    inner = np.float32(_ROOT_OF_TWO_OVER_PI) * (x + np.float32(0.044715) * x * x * x)
    found: NDArray[np.float32] = np.float32(0.5) * x * (1 + np.tanh(inner))
    return found


def content(folder: str) -> bytes:
    """Return the file of the weights in a folder (a path or URI), of the packaged ones for ""."""
    if folder:
        return storage.read_bytes(storage.join(folder, FILE))
    # On a worker the package may lie elsewhere, or in a zip file.
    return resources.files("antinomy.judge.fitted").joinpath("weights", FILE).read_bytes()


@cache
def loaded(folder: str) -> CrossEncoder:
    """Return this process's cross-encoder with the weights in a folder, the packaged ones for ""."""
    return CrossEncoder(content(folder))


def packed(weights: Mapping[str, Any]) -> dict[str, Any]:
    """Return weights as they are stored: matrices in 8 bits with a factor per row, the rest in 16.

    Args:
        weights: name of a parameter → array of floats; without the embeddings, which are the encoder's own.
    """
    kept: dict[str, Any] = {}
    for name, value in weights.items():
        if name.startswith("embeddings."):
            continue
        if value.ndim == 2:
            factor = np.abs(value).max(axis=1, keepdims=True) / _MOST
            kept[name] = np.round(value / np.maximum(factor, 1e-12)).astype(np.int8)
            kept[f"{name}.factor"] = factor.astype(np.float32)
        else:
            kept[name] = value.astype(np.float16)
    return kept


def unpacked(kept: Mapping[str, Any]) -> Weights:
    """Return the weights that ``packed`` stored."""
    found = {}
    for name, value in kept.items():
        if not name.endswith(".factor"):
            factor = kept.get(f"{name}.factor", np.float32(1))
            found[name] = np.ascontiguousarray(value.astype(np.float32) * factor)
    return found


@cache
def _embeddings() -> Weights:
    from safetensors import safe_open

    with safe_open(str(Path(model_path(PACKAGED)) / "model.safetensors"), framework="np") as file:
        # The names differ by what wrote the file: with or without the model's own name before them.
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
    """Return the ids of two texts' tokens, and for each to which text it belongs."""
    found = _tokenizer().encode(first, second)
    return found.ids, found.type_ids
