"""A served model is asked for facts in Spark's tasks: answers go into the cache as they come, nothing is asked twice.

The order of steps that keeps this promise is that of ``judge.tasks``: an answer is in a journal before anything
happens to it, and leaves the journal once it stands in the cache.
"""

from __future__ import annotations

import hashlib
import json
import uuid
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from antinomy.facts.by_model import Request, Response, ServedFacts
from antinomy.judge.served.journal import Journal, recover
from antinomy.judge.tasks import batches, files, rows_of
from antinomy.store import schemas, storage, tables

if TYPE_CHECKING:
    import pandas as pd
    from pyspark.sql import DataFrame, SparkSession

#: Answers that are written at a time.
_CHUNK = 32


@dataclass(frozen=True, slots=True)
class Work:
    """Where the tasks of one call write, and under whose name; shipped to the workers.

    Attributes:
        call_id: of this call; stands in every row.
        model: that is asked.
        tasks: their number.
        cache: folder of the cache that is open for this call.
        killed: such folders of the calls that left journals.
        journals: folder of the model's journals.
        left: journals that killed calls left there.
    """

    call_id: str
    model: ServedFacts
    tasks: int
    cache: str
    killed: tuple[str, ...]
    journals: str
    left: tuple[str, ...]

    @property
    def identity(self) -> dict[str, str]:
        """Columns that every row of this call has."""
        return {"model": self.model.model, "call_id": self.call_id}


def open_work(warehouse: str, model: ServedFacts, tasks: int) -> Work:
    """Open the cache for a call; to be done before the cache is read, for what killed calls left."""
    journals = storage.join(warehouse, "cache", "fact_answers", hashlib.sha256(model.model.encode()).hexdigest()[:16])
    left = tuple(files(journals))
    killed = {uri.rpartition("/")[2].partition("-")[0] for uri in left}
    call_id = uuid.uuid4().hex
    return Work(
        call_id=call_id,
        model=model,
        tasks=tasks,
        cache=tables.open_folder(warehouse, "facts", call_id),
        killed=tuple(tables.open_folder(warehouse, "facts", name) for name in sorted(killed)),
        journals=journals,
        left=left,
    )


def cached_answers(spark: SparkSession, warehouse: str, model: ServedFacts) -> DataFrame:
    """Return what the cache holds of a model, errors too; a key may stand twice."""
    from pyspark.sql import functions as F

    return tables.read_cache(spark, warehouse, "facts").where(F.col("model") == model.model)


def ask_all(texts: DataFrame, work: Work) -> None:
    """Ask about texts (columns ``key``, ``text``) in Spark's tasks."""

    def in_task(frames: Iterable[pd.DataFrame]) -> Iterator[pd.DataFrame]:
        import pandas as pd
        from pyspark import TaskContext

        task = TaskContext.get()
        assert task is not None
        index = task.partitionId()
        shown = (Request("extract", text) for frame in frames for text in frame["text"])
        yield pd.DataFrame(
            {"asked": [ask(shown, work, work.model.for_task(work.tasks, index), f"extract-{index:05d}")]}
        )

    # In turn, not by key: where the texts lie by key already, Spark would leave the step out and use one task for few.
    texts.repartition(work.tasks).mapInPandas(in_task, "asked long").collect()


def ask(shown: Iterable[Request], work: Work, model: ServedFacts, task: str) -> int:
    """Ask about what earlier attempts of this task have not; return how much that was.

    Args:
        shown: what to ask about.
        work: of the call.
        model: with this task's share of the budget.
        task: its name, unique within the call.
    """
    own_prefix = f"{work.call_id}-{task}-"
    journal = Journal(
        storage.join(work.journals, f"{own_prefix}{uuid.uuid4().hex}.jsonl"),
        recover([*work.left, *files(work.journals, own_prefix)]),
    )
    # The cache after the journals: an answer leaves its journal only when it stands in the cache.
    known = {row["key"] for row in rows_of(work.cache, f"{task}-", ["key"])}
    for folder in work.killed:
        rows = rows_of(folder, "", ["key", "model", "error"])
        known |= {row["key"] for row in rows if row["model"] == model.model and not row["error"]}
    asked = 0
    for chunk in batches(model.ask((one for one in shown if one.key not in known), journal), _CHUNK):
        made = [_row(taken) | work.identity for taken in chunk]
        data = tables.parquet(made, schemas.cache_schema("facts"))
        storage.write_bytes(storage.join(work.cache, f"{task}-{uuid.uuid4().hex}.parquet"), data)
        journal.forget(taken.shown.key for taken in chunk)
        asked += len(chunk)
    journal.close()
    return asked


def _row(taken: Response) -> dict[str, Any]:
    spent = taken.spent
    return {
        "key": taken.shown.key, "task": taken.shown.task, "answer": json.dumps(taken.answer), "dropped": taken.dropped,
        "calls": spent.calls, "input_tokens": spent.input_tokens, "cached_tokens": spent.cached_tokens,
        "output_tokens": spent.output_tokens, "error": taken.error, "asked_at": datetime.now(UTC).isoformat(),
    }  # fmt: skip


def close_work(spark: SparkSession, warehouse: str, work: Work) -> None:
    """Tidy up when nothing reads the cache any more: journals of killed calls and attempts go, small files become one.

    All answers stand in the cache by then.
    """
    for uri in {*work.left, *files(work.journals, f"{work.call_id}-")}:
        storage.remove(uri)
    tables.compact_cache(spark, warehouse, "facts")
