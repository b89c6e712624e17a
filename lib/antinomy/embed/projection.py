"""The packaged projection: a linear map that brings the packaged model's vectors of one duty in two wordings together.

It was fitted on invented pairs of provisions (``antinomy train projection``, see ``train/projection.py``), not on texts
of any regulation. Being linear it commutes with the mean over tokens, so it serves texts and clauses alike.
"""

from __future__ import annotations

import hashlib
from functools import cache
from importlib import resources

import numpy as np
from numpy.typing import NDArray

_FILE = "projection.npy"


@cache
def load() -> NDArray[np.float32]:
    """Return the map, float32 of shape (dim, dim), to multiply rows with."""
    with resources.files("antinomy.embed").joinpath("weights", _FILE).open("rb") as file:
        loaded: NDArray[np.float32] = np.load(file, allow_pickle=False).astype(np.float32)
    return loaded


@cache
def revision() -> str:
    """Return the hash of the map, for which alone a cached vector is valid."""
    data = resources.files("antinomy.embed").joinpath("weights", _FILE).read_bytes()
    return hashlib.sha256(data).hexdigest()[:12]
