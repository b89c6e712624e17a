"""kill -9 in the middle of the judge stage, then the same command: nothing is lost, hardly anything is asked twice."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pandas as pd
import psutil
import pytest

from antinomy.judge.stage import STAGE
from antinomy.run.stage import execute
from antinomy.settings import Settings
from judge import candidates
from judge.server import JudgeServer
from judge.workers import judging_workers, wait_for

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = [pytest.mark.long, pytest.mark.spark, pytest.mark.slow, pytest.mark.timeout(600)]

KEY = "sk-VerySecret0123456789"
IN_FLIGHT = 4  # per task
TASKS = 2


@pytest.fixture(scope="module")
def server() -> Iterator[JudgeServer]:
    with JudgeServer(latency_s=0.1) as server:
        yield server


@pytest.fixture(scope="module")
def undisturbed(
    server: JudgeServer, spark: SparkSession, tmp_path_factory: pytest.TempPathFactory
) -> tuple[pd.DataFrame, Counter[str]]:
    """The table of a run that nobody killed, and what it asked."""
    _, settings = prepared(tmp_path_factory.mktemp("undisturbed"), server)
    execute(STAGE, settings, lambda: spark)
    return candidates.verdicts(settings), asked(server)


def prepared(folder: Path, server: JudgeServer) -> tuple[str, Settings]:
    server.requests.clear()
    overrides = candidates.served(server.url, max_in_flight=IN_FLIGHT)
    return candidates.prepare(folder, candidates.texts(30, 4), *overrides)


def asked(server: JudgeServer) -> Counter[str]:
    """Count the requests about candidate pairs by their content; the check of the server asks about others."""
    bodies = (request.body for request in list(server.requests))
    return Counter(json.dumps(body, sort_keys=True) for body in bodies if "outages of branch" in str(body["messages"]))


def require_equal(
    settings: Settings, server: JudgeServer, undisturbed: tuple[pd.DataFrame, Counter[str]], killed_tasks: int
) -> None:
    table, questions = undisturbed
    pd.testing.assert_frame_equal(candidates.verdicts(settings), table)
    now = asked(server)
    assert set(now) == set(questions)
    assert now.total() - questions.total() <= killed_tasks * IN_FLIGHT
    # Nothing is left of the killed run but its verdicts, in files that were put together.
    cache = Path(settings.warehouse) / "cache"
    assert list(cache.glob("verdicts/open-*/[!_]*")) == []
    assert list(cache.glob("answers/*/[!_]*")) == []
    assert len(list(cache.glob("verdicts/part-*/*.parquet"))) <= 2


def test_a_worker_is_killed_and_the_same_command_goes_on(
    server: JudgeServer, spark: SparkSession, undisturbed: tuple[pd.DataFrame, Counter[str]], tmp_path: Path
) -> None:
    _, settings = prepared(tmp_path, server)

    def kill() -> None:
        wait_for(lambda: asked(server).total() > 150)
        judging_workers(server, psutil.Process())[0].kill()

    killer = threading.Thread(target=kill)
    killer.start()
    # In local mode without retries a dead worker ends the stage.
    with pytest.raises(Exception, match="Python worker exited unexpectedly"):
        execute(STAGE, settings, lambda: spark)
    killer.join()
    assert 150 < asked(server).total() < undisturbed[1].total()
    execute(STAGE, settings, lambda: spark)
    # The other task is cancelled with the stage, so both had calls in flight.
    require_equal(settings, server, undisturbed, killed_tasks=TASKS)


def test_a_worker_and_then_the_driver_are_killed_and_the_same_command_goes_on(
    server: JudgeServer, undisturbed: tuple[pd.DataFrame, Counter[str]], tmp_path: Path
) -> None:
    config, settings = prepared(tmp_path, server)
    command = [str(Path(sys.executable).parent / "antinomy"), "judge", "--config", config, "--json"]
    for override in candidates.served(server.url, max_in_flight=IN_FLIGHT, api_key_env="JUDGE_KEY"):
        command += ["--set", override]
    environment = {**os.environ, "HF_HUB_OFFLINE": "1", "JUDGE_KEY": KEY}
    server.api_key = KEY

    with (tmp_path / "log").open("w") as log:
        driver = subprocess.Popen(command, env=environment, stdout=log, stderr=log)
    try:
        wait_for(lambda: asked(server).total() > 80)
        judging_workers(server, psutil.Process(driver.pid))[0].kill()
        # Spark (with retries) starts the task again, which goes on where the dead one was.
        wait_for(lambda: asked(server).total() > 200)
        assert driver.poll() is None, (tmp_path / "log").read_text()
    finally:
        family = [*psutil.Process(driver.pid).children(recursive=True)]
        driver.kill()
        driver.wait()
    # Java and its workers notice by themselves that their driver is gone.
    _, alive = psutil.wait_procs(family, timeout=60)
    assert alive == []
    interrupted = asked(server).total()
    assert 200 < interrupted < undisturbed[1].total()

    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    require_equal(settings, server, undisturbed, killed_tasks=1 + TASKS)
    manifest = json.loads(done.stdout)
    assert manifest["errors"] == 0
    # The key was used by three processes on the way, and none of them left it anywhere.
    written = [path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()]
    assert len(written) > 10
    assert not any(KEY.encode() in text for text in (*written, done.stdout.encode(), done.stderr.encode()))
