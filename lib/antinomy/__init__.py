"""Antinomy: find the places where two regulations cannot both be obeyed.

What a notebook or another program needs is here; the functions do what the commands do.

    import antinomy

    settings = antinomy.load_settings("antinomy.yaml")
    antinomy.run_stages(settings)
    antinomy.read_table(settings, "findings")
    antinomy.ask_question(settings, "What is the longest retention period?").text
    antinomy.judge_texts("Logs shall be kept for ten years.", "Logs must be deleted after one year.").relation

What can be mended is raised as an ``antinomy.errors.AntinomyError``, which says what, where and what to do.
"""

from __future__ import annotations

# What the functions need is imported within them: `import antinomy` costs nothing.
from typing import TYPE_CHECKING, Any, overload

if TYPE_CHECKING:
    from collections.abc import Sequence
    from contextlib import AbstractContextManager

    import pandas as pd
    from pyspark.sql import DataFrame, SparkSession

    from antinomy.ask.answer import Asker
    from antinomy.ask.model import Answer
    from antinomy.judge.protocol import Verdict
    from antinomy.settings import Settings

__version__ = "0.1.0"

__all__ = ["ask_question", "asking", "judge_texts", "load_settings", "read_table", "run_stages"]


def load_settings(config: str = "antinomy.yaml", overrides: Sequence[str] = (), run_id: str = "") -> Settings:
    """Read a settings file, as ``--config``, ``--set`` and ``--run-id`` do.

    Args:
        config: path or URI of a YAML file.
        overrides: ``a.b=value`` each.
        run_id: replaces the file's, if not empty.

    Raises:
        SettingsError: naming every wrong setting.
    """
    from antinomy import settings

    return settings.load(str(config), list(overrides), run_id)


def run_stages(settings: Settings, *names: str) -> dict[str, Any]:
    """Run stages in one Spark application; what is complete is skipped.

    Args:
        settings: of the run.
        names: of stages, in their order (``parse``, ``embed``, ``link``, ``judge``, ``report``, ``evaluate``; also
            ``facts``, ``ask``); all that the settings plan if none is given.

    Returns:
        The run's manifest, as it is written to ``<out>/manifest.json``.

    Raises:
        AntinomyError: if a stage cannot do its work.
    """
    from antinomy.run import pipeline
    from antinomy.run.summary import planned_stages

    return pipeline.run(settings, names or planned_stages(settings)).as_json()


@overload
def read_table(settings: Settings, table: str, columns: Sequence[str] = ()) -> pd.DataFrame: ...
@overload
def read_table(settings: Settings, table: str, columns: Sequence[str] = (), *, spark: SparkSession) -> DataFrame: ...
def read_table(
    settings: Settings, table: str, columns: Sequence[str] = (), *, spark: SparkSession | None = None
) -> Any:
    """Read a run's table.

    Args:
        settings: of the run.
        table: ``findings``, ``coverage``, ``sections``, …: the names in ``antinomy.store.schemas``.
        columns: those wanted; all if none is given.
        spark: a session, to get a Spark data frame; without one the table is read into a pandas data frame.

    Raises:
        StorageError: if the run has no such table.
    """
    from antinomy.store import tables

    if spark is not None:
        frame = tables.read(spark, settings.warehouse, table, settings.run_id)
        return frame.select(*columns) if columns else frame
    return tables.read_arrow(settings.warehouse, table, settings.run_id, columns).to_pandas()


def judge_texts(left: str, right: str, settings: Settings | None = None) -> Verdict:
    """Judge two provisions of different regimes.

    Args:
        left, right: their texts.
        settings: whose judge is asked; the packaged judge if none are given.

    Returns:
        Its verdict: ``relation``, ``p_conflict``, ``evidence_left`` and ``evidence_right``, ``rationale``; if there is
        none, ``error`` says why.

    Raises:
        AntinomyError: if the judge cannot be had (weights, model or server are not there).
    """
    from antinomy.judge.stage import judge_texts
    from antinomy.settings.judge import JudgeSettings

    return judge_texts(left, right, settings.judge if settings else JudgeSettings())


def ask_question(settings: Settings, question: str) -> Answer:
    """Answer a question about a finished run, see ``docs/ask.md``.

    For several questions use ``asking``, which reads the run's tables once.

    Raises:
        AntinomyError: if the run lacks tables.
    """
    with asking(settings) as asker:
        return asker.ask(question)


def asking(settings: Settings) -> AbstractContextManager[Asker]:
    """Give what answers questions about a finished run: ``with asking(settings) as asker: asker.ask("…")``.

    Raises:
        AntinomyError: if the run lacks tables.
    """
    from antinomy.ask.load import open_asker

    return open_asker(settings)
