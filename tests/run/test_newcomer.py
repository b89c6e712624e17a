"""What a newcomer writes: two documents and nothing else, in an otherwise empty folder."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pandas as pd
import pytest

from runs import BIN

pytestmark = [pytest.mark.spark, pytest.mark.slow, pytest.mark.timeout(900)]

BOOK = """# {name} Handbook

## I. Records

### A. Keeping

Each firm must keep a record of every outage for {years} years, and must show it to the examiner.

### B. Reporting

Each firm must report every outage to the Bureau within {hours} hours of its discovery.

## II. Drills

### A. Frequency

Each firm must rehearse its continuity plan at least every {months} months.
"""


def antinomy(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "HF_HUB_OFFLINE": "1"}
    command = [str(BIN / "antinomy"), *arguments]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "north.md").write_text(BOOK.format(name="North", years=5, hours=24, months=6))
    (tmp_path / "south.md").write_text(BOOK.format(name="South", years=3, hours=72, months=12))
    (tmp_path / "mine.yaml").write_text("documents:\n  - path: north.md\n  - path: south.md\n")
    return tmp_path


@pytest.mark.long
def test_two_documents_of_one_regime_are_compared(folder: Path) -> None:
    config = folder / "mine.yaml"
    config.write_text(config.read_text().replace(".md", ".md\n    regime: us"))
    for stage in ("parse", "embed", "link"):
        done = antinomy(folder, stage, "--config", "mine.yaml", "--json")
        assert done.returncode == 0, done.stderr
    pairs = pd.read_parquet(folder / "out/warehouse/similar/run_id=mine")
    assert len(pairs) >= 3
    documents = pairs[["left_id", "right_id"]].map(lambda section_id: section_id.partition("#")[0])
    assert documents.drop_duplicates().to_numpy().tolist() == [["north", "south"]]


def test_two_lines_are_enough_and_nothing_is_written_elsewhere(folder: Path) -> None:
    done = antinomy(folder, "run", "--config", "mine.yaml", "--json")
    assert done.returncode == 0, done.stderr
    manifest = json.loads(done.stdout)
    assert manifest["run_id"] == "mine"
    assert manifest["pairs"] >= 3
    assert "North Handbook" in (folder / "out/mine/report.html").read_text()
    assert {path.name for path in folder.iterdir()} == {"north.md", "south.md", "mine.yaml", "out"}
    # What is gone is made again, and only that and what follows it.
    (folder / "out/mine/report.html").unlink()
    again = antinomy(folder, "run", "--config", "mine.yaml")
    assert again.returncode == 0, again.stderr
    assert (folder / "out/mine/report.html").exists()
    assert again.stderr.count("unchanged, skipped") == 4
