"""Weekly run of the pipeline: one spark-submit per stage, on the connection ``spark_default``.

Every stage is idempotent for its run_id: a retry takes up what is there. The run_id is the DAG run's, not its date,
so that a manual run and the schedule never meet.
"""

from __future__ import annotations

import os
from datetime import timedelta

from airflow.providers.apache.spark.operators.spark_submit import SparkSubmitOperator
from airflow.sdk import DAG, Param

#: Folder with jobs/ and conf/ on the machine that submits.
HOME = os.environ.get("ANTINOMY_HOME", "/opt/antinomy")
STAGES = ("parse", "embed", "link", "judge", "report")

with DAG(
    "antinomy",
    description="Find the places where two regulations cannot both be obeyed",
    schedule="@weekly",
    catchup=False,
    max_active_runs=1,
    default_args={"retries": 2, "retry_delay": timedelta(minutes=5)},
    params={
        "config": Param(f"{HOME}/conf/cluster.yaml", type="string", description="Settings file, a path or URI"),
        "run_id": Param("", type="string", description="Name of the run; empty: made from the DAG run's"),
    },
    tags=["compliance"],
) as dag:
    # A run_id is part of paths: the colons and pluses of Airflow's own become dashes.
    run_id = "{{ params.run_id or (run_id | replace(':', '-') | replace('+', '-')) }}"
    previous = None
    for stage in STAGES:
        task = SparkSubmitOperator(
            task_id=stage,
            application=f"{HOME}/jobs/{stage}.py",
            application_args=["--config", "{{ params.config }}", "--run-id", run_id],
        )
        if previous is not None:
            previous >> task
        previous = task
