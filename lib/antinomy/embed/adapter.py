"""The packaged adapters: with them a model's vectors of one demand in different words are more similar.

An adapter is a low-rank matrix for each linear layer of a model (LoRA: Hu et al. 2021), made by ``train/encoder.py``
from labelled pairs of provisions. There is one for the packaged model and one for the model of the channel ``mpnet``.
docs/evaluation.md has what they bring.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from importlib import resources
from typing import Any

import numpy as np
from numpy.typing import NDArray

#: Ends of the names of the two matrices whose product is added to a weight: of shapes (rank, inputs), (outputs, rank).
DOWN, UP = ".down", ".up"


def revision(model: str) -> str:
    """Return the hash of a model's adapter, for which alone a cached vector is valid."""
    return hashlib.sha256(_content(model)).hexdigest()[:12]


def load(model: str) -> dict[str, NDArray[np.float32]]:
    """Return the matrices for a model of this package, by the name of their layer and DOWN or UP."""
    from safetensors import numpy as safetensors

    return {name: matrix.astype(np.float32) for name, matrix in safetensors.load(_content(model)).items()}


def merge(body: Any, matrices: Mapping[str, NDArray[np.float32]]) -> None:
    """Add matrices to the weights of a transformer: it is as fast as before.

    Args:
        body: torch module; a layer ``name`` has the weight ``name.weight``.
        matrices: by the name of their layer and DOWN or UP; other entries are left alone.
    """
    import torch

    for name in [name.removesuffix(UP) for name in matrices if name.endswith(UP)]:
        weight = body.get_parameter(f"{name}.weight").data
        weight.copy_(weight.float() + torch.from_numpy(matrices[name + UP] @ matrices[name + DOWN]).to(weight.device))


def _content(model: str) -> bytes:
    # On a worker the package may be in a zip file.
    return resources.files("antinomy.embed").joinpath("weights", f"{model}.safetensors").read_bytes()
