"""One finished run of the bundled samples for all tests of questions, and copies of it to change."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import runs
from antinomy import settings
from antinomy.ask.answer import Asker
from antinomy.ask.load import load_asker


@pytest.fixture(scope="session")
def finished(finished_run: runs.Run) -> Path:
    """The settings file of a finished run."""
    return finished_run.config


@pytest.fixture(scope="session")
def asked(finished: Path) -> Asker:
    return load_asker(settings.load(str(finished)))


@pytest.fixture
def copied(finished: Path, tmp_path: Path) -> Callable[..., Path]:
    """Copies the run, with other settings."""

    def copy(**other: Any) -> Path:
        shutil.copytree(finished.parent, tmp_path / "copy")
        return runs.settings(tmp_path / "copy", **other)

    return copy
