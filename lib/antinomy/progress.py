"""What a person sees while a run works: a bar on a terminal, a line per stage elsewhere; always on stderr."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn
from rich.progress import Progress as Bar

from antinomy import logs

if TYPE_CHECKING:
    from types import TracebackType

    from antinomy.pipeline import LazySession

_POLL_S = 0.3


class Progress:
    """A bar over stages; inside a stage it follows Spark's tasks."""

    def __init__(self, names: tuple[str, ...]) -> None:
        """Prepare a bar for these stages."""
        self._console = Console(stderr=True, force_terminal=False if logs.as_json() else None)
        self._bar = Bar(
            TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(),
            console=self._console, disable=not self._console.is_terminal,
        )  # fmt: skip
        self._tasks = {name: self._bar.add_task(f"{name:<9}", total=None, start=False) for name in names}

    def __enter__(self) -> Progress:
        self._bar.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        self._bar.stop()

    @contextmanager
    def stage(self, name: str, session: LazySession) -> Iterator[None]:
        """Follow Spark's tasks while the stage runs."""
        self._bar.start_task(self._tasks[name])
        stop = threading.Event()
        follower = threading.Thread(target=self._follow, args=(name, session, stop), daemon=True)
        if self._console.is_terminal:
            follower.start()
        try:
            yield
        finally:
            stop.set()
            if self._console.is_terminal:
                follower.join()

    def _follow(self, name: str, session: LazySession, stop: threading.Event) -> None:
        while not stop.wait(_POLL_S):
            if session.current is None:
                continue
            tracker = session.current.sparkContext.statusTracker()
            running = [info for i in tracker.getActiveStageIds() if (info := tracker.getStageInfo(i)) is not None]
            if running:
                total = sum(info.numTasks for info in running)
                done = sum(info.numCompletedTasks for info in running)
                self._bar.update(self._tasks[name], total=total, completed=done)

    def done(self, name: str, seconds: float, skipped: bool) -> None:
        """Mark a stage as complete."""
        self._bar.update(self._tasks[name], total=1, completed=1)
        if not (self._console.is_terminal or logs.as_json()):
            self._console.print(f"{name:<9} " + ("unchanged, skipped" if skipped else f"done in {seconds:.1f} s"))
