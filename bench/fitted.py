"""The default judge's throughput through Spark beside a bare loop of the same judge, and the memory it takes.

``python bench/fitted.py`` prints one line per measurement. Each side runs two processes with one thread each, and loads
the model before the clock starts.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from itertools import islice
from pathlib import Path

import pandas as pd

from antinomy.judge.fitted.judge import FittedJudge
from antinomy.judge.protocol import Pair, Provision
from antinomy.judge.tasks import judge_pairs
from antinomy.train.pairs import read
from antinomy.train.run import packaged_data

_NEIGHBOURS = 10
_PROCESSES = 2
#: Pairs that Spark's workers judge before the clock starts.
_WARM = 20


def provisions() -> list[str]:
    """Return the packaged provisions, each once."""
    return sorted({text for path in packaged_data() for e in read(path) for text in (e.left, e.right)})


def pairs(number: int) -> list[tuple[str, str]]:
    """Return pairs of provisions, ten for each left side, as candidates come."""
    texts = provisions()
    half = len(texts) // 2
    chosen = ((i, half + (7 * i + j) % half) for i in range(half) for j in range(_NEIGHBOURS))
    return [(texts[i], texts[j]) for i, j in islice(chosen, number)]


def _provision(text: str) -> Provision:
    return Provision(text[:20], text[:20], "", text, "", text[:20])


def bare(number: int, part: int) -> None:
    """Judge a part of the pairs in a plain loop; print seconds and resident memory as it grows."""
    judge = FittedJudge()
    mine = [Pair(str(n), _provision(a), _provision(b)) for n, (a, b) in enumerate(pairs(number))]
    mine = [pair for i, pair in enumerate(mine) if (i // _NEIGHBOURS) % _PROCESSES == part]
    list(judge.judge(mine[:1]))
    began, marks = time.monotonic(), []
    for done, _ in enumerate(judge.judge(mine), start=1):
        if done % max(1, len(mine) // 5) == 0:
            marks.append(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)
    print(time.monotonic() - began, marks, flush=True)


def through_spark(number: int) -> float:
    """Judge the pairs as the stage does; return seconds."""
    from pyspark.sql import SparkSession

    session = (
        SparkSession.builder.master(f"local[{_PROCESSES}]")
        .config("spark.ui.enabled", "false")
        .config("spark.driver.memory", "1g")
        .config("spark.sql.shuffle.partitions", str(_PROCESSES))
        .getOrCreate()
    )
    frame = pd.DataFrame(pairs(number), columns=["left_text", "right_text"])
    for side in ("left", "right"):
        for name in ("id", "unit_id", "sha256", "label", "context"):
            frame[f"{side}_{name}"] = frame[f"{side}_text"] if name in ("id", "unit_id", "sha256") else ""
    frame["pair_key"] = [str(n) for n in range(len(frame))]
    with tempfile.TemporaryDirectory() as folder:
        judge = FittedJudge()
        table = session.createDataFrame(frame)
        # Of every left side one pair, so that each worker gets some and has the model loaded.
        judge_pairs(table.dropDuplicates(["left_unit_id"]).limit(_WARM), judge, folder, "warm")
        began = time.monotonic()
        written = judge_pairs(table, judge, folder, "bench")
        seconds = time.monotonic() - began
    assert written == number, written
    session.stop()
    return seconds


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, default=2000)
    parser.add_argument("--part", type=int, default=None, help=argparse.SUPPRESS)
    options = parser.parse_args()
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    if options.part is not None:
        bare(options.pairs, options.part)
    else:
        command = [sys.executable, str(Path(__file__)), "--pairs", str(options.pairs), "--part"]
        alone = {**os.environ, "OMP_NUM_THREADS": "1"}
        running = [
            subprocess.Popen([*command, str(part)], stdout=subprocess.PIPE, text=True, env=alone)
            for part in range(_PROCESSES)
        ]
        lines = [process.communicate()[0].strip() for process in running]
        loop = max(float(line.split()[0]) for line in lines)
        spark = through_spark(options.pairs)
        print(f"{options.pairs} pairs: bare loops {options.pairs / loop:.1f}/s, Spark {options.pairs / spark:.1f}/s, "
              f"ratio {loop / spark:.2f}")  # fmt: skip
        print("peak MB of each loop after each fifth:", *(line.split(" ", 1)[1] for line in lines))
