"""Parses each document in a child process with bounds, so that no file can stop the job.

The answer comes back as JSON and is checked against its type: a file that takes the child over must not reach the
parent too, which unpickling would let it.
"""

from __future__ import annotations

import builtins
import gc
import json
import multiprocessing
import resource
import signal
from collections.abc import Callable
from dataclasses import asdict
from multiprocessing.connection import Connection
from typing import Any, TypeVar

from pydantic import TypeAdapter, ValidationError

from antinomy.errors import DocumentError
from antinomy.parse import parse_document
from antinomy.parse.model import ParsedDocument
from antinomy.settings import ParseSettings
from antinomy.settings.source import MOST_BYTES, Source
from antinomy.store import storage

Result = TypeVar("Result")


def size(uri: str) -> int:
    """Return how many bytes a file has."""
    fs, path = storage.filesystem(uri)
    return int(fs.size(path) or 0)


def read_bytes(uri: str) -> bytes:
    """Read a document's file.

    Raises:
        DocumentError: if it is larger than any regulation.
        StorageError: if it cannot be read.
    """
    if storage.exists(uri) and (length := size(uri)) > MOST_BYTES:
        raise DocumentError(f"it has {length:,} bytes, more than any regulation ({MOST_BYTES:,}): leave it out")
    return storage.read_bytes(uri)


def parse(source: Source, data: bytes, bounds: ParseSettings) -> ParsedDocument:
    """Parse a document in a child process.

    Raises:
        DocumentError: if it cannot be read, holds no provision or runs over a bound; the message says why.
    """
    return call(
        parse_document,
        source,
        data,
        returns=ParsedDocument,
        timeout_s=bounds.timeout_s,
        memory_mb=bounds.memory_mb,
    )


def call(
    function: Callable[..., Result], *arguments: Any, returns: type[Result], timeout_s: float, memory_mb: int
) -> Result:
    """Call a function in a child process and return its result.

    Args:
        function: its result is a dataclass or a JSON value.
        arguments: of the function.
        returns: the type of the result.
        timeout_s: wall time allowed.
        memory_mb: address space of the child beyond that of this process.

    Raises:
        DocumentError: if the function raises it, runs over a bound, or its process dies.
        Exception: whatever else the function raises, if it is one of Python's own; else RuntimeError.
    """
    # fork: the child has all modules at once; spawn would cost a second for every document.
    context = multiprocessing.get_context("fork")
    receiver, sender = context.Pipe(duplex=False)
    child = context.Process(target=_answer, args=(sender, function, arguments, memory_mb), daemon=True)
    child.start()
    sender.close()
    try:
        if not receiver.poll(timeout_s):
            raise DocumentError(f"parsing took more than {timeout_s:g} s: raise parse.timeout_s, or leave it out")
        answer = receiver.recv_bytes()
    except EOFError:
        child.join()
        code = child.exitcode or 0
        died = signal.Signals(-code).name if code < 0 else f"exit code {code}"
        raise DocumentError(f"the parser died on it ({died}): the file is damaged or hostile") from None
    finally:
        if child.is_alive():
            child.kill()
        child.join()
        receiver.close()
    return _read(answer, returns)


def _read(answer: bytes, returns: type[Result]) -> Result:
    try:
        error, value = TypeAdapter(tuple[tuple[str, str] | None, Any]).validate_json(answer)
        if error is None:
            return TypeAdapter(returns).validate_python(value)
    except ValidationError as invalid:
        first = invalid.errors()[0]
        raise DocumentError(
            f"the parser gave no tree ({first['msg']} at {'.'.join(map(str, first['loc']))}): the file is damaged or "
            "hostile"
        ) from invalid
    name, message = error
    if name == DocumentError.__name__:
        raise DocumentError(message)
    kind = getattr(builtins, name, None)
    if isinstance(kind, type) and issubclass(kind, Exception):
        raise kind(message)
    raise RuntimeError(f"{name}: {message}")


def _answer(sender: Connection, function: Callable[..., Any], arguments: tuple[Any, ...], memory_mb: int) -> None:
    # This process ends with its document: looking for garbage among millions of PDF objects takes a quarter of the
    # time and frees a tenth of the memory.
    gc.disable()
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    limit = _address_space() + memory_mb * 2**20
    resource.setrlimit(resource.RLIMIT_AS, (limit if hard == resource.RLIM_INFINITY else min(limit, hard), hard))
    try:
        answer = json.dumps([None, function(*arguments)], default=asdict)
    except MemoryError:
        answer = _failure(
            DocumentError(f"parsing took more than {memory_mb} MB: raise parse.memory_mb, or leave it out")
        )
    except RecursionError:
        answer = _failure(DocumentError("it is nested too deeply to be a legal text"))
    except Exception as error:  # handed to the parent, which raises it
        answer = _failure(error)
    sender.send_bytes(answer.encode())
    sender.close()


def _failure(error: Exception) -> str:
    return json.dumps([[type(error).__name__, str(error)], None])


def _address_space() -> int:
    try:
        with open("/proc/self/statm") as file:
            return int(file.read().split()[0]) * resource.getpagesize()
    except FileNotFoundError:  # no /proc: macOS
        return 8 * 2**30
