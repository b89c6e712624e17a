"""Nothing is installed that is not pinned by its hash."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
_PIN = re.compile(r"^([A-Za-z0-9._-]+)==(\S+)((?: \\\n +--hash=sha256:[0-9a-f]{64})*)$", re.M)


def normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def pins(path: Path) -> dict[str, tuple[str, str]]:
    return {normal(name): (version, hashes) for name, version, hashes in _PIN.findall(path.read_text())}


def locked() -> dict[str, tuple[str, str]]:
    return {name: pin for path in (ROOT / "requirements").glob("*.txt") for name, pin in pins(path).items()}


@pytest.mark.parametrize("folder", ["requirements", "airflow"])
def test_every_pin_has_its_hashes(folder: str) -> None:
    paths = list((ROOT / folder).glob("*.txt"))
    found = {name: pin for path in paths for name, pin in pins(path).items()}
    assert len(found) > 100
    assert [name for name, (_, hashes) in found.items() if not hashes] == []
    lines = [line for path in paths for line in path.read_text().splitlines()]
    assert sum(bool(re.match(r"\S+==", line)) for line in lines) == len(found)


def test_every_dependency_is_locked() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = re.search(r"^EXTRAS := (\S+)$", (ROOT / "Makefile").read_text(), re.M)
    assert extras
    wanted = project["dependencies"] + [
        name for extra in extras[1].split(",") for name in project["optional-dependencies"][extra]
    ]
    names = {normal(re.split(r"[\[<>=!~; ]", name, maxsplit=1)[0]) for name in wanted}
    assert names - locked().keys() == set(), "run `make lock`"


def test_the_constraints_are_the_same_pins() -> None:
    bare = {name: version for name, (version, _) in pins(ROOT / "constraints.txt").items()}
    found = {
        name: version for name, (version, _) in locked().items() if name not in pins(ROOT / "requirements/cuda.txt")
    }
    assert bare == found


def test_installing_checks_the_hashes() -> None:
    makefile = (ROOT / "Makefile").read_text()
    install = makefile.split("$(VENV)/.installed:")[1].split("\ndemo:")[0]
    for part in ("build", "torch", "lock", "cuda"):
        assert f"$(HASHED) --requirement requirements/{part}.txt" in install.replace("--no-build-isolation ", "")
    assert "--require-hashes --no-deps --requirement airflow/requirements.txt" in makefile
    assert "HASHED := $(BIN)/python -m pip install --quiet --require-hashes --no-deps" in makefile
