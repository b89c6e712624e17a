"""Fetching from a real local server: hashes, resuming, retries, unreachable sites."""

import hashlib
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar

import pytest

from antinomy import settings as settings_module
from antinomy.run.fetch import Fetched, fetch

BODY = bytes(range(256)) * 400


class Site(BaseHTTPRequestHandler):
    requests: ClassVar[list[tuple[str, str | None]]] = []

    def do_GET(self) -> None:
        wanted = self.headers.get("Range")
        self.requests.append((self.path, wanted))
        tries = sum(1 for path, _ in self.requests if path == self.path)
        if self.path == "/gone":
            self.send_error(404)
        elif self.path == "/busy" and tries < 3:
            self.send_response(503)
            self.send_header("Retry-After", "0")
            self.end_headers()
        elif self.path == "/cut" and not wanted:
            self.send_response(200)
            self.send_header("Content-Length", str(len(BODY)))
            self.end_headers()
            self.wfile.write(BODY[:5000])
        else:
            begin = int(wanted.removeprefix("bytes=").rstrip("-")) if wanted else 0
            self.send_response(206 if wanted else 200)
            self.send_header("Content-Length", str(len(BODY) - begin))
            self.end_headers()
            self.wfile.write(BODY[begin:])

    def log_message(self, *args: Any) -> None:
        pass


@pytest.fixture
def site() -> Iterator[str]:
    Site.requests.clear()
    server = ThreadingHTTPServer(("127.0.0.1", 0), Site)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()


def fetch_one(tmp_path: Path, url: str, sha256: str = "", retries: int = 4) -> Fetched:
    config = tmp_path / "c.yaml"
    config.write_text(
        f"run_id: r\nwarehouse: w\nout: o\ndata_root: {tmp_path}/data\n"
        f"documents: [{{doc_id: a, path: eu/a.pdf, regime: eu, url: '{url}', sha256: '{sha256}'}}]\n"
    )
    return fetch(settings_module.load(str(config)), retries=retries, backoff_s=0.01)[0]


def test_fetches_records_the_hash_and_does_not_fetch_twice(tmp_path: Path, site: str) -> None:
    first = fetch_one(tmp_path, f"{site}/a")
    assert (first.state, first.sha256) == ("fetched", hashlib.sha256(BODY).hexdigest())
    assert (tmp_path / "data/eu/a.pdf").read_bytes() == BODY
    assert fetch_one(tmp_path, f"{site}/a").state == "present"
    assert len(Site.requests) == 1


def test_a_wrong_hash_is_refused_and_nothing_is_left(tmp_path: Path, site: str) -> None:
    result = fetch_one(tmp_path, f"{site}/a", sha256="0" * 64)
    assert result.state == "failed"
    assert "another document than the settings name" in result.error
    assert list((tmp_path / "data/eu").iterdir()) == []


def test_a_file_of_another_hash_in_its_place_is_named(tmp_path: Path, site: str) -> None:
    (tmp_path / "data/eu").mkdir(parents=True)
    (tmp_path / "data/eu/a.pdf").write_bytes(b"other")
    assert "is not the document that the settings name" in fetch_one(tmp_path, f"{site}/a", sha256="0" * 64).error


def test_a_cut_download_is_resumed_where_it_stopped(tmp_path: Path, site: str) -> None:
    first = fetch_one(tmp_path, f"{site}/cut", retries=0)
    assert first.state == "failed"
    assert "5000 bytes are kept" in first.error
    assert fetch_one(tmp_path, f"{site}/cut").sha256 == hashlib.sha256(BODY).hexdigest()
    assert Site.requests[-1] == ("/cut", "bytes=5000-")


def test_a_busy_site_is_asked_again(tmp_path: Path, site: str) -> None:
    assert fetch_one(tmp_path, f"{site}/busy").state == "fetched"
    assert len(Site.requests) == 3


def test_a_missing_page_is_final(tmp_path: Path, site: str) -> None:
    assert "404" in fetch_one(tmp_path, f"{site}/gone").error
    assert len(Site.requests) == 1


def test_an_unreachable_site_is_said_so(tmp_path: Path) -> None:
    error = fetch_one(tmp_path, "http://127.0.0.1:9/x", retries=1).error
    assert "cannot be reached" in error
    assert "by hand" in error


def test_a_document_without_url_must_be_there(tmp_path: Path) -> None:
    assert "give no url" in fetch_one(tmp_path, "").error
