"""The stages in order, run in one Spark application or one by one; afterwards the manifest of the run."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from py4j.protocol import Py4JError

from antinomy.errors import StorageError
from antinomy.run import logs, metrics, preflight
from antinomy.run.lock import run_lock
from antinomy.run.manifest import Manifest, build_manifest
from antinomy.run.progress import Progress
from antinomy.run.spark import must_start, spark_session
from antinomy.run.stage import Stage, execute, read_failure, read_markers
from antinomy.store import storage, tables

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from antinomy.settings import Settings

log = logging.getLogger("antinomy")


def load_stage(name: str) -> Stage:
    """Import a stage; only then, so that a judge's client is not loaded to parse a file."""
    import importlib

    found: Stage = importlib.import_module(f"antinomy.{name}.stage").STAGE
    return found


class LazySession:
    """Starts Spark on the first call and then returns the same session: a run with nothing to do starts none.

    Attributes:
        current: the session, None before the first call.
        borrowed: the session was there before the first call: it is the caller's, who will stop it.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self.current: SparkSession | None = None
        self.borrowed = False

    def __call__(self) -> SparkSession:
        """Return the session."""
        if self.current is None:
            from pyspark.sql import SparkSession

            self.borrowed = SparkSession.getActiveSession() is not None
            log.info("using the active Spark session" if self.borrowed else "starting Spark")
            self.current = spark_session(self._settings.spark, f"antinomy {self._settings.run_id}")
        return self.current


@contextmanager
def managed_session(settings: Settings) -> Iterator[LazySession]:
    """Yield a lazy session; stop it at the end if it was started here."""
    session = LazySession(settings)
    try:
        if must_start():
            session()
        yield session
    finally:
        if session.current is not None and not session.borrowed:
            try:
                # Running tasks fail when it is stopped, and Spark would report each.
                session.current.sparkContext.setLogLevel("OFF")
                session.current.stop()
            except (Py4JError, OSError) as error:
                # Its Java process is gone; the error that ended it is the one to report.
                log.warning("Spark could not be stopped: %s", error)


def run(settings: Settings, names: tuple[str, ...]) -> Manifest:
    """Run stages in order.

    Args:
        settings: of the run.
        names: which stages.

    Returns:
        The manifest of the run.

    Raises:
        AntinomyError: before Spark starts, for what ``preflight.require`` finds.
        LockError: if another process works on the same run.
    """
    stages = [load_stage(name) for name in names]
    preflight.require(settings, stages)
    with run_lock(settings.warehouse, settings.run_id) as require_lock:
        with managed_session(settings) as session, Progress(names) as progress:
            for stage in stages:
                with logs.stage(stage.name), progress.stage(stage.name, session), _failures_in_metrics(settings):
                    marker = execute(stage, settings, session, require_lock)
                progress.done(stage.name, marker.seconds, marker.skipped)
                if marker.partial:
                    log.warning("stage %s: %s", stage.name, marker.partial)
        require_lock()
        return write_manifest(settings)


@contextmanager
def _failures_in_metrics(settings: Settings) -> Iterator[None]:
    """Record a failed stage in the metrics, whose readers see no exit code."""
    try:
        yield
    except BaseException:
        try:
            failure = read_failure(settings.warehouse, settings.run_id)
            if failure:
                _write_metrics(settings, manifest(settings), failure)
        except StorageError as second:
            log.warning("the metrics cannot be written: %s", second)
        raise


def manifest(settings: Settings) -> Manifest:
    """Gather what the completed stages of a run did."""
    return build_manifest(settings.run_id, read_markers(settings.warehouse, settings.run_id))


def write_manifest(settings: Settings) -> Manifest:
    """Write the run's row of ``runs``, ``<out>/manifest.json`` and ``<out>/metrics.prom``; returns the manifest."""
    built = manifest(settings)
    content = built.as_json()
    dump = settings.model_dump(mode="json")
    row = {
        **content,
        "settings": json.dumps(dump, sort_keys=True),
        "stages": json.dumps(content["stages"], sort_keys=True),
    }
    tables.write_rows([row], settings.warehouse, "runs", settings.run_id)
    storage.write_json(storage.join(settings.out, "manifest.json"), {**content, "settings": dump})
    _write_metrics(settings, built, None)
    return built


def _write_metrics(settings: Settings, built: Manifest, failed: dict[str, Any] | None) -> None:
    storage.write_bytes(storage.join(settings.out, "metrics.prom"), metrics.prometheus(built, failed))
