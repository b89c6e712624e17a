"""Judges pairs in Spark's tasks: verdicts go into the cache as they come, and no question is asked twice."""

from __future__ import annotations

import hashlib
import io
import json
import time
import uuid
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, TypeVar

from antinomy.judge.protocol import Adaptive, CachesLogits, Judge, Pair, Provision
from antinomy.judge.served.journal import Journal, Journaled, recover
from antinomy.store import schemas, storage, tables
from antinomy.vocabulary import VerdictStatus

if TYPE_CHECKING:
    import pandas as pd
    from pyspark.sql import DataFrame

Item = TypeVar("Item")

#: Longest time in seconds that a verdict waits until it is written.
_WRITE_EVERY_S = 5.0
#: Tasks per core of a judge that computes here. Some provisions take far longer than others: with one task per core the
#: first to end leaves its core idle. The requests to a server wait for each other instead, so there one is enough.
_TASKS_PER_CORE = 8
#: Number of verdicts that are written at a time, fewer where they come slowly.
CHUNK_PAIRS = 64


@dataclass(frozen=True, slots=True)
class CallFolders:
    """Where the tasks of one call write results and journals; shipped to the workers.

    Attributes:
        call_id: of this call, written into every row.
        results: folder in the cache for this call.
        killed_calls: such folders of the calls that left journals behind.
        journals: folder of the journals.
        orphaned: journals that killed calls left behind.
    """

    call_id: str
    results: str
    killed_calls: tuple[str, ...]
    journals: str
    orphaned: tuple[str, ...]

    @classmethod
    def open(cls, warehouse: str, table: str, call_id: str, journals: str, orphaned: tuple[str, ...]) -> CallFolders:
        """Open the folders of a call whose results go into the cache of a table."""
        # The name of a journal begins with the id of its call.
        killed = {uri.rpartition("/")[2].partition("-")[0] for uri in orphaned}
        return cls(
            call_id=call_id,
            results=tables.open_folder(warehouse, table, call_id),
            killed_calls=tuple(tables.open_folder(warehouse, table, name) for name in sorted(killed)),
            journals=journals,
            orphaned=orphaned,
        )

    def open_journal(self, task: str) -> Journal:
        """Open a journal for a task; it knows the answers that killed calls and earlier attempts of the task left."""
        prefix = f"{self.call_id}-{task}"
        uri = storage.join(self.journals, f"{prefix}{uuid.uuid4().hex}.jsonl")
        return Journal(uri, recover([*self.orphaned, *files(self.journals, prefix)]))

    def write(self, table: str, task: str, rows: list[dict[str, Any]]) -> None:
        """Write results of a task as one file."""
        data = tables.parquet(rows, schemas.cache_schema(table))
        storage.write_bytes(storage.join(self.results, f"{task}{uuid.uuid4().hex}.parquet"), data)

    def remove_journals(self) -> None:
        """Remove the journals of this call and of killed ones, when all their answers are among the results."""
        for uri in {*self.orphaned, *files(self.journals, f"{self.call_id}-")}:
            storage.remove(uri)


@dataclass(frozen=True, slots=True)
class JudgingJob:
    """One call of ``judge_pairs``, shipped to the workers.

    Attributes:
        folders: where the tasks write.
        judge: gives the verdicts, which are kept under its name.
        tasks: number of tasks.
    """

    folders: CallFolders
    judge: Judge
    tasks: int

    @property
    def identity(self) -> dict[str, str]:
        """Columns with the same values in every row of this call."""
        judge = self.judge
        return {
            "judge": judge.name, "model": judge.model, "prompt_sha256": judge.prompt_sha256,
            "call_id": self.folders.call_id,
            "logits_sha256": judge.logits_sha256 if isinstance(judge, CachesLogits) else "",
        }  # fmt: skip


def orphaned_journals(warehouse: str, judge: Judge) -> tuple[str, ...]:
    """Return the journals left behind by calls that were killed, or whose tasks are about to end.

    Call this before the cache of verdicts is read: an answer leaves its journal only after its verdict is in the cache,
    so none is missed, see ``judge_partition``.
    """
    return tuple(files(_journals(warehouse, judge)))


def _journals(warehouse: str, judge: Judge) -> str:
    identity = hashlib.sha256("\n".join([judge.name, judge.model, judge.prompt_sha256]).encode()).hexdigest()[:16]
    return storage.join(warehouse, "cache", "answers", identity)


def judge_pairs(todo: DataFrame, judge: Judge, warehouse: str, call_id: str, orphaned: tuple[str, ...] = ()) -> int:
    """Judge pairs in Spark tasks, which put the verdicts into the cache.

    Args:
        todo: the pairs, see ``candidates.with_texts``.
        judge: who judges.
        warehouse: its URI.
        call_id: of this call.
        orphaned: see ``orphaned_journals``.

    Returns:
        The number of verdicts written.
    """
    tasks = todo.sparkSession.sparkContext.defaultParallelism
    if not isinstance(judge, Journaled):
        tasks *= _TASKS_PER_CORE
    folders = CallFolders.open(warehouse, "verdicts", call_id, _journals(warehouse, judge), orphaned)
    job = JudgingJob(folders, judge, tasks)

    def in_task(frames: Iterable[pd.DataFrame]) -> Iterator[pd.DataFrame]:
        import pandas as pd
        from pyspark import TaskContext

        task = TaskContext.get()
        assert task is not None
        yield pd.DataFrame({"written": [judge_partition(frames, job, task.partitionId())]})

    counts = grouped_by_left(todo, tasks).mapInPandas(in_task, "written long").collect()
    folders.remove_journals()
    return sum(row.written for row in counts)


def sampled_probabilities(pairs: DataFrame, judge: Adaptive) -> list[dict[str, float]]:
    """Return what ``Adaptive.probabilities`` yields for pairs, in an order that does not depend on the tasks."""

    def in_task(frames: Iterable[pd.DataFrame]) -> Iterator[pd.DataFrame]:
        import pandas as pd

        rows = [{"probabilities": json.dumps(row)} for row in judge.probabilities(read_pairs(frames))]
        yield pd.DataFrame(rows, columns=["probabilities"])

    tasks = pairs.sparkSession.sparkContext.defaultParallelism
    rows = pairs.repartition(tasks, "pair_key").mapInPandas(in_task, "probabilities string").collect()
    return [json.loads(text) for text in sorted(row["probabilities"] for row in rows)]


def grouped_by_left(todo: DataFrame, tasks: int) -> DataFrame:
    """Put pairs with the same left side together, so that a server has the beginning of their prompts cached."""
    return todo.repartition(tasks, "left_unit_id").sortWithinPartitions("left_unit_id", "right_unit_id")


def read_pairs(frames: Iterable[pd.DataFrame]) -> Iterator[Pair]:
    """Yield the pairs in rows of ``candidates.with_texts``."""
    for frame in frames:
        rows: Iterator[Any] = frame.itertuples()
        for row in rows:
            logits = getattr(row, "logits", None)  # none for a judge that caches none, nor for a new pair
            yield Pair(
                str(row.pair_key), _provision(row, "left"), _provision(row, "right"), int(row.place),
                () if logits is None else tuple(logits),
            )  # fmt: skip


def _provision(row: Any, side: str) -> Provision:
    return Provision(
        section_id=getattr(row, f"{side}_id"),
        unit_id=getattr(row, f"{side}_unit_id"),
        label=getattr(row, f"{side}_label"),
        text=getattr(row, f"{side}_text"),
        context=getattr(row, f"{side}_context"),
        sha256=getattr(row, f"{side}_sha256"),
        clause_vectors=getattr(row, f"{side}_vectors", None),
        facts=getattr(row, f"{side}_facts", None),
    )


def judge_partition(frames: Iterable[pd.DataFrame], job: JudgingJob, partition: int) -> int:
    """Judge the pairs without a verdict of an earlier attempt; return the number of verdicts of all attempts."""
    task = f"{job.judge.name}-{partition:05d}-"
    judge = job.judge.for_task(job.tasks, partition)
    journal: Journal | None = None
    if isinstance(judge, Journaled):
        journal = job.folders.open_journal(task)
        judge = judge.recording(journal)
    # Verdicts are read after the journals: a task of a stopped stage may work on for some seconds. It writes verdicts
    # before it drops their answers, so what has left its journal by now is found here.
    written_before = _pairs_written(job.folders.results, task)
    judged_elsewhere = {key for folder in job.folders.killed_calls for key in _sound_pairs(folder, job)}
    judged = written_before | judged_elsewhere
    verdicts = judge.judge(pair for pair in read_pairs(frames) if pair.pair_key not in judged)
    written = len(written_before)
    for batch in batches(verdicts, CHUNK_PAIRS):
        judged_at = datetime.now(UTC).isoformat()
        rows = [{**asdict(verdict), **job.identity, "judged_at": judged_at} for verdict in batch]
        job.folders.write("verdicts", task, rows)
        written += len(batch)
        if journal:
            journal.forget(verdict.pair_key for verdict in batch)
    if journal:
        journal.close()
    return written


def batches(items: Iterator[Item], size: int) -> Iterator[list[Item]]:
    """Yield lists of ``size`` items; shorter ones where items come slowly, so that none waits long."""
    batch: list[Item] = []
    write_at = 0.0
    for item in items:
        write_at = write_at if batch else time.monotonic() + _WRITE_EVERY_S
        batch.append(item)
        if len(batch) >= size or time.monotonic() >= write_at:
            yield batch
            batch = []
    if batch:
        yield batch


def _pairs_written(folder: str, task: str) -> set[str]:
    """Return the keys of the pairs for which earlier attempts of a task have written a verdict or an error."""
    return {row["pair_key"] for row in rows_of(folder, task, ["pair_key"])}


def _sound_pairs(folder: str, job: JudgingJob) -> set[str]:
    """Return the keys of the pairs with a verdict of the same judge in the folder of another call."""
    same = ["judge", "model", "prompt_sha256"]
    rows = rows_of(folder, "", ["pair_key", "status", *same])
    return {
        row["pair_key"]
        for row in rows
        if row["status"] != VerdictStatus.ERROR and all(row[name] == job.identity[name] for name in same)
    }


def rows_of(folder: str, prefix: str, columns: list[str]) -> Iterator[dict[str, Any]]:
    """Read columns of the Parquet files in a folder whose names start with a prefix."""
    import pyarrow.parquet as pq

    for uri in files(folder, prefix):
        yield from pq.read_table(io.BytesIO(storage.read_bytes(uri)), columns=columns).to_pylist()


def files(folder: str, prefix: str = "") -> list[str]:
    """Return the completely written files in a folder whose names start with a prefix."""
    names = storage.list_names(folder)
    return [storage.join(folder, name) for name in names if name.startswith(prefix) and not name.startswith("_")]
