"""Whether work takes time in proportion to its size: a ratio holds on any machine, a number of seconds does not."""

from __future__ import annotations

import timeit
from collections.abc import Callable
from functools import partial
from time import process_time


def least_seconds(work: Callable[[], object], repeat: int = 3) -> float:
    """Measure the least of several: what else runs on the machine only ever adds; timeit stops garbage collection."""
    return min(timeit.repeat(work, timer=process_time, number=1, repeat=repeat))


def assert_linear(work: Callable[[int], object], size: int, repeat: int = 1) -> float:
    """Assert that four times the size takes some four times the time; quadratic work would take sixteen times it.

    Returns:
        The seconds that ``size`` took.
    """
    small, large = (least_seconds(partial(work, each), repeat) for each in (size // 4, size))
    assert large < 0.25 or large < 9 * small, (small, large)
    return large
