"""Runs of the product as processes that a test can disturb, and what they must leave behind."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pandas as pd
import psutil
import pytest

from antinomy import samples
from antinomy.run.stage import STAGES

ROOT = Path(__file__).resolve().parents[2]
ANTINOMY = str(Path(sys.executable).parent / "antinomy")
#: Table → columns in which two equal runs may differ: times, and calls, which a fault may repeat.
VOLATILE = {
    "documents": {"seconds"},
    "verdicts": {
        "judged_at", "latency_ms", "reused", "calls", "input_tokens", "cached_tokens", "output_tokens",
        "explain_calls", "explain_tokens",
    },
}  # fmt: skip
_TABLES = {
    "parse": ("documents", "sections", "citations"), "embed": ("units", "embeddings"), "link": ("similar",),
    "judge": ("verdicts",), "report": ("findings",),
}  # fmt: skip
Condition = Callable[[], object]
#: Rows of the table that the reliability suite ends with.
_TOLD = pytest.StashKey[list[str]]()


@pytest.fixture
def tell(request: pytest.FixtureRequest) -> Callable[[str, str], None]:
    """Takes a row of that table: the fault, and what came of it."""
    started = time.monotonic()
    told = request.config.stash.setdefault(_TOLD, [])
    return lambda fault, outcome: told.append(f"| {fault} | {outcome} ({time.monotonic() - started:.0f} s) |")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    if told := config.stash.get(_TOLD, []):
        terminalreporter.write_line("\n".join(["", "| fault | what came of it |", "|---|---|", *told]))


class Place:
    """A folder with a config, a warehouse and what runs on it."""

    def __init__(self, folder: Path, warehouse: Path | None = None) -> None:
        self.folder = folder
        self.warehouse = warehouse or folder / "warehouse"
        self.started: list[subprocess.Popen[str]] = []
        (folder / "c.yaml").write_text(
            f"run_id: r\ndata_root: {samples.FOLDER}\nwarehouse: {self.warehouse}\nout: {folder}/out\n"
            "documents:\n"
            "  - {doc_id: eu-orr, path: eu-orr.txt, regime: eu}\n  - {doc_id: us-trr, path: us-trr.txt, regime: us}\n"
            "spark:\n  master: local[2]\n  driver_memory: 1g\n"
        )

    def start(self, stage: str, *options: str, env: dict[str, str] | None = None) -> subprocess.Popen[str]:
        """Start a stage in a process group of its own."""
        # Files, not pipes: nobody reads while the test waits for its moment.
        number = len(self.started)
        process = subprocess.Popen(
            [ANTINOMY, stage, "--config", f"{self.folder}/c.yaml", *options],
            cwd=ROOT, text=True, env={**os.environ, "HF_HUB_OFFLINE": "1", **(env or {})}, start_new_session=True,
            stdout=(self.folder / f"{number}.out").open("w"), stderr=(self.folder / f"{number}.err").open("w"),
        )  # fmt: skip
        self.started.append(process)
        return process

    def end(self, process: subprocess.Popen[str], seconds: float = 900) -> tuple[int, str]:
        """Wait for a process; returns its exit code and its line for the user, "" if it had none."""
        code = process.wait(seconds)
        text = (self.folder / f"{self.started.index(process)}.err").read_text()
        said = [line for line in text.splitlines() if line.startswith("antinomy: ")]
        assert code in {0, 2, -9}, text[-3000:]
        if code == 2:
            assert len(said) == 1, text[-3000:]
            assert "Traceback" not in text
        return code, "".join(said)

    def run(self, stage: str, *options: str) -> None:
        """Run a stage, which must succeed."""
        code, said = self.end(self.start(stage, *options))
        assert code == 0, said

    def forget(self, first: str, cache: str = "") -> Place:
        """Take a stage and all that follow back, and empty a cache."""
        for stage in STAGES[STAGES.index(first) :]:
            (self.warehouse / f"_stages/run_id=r/{stage}.json").unlink(missing_ok=True)
            for table in _TABLES.get(stage, ()):
                shutil.rmtree(self.warehouse / table, ignore_errors=True)
        if cache:
            shutil.rmtree(self.warehouse / "cache" / cache, ignore_errors=True)
        return self

    def table(self, name: str, run_id: str = "r") -> pd.DataFrame:
        frame = pd.read_parquet(self.warehouse / name / f"run_id={run_id}")
        kept = frame.drop(columns=[column for column in VOLATILE.get(name, ()) if column in frame]).map(
            lambda value: tuple(value) if hasattr(value, "__len__") and not isinstance(value, str) else value
        )
        return kept.sort_values(list(kept.columns[:4])).reset_index(drop=True)

    def require_same(self, other: Place, *stages: str, run_id: str = "r") -> None:
        """Check that stages left the same tables here as there, and nothing half-written."""
        for stage in stages:
            for name in _TABLES[stage]:
                mine, theirs = self.table(name, run_id), other.table(name)
                assert len(theirs) > 0
                pd.testing.assert_frame_equal(mine, theirs, obj=name)


def descendants(process: subprocess.Popen[str], says: str) -> list[psutil.Process]:
    """Return the processes below one whose command line holds these words."""
    found = []
    for child in psutil.Process(process.pid).children(recursive=True):
        try:
            if says in " ".join(child.cmdline()):
                found.append(child)
        except psutil.NoSuchProcess:
            continue
    return found


def wait_for(condition: Condition, process: subprocess.Popen[str], seconds: float = 600) -> None:
    """Wait for the moment to disturb; a process that ends before is a test that tests nothing."""
    end = time.monotonic() + seconds
    while not condition():
        assert process.poll() is None, "it ended before it could be disturbed"
        assert time.monotonic() < end, "the moment never came"
        time.sleep(0.02)


@pytest.fixture(scope="session")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., Place]]:
    """Make places; processes that are left at the end are ended."""
    made: list[Place] = []

    def make(copy_of: Place | None = None, warehouse: Path | None = None) -> Place:
        new = Place(tmp_path_factory.mktemp("place"), warehouse)
        if copy_of:
            shutil.copytree(copy_of.warehouse, new.warehouse)
        made.append(new)
        return new

    yield make
    for process in (process for one in made for process in one.started):
        if process.poll() is None:
            process.kill()
