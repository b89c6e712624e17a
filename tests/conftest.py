"""Fixtures that every test may use: the real documents where present, one Spark session for all, an object store."""

from __future__ import annotations

import os
import pickle
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from filelock import FileLock

import runs

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from antinomy.parse.model import ParsedDocument

_ROOT = Path(__file__).resolve().parent.parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the files that take long, so that the processes of a run end at about the same time.

    The finished runs of the samples are made by one process: the others have something else to do meanwhile.
    """
    long = {item.path for item in items if item.get_closest_marker("slow")}
    finished = {"finished_run", "small_run"}
    waiting = {item.path for item in items if finished.intersection(getattr(item, "fixturenames", ()))}
    makes = min(long & waiting, default=None)
    items.sort(key=lambda item: (item.path != makes, item.path not in long, item.path in waiting))


def _folder(variable: str, default: str) -> Path:
    path = Path(os.environ.get(variable, _ROOT.parent / "shared" / "data" / default))
    if not path.is_dir():
        pytest.skip(f"{path} is not there; set {variable} to a folder that holds these files")
    return path


@pytest.fixture(scope="session")
def regulations() -> Path:
    """Folder with the real documents: dora/ and ffiec/."""
    return _folder("ANTINOMY_REGULATIONS", "regulations")


@pytest.fixture(scope="session")
def eval_data() -> Path:
    """Folder with the development sets for judging and retrieval."""
    return _folder("ANTINOMY_EVAL", "eval")


@pytest.fixture(scope="session")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SparkSession]:
    """One Spark session for all tests: starting one takes seconds."""
    from antinomy.run.spark import spark_session
    from antinomy.settings import SparkSettings

    work = tmp_path_factory.mktemp("spark")
    settings = SparkSettings(master="local[2]")
    session = spark_session(settings, app_name="antinomy-tests", work_dir=str(work))
    yield session
    session.stop()


@pytest.fixture(scope="session")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that all processes of these tests have in common, for what takes long to make."""
    base = tmp_path_factory.getbasetemp()
    return base.parent if "PYTEST_XDIST_WORKER" in os.environ else base


@pytest.fixture(scope="session")
def finished_run(shared: Path) -> runs.Run:
    """One finished run of the samples for all tests, in all processes; who changes something copies it first."""
    return runs.finished(shared / "finished-run")


@pytest.fixture(scope="session")
def small_run(shared: Path) -> runs.Run:
    """A finished run with the settings ``runs.SMALL``, for tests that compare it with a run of another kind."""
    return runs.finished(shared / "small-run", **runs.SMALL)


@pytest.fixture(scope="session")
def parsed(shared: Path) -> Callable[[Path, str], ParsedDocument]:
    """Parses a real document of a regime, once in all processes: some take ten seconds."""

    @cache
    def of(path: Path, regime: str) -> ParsedDocument:
        from antinomy.parse import parse_document
        from antinomy.settings.source import Source

        kept = shared / f"{path.stem}-{regime}.pickle"
        with FileLock(kept.with_suffix(".lock")):
            if not kept.is_file():
                kept.write_bytes(pickle.dumps(parse_document(Source(path.stem, str(path), regime), path.read_bytes())))
        document: ParsedDocument = pickle.loads(kept.read_bytes())
        return document

    return of


@pytest.fixture(scope="session")
def object_store() -> Iterator[str]:
    """The address of an object store on this machine: moto's server, which speaks S3 over HTTP."""
    for package in ("s3fs", "moto"):
        pytest.importorskip(package, reason=f"{package} is not installed: see the extra `dev`")
    from moto.server import ThreadedMotoServer

    server = ThreadedMotoServer("127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    yield f"http://{host}:{port}"
    server.stop()


@pytest.fixture
def s3(object_store: str, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A client that is not ours, as Spark and other processes are; there is one bucket, ``store``, and it is empty.

    Where the server is and who asks comes from the environment, as on a cluster.
    """
    monkeypatch.setenv("AWS_ENDPOINT_URL", object_store)
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "reader")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "not-a-secret")
    monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
    import boto3
    from s3fs import S3FileSystem

    # It keeps its connections by what they were asked for, not by where the environment says that the store is.
    S3FileSystem.clear_instance_cache()
    client = boto3.client("s3")
    client.create_bucket(Bucket="store")
    yield client
    for item in client.list_objects_v2(Bucket="store").get("Contents", []):
        client.delete_object(Bucket="store", Key=item["Key"])
    client.delete_bucket(Bucket="store")
