"""Checks before Spark starts: a run that would fail, or could find nothing, is refused at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from antinomy.errors import SettingsError, StorageError
from antinomy.store import storage

if TYPE_CHECKING:
    from antinomy.run.stage import Stage
    from antinomy.settings import Settings


def require(settings: Settings, stages: Sequence[Stage]) -> None:
    """Refuse a run whose stages could not be completed.

    Args:
        settings: of the run.
        stages: that are to run.

    Raises:
        SettingsError: for what a stage refuses, see ``Stage.check``, or if ``out`` is another run's.
        StorageError: if a file that the settings name is not there, or ``warehouse`` or ``out`` cannot be
            written.
    """
    for stage in stages:
        stage.check(settings)
    _require_exclusive_out(settings)
    storage.require_writable(settings.warehouse, "warehouse")
    storage.require_writable(settings.out, "out")


def require_files(named: Mapping[str, str]) -> None:
    """Refuse settings that name files which are not there.

    Args:
        named: setting → path or URI, "" where it names none.

    Raises:
        StorageError: naming them, and what relative paths count from.
    """
    missing = [f"{name} ({uri})" for name, uri in named.items() if uri and not storage.exists(uri)]
    if missing:
        raise StorageError(
            f"not there: {', '.join(missing)}; relative paths count from the folder of the settings file, those of "
            "--set from the working folder"
        )


def _require_exclusive_out(settings: Settings) -> None:
    uri = storage.join(settings.out, "manifest.json")
    if not storage.exists(uri):
        return
    try:
        owner = storage.read_json(uri)["run_id"]
    except (StorageError, KeyError, TypeError):
        return  # Nobody's any more: this run writes a whole one.
    if owner != settings.run_id:
        raise SettingsError(
            f"out ({settings.out}) holds the report of run {owner}, which this run ({settings.run_id}) would "
            "overwrite: set out to another folder, or leave it out of the settings and every run gets its own"
        )
