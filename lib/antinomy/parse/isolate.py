"""One document, one child process with bounds: whatever a file does to a parser, the job goes on."""

from __future__ import annotations

import gc
import multiprocessing
import resource
import signal
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import Any

from antinomy.errors import DocumentError


def call(function: Callable[..., Any], *arguments: Any, timeout_s: float, memory_mb: int) -> Any:
    """Call a function in a child process and return what it returns.

    Args:
        function: its result must be picklable.
        arguments: of the function.
        timeout_s: wall time allowed.
        memory_mb: address space that the child may take beyond what this process has.

    Raises:
        DocumentError: if the function raises it, runs over a bound, or its process dies.
        Exception: whatever else the function raises.
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
        ok, value = receiver.recv()
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
    if ok:
        return value
    raise value


def _answer(sender: Connection, function: Callable[..., Any], arguments: tuple[Any, ...], memory_mb: int) -> None:
    # This process ends with its document: looking for garbage among millions of PDF objects takes a quarter of the
    # time and frees a tenth of the memory.
    gc.disable()
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    limit = _address_space() + memory_mb * 2**20
    resource.setrlimit(resource.RLIMIT_AS, (limit if hard == resource.RLIM_INFINITY else min(limit, hard), hard))
    try:
        answer = (True, function(*arguments))
    except MemoryError:
        answer = (
            False,
            DocumentError(f"parsing took more than {memory_mb} MB: raise parse.memory_mb, or leave it out"),
        )
    except RecursionError:
        answer = (False, DocumentError("it is nested too deeply to be a legal text"))
    except Exception as error:  # handed to the parent, which raises it
        answer = (False, error)
    sender.send(answer)
    sender.close()


def _address_space() -> int:
    try:
        with open("/proc/self/statm") as file:
            return int(file.read().split()[0]) * resource.getpagesize()
    except FileNotFoundError:  # no /proc: macOS
        return 8 * 2**30
