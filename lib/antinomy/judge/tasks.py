"""What the judge stage does in Spark's tasks: pairs in, verdicts into the cache as they come, nothing asked twice."""

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

from antinomy.judge.protocol import Adaptive, Judge, Pair, Provision
from antinomy.judge.served.journal import Journal, Journaled, recover
from antinomy.store import schemas, storage, tables
from antinomy.vocabulary import VerdictStatus

if TYPE_CHECKING:
    import pandas as pd
    from pyspark.sql import DataFrame

Made = TypeVar("Made")

#: Seconds after which verdicts are written, however few there are.
_WRITE_EVERY_S = 5.0


@dataclass(frozen=True, slots=True)
class Work:
    """Where the tasks of one call write, and for which judge; shipped to the workers.

    Attributes:
        call_id: of this judging; stands in every row.
        judge: gives the verdicts, which are kept under its name.
        tasks: their number.
        chunk_pairs: verdicts that are written at a time.
        verdicts: folder of the cache that is open for this call.
        killed: the same folders of the calls that left journals.
        journals: folder of the judge's journals.
        left: journals that killed calls left there.
    """

    call_id: str
    judge: Judge
    tasks: int
    chunk_pairs: int
    verdicts: str
    killed: tuple[str, ...]
    journals: str
    left: tuple[str, ...]

    @property
    def identity(self) -> dict[str, str]:
        """Columns that every row of this call has."""
        judge = self.judge
        return {
            "judge": judge.name, "model": judge.model, "prompt_sha256": judge.prompt_sha256, "call_id": self.call_id,
        }  # fmt: skip


def journals_left(warehouse: str, judge: Judge) -> tuple[str, ...]:
    """Return the journals left by calls of a judge that were killed, or whose tasks are about to end.

    Call this before reading the cache of verdicts: what is in neither is then in flight, see ``judge_partition``.
    """
    return tuple(files(_journals(warehouse, judge)))


def _journals(warehouse: str, judge: Judge) -> str:
    identity = hashlib.sha256("\n".join([judge.name, judge.model, judge.prompt_sha256]).encode()).hexdigest()[:16]
    return storage.join(warehouse, "cache", "answers", identity)


def judge_pairs(
    todo: DataFrame, judge: Judge, warehouse: str, call_id: str, chunk_pairs: int, left: tuple[str, ...] = ()
) -> int:
    """Judge pairs (see ``stage.candidate_pairs``) in Spark tasks, which put the verdicts into the cache.

    Args:
        todo: the pairs.
        judge: who judges.
        warehouse: its URI.
        call_id: of this judging.
        chunk_pairs: verdicts that are written at a time.
        left: see ``journals_left``.

    Returns:
        The number of verdicts written.
    """
    journals = _journals(warehouse, judge)
    tasks = todo.sparkSession.sparkContext.defaultParallelism
    # A journal's name begins with its call's.
    killed = {uri.rpartition("/")[2].partition("-")[0] for uri in left}
    work = Work(
        call_id=call_id,
        judge=judge,
        tasks=tasks,
        chunk_pairs=chunk_pairs,
        verdicts=tables.open_folder(warehouse, "verdicts", call_id),
        killed=tuple(tables.open_folder(warehouse, "verdicts", name) for name in sorted(killed)),
        journals=journals,
        left=left,
    )

    def in_task(frames: Iterable[pd.DataFrame]) -> Iterator[pd.DataFrame]:
        import pandas as pd
        from pyspark import TaskContext

        task = TaskContext.get()
        assert task is not None
        yield pd.DataFrame({"written": [judge_partition(frames, work, task.partitionId())]})

    counts = in_order(todo, tasks).mapInPandas(in_task, "written long").collect()
    # All verdicts are written: neither what killed calls left nor what a killed attempt of a task left is needed.
    for uri in {*work.left, *files(journals, f"{call_id}-")}:
        storage.remove(uri)
    return sum(row.written for row in counts)


def chances_of(pairs: DataFrame, judge: Adaptive) -> list[dict[str, float]]:
    """Return the chances from which an adaptive judge estimates the shares, in the order of the pairs' keys."""

    def in_task(frames: Iterable[pd.DataFrame]) -> Iterator[pd.DataFrame]:
        import pandas as pd

        found = [{"chances": json.dumps(row)} for row in judge.chances(read_pairs(frames))]
        yield pd.DataFrame(found, columns=["chances"])

    tasks = pairs.sparkSession.sparkContext.defaultParallelism
    rows = pairs.repartition(tasks, "pair_key").mapInPandas(in_task, "chances string").collect()
    # What the estimate is drawn from must not depend on the number of tasks.
    return [json.loads(text) for text in sorted(row["chances"] for row in rows)]


def in_order(todo: DataFrame, tasks: int) -> DataFrame:
    """Put pairs with the same left side together: a server then has the start of their prompts cached."""
    return todo.repartition(tasks, "left_unit_id").sortWithinPartitions("left_unit_id", "right_unit_id")


def read_pairs(frames: Iterable[pd.DataFrame]) -> Iterator[Pair]:
    """Make pairs of the rows of ``stage.candidate_pairs``."""
    for frame in frames:
        for row in frame.itertuples():
            place: Any = getattr(row, "place", None)
            ranked = place is not None and place == place  # pandas has NaN for a missing number
            yield Pair(
                str(row.pair_key), _provision(row, "left"), _provision(row, "right"), int(place) if ranked else None
            )


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


def judge_partition(frames: Iterable[pd.DataFrame], work: Work, partition: int) -> int:
    """Judge the pairs that earlier attempts of this task left; return the number of verdicts of all attempts."""
    task = f"{work.judge.name}-{partition:05d}-"
    judge = work.judge.for_task(work.tasks, partition)
    journal: Journal | None = None
    if isinstance(judge, Journaled):
        mine = f"{work.call_id}-{task}"
        journal = Journal(
            storage.join(work.journals, f"{mine}{uuid.uuid4().hex}.jsonl"),
            recover([*work.left, *files(work.journals, mine)]),
        )
        judge = judge.recording(journal)
    # Verdicts after journals: a task of a stage that was stopped may work on for seconds, and it writes its verdicts
    # before it drops their answers. What is no longer in its journal is found here.
    done = _pairs_written(work.verdicts, task)
    elsewhere = {key for folder in work.killed for key in _sound_pairs(folder, work)}
    known = done | elsewhere
    verdicts = judge.judge(pair for pair in read_pairs(frames) if pair.pair_key not in known)
    written = len(done)
    for chunk in chunks(verdicts, work.chunk_pairs):
        now = datetime.now(UTC).isoformat()
        rows = [{**asdict(verdict), **work.identity, "judged_at": now} for verdict in chunk]
        data = tables.parquet(rows, schemas.cache_schema("verdicts"))
        storage.write_bytes(storage.join(work.verdicts, f"{task}{uuid.uuid4().hex}.parquet"), data)
        written += len(chunk)
        if journal:
            journal.forget(verdict.pair_key for verdict in chunk)
    if journal:
        journal.close()
    return written


def chunks(made: Iterator[Made], size: int) -> Iterator[list[Made]]:
    """Gather verdicts into lists of a size; those that come slowly into shorter ones, so that they are soon written."""
    chunk: list[Made] = []
    due = 0.0
    for one in made:
        due = due if chunk else time.monotonic() + _WRITE_EVERY_S
        chunk.append(one)
        if len(chunk) >= size or time.monotonic() >= due:
            yield chunk
            chunk = []
    if chunk:
        yield chunk


def _pairs_written(folder: str, task: str) -> set[str]:
    """Return the pairs that earlier attempts of a task have a row for, errors too."""
    return {row["pair_key"] for row in rows_of(folder, task, ["pair_key"])}


def _sound_pairs(folder: str, work: Work) -> set[str]:
    """Return the pairs on which this judge's verdict lies in another call's folder."""
    same = ["judge", "model", "prompt_sha256"]
    rows = rows_of(folder, "", ["pair_key", "status", *same])
    return {
        row["pair_key"]
        for row in rows
        if row["status"] != VerdictStatus.ERROR and all(row[name] == work.identity[name] for name in same)
    }


def rows_of(folder: str, prefix: str, columns: list[str]) -> Iterator[dict[str, Any]]:
    """Read columns of the Parquet files in a folder whose names start with a prefix."""
    import pyarrow.parquet as pq

    for uri in files(folder, prefix):
        yield from pq.read_table(io.BytesIO(storage.read_bytes(uri)), columns=columns).to_pylist()


def files(folder: str, prefix: str = "") -> list[str]:
    """List the files in a folder that were written to their end."""
    names = storage.list_names(folder)
    return [storage.join(folder, name) for name in names if name.startswith(prefix) and not name.startswith("_")]
