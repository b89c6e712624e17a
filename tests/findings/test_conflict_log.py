"""The conflict log shows any change made to it later."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from antinomy.cli.review import log_app
from antinomy.errors import AntinomyError
from antinomy.findings import conflict_log, decisions
from report import invented

ROWS = invented.findings()


@pytest.fixture
def written(tmp_path: Path) -> bytes:
    """The log of four decisions, one of them overruled, one on a finding of another run."""
    for place, word in ((0, "confirm"), (1, "confirm"), (1, "reject"), (2, "unsure")):
        decisions.record(str(tmp_path), "quarter-2", ROWS[place], word, "A. Analyst", "line\u2028two")
    decisions.record(str(tmp_path), "r", ROWS[0] | {"finding_id": "elsewhere"}, "confirm", "B")
    return conflict_log.write(decisions.read(str(tmp_path)), ROWS)


def test_the_log_says_what_was_decided_on_which_texts_by_whom_and_when(written: bytes) -> None:
    sealed = conflict_log.verify(written, "log")
    assert [entry["decision"] for entry in sealed.entries] == ["confirm", "confirm", "reject", "unsure"]
    first = sealed.entries[0]
    assert (first["left_label"], first["right_doc"]) == ("Article 17(1)", invented.US_CONTINUITY)
    assert (first["left_sha256"], first["right_sha256"]) == (invented.NOTICE_EU.sha256, invented.NOTICE_US.sha256)
    assert (first["model"], first["prompt_sha256"], first["reviewer"]) == ("norms-1", "d4" * 32, "A. Analyst")
    assert first["decided_at"].startswith("20")
    assert json.loads(written.splitlines()[-1])["hash"] == sealed.seal


def _tampered(data: bytes) -> dict[str, bytes]:
    lines = data.splitlines(keepends=True)
    record = json.loads(lines[2])
    forged = json.dumps(record | {"decision": "reject"}, sort_keys=True, separators=(",", ":")).encode() + b"\n"
    twice = lines[2].replace(b"{", b'{"decision":"reject",', 1)
    return {
        "a word": data.replace(b'"decision":"reject"', b'"decision":"confirm"'),
        "a record": b"".join([*lines[:2], forged, *lines[3:]]),
        "a field that occurs twice": b"".join([*lines[:2], twice, *lines[3:]]),
        "a space": data.replace(b'","', b'", "', 1),
        "a line less": b"".join(lines[:2] + lines[3:]),
        "the last line": b"".join(lines[:-1]),
        "half of the last line": data[:-9],
        "the last line break": data[:-1],
        "two lines exchanged": b"".join([lines[0], lines[2], lines[1], *lines[3:]]),
        "a line twice": b"".join([*lines, lines[-1]]),
        "a line more": data + b"{}\n",
        "no head": b"".join(lines[1:]),
        "the count": data.replace(b'"entries":4', b'"entries":3'),
    }


@pytest.mark.parametrize("how", list(_tampered(b'{"a":1}\n' * 4)))
def test_every_change_is_found(written: bytes, how: str) -> None:
    changed = _tampered(written)[how]
    assert changed != written
    with pytest.raises(AntinomyError, match=r"was changed after it was written|is not a conflict log"):
        conflict_log.verify(changed, "log")


def test_a_log_that_was_hashed_anew_needs_the_seal_or_a_key(written: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    entries: list[dict[str, Any]] = [dict(entry) for entry in conflict_log.verify(written, "log").entries]
    entries[2]["decision"] = "confirm"
    anew = conflict_log.write(entries, ROWS)
    assert conflict_log.verify(anew, "log").entries[2]["decision"] == "confirm"
    with pytest.raises(AntinomyError, match="is not the log that was sealed"):
        conflict_log.verify(anew, "log", seal=conflict_log.verify(written, "log").seal)
    monkeypatch.setenv(conflict_log.KEY_VARIABLE, "of the compliance office")
    keyed = conflict_log.write(entries, ROWS)
    assert conflict_log.verify(keyed, "log").keyed
    with pytest.raises(AntinomyError, match=r"no key.*unset"):
        conflict_log.verify(anew, "log")
    monkeypatch.setenv(conflict_log.KEY_VARIABLE, "a guess")
    with pytest.raises(AntinomyError, match="or it was written with another key"):
        conflict_log.verify(keyed, "log")
    monkeypatch.delenv(conflict_log.KEY_VARIABLE)
    with pytest.raises(AntinomyError, match=r"with a key .*set ANTINOMY_LOG_KEY"):
        conflict_log.verify(keyed, "log")


@pytest.mark.parametrize("seal", ["Siegel für den Prüfer", "0" * 63 + "\uff10"])
def test_a_seal_that_is_none_is_told_as_another(written: bytes, seal: str) -> None:
    with pytest.raises(AntinomyError, match=rf"is not the log that was sealed.*expected {seal}"):
        conflict_log.verify(written, "log", seal=seal)


def test_a_hash_of_letters_that_no_hash_has_is_a_change(written: bytes) -> None:
    lines = written.splitlines(keepends=True)
    record = json.loads(lines[2])
    forged = json.dumps(record | {"hash": "ä" * 64}, sort_keys=True, separators=(",", ":")).encode() + b"\n"
    with pytest.raises(AntinomyError, match="was changed after it was written"):
        conflict_log.verify(b"".join([*lines[:2], forged, *lines[3:]]), "log")


def test_the_command(written: bytes, tmp_path: Path) -> None:
    file = tmp_path / "conflict_log.jsonl"
    file.write_bytes(written)
    seal = conflict_log.verify(written, "log").seal
    done = CliRunner().invoke(log_app, ["verify", str(file)])
    assert f"4 decisions, as they were written; seal {seal}" in done.stdout
    assert "Give --seal" in done.stdout
    done = CliRunner().invoke(log_app, ["verify", str(file), "--seal", seal])
    assert (done.exit_code, "Give --seal" in done.stdout) == (0, False)
    file.write_bytes(written.replace(b"A. Analyst", b"B. Analyst", 1))
    done = CliRunner().invoke(log_app, ["verify", str(file)])
    assert isinstance(done.exception, AntinomyError)
    assert "line 2 is not as it was" in str(done.exception)
