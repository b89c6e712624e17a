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

#: The holder writes its file so often.
BEAT_S = 10.0
#: A file that has not changed for so long has no holder any more.
PATIENCE_S = 60.0


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


def folder(warehouse: str, run_id: str) -> str:
    """Return where the locks of a run lie."""
    return storage.join(warehouse, "_locks", f"run_id={run_id}")


@contextmanager
def run_lock(
    warehouse: str, run_id: str, beat_s: float = BEAT_S, patience_s: float = PATIENCE_S
) -> Iterator[Callable[[], None]]:
    """Hold the lock of a run.

    Gives a function to call before anything is published: it raises LockError when another process has taken the
    lock over meanwhile, because this one was stopped or cut off for longer than ``patience_s``.

    Args:
        warehouse: URI of the warehouse.
        run_id: of the run.
        beat_s: seconds between two signs of life.
        patience_s: how long another machine's lock is watched for a sign of life.

    Raises:
        LockError: if another process works on the run.
        StorageError: if the lock cannot be written.
    """
    place = folder(warehouse, run_id)
    before = _numbers(place)
    if before:
        holder = _read(place, before[-1])
        if _alive(place, before[-1], holder, patience_s):
            raise LockError(_busy(run_id, holder))
        if not (holder and holder.released):
            log.warning("run %s was left without an end by %s: taken over", run_id, _name(holder))
    number = (before[-1] if before else 0) + 1
    mine = _this_process()
    if not storage.create(_uri(place, number), _dump(mine)):
        raise LockError(_busy(run_id, _read(place, number)))
    if _numbers(place)[-1] != number:
        # Others came, went and cleared up between the first look and here.
        storage.remove(_uri(place, number))
        raise LockError(_busy(run_id, _read(place, _numbers(place)[-1])))
    for old in before:
        storage.remove(_uri(place, old))

    stop, lost = threading.Event(), threading.Event()
    beating = threading.Thread(
        target=_keep, args=(place, number, mine, beat_s, stop, lost), name="antinomy-lock", daemon=True
    )
    beating.start()

    def require() -> None:
        if lost.is_set() or not _holds(place, number, mine):
            lost.set()
            raise LockError(
                f"run {run_id} was taken over by another process while this one gave no sign of life: "
                "nothing more was written; see to it that only one works on it"
            )

    try:
        yield require
    finally:
        stop.set()
        beating.join()
        if not lost.is_set():
            _write(place, number, replace(mine, released=True))


def holder_of(warehouse: str, run_id: str) -> Holder | None:
    """Return the holder of a run's lock, None if nobody seems to work on it.

    Another machine's lock is believed without watching it.
    """
    place = folder(warehouse, run_id)
    numbers = _numbers(place)
    holder = _read(place, numbers[-1]) if numbers else None
    return None if holder is None or holder.released or _gone(holder) else holder


def _keep(place: str, number: int, mine: Holder, beat_s: float, stop: threading.Event, lost: threading.Event) -> None:
    while not stop.wait(beat_s):
        mine = replace(mine, beat=mine.beat + 1)
        try:
            if not _holds(place, number, mine):
                lost.set()
                return
        except OSError as error:
            log.warning("the lock cannot be looked after: %s", error)
            continue
        _write(place, number, mine)


def _holds(place: str, number: int, mine: Holder) -> bool:
    """Tell whether the highest file is ours: by its number, and by its owner where two created it at one moment."""
    found = _read(place, number)
    return _numbers(place)[-1:] == [number] and (found is None or found.owner == mine.owner)


def _write(place: str, number: int, holder: Holder) -> None:
    try:
        storage.write_bytes(_uri(place, number), _dump(holder))
    except StorageError as error:
        # Work that goes on well is not ended for this: others see the process, or wait longer.
        log.warning("the lock cannot be renewed: %s", error)


def _uri(place: str, number: int) -> str:
    return storage.join(place, f"{number:06d}.json")


def _numbers(place: str) -> list[int]:
    names = (name.removesuffix(".json") for name in storage.list_names(place))
    return sorted(int(name) for name in names if name.isdecimal())


def _read(place: str, number: int) -> Holder | None:
    """Return what a lock file says; None if it is empty, since its maker is about to write it or died before."""
    try:
        return Holder(**json.loads(storage.read_bytes(_uri(place, number))))
    except (StorageError, ValueError, TypeError):
        return None


def _dump(holder: Holder) -> bytes:
    return json.dumps(asdict(holder)).encode()


def _alive(place: str, number: int, holder: Holder | None, patience_s: float) -> bool:
    if holder and (holder.released or _gone(holder)):
        return False
    if holder and _is_here(holder):
        return True
    if holder:
        log.warning("run is held by %s: watched for a sign of life", _name(holder))
    end = time.monotonic() + patience_s
    while time.monotonic() < end:
        time.sleep(min(1.0, patience_s / 10))
        now = _read(place, number)
        if now != holder or _numbers(place)[-1:] != [number]:
            return not (now and now.released)
    return False


def _this_process() -> Holder:
    pid = os.getpid()
    return Holder(
        owner=uuid.uuid4().hex,
        host=socket.gethostname(),
        machine=_machine(),
        pid=pid,
        start=_start_of(pid),
        since=datetime.now(UTC).isoformat(timespec="seconds"),
    )


def _machine() -> str:
    """Name this boot of this machine and this space of process ids: containers share the one, not the other."""
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
        return f"{boot} {os.readlink('/proc/self/ns/pid')}"
    except OSError:
        return ""


def _start_of(pid: int) -> str:
    """Return when a process started, in ticks since the boot, "" if it is not there: process ids come again."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return ""
    # The name may hold blanks and brackets; proc(5): starttime is field 22, the state (field 3) follows the name.
    fields = stat.rpartition(")")[2].split()
    return "" if fields[0] in "ZX" else fields[19]


def _is_here(holder: Holder) -> bool:
    return bool(holder.machine) and holder.machine == _machine()


def _gone(holder: Holder) -> bool:
    return _is_here(holder) and _start_of(holder.pid) != holder.start


def _name(holder: Holder | None) -> str:
    return f"process {holder.pid} on {holder.host}" if holder else "another process"


def _busy(run_id: str, holder: Holder | None) -> str:
    since = f" (since {holder.since})" if holder else ""
    return f"run {run_id} is being worked on by {_name(holder)}{since}: wait until that ends, or give another --run-id"
