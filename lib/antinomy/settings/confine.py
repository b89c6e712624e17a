"""Checks on settings: no files outside the data root, no secrets."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from antinomy.errors import SettingsError
from antinomy.store import storage

#: Words in the name of a setting whose value is a secret wherever they stand; names of providers are none.
_SECRET = re.compile(
    r"secret|passw|pwd\b|passphrase|authori[sz]ation|bearer|cookie|api[._-]?key|access[._-]?key|account[._-]?key"
    r"|credentials?(?![\w.]*provider)",
    re.I,
)
#: Words that make a secret of it at the end of its name only: ``key``, but not ``key.provider``, ``max_tokens``.
_SECRET_END = re.compile(r"(?:^|[^a-zA-Z])(?i:token|key|signature|sig)$|[a-z](?:Token|Key|Signature)$")
#: The same in a URL's query, a connection string or options for Java, with a value.
_IN_TEXT = re.compile(r"([\w.-]+)=(?!\s|$)", re.A)
#: In an address of Azure the container stands where others have a user and a password.
_WITH_PASSWORD = re.compile(r"\b(?!(?:abfss?|wasbs?)://[^/\s@:]*@)[a-z][a-z0-9+.-]*://[^/\s@]*@", re.I)


def resolve(root: str, path: str) -> str:
    """Return where a document lies.

    Args:
        root: the data root, a folder or a URI.
        path: relative to the root, or absolute (also as a URI) and below it.

    Raises:
        SettingsError: if it lies outside the root, by ``..``, by a symbolic link, or because it says so.
    """
    inside = _inside_uri if "://" in root and not root.startswith("file:") else _inside_folder
    found = inside(root, path)
    if found is None:
        raise SettingsError(
            f"{path} is not below data_root ({root}), symbolic links followed: set data_root to the folder that holds "
            "all documents"
        )
    return found


def _inside_folder(root: str, path: str) -> str | None:
    if "://" in path and not path.startswith("file:"):
        return None
    base = Path(re.sub(r"^file:(//)?", "", root)).absolute()
    document = base / re.sub(r"^file:(//)?", "", path)
    return str(document) if document.resolve().is_relative_to(base.resolve()) else None


def _inside_uri(root: str, path: str) -> str | None:
    # Object stores have no links, but a file system behind HDFS or S3 may read `..` as one does.
    base, document = urlsplit(root), urlsplit(path if "://" in path else storage.join(root, path))
    folder = posixpath.normpath("/" + base.path.strip("/"))
    within = posixpath.normpath("/" + document.path.strip("/"))
    same = (base.scheme, base.netloc) == (document.scheme, document.netloc)
    return document.geturl() if same and posixpath.commonpath([folder, within]) == folder else None


def find_secrets(settings: dict[str, Any]) -> Iterator[str]:
    """Yield the paths of all settings that look like secrets, never their values.

    A setting's own name says nothing where it is one of ours (``evaluate.key`` is a file): only what stands in
    free-form groups is told by its name. Texts are looked through everywhere, for ``password=…`` and ``user:…@host``.
    """
    free = {
        "spark.conf": settings["spark"]["conf"],
        "judge.openai.extra_body": settings["judge"]["openai"]["extra_body"],
    }
    for name, group in free.items():
        yield from (f"{name}.{key}" for key, value in _leaves("", group) if value is not None and _is_secret(key))
    for key, value in _leaves("", settings):
        if isinstance(value, str) and (_WITH_PASSWORD.search(value) or any(map(_is_secret, _IN_TEXT.findall(value)))):
            yield key


def _is_secret(name: str) -> bool:
    # Numbers are places in a list: the group above them has the name.
    words = [word for word in name.split(".") if not word.isdecimal()]
    return bool(_SECRET.search(name) or (words and _SECRET_END.search(words[-1])))


def _leaves(path: str, value: Any) -> Iterator[tuple[str, Any]]:
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else None
    if items is None:
        yield path, value
    else:
        for key, child in items:
            yield from _leaves(f"{path}.{key}" if path else str(key), child)
