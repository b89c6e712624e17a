"""``antinomy fetch``: get the documents that a config lists from their official addresses."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

import requests
from requests.adapters import HTTPAdapter
from urllib3.exceptions import HTTPError
from urllib3.util import Retry

from antinomy.errors import DocumentError, SettingsError
from antinomy.settings import DocumentSettings, Settings, confine
from antinomy.settings.source import MOST_BYTES

_CHUNK = 1 << 16
_TIMEOUT_S = (10, 60)


@dataclass(frozen=True)
class Fetched:
    """What became of one document: ``state`` is ``present``, ``fetched`` or ``failed`` (then ``error`` says why)."""

    doc_id: str
    path: str
    state: str
    sha256: str = ""
    error: str = ""


def fetch(settings: Settings, retries: int = 4, backoff_s: float = 1.0) -> list[Fetched]:
    """Download what is not there yet; one document's failure does not stop the others.

    Args:
        settings: documents with a ``url``; those without one must be there already.
        retries: attempts after the first, for refused connections, time-outs, 429 and 5xx (Retry-After is obeyed).
        backoff_s: wait before the second retry; doubles each time.

    Raises:
        SettingsError: if ``data_root`` is no local folder.
    """
    if "://" in settings.data_root:
        raise SettingsError(f"fetch writes to a local folder, data_root is {settings.data_root}: set it to one")
    session = requests.Session()
    adapter = HTTPAdapter(
        max_retries=Retry(
            total=retries,
            backoff_factor=backoff_s,
            status_forcelist=(429, 500, 502, 503, 504),
            raise_on_status=False,
        )
    )
    session.mount("http://", adapter)
    session.mount("https://", adapter)
    session.headers["Accept-Encoding"] = "identity"  # else offsets and lengths are of the packed bytes
    session.headers["User-Agent"] = "antinomy (regulation comparison; +https://pypi.org/project/antinomy)"
    with session:
        return [_fetch_one(session, document, settings) for document in settings.documents]


def _fetch_one(session: requests.Session, document: DocumentSettings, settings: Settings) -> Fetched:
    path = Path(confine.resolve(settings.data_root, document.path))
    try:
        if path.is_file():
            digest = _sha256(path)
            _require_hash(document, digest, f"{path} is not the document that the settings name: remove it")
            return Fetched(document.doc_id, str(path), "present", digest)
        if not document.url:
            raise DocumentError(f"{path} does not exist and the settings give no url for it")
        digest = _download(session, document, path)
    except (DocumentError, OSError) as error:
        return Fetched(document.doc_id, str(path), "failed", error=str(error))
    return Fetched(document.doc_id, str(path), "fetched", digest)


def _download(session: requests.Session, document: DocumentSettings, path: Path) -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(path.name + ".partial")
    begun = partial.stat().st_size if partial.exists() else 0
    headers = {"Range": f"bytes={begun}-"} if begun else {}
    try:
        with session.get(document.url, headers=headers, stream=True, timeout=_TIMEOUT_S) as answer:
            if answer.status_code == 416:  # what is there is already the whole, or of another file
                partial.unlink()
                return _download(session, document, path)
            if not answer.ok:
                raise DocumentError(f"{document.url} answered {answer.status_code} {answer.reason}: check the url")
            resumed = answer.status_code == 206
            written = begun if resumed else 0
            with partial.open("ab" if resumed else "wb") as file:
                # read1: what has come is written before a broken connection is noticed.
                while chunk := answer.raw.read1(_CHUNK):
                    written += len(chunk)
                    if written > MOST_BYTES:
                        raise DocumentError(f"{document.url} sends more than {MOST_BYTES // 2**20} MB: check the url")
                    file.write(chunk)
            promised = answer.headers.get("Content-Length")
            if promised and written < int(promised) + (begun if resumed else 0):
                raise requests.ConnectionError("the connection closed early")
    except (requests.RequestException, HTTPError) as error:
        kept = f"; {partial.stat().st_size} bytes are kept, the next fetch continues them" if partial.exists() else ""
        raise DocumentError(
            f"{document.url} cannot be reached ({type(error).__name__}): check the network, or put the file at "
            f"{path} by hand{kept}"
        ) from error
    digest = _sha256(partial)
    try:
        _require_hash(document, digest, f"{document.url} gave another document than the settings name")
    except DocumentError:
        partial.unlink()
        raise
    partial.replace(path)
    return digest


def _require_hash(document: DocumentSettings, digest: str, message: str) -> None:
    if document.sha256 and digest != document.sha256:
        raise DocumentError(f"{message} (sha256 {digest[:16]}…, expected {document.sha256[:16]}…)")


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
