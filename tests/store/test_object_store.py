"""Files on an object store (S3 by way of moto's server), which others write to as well."""

from __future__ import annotations

from typing import Any

import pytest

from antinomy.errors import StorageError
from antinomy.run.lock import run_lock
from antinomy.store import storage, tables

PLACE = "s3a://store/place"


def keys(s3: Any) -> list[str]:
    return sorted(item["Key"] for item in s3.list_objects_v2(Bucket="store").get("Contents", []))


def test_round_trip(s3: Any) -> None:
    storage.require_writable(PLACE)
    assert not storage.exists(f"{PLACE}/a/b.json")
    storage.write_json(f"{PLACE}/a/b.json", {"ä": [1, None]})
    assert storage.read_json(f"{PLACE}/a/b.json") == {"ä": [1, None]}
    assert storage.list_names(f"{PLACE}/a") == ["b.json"]
    assert keys(s3) == ["place/a/b.json"], "nothing is left beside it"
    storage.remove(f"{PLACE}/a")
    assert keys(s3) == []


def test_of_two_that_create_a_file_one_does(s3: Any) -> None:
    assert storage.create(f"{PLACE}/lock", b"mine")
    assert not storage.create(f"{PLACE}/lock", b"yours")
    assert storage.read_bytes(f"{PLACE}/lock") == b"mine"


def test_a_run_is_locked(s3: Any) -> None:
    with run_lock(PLACE, "r") as still_mine:
        still_mine()


def test_what_others_write_and_remove_is_seen_at_once(s3: Any) -> None:
    storage.write_bytes(f"{PLACE}/mine", b"1")
    assert storage.list_names(PLACE) == ["mine"]
    s3.put_object(Bucket="store", Key="place/part/file", Body=b"1")
    assert storage.list_names(PLACE) == ["mine", "part"]
    assert storage.exists(f"{PLACE}/part")
    s3.delete_object(Bucket="store", Key="place/part/file")
    assert storage.list_names(PLACE) == ["mine"]
    assert not storage.exists(f"{PLACE}/part")


def test_move_takes_a_folder_with_all_in_it(s3: Any) -> None:
    for name in ("_SUCCESS", "part-0", "deep/part-1"):
        s3.put_object(Bucket="store", Key=f"place/_staging/{name}", Body=name.encode())
    storage.move(f"{PLACE}/_staging", f"{PLACE}/table/run_id=r")
    assert keys(s3) == [f"place/table/run_id=r/{name}" for name in ("_SUCCESS", "deep/part-1", "part-0")]
    assert storage.read_bytes(f"{PLACE}/table/run_id=r/deep/part-1") == b"deep/part-1"


def test_the_mark_of_an_empty_folder_is_no_file_in_it(s3: Any) -> None:
    s3.put_object(Bucket="store", Key="place/table/", Body=b"")
    s3.put_object(Bucket="store", Key="place/table/part-0", Body=b"1")
    assert storage.list_names(f"{PLACE}/table") == ["part-0"]


def test_rows_that_were_written_without_spark_are_read_without_it(s3: Any) -> None:
    tables.write_rows([{"run_id": "r", "pairs": 3}], PLACE, "runs", "r")
    assert tables.dataset(PLACE, "runs", "r").count_rows() == 1
    assert tables.read_rows(PLACE, "runs", "r")[0]["pairs"] == 3


def test_a_mistyped_bucket_is_said_and_not_made(s3: Any) -> None:
    with pytest.raises(StorageError, match="cannot be written"):
        storage.require_writable("s3a://stroe/place")
    with pytest.raises(StorageError, match="does not exist"):
        storage.read_bytes("s3a://stroe/place/file")
    assert "stroe" not in {bucket["Name"] for bucket in s3.list_buckets()["Buckets"]}
