"""The tables that ``notebooks/explore.ipynb`` shows, without the notebook."""

from __future__ import annotations

from pathlib import Path

from antinomy.review.explore import Run
from antinomy.store import schemas
from report import invented
from review import reviewed_run


def test_a_table_has_its_columns_also_where_nothing_was_found(tmp_path: Path) -> None:
    run = Run(reviewed_run.write(tmp_path / "w", []), reviewed_run.RUN_ID)
    findings = run.table("findings")
    assert len(findings) == 0
    assert list(findings.columns)[: len(schemas.columns("findings"))] == schemas.columns("findings")
    assert findings.loc[findings["relation"] == "conflict"].empty


def test_the_rows_of_a_table_are_those_of_the_run(tmp_path: Path) -> None:
    run = Run(reviewed_run.write(tmp_path / "w"), reviewed_run.RUN_ID)
    assert run.table("findings")["finding_id"].to_list() == [row["finding_id"] for row in invented.findings()]
