"""What a person sees while a run works: a line per finished stage and how far the stage at work is; on stderr."""

from __future__ import annotations

import threading
import time
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

#: Seconds between two looks at Spark's tasks on a terminal, and between two lines elsewhere.
_POLL_S, _LINE_S = 0.3, 60.0


class Progress:
    """Finished stages line by line; how many of Spark's tasks are done: a bar on a terminal, else a line a minute."""

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
        follower = threading.Thread(target=self._follow, args=(name, task, session, stop), daemon=True)
        follower.start()
        try:
            yield
        finally:
            stop.set()
            follower.join()
            self._bar.remove_task(task)

    def _follow(self, name: str, task: TaskID, session: LazySession, stop: threading.Event) -> None:
        began = time.monotonic()
        while not stop.wait(_POLL_S if self._live else _LINE_S):
            if session.current is None:
                continue
            try:
                tracker = session.current.sparkContext.statusTracker()
                running = [info for i in tracker.getActiveStageIds() if (info := tracker.getStageInfo(i)) is not None]
            except (Py4JError, OSError):
                return  # Spark is gone; the stage itself says so
            total = sum(info.numTasks for info in running)
            done = sum(info.numCompletedTasks for info in running)
            if self._live:
                if running:
                    self._bar.update(task, total=total, completed=done)
                continue
            tasks = f", {done} of {total} tasks done" if running else ""
            self._say(f"{name:<9} at work for {time.monotonic() - began:.0f} s{tasks}")

    def done(self, name: str, seconds: float, skipped: bool) -> None:
        """Print that a stage is complete."""
        outcome = "unchanged, skipped" if skipped else f"done in {seconds:.1f} s"
        self._say(f"{name:<9} {outcome}")

    def _say(self, line: str) -> None:
        if not logs.is_json():  # a program reads when each stage begins and ends
            self._console.print(line, highlight=False)
