"""A run measured by what reviewers decided."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from antinomy.cli import evaluate as cli
from antinomy.evaluate import display
from antinomy.evaluate.reviewed import measure
from antinomy.findings import decisions
from report import invented
from review import reviewed_run


def _said(n: int, finding: dict[str, Any], word: str, reviewer: str = "A") -> dict[str, Any]:
    return {**finding, "decision_id": f"{n}", "decided_at": f"2031-01-{n:02}", "decision": word, "reviewer": reviewer}


ROWS = invented.findings()
#: Conflicts of .97 and .93 confirmed, .91 rejected, .88 open; a stricter one rejected; the resolved one confirmed.
SAID = [
    _said(1, ROWS[0], "reject"),
    _said(2, ROWS[0], "confirm", "B"),
    _said(3, ROWS[1], "confirm"),
    _said(4, ROWS[2], "reject"),
    _said(5, ROWS[2], "reject", "B"),
    _said(6, ROWS[4], "reject"),
    _said(7, ROWS[5], "confirm"),
]


def test_precision_is_that_of_the_last_word_on_what_is_open() -> None:
    found = measure(ROWS, SAID)
    assert (found["confirmed"], found["rejected"], found["unsure"], found["open"], found["n"]) == (2, 2, 0, 1, 4)
    assert found["precision"] == {"value": 0.5, "low": pytest.approx(0.15), "high": pytest.approx(0.85)}
    of_conflicts = found["per_relation"]["conflict"]
    assert of_conflicts["n"] == 3
    assert of_conflicts["precision"] == pytest.approx({"value": 2 / 3, "low": 0.2077, "high": 0.9385}, abs=1e-4)
    assert found["per_relation"]["stricter"]["precision"]["value"] == 0.0
    assert found["per_kind"]["retention"]["n"] == 1
    # Two findings were decided by two people, who agreed on one of them.
    assert found["agreement"]["share"]["value"] == 0.5
    assert found["agreement"]["n"] == 2


def test_thresholds_say_what_a_shorter_list_would_hold() -> None:
    points = measure(ROWS, SAID)["thresholds"]
    shown = [(p["threshold"], p["listed"], p["precision"]["value"], p["confirmed_kept"]) for p in points]
    assert shown == [(0.91, 3, 0.6667, 1.0), (0.93, 2, 1.0, 1.0), (0.97, 1, 1.0, 0.5)]


def test_calibration_holds_probabilities_against_what_is_known_to_be_a_conflict() -> None:
    found = measure(ROWS, SAID)
    # A rejected stricter pair may still be a conflict: it is left out.
    assert found["reliability"] == [{"n": 3, "probability": 0.9367, "frequency": 0.6667}]
    assert found["calibration_error"]["value"] == 0.27
    assert found["brier"]["value"] == pytest.approx((0.03**2 + 0.07**2 + 0.91**2) / 3, abs=1e-4)


def test_nothing_decided_is_no_precision(tmp_path: Path) -> None:
    found = measure(ROWS, [])
    assert found["precision"] == {"value": None, "low": None, "high": None}
    assert (found["n"], found["open"]) == (0, 5)
    display.save_picture(found, str(tmp_path / "empty.png"))


def test_the_command(tmp_path: Path) -> None:
    warehouse = reviewed_run.write(tmp_path / "w")
    for row, word in ((ROWS[0], "confirm"), (ROWS[1], "reject")):
        decisions.record(warehouse, "r", row, word, "A")
    config = tmp_path / "c.yaml"
    config.write_text(
        f"run_id: {reviewed_run.RUN_ID}\nwarehouse: {warehouse}\nout: {tmp_path}/o\n"
        "documents: [{doc_id: a, path: a, regime: eu}, {doc_id: b, path: b, regime: us}]\n"
    )
    options = ["reviewed", "--config", str(config)]
    done = CliRunner().invoke(cli.app, [*options, "--json", "--plot", str(tmp_path / "plot.png")])
    assert json.loads(done.stdout)["precision"]["value"] == 0.5
    assert (tmp_path / "plot.png").stat().st_size > 10_000
    assert "0.095 – 0.905" in CliRunner().invoke(cli.app, options).stdout
