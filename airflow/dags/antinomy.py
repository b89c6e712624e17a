"""Weekly run of the pipeline: a spark-submit per stage, and a gate after each that holds its result to bounds.

Retries are safe because stages are: a run_id is taken up where it stands, what is complete is skipped, and no verdict
is asked for twice. The run_id is the DAG run's, not its date, so that a manual run and the schedule never meet.

Where things are on the machine that submits comes from the environment of Airflow's workers:

=======================  ============================================================================================
ANTINOMY_HOME            folder with jobs/ and conf/ (default /opt/antinomy)
ANTINOMY_ENVIRONMENT     the environment that has antinomy installed (default ANTINOMY_HOME/.venv)
ANTINOMY_ARCHIVE         dist/environment.tar.gz, a path or URI; "" if ANTINOMY_ENVIRONMENT exists on the executors too
ANTINOMY_EMBED_GPUS      GPUs per executor of the embed stage (default 0); no other stage asks for one
ANTINOMY_RETRIES         how often a stage is tried again (default 2, after 5 and 10 minutes)
ANTINOMY_ALERT_URL       where a failure is posted as JSON; "" writes it to the log only
=======================  ============================================================================================

The pool ``antinomy_judge`` bounds how many DAG runs ask the model server at a time:
``airflow pools set antinomy_judge 1 "Antinomy: model server"``.
"""

from __future__ import annotations

import json
import logging
import os
import subprocess
from datetime import timedelta
from typing import Any

import requests
from airflow.providers.apache.spark.operators.spark_submit import SparkSubmitOperator
from airflow.sdk import DAG, Asset, Metadata, Param, task
from airflow.sdk.exceptions import AirflowFailException

HOME = os.environ.get("ANTINOMY_HOME", "/opt/antinomy")
ENVIRONMENT = os.environ.get("ANTINOMY_ENVIRONMENT", f"{HOME}/.venv")
ARCHIVE = os.environ.get("ANTINOMY_ARCHIVE", "")
EMBED_GPUS = int(os.environ.get("ANTINOMY_EMBED_GPUS", "0"))
RETRIES = int(os.environ.get("ANTINOMY_RETRIES", "2"))
ALERT_URL = os.environ.get("ANTINOMY_ALERT_URL", "")

FINDINGS = Asset("antinomy_findings", uri="x-antinomy://findings", group="compliance")
#: A run_id is part of paths: the colons and pluses of Airflow's own become dashes.
RUN_ID = "{{ params.run_id or (run_id | replace(':', '-') | replace('+', '-')) }}"
CONFIG = "{{ params.config }}"

log = logging.getLogger("antinomy")


def alert(context: Any) -> None:
    """Say which task of which run failed, and why, in the log and to ANTINOMY_ALERT_URL."""
    instance = context["task_instance"]
    message = {
        "dag_run": instance.run_id,
        "task": instance.task_id,
        "try": instance.try_number,
        "reason": str(context.get("exception")),
    }
    log.error("antinomy failed: %s", json.dumps(message))
    if ALERT_URL:
        requests.post(ALERT_URL, json=message, timeout=10).raise_for_status()


def antinomy(*arguments: str) -> str:
    """Run the console script, which needs no Spark for what is asked of it here; its message is the failure."""
    command = [f"{ENVIRONMENT}/bin/antinomy", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        # Asked again it would answer the same: no retries.
        raise AirflowFailException(done.stderr.strip() or f"{' '.join(command)} ended with {done.returncode}")
    return done.stdout


def submit(stage: str, **options: Any) -> SparkSubmitOperator:
    """Make the task that runs a stage."""
    conf = {
        "spark.speculation": "false",
        "spark.pyspark.driver.python": f"{ENVIRONMENT}/bin/python",
        "spark.pyspark.python": "./environment/bin/python" if ARCHIVE else f"{ENVIRONMENT}/bin/python",
    }
    if stage == "embed" and EMBED_GPUS:
        conf["spark.executor.resource.gpu.amount"] = str(EMBED_GPUS)
        conf["spark.task.resource.gpu.amount"] = "1"
    # A template cannot leave an argument out. Without a budget that of the settings holds: --verbose leaves it alone.
    bound = "{{ '--set=judge.openai.budget.calls=%d' % params.budget if params.budget else '--verbose' }}"
    # The gate refuses what the judge leaves over, and is not retried: a retry would have a budget of its own.
    judge = [bound, "--set=quality.max_error_share=1"] if stage == "judge" else []
    return SparkSubmitOperator(
        task_id=stage,
        name=f"antinomy {stage} {RUN_ID}",
        application=f"{HOME}/jobs/{stage}.py",
        application_args=["--config", CONFIG, "--run-id", RUN_ID, *judge],
        archives=f"{ARCHIVE}#environment" if ARCHIVE else None,
        conf=conf,
        # Submitted again instead of looked for: the stage itself knows what is done.
        durable=False,
        **options,
    )


@task(retries=0)
def gate(stage: str, config: str, run: str) -> None:
    """Hold the result of a stage to the bounds of ``quality`` in the settings; fails with the reason."""
    log.info("%s", antinomy("check", "--config", config, "--run-id", run, "--stage", stage))


@task(retries=0, outlets=[FINDINGS])
def summary(config: str, run: str) -> Any:
    """Log the run's figures and announce the findings; only reached when every gate passed."""
    # The stage is complete, so this only reads what was counted.
    manifest = json.loads(antinomy("report", "--config", config, "--run-id", run, "--json"))
    figures = {name: value for name, value in manifest.items() if name != "stages" and value is not None}
    log.info("summary: %s", json.dumps(figures))
    yield Metadata(FINDINGS, {"run_id": run, "findings": figures["findings"], "conflicts": figures["conflicts"]})
    return figures


with DAG(
    "antinomy",
    description="Find the places where two regulations cannot both be obeyed",
    doc_md=__doc__,
    schedule="@weekly",
    catchup=False,
    max_active_runs=1,
    default_args={
        "retries": RETRIES,
        "retry_delay": timedelta(minutes=5),
        "retry_exponential_backoff": True,
        "on_failure_callback": alert,
    },
    params={
        "config": Param(f"{HOME}/conf/cluster.yaml", type="string", description="Settings file, a path or URI"),
        "run_id": Param("", type="string", description="Name of the run; empty: made from the DAG run's"),
        "budget": Param(
            None, type=["null", "integer"], minimum=1, description="Most calls of the judge; empty: as in the file"
        ),
    },
    tags=["compliance"],
) as dag:
    before = None
    for name in ("parse", "embed", "link", "judge", "report"):
        work = submit(name, **({"pool": "antinomy_judge"} if name == "judge" else {}))
        passed = gate.override(task_id=f"check_{name}")(name, CONFIG, RUN_ID)
        if before is not None:
            before >> work
        work >> passed
        before = passed
    before >> summary(CONFIG, RUN_ID)
