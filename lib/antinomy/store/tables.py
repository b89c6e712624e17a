"""Tables in Parquet: the only module that reads and writes them.

A run's part of a table is ``<warehouse>/<table>/run_id=<run_id>/``. It is written beside its place and renamed, so
a reader sees all of it or nothing.
"""

from __future__ import annotations

import uuid
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Literal, overload

from antinomy.errors import StorageError
from antinomy.store import schemas, storage
from antinomy.store.rows import CounterpartRow, CoverageRow, DecisionRow, DocumentRow, FindingRow

if TYPE_CHECKING:
    import pyarrow as pa
    from pyarrow.dataset import Dataset
    from pyspark.sql import DataFrame, SparkSession
    from pyspark.sql.types import StructType


#: Files of tables that rows are added to start with this.
_APPENDED = "part-"
#: Rows of a batch: with vectors, some 20 MB.
_BATCH_ROWS = 4096
#: Number of small files of a cache that become one.
_MERGED = 1000
#: Begins the name of a folder that is being written; the run's id and a dash follow.
STAGING = "_staging-"


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
    _require_columns(df.columns, table, f"the rows for {table}")
    cast = df.select([F.col(field.name).cast(field.dataType).alias(field.name) for field in wanted.fields])
    with _replacing(warehouse, table, run_id) as staging:
        cast.write.mode("error").parquet(staging)
        return _count_rows(staging)


def _count_rows(folder: str) -> int:
    """Return how many rows lie in a folder that Spark has written: the files' footers say so."""
    import pyarrow.dataset as ds

    fs, path = storage.filesystem(folder)
    rows: int = ds.dataset(path, filesystem=fs, format="parquet").count_rows()
    return rows


def read(spark: SparkSession, warehouse: str, table: str, run_id: str) -> DataFrame:
    """Read a run's part of a table.

    Raises:
        StorageError: if the run has no such table, or columns are missing in it.
    """
    path = location(warehouse, table, run_id)
    _require_columns(dataset(warehouse, table, run_id).schema.names, table, path)
    # Told the schema, Spark need not ask the files for it, which is a job of its own.
    return spark.read.schema(schemas.schema(table)).parquet(path)


def has(warehouse: str, table: str, run_id: str) -> bool:
    """Return whether a run has a table."""
    return storage.exists(location(warehouse, table, run_id))


def _require_columns(there: list[str], table: str, where: str) -> None:
    missing = [name for name in schemas.columns(table) if name not in there]
    if missing:
        raise StorageError(
            f"{where} lacks columns of table {table}: {', '.join(missing)}; "
            "was it written by another version of antinomy? Run the stage that makes it again"
        )


def append_rows(rows: Sequence[Mapping[str, object]], warehouse: str, table: str) -> None:
    """Add rows to a small table that is kept across runs, in a file of their own: nothing is ever changed in it.

    Raises:
        StorageError: if the warehouse cannot be written.
    """
    target = storage.join(warehouse, table, f"{_APPENDED}{uuid.uuid4().hex}.parquet")
    storage.write_bytes(target, parquet(rows, schemas.schema(table)))


def appended_files(warehouse: str, table: str) -> list[str]:
    """Return the names of the files that ``append_rows`` made; they tell whether anything was added."""
    names = storage.list_names(storage.join(warehouse, table))
    return [name for name in names if name.startswith(_APPENDED)]


def read_appended(warehouse: str, table: Literal["decisions"]) -> list[DecisionRow]:
    """Read what ``append_rows`` added, without Spark; in no order, nothing where nothing was added."""
    names = appended_files(warehouse, table)
    rows: list[DecisionRow] = []
    for name in names:
        rows += _read_parquet(storage.join(warehouse, table, name), table).to_pylist()
    return rows


def read_arrow(warehouse: str, table: str, run_id: str, columns: Sequence[str] = ()) -> pa.Table:
    """Read a run's part of a table into Arrow's memory, without Spark.

    Args:
        warehouse, table, run_id: which.
        columns: those wanted; all of the table if empty.

    Raises:
        StorageError: if the run has no such table, it is damaged, or columns are missing in it.
    """
    path = location(warehouse, table, run_id)
    if not storage.exists(path):
        raise StorageError(f"run {run_id} has no table {table} in {warehouse}: run the stage that makes it first")
    return _read_parquet(path, table, columns)


# The last form takes the tables of the others too, as plain dictionaries: so they are at run time.
@overload
def read_rows(  # type: ignore[overload-overlap]
    warehouse: str, table: Literal["documents"], run_id: str
) -> list[DocumentRow]: ...
@overload
def read_rows(  # type: ignore[overload-overlap]
    warehouse: str, table: Literal["findings"], run_id: str
) -> list[FindingRow]: ...
@overload
def read_rows(  # type: ignore[overload-overlap]
    warehouse: str, table: Literal["coverage"], run_id: str
) -> list[CoverageRow]: ...
@overload
def read_rows(  # type: ignore[overload-overlap]
    warehouse: str, table: Literal["counterparts"], run_id: str
) -> list[CounterpartRow]: ...
@overload
def read_rows(warehouse: str, table: str, run_id: str, columns: Sequence[str] = ()) -> list[dict[str, Any]]: ...
def read_rows(warehouse: str, table: str, run_id: str, columns: Sequence[str] = ()) -> list[Any]:
    """Read a run's part of a table that fits into memory, as dictionaries; the rest as ``read_arrow``."""
    rows: list[Any] = read_arrow(warehouse, table, run_id, columns).to_pylist()
    return rows


def rows_where(table: pa.Table, column: str, wanted: Collection[str]) -> pa.Table:
    """Return the rows whose column has one of these values."""
    import pyarrow as pa
    import pyarrow.compute as pc

    return table.filter(pc.is_in(table[column], value_set=pa.array(sorted(wanted), pa.string())))


def read_batches(warehouse: str, table: str, run_id: str, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
    """Yield columns of a run's part of a table in batches, without Spark; for a table that memory cannot hold.

    Raises:
        StorageError: as ``read_arrow``.
    """
    import pyarrow.parquet as pq

    found = dataset(warehouse, table, run_id)
    for path in found.files:
        with (
            _readable(path),
            pq.ParquetFile(path, filesystem=found.filesystem, page_checksum_verification=True) as file,
        ):
            _require_columns(file.schema_arrow.names, table, path)
            yield from file.iter_batches(_BATCH_ROWS, columns=list(columns))


def _read_parquet(uri: str, table: str, columns: Sequence[str] = ()) -> pa.Table:
    import pyarrow.parquet as pq

    fs, path = storage.filesystem(uri)
    with _readable(uri):
        # The folder's name (run_id=…) is no column.
        found = pq.ParquetDataset(path, filesystem=fs, partitioning=None, page_checksum_verification=True)
        _require_columns(found.schema.names, table, uri)
        return found.read(columns=list(columns or schemas.columns(table)))


@contextmanager
def _readable(uri: str) -> Iterator[None]:
    """Say what to do about a damaged file."""
    import pyarrow as pa

    try:
        yield
    except (OSError, ValueError, pa.ArrowException) as error:
        raise StorageError(
            f"{uri} cannot be read ({' '.join(str(error).split())}): `antinomy verify --rebuild` puts damaged files "
            "aside, then the same command makes again what was in them"
        ) from error


def dataset(warehouse: str, table: str, run_id: str) -> Dataset:
    """Return a run's part of a table as an Arrow dataset: to count rows or read a few columns without Spark.

    Raises:
        StorageError: if the run has no such table.
    """
    import pyarrow.dataset as ds

    uri = location(warehouse, table, run_id)
    if not storage.exists(uri):
        raise StorageError(f"run {run_id} has no table {table} in {warehouse}: run the stage that makes it first")
    fs, path = storage.filesystem(uri)
    return ds.dataset(path, filesystem=fs, format="parquet")


def write_rows(rows: Sequence[Mapping[str, object]], warehouse: str, table: str, run_id: str) -> None:
    """Replace a run's part of a table by rows that are in memory, without Spark.

    Raises:
        StorageError: if the place cannot be written.
    """
    with _replacing(warehouse, table, run_id) as staging:
        storage.write_bytes(storage.join(staging, "part-00000.parquet"), parquet(rows, schemas.schema(table)))


@contextmanager
def _replacing(warehouse: str, table: str, run_id: str) -> Iterator[str]:
    """Yield a staging folder that then replaces a run's part of a table."""
    staging = storage.join(warehouse, table, f"{STAGING}{run_id}-{uuid.uuid4().hex[:8]}")
    try:
        yield staging
        target = location(warehouse, table, run_id)
        storage.remove(target)
        storage.move(staging, target)
    finally:
        storage.remove(staging)


def parquet(rows: Sequence[Mapping[str, object]], schema: StructType) -> bytes:
    """Return rows as the bytes of one Parquet file."""
    import pyarrow as pa
    import pyarrow.parquet as pq
    from pyspark.sql.pandas.types import to_arrow_schema

    sink = pa.BufferOutputStream()
    pq.write_table(pa.Table.from_pylist(list(rows), schema=to_arrow_schema(schema)), sink, write_page_checksum=True)
    data: bytes = sink.getvalue().to_pybytes()
    return data


def append_cache(df: DataFrame, warehouse: str, table: str) -> int:
    """Add rows to a cache: a table kept across runs, keyed by content.

    Every call writes a folder of its own, so runs that share a warehouse never meet.

    Returns:
        The number of rows added.
    """
    wanted = schemas.cache_schema(table)
    name = uuid.uuid4().hex
    staging = storage.join(warehouse, "cache", table, f"{STAGING}{name}")
    try:
        df.select([field.name for field in wanted.fields]).write.parquet(staging)
        rows = _count_rows(staging)
        if rows:
            storage.move(staging, storage.join(warehouse, "cache", table, f"part-{name}"))
    finally:
        storage.remove(staging)
    return rows


def read_cache(spark: SparkSession, warehouse: str, table: str) -> DataFrame:
    """Read a cache whole, open folders included; an empty table where nothing was cached yet.

    Rows may stand twice: a reader keeps one per key. What another run puts together at this moment may be missing,
    which costs a repetition and gives no wrong answer.
    """
    folder = storage.join(warehouse, "cache", table)
    parts = [storage.join(folder, name) for name in storage.list_names(folder) if name.startswith(("part-", "open-"))]
    wanted = schemas.cache_schema(table)
    if not parts:
        return spark.createDataFrame([], wanted)
    return spark.read.schema(wanted).option("ignoreMissingFiles", "true").parquet(*parts)


def open_folder(warehouse: str, table: str, name: str) -> str:
    """Return the folder of a cache into which tasks put small files while they work; ``compact_cache`` empties it."""
    return storage.join(warehouse, "cache", table, f"open-{name}")


def compact_cache(spark: SparkSession, warehouse: str, table: str) -> None:
    """Merge the small files of all open folders, including those of killed runs, into one part.

    Exactly the files that were copied are removed, so what another run writes meanwhile stays.
    """
    cache = storage.join(warehouse, "cache", table)
    folders = [storage.join(cache, name) for name in storage.list_names(cache) if name.startswith("open-")]
    if not folders:
        return
    # Spark lists the folders once: what it names afterwards is what it reads.
    small = spark.read.schema(schemas.cache_schema(table)).option("ignoreMissingFiles", "true").parquet(*folders)
    files = ["/".join(uri.rsplit("/", 2)[1:]) for uri in small.inputFiles()]
    if files:
        append_cache(small.coalesce(1 + len(files) // _MERGED), warehouse, table)
        storage.remove_files([storage.join(cache, name) for name in files])
    for folder in folders:
        if not storage.list_names(folder):
            storage.remove(folder)
