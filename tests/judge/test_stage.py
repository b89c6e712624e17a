"""The judge stage with judges that need no server: by what a verdict is kept."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from antinomy.judge.stage import STAGE, build_judge, candidates, unjudged
from antinomy.run.stage import Context, execute
from antinomy.store import tables
from judge.candidates import prepare, texts

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

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
