"""Runs of the pipeline as a user starts them, and how the tables of two of them are compared."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd
import yaml
from filelock import FileLock

from antinomy import samples

ROOT = Path(__file__).resolve().parents[1]
BIN = Path(sys.executable).parent
RUN_ID = "demo"
#: Settings with a third of the candidates: what a whole run costs is mostly the judge's reading of them.
SMALL: dict[str, Any] = {"link": {"k": 2, "k_right": 1}}
#: What a local master tells Java by itself: short runs are over before its second compiler has earned what it costs.
QUICK_JAVA = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
#: The tables of a run, and the columns in which two equal runs may differ.
TABLES: dict[str, set[str]] = {
    "documents": {"seconds"},
    "sections": set(),
    "citations": set(),
    "units": set(),
    "embeddings": set(),
    "similar": set(),
    "verdicts": {"judged_at", "latency_ms", "reused"},
    "findings": set(),
}


def settings(folder: Path, **other: Any) -> Path:
    """Write settings for the samples, their tables in ``folder``; return the file."""
    value = yaml.safe_load((ROOT / "conf" / "demo.yaml").read_text())
    value |= {"run_id": RUN_ID, "data_root": str(samples.FOLDER), "warehouse": str(folder / "warehouse")}
    value |= {"out": str(folder / "out"), "evaluate": {}, **other}
    path = folder / "settings.yaml"
    path.write_text(yaml.safe_dump(value))
    return path


def call(*command: str | Path, check: bool = True, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a command as a user would, with the environment active; unless told otherwise, a failure is the test's."""
    full = {**os.environ, "HF_HUB_OFFLINE": "1", "PATH": f"{BIN}:{os.environ['PATH']}", **environment}
    done = subprocess.run(command, cwd=ROOT, env=full, capture_output=True, text=True, check=False)
    if check and done.returncode:
        raise AssertionError(f"{' '.join(map(str, command))}\n{done.stdout[-4000:]}\n{done.stderr[-4000:]}")
    return done


def table(warehouse: str, name: str, run_id: str = RUN_ID, filesystem: Any = None) -> pd.DataFrame:
    """Read a run's table in a fixed order, without what two equal runs may differ in."""
    frame = pd.read_parquet(f"{warehouse}/{name}/run_id={run_id}", filesystem=filesystem)
    kept = frame.drop(columns=[*TABLES[name], "run_id"], errors="ignore").map(
        lambda value: tuple(value) if hasattr(value, "__len__") and not isinstance(value, str) else value
    )
    return kept.sort_values(list(kept.columns[:4])).reset_index(drop=True)


@dataclass(frozen=True)
class Run:
    """A finished run of the samples on this machine, which no test changes.

    Attributes:
        folder: with ``warehouse/`` and ``out/``.
        config: its settings file.
        manifest: what the command printed on stdout.
    """

    folder: Path
    config: Path
    manifest: dict[str, Any]

    def tables(self) -> dict[str, pd.DataFrame]:
        """Return its tables, for comparison."""
        return {name: table(str(self.folder / "warehouse"), name) for name in TABLES}


def finished(folder: Path, **other: Any) -> Run:
    """Run the samples into a folder, or return the run that another of pytest's processes has made there.

    Args:
        folder: of the run.
        other: settings beside those of ``settings``.
    """
    folder.mkdir(exist_ok=True)
    told = folder / "stdout.json"
    with FileLock(folder / "lock"):
        if not told.is_file():
            config = settings(folder, evaluate={"key": str(samples.KEY)}, **other)
            done = call(BIN / "antinomy", "run", "--config", config, "--json")
            told.write_text(done.stdout)
    return Run(folder, folder / "settings.yaml", json.loads(told.read_text()))


def whole_marker(**given: Any) -> dict[str, Any]:
    """Return a stage's completion marker; what is not given is empty."""
    empty: dict[str, Any] = {
        "settings": {}, "fingerprint": "", "started_at": "", "finished_at": "", "seconds": 0.0, "counts": {},
        "partial": "",
    }  # fmt: skip
    return empty | given
