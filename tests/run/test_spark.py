"""Spark with nothing set: made for this machine, and silent."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest
from pyspark.sql import SparkSession

from antinomy.run import class_archive, spark_errors
from antinomy.run.pipeline import managed_session
from antinomy.settings import load
from runs import BIN, call, settings

pytestmark = pytest.mark.spark

_ASKED = ("spark.sql.shuffle.partitions", "spark.sql.adaptive.enabled", "spark.ui.enabled")
_SCRIPT = f"""
import json, sys
from antinomy.run.spark import spark_session
from antinomy.settings import SparkSettings
spark = spark_session(SparkSettings.model_validate(json.loads(sys.argv[1])), "x")
java = spark.sparkContext.getConf().get("spark.driver.extraJavaOptions")
print(json.dumps([*(spark.conf.get(name) for name in {_ASKED}), java]))
spark.range(3).repartition(2).count()
spark.stop()
"""


def started(settings: dict[str, object], **environment: str) -> tuple[list[str], str]:
    done = subprocess.run(
        [sys.executable, "-c", _SCRIPT, json.dumps(settings)],
        capture_output=True, text=True, check=True, env={**os.environ, **environment},
    )  # fmt: skip
    return json.loads(done.stdout.splitlines()[-1]), done.stderr


def test_a_local_master_fits_the_machine_and_says_nothing() -> None:
    # A folder for Spark's files in the environment makes it warn; so do a host that is only a loopback, and no Hadoop.
    found, said = started({}, SPARK_LOCAL_DIRS="/tmp")
    assert found[:3] == [str(len(os.sched_getaffinity(0))), "true", "false"]
    assert "UseSerialGC" in found[3]
    assert said == ""


@pytest.mark.long
def test_a_local_java_maps_the_classes_that_setup_has_archived() -> None:
    archived = class_archive.find_archive()
    assert archived, "run `antinomy setup` (make install does)"
    found, said = started({})
    assert f"-XX:SharedArchiveFile={archived}" in found[3]
    assert "SPARK_CONF_DIR" not in os.environ
    assert said == ""
    # A configuration of the user's own counts, and an archive fits no other class path.
    assert "SharedArchiveFile" not in started({}, SPARK_CONF_DIR="/tmp")[0][3]


@pytest.mark.parametrize("fault", ["cut short", "another Java", "defaults of the user's own"])
def test_an_archive_that_does_not_fit_is_left_alone(
    fault: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    archived = class_archive.find_archive()
    assert archived
    (tmp_path / "antinomy").mkdir()
    (tmp_path / "conf").mkdir()
    copy = tmp_path / "antinomy" / archived.name
    copy.symlink_to(archived)
    monkeypatch.setenv("SPARK_HOME", str(tmp_path))
    assert class_archive.find_archive() == copy
    if fault == "cut short":
        copy.unlink()
        copy.write_bytes(archived.read_bytes()[:1000])
    elif fault == "another Java":
        monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    else:
        (tmp_path / "conf" / "spark-defaults.conf").write_text("spark.driver.memory 4g\n")
    assert class_archive.find_archive() is None


def test_the_settings_win_over_what_fits() -> None:
    conf = {"spark.sql.shuffle.partitions": "7", "spark.driver.extraJavaOptions": "-XX:+UseParallelGC"}
    found, said = started({"master": "local[2]", "conf": conf, "log_level": "WARN"}, SPARK_LOCAL_DIRS="/tmp")
    assert found[0] == "7"
    assert "UseParallelGC" in found[3]
    assert "UseSerialGC" not in found[3]
    assert "WARN" in said


def test_a_stop_while_java_starts_ends_in_one_line(tmp_path: Path) -> None:
    folders = [f"--set=warehouse={tmp_path}/w", f"--set=out={tmp_path}/o"]
    command = [Path(sys.executable).with_name("antinomy"), "parse", "--config", "conf/demo.yaml", *folders]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as run:
        seen = psutil.Process(run.pid)
        while run.poll() is None and not any("java" in child.name() for child in seen.children(recursive=True)):
            time.sleep(0.01)
        run.send_signal(signal.SIGTERM)
        _, said = run.communicate(timeout=120)
    assert run.returncode == 130
    assert said.strip().splitlines() == ["antinomy: stopped; the same command continues where it stopped"]


def test_on_yarn_in_cluster_mode_spark_starts_though_nothing_is_to_be_done(tmp_path: Path) -> None:
    script = tmp_path / "job.py"
    script.write_text(
        "from antinomy.run.pipeline import managed_session\n"
        "from antinomy.settings import load\n"
        "with managed_session(load('conf/demo.yaml')) as session:\n"
        "    print('started' if session.current else 'not started')\n"
    )
    for environment, said in (({}, "not started"), ({"SPARK_YARN_STAGING_DIR": "hdfs:///x"}, "started")):
        done = call(BIN / "spark-submit", "--master", "local[1]", script, **environment)
        assert said in done.stdout.splitlines()


def test_a_session_that_was_there_before_is_used_and_not_stopped(spark: SparkSession, tmp_path: Path) -> None:
    with managed_session(load(str(settings(tmp_path)))) as session:
        assert session().sparkContext is spark.sparkContext
    assert spark.range(3).count() == 3


def test_a_lost_process_is_told_where_its_memory_is_set(monkeypatch: pytest.MonkeyPatch) -> None:
    lost = RuntimeError("ExecutorLostFailure (executor 3 exited)")
    assert "fewer cores in spark.master" in str(spark_errors.translate(lost))
    monkeypatch.setenv("PYSPARK_GATEWAY_PORT", "1")
    assert "spark.executor.memoryOverhead" in str(spark_errors.translate(lost))
