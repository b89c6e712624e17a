"""``coverage`` and ``counterparts`` as CSV and Parquet, for analysis: every column, with the documents' titles."""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from antinomy.report.cells import csv_bytes
from antinomy.report.crosswalk import Crosswalk
from antinomy.store import schemas, tables


def files(crosswalk: Crosswalk) -> Iterator[tuple[str, bytes]]:
    """Yield the names and contents of the files.

    ``document`` and ``counterpart_document`` are titles. Rows of ``counterparts`` name the provision that they belong
    to as well: ``document``, ``label``.
    """
    provisions = crosswalk.provisions
    coverage: list[dict[str, Any]] = [
        {"document": crosswalk.title(row["doc_id"])} | dict(row) for row in crosswalk.coverage
    ]
    counterparts: list[dict[str, Any]] = []
    for row in crosswalk.counterparts:
        here = provisions[row["section_id"], row["other"]]
        named = {
            "document": crosswalk.title(here["doc_id"]),
            "label": here["label"],
            "counterpart_document": crosswalk.title(row["counterpart_doc"]),
        }
        counterparts.append(named | dict(row))
    for name, rows, added in (
        ("coverage", coverage, ("document",)),
        ("counterparts", counterparts, ("document", "label", "counterpart_document")),
    ):
        yield f"{name}.csv", csv_bytes(rows, [*added, *schemas.columns(name)])
        yield f"{name}.parquet", _parquet(name, rows)


def _parquet(name: str, rows: Sequence[Mapping[str, Any]]) -> bytes:
    """Write the table with the types of its schema; what is added to it is text."""
    table = pq.read_table(io.BytesIO(tables.parquet(rows, schemas.schema(name))))
    added = [column for column in (rows[0] if rows else ()) if column not in table.column_names]
    for index, column in enumerate(added):
        table = table.add_column(index, column, pa.array([row[column] for row in rows], pa.string()))
    out = io.BytesIO()
    pq.write_table(table, out)
    return out.getvalue()
