"""A journal of paid answers: each answer is written to it before it is used.

A killed task leaves its journal behind. Its successor finds the answers there by their requests, so at most the
requests in flight are repeated. Journals are small and short-lived: the answers on a pair are dropped once its verdict
is in the cache, and the journal is removed when its task ends.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import logging
import threading
from collections.abc import Iterable, Mapping
from typing import IO, Any, Protocol, runtime_checkable

from fsspec.implementations.local import LocalFileSystem
from pydantic import BaseModel, ValidationError

from antinomy.errors import StorageError
from antinomy.judge.protocol import Judge
from antinomy.judge.served.wire import Completion
from antinomy.store import storage

log = logging.getLogger("antinomy")


class Entry(BaseModel):
    """One line: an answer, the hash of its request, and the number of attempts."""

    request: str
    calls: int
    completion: Completion


def request_key(body: Mapping[str, Any]) -> str:
    """Return the hash of a request: the model, the messages and all that decides the answer."""
    return hashlib.sha256(json.dumps(body, sort_keys=True).encode("utf-8", "surrogatepass")).hexdigest()[:32]


class Journal:
    """The answers of one task whose verdicts are not written yet, in one file.

    On a local disk answers are appended, and the file is replaced after verdicts were written. Object stores cannot
    append, so there the file is replaced each time; answers that arrive during a write share the next one. ``record``
    is called from the thread of the event loop, all else from the caller's.

    Args:
        uri: the file.
        known: entries of journals that killed tasks left, by request.
    """

    def __init__(self, uri: str, known: Mapping[str, Entry]) -> None:
        self._uri = uri
        self._known = known
        self._lines: dict[str, list[bytes]] = {}
        self._pending: list[bytes] = []
        self._lock = threading.Lock()
        self._writing = asyncio.Lock()
        self._recorded = self._written = 0
        fs, path = storage.filesystem(uri)
        self._local = path if isinstance(fs, LocalFileSystem) else None
        self._open: IO[bytes] | None = None

    def known(self, request: str) -> Entry | None:
        """Return the answer that a killed task has already got to a request, None if there is none."""
        return self._known.get(request)

    async def record(self, pair_key: str, request: str, calls: int, completion: Completion) -> None:
        """Write an answer; return when it is on disk.

        Raises:
            StorageError: if the file cannot be written.
        """
        line = Entry(request=request, calls=calls, completion=completion).model_dump_json().encode() + b"\n"
        with self._lock:
            self._lines.setdefault(pair_key, []).append(line)
            self._pending.append(line)
        self._recorded += 1
        mine = self._recorded
        async with self._writing:
            if self._written >= mine:
                return
            upto = self._recorded
            with self._lock:
                pending = b"".join(self._pending)
                self._pending.clear()
                appended = self._append(pending)
                data = b"" if appended else b"".join(line for lines in self._lines.values() for line in lines)
            if not appended:
                await asyncio.to_thread(self._replace, data)
            self._written = upto

    def _append(self, data: bytes) -> bool:
        if self._open is None:
            return False
        try:
            self._open.write(data)
            self._open.flush()
        except OSError as error:
            raise StorageError(f"{self._uri} cannot be written: {error}; check the disk") from error
        return True

    def _replace(self, data: bytes) -> None:
        storage.write_bytes(self._uri, data)
        if self._local:
            with self._lock:
                self._open = open(self._local, "ab")  # noqa: SIM115

    def _shut(self) -> None:
        if self._open is not None:
            self._open.close()
            self._open = None

    def forget(self, pair_keys: Iterable[str]) -> None:
        """Drop the answers on pairs whose verdicts are written; the file is replaced with the next answer."""
        with self._lock:
            for pair_key in pair_keys:
                self._lines.pop(pair_key, None)
            self._shut()

    def close(self) -> None:
        """Remove the file: all verdicts are written."""
        self._shut()
        storage.remove(self._uri)


@runtime_checkable
class Journaled(Protocol):
    """A judge whose answers cost money, and which can keep a journal of them."""

    def recording(self, journal: Journal) -> Judge:
        """Return a judge of the same kind that writes every answer into a journal."""
        ...


def recover(uris: Iterable[str]) -> dict[str, Entry]:
    """Read the journals that killed tasks left behind.

    A missing journal was removed by its task. An incomplete line is skipped, so its question is asked again.

    Returns:
        Entries by request.
    """
    found: dict[str, Entry] = {}
    for uri in uris:
        try:
            data = storage.read_bytes(uri)
        except StorageError as error:
            if isinstance(error.__cause__, FileNotFoundError):
                continue
            raise
        for line in data.splitlines():
            try:
                entry = Entry.model_validate_json(line)
            except ValidationError:
                log.warning("%s has a damaged line: that question is asked again", uri)
                continue
            found[entry.request] = entry
    return found
