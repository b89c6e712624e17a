"""Parses each document in a child process with bounds, so that no file can stop the job.

The answer comes back as JSON and is checked against its type: a file that takes the child over must not reach the
parent too, which unpickling would let it.
"""

from __future__ import annotations

import gc
import json
import logging
import multiprocessing
import resource
import signal
import traceback
from collections.abc import Callable
from dataclasses import asdict
from multiprocessing.connection import Connection
from typing import Any, TypeVar

from pydantic import TypeAdapter, ValidationError

from antinomy.errors import DocumentError, EnvironmentFault
from antinomy.parse import parse_document
from antinomy.parse.model import ParsedDocument
from antinomy.settings import ParseSettings
from antinomy.settings.source import MOST_BYTES, Source
from antinomy.store import storage

log = logging.getLogger("antinomy")

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
        DocumentError: if the function raises it, runs over a bound, or its process dies; of any other exception the
            traceback is logged.
        EnvironmentFault: if the function raises it.
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
        error, value = TypeAdapter(tuple[tuple[str, str, str] | None, Any]).validate_json(answer)
        if error is None:
            return TypeAdapter(returns).validate_python(value)
    except ValidationError as invalid:
        first = invalid.errors()[0]
        raise DocumentError(
            f"the parser gave no tree ({first['msg']} at {'.'.join(map(str, first['loc']))}): the file is damaged or "
            "hostile"
        ) from invalid
    name, message, trace = error
    for kind in (DocumentError, EnvironmentFault):
        if name == kind.__name__:
            raise kind(message)
    # One document must not stop the others, though the fault is ours.
    log.error("the parser failed\n%s", trace)
    raise DocumentError(f"the parser failed on it ({name}: {message}), a defect of Antinomy: report it with the file")


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
    except Exception as error:  # handed to the parent, which logs it
        answer = _failure(error)
    sender.send_bytes(answer.encode())
    sender.close()


def _failure(error: Exception) -> str:
    trace = "".join(traceback.format_exception(error))
    return json.dumps([[type(error).__name__, str(error), trace], None])


def _address_space() -> int:
    try:
        with open("/proc/self/statm") as file:
            return int(file.read().split()[0]) * resource.getpagesize()
    except FileNotFoundError:  # no /proc: macOS
        return 8 * 2**30
