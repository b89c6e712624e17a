"""An object store on this machine: moto's server, which speaks S3 over HTTP."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest


@pytest.fixture(scope="session")
def object_store() -> Iterator[str]:
    """The server's address."""
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
