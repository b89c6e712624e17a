"""A parser in a child process: whatever happens there is an error here."""

import os
import signal
import time

import pytest

from antinomy.errors import DocumentError
from antinomy.parse import isolate
from antinomy.parse.model import ParsedDocument, Section

BOUNDS = {"timeout_s": 20.0, "memory_mb": 512}


def hang() -> None:
    time.sleep(60)


def eat_memory() -> int:
    return len(bytearray(2**30))


def kill_itself() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def refuse() -> None:
    raise DocumentError("it is a scan")


def defect() -> None:
    raise ZeroDivisionError("ours")


class Strange(Exception):
    pass


def strange() -> None:
    raise Strange("of no type that is known")


def sink(depth: int) -> int:
    return sink(depth + 1)


def test_gives_what_the_function_returns() -> None:
    assert isolate.call(sorted, [3, 1], returns=list, **BOUNDS) == [1, 3]


def test_large_results_come_through() -> None:
    assert len(isolate.call("x".__mul__, 10_000_000, returns=str, **BOUNDS)) == 10_000_000


@pytest.mark.parametrize(
    ("function", "bounds", "says"),
    [
        (hang, {"timeout_s": 0.3, "memory_mb": 512}, "more than 0.3 s"),
        (eat_memory, {"timeout_s": 20.0, "memory_mb": 256}, "more than 256 MB"),
        (kill_itself, BOUNDS, "died on it .SIGKILL"),
        (refuse, BOUNDS, "it is a scan"),
    ],
)
def test_bounds_and_deaths_are_document_errors(function: object, bounds: dict[str, float], says: str) -> None:
    with pytest.raises(DocumentError, match=says):
        isolate.call(function, returns=int, **bounds)  # type: ignore[arg-type]


def test_endless_recursion_is_a_document_error() -> None:
    with pytest.raises(DocumentError, match="nested too deeply"):
        isolate.call(sink, 0, returns=int, **BOUNDS)


def test_a_defect_of_ours_stops_one_document_and_leaves_its_traceback(caplog: pytest.LogCaptureFixture) -> None:
    with pytest.raises(DocumentError, match=r"ZeroDivisionError: ours.*a defect of Antinomy"):
        isolate.call(defect, returns=int, **BOUNDS)
    assert 'raise ZeroDivisionError("ours")' in caplog.text


def test_a_child_that_was_taken_over_gives_no_object_of_its_choice() -> None:
    with pytest.raises(DocumentError, match="gave no tree"):
        isolate.call(sorted, [3, 1], returns=ParsedDocument, **BOUNDS)
    with pytest.raises(DocumentError, match="Strange: of no type that is known"):
        isolate.call(strange, returns=int, **BOUNDS)


def test_a_tree_comes_through_as_it_was() -> None:
    tree = ParsedDocument([Section("art_1", "article", "1", text="“ä”\u2028\x00", term="")], warnings=["w"], pages=3)
    assert isolate.call(lambda: tree, returns=ParsedDocument, **BOUNDS) == tree
