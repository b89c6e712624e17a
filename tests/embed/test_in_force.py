"""``as_of``: what was not in force on that day is neither compared nor quoted as context."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd
import pytest

from antinomy.embed.in_force import in_force
from antinomy.errors import DocumentError
from antinomy.run.stage import Context
from antinomy.settings import Settings
from antinomy.store import schemas

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = pytest.mark.spark

#: doc_id → regime, in force from, to
DOCUMENTS = {
    "old": ("eu", "2010-01-01", "2024-12-31"),
    "new": ("eu", "2025-01-17", ""),
    "book": ("us", "", ""),
    "later": ("us", "2026-06-01", ""),
}


@pytest.fixture(scope="module")
def warehouse(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four documents of one section each; every one cites all others."""
    folder = tmp_path_factory.mktemp("in-force")
    context = make(folder, spark, None)
    rows: dict[str, list[dict[str, Any]]] = {
        "documents": [
            {"doc_id": name, "regime": regime, "status": "parsed", "in_force_from": start, "in_force_to": end}
            for name, (regime, start, end) in DOCUMENTS.items()
        ],
        "sections": [{"section_id": f"{name}#art_1", "doc_id": name, "eid": "art_1"} for name in DOCUMENTS],
        "citations": [
            {"citation_id": f"{a}-{b}", "src_section_id": f"{a}#art_1", "target_section_id": f"{b}#art_1"}
            for a in DOCUMENTS
            for b in DOCUMENTS
            if a != b
        ],
    }
    for table, records in rows.items():
        frame = pd.DataFrame(records).reindex(columns=schemas.columns(table)).astype(object)
        context.write(spark.createDataFrame(frame.where(frame.notna(), None), schemas.schema(table)), table)
    return folder


def make(folder: Path, spark: SparkSession, as_of: date | None) -> Context:
    settings = Settings.model_validate(
        {"run_id": "r", "warehouse": str(folder), "out": str(folder / "out"), "as_of": as_of,
         "documents": [{"doc_id": "old", "path": "x", "regime": "eu"}]}
    )  # fmt: skip
    return Context(settings, lambda: spark)


@pytest.mark.parametrize(
    ("day", "kept"),
    [
        (None, {"old", "new", "book", "later"}),
        (date(2024, 12, 31), {"old", "book"}),
        (date(2025, 1, 17), {"new", "book"}),
        (date(2026, 6, 1), {"new", "book", "later"}),
    ],
)
def test_only_what_was_in_force(spark: SparkSession, warehouse: Path, day: date | None, kept: set[str]) -> None:
    context = make(warehouse, spark, day)
    found = in_force(context)
    assert {row.doc_id for row in found.documents.collect()} == kept
    assert {row.doc_id for row in found.sections.collect()} == kept
    if day is not None:
        # No edge leads to a text of another time.
        assert {row.target_section_id for row in found.citations.collect()} <= {f"{name}#art_1" for name in kept}
        assert found.undated == ("book",)
        assert found.left_out == tuple(sorted(DOCUMENTS.keys() - kept))


def test_a_day_on_which_a_regime_had_nothing(spark: SparkSession, warehouse: Path) -> None:
    with pytest.raises(DocumentError, match=r"regime eu.*2009-12-31.*old: 2010-01-01 to 2024-12-31.*change as_of"):
        in_force(make(warehouse, spark, date(2009, 12, 31)))
