"""Tables in Parquet: the only module that reads and writes them.

A run's part of a table is ``<warehouse>/<table>/run_id=<run_id>/``. It is written beside its place and renamed, so
a reader sees all of it or nothing.
"""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING

from antinomy import schemas, storage
from antinomy.errors import StorageError

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


def location(warehouse: str, table: str, run_id: str) -> str:
    """Return where a run's part of a table lies."""
    return storage.join(warehouse, table, f"run_id={run_id}")


def write(df: DataFrame, warehouse: str, table: str, run_id: str) -> int:
    """Replace a run's part of a table.

    Args:
        df: rows with at least the table's columns; others are left out, the order does not matter.
        warehouse: URI of the warehouse.
        table: one of ``schemas.TABLES``.
        run_id: of the run that owns the rows.

    Returns:
        The number of rows written.

    Raises:
        StorageError: if columns are missing or the place cannot be written.
    """
    from pyspark.sql import functions as F

    wanted = schemas.schema(table)
    _require_columns(df, table, f"the rows for {table}")
    cast = df.select([F.col(field.name).cast(field.dataType).alias(field.name) for field in wanted.fields])
    staging = storage.join(warehouse, table, f"_staging-{run_id}-{uuid.uuid4().hex[:8]}")
    try:
        cast.write.mode("error").parquet(staging)
        rows = cast.sparkSession.read.schema(wanted).parquet(staging).count()
        target = location(warehouse, table, run_id)
        storage.remove(target)
        storage.move(staging, target)
    finally:
        storage.remove(staging)
    return rows


def read(spark: SparkSession, warehouse: str, table: str, run_id: str) -> DataFrame:
    """Read a run's part of a table.

    Raises:
        StorageError: if the run has no such table, or columns are missing in it.
    """
    path = location(warehouse, table, run_id)
    if not storage.exists(path):
        raise StorageError(f"run {run_id} has no table {table} in {warehouse}: run the stage that makes it first")
    df = spark.read.parquet(path)
    _require_columns(df, table, path)
    return df.select(schemas.columns(table))


def has(warehouse: str, table: str, run_id: str) -> bool:
    """Tell whether a run has a table."""
    return storage.exists(location(warehouse, table, run_id))


def _require_columns(df: DataFrame, table: str, where: str) -> None:
    missing = [name for name in schemas.columns(table) if name not in df.columns]
    if missing:
        raise StorageError(
            f"{where} lacks columns of table {table}: {', '.join(missing)}; "
            "was it written by another version of antinomy? Run the stage that makes it again"
        )
