"""Answers are written down before they are used, and found again instead of being asked for."""

from __future__ import annotations

import dataclasses
import logging
from collections.abc import Callable
from itertools import islice
from pathlib import Path

import pandas as pd
import pytest

from antinomy.errors import StorageError
from antinomy.judge import tasks
from antinomy.judge.protocol import Pair, Verdict
from antinomy.judge.served.journal import Journal, recover
from antinomy.judge.served.judge import OpenAIJudge
from antinomy.store import schemas, storage, tables
from judge.pairs import conflicting, unrelated
from judge.server import JudgeServer, Reply

MakeJudge = Callable[..., OpenAIJudge]
PAIRS = [conflicting(i) if i % 2 else unrelated(i) for i in range(12)]


def timeless(verdicts: list[Verdict]) -> dict[str, Verdict]:
    return {verdict.pair_key: dataclasses.replace(verdict, latency_ms=0.0) for verdict in verdicts}


def test_what_a_killed_task_had_is_not_asked_again(server: JudgeServer, judge: MakeJudge, tmp_path: Path) -> None:
    file = tmp_path / "answers" / "task.jsonl"
    killed = judge(max_in_flight=3).recording(Journal(str(file), {})).judge(PAIRS)
    before = list(islice(killed, 7))
    killed.close()  # type: ignore[attr-defined]
    server.wait_for_clients_to_leave()
    asked = server.count
    answered = len(file.read_text().splitlines())
    # What is not in the file was in flight when the task ended.
    assert sum(verdict.calls for verdict in before) <= answered <= asked <= answered + 3

    again = judge().recording(Journal(str(tmp_path / "second.jsonl"), recover([str(file)])))
    verdicts = timeless(list(again.judge(PAIRS)))
    assert server.count - asked == sum(verdict.calls for verdict in verdicts.values()) - answered
    assert verdicts == timeless(list(judge().judge(PAIRS)))


def test_retries_are_remembered_as_paid(server: JudgeServer, judge: MakeJudge, tmp_path: Path) -> None:
    server.on_request = lambda request: Reply(500, "boom") if request.number == 1 else None
    file = str(tmp_path / "task.jsonl")
    (first,) = judge(both_orders=False).recording(Journal(file, {})).judge([unrelated()])
    (second,) = judge(both_orders=False).recording(Journal(file, recover([file]))).judge([unrelated()])
    assert first.calls == second.calls == server.count == 2


def test_written_verdicts_need_their_answers_no_more(server: JudgeServer, judge: MakeJudge, tmp_path: Path) -> None:
    file = tmp_path / "task.jsonl"
    journal = Journal(str(file), {})
    for verdict in judge(max_in_flight=1).recording(journal).judge(PAIRS):
        journal.forget([verdict.pair_key])
        # The verdict's own answers, until the next answer replaces the file.
        assert len(file.read_text().splitlines()) <= 8
    journal.close()
    assert list(tmp_path.iterdir()) == []


def test_a_damaged_line_is_a_question_asked_again(
    server: JudgeServer, judge: MakeJudge, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    file = tmp_path / "task.jsonl"
    list(judge().recording(Journal(str(file), {})).judge([unrelated()]))
    whole = file.read_bytes()
    file.write_bytes(whole[:-20])
    with caplog.at_level(logging.WARNING):
        known = recover([str(file), str(tmp_path / "gone.jsonl")])
    assert len(known) == 1
    assert "damaged line" in caplog.text
    (verdict,) = judge().recording(Journal(str(file), known)).judge([unrelated()])
    assert (verdict.status, server.count) == ("ok", 3)


def test_answers_that_cannot_be_written_down_end_the_work(
    server: JudgeServer, judge: MakeJudge, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StorageError, match="cannot be written"):
        list(judge().recording(Journal(str(tmp_path / "file" / "task.jsonl"), {})).judge(PAIRS))
    assert server.count <= 2 * len(PAIRS)


@pytest.mark.parametrize("identity", ["same", "other"])
def test_what_a_stopped_task_finished_since_is_not_asked_again(
    server: JudgeServer, judge: MakeJudge, tmp_path: Path, identity: str
) -> None:
    """A task of a stopped stage works on for seconds: it may write its verdicts and remove its journal meanwhile."""
    mine = judge()
    first, rest = PAIRS[:8], PAIRS[8:]
    listed = tmp_path / "answers" / "killed-openai-00000-x.jsonl"  # there when it was looked for, gone since
    others = mine.prompt_sha256 if identity == "same" else "of another prompt"
    rows = [
        {**dataclasses.asdict(verdict), "judge": mine.name, "model": mine.model, "prompt_sha256": others,
         "call_id": "killed", "judged_at": "2026-01-01"}
        for verdict in mine.judge(first)
    ]  # fmt: skip
    opened = tables.open_folder(str(tmp_path), "verdicts", "killed")
    storage.write_bytes(f"{opened}/openai-00000-x.parquet", tables.parquet(rows, schemas.cache_schema("verdicts")))
    asked = server.count
    folders = tasks.CallFolders.open(str(tmp_path), "verdicts", "again", str(tmp_path / "answers"), (str(listed),))
    work = tasks.JudgingJob(folders, judge=mine, tasks=1)
    written = tasks.judge_partition([_frame(PAIRS)], work, 0)
    expected = rest if identity == "same" else PAIRS
    now = server.count
    assert written == len(expected)
    assert now - asked == sum(verdict.calls for verdict in judge().judge(expected))


def _frame(pairs: list[Pair]) -> pd.DataFrame:
    sides = ("left", "right")
    fields = {"id": "section_id", "unit_id": "unit_id", "label": "label", "text": "text", "context": "context",
              "sha256": "sha256"}  # fmt: skip
    return pd.DataFrame(
        [
            {"pair_key": pair.pair_key, "place": 1}
            | {
                f"{side}_{name}": getattr(getattr(pair, side), field)
                for side in sides
                for name, field in fields.items()
            }
            for pair in pairs
        ]
    )
