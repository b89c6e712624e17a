"""Turns errors that reach the driver as another process's trace into messages that a user can act on."""

from __future__ import annotations

import re
from collections.abc import Callable

from py4j.protocol import Py4JError, Py4JJavaError

from antinomy import errors
from antinomy.errors import AntinomyError, EnvironmentFault, StorageError

_AGAIN = "the same command goes on where it was"


def _ours(found: re.Match[str]) -> AntinomyError:
    kind: type[AntinomyError] = getattr(errors, found[1], AntinomyError)
    return kind(found[2].strip())


def _damaged(found: re.Match[str]) -> AntinomyError:
    return StorageError(
        f"{found[1]} cannot be read, it is damaged or gone: `antinomy verify --rebuild` puts damaged files aside, "
        f"then {_AGAIN} and makes what was in them again"
    )


def _full(found: re.Match[str]) -> AntinomyError:
    return StorageError(f"{found[0]}: free some space for the warehouse and Spark's local folders, then {_AGAIN}")


def _died(found: re.Match[str]) -> AntinomyError:
    return _process(found[0])


def _process(said: str) -> AntinomyError:
    return EnvironmentFault(
        f"a process of Spark ended unexpectedly ({said}): killed, or out of memory. Where it was memory, give it more "
        f"(spark.driver_memory, or fewer cores in spark.master); {_AGAIN}"
    )


#: Patterns in the order of search: causes before consequences.
_FAULTS: tuple[tuple[str, Callable[[re.Match[str]], AntinomyError]], ...] = (
    (r"antinomy\.errors\.(\w+): (.+)", _ours),
    (r"No space left on device|Disk quota exceeded|File too large", _full),
    # Not for a file of another schema: that one is whole.
    (r"reading file (\S+?)\.?\s(?!(?s:.*)SchemaColumnConvert)", _damaged),
    (r"(\S+) is not a Parquet file", _damaged),
    (r"Python worker exited unexpectedly|ExecutorLostFailure|SparkContext (?:was|has been) shut ?down", _died),
)


def translate(error: BaseException) -> AntinomyError | None:
    """Return what a user can do about an error of Spark or of the operating system; None if it is a defect of ours."""
    text = str(error)
    if isinstance(error, ConnectionRefusedError) or (
        isinstance(error, Py4JError) and not isinstance(error, Py4JJavaError) and "Trace:" not in text
    ):
        return _process("its Java process does not answer")
    for pattern, make in _FAULTS:
        found = re.search(pattern, text)
        if found:
            return make(found)
    return None
