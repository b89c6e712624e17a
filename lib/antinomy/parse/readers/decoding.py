"""Decodes the bytes of a text; bytes that are no text are reported with their place, never silently guessed at."""

from __future__ import annotations

import codecs
import re

from antinomy.errors import DocumentError

#: Control characters besides white space and escape.
CONTROL = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f]")
_UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_LEGACY = re.compile(rb"""(?:charset|encoding)\s*=\s*["']?\s*(?!utf-?8)[a-z0-9]""", re.I)
#: So many bad bytes are named.
_NAMED = 3


def decode(data: bytes) -> tuple[str, list[str]]:
    """Decode a text: UTF-16 with its mark, else UTF-8, else Windows-1252.

    A file with more UTF-8 characters than invalid bytes is damaged UTF-8: read otherwise, each of its other characters
    would become two or three.

    Returns:
        The text, with U+FFFD for invalid bytes; and warnings for a reader of the run, one sentence each.

    Raises:
        DocumentError: for a control character, or bytes that are in neither encoding; with their place.
    """
    if data.startswith(_UTF_16):
        try:
            return data.decode("utf-16"), []
        except UnicodeDecodeError as error:
            raise DocumentError(f"this UTF-16 text breaks off at byte {error.start:,}; save it as UTF-8") from error
    if control := CONTROL.search(data):
        raise DocumentError(
            f"this text has a control character ({_name(control[0])}) at {_place(data, control.start())}: remove it, "
            "or save the file as UTF-8 text"
        )
    try:
        return data.decode("utf-8-sig"), []
    except UnicodeDecodeError:
        pass
    text = data.decode("utf-8-sig", "surrogateescape")
    bad = [at for at, char in enumerate(text) if "\udc80" <= char <= "\udcff"]
    good = sum(char > "\x7f" for char in text) - len(bad)
    if good > len(bad):
        places = [
            f"{_name(text[at].encode(errors='surrogateescape'))} in line {text.count(chr(10), 0, at) + 1:,}"
            for at in bad[:_NAMED]
        ]
        more = f" and {len(bad) - _NAMED:,} more" if len(bad) > _NAMED else ""
        said = f"{len(bad):,} bytes are no UTF-8 and are shown as \ufffd: {', '.join(places)}{more}"
        return data.decode("utf-8-sig", "replace"), [said]
    try:
        return data.decode("cp1252"), ["this text is no UTF-8 and was read as Windows-1252"]
    except UnicodeDecodeError as error:
        raise DocumentError(
            f"this text is neither UTF-8 nor Windows-1252 ({_name(data[error.start : error.start + 1])} at "
            f"{_place(data, error.start)}); save it as UTF-8"
        ) from error


def as_utf8(data: bytes) -> tuple[bytes, list[str]]:
    """Return a page's bytes as UTF-8 unless it declares another encoding, and the warnings of ``decode``."""
    if data.startswith(_UTF_16) or _LEGACY.search(data[:4096]):
        return data, []
    text, warnings = decode(data)
    return text.encode(), warnings


def _name(byte: bytes) -> str:
    return f"byte 0x{byte[0]:02X}" + (", NUL" if byte == b"\0" else "")


def _place(data: bytes, at: int) -> str:
    line = data.count(b"\n", 0, at) + 1
    return f"byte {at:,}, line {line:,}"
