"""The key leaves this process in one header and nowhere else."""

from __future__ import annotations

import dataclasses
import logging
import pickle
from collections.abc import Callable
from pathlib import Path

import pytest
from pydantic import ValidationError

from antinomy.errors import EnvironmentFault
from antinomy.judge.served.journal import Journal
from antinomy.judge.served.judge import OpenAIJudge
from antinomy.judge.served.ready import ready
from antinomy.settings.served import OpenAISettings
from judge.pairs import conflicting, pair
from judge.server import JudgeServer, Reply

KEY = "sk-VerySecret0123456789"
MakeSettings = Callable[..., OpenAISettings]


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JUDGE_KEY", KEY)


def test_the_key_reaches_the_server_and_no_log_row_repr_or_pickle(
    server: JudgeServer,
    settings: MakeSettings,
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    server.api_key = KEY
    chosen = settings(api_key_env="JUDGE_KEY")
    judge = OpenAIJudge(chosen).recording(Journal(str(tmp_path / "answers.jsonl"), {}))
    with caplog.at_level(logging.DEBUG):
        verdicts = list(judge.judge([conflicting()]))
    assert verdicts[0].status == "ok"
    assert server.headers[0]["Authorization"] == f"Bearer {KEY}"
    written = [
        caplog.text,
        *capfd.readouterr(),
        repr(judge),
        repr(chosen),
        chosen.model_dump_json(),
        repr(vars(judge)),
        (tmp_path / "answers.jsonl").read_text(),
    ]
    assert all(KEY not in text for text in written)
    assert KEY.encode() not in pickle.dumps(OpenAIJudge(chosen))


def test_a_server_that_repeats_the_key_it_refuses_puts_it_in_no_row(
    server: JudgeServer, settings: MakeSettings, caplog: pytest.LogCaptureFixture
) -> None:
    server.api_key = "another"
    with caplog.at_level(logging.DEBUG):
        (verdict,) = OpenAIJudge(settings(api_key_env="JUDGE_KEY")).judge([conflicting()])
        with pytest.raises(EnvironmentFault, match="JUDGE_KEY") as fault:
            ready(settings(api_key_env="JUDGE_KEY"))
    assert verdict.error.startswith("http_401: ")
    assert "***" in verdict.error
    for text in (str(dataclasses.asdict(verdict)), str(fault.value), caplog.text):
        assert KEY not in text


@pytest.mark.parametrize("status", [400, 429, 500])
def test_no_error_of_any_status_repeats_the_key(status: int, server: JudgeServer, settings: MakeSettings) -> None:
    server.on_request = lambda request: Reply(status, {"error": {"message": f"Bearer {KEY} is wrong {KEY}"}})
    chosen = settings(api_key_env="JUDGE_KEY", max_retries=1)
    (verdict,) = OpenAIJudge(chosen).judge([pair("One text.", "Other text.")])
    assert verdict.status == "error"
    assert KEY not in str(verdict)


def test_a_missing_key_is_said_by_the_name_of_its_variable(
    server: JudgeServer, settings: MakeSettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("JUDGE_KEY")
    with pytest.raises(EnvironmentFault, match="JUDGE_KEY is not set"):
        list(OpenAIJudge(settings(api_key_env="JUDGE_KEY")).judge([conflicting()]))
    assert server.count == 0


@pytest.mark.parametrize(
    "wrong",
    [
        {"api_key_env": KEY},
        {"base_url": f"http://user:{KEY}@host/v1"},
        {"base_url": f"http://host/v1?key={KEY}"},
    ],
)
def test_settings_that_would_store_a_key_are_refused(wrong: dict[str, str]) -> None:
    with pytest.raises(ValidationError) as refusal:
        OpenAISettings.model_validate(wrong)
    assert KEY not in refusal.value.errors()[0]["msg"]
