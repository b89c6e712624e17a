"""Log lines: JSON on request, each with run and stage, and nothing else on stderr."""

from __future__ import annotations

import json
import subprocess
import sys
import warnings
from pathlib import Path

import pytest

from antinomy.run import logs
from antinomy.run.logs import LogFormat


def lines(text: str) -> list[dict[str, str]]:
    return [json.loads(line) for line in text.splitlines()]


@pytest.fixture(autouse=True)
def _restore() -> object:
    yield
    sys.excepthook = sys.__excepthook__
    logs.configure()


def test_every_json_line_has_run_and_stage(capsys: pytest.CaptureFixture[str]) -> None:
    logs.configure("r", form=LogFormat.json)
    with logs.stage("judge"):
        logs.log.info("7 pairs\nin “two” lines")
        warnings.warn("old", stacklevel=1)
    logs.report_failure("no\nserver")
    found = lines(capsys.readouterr().err)
    assert [(line["run_id"], line["stage"], line["level"]) for line in found] == [
        ("r", "judge", "INFO"), ("r", "judge", "WARNING"), ("r", "-", "ERROR"),
    ]  # fmt: skip
    assert (found[0]["message"], found[2]["message"]) == ("7 pairs\nin “two” lines", "no server")


def test_text_lines_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    logs.configure("r", verbose=True)
    with logs.stage("link"):
        logs.log.info("done")
    logs.report_failure("no\nserver")
    first, second = capsys.readouterr().err.splitlines()
    assert first.endswith("INFO run=r stage=link done")
    assert second == "antinomy: no server"


def test_a_defect_keeps_its_traceback() -> None:
    code = (
        "from antinomy.run import logs; from antinomy.run.logs import LogFormat\n"
        "logs.configure('r', form=LogFormat.json)\n"
        "1 / 0"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    (line,) = lines(done.stderr)
    assert done.returncode == 1
    assert (line["level"], line["run_id"]) == ("CRITICAL", "r")
    assert "ZeroDivisionError" in line["traceback"]


@pytest.mark.spark
def test_sparks_own_lines_have_the_same_shape(tmp_path: Path) -> None:
    code = (
        "from antinomy.run import logs; from antinomy.run.logs import LogFormat\n"
        "from antinomy.run.spark import spark_session; from antinomy.settings import SparkSettings\n"
        "logs.configure('r', form=LogFormat.json)\n"
        "conf = {'spark.ui.enabled': 'false'}\n"
        f"spark = spark_session(SparkSettings(master='local[1]', conf=conf), 'x', {str(tmp_path)!r})\n"
        "logger = spark._jvm.org.apache.log4j.LogManager.getLogger('org.apache.spark.x')\n"
        "logger.error('a \"quoted\" line\\nof two', spark._jvm.java.lang.RuntimeException('boom'))\n"
        "spark.stop()"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    found = lines(done.stderr)
    assert all(line["run_id"] == "r" for line in found)
    (line,) = [line for line in found if line["logger"] == "org.apache.spark.x"]
    assert line["message"] == 'a "quoted" line\nof two'
    assert "RuntimeException: boom" in line["traceback"]
