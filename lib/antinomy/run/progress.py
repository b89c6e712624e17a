"""What a person sees while a run works: a line per finished stage, one live line for the stage at work; on stderr."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from py4j.protocol import Py4JError
from rich.console import Console
from rich.progress import BarColumn, TaskProgressColumn, TextColumn, TimeElapsedColumn
from rich.progress import Progress as Bar

from antinomy.run import logs

if TYPE_CHECKING:
    from types import TracebackType

    from rich.progress import TaskID

    from antinomy.run.pipeline import LazySession

_POLL_S = 0.3


class Progress:
    """Finished stages line by line; on a terminal, below them, a bar that follows the tasks of Spark."""

    def __init__(self, names: tuple[str, ...]) -> None:
        """Prepare for these stages."""
        self._console = Console(stderr=True, force_terminal=False if logs.is_json() else None)
        self._live = self._console.is_terminal
        # Gone at the end: what is left on the screen is what was done.
        self._bar = Bar(
            TextColumn("{task.description}"), BarColumn(bar_width=24), TaskProgressColumn(), TimeElapsedColumn(),
            console=self._console, disable=not self._live, transient=True,
        )  # fmt: skip
        self._places = {name: f"{name:<9} {n} of {len(names)}" for n, name in enumerate(names, start=1)}

    def __enter__(self) -> Progress:
        self._bar.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        self._bar.stop()

    @contextmanager
    def stage(self, name: str, session: LazySession) -> Iterator[None]:
        """Show a stage at work."""
        task = self._bar.add_task(self._places[name], total=None)
        stop = threading.Event()
        follower = threading.Thread(target=self._follow, args=(task, session, stop), daemon=True)
        if self._live:
            follower.start()
        try:
            yield
        finally:
            stop.set()
            if self._live:
                follower.join()
            self._bar.remove_task(task)

    def _follow(self, task: TaskID, session: LazySession, stop: threading.Event) -> None:
        while not stop.wait(_POLL_S):
            if session.current is None:
                continue
            try:
                tracker = session.current.sparkContext.statusTracker()
                running = [info for i in tracker.getActiveStageIds() if (info := tracker.getStageInfo(i)) is not None]
            except (Py4JError, OSError):
                return  # Spark is gone; the stage itself says so
            if running:
                total = sum(info.numTasks for info in running)
                done = sum(info.numCompletedTasks for info in running)
                self._bar.update(task, total=total, completed=done)

    def done(self, name: str, seconds: float, skipped: bool) -> None:
        """Print that a stage is complete."""
        if not logs.is_json():
            outcome = "unchanged, skipped" if skipped else f"done in {seconds:.1f} s"
            self._console.print(f"{name:<9} {outcome}", highlight=False)
