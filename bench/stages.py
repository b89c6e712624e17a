"""What a run costs, beside a bare Spark session: ``python bench/stages.py [CONFIG] [--set a.b=value …] [--warm]``.

The bare session is a process of its own that starts Spark with nothing set, asks one query and has one Python worker
give a row back; every figure below is also given as a multiple of it, since machines and hours differ. The config
(``conf/demo.yaml`` unless named) is run whole into a temporary warehouse, so that nothing is cached; then a reviewer
decides on the first finding, and the report is made again. ``--warm`` also runs the stages twice in one session: what
the second time does not cost was warm-up of Java and of Python's workers.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

_BARE = """
import json, os, sys, time
clock = time.monotonic()
from antinomy.run import environment
os.environ["PYSPARK_PYTHON"] = sys.executable
java = environment.java_home()
if java:
    os.environ["JAVA_HOME"] = str(java)
from pyspark.sql import SparkSession
spark = SparkSession.builder.master("local[*]").config("spark.ui.enabled", "false").getOrCreate()
started = time.monotonic()
spark.range(100_000).selectExpr("id % 10 as k").groupBy("k").count().collect()
asked = time.monotonic()
spark.range(1).mapInPandas(lambda frames: frames, "id long").collect()
worked = time.monotonic()
spark.stop()
print(json.dumps({"Spark start": started - clock, "one query": asked - started, "a Python worker": worked - asked}))
"""

_WARM = """
import json, sys, time
from antinomy import settings
from antinomy.store import tables
from antinomy.run.pipeline import load_stage, managed_session
from antinomy.run.stage import execute
from antinomy.run.summary import planned_stages
config, folder, *overrides = sys.argv[1:]
seconds, first = {}, None
for turn in ("first", "second"):
    chosen = settings.load(config, [*overrides, f"warehouse={folder}/{turn}", f"out={folder}/{turn}/out"])
    first = first or chosen
    if turn == "first":
        opened = managed_session(first)
        session = opened.__enter__()
        clock = time.monotonic()
        session()
        seconds["start"] = time.monotonic() - clock
    seconds[turn] = {name: execute(load_stage(name), chosen, session).seconds for name in planned_stages(chosen)}
opened.__exit__(None, None, None)
print(json.dumps(seconds))
"""

_DECIDE = """
import sys
from antinomy import settings
from antinomy.store import tables
from antinomy.findings import decisions
config, *overrides = sys.argv[1:]
chosen = settings.load(config, overrides)
found = tables.read_rows(chosen.warehouse, "findings", chosen.run_id)
first = min(found, key=lambda row: row["rank"] or len(found) + 1)
decisions.record(chosen.warehouse, chosen.run_id, first, "confirm", "bench")
"""


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__.split(":")[0])
    asked.add_argument("config", nargs="?", default=str(Path(__file__).resolve().parents[1] / "conf" / "demo.yaml"))
    asked.add_argument("--set", action="append", default=[], help="replace a setting, as `antinomy run` does")
    asked.add_argument("--warm", action="store_true", help="also run the stages twice in one session")
    given = asked.parse_args()
    before, parts = _bare()
    with tempfile.TemporaryDirectory() as folder:
        where = [*given.set, f"warehouse={folder}/warehouse", f"out={folder}/out"]
        options = ["--config", given.config, *(part for value in where for part in ("--set", value))]
        whole, printed = _timed("antinomy", "run", *options, "--json")
        _timed("-c", _DECIDE, given.config, *where)
        again, _ = _timed("antinomy", "report", *options, "--json")
        warm = json.loads(_timed("-c", _WARM, given.config, folder, *given.set)[1]) if given.warm else {}
    after, _ = _bare()
    bare = (before + after) / 2
    stages: dict[str, Any] = {name: made["seconds"] for name, made in json.loads(printed)["stages"].items()}
    print(f"bare session: {bare:.1f} s ({before:.1f} before, {after:.1f} after)")
    print("  of which " + ", ".join(f"{name} {value:.1f}" for name, value in parts.items()))
    print(f"{'':<28}{'seconds':>9}{'× bare':>9}")
    rows = [*stages.items(), ("all stages", sum(stages.values())), ("antinomy run, whole", whole)]
    for name, seconds in (*rows, ("antinomy report, one decision", again)):
        print(f"{name:<28}{seconds:>9.1f}{seconds / bare:>9.2f}")
    if warm:
        print(f"\nin one session: Spark start {warm['start']:.1f} s")
        print(f"{'stage':<12}{'first':>9}{'second':>9}{'warm-up':>9}")
        for name, first in warm["first"].items():
            second = warm["second"][name]
            print(f"{name:<12}{first:>9.1f}{second:>9.1f}{first - second:>9.1f}")


def _bare() -> tuple[float, dict[str, float]]:
    seconds, printed = _timed("-c", _BARE)
    return seconds, json.loads(printed)


def _timed(*command: str) -> tuple[float, str]:
    """Run Python, or a command of its environment, in a process of its own; returns seconds and what it printed."""
    start = [sys.executable] if command[0] == "-c" else [str(Path(sys.executable).parent / command[0])]
    clock = time.monotonic()
    done = subprocess.run(
        [*start, *(command if command[0] == "-c" else command[1:])], capture_output=True, text=True, check=False
    )
    seconds = time.monotonic() - clock
    if done.returncode:
        sys.exit(f"{' '.join(command[:2])} ended with {done.returncode}\n{done.stderr[-3000:]}")
    return seconds, done.stdout.strip().splitlines()[-1] if done.stdout.strip() else ""


if __name__ == "__main__":
    main()
