"""Coverage and counterparts as files for analysis, and the crosswalk as CSV."""

from __future__ import annotations

import csv
import io
from typing import Any

import pyarrow.parquet as pq

from antinomy.report.crosswalk import Crosswalk, crosswalk_csv
from antinomy.report.exports import tables
from antinomy.store import schemas
from report import invented
from report.exports import corresponding


def _read(data: bytes) -> list[dict[str, Any]]:
    return list(csv.DictReader(io.StringIO(data.decode("utf-8-sig"), newline="")))


def test_csv_and_parquet_hold_every_column_and_the_documents_titles() -> None:
    files = dict(tables.files(corresponding.crosswalk()))
    for name in ("coverage", "counterparts"):
        read = _read(files[f"{name}.csv"])
        table = pq.read_table(io.BytesIO(files[f"{name}.parquet"]))
        assert set(read[0]) == set(table.column_names) > set(schemas.columns(name))
        assert len(read) == len(table) == len(corresponding.rows()[name == "counterparts"])
    coverage = pq.read_table(io.BytesIO(files["coverage.parquet"])).to_pylist()
    assert [{name: row[name] for name in schemas.columns("coverage")} for row in coverage] == corresponding.rows()[0]
    first = _read(files["counterparts.csv"])[0]
    assert (first["document"], first["label"]) == ("Specimen Regulation on Technology Risk", "Article 17(1)")
    assert first["counterpart_document"] == "Examination Manual: Business Continuity"


def test_a_run_without_coverage_has_empty_files() -> None:
    files = dict(tables.files(Crosswalk((), (), invented.DOCUMENTS)))
    table = pq.read_table(io.BytesIO(files["coverage.parquet"]))
    assert (len(table), table.column_names) == (0, schemas.columns("coverage"))
    full = dict(tables.files(corresponding.crosswalk()))
    empty, whole = (one["coverage.csv"].decode("utf-8-sig").splitlines() for one in (files, full))
    assert (len(empty), empty[0]) == (1, whole[0]), "the head is that of a run with rows"
    heads = files["counterparts.csv"].decode("utf-8-sig").splitlines()
    assert len(heads) == 1
    assert set(schemas.columns("counterparts")) < set(heads[0].split(","))


def test_the_crosswalk_has_every_related_pair_from_both_sides_and_every_gap() -> None:
    rows = _read(crosswalk_csv(corresponding.crosswalk()))
    seen = {(row["Focal Document Element"], row["Reference Document Element"]): row["Relationship"] for row in rows}
    assert len(seen) == len(rows)
    assert seen == {
        ("Article 17(1)", "III.A, paragraph 2"): "intersects with",
        ("Article 17(1)", "III.A, paragraph 4"): "intersects with",
        ("Article 24(2)", "V.B, paragraph 1"): "subset of",
        ("Article 11(4)", "IV.A, paragraph 3"): "intersects with",
        ("Article 13(6)", ""): "no relationship",
        ("III.A, paragraph 2", "Article 17(1)"): "intersects with",
        ("III.A, paragraph 4", "Article 17(1)"): "intersects with",
        ("V.B, paragraph 1", "Article 24(2)"): "superset of",
        ("IV.A, paragraph 3", "Article 11(4)"): "intersects with",
        ("IX", ""): "no relationship",
    }
    conflict = rows[[row["Reference Document Element"] for row in rows].index("III.A, paragraph 2")]
    assert conflict["Comments"].startswith("conflict, deadline; probability of the same duty 93%. Both speak of")
    assert conflict["Reference Document"] == "Examination Manual: Business Continuity"
    stricter = rows[[row["Reference Document Element"] for row in rows].index("V.B, paragraph 1")]
    assert "the reference document governs" in stricter["Comments"]
    lease = rows[[row["Focal Document Element"] for row in rows].index("IX")]
    assert lease["Focal Document Element Description"].startswith("'=HYPERLINK"), "no formula"


def test_a_pair_that_only_one_side_lists_is_in_the_crosswalk_once() -> None:
    coverage, counterparts = corresponding.rows()
    listed = [row for row in counterparts if row["section_id"] != invented.TEST_US.id]
    crosswalk = Crosswalk(coverage, listed, invented.DOCUMENTS)
    for sides in (("eu", "us"), ("us", "eu")):
        assert len(crosswalk.related(*sides)) == len(corresponding.RELATED)
