"""The judge stage with judges that need no server: by what a verdict is kept."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from antinomy.judge.stage import STAGE, build_judge, candidate_pairs, candidates, unjudged
from antinomy.run.stage import Context, execute
from antinomy.store import schemas, tables
from judge.candidates import prepare, texts

if TYPE_CHECKING:
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


def test_a_pair_leads_by_what_no_other_candidate_of_its_provisions_reaches(spark: SparkSession) -> None:
    regimes = {"a#1": "eu", "a#2": "eu", "b#1": "us", "b#2": "us", "c#1": "uk"}
    units = [
        {"unit_id": unit, "doc_id": unit[0], "regime": regime, "unit_text": unit, "unit_sha256": unit}
        for unit, regime in regimes.items()
    ]
    scores = {("a#1", "b#1"): 9.0, ("a#1", "b#2"): 4.0, ("a#2", "b#1"): 6.0, ("a#1", "c#1"): 1.0}
    similar = [
        {"left_id": left, "right_id": right, "left_unit_id": left, "right_unit_id": right, "score": score}
        for (left, right), score in scores.items()
    ]

    def frame(rows: list[dict[str, Any]], name: str) -> DataFrame:
        columns = schemas.columns(name)
        return spark.createDataFrame([tuple(row.get(c) for c in columns) for row in rows], schemas.schema(name))

    pairs = candidate_pairs(frame(similar, "similar"), frame(units, "units")).collect()
    assert {(row.left_id, row.right_id): row.lead for row in pairs} == {
        ("a#1", "b#1"): (9 - 4) + (9 - 6),
        ("a#1", "b#2"): 4 - 9,  # the only candidate of b#2
        ("a#2", "b#1"): 6 - 9,
        ("a#1", "c#1"): 0,  # of its regime it is the only one
    }
