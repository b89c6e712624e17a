"""The files of a run in which nothing was found: they say so, and have the form of the others."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import Any

import pytest
from openpyxl import load_workbook

from antinomy.report import stage
from antinomy.run.stage import Context, marker_uri
from antinomy.settings import Settings
from antinomy.store import schemas, storage, tables
from report import invented
from runs import whole_marker


def _no_spark() -> Any:
    raise AssertionError("a report needs no Spark")


@pytest.fixture
def out(tmp_path: Path) -> Path:
    """The files of the report of a run without findings."""
    documents = [{"doc_id": row["doc_id"], "path": "x", "regime": row["regime"]} for row in invented.DOCUMENTS]
    settings = Settings.model_validate(
        {"run_id": "r", "warehouse": str(tmp_path / "w"), "out": str(tmp_path / "out"), "documents": documents}
    )
    for name in schemas.TABLES:
        rows = invented.DOCUMENTS if name == "documents" else []
        tables.write_rows(rows, settings.warehouse, name, settings.run_id)
    for name in ("parse", "embed", "link", "judge"):
        chosen = {"documents": documents} if name == "parse" else {name: {}}
        storage.write_json(marker_uri(settings, name), whole_marker(settings=chosen))
    stage.run(Context(settings, _no_spark))
    return tmp_path / "out"


def _head(data: bytes) -> list[str]:
    return next(csv.reader(io.StringIO(data.decode("utf-8-sig"), newline="")))


def test_findings_csv_has_its_head_also_where_nothing_was_found(out: Path) -> None:
    data = (out / "findings.csv").read_bytes()
    assert len(data.decode("utf-8-sig").splitlines()) == 1
    assert _head(data)[:4] == ["rank", "state", "relation", "kind"]
    assert set(_head(data)) == {"left_document", "right_document", *schemas.columns("findings")}
    assert (out / "findings.jsonl").read_bytes() == b""
    assert load_workbook(out / "findings.xlsx").sheetnames
