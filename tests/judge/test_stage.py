"""The judge stage with judges that need no server: by what a verdict is kept."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from antinomy.judge.candidates import candidates, distinct_pairs, place_column
from antinomy.judge.fitted.decision import CLASSES
from antinomy.judge.fitted.judge import FittedJudge
from antinomy.judge.fitted.prior import Shares
from antinomy.judge.protocol import place_of
from antinomy.judge.stage import STAGE, build_judge, unjudged
from antinomy.run.stage import Context, execute
from antinomy.store import schemas, tables
from judge.candidates import prepare, texts

if TYPE_CHECKING:
    import pandas as pd
    from pyspark.sql import DataFrame, SparkSession

pytestmark = pytest.mark.spark


def test_what_the_judge_does_not_read_discards_no_verdict(spark: SparkSession, tmp_path: Path) -> None:
    _, settings = prepare(tmp_path, texts(2, 2), "judge.prior=0.01")
    ctx = Context(settings, lambda: spark)
    units = tables.read_rows(settings.warehouse, "units", settings.run_id)

    def left_to_judge(context: str) -> int:
        # The hash of a unit is of its context too.
        rows = [{**unit, "context": context, "unit_sha256": f"{unit['unit_sha256']} {context}"} for unit in units]
        tables.write_rows(rows, settings.warehouse, "units", settings.run_id)
        return unjudged(ctx, candidates(ctx), build_judge(settings.judge)).count()

    assert left_to_judge("") == 4
    assert execute(STAGE, settings, lambda: spark).result.verdicts == 4
    assert left_to_judge("") == 0
    assert left_to_judge("\nthe cited text, which this judge does not read") == 0
    assert left_to_judge("Glossary") == 4


def test_the_pairs_of_a_run_are_put_together_once(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many steps read them: estimating the shares, aligning words, judging, and writing the verdicts."""
    _, settings = prepare(tmp_path, texts(2, 2))
    read_rows = spark.sparkContext.accumulator(0)

    def counted(frames: Iterable[pd.DataFrame]) -> Iterator[pd.DataFrame]:
        for frame in frames:
            read_rows.add(len(frame))
            yield frame

    class Counting(Context):
        def read(self, table: str) -> DataFrame:
            found = super().read(table)
            return found.mapInPandas(counted, found.schema) if table == "similar" else found

    assert STAGE.run(Counting(settings, lambda: spark)).verdicts == 4
    assert read_rows.value == 4


def test_with_other_shares_the_texts_are_not_read_again(spark: SparkSession, tmp_path: Path) -> None:
    held = ("Each visitor shall sign the book.", "Every guest must sign a register on arrival.")
    _, settings = prepare(tmp_path, [held], "judge.prior=0.05")
    execute(STAGE, settings, lambda: spark)
    (row,) = tables.read_rows(settings.warehouse, "verdicts", settings.run_id)
    assert row["relation"] == "overlap"
    # What is kept is changed here, which only a judge that uses it can notice.
    (kept,) = tables.read_cache(spark, settings.warehouse, "verdicts").toPandas().to_dict("records")
    kept["logits"] = [50.0 if name == "none" else -50.0 for name in CLASSES] * 2
    (folder,) = (Path(settings.warehouse) / "cache" / "verdicts").iterdir()
    shutil.rmtree(folder)
    changed = spark.createDataFrame([kept], schemas.cache_schema("verdicts"))
    tables.append_cache(changed, settings.warehouse, "verdicts")
    _, settings = prepare(tmp_path, [held], "judge.prior=0.02", "run_id=s")
    execute(STAGE, settings, lambda: spark)
    (row,) = tables.read_rows(settings.warehouse, "verdicts", settings.run_id)
    assert row["relation"] == "none"


def test_a_verdict_is_used_again_for_the_same_place_alone(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rare = dict.fromkeys(CLASSES, 0.01) | {"none": 0.96}
    frequent = dict.fromkeys(CLASSES, 0.2)
    shares = Shares(rare, rare, rare, 1, (frequent, rare, rare, rare))
    monkeypatch.setattr(FittedJudge, "estimate", lambda judge, probabilities: shares)

    def judged(run_id: str, rank: int) -> dict[str, Any]:
        held = ("Each visitor shall sign the book.", "Every guest must sign a register on arrival.")
        _, settings = prepare(tmp_path, [held], f"run_id={run_id}")
        (similar,) = tables.read_rows(settings.warehouse, "similar", run_id)
        tables.write_rows([similar | {"rank_left": rank, "rank_right": 1}], settings.warehouse, "similar", run_id)
        execute(STAGE, settings, lambda: spark)
        (row,) = tables.read_rows(settings.warehouse, "verdicts", run_id)
        return row

    first, second, third = judged("first", 1), judged("second", 4), judged("third", 10)
    assert (first["reused"], second["reused"], third["reused"]) == (False, False, True)
    assert first["p_related"] > second["p_related"] == third["p_related"]


def test_a_candidate_has_one_place_in_a_table_and_in_a_list(spark: SparkSession) -> None:
    places = {(1, 1): 1, (1, 7): 2, (7, 1): 2, (1, None): 2, (None, 5): 3, (3, 2): 3, (6, 6): 4, (None, None): 4}
    frame = spark.createDataFrame(list(places), "rank_left int, rank_right int")
    assert {(row[0], row[1]): row.place for row in frame.select("*", place_column()).collect()} == places
    assert {ranks: place_of(*ranks) for ranks in places} == places


def test_of_pairs_with_the_same_texts_the_first_by_its_ids_is_judged(spark: SparkSession) -> None:
    rows = [("k", "b#2", "c#1", None), ("k", "b#1", "c#9", 7), ("k", "b#1", "c#3", 9), ("other", "a#1", "c#1", None)]
    for order in (rows, rows[::-1]):
        pairs = spark.createDataFrame(order, "pair_key string, left_id string, right_id string, place int")
        found = {tuple(row) for row in distinct_pairs(pairs.repartition(3)).collect()}
        assert found == {("k", 7, "b#1", "c#3"), ("other", None, "a#1", "c#1")}
