"""The Spark workers that ask the tests' server: to wait until they do, and to kill one."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import psutil

from judge.server import JudgeServer


def wait_for(condition: Callable[[], Any], seconds: float = 200.0) -> Any:
    deadline = time.monotonic() + seconds
    while not (found := condition()):
        assert time.monotonic() < deadline, "it never came to that"
        time.sleep(0.02)
    return found


def judging_workers(server: JudgeServer, within: psutil.Process) -> list[psutil.Process]:
    """Return the Python workers that have a connection to the server."""
    port = int(server.url.split(":")[2].split("/")[0])
    return [
        process
        for process in within.children(recursive=True)
        if "python" in process.name()
        and any(c.raddr and c.raddr.port == port for c in process.net_connections(kind="tcp"))
    ]
