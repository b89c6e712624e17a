"""One process at a time works on a run: a lock that needs nothing of a storage but creating a file exclusively.

Locks are numbered files in ``<warehouse>/_locks/run_id=<id>/``, of which the highest counts. Whoever wants the run
creates the next number, which only one can do; the holder writes its file again every few seconds. A lock is free
when its holder has released it, when the holder's process is gone (which only the same machine can tell), or when
the file does not change while it is watched. No clock is compared with another, so that a wrong one, or one that
jumps, frees nothing and blocks nothing.
"""

from __future__ import annotations

import json
import logging
import os
import socket
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from antinomy.errors import LockError, StorageError
from antinomy.store import storage

log = logging.getLogger("antinomy")

#: Seconds between two writes of a lock's file by its holder.
HEARTBEAT_S = 10.0
#: Seconds after which a file that has not changed has no holder any more.
STALE_AFTER_S = 60.0


@dataclass(frozen=True)
class Holder:
    """Who holds a lock; ``machine`` and ``start`` tell its process from all others, "" where there is no /proc."""

    owner: str
    host: str
    machine: str
    pid: int
    start: str
    since: str
    beat: int = 0
    released: bool = False


def locks_folder(warehouse: str, run_id: str) -> str:
    """Return where the locks of a run lie."""
    return storage.join(warehouse, "_locks", f"run_id={run_id}")


@contextmanager
def run_lock(
    warehouse: str, run_id: str, heartbeat_s: float = HEARTBEAT_S, stale_after_s: float = STALE_AFTER_S
) -> Iterator[Callable[[], None]]:
    """Hold the lock of a run.

    Yields a function to call before anything is published: it raises LockError when another process has taken the
    lock over meanwhile, because this one was stopped or cut off for longer than ``stale_after_s``.

    Args:
        warehouse: URI of the warehouse.
        run_id: of the run.
        heartbeat_s: seconds between two signs of life.
        stale_after_s: how long another machine's lock is watched for a sign of life.

    Raises:
        LockError: if another process works on the run.
        StorageError: if the lock cannot be written.
    """
    folder = locks_folder(warehouse, run_id)
    before = _lock_numbers(folder)
    if before:
        holder = _read_lock(folder, before[-1])
        if _is_alive(folder, before[-1], holder, stale_after_s):
            raise LockError(_busy_message(run_id, holder))
        if not (holder and holder.released):
            log.warning("run %s was left without an end by %s: taken over", run_id, _describe(holder))
    number = (before[-1] if before else 0) + 1
    own = _this_process()
    if not storage.create(_lock_uri(folder, number), _serialise(own)):
        raise LockError(_busy_message(run_id, _read_lock(folder, number)))
    if _lock_numbers(folder)[-1] != number:
        # Others came, went and cleared up between the first look and here.
        storage.remove(_lock_uri(folder, number))
        raise LockError(_busy_message(run_id, _read_lock(folder, _lock_numbers(folder)[-1])))
    for old in before:
        storage.remove(_lock_uri(folder, old))

    stop, lost = threading.Event(), threading.Event()
    beating = threading.Thread(
        target=_heartbeat, args=(folder, number, own, heartbeat_s, stop, lost), name="antinomy-lock", daemon=True
    )
    beating.start()

    def require_lock() -> None:
        if lost.is_set() or not _is_still_ours(folder, number, own):
            lost.set()
            raise LockError(
                f"run {run_id} was taken over by another process while this one gave no sign of life: "
                "nothing more was written; make sure that only one works on it"
            )

    try:
        yield require_lock
    finally:
        stop.set()
        beating.join()
        if not lost.is_set():
            _renew(folder, number, replace(own, released=True))


def holder_of(warehouse: str, run_id: str) -> Holder | None:
    """Return the holder of a run's lock, None if nobody seems to work on it.

    Another machine's lock is believed without watching it.
    """
    folder = locks_folder(warehouse, run_id)
    numbers = _lock_numbers(folder)
    holder = _read_lock(folder, numbers[-1]) if numbers else None
    return None if holder is None or holder.released or _has_died(holder) else holder


def _heartbeat(
    folder: str, number: int, own: Holder, heartbeat_s: float, stop: threading.Event, lost: threading.Event
) -> None:
    while not stop.wait(heartbeat_s):
        own = replace(own, beat=own.beat + 1)
        try:
            if not _is_still_ours(folder, number, own):
                lost.set()
                return
        except OSError as error:
            log.warning("the lock cannot be looked after: %s", error)
            continue
        _renew(folder, number, own)


def _is_still_ours(folder: str, number: int, own: Holder) -> bool:
    """Return whether the highest file is ours: by its number, and by its owner where two created it at one moment."""
    found = _read_lock(folder, number)
    return _lock_numbers(folder)[-1:] == [number] and (found is None or found.owner == own.owner)


def _renew(folder: str, number: int, holder: Holder) -> None:
    try:
        storage.write_bytes(_lock_uri(folder, number), _serialise(holder))
    except StorageError as error:
        # Work that goes on well is not ended for this: others see the process, or wait longer.
        log.warning("the lock cannot be renewed: %s", error)


def _lock_uri(folder: str, number: int) -> str:
    return storage.join(folder, f"{number:06d}.json")


def _lock_numbers(folder: str) -> list[int]:
    names = (name.removesuffix(".json") for name in storage.list_names(folder))
    return sorted(int(name) for name in names if name.isdecimal())


def _read_lock(folder: str, number: int) -> Holder | None:
    """Return what a lock file says; None if it is empty, since its maker is about to write it or died before."""
    try:
        return Holder(**json.loads(storage.read_bytes(_lock_uri(folder, number))))
    except (StorageError, ValueError, TypeError):
        return None


def _serialise(holder: Holder) -> bytes:
    return json.dumps(asdict(holder)).encode()


def _is_alive(folder: str, number: int, holder: Holder | None, stale_after_s: float) -> bool:
    if holder and (holder.released or _has_died(holder)):
        return False
    if holder and _is_on_this_machine(holder):
        return True
    if holder:
        log.warning("run is held by %s: watched for a sign of life", _describe(holder))
    end = time.monotonic() + stale_after_s
    while time.monotonic() < end:
        time.sleep(min(1.0, stale_after_s / 10))
        now = _read_lock(folder, number)
        if now != holder or _lock_numbers(folder)[-1:] != [number]:
            return not (now and now.released)
    return False


def _this_process() -> Holder:
    pid = os.getpid()
    return Holder(
        owner=uuid.uuid4().hex,
        host=socket.gethostname(),
        machine=_machine_id(),
        pid=pid,
        start=_process_start(pid),
        since=datetime.now(UTC).isoformat(timespec="seconds"),
    )


def _machine_id() -> str:
    """Identify this machine by its boot id and its PID namespace: containers share the first, not the second."""
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
        return f"{boot} {os.readlink('/proc/self/ns/pid')}"
    except OSError:
        return ""


def _process_start(pid: int) -> str:
    """Return the start time of a process in ticks since boot, "" if there is none; tells reused ids apart."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return ""
    # The name may hold blanks and brackets; proc(5): starttime is field 22, the state (field 3) follows the name.
    fields = stat.rpartition(")")[2].split()
    return "" if fields[0] in "ZX" else fields[19]


def _is_on_this_machine(holder: Holder) -> bool:
    return bool(holder.machine) and holder.machine == _machine_id()


def _has_died(holder: Holder) -> bool:
    return _is_on_this_machine(holder) and _process_start(holder.pid) != holder.start


def _describe(holder: Holder | None) -> str:
    return f"process {holder.pid} on {holder.host}" if holder else "another process"


def _busy_message(run_id: str, holder: Holder | None) -> str:
    since = f" (since {holder.since})" if holder else ""
    return (
        f"run {run_id} is being worked on by {_describe(holder)}{since}: wait until that ends, or give another --run-id"
    )
