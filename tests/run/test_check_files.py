"""Damaged files are never read as other figures: they are named, and made again on request."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from py4j.protocol import Py4JJavaError
from typer.testing import CliRunner

from antinomy.cli.runs import app
from antinomy.errors import StorageError
from antinomy.run import spark_errors
from antinomy.run.lock import run_lock
from antinomy.store import schemas, storage, tables

pytestmark = pytest.mark.spark


def verify(folder: Path, *options: str) -> tuple[int, str]:
    done = CliRunner().invoke(app, ["verify", "--warehouse", str(folder), *options])
    if done.exception and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done.exit_code, done.stdout


def vectors(spark: Any, names: str) -> Any:
    rows = [(name, "m", "r", 2, [0.1, 0.9], [0.1, 0.9]) for name in names]
    return spark.createDataFrame(rows, schemas.schema("embeddings")).coalesce(1)


def read(spark: Any, folder: Path) -> str:
    return "".join(sorted(row.text_sha256 for row in tables.read_cache(spark, str(folder), "embeddings").collect()))


def parquet_files(folder: Path) -> set[Path]:
    return set(folder.rglob("*.parquet"))


def flip(file: Path) -> None:
    """Change one bit within a page, as on a store that keeps no checksums beside its files."""
    data = bytearray(file.read_bytes())
    at = data.index(b"m", 8)  # the value of the column `model`
    data[at] ^= 0x04
    file.write_bytes(bytes(data))
    for beside in file.parent.glob(".*.crc"):
        beside.unlink()


@pytest.fixture
def damaged(spark: Any, tmp_path: Path) -> Path:
    """A cache with a good part (a, b) and a damaged one (c, d); returns the damaged file."""
    tables.append_cache(vectors(spark, "ab"), str(tmp_path), "embeddings")
    before = parquet_files(tmp_path)
    tables.append_cache(vectors(spark, "cd"), str(tmp_path), "embeddings")
    (file,) = parquet_files(tmp_path) - before
    flip(file)
    return file


def test_one_flipped_bit_in_a_cache_is_detected_and_the_file_is_named(
    spark: Any, tmp_path: Path, damaged: Path
) -> None:
    with pytest.raises(Py4JJavaError) as trace:
        read(spark, tmp_path)
    fault = spark_errors.translate(trace.value)
    assert isinstance(fault, StorageError)
    assert str(damaged) in str(fault)
    assert "`antinomy verify --rebuild`" in str(fault)


def test_a_table_whose_columns_have_lost_their_names_is_named(tmp_path: Path) -> None:
    row = {"text_sha256": "a", "model": "m", "revision": "r", "dim": 1, "vector": [1.0], "clause_vectors": [1.0]}
    tables.write_rows([row], str(tmp_path), "embeddings", "r")
    (file,) = parquet_files(tmp_path)
    data = bytearray(file.read_bytes())
    data[data.index(b"revision")] = 0xC9  # no letter in UTF-8 by itself
    file.write_bytes(data)
    code, said = verify(tmp_path)
    assert (code, str(file) in said) == (1, True)
    with pytest.raises(StorageError, match=r"embeddings.*cannot be read.*verify --rebuild"):
        tables.read_rows(str(tmp_path), "embeddings", "r")


def test_files_written_without_spark_are_guarded_too(spark: Any, tmp_path: Path) -> None:
    row = {"text_sha256": "a", "model": "m", "revision": "r", "dim": 1, "vector": [1.0], "clause_vectors": [1.0]}
    file = tmp_path / "cache/embeddings/part-x/f.parquet"
    storage.write_bytes(str(file), tables.parquet([row], schemas.cache_schema("embeddings")))
    assert read(spark, tmp_path) == "a"
    flip(file)
    with pytest.raises(Py4JJavaError):
        read(spark, tmp_path)


def test_verify_names_it_and_touches_nothing(tmp_path: Path, damaged: Path) -> None:
    code, said = verify(tmp_path)
    assert code == 1
    assert said.startswith(f"{damaged}: ")
    assert "Nothing was touched: give --rebuild." in said
    assert damaged.exists()


def test_rebuild_puts_it_aside_and_the_cache_only_lacks_its_rows(spark: Any, tmp_path: Path, damaged: Path) -> None:
    code, said = verify(tmp_path, "--rebuild")
    assert (code, "makes again what was in it" in said) == (0, True)
    assert read(spark, tmp_path) == "ab"
    aside = tmp_path / "_damaged" / damaged.relative_to(tmp_path)
    assert aside.exists()
    assert verify(tmp_path) == (0, "No file is damaged.\n")


@pytest.mark.parametrize("harm", [lambda data: data[: len(data) // 2], lambda data: b"", lambda data: b"x" * 500])
def test_cut_empty_and_overwritten_files_are_found(spark: Any, tmp_path: Path, harm: Any) -> None:
    tables.write_rows([{"doc_id": "a"}], str(tmp_path), "documents", "r")
    (file,) = parquet_files(tmp_path)
    file.write_bytes(harm(file.read_bytes()))
    code, said = verify(tmp_path, "--json")
    assert (code, json.loads(said)["damaged"][0]["uri"]) == (1, str(file))


def test_a_damaged_table_of_a_run_has_its_stage_run_again(tmp_path: Path) -> None:
    for name in ("parse", "embed"):
        storage.write_json(f"{tmp_path}/_stages/run_id=r/{name}.json", {})
    storage.write_bytes(f"{tmp_path}/units/run_id=r/part-0.parquet", b"damaged")
    with run_lock(str(tmp_path), "r"), pytest.raises(Exception, match="being worked on"):
        verify(tmp_path, "--rebuild")
    code, said = verify(tmp_path, "--rebuild")
    assert (code, "makes units again (stage embed)" in said) == (0, True)
    assert storage.list_names(f"{tmp_path}/_stages/run_id=r") == ["parse.json"]


@pytest.mark.parametrize("table", sorted({*schemas.TABLES} - {"decisions"}))
def test_each_table_but_the_decisions_has_a_remedy(tmp_path: Path, table: str) -> None:
    stages = ("parse", "embed", "link", "judge", "report", "facts", "ask")
    for name in stages:
        storage.write_json(f"{tmp_path}/_stages/run_id=r/{name}.json", {})
    file = tmp_path / table / "run_id=r/part-0.parquet"
    storage.write_bytes(str(file), b"damaged")
    code, said = verify(tmp_path, "--rebuild")
    assert (code, f"makes {table} again (stage " in said) == (0, True)
    assert not file.exists()
    (again,) = {f"{name}.json" for name in stages} - set(storage.list_names(f"{tmp_path}/_stages/run_id=r"))
    assert f"(stage {again.removesuffix('.json')})" in said
    if table in ("coverage", "counterparts"):
        assert again == "report.json"


def test_decisions_are_named_but_never_moved(tmp_path: Path) -> None:
    file = tmp_path / "decisions/part-0.parquet"
    storage.write_bytes(str(file), b"damaged")
    assert verify(tmp_path, "--rebuild")[0] == 1
    assert file.exists()
