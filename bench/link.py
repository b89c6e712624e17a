"""Linking: the Spark stage against a bare FAISS loop, and how it grows.

    python bench/link.py speed    [--rows 100000]           the stage and faiss.knn on the same vectors (≤ 1.25)
    python bench/link.py agree    [--rows 20000]            both plans; 1, 3 and 16 partitions; numpy on a sample
    python bench/link.py growth   [--rows 10000 20000 …]    seconds and candidate pairs at several sizes
    python bench/link.py million  [--rows 1000000]          approximate, two channels: recall (≥ 0.95), memory

The vectors are made up: 384 dimensions, unit length, around as many centres as a corpus has topics (one per 50 texts),
and about as close to them as all-MiniLM-L6-v2 puts provisions of one subject (cosine 0.6). Every text looks for its
10 nearest others. The stage's time is from reading Parquet to Parquet written.
"""

import argparse
import hashlib
import os
import statistics
import tempfile
import threading
import time
from collections.abc import Iterable
from pathlib import Path

import faiss
import numpy as np
import pandas as pd
import pyarrow.dataset as ds
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from antinomy.link.plan import link
from antinomy.run.spark import spark_session
from antinomy.settings import SparkSettings
from antinomy.settings.link import LinkSettings
from antinomy.store import schemas

DIM, K = 384, 10
#: Rows made at a time.
STEP = 10_000
_MADE = "id long, text_sha256 string, vector array<float>, clause_vectors array<float>"


def vectors(start: int, stop: int, rows: int) -> np.ndarray:
    """Vectors start to stop of rows; the same however they are cut."""
    centres = np.random.default_rng(0).normal(size=(max(1, rows // 50), DIM)).astype(np.float32)
    parts = []
    for at in range(start, stop, STEP):
        rng = np.random.default_rng(1 + at)
        count = min(STEP, stop - at)
        topic = rng.integers(0, len(centres), size=count)
        part = centres[topic] + 0.8 * rng.normal(size=(count, DIM)).astype(np.float32)
        parts.append(part / np.linalg.norm(part, axis=1, keepdims=True))
    return np.concatenate(parts).astype(np.float32)


def write_tables(spark: SparkSession, rows: int, folder: Path) -> None:
    """Write units and embeddings of one made-up document."""

    def made(frames: Iterable[pd.DataFrame]) -> Iterable[pd.DataFrame]:
        for frame in frames:
            for block in frame["id"]:
                start = int(block) * STEP
                stop = min(start + STEP, rows)
                sha = [hashlib.sha256(str(i).encode()).hexdigest() for i in range(start, stop)]
                own = vectors(start, stop, rows)
                # One clause a text, as far from the text as from its neighbours.
                clause = own[:, ::-1]
                yield pd.DataFrame(
                    {"id": range(start, stop), "text_sha256": sha, "vector": list(own), "clause_vectors": list(clause)}
                )

    blocks = spark.range(0, -(-rows // STEP))
    blocks.mapInPandas(made, _MADE).write.parquet(str(folder / "all"))
    table = spark.read.parquet(str(folder / "all"))
    section = F.format_string("doc#art_%08d", F.col("id"))
    filled = {"unit_id": section, "section_id": section, "doc_id": F.lit("doc"), "regime": F.lit("eu"),
              "text_sha256": F.col("text_sha256"), "unit_sha256": F.col("text_sha256"), "piece": F.lit(1),
              "type": F.lit("paragraph"), "binds": F.lit("firm")}  # fmt: skip
    units = [filled.get(name, F.lit("")).alias(name) for name in schemas.columns("units")]
    table.select(units).write.parquet(str(folder / "units"))
    table.select("text_sha256", F.lit(DIM).alias("dim"), "vector", "clause_vectors").write.parquet(
        str(folder / "embeddings")
    )


def stage(spark: SparkSession, folder: Path, partitions: int = 0, **settings: object) -> tuple[DataFrame, float, dict]:
    """Run the whole stage; returns its pairs, seconds and counts."""
    started = time.perf_counter()
    chosen = LinkSettings.model_validate(
        {"groups": "within", "channels": ["own"], "k": K, "min_score": -1, "budget_pairs": 10**12,
         "approximate_above": 10**9, **settings}
    )  # fmt: skip
    units, embeddings = (ds.dataset(folder / name) for name in ("units", "embeddings"))
    spark.conf.set("spark.sql.shuffle.partitions", partitions or spark.sparkContext.defaultParallelism)
    out = tempfile.mkdtemp(dir=folder)
    with tempfile.TemporaryDirectory(dir=folder) as work:
        read = dict.fromkeys(chosen.channels, lambda columns: embeddings.to_batches(columns))
        pairs, searched = link(spark, units.to_table(), read, chosen, work)
        pairs.write.mode("overwrite").parquet(out)
    return spark.read.parquet(out), time.perf_counter() - started, searched.as_json()


def bare(base: np.ndarray) -> tuple[np.ndarray, float]:
    """The baseline: faiss.knn, a block of queries at a time, with FAISS's own threads."""
    started = time.perf_counter()
    found = [
        faiss.knn(base[at : at + 4096], base, K + 1, metric=faiss.METRIC_INNER_PRODUCT)[1]
        for at in range(0, len(base), 4096)
    ]
    return np.concatenate(found), time.perf_counter() - started


def numpy_agrees(pairs: DataFrame, base: np.ndarray, sample: int = 200) -> bool:
    """Check the neighbours of a sample of texts, and their order, against numpy."""
    rows = np.linspace(0, len(base) - 1, num=sample, dtype=int)
    names = [f"doc#art_{row:08d}" for row in rows]
    left = pairs.where(F.col("left_id").isin(names) & F.col("rank_left").isNotNull())
    right = pairs.where(F.col("right_id").isin(names) & F.col("rank_right").isNotNull())
    got: dict[str, dict[int, str]] = {name: {} for name in names}
    for row in left.collect():
        got[row.left_id][row.rank_left] = row.right_id
    for row in right.collect():
        got[row.right_id][row.rank_right] = row.left_id
    for row, name in zip(rows, names, strict=True):
        scores = (base.astype(np.float64) @ base[row].astype(np.float64)).round(6)
        scores[row] = -2
        expected = [f"doc#art_{i:08d}" for i in np.lexsort((np.arange(len(base)), -scores))[:K]]
        if [got[name].get(rank) for rank in range(1, K + 1)] != expected:
            return False
    return True


def processes() -> dict[int, dict[str, str]]:
    """The fields of /proc/PID/status of this process and those it started: Spark's JVM and its Python workers."""
    found = {}
    for path in Path("/proc").glob("[0-9]*/status"):
        try:
            lines = path.read_text().splitlines()
        except (FileNotFoundError, ProcessLookupError):
            continue  # it ended between the listing and the reading
        pairs = (line.partition(":") for line in lines)
        found[int(path.parent.name)] = {key: value.strip() for key, _, value in pairs}
    ours = {os.getpid()}
    while more := {pid for pid, status in found.items() if int(status["PPid"]) in ours} - ours:
        ours |= more
    return {pid: found[pid] for pid in ours & found.keys()}


def cpu_seconds() -> float:
    """Seconds of processor time, user and system, that these processes have used."""
    ticks = 0
    for pid in processes():
        try:
            stat = Path(f"/proc/{pid}/stat").read_text()
        except (FileNotFoundError, ProcessLookupError):
            continue
        # The name of the program, in brackets, may hold blanks; its own and its ended children's times.
        ticks += sum(map(int, stat.rpartition(")")[2].split()[11:15]))
    return ticks / os.sysconf("SC_CLK_TCK")


class PeakMemory(threading.Thread):
    """Watches the resident memory of these processes."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.peak: dict[str, int] = {}
        self.running = True

    def run(self) -> None:
        while self.running:
            for pid, status in processes().items():
                # RssFile are mapped pages, which processes share and the system can take back.
                megabytes = int(status.get("RssAnon", "0").split()[0]) // 1024
                name = f"{status['Name']} {pid}"
                self.peak[name] = max(megabytes, self.peak.get(name, 0))
            time.sleep(0.5)


def speed(spark: SparkSession, rows: int, folder: Path) -> None:
    """Both sides in turn, three times: a machine shared with others is not equally fast for two minutes."""
    write_tables(spark, rows, folder)
    base = vectors(0, rows, rows)
    ratios = []
    for turn in range(1, 4):
        begun = cpu_seconds()
        _, baseline = bare(base)
        between = cpu_seconds()
        pairs, seconds, counts = stage(spark, folder)
        used = between - begun, cpu_seconds() - between
        ratios.append((seconds / baseline, used[1] / used[0]))
        print(
            f"{turn}: faiss.knn, {rows:,} × {DIM}, k = {K}: {baseline:.1f} s ({used[0]:.1f} of processor time); link "
            f"stage, local[2], plan {counts['plan']}: {seconds:.1f} s ({used[1]:.1f}); ratio {ratios[-1][0]:.2f} "
            f"({ratios[-1][1]:.2f})",
            flush=True,
        )
    time_ratio, cpu_ratio = (statistics.median(column) for column in zip(*ratios, strict=True))
    print(f"median ratio {time_ratio:.2f} (target ≤ 1.25), of processor time {cpu_ratio:.2f}; turn 1 includes warm-up")
    print(f"same as numpy on a sample: {numpy_agrees(pairs, base)}")


def agree(spark: SparkSession, rows: int, folder: Path) -> None:
    write_tables(spark, rows, folder)
    reference, seconds, _ = stage(spark, folder, 1, plan="broadcast")
    print(f"broadcast, 1 partition: {reference.count():,} pairs in {seconds:.1f} s", flush=True)
    print(f"same as numpy on a sample: {numpy_agrees(reference, vectors(0, rows, rows))}")
    for partitions, settings in (
        (3, {"plan": "broadcast", "block_rows": 1000}),
        (16, {"plan": "shards", "shard_rows": rows // 5}),
        (3, {"plan": "shards", "shard_rows": rows // 3, "block_rows": 700}),
    ):
        other, seconds, _ = stage(spark, folder, partitions, **settings)
        differ = reference.exceptAll(other).count() + other.exceptAll(reference).count()
        print(f"{settings}, {partitions} partitions: {differ} rows differ, {seconds:.1f} s", flush=True)


def growth(spark: SparkSession, sizes: list[int], folder: Path) -> None:
    for rows in sizes:
        part = folder / str(rows)
        part.mkdir()
        write_tables(spark, rows, part)
        pairs, exact, _ = stage(spark, part)
        count = pairs.count()
        _, seconds, counts = stage(spark, part, approximate_above=1)
        print(
            f"n = {rows:,}: {count:,} pairs ({count / rows:.2f} per text); exact {exact:.1f} s; "
            f"approximate {seconds:.1f} s, recall@{K} {counts['approximate']['own']['recall']:.3f}",
            flush=True,
        )


def million(spark: SparkSession, rows: int, folder: Path) -> None:
    write_tables(spark, rows, folder)
    watch = PeakMemory()
    watch.start()
    # Two channels, each of which brings twice as many as are kept.
    pairs, seconds, counts = stage(spark, folder, approximate_above=1, channels=["own", "clauses"], depth=2 * K)
    watch.running = False
    print(
        f"link stage, approximate, 2 channels of {rows:,} × {DIM}, k = {K}: {pairs.count():,} pairs in {seconds:.1f} s"
    )
    for channel in ("own", "clauses"):
        found = counts["approximate"][channel]
        print(f"{channel}: recall@{2 * K} against exact on a sample {found['recall']:.3f} (target ≥ 0.95)", flush=True)
    for name, megabytes in sorted(watch.peak.items(), key=lambda item: -item[1])[:6]:
        print(f"peak memory of {name}: {megabytes:,} MiB besides mapped files")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("what", choices=("speed", "agree", "growth", "million"))
    options.add_argument("--rows", type=int, nargs="+")
    options.add_argument("--driver-memory", default="4g")
    arguments = options.parse_args()
    with tempfile.TemporaryDirectory() as work:
        settings = SparkSettings(master="local[2]", driver_memory=arguments.driver_memory)
        spark = spark_session(settings, "antinomy-bench", work)
        folder = Path(work) / "bench"
        folder.mkdir()
        if arguments.what == "growth":
            growth(spark, arguments.rows or [10_000, 20_000, 40_000, 80_000], folder)
        else:
            default = {"speed": 100_000, "agree": 20_000, "million": 1_000_000}[arguments.what]
            action = {"speed": speed, "agree": agree, "million": million}[arguments.what]
            action(spark, (arguments.rows or [default])[0], folder)
        spark.stop()


if __name__ == "__main__":
    main()
