"""How a stage runs: its inputs are recorded, so that it is skipped, repeated or refused for a reason.

A completion marker ``<warehouse>/_stages/run_id=<id>/<stage>.json`` is written last. A stage whose marker names the
same settings, code and inputs is skipped; the same run_id with other settings is refused; changed code or
inputs make the stage run again, and with it everything after it. So does a table or file that is gone: a marker counts
only with what the stage made. A stage is refused while one that it builds on was made from older results than there are
now.
"""

from __future__ import annotations

import hashlib
import json
import logging
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from antinomy.errors import AntinomyError, LockError, SettingsError, StorageError
from antinomy.run import fingerprints, spark_errors
from antinomy.run.marker import Identity, Marker, read
from antinomy.store import storage

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame, SparkSession

    from antinomy.run.results import StageResult
    from antinomy.settings import Settings

log = logging.getLogger("antinomy")

#: Stages in the order of the data flow.
STAGES = ("parse", "embed", "link", "judge", "report", "evaluate")
#: Stages that a run has only if they are asked for.
ON_DEMAND = ("facts", "ask")
#: Characters of an error that are kept: Spark's come with the trace of another process.
_NOTE_LENGTH = 500


@dataclass
class Context:
    """What a stage's ``run`` works with.

    Attributes:
        settings: of the run.
        session: gives the Spark session; started on first use, since a run that has nothing to do needs none.
        tables: that the stage has written.
        files: that it has written, below ``out``.
        partial: why the same command should go on with the stage, "" if all is done.
        require_lock: raises LockError if another process has taken the run over; called before anything is written.
    """

    settings: Settings
    session: Callable[[], SparkSession]
    tables: list[str] = field(default_factory=list)
    files: list[str] = field(default_factory=list)
    partial: str = ""
    require_lock: Callable[[], None] = lambda: None

    @property
    def spark(self) -> SparkSession:
        """The Spark session."""
        return self.session()

    def read(self, table: str) -> DataFrame:
        """Read this run's part of a table."""
        from antinomy.store import tables

        return tables.read(self.spark, self.settings.warehouse, table, self.settings.run_id)

    def arrow(self, table: str, columns: Sequence[str] = ()) -> pa.Table:
        """Read this run's part of a table, or some columns of it, into memory; needs no Spark."""
        from antinomy.store import tables

        return tables.read_arrow(self.settings.warehouse, table, self.settings.run_id, columns)

    def write_rows(self, rows: Sequence[Mapping[str, object]], table: str) -> int:
        """Replace this run's part of a table by rows that are in memory; returns their number; needs no Spark."""
        from antinomy.store import tables

        self.require_lock()
        tables.write_rows(rows, self.settings.warehouse, table, self.settings.run_id)
        self.tables.append(table)
        return len(rows)

    def write(self, df: DataFrame, table: str) -> int:
        """Replace this run's part of a table; returns the number of rows."""
        from antinomy.store import tables

        self.require_lock()
        rows = tables.write(df, self.settings.warehouse, table, self.settings.run_id)
        self.tables.append(table)
        return rows

    def write_file(self, name: str, data: bytes) -> None:
        """Write a file below ``out``."""
        self.require_lock()
        storage.write_bytes(storage.join(self.settings.out, name), data)
        self.files.append(name)


@dataclass(frozen=True)
class Stage:
    """A stage: its name, the settings that decide its result, what it builds on, and its work.

    Attributes:
        name: one of STAGES or ON_DEMAND.
        settings_used: returns the settings that the result depends on; with others the same run_id is refused.
        upstream: stages that must be complete, and with them those that they were made from.
        run: does the work.
        inputs: returns a fingerprint of the input from outside the warehouse (files), "" if there is none.
        check: raises, before Spark starts, for settings with which the stage would fail or do nothing.
    """

    name: str
    settings_used: Callable[[Settings], dict[str, Any]]
    upstream: tuple[str, ...]
    run: Callable[[Context], StageResult]
    inputs: Callable[[Settings], str] = lambda settings: ""
    check: Callable[[Settings], None] = lambda settings: None


def markers_folder(warehouse: str, run_id: str) -> str:
    """Return where the completion markers of a run lie."""
    return storage.join(warehouse, "_stages", f"run_id={run_id}")


def marker_uri(settings: Settings, name: str) -> str:
    """Return where the completion marker of a stage lies."""
    return storage.join(markers_folder(settings.warehouse, settings.run_id), f"{name}.json")


def read_marker(settings: Settings, name: str) -> Marker | None:
    """Return the completion marker of a stage of this run, None if the stage has not completed."""
    return read_markers(settings.warehouse, settings.run_id, (name,)).get(name)


def read_markers(warehouse: str, run_id: str, names: tuple[str, ...] = (*STAGES, *ON_DEMAND)) -> dict[str, Marker]:
    """Return the completion markers of a run's stages, in their order; without those that have not completed.

    Raises:
        StorageError: if one is damaged.
    """
    markers, faults = readable_markers(warehouse, run_id, names)
    if faults:
        raise StorageError("; ".join(faults))
    return markers


def readable_markers(
    warehouse: str, run_id: str, names: tuple[str, ...] = (*STAGES, *ON_DEMAND)
) -> tuple[dict[str, Marker], list[str]]:
    """Return the same markers, and of each damaged one what is wrong with it."""
    folder = markers_folder(warehouse, run_id)
    markers, faults = {}, []
    for name in names:
        uri = storage.join(folder, f"{name}.json")
        if not storage.exists(uri):
            continue
        try:
            markers[name] = read(name, storage.read_json(uri))
        except StorageError as error:
            faults.append(str(error))
        except ValueError:
            faults.append(f"{uri} is damaged (it is not a completion marker): remove it and run the stage again")
    return markers, faults


def _missing_outputs(settings: Settings, marker: Marker) -> list[str]:
    """Return what a completed stage made and is not there any more."""
    from antinomy.store import tables

    made = [tables.location(settings.warehouse, name, settings.run_id) for name in marker.tables]
    lost = [uri for uri in made if not any(name.endswith(".parquet") for name in storage.list_names(uri))]
    files = [storage.join(settings.out, name) for name in marker.files]
    return [*lost, *(uri for uri in files if not storage.exists(uri))]


def execute(
    stage: Stage,
    settings: Settings,
    session: Callable[[], SparkSession],
    require_lock: Callable[[], None] = lambda: None,
) -> Marker:
    """Run a stage unless its result is there already.

    Args:
        stage: what to run.
        settings: of the run.
        session: gives the Spark session.
        require_lock: raises LockError if another process has taken the run over; called before anything is written.

    Returns:
        The stage's completion marker; ``skipped`` tells whether anything was done now.

    Raises:
        SettingsError: if the run_id was used with other settings.
        StorageError: if an earlier stage has not completed, or was made from older results than there are now.
    """
    chosen = stage.settings_used(settings)
    upstream = _upstream(stage, settings)
    fingerprint = _digest(
        [stage.name, chosen, fingerprints.of_module(stage.run.__module__), upstream, stage.inputs(settings)]
    )
    done = read_marker(settings, stage.name)
    if done is not None:
        _refuse_other_settings(done.settings, chosen, stage.name, settings.run_id)
        if _still_valid(done, settings, fingerprint):
            return done.model_copy(update={"skipped": True})
        storage.remove(marker_uri(settings, stage.name))
    storage.require_writable(markers_folder(settings.warehouse, settings.run_id))
    context = Context(settings, session, require_lock=require_lock)
    started = datetime.now(UTC)
    clock = time.monotonic()
    result = _run_recorded(stage, context)
    marker = Marker(
        stage=stage.name,
        run_id=settings.run_id,
        settings=chosen,
        fingerprint=fingerprint,
        code_version=fingerprints.version(),
        started_at=started.isoformat(timespec="milliseconds"),
        finished_at=datetime.now(UTC).isoformat(timespec="seconds"),
        seconds=round(time.monotonic() - clock, 3),
        result=result,
        tables=tuple(context.tables),
        files=tuple(context.files),
        partial=context.partial,
        upstream=upstream,
    )
    require_lock()
    storage.write_json(marker_uri(settings, stage.name), marker.as_json())
    storage.remove(_failure_uri(settings.warehouse, settings.run_id))
    log.info("stage %s of run %s: done in %.1f s", stage.name, settings.run_id, marker.seconds)
    return marker


def _upstream(stage: Stage, settings: Settings) -> dict[str, Identity]:
    """Return which result of each stage that it needs is there.

    Raises:
        StorageError: if one of them, or one that it was made from, is not complete or was made from an older result.
    """
    return {name: _require_current(name, settings, stage.name).identity for name in stage.upstream}


def _require_current(name: str, settings: Settings, needed_by: str) -> Marker:
    """Return the marker of a complete stage that was made from what the stages before it have now."""
    found = read_marker(settings, name)
    if found is None:
        raise StorageError(
            f"{needed_by}: stage {name} of run {settings.run_id} has not completed: run `antinomy {name}` first"
        )
    if gone := _missing_outputs(settings, found):
        raise StorageError(
            f"{needed_by}: stage {name} of run {settings.run_id} has completed, but {', '.join(gone)} is gone: "
            f"run `antinomy {name}` again"
        )
    for before, made_from in found.upstream.items():
        if _require_current(before, settings, needed_by).identity != made_from:
            raise StorageError(
                f"{needed_by}: stage {name} of run {settings.run_id} was made from an older result of stage {before}: "
                f"run `antinomy {name}` again"
            )
    return found


def _still_valid(done: Marker, settings: Settings, fingerprint: str) -> bool:
    """Return whether a stage has nothing to do, and log why."""
    gone = _missing_outputs(settings, done)
    if gone:
        log.warning("stage %s of run %s runs again: %s is gone", done.stage, settings.run_id, ", ".join(gone))
    elif done.partial or done.fingerprint != fingerprint:
        why = done.partial or "its inputs or the code changed"
        log.info("stage %s of run %s runs again: %s", done.stage, settings.run_id, why)
    else:
        log.info("stage %s of run %s is complete: skipped", done.stage, settings.run_id)
        return True
    return False


def _run_recorded(stage: Stage, context: Context) -> StageResult:
    """Run a stage; record the error that ends it early, translated into one that the user can act on if possible."""
    try:
        return stage.run(context)
    except BaseException as error:
        fault = error if isinstance(error, AntinomyError) else spark_errors.translate(error)
        _record_failure(context.settings, stage.name, fault or error)
        if fault is None or fault is error:
            raise
        raise fault from error


def read_failure(warehouse: str, run_id: str) -> dict[str, Any] | None:
    """Return ``stage``, ``error`` and ``at`` of what ended a run early; None if nothing did, or it was mended since.

    Raises:
        StorageError: if the note is damaged.
    """
    uri = _failure_uri(warehouse, run_id)
    if not storage.exists(uri):
        return None
    found = storage.read_json(uri)
    if not isinstance(found, dict) or not found.keys() >= {"stage", "error", "at"}:
        raise StorageError(f"{uri} is damaged (it does not describe a failure): remove it")
    return found


def _failure_uri(warehouse: str, run_id: str) -> str:
    return storage.join(markers_folder(warehouse, run_id), "failed.json")


def _record_failure(settings: Settings, name: str, error: BaseException) -> None:
    """Record the error that ended the run for later readers; the caller gets the error itself."""
    if isinstance(error, LockError):
        return  # the run is another process's, and so is what is said of it
    message = (
        "stopped" if isinstance(error, KeyboardInterrupt) else " ".join(str(error).split()) or type(error).__name__
    )
    note = {"stage": name, "error": message[:_NOTE_LENGTH], "at": datetime.now(UTC).isoformat(timespec="seconds")}
    try:
        storage.write_json(_failure_uri(settings.warehouse, settings.run_id), note)
    except StorageError as second:
        log.warning("the failure cannot be noted: %s", second)


def settings_of(*names: str) -> Callable[[Settings], dict[str, Any]]:
    """Return a ``settings_used`` that takes whole groups of settings."""
    return lambda settings: settings.model_dump(mode="json", include=set(names))


def _digest(value: Any) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()


def _refuse_other_settings(before: dict[str, Any], now: dict[str, Any], name: str, run_id: str) -> None:
    changes = list(_differences("", before, now))
    if changes:
        raise SettingsError(
            f"run {run_id} has stage {name} already, made with other settings ({'; '.join(changes)}): "
            "give another --run-id"
        )


def _differences(path: str, before: Any, now: Any) -> list[str]:
    if isinstance(before, dict) and isinstance(now, dict):
        found = []
        for key in sorted(before.keys() | now.keys()):
            found += _differences(f"{path}.{key}" if path else key, before.get(key), now.get(key))
        return found
    return [] if before == now else [f"{path}: {json.dumps(before)} → {json.dumps(now)}"]
