"""Files by URI, through fsspec: ``file:``, ``s3a:``, ``hdfs:``, ``abfss:`` or a plain path.

Spark writes the tables; everything small beside them (markers, manifests, the report) goes through here.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import posixpath
import uuid
from collections.abc import Sequence
from typing import Any

import fsspec

from antinomy.errors import StorageError

#: Spark's scheme → fsspec's.
_SCHEMES = {"s3a": "s3", "s3n": "s3"}
#: fsspec's names of stores without folders, where a file is there whole or not at all and a rename is a copy.
_OBJECT_STORES = {"s3", "gs", "gcs", "abfs", "abfss", "az", "oss"}


def filesystem(uri: str) -> tuple[Any, str]:
    """Return the file system that a URI names and the path on it.

    Raises:
        StorageError: if the scheme is unknown or its package is not installed.
    """
    scheme, colon, rest = uri.partition("://")
    if colon and scheme in _SCHEMES:
        uri = f"{_SCHEMES[scheme]}://{rest}"
    elif uri.startswith("file:") and not uri.startswith("file://"):
        uri = "file://" + uri[len("file:") :]
    try:
        # Spark and other processes write too: a listing that fsspec remembers would be an old one.
        fs, path = fsspec.core.url_to_fs(uri, use_listings_cache=False)
    except (ValueError, ImportError) as error:
        raise StorageError(f"cannot open {uri}: {error}") from error
    return fs, path


def _is_object_store(fs: Any) -> bool:
    protocols = [fs.protocol] if isinstance(fs.protocol, str) else fs.protocol
    return not _OBJECT_STORES.isdisjoint(protocols)


def _make_parent(fs: Any, path: str) -> None:
    # Where there are no folders, this would only make a bucket out of a mistyped name.
    if not _is_object_store(fs):
        fs.makedirs(posixpath.dirname(path), exist_ok=True)


def join(base: str, *parts: str) -> str:
    """Join URI segments with ``/``."""
    return posixpath.join(base, *parts)


def exists(uri: str) -> bool:
    """Return whether a file or folder is there."""
    fs, path = filesystem(uri)
    return bool(fs.exists(path))


def read_bytes(uri: str) -> bytes:
    """Read a whole file.

    Raises:
        StorageError: if it is not there or cannot be read.
    """
    fs, path = filesystem(uri)
    try:
        data = fs.cat_file(path)
    except OSError as error:
        raise StorageError(_unreadable(uri, error)) from error
    return bytes(data)


def sha256(uri: str) -> str:
    """Return a file's hash without having it in memory.

    Raises:
        StorageError: if it is not there or cannot be read.
    """
    fs, path = filesystem(uri)
    try:
        with fs.open(path, "rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise StorageError(_unreadable(uri, error)) from error


def _unreadable(uri: str, error: OSError) -> str:
    if isinstance(error, FileNotFoundError):
        return f"{uri} does not exist"
    if isinstance(error, IsADirectoryError):
        return f"{uri} is a folder: name the files in it"
    return f"{uri} cannot be read: {error}"


def write_bytes(uri: str, data: bytes) -> None:
    """Write a file atomically: to a temporary file, then renamed; object stores are atomic already.

    Raises:
        StorageError: if it cannot be written.
    """
    fs, path = filesystem(uri)
    partial = _temporary_path(path)
    try:
        if _is_object_store(fs):
            fs.pipe_file(path, data)
            return
        _make_parent(fs, path)
        try:
            with fs.open(partial, "wb") as file:
                file.write(data)
            fs.mv(partial, path)
        except OSError:
            if fs.exists(partial):
                fs.rm(partial)
            raise
    except OSError as error:
        raise StorageError(f"{uri} cannot be written: {error}; check the path and its permissions") from error


def create(uri: str, data: bytes) -> bool:
    """Create a file exclusively: of several concurrent attempts, one succeeds.

    On HDFS (through Arrow, which can only rename, and replaces a file that is there) two that try within the same
    moment may both succeed, and the later one's bytes stay: who needs to be alone reads the file again before it acts.

    Returns:
        Whether it was this call that made the file.

    Raises:
        StorageError: if it cannot be written.
    """
    fs, path = filesystem(uri)
    try:
        _make_parent(fs, path)
        if fs.exists(path):
            return False
        try:
            with fs.open(path, "xb") as file:
                file.write(data)
        except (ValueError, NotImplementedError):
            # Arrow's file systems have no such mode.
            write_bytes(uri, data)
    except FileExistsError:
        return False
    except OSError as error:
        raise StorageError(f"{uri} cannot be written: {error}; check the path and its permissions") from error
    return True


def _temporary_path(path: str) -> str:
    # The underscore hides it from Spark, which may list the folder; others may write the same file at this moment.
    return posixpath.join(posixpath.dirname(path), f"_{posixpath.basename(path)}.{uuid.uuid4().hex[:8]}.partial")


def read_json(uri: str) -> Any:
    """Read a JSON file; errors as ``read_bytes``, and StorageError where it is no JSON."""
    try:
        return json.loads(read_bytes(uri))
    except ValueError as error:
        raise StorageError(f"{uri} is damaged ({error}): remove it and run the stage again") from error


def write_json(uri: str, value: Any) -> None:
    """Write a JSON file, indented, with a stable key order."""
    write_bytes(uri, json.dumps(value, indent=2, sort_keys=True, ensure_ascii=False).encode())


def remove(uri: str) -> None:
    """Remove a file or a folder with all that is in it, if it is there."""
    fs, path = filesystem(uri)
    if fs.exists(path):
        fs.rm(path, recursive=True)


def remove_files(uris: Sequence[str]) -> None:
    """Remove files of one file system, many at a time where it can; some may be gone already."""
    fs, _ = filesystem(uris[0])
    paths = [filesystem(uri)[1] for uri in uris]
    if _is_object_store(fs):
        fs.rm(paths)
        return
    for path in paths:
        with contextlib.suppress(FileNotFoundError):
            fs.rm_file(path)


def move(source: str, target: str) -> None:
    """Rename a file or folder; the target must not exist.

    On object stores this copies, so a marker tells when it is done.
    """
    fs, path = filesystem(source)
    _, to = filesystem(target)
    if _is_object_store(fs):
        # File by file: a recursive mv takes the folder's name for a file of its own, which is not there.
        files = fs.find(path)
        fs.copy(files, [to + file[len(path) :] for file in files])
        fs.rm(files)
    else:
        _make_parent(fs, to)
        fs.mv(path, to, recursive=True)


def list_names(uri: str) -> list[str]:
    """Return the names in a folder, sorted; empty if there is no such folder."""
    fs, path = filesystem(uri)
    if not fs.exists(path):
        return []
    entries = (entry.rstrip("/") for entry in fs.ls(path, detail=False))
    # Hadoop marks a folder of an object store by an empty file of the folder's own name.
    return sorted(posixpath.basename(entry) for entry in entries if entry != path.rstrip("/"))


def find(uri: str) -> list[str]:
    """Return the paths of all files below a folder, relative to it, sorted; empty if there is no such folder."""
    fs, path = filesystem(uri)
    if not fs.exists(path):
        return []
    return sorted(posixpath.relpath(name, path) for name in fs.find(path))


def require_writable(uri: str, setting: str = "warehouse") -> None:
    """Check that files can be created in a folder, before any work is done.

    Args:
        uri: of the folder.
        setting: that names the folder, for the message.

    Raises:
        StorageError: if not.
    """
    probe = join(uri, f"_probe-{uuid.uuid4().hex[:8]}")
    try:
        write_bytes(probe, b"")
        remove(probe)
    except (StorageError, OSError) as error:
        raise StorageError(
            f"{setting} ({uri}) cannot be written ({error.__cause__ or error}): set {setting} to a folder that can"
        ) from error
