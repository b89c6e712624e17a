"""What a person sees of a stage at work where there is no terminal: a line now and then, none for a program."""

from __future__ import annotations

import logging
import re
import time
from types import SimpleNamespace

import pytest

from antinomy.run import logs, progress
from antinomy.run.logs import LogFormat


@pytest.fixture(autouse=True)
def _soon(monkeypatch: pytest.MonkeyPatch) -> object:
    monkeypatch.setattr(progress, "_LINE_S", 0.05)
    yield
    logging.captureWarnings(False)
    logs.configure()


def session(done: int, total: int) -> SimpleNamespace:
    """Return a stand-in for a session whose Spark is at work on one stage."""
    tracker = SimpleNamespace(
        getActiveStageIds=lambda: [7],
        getStageInfo=lambda _: SimpleNamespace(numTasks=total, numCompletedTasks=done),
    )
    return SimpleNamespace(current=SimpleNamespace(sparkContext=SimpleNamespace(statusTracker=lambda: tracker)))


def shown(capsys: pytest.CaptureFixture[str]) -> list[str]:
    with progress.Progress(("parse", "judge")) as shown, shown.stage("judge", session(3, 40)):
        time.sleep(0.5)
    shown.done("judge", 9.0, skipped=False)
    return capsys.readouterr().err.splitlines()


def test_a_log_tells_how_far_a_stage_is(capsys: pytest.CaptureFixture[str]) -> None:
    *at_work, last = shown(capsys)
    assert at_work
    assert all(re.fullmatch(r"judge     at work for \d+ s, 3 of 40 tasks done", line) for line in at_work)
    assert last == "judge     done in 9.0 s"


def test_a_program_gets_no_such_lines(capsys: pytest.CaptureFixture[str]) -> None:
    logs.configure("r", form=LogFormat.json)
    assert shown(capsys) == []
