"""Files by URI: written whole or not at all, and clear errors."""

from pathlib import Path

import pytest

from antinomy.errors import StorageError
from antinomy.store import storage


@pytest.mark.parametrize("prefix", ["", "file://", "file:"])
def test_round_trip_by_path_and_uri(tmp_path: Path, prefix: str) -> None:
    uri = f"{prefix}{tmp_path}/a/b.json"
    storage.write_json(uri, {"ä": [1, None]})
    assert storage.exists(uri)
    assert storage.read_json(uri) == {"ä": [1, None]}
    assert storage.list_names(f"{prefix}{tmp_path}/a") == ["b.json"]


def test_write_replaces(tmp_path: Path) -> None:
    uri = str(tmp_path / "x")
    storage.write_bytes(uri, b"one")
    storage.write_bytes(uri, b"two")
    assert storage.read_bytes(uri) == b"two"


def test_move_takes_a_folder_with_all_in_it(tmp_path: Path) -> None:
    storage.write_bytes(str(tmp_path / "from/part/f"), b"1")
    storage.move(str(tmp_path / "from"), str(tmp_path / "deep/to"))
    assert (tmp_path / "deep/to/part/f").read_bytes() == b"1"
    assert not (tmp_path / "from").exists()


def test_remove_of_nothing_is_fine(tmp_path: Path) -> None:
    storage.remove(str(tmp_path / "nothing"))


def test_missing_file(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="does not exist"):
        storage.read_bytes(str(tmp_path / "no"))


def test_damaged_json_says_to_remove_it(tmp_path: Path) -> None:
    (tmp_path / "m.json").write_text("{")
    with pytest.raises(StorageError, match="remove it and run the stage again"):
        storage.read_json(str(tmp_path / "m.json"))


def test_unknown_scheme() -> None:
    with pytest.raises(StorageError, match="gopher"):
        storage.exists("gopher://x/y")


def test_place_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StorageError, match="cannot be written"):
        storage.require_writable(str(tmp_path / "file" / "warehouse"))


def test_a_folder_in_place_of_a_file_says_what_to_name(tmp_path: Path) -> None:
    for read in (storage.read_bytes, storage.sha256):
        with pytest.raises(StorageError, match=f"^{tmp_path} is a folder: name the files in it$"):
            read(str(tmp_path))
