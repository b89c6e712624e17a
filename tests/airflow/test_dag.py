"""The Airflow DAG: that it can be imported, what it is made of, one real run, and a run that a gate stops."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
import yaml

from antinomy import samples
from runs import ROOT, RUN_ID, SMALL, TABLES, Run, settings, table

pytestmark = [pytest.mark.long, pytest.mark.airflow, pytest.mark.slow, pytest.mark.timeout(900)]
STAGES = ["parse", "embed", "link", "judge", "report"]

_LOAD = """
import json, sys
from airflow.dag_processing.dagbag import DagBag
bag = DagBag(dag_folder=sys.argv[1])
dag = bag.dags.get("antinomy")
print("RESULT" + json.dumps({
    "errors": bag.import_errors,
    "schedule": dag.schedule,
    "catchup": dag.catchup,
    "params": {name: dag.params[name] for name in dag.params},
    "tasks": {task.task_id: {
        "after": sorted(task.upstream_task_ids),
        "kind": task.task_type,
        "pool": task.pool,
        "retries": task.retries,
        "arguments": getattr(task, "application_args", []),
        "conf": getattr(task, "conf", {}),
        "outlets": [outlet.name for outlet in task.outlets],
        "on_failure": bool(task.on_failure_callback),
    } for task in dag.tasks},
}))
"""


@pytest.fixture(scope="module")
def python() -> Path:
    found = ROOT / ".venv-airflow" / "bin" / "python"
    if not found.exists():
        pytest.skip(".venv-airflow is not there: `make airflow-demo` makes it")
    return found


def load(python: Path, home: Path, **environment: str) -> dict[str, Any]:
    variables = {**os.environ, "AIRFLOW_HOME": str(home), "AIRFLOW__CORE__LOAD_EXAMPLES": "False", **environment}
    command = [python, "-c", _LOAD, ROOT / "airflow" / "dags"]
    done = subprocess.run(command, env=variables, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    result: dict[str, Any] = json.loads(done.stdout.rpartition("RESULT")[2])
    return result


def run(config: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run the DAG as `make airflow-demo` does, with a home of nobody's."""
    variables = {**os.environ, "HOME": str(config.parent), **environment}
    command = [ROOT / "airflow" / "demo.sh", config, RUN_ID]
    return subprocess.run(command, env=variables, capture_output=True, text=True, check=False)


def test_the_dag_is_a_chain_of_stages_each_with_a_gate(python: Path, tmp_path: Path) -> None:
    dag = load(python, tmp_path)
    assert dag["errors"] == {}
    assert dag["catchup"] is False
    assert dag["schedule"] == "@weekly"
    assert set(dag["params"]) == {"config", "run_id", "budget"}
    order = [name for stage in STAGES for name in (stage, f"check_{stage}")] + ["summary"]
    assert {name: task["after"] for name, task in dag["tasks"].items()} == dict(
        zip(order, [[], *([name] for name in order)], strict=False)
    )
    for stage in STAGES:
        task = dag["tasks"][stage]
        assert task["kind"] == "SparkSubmitOperator"
        assert task["retries"] == 2
        assert task["conf"]["spark.speculation"] == "false"
        assert task["arguments"][::2][:2] == ["--config", "--run-id"]
    assert {name for name, task in dag["tasks"].items() if task["pool"] == "antinomy_judge"} == {"judge"}
    assert any("budget.calls" in argument for argument in dag["tasks"]["judge"]["arguments"])
    assert "--set=quality.max_error_share=1" in dag["tasks"]["judge"]["arguments"], "no retry spends the budget again"
    assert dag["tasks"]["summary"]["outlets"] == ["antinomy_findings"]
    assert all(task["on_failure"] for task in dag["tasks"].values())


def test_without_an_archive_driver_and_executors_use_the_environment(python: Path, tmp_path: Path) -> None:
    dag = load(python, tmp_path, ANTINOMY_ENVIRONMENT="/srv/env")
    for stage in STAGES:
        conf = dag["tasks"][stage]["conf"]
        assert conf["spark.pyspark.driver.python"] == conf["spark.pyspark.python"] == "/srv/env/bin/python"


def test_on_a_cluster_only_embed_asks_for_a_gpu_and_all_take_the_archive(python: Path, tmp_path: Path) -> None:
    dag = load(python, tmp_path, ANTINOMY_ARCHIVE="s3a://b/environment.tar.gz", ANTINOMY_EMBED_GPUS="1")
    gpus = {name for name, task in dag["tasks"].items() if "spark.executor.resource.gpu.amount" in task["conf"]}
    assert gpus == {"embed"}
    for stage in STAGES:
        assert dag["tasks"][stage]["conf"]["spark.pyspark.python"] == "./environment/bin/python"


@pytest.mark.spark
def test_a_real_run_gives_the_tables_of_a_local_run_and_a_summary(python: Path, small_run: Run, tmp_path: Path) -> None:
    done = run(settings(tmp_path, **SMALL))
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    local = small_run.tables()
    for name in TABLES:
        pd.testing.assert_frame_equal(table(str(tmp_path / "warehouse"), name), local[name], obj=name)
    summary = next(line for line in done.stdout.splitlines() if "summary: " in line)
    assert f'"pairs": {len(local["similar"])}' in summary
    assert f'"findings": {len(local["findings"])}' in summary


@pytest.mark.spark
def test_a_gate_stops_the_run_with_its_reason_and_leaves_word(python: Path, tmp_path: Path) -> None:
    data = tmp_path / "data"
    shutil.copytree(samples.FOLDER, data, ignore=shutil.ignore_patterns("*.py*", "__pycache__"))
    (data / "broken.pdf").write_bytes(b"%PDF-1.7 and nothing more")
    config = settings(tmp_path, data_root=str(data))
    value = yaml.safe_load(config.read_text())
    value["documents"].append({"doc_id": "broken", "path": "broken.pdf", "regime": "us"})
    config.write_text(yaml.safe_dump(value))
    posted: list[dict[str, Any]] = []

    class Listener(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            posted.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            self.send_response(204)
            self.end_headers()

    server = HTTPServer(("127.0.0.1", 0), Listener)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        done = run(config, ANTINOMY_ALERT_URL=f"http://127.0.0.1:{server.server_port}/")
    finally:
        server.shutdown()
    assert done.returncode != 0
    assert "quarantined documents is 1, wanted at most 0: broken:" in done.stdout
    assert (tmp_path / "warehouse" / "sections").exists()
    assert not (tmp_path / "warehouse" / "units").exists(), "what follows is not started"
    assert [word["task"] for word in posted] == ["check_parse"]
    assert "quarantined documents is 1" in posted[0]["reason"]
