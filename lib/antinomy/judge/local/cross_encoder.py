"""The cross-encoder: a small transformer that reads both provisions at once, where weights were trained with one."""

from __future__ import annotations

import math
import os
import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from antinomy import storage
from antinomy.errors import EnvironmentFault
from antinomy.judge.local.decision import CLASSES, mirrored

#: Folder beside the fitted decisions.
FOLDER = "cross_encoder"
#: Its file whose hash the decisions name.
WEIGHTS = "model.safetensors"
#: What its numbers are called among those that describe a pair.
PREFIX = "ce_"
#: Word pieces of both provisions together. What is judged of a long provision (see ``focus``) mostly fits; the rest
#: is cut.
MAX_LENGTH = 320
#: Keeps the logarithm of a chance finite.
_LEAST = 1e-3


def weights_sha256(folder: str) -> str:
    """Return the hash of a cross-encoder's weights.

    Args:
        folder: path or URI.

    Raises:
        EnvironmentFault: if they are not there.
    """
    path = storage.join(folder, WEIGHTS)
    if not storage.exists(path):
        raise EnvironmentFault(f"{path} is not there: check judge.weights, or run `antinomy train` again")
    return storage.sha256(path)


def require(folder: str, sha256: str) -> None:
    """Check that a folder holds the weights of a hash.

    Raises:
        EnvironmentFault: if it does not: they are missing, damaged or another model's.
    """
    if weights_sha256(folder) != sha256:
        raise EnvironmentFault(
            f"{storage.join(folder, WEIGHTS)} is damaged, or not what the decision beside it was fitted with: run "
            "`antinomy train` again"
        )


@cache
def _loaded(folder: str, sha256: str) -> Any:
    """Return the model; loading takes a second, so a process keeps it."""
    require(folder, sha256)
    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    from sentence_transformers.cross_encoder import CrossEncoder
    from transformers.utils import logging as transformers_logging

    transformers_logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    with tempfile.TemporaryDirectory() as copied:
        for name in storage.find(folder):
            (Path(copied) / name).parent.mkdir(parents=True, exist_ok=True)
            (Path(copied) / name).write_bytes(storage.read_bytes(storage.join(folder, name)))
        # Kept in half precision for their size, computed with in single: processors without bfloat16 are slow at less.
        return CrossEncoder(copied, device="cpu", max_length=MAX_LENGTH, model_kwargs={"dtype": "float32"})


def read(folder: str, sha256: str, pairs: Sequence[tuple[str, str]]) -> list[dict[str, float]]:
    """Read pairs with the model in a folder.

    Args:
        folder: with the model, path or URI.
        sha256: of its weights.
        pairs: left and right provisions.

    Returns:
        Log-chance of each class, named with ``PREFIX``. A pair is read in one order, that of the alphabet, so that
        mirrored pairs give mirrored numbers at half the work of reading it both ways.

    Raises:
        EnvironmentFault: if the folder holds other weights.
        ValueError: if the model gives no number.
    """
    return described(_loaded(folder, sha256), pairs)


def described(model: Any, pairs: Sequence[tuple[str, str]]) -> list[dict[str, float]]:
    """Read pairs with a model; see ``read``."""
    chances = model.predict([tuple(sorted(pair)) for pair in pairs], apply_softmax=True, show_progress_bar=False)
    named = [
        {f"{PREFIX}{name}": round(math.log(float(p) + _LEAST), 6) for name, p in zip(CLASSES, row, strict=True)}
        for row in chances
    ]
    if any(math.isnan(value) for row in named for value in row.values()):
        raise ValueError("the cross-encoder gives no number for a pair: its weights are broken, train again")
    return [row if left <= right else mirrored(row) for (left, right), row in zip(pairs, named, strict=True)]
