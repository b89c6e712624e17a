"""The conflict log: what was decided, on which texts, by whom and when, in a file that shows any later change.

JSON lines. The first says how the file is made; each that follows is one decision. Every line holds the hash of
the line before it and its own, so a line that is changed, left out, added or moved breaks the chain. Who can
write the file can also hash all of it anew; two things stand against that: the last hash (the seal), which the
report shows and which can be kept elsewhere, and a key in the environment variable ANTINOMY_LOG_KEY, with which
the hashes are HMACs.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from antinomy.errors import AntinomyError
from antinomy.store.rows import DecisionRow, Subject

KEY_VARIABLE = "ANTINOMY_LOG_KEY"
#: Fields of an entry that come from the decision, and from the finding as it was read.
_DECIDED = (
    "decision_id", "finding_id", "decision", "reviewer", "note", "decided_at", "run_id", "relation", "p_conflict",
    "left_id", "right_id", "left_sha256", "right_sha256", "judge", "model", "prompt_sha256",
)  # fmt: skip
_LABELS = ("left_doc", "left_label", "right_doc", "right_label")


@dataclass(frozen=True)
class VerifiedLog:
    """A log that is as it was written.

    Attributes:
        entries: the decisions in it.
        seal: the last line's hash.
        keyed: its hashes need the key that it was written with.
    """

    entries: tuple[dict[str, Any], ...]
    seal: str
    keyed: bool


def write(decisions: Iterable[DecisionRow], findings: Iterable[Subject]) -> bytes:
    """Make the log of a run: every decision on one of its findings, overruled ones included, the oldest first.

    Args:
        decisions: rows of ``decisions``, the oldest first.
        findings: rows of ``findings``, and what else was decided on; they give the labels.
    """
    findings_by_id = {row["finding_id"]: row for row in findings}
    entries = [
        _select(row, _DECIDED) | _select(findings_by_id[row["finding_id"]], _LABELS)
        for row in decisions
        if row["finding_id"] in findings_by_id
    ]
    key = _key()
    head = {"log": "antinomy conflict log", "version": 1, "hash_with": _algorithm(key), "entries": len(entries)}
    lines, previous = [], ""
    for record in (head, *entries):
        chained = record | {"previous": previous}
        previous = _digest(chained, key)
        lines.append(_canonical(chained | {"hash": previous}))
    return ("\n".join(lines) + "\n").encode()


def verify(data: bytes, name: str, seal: str = "") -> VerifiedLog:
    """Check that a log is as it was written.

    Args:
        data: the file.
        name: of the file, for messages.
        seal: what its last hash must be, "" if that was not kept.

    Raises:
        AntinomyError: naming the first line that is not as it was written, or what else is wrong.
    """
    lines = data.decode("utf-8", errors="replace").split("\n")
    head = _parse(lines[0]) or {}
    if head.get("log") != "antinomy conflict log":
        raise AntinomyError(f"{name} is not a conflict log: its first line should say so; it may have been cut off")
    key = _key()
    if head.get("hash_with") != _algorithm(key):
        raise AntinomyError(
            f"{name} was written with {'a' if key is None else 'another or no'} key ({head.get('hash_with')}): "
            f"{'set' if key is None else 'unset'} {KEY_VARIABLE} to check it"
        )
    entries, previous = [], ""
    for number, line in enumerate(lines[:-1], start=1):
        record = _parse(line)
        if record is None or _canonical(record) != line or not _is_chained(record, previous, key):
            raise AntinomyError(
                f"{name} was changed after it was written: line {number} is not as it was, or a line before it is "
                "missing" + (", or it was written with another key" if key is not None and number == 1 else "")
            )
        previous = record["hash"]
        entries.append({field: value for field, value in record.items() if field not in ("previous", "hash")})
    if lines[-1] or len(entries) - 1 != head.get("entries"):
        raise AntinomyError(
            f"{name} was changed after it was written: it should have {head.get('entries')} entries and end with a "
            f"line break, it has {len(entries) - 1}"
        )
    if seal and not hmac.compare_digest(seal.encode(), previous.encode()):
        raise AntinomyError(
            f"{name} is not the log that was sealed: its seal is {previous}, expected {seal}; the whole file may have "
            "been written anew"
        )
    return VerifiedLog(tuple(entries[1:]), previous, key is not None)


def _select(row: Mapping[str, Any], names: Iterable[str]) -> dict[str, Any]:
    return {name: row[name] for name in names}


def _key() -> bytes | None:
    key = os.environ.get(KEY_VARIABLE, "")
    return key.encode() if key else None


def _algorithm(key: bytes | None) -> str:
    return "sha256" if key is None else "hmac-sha256"


def _is_chained(record: dict[str, Any], previous: str, key: bytes | None) -> bool:
    body = {field: value for field, value in record.items() if field != "hash"}
    right = hmac.compare_digest(str(record.get("hash")).encode(), _digest(body, key).encode())
    return right and record.get("previous") == previous


def _digest(record: Mapping[str, Any], key: bytes | None) -> str:
    data = _canonical(record).encode()
    return hashlib.sha256(data).hexdigest() if key is None else hmac.new(key, data, "sha256").hexdigest()


def _canonical(record: Mapping[str, Any]) -> str:
    # One way to write a record, so that no byte of a line can change unseen. Escaped, lest U+2028 end a line.
    return json.dumps(dict(record), sort_keys=True, ensure_ascii=True, separators=(",", ":"))


def _parse(line: str) -> dict[str, Any] | None:
    try:
        record = json.loads(line)
    except ValueError:
        return None
    return record if isinstance(record, dict) else None
