"""Configs, job files for ``spark-submit`` and notebooks, as an installed package brings them.

In a checkout they are links to the folders of the same names at its top.
"""

from __future__ import annotations

import shutil
from pathlib import Path

from antinomy.errors import SettingsError

FOLDER = Path(__file__).resolve().parent
#: The folders here; the config of the demo is run by ``antinomy demo``, from where it is.
PARTS = ("conf", "jobs", "notebooks")
_LEFT_OUT = shutil.ignore_patterns("demo.yaml", "__pycache__", ".ipynb_checkpoints")


def copy_to(folder: Path) -> list[Path]:
    """Copy all of it into a folder.

    Returns:
        The folders that were made.

    Raises:
        SettingsError: if one of them is there already; nothing is copied then.
    """
    made = [folder / part for part in PARTS]
    there = [str(place) for place in made if place.exists()]
    if there:
        raise SettingsError(f"{', '.join(there)}: already there; name another folder")
    for part, place in zip(PARTS, made, strict=True):
        shutil.copytree(FOLDER / part, place, ignore=_LEFT_OUT)
    return made
