"""Tables: whole or not at all, checked columns, caches that grow."""

from pathlib import Path
from typing import Any

import pytest

from antinomy.errors import StorageError
from antinomy.store import schemas, storage, tables

pytestmark = pytest.mark.spark


def rows(spark: Any, *pairs: tuple[str, str]) -> Any:
    given = {"score": 0.5, "rank_left": 1, "rank_right": 1, "channels": ["own"], "own": 0.5, "own_rank": 1}
    data = [
        {"left_id": left, "right_id": right, "left_unit_id": left, "right_unit_id": right, **given}
        for left, right in pairs
    ]
    return spark.createDataFrame(data, schemas.schema("similar"))


def test_every_schema_parses_and_lists_its_columns(spark: Any) -> None:
    for table in schemas.TABLES:
        assert schemas.schema(table).fieldNames() == schemas.columns(table)


def test_write_replaces_a_runs_part_and_leaves_others(spark: Any, tmp_path: Path) -> None:
    warehouse = str(tmp_path)
    tables.write(rows(spark, ("a", "b"), ("a", "c")), warehouse, "similar", "one")
    tables.write(rows(spark, ("x", "y")), warehouse, "similar", "two")
    assert tables.write(rows(spark, ("a", "d")), warehouse, "similar", "one") == 1
    assert [r.right_id for r in tables.read(spark, warehouse, "similar", "one").collect()] == ["d"]
    assert [r.right_id for r in tables.read(spark, warehouse, "similar", "two").collect()] == ["y"]
    assert storage.list_names(f"{warehouse}/similar") == ["run_id=one", "run_id=two"]


def test_a_failed_write_leaves_the_old_part_and_nothing_else(spark: Any, tmp_path: Path) -> None:
    warehouse = str(tmp_path)
    tables.write(rows(spark, ("a", "b")), warehouse, "similar", "one")
    broken = rows(spark, ("a", "z")).selectExpr(
        "*", "assert_true(false, 'boom') as never"
    ).drop("left_id").withColumnRenamed("never", "left_id")  # fmt: skip
    with pytest.raises(Exception, match="boom"):
        tables.write(broken, warehouse, "similar", "one")
    assert [r.right_id for r in tables.read(spark, warehouse, "similar", "one").collect()] == ["b"]
    assert storage.list_names(f"{warehouse}/similar") == ["run_id=one"]


def test_missing_columns_are_named(spark: Any, tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="lacks columns of table similar: score"):
        tables.write(rows(spark, ("a", "b")).drop("score"), str(tmp_path), "similar", "one")


def test_a_table_that_no_stage_made_is_named(spark: Any, tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="run one has no table similar"):
        tables.read(spark, str(tmp_path), "similar", "one")


def test_a_cache_grows_and_ignores_what_is_half_written(spark: Any, tmp_path: Path) -> None:
    warehouse = str(tmp_path)
    assert tables.read_cache(spark, warehouse, "similar").count() == 0
    assert tables.append_cache(rows(spark, ("a", "b")), warehouse, "similar") == 1
    assert tables.append_cache(rows(spark, ("a", "c")), warehouse, "similar") == 1
    assert tables.append_cache(rows(spark), warehouse, "similar") == 0
    storage.write_bytes(f"{warehouse}/cache/similar/_staging-x/f.parquet", b"half")
    assert sorted(r.right_id for r in tables.read_cache(spark, warehouse, "similar").collect()) == ["b", "c"]


def test_rows_written_without_spark_are_read_with_it(spark: Any, tmp_path: Path) -> None:
    row = {"left_id": "a", "right_id": "b", "score": 0.25, "channels": ["bm25"]}
    tables.write_rows([row], str(tmp_path), "similar", "one")
    read = tables.read(spark, str(tmp_path), "similar", "one").collect()[0]
    assert (read.left_id, read.score, read.channels, read.rank_left) == ("a", 0.25, ["bm25"], None)


def test_small_files_of_a_cache_become_few_and_lose_nothing(
    spark: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    warehouse = str(tmp_path / "a warehouse")
    monkeypatch.setattr(tables, "_MERGED", 2)
    opened = tables.open_folder(warehouse, "similar", "call")
    for name in "abc":
        row = {"left_id": name, "right_id": "z"}
        storage.write_bytes(f"{opened}/{name}.parquet", tables.parquet([row], schemas.cache_schema("similar")))
    storage.write_bytes(f"{opened}/_d.parquet.partial", b"another process is writing it")
    tables.compact_cache(spark, warehouse, "similar")
    assert sorted(r.left_id for r in tables.read_cache(spark, warehouse, "similar").collect()) == ["a", "b", "c"]
    assert storage.list_names(opened) == ["_d.parquet.partial"]
    assert sum(name.endswith(".parquet") for name in storage.find(f"{warehouse}/cache/similar")) == 2


def test_a_table_is_read_in_batches_and_a_flipped_bit_is_an_error_that_names_the_file(tmp_path: Path) -> None:
    names = [f"provision {number}" for number in range(9000)]
    tables.write_rows([{"text_sha256": name} for name in names], str(tmp_path), "embeddings", "one")
    found = list(tables.read_batches(str(tmp_path), "embeddings", "one", ["text_sha256"]))
    assert len(found) > 1
    assert [name for batch in found for name in batch["text_sha256"].to_pylist()] == names
    (file,) = (tmp_path / "embeddings" / "run_id=one").iterdir()
    data = bytearray(file.read_bytes())
    data[len(data) // 2] ^= 1
    file.write_bytes(data)
    with pytest.raises(StorageError, match=f"{file.name} cannot be read"):
        list(tables.read_batches(str(tmp_path), "embeddings", "one", ["text_sha256"]))
