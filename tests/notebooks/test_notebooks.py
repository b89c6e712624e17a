"""The notebooks run from their first cell to the last, without a person or a display."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import nbformat
import papermill
import pytest

import runs
from antinomy.findings import conflict_log, decisions
from report import invented
from report.exports import corresponding
from review import reviewed_run

NOTEBOOKS = Path(__file__).resolve().parents[2] / "notebooks"

pytestmark = pytest.mark.slow


def _executed(name: str, tmp_path: Path, **parameters: str) -> Any:
    done = tmp_path / f"{name}.ipynb"
    papermill.execute_notebook(NOTEBOOKS / f"{name}.ipynb", done, parameters, progress_bar=False, log_output=False)
    return nbformat.read(done, as_version=4)


def _outputs(notebook: Any, kind: str) -> list[str]:
    outputs = [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]
    return [output["data"][kind] for output in outputs if kind in output.get("data", {})]


def test_review(tmp_path: Path) -> None:
    warehouse = reviewed_run.write(tmp_path / "w")
    corresponding.write(warehouse, reviewed_run.RUN_ID)
    rows = invented.findings()
    for n, row in enumerate(rows[:4]):
        decisions.record(warehouse, "r", row, "reject" if n == 2 else "confirm", "A. Analyst")
    config = runs.settings(tmp_path, run_id=reviewed_run.RUN_ID, warehouse=warehouse)
    done = _executed("review", tmp_path, CONFIG=str(config), REVIEWER="A. Analyst")
    panels = "".join(_outputs(done, "text/plain"))
    assert panels.count("VBox(") == 2, "findings and crosswalk"
    shown = "".join(_outputs(done, "text/html"))
    assert "since their content has proved" in shown
    assert "Confirmed by A. Analyst" in shown
    figures = " ".join("".join(_outputs(done, "text/plain")).split())
    assert "0.750" in figures, "three of four confirmed"
    assert len(_outputs(done, "image/png")) == 1
    assert len(conflict_log.verify((tmp_path / "out/review/conflict_log.jsonl").read_bytes(), "log").entries) == 4


def test_explore(tmp_path: Path) -> None:
    warehouse = reviewed_run.write(tmp_path / "w")
    config = runs.settings(tmp_path, run_id=reviewed_run.RUN_ID, warehouse=warehouse)
    done = _executed("explore", tmp_path, CONFIG=str(config))
    tables = "".join(_outputs(done, "text/html"))
    for word in (invented.DOCUMENTS[0]["title"], "paragraph", "external", "Article 17(1)"):
        assert word in tables
    assert len(_outputs(done, "image/png")) == 3
