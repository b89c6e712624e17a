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
from antinomy.judge.tasks import CallFolders, batches, files, rows_of
from antinomy.store import storage, tables

if TYPE_CHECKING:
    import pandas as pd
    from pyspark.sql import DataFrame, SparkSession

#: Answers that are written at a time.
_CHUNK = 32


@dataclass(frozen=True, slots=True)
class Work:
    """One call of the served model, shipped to the workers.

    Attributes:
        folders: where the tasks write.
        model: that is asked.
        tasks: number of tasks.
    """

    folders: CallFolders
    model: ServedFacts
    tasks: int

    @property
    def call_id(self) -> str:
        """Id of this call, written into every row."""
        return self.folders.call_id

    @property
    def identity(self) -> dict[str, str]:
        """Columns with the same values in every row of this call."""
        return {"model": self.model.model, "call_id": self.call_id}


def open_work(warehouse: str, model: ServedFacts, tasks: int) -> Work:
    """Open the cache for a call; to be done before the cache is read, for what killed calls left."""
    journals = storage.join(warehouse, "cache", "fact_answers", hashlib.sha256(model.model.encode()).hexdigest()[:16])
    folders = CallFolders.open(warehouse, "facts", uuid.uuid4().hex, journals, tuple(files(journals)))
    return Work(folders, model, tasks)


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
    journal = work.folders.open_journal(f"{task}-")
    # The cache after the journals: an answer leaves its journal only when it stands in the cache.
    known = {row["key"] for row in rows_of(work.folders.results, f"{task}-", ["key"])}
    for folder in work.folders.killed_calls:
        rows = rows_of(folder, "", ["key", "model", "error"])
        known |= {row["key"] for row in rows if row["model"] == model.model and not row["error"]}
    asked = 0
    for chunk in batches(model.ask((one for one in shown if one.key not in known), journal), _CHUNK):
        made = [_row(taken) | work.identity for taken in chunk]
        work.folders.write("facts", f"{task}-", made)
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
    work.folders.remove_journals()
    tables.compact_cache(spark, warehouse, "facts")
