"""Whose provisions are compared: told for the embed stage and for the link stage."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, get_args

import pandas as pd
import pytest

from antinomy.settings.link import Party
from antinomy.settings.parties import are_compared, party_numbers

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_BINDS = ("firm", "examiner", "authority", "member_state", "commission", "nobody")


@pytest.mark.spark
@pytest.mark.parametrize("parties", [("firm", "definition"), ("authority",), ("nobody", "firm"), get_args(Party)])
def test_the_embed_stage_reads_what_the_link_stage_compares(spark: SparkSession, parties: tuple[Party, ...]) -> None:
    rows = [
        (f"d#{number}", kind, binds) for number, (kind, binds) in enumerate(product(("point", "definition"), _BINDS))
    ]
    frame = pd.DataFrame(rows, columns=["section_id", "type", "binds"])
    compared = set(frame["section_id"][party_numbers(frame, parties) >= 0])
    read = spark.createDataFrame(frame).where(are_compared(parties)).select("section_id").toPandas()
    assert set(read["section_id"]) == compared
    assert compared
