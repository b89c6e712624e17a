"""Row types and schemas: a column that one of them lacks, or has as another type, shows here."""

from collections.abc import Callable
from types import NoneType
from typing import Any, get_args, get_overloads, get_type_hints

import pytest
from pyspark.sql.types import ArrayType, BooleanType, DataType, DoubleType, IntegerType, LongType, StringType

from antinomy.store import schemas, tables
from antinomy.store.rows import CoverageSubject, FindingRow

PYTHON: dict[DataType, Any] = {
    StringType(): str, IntegerType(): int, LongType(): int, DoubleType(): float, BooleanType(): bool,
    ArrayType(StringType()): list[str],
}  # fmt: skip


def promised(reader: Callable[..., Any]) -> dict[str, Any]:
    """Return table → row type as a reader's signature has it."""
    hints = get_type_hints(reader)
    return {table: get_args(hints["return"])[0] for table in get_args(hints["table"])}


READ = {
    table: row for reader in (*get_overloads(tables.read_rows), tables.read_appended)
    for table, row in promised(reader).items()
}  # fmt: skip


def test_the_readers_of_these_tables_say_what_their_rows_are() -> None:
    assert set(READ) == {"documents", "findings", "coverage", "counterparts", "decisions"}


@pytest.mark.parametrize("table", READ)
def test_a_row_type_has_the_columns_of_its_schema_and_their_types(table: str) -> None:
    assert columns(READ[table]) == {field.name: PYTHON[field.dataType] for field in schemas.schema(table)}


def test_what_a_decision_on_coverage_is_about_has_columns_of_a_finding() -> None:
    assert set(columns(CoverageSubject)) <= set(columns(FindingRow))


def columns(row: type) -> dict[str, Any]:
    """Return column → type; None aside, since Spark lets every column be null."""
    return {name: without_none(kind) for name, kind in get_type_hints(row).items()}


def without_none(kind: Any) -> Any:
    kinds = [one for one in get_args(kind) if one is not NoneType]
    return kinds[0] if NoneType in get_args(kind) else kind
