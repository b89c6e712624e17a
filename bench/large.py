"""What the stages after parsing cost on a large corpus: seconds, memory, and what Spark reads, shuffles and writes.

    python bench/large.py make FOLDER [--documents 300]     tables of a made-up run: 600 units a document, 5 pairs each
    python bench/large.py link FOLDER                       from made-up vectors of 384 dimensions
    python bench/large.py judge FOLDER [--again]            by a judge that answers from the pair's key; --again: cached
    python bench/large.py report FOLDER

The texts are those of the training pairs, each with a number, so that no two are equal. A third of the pairs is
related, and one in thirty is a finding. ``judge`` and ``report`` read the pairs that ``make`` writes.
"""

import argparse
import hashlib
import json
import os
import shutil
import threading
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from pyspark.sql.pandas.types import to_arrow_schema

from antinomy import settings as settings_module
from antinomy import train
from antinomy.embed.encoder import PACKAGED
from antinomy.embed.result import EmbedResult
from antinomy.judge import stage as judging
from antinomy.judge.protocol import Pair, Verdict
from antinomy.judge.result import JudgeResult
from antinomy.link.result import LinkResult
from antinomy.parse.result import ParseResult
from antinomy.run.pipeline import load_stage
from antinomy.run.spark import spark_session
from antinomy.run.stage import execute
from antinomy.settings import Settings
from antinomy.store import schemas

DIM, UNITS, PAIRS, RUN = 384, 600, 5, "large"
STUBS: dict[str, Any] = {
    "parse": ParseResult(), "embed": EmbedResult(), "link": LinkResult(), "judge": JudgeResult(),
}  # fmt: skip


@dataclass(frozen=True)
class Stub:
    """A judge that takes no time: the relation follows from the key of the pair."""

    name: str = "stub"
    model: str = "stub"
    prompt_sha256: str = "stub"
    context_lines: int = 1
    encoder: str = "stub"

    def for_task(self, tasks: int, index: int) -> "Stub":
        return self

    def judge(self, pairs: Iterable[Pair]) -> Iterator[Verdict]:
        for pair in pairs:
            yield Verdict(
                **verdict(pair.pair_key), evidence_left=pair.left.text[:80], evidence_right=pair.right.text[:80]
            )


def verdict(key: str) -> dict[str, Any]:
    """What the stub says of a pair."""
    number = int(key[:8], 16) % 600
    relation = "conflict" if number < 5 else "stricter" if number < 15 else "definition" if number < 20 else None
    relation = relation or ("overlap" if number < 200 else "none")
    kind = {"conflict": "deadline", "stricter": "deadline", "definition": "scope"}.get(relation)
    p = {"none": 0.1, "overlap": 0.7}.get(relation, 0.9)
    return {
        "pair_key": key, "status": "ok", "relation": relation, "kind": kind,
        "governs": "left" if relation == "stricter" else None, "p_conflict": 0.8 if relation == "conflict" else 0.02,
        "p_related": p, "p_relation": p, "evidence_verified": True, "rationale": f"Both were read; number {number}.",
    }  # fmt: skip


def texts() -> list[str]:
    """Texts of provisions."""
    found: dict[str, None] = {}
    for path in sorted((Path(train.__file__).parent / "data").glob("*.jsonl")):
        for line in path.read_text().splitlines():
            row = json.loads(line)
            found |= dict.fromkeys(text for text in (row.get("left"), row.get("right")) if text)
    return list(found)


def write(folder: Path, table: str, rows: list[dict[str, Any]], part: int = 0) -> None:
    """Write rows as one file of a table, columns that they lack as nulls."""
    path = folder / "warehouse" / table / f"run_id={RUN}" / f"part-{part:05d}.parquet"
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.Table.from_pylist(rows, schema=to_arrow_schema(schemas.schema(table))), path)


def sha(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def make(folder: Path, documents: int) -> None:
    """Write the tables of a run up to ``similar``."""
    given, rng = texts(), np.random.default_rng(0)
    names = [f"doc{n:04d}" for n in range(documents)]
    write(folder, "documents", [
        {"doc_id": name, "regime": regime(n), "title": f"Regulation {n}", "source_uri": f"/nowhere/{name}.html",
         "sha256": name, "status": "parsed", "error": "", "structure": 1.0, "n_sections": UNITS, "warnings": [],
         "breaks": [], "faults": []} for n, name in enumerate(names)])  # fmt: skip
    for n, name in enumerate(names):
        units, sections, citations, vectors, similar = [], [], [], [], []
        for u in range(UNITS):
            at, head = f"{name}#art_{u}", f"{name}#chp_{u // 20}"
            path, text = f"Chapter {u // 20} of {n}", f"{given[(n * UNITS + u) % len(given)]} ({n}.{u})"
            common = {"doc_id": name, "label": f"Article {u}", "type": "article"}
            own, context = sha(f"{path}\n{text}"), f"{path}\n{given[(u * 7) % len(given)]}"
            units.append(common | {
                "unit_id": at, "section_id": at, "regime": regime(n), "heading_path": path, "unit_text": text,
                "context": context, "piece": 1, "unit_sha256": sha(f"{context}\n{text}"),
                "text_sha256": own, "binds": "firm", "demands": "duty"})  # fmt: skip
            if u % 20 == 0:
                chapter = {"section_id": head, "eid": head.split("#")[1], "type": "chapter", "heading": path}
                sections.append(common | chapter | {"label": f"Chapter {u // 20}", "position": u * 2, "text": ""})
            place = {"section_id": at, "eid": f"art_{u}", "position": u * 2 + 1, "parent_id": head}
            sections.append(common | place | {"text": text})
            if u % 3 == 0:
                target = f"{names[int(rng.integers(documents))]}#art_{int(rng.integers(UNITS))}"
                citations.append({"src_section_id": at, "target_section_id": target, "raw_text": "Article 1",
                                  "resolution": "exact", "start": 0, "end": 9})  # fmt: skip
            vector = rng.normal(size=(3, DIM)).astype(np.float32)
            vector /= np.linalg.norm(vector, axis=1, keepdims=True)
            vectors.append({"text_sha256": own, "model": PACKAGED, "revision": "stub", "dim": DIM, "vector": vector[0],
                            "clause_vectors": vector[1:].ravel()})  # fmt: skip
            similar += [pair(at, names, rng, rank) for rank in range(1, 2 * PAIRS + 1)] if n % 2 == 0 else []
        for table, rows in (("units", units), ("sections", sections), ("citations", citations),
                            ("embeddings", vectors), ("similar", similar)):  # fmt: skip
            if rows:
                write(folder, table, rows, n)


def regime(document: int) -> str:
    return ("eu", "us")[document % 2]


def pair(left: str, names: list[str], rng: np.random.Generator, rank: int) -> dict[str, Any]:
    """A candidate pair with a provision of the other side."""
    right = f"{names[int(rng.integers(len(names) // 2)) * 2 + 1]}#art_{int(rng.integers(UNITS))}"
    return {
        "left_id": left, "right_id": right, "left_unit_id": left, "right_unit_id": right, "score": 9.0 - rank / 10,
        "rank_left": rank, "rank_right": 1 if rank < 3 else None, "channels": ["own"], "own": 0.9 - rank / 100,
    }  # fmt: skip


def chosen(folder: Path) -> Settings:
    """Settings of the made-up run."""
    count = pq.read_metadata(folder / "warehouse" / "documents" / f"run_id={RUN}" / "part-00000.parquet").num_rows
    config = folder / "settings.yaml"
    listed = [{"doc_id": f"doc{n:04d}", "path": "x", "regime": regime(n)} for n in range(count)]
    spark = {"master": "local[2]", "driver_memory": "4g", "conf": {
        "spark.eventLog.enabled": "true", "spark.eventLog.dir": str(folder / "events")}}  # fmt: skip
    config.write_text(json.dumps({
        "run_id": RUN, "warehouse": str(folder / "warehouse"), "out": str(folder / "out"), "documents": listed,
        "link": {"channels": ["own", "clauses", "lexical"]}, "spark": spark}))  # fmt: skip
    return settings_module.load(str(config), [])


class PeakMemory(threading.Thread):
    """Watches the memory of this process, and of all that it started, by the name of the program."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.peak: dict[str, int] = {}
        self.start()

    def run(self) -> None:
        while True:
            for name, pages in self._resident():
                self.peak[name] = max(self.peak.get(name, 0), pages * os.sysconf("SC_PAGESIZE") >> 20)
            time.sleep(0.3)

    def _resident(self) -> Iterator[tuple[str, int]]:
        parents, pages, names = {}, {}, {}
        for path in Path("/proc").glob("[0-9]*"):
            try:
                stat, memory = (path / "stat").read_text(), (path / "statm").read_text().split()
            except OSError:
                continue  # it ended between the listing and the reading
            pid = int(path.name)
            parents[pid], names[pid] = int(stat.rpartition(")")[2].split()[1]), stat.split("(")[1].split(")")[0]
            pages[pid] = int(memory[1]) - int(memory[2])
        ours = {os.getpid()}
        while more := {pid for pid, parent in parents.items() if parent in ours} - ours:
            ours |= more
        yield "this process", pages.get(os.getpid(), 0)
        yield "Java", sum(pages[pid] for pid in ours if names[pid] == "java")


def measured(folder: Path, name: str) -> None:
    """Run a stage and print what it cost."""
    settings = chosen(folder)
    shutil.rmtree(folder / "events", ignore_errors=True)
    (folder / "events").mkdir()
    for before, result in STUBS.items():
        if before == name:
            break
        execute(replace(load_stage(before), upstream=(), run=lambda _, r=result: r), settings, no_session)
    memory, clock = PeakMemory(), time.monotonic()
    found = execute(load_stage(name), settings, lambda: spark_session(settings.spark, "bench", str(folder)))
    print(f"{name}: {time.monotonic() - clock:.1f} s; {found.result.figures()}")
    print("peak memory in MiB, mapped files aside:", memory.peak)
    tables = (folder / "warehouse").rglob("*.parquet")
    print("files of verdicts:", sum("verdicts" in str(path) for path in tables))
    if any((folder / "events").iterdir()):
        from pyspark.sql import SparkSession

        SparkSession.getActiveSession().stop()  # type: ignore[union-attr]
        print(spark_totals(folder))


def spark_totals(folder: Path) -> dict[str, int]:
    """Sum up Spark's event log: jobs, tasks, MiB read, shuffled and spilled, rows read from files."""
    totals = dict.fromkeys(("jobs", "tasks", "MiB read", "rows read", "MiB shuffled", "MiB spilled"), 0)
    for path in (folder / "events").iterdir():
        for line in path.open():
            event = json.loads(line)
            totals["jobs"] += event["Event"] == "SparkListenerJobStart"
            if event["Event"] == "SparkListenerTaskEnd" and event.get("Task Metrics"):
                metrics = event["Task Metrics"]
                totals["tasks"] += 1
                totals["MiB read"] += metrics["Input Metrics"]["Bytes Read"]
                totals["rows read"] += metrics["Input Metrics"]["Records Read"]
                totals["MiB shuffled"] += metrics["Shuffle Write Metrics"]["Shuffle Bytes Written"]
                totals["MiB spilled"] += metrics["Disk Bytes Spilled"]
    return {name: n >> 20 if name.startswith("MiB") else n for name, n in totals.items()}


def no_session() -> Any:
    raise AssertionError("a stub needs no Spark")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("what", choices=("make", "link", "judge", "report"))
    options.add_argument("folder", type=Path)
    options.add_argument("--documents", type=int, default=300)
    options.add_argument("--again", action="store_true")
    given = options.parse_args()
    folder = given.folder.resolve()
    if given.what == "make":
        make(folder, given.documents)
        return
    if given.what == "judge":
        judging.build_judges = lambda _: [Stub()]
        if not given.again:
            shutil.rmtree(folder / "warehouse" / "cache", ignore_errors=True)
    for name in (given.what, *(("report",) if given.what == "judge" else ())):
        (folder / "warehouse" / "_stages" / f"run_id={RUN}" / f"{name}.json").unlink(missing_ok=True)
    measured(folder, given.what)


if __name__ == "__main__":
    main()
