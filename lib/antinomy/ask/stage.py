"""The batch form of ``antinomy ask``: a file of questions, answered in Spark's tasks; table ``answers``."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from antinomy.ask.model import Answer
from antinomy.ask.result import AskResult
from antinomy.errors import SettingsError
from antinomy.run.preflight import require_files
from antinomy.run.stage import Context, Stage
from antinomy.store import records, schemas, storage, tables

if TYPE_CHECKING:
    import pandas as pd

    from antinomy.settings import Settings

#: Questions per task at least: each task opens the run's tables once.
_LEAST_PER_TASK = 50


def run(ctx: Context) -> AskResult:
    """Write ``answers``, one row per question.

    Raises:
        SettingsError: if an id occurs twice.
    """
    settings = ctx.settings
    asked = records.read(settings.ask.questions, ("id", "question"))
    repeated = [name for name, n in Counter(record["id"] for record in asked).items() if n > 1]
    if repeated:
        raise SettingsError(f"{settings.ask.questions}: id {repeated[0]} occurs twice; give each question its own")
    pairs = [(record["id"], record["question"]) for record in asked]
    tasks = max(1, min(ctx.spark.sparkContext.defaultParallelism, len(pairs) // _LEAST_PER_TASK))
    # By number, so that each task has as many.
    frame = ctx.spark.createDataFrame([(n, *pair) for n, pair in enumerate(pairs)], "n int, id string, question string")
    frame = frame.repartitionByRange(tasks, "n")

    def in_task(frames: Iterable[pd.DataFrame]) -> Iterator[pd.DataFrame]:
        import pandas as pd
        from pyspark import TaskContext

        from antinomy.ask.load import open_asker

        task = TaskContext.get()
        with open_asker(settings, tasks, task.partitionId() if task else 0) as asker:
            for chunk in frames:
                pairs = zip(chunk["id"], chunk["question"], strict=True)
                rows = [row_of(name, asker.ask(question)) for name, question in pairs]
                yield pd.DataFrame(rows, columns=schemas.columns("answers"))

    written = ctx.write(frame.mapInPandas(in_task, schemas.schema("answers")), "answers")
    made = tables.read_rows(settings.warehouse, "answers", settings.run_id, ("status", "route", "unverified", "error"))
    return AskResult(
        answers=written,
        by_status=Counter(row["status"] for row in made),
        by_route=Counter(row["route"] for row in made),
        unverified=sum(row["unverified"] for row in made),
    )


def row_of(question_id: str, answer: Answer) -> dict[str, Any]:
    """Return an answer as a row of ``answers``."""
    held = answer.model_dump()
    encoded = {name: json.dumps(held[name], ensure_ascii=False) for name in ("query", "value", "quotes", "rows")}
    plain = {name: held[name] for name in held if name in schemas.columns("answers")}
    return {**plain, **encoded, "question_id": question_id, "answer": answer.text}


def _inputs(settings: Settings) -> str:
    """Return what the answers depend on besides the run's tables; all of it may change while the run's name stays."""
    if not settings.ask.questions:
        return ""
    served = settings.judge.openai.model if settings.judge.backend == "openai" else ""
    parts = [storage.sha256(settings.ask.questions), str(settings.as_of or ""), str(settings.ask.budget_tokens), served]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def _check(settings: Settings) -> None:
    if not settings.ask.questions:
        raise SettingsError("ask.questions is not set: name a file by --questions, JSON lines with id and question")
    require_files({"ask.questions": settings.ask.questions})


STAGE = Stage("ask", settings_used=lambda settings: {}, upstream=("report",), run=run, inputs=_inputs, check=_check)
