#!/usr/bin/env bash
# Runs the DAG once, for real, without a scheduler or a server, and ends: airflow/demo.sh CONFIG RUN_ID
# Needs .venv (make install) and .venv-airflow (make airflow-demo). Airflow's own files are in a temporary folder.
set -euo pipefail
[ $# = 2 ] || { echo "usage: $0 CONFIG RUN_ID" >&2; exit 2; }
root=$(cd "$(dirname "$0")/.." && pwd)
config=$(realpath "$1")
run_id=$2
airflow=$root/.venv-airflow/bin/airflow
home=$(mktemp -d "${TMPDIR:-/tmp}/antinomy-airflow-XXXXXX")
trap 'rm -rf "$home"' EXIT
cd "$root"

export AIRFLOW_HOME=$home
export AIRFLOW__CORE__LOAD_EXAMPLES=False
export AIRFLOW__CORE__DAGS_FOLDER=$root/airflow/dags
# A connection of the environment's, so that nothing needs to be set up: the binary's bare name, found on PATH.
export AIRFLOW_CONN_SPARK_DEFAULT='{"conn_type": "spark", "host": "local[2]", "extra": {"spark-binary": "spark-submit"}}'
# Nobody waits here for what may pass by itself: a stage that fails ends the run.
export ANTINOMY_HOME=$root ANTINOMY_ENVIRONMENT=$root/.venv ANTINOMY_RETRIES=0
export PATH=$root/.venv/bin:$PATH HF_HUB_OFFLINE=1

"$airflow" db migrate >"$home/migrate.log" 2>&1 || { cat "$home/migrate.log"; exit 1; }
"$airflow" pools set antinomy_judge 1 "Antinomy: model server" >/dev/null
"$airflow" dags test antinomy --conf "{\"config\": \"$config\", \"run_id\": \"$run_id\"}"
