"""A real standalone cluster on loopback, a master and two workers: the pipeline submitted to it as an archive.

The archive is laid out like the one of `make dist`, but holds only the package itself and borrows its dependencies from
this environment: packing and unpacking gigabytes twice would take minutes. The checkout is not importable from it.
"""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import tarfile
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pandas as pd
import pytest

from antinomy.run import base_model, environment
from runs import BIN, QUICK_JAVA, ROOT, SMALL, TABLES, Run, call, settings, table

pytestmark = [pytest.mark.long, pytest.mark.spark, pytest.mark.slow, pytest.mark.timeout(900)]


@pytest.fixture(scope="module")
def packed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The environment, and the archive of it."""
    folder = tmp_path_factory.mktemp("dist")
    source = folder / "source"
    source.mkdir()
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source)
    shutil.copytree(ROOT / "lib", source / "lib", ignore=shutil.ignore_patterns("__pycache__", "*.egg-info"))
    call(sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", folder, source)
    env = folder / "env"
    call(sys.executable, "-m", "venv", "--without-pip", env)
    packages = next(env.glob("lib/python3*/site-packages"))
    with zipfile.ZipFile(next(folder.glob("antinomy-*.whl"))) as wheel:
        wheel.extractall(packages)
    # The .pth files of a folder that is borrowed so are not followed: not the one of the editable installation either.
    (packages / "borrowed.pth").write_text(str(Path(pd.__file__).parents[1]))
    shutil.copytree(base_model.installed_folder(), env / base_model.folder().relative_to(sys.prefix))
    archive = folder / "environment.tar.gz"
    with tarfile.open(archive, "w:gz") as tar:
        tar.add(env, ".")
    return env, archive


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path]]:
    """The master's address, and the folder in which the workers' applications lie."""
    folder = tmp_path_factory.mktemp("daemons")
    master = f"127.0.0.1:{_free_port()}"
    deploy = "org.apache.spark.deploy"
    here = ["--host", "127.0.0.1", "--webui-port", "0"]
    commands = [
        [f"{deploy}.master.Master", *here, "--port", master.rpartition(":")[2]],
        *[
            [f"{deploy}.worker.Worker", *here, "--cores", "1", "--memory", "1g", "--work-dir", str(folder / name),
             f"spark://{master}"]
            for name in ("one", "two")
        ],
    ]  # fmt: skip
    variables = {**os.environ, "HF_HUB_OFFLINE": "1", "SPARK_LOCAL_DIRS": str(folder / "scratch")}
    variables["SPARK_DAEMON_JAVA_OPTS"] = QUICK_JAVA
    java = environment.java_home()
    if java:
        variables["JAVA_HOME"] = str(java)
    log = folder / "daemons.log"
    daemons: list[subprocess.Popen[bytes]] = []
    try:
        with log.open("wb") as output:
            for command in commands:
                spark_class = environment.spark_home() / "bin" / "spark-class"
                # spark-class becomes the daemon by exec, so this pid is the daemon's.
                daemons.append(subprocess.Popen([spark_class, *command], env=variables, stdout=output, stderr=output))
        deadline = time.monotonic() + 120
        while log.read_text().count("Successfully registered with master") < 2:
            assert time.monotonic() < deadline, log.read_text()[-3000:]
            assert all(daemon.poll() is None for daemon in daemons), log.read_text()[-3000:]
            time.sleep(0.5)
        yield f"spark://{master}", folder
    finally:
        for daemon in daemons:
            daemon.terminate()
        for daemon in daemons:
            daemon.wait(30)


def test_the_pipeline_from_the_archive_gives_the_tables_of_a_local_run(
    cluster: tuple[str, Path], packed: tuple[Path, Path], small_run: Run, tmp_path: Path
) -> None:
    master, work = cluster
    env, archive = packed
    events = tmp_path / "events"
    events.mkdir()
    conf = {
        "spark.pyspark.python": "./environment/bin/python",
        "spark.pyspark.driver.python": f"{env}/bin/python",
        "spark.speculation": "false",
        "spark.driver.extraJavaOptions": QUICK_JAVA,
        "spark.executor.extraJavaOptions": QUICK_JAVA,
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.host": "127.0.0.1",
        "spark.ui.enabled": "false",
        "spark.eventLog.enabled": "true",
        "spark.eventLog.dir": events.as_uri(),
    }
    call(
        BIN / "spark-submit", "--master", master, "--executor-memory", "1g", "--driver-memory", "1g",
        "--archives", f"{archive}#environment",
        *[part for key, value in conf.items() for part in ("--conf", f"{key}={value}")],
        ROOT / "jobs" / "run.py", "--config", settings(tmp_path, **SMALL),
    )  # fmt: skip

    local = small_run.tables()
    for name in TABLES:
        pd.testing.assert_frame_equal(table(str(tmp_path / "warehouse"), name), local[name], obj=name)

    log = [json.loads(line) for file in events.iterdir() for line in file.read_text().splitlines()]
    ran = {entry["Task Info"]["Executor ID"] for entry in log if entry["Event"] == "SparkListenerTaskEnd"}
    assert ran == {"0", "1"}, "both workers take part"
    for worker in ("one", "two"):
        unpacked = next((work / worker).glob("app-*/*/environment"))
        shown = call(unpacked / "bin" / "python", "-c", "import antinomy; print(antinomy.__file__)", PYTHONPATH="")
        assert Path(shown.stdout.strip()).is_relative_to(unpacked.absolute()), "the package is the archive's"
