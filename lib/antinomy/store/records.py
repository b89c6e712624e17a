"""Files of JSON lines: labelled ones are checked before any work is done."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from antinomy.errors import AntinomyError
from antinomy.store import storage

#: Number of faults of a file that an error names.
_SHOWN = 3


def read(
    uri: str, required: Sequence[str], check: Callable[[dict[str, Any]], str] | None = None
) -> list[dict[str, Any]]:
    """Read a file of JSON objects, one a line; empty lines are passed over.

    Args:
        uri: path or URI.
        required: fields that every line must have, as text that is not empty.
        check: says what else is wrong with a record, "" if nothing.

    Raises:
        AntinomyError: naming the lines and what is wrong with them; also for a file without records.
    """
    records: list[dict[str, Any]] = []
    faults: list[str] = []
    try:
        lines = storage.read_bytes(uri).decode("utf-8-sig").split("\n")
    except UnicodeDecodeError as error:
        raise AntinomyError(f"{uri} is not UTF-8 text: expected JSON lines") from error
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
        except ValueError:
            faults.append(f"line {number}: no JSON")
            continue
        fault = _problem(record, required) or (check(record) if check else "")
        if fault:
            faults.append(f"line {number}: {fault}")
        else:
            records.append(record)
    if faults:
        more = f" and {len(faults) - _SHOWN} more" if len(faults) > _SHOWN else ""
        raise AntinomyError(f"{uri}: {'; '.join(faults[:_SHOWN])}{more}")
    if not records:
        raise AntinomyError(f"{uri} holds no records: expected one JSON object a line")
    return records


def to_bytes(rows: Iterable[Mapping[str, Any]]) -> bytes:
    """Return rows as JSON lines."""
    return "".join(json.dumps(dict(row), ensure_ascii=False) + "\n" for row in rows).encode()


def write(uri: str, rows: Iterable[Mapping[str, Any]]) -> None:
    """Write rows as a file of JSON lines."""
    storage.write_bytes(uri, to_bytes(rows))


def _problem(record: Any, required: Sequence[str]) -> str:
    if not isinstance(record, dict):
        return "no JSON object"
    missing = [name for name in required if not isinstance(record.get(name), str) or not record[name].strip()]
    return f"lacks {', '.join(missing)} (text)" if missing else ""


def choice_check(field: str, allowed: Sequence[str], required: bool = True) -> Callable[[dict[str, Any]], str]:
    """Return a check that a field is one of some values, or absent where that is allowed."""

    def check(record: dict[str, Any]) -> str:
        value = record.get(field)
        if value in allowed or (value is None and not required):
            return ""
        return f"{field} is {value!r}, expected one of {', '.join(allowed)}"

    return check
