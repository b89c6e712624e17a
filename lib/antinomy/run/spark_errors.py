"""Turns errors that reach the driver as another process's trace into messages that a user can act on."""

from __future__ import annotations

import re
from collections.abc import Callable

from py4j.protocol import Py4JError, Py4JJavaError

from antinomy import errors
from antinomy.errors import AntinomyError, EnvironmentFault, StorageError
from antinomy.run.spark import under_spark_submit

_AGAIN = "the same command continues where it stopped"


def _own_error(found: re.Match[str]) -> AntinomyError:
    kind: type[AntinomyError] = getattr(errors, found[1], AntinomyError)
    return kind(found[2].strip())


def _damaged_file(found: re.Match[str]) -> AntinomyError:
    return StorageError(
        f"{found[1]} cannot be read, it is damaged or gone: `antinomy verify --rebuild` puts damaged files aside, "
        f"then {_AGAIN} and makes what was in them again"
    )


def _disk_full(found: re.Match[str]) -> AntinomyError:
    return StorageError(f"{found[0]}: free some space for the warehouse and Spark's local folders, then {_AGAIN}")


def _lost_process(reason: str) -> AntinomyError:
    more = (
        "spark.executor.memoryOverhead or spark.driver.memory, or fewer cores per executor"
        if under_spark_submit()
        else "spark.driver_memory, or fewer cores in spark.master"
    )
    return EnvironmentFault(
        f"a process of Spark ended unexpectedly ({reason}): killed, or out of memory. If memory ran out, give it "
        f"more ({more}); {_AGAIN}"
    )


#: Patterns in the order of search: causes before consequences.
_PATTERNS: tuple[tuple[str, Callable[[re.Match[str]], AntinomyError]], ...] = (
    (r"antinomy\.errors\.(\w+): (.+)", _own_error),
    (r"No space left on device|Disk quota exceeded|File too large", _disk_full),
    # Not for a file of another schema: that one is whole.
    (r"reading file (\S+?)\.?\s(?!(?s:.*)SchemaColumnConvert)", _damaged_file),
    (r"(\S+) is not a Parquet file", _damaged_file),
    (
        r"Python worker exited unexpectedly|ExecutorLostFailure|SparkContext (?:was|has been) shut ?down",
        lambda found: _lost_process(found[0]),
    ),
)


def translate(error: BaseException) -> AntinomyError | None:
    """Return what a user can do about an error of Spark or of the operating system; None if it is a defect of ours."""
    text = str(error)
    if isinstance(error, ConnectionRefusedError) or (
        isinstance(error, Py4JError) and not isinstance(error, Py4JJavaError) and "Trace:" not in text
    ):
        return _lost_process("its Java process does not answer")
    for pattern, make in _PATTERNS:
        found = re.search(pattern, text)
        if found:
            return make(found)
    return None
