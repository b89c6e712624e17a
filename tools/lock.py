"""Pins everything that `make install` installs, with the sha256 of every file that the index has of it: `make lock`.

Resolves pyproject.toml with uv, keeping the pins of constraints.txt that still fit (`--upgrade` does not), and writes

- requirements/build.txt: what builds those packages that come as source, installed first;
- requirements/torch.txt: torch, of which a CPU build that lies in a folder of wheels goes before the index's;
- requirements/lock.txt: all the rest;
- requirements/cuda.txt: what PyPI's torch for Linux needs beside it and a CPU build of torch does not;
- constraints.txt: the same pins without hashes, for other environments;
- airflow/requirements.txt: what airflow/requirements.in asks for, an environment of its own.

A torch of one's own (a wheel in a folder that pip is told of by PIP_FIND_LINKS, as CPU builds are) has another hash
than PyPI's: it is added to the allowed ones, and those of the last lock stay while the version does.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "requirements"
_BUILD = ("setuptools",)
_TORCH = ("torch",)
_CUDA = re.compile(r"nvidia-|cuda-|triton$")
_PIN = re.compile(r"^([A-Za-z0-9._-]+)==(\S+)((?: \\\n +--hash=sha256:[0-9a-f]{64})*)$", re.M)
Pins = dict[str, tuple[str, set[str]]]


def read(text: str) -> Pins:
    """Return name → (version, hashes)."""
    return {
        name.lower().replace("_", "-").replace(".", "-"): (version, set(re.findall(r"sha256:([0-9a-f]{64})", hashes)))
        for name, version, hashes in _PIN.findall(text)
    }


def resolve(source: Sequence[str], kept: Path | None) -> Pins:
    """Ask uv for the pins and their hashes.

    Args:
        source: a file that asks for packages, and which of its extras.
        kept: pins to keep where they still fit.
    """
    uv = Path(sys.executable).parent / "uv"
    command = [uv, "pip", "compile", *source, "--generate-hashes", "--no-header", "--no-annotate", "--quiet"]
    # The oldest Python that is supported: what it needs, later ones have too.
    command += ["--python-version", "3.11", *(["--constraint", str(kept)] if kept else [])]
    return read(subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True).stdout)


def local_hashes(pins: Pins) -> None:
    """Allow the wheels that lie in the folders of PIP_FIND_LINKS too."""
    for folder in os.environ.get("PIP_FIND_LINKS", "").split():
        for wheel in sorted(Path(folder).glob("*.whl")):
            name, version = wheel.name.lower().replace("_", "-").split("-")[:2]
            if name in pins and version.partition("+")[0] == pins[name][0]:
                with wheel.open("rb") as file:
                    pins[name][1].add(hashlib.file_digest(file, "sha256").hexdigest())


def keep_hashes(pins: Pins) -> None:
    """Keep the hashes that were allowed before for the same version: not every machine has the same wheels."""
    for path in FOLDER.glob("*.txt"):
        for name, (version, hashes) in read(path.read_text()).items():
            if name in pins and pins[name][0] == version:
                pins[name][1].update(hashes)


def write(path: Path, says: str, pins: Pins, hashed: bool = True) -> None:
    """Write a requirements file."""
    lines = [f"# {says}", "# Written by `make lock`."]
    for name, (version, hashes) in sorted(pins.items()):
        lines.append(
            " \\\n".join([f"{name}=={version}", *(f"    --hash=sha256:{h}" for h in sorted(hashes) if hashed)])
        )
    path.write_text("\n".join([*lines, ""]))


def main() -> None:
    """Write the files."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--upgrade", action="store_true", help="take the newest versions that fit")
    parser.add_argument("extras", help="of the package, with commas between")
    options = parser.parse_args()
    constraints, airflow = ROOT / "constraints.txt", ROOT / "airflow" / "requirements.txt"
    extras = [word for extra in options.extras.split(",") for word in ("--extra", extra)]
    pins = resolve(["pyproject.toml", *extras], None if options.upgrade else constraints)
    local_hashes(pins)
    keep_hashes(pins)
    apart = resolve(["airflow/requirements.in"], None if options.upgrade else airflow)
    bare = sorted(name for some in (pins, apart) for name, (_, hashes) in some.items() if not hashes)
    if bare:
        sys.exit(f"no hash is known of {', '.join(bare)}: is the index reached?")
    build = {name: pin for name, pin in pins.items() if name in _BUILD}
    torch = {name: pin for name, pin in pins.items() if name in _TORCH}
    cuda = {name: pin for name, pin in pins.items() if _CUDA.match(name)}
    rest = {name: pin for name, pin in pins.items() if name not in build | torch | cuda}
    FOLDER.mkdir(exist_ok=True)
    write(FOLDER / "build.txt", "Builds the packages of lock.txt that come as source.", build)
    write(FOLDER / "torch.txt", "PyPI's wheels, and the CPU builds that `make lock` found in PIP_FIND_LINKS.", torch)
    write(FOLDER / "cuda.txt", "What PyPI's torch for Linux needs beside lock.txt; a CPU build needs none of it.", cuda)
    write(FOLDER / "lock.txt", "All that `make install` installs, with every file that the index has of it.", rest)
    says = "The pins of requirements/*.txt without hashes, for environments that pip makes by itself (pip -c)."
    write(constraints, says, build | torch | rest, hashed=False)
    write(airflow, "All that .venv-airflow has, with every file that the index has of it.", apart)
    both = [*pins.values(), *apart.values()]
    print(f"{len(both)} packages, {sum(len(hashes) for _, hashes in both)} hashes")


if __name__ == "__main__":
    main()
