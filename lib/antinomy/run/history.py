"""The runs of a warehouse: the state of each, and the removal of old ones."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from antinomy.errors import AntinomyError, StorageError
from antinomy.run.lock import holder_of, locks_folder, run_lock
from antinomy.run.manifest import CompletedStage, Manifest, build_manifest
from antinomy.run.stage import STAGES, markers_folder, read_failure, readable_markers
from antinomy.store import schemas, storage
from antinomy.store.tables import STAGING, location
from antinomy.vocabulary import RunState

log = logging.getLogger("antinomy")

#: Decisions outlive the runs that they were about.
_TABLES = tuple(table for table in schemas.TABLES if table != "decisions")


@dataclass(frozen=True)
class Run:
    """A run and its state, as found in the warehouse.

    Attributes:
        state: ``running``; ``damaged``: what it left cannot be read; ``failed`` by an error; ``partial``: the same
            command goes on with a stage; ``unfinished``: stopped or killed, or stages are left to run; ``complete``.
        reason: why it is not complete, "" if it is.
        manifest: of its completed stages.
    """

    run_id: str
    state: RunState
    reason: str
    manifest: Manifest

    @property
    def last_active(self) -> str:
        """When it was last worked on (ISO), "" if no stage was ever completed."""
        return str(self.manifest.finished_at or "")


def run_ids(warehouse: str) -> list[str]:
    """Return the ids of all runs that left anything, sorted."""
    found = set()
    for folder in ("_stages", "_locks", *_TABLES):
        names = storage.list_names(storage.join(warehouse, folder))
        found |= {name.removeprefix("run_id=") for name in names if name.startswith("run_id=")}
    return sorted(found)


def inspect_run(warehouse: str, run_id: str) -> Run:
    """Return the state of a run.

    Raises:
        AntinomyError: if there is no such run; the message names those that there are.
    """
    known = run_ids(warehouse)
    if run_id not in known:
        raise AntinomyError(f"{warehouse} has no run {run_id}: it has {', '.join(known) or 'none'}")
    return _inspect(warehouse, run_id)


def _inspect(warehouse: str, run_id: str) -> Run:
    markers, faults = readable_markers(warehouse, run_id)
    manifest = build_manifest(run_id, markers)
    try:
        state, reason = _state(warehouse, run_id, manifest.stages)
    except StorageError as error:
        state, reason = RunState.DAMAGED, ""
        faults.append(str(error))
    if faults and state != RunState.RUNNING:
        state, reason = RunState.DAMAGED, "; ".join(faults)
    return Run(run_id, state, reason, manifest)


def inspect_runs(warehouse: str) -> list[Run]:
    """Return all runs, the most recently active first."""
    runs = [_inspect(warehouse, run_id) for run_id in run_ids(warehouse)]
    return sorted(runs, key=lambda run: (run.last_active, run.run_id), reverse=True)


def _state(warehouse: str, run_id: str, stages: Mapping[str, CompletedStage]) -> tuple[RunState, str]:
    holder = holder_of(warehouse, run_id)
    if holder:
        return RunState.RUNNING, f"process {holder.pid} on {holder.host} since {holder.since}"
    failure = read_failure(warehouse, run_id)
    # A failed stage has no marker; what is run on demand leaves the run as it is.
    if failure and failure["stage"] in STAGES and failure["stage"] not in stages:
        return RunState.FAILED, f"{failure['stage']}: {failure['error']}"
    partial = [f"{name}: {stage.partial}" for name, stage in stages.items() if stage.partial]
    if partial:
        return RunState.PARTIAL, "; ".join(partial)
    # `evaluate` is only for runs that have a key to be measured against.
    missing = [name for name in STAGES if name not in stages and name != "evaluate"]
    return (RunState.UNFINISHED, f"not run: {', '.join(missing)}") if missing else (RunState.COMPLETE, "")


@dataclass(frozen=True)
class Removal:
    """What ``collect_garbage`` removes of a run; ``kept`` says why it removes nothing."""

    run_id: str
    paths: tuple[str, ...]
    kept: str = ""


def collect_garbage(warehouse: str, keep: int, delete: bool) -> list[Removal]:
    """Find the files of runs that can be removed from a warehouse, and remove them.

    These are the tables, markers and locks of all but the newest runs, and what killed processes left half written.
    Decisions are kept, and so is a run that is being worked on or whose markers are damaged.

    Args:
        warehouse: its URI.
        keep: number of runs to keep, the most recently active ones.
        delete: whether to remove them, or only to report what would be removed.
    """
    found = []
    for position, run in enumerate(inspect_runs(warehouse)):
        if run.state in (RunState.RUNNING, RunState.DAMAGED):
            # Nobody knows how old a damaged one is.
            found.append(Removal(run.run_id, (), f"{run.state}: {run.reason}"))
            continue
        paths = tuple(_staging_folders(warehouse, run.run_id))
        if position >= keep:
            paths = (*_folders_of_run(warehouse, run.run_id), *paths)
        if paths and delete:
            paths = _remove(warehouse, run.run_id, paths, whole=position >= keep)
        if paths:
            found.append(Removal(run.run_id, paths))
    return found


def collect_cache_garbage(warehouse: str, delete: bool) -> tuple[str, ...]:
    """Find what killed processes left half written in the caches, and remove it.

    Args:
        warehouse: its URI.
        delete: whether to remove it, or only to report it.

    Returns:
        The folders; none while somebody works on a run, who may be writing one.
    """
    caches = storage.join(warehouse, "cache")
    # Before the runs are looked at: a folder of a run that begins afterwards is not among these.
    found = tuple(
        storage.join(caches, table, name)
        for table in storage.list_names(caches)
        for name in storage.list_names(storage.join(caches, table))
        if name.startswith(STAGING)
    )
    if any(holder_of(warehouse, run_id) for run_id in run_ids(warehouse)):
        return ()
    if delete:
        for path in found:
            storage.remove(path)
    return found


def _folders_of_run(warehouse: str, run_id: str) -> Iterator[str]:
    # The markers go first: a run without them is begun again, never taken for complete.
    folders = [markers_folder(warehouse, run_id)]
    folders += [location(warehouse, table, run_id) for table in _TABLES]
    return (folder for folder in folders if storage.exists(folder))


def _staging_folders(warehouse: str, run_id: str) -> Iterator[str]:
    for table in _TABLES:
        for name in storage.list_names(storage.join(warehouse, table)):
            if name.startswith(STAGING) and name.removeprefix(STAGING).rpartition("-")[0] == run_id:
                yield storage.join(warehouse, table, name)


def _remove(warehouse: str, run_id: str, paths: tuple[str, ...], whole: bool) -> tuple[str, ...]:
    with run_lock(warehouse, run_id):
        for path in paths:
            storage.remove(path)
    if whole:
        storage.remove(locks_folder(warehouse, run_id))
    log.info("run %s: %d paths removed", run_id, len(paths))
    return paths
