from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from antinomy.judge.served.judge import OpenAIJudge
from antinomy.settings.served import OpenAISettings
from judge.server import MODEL, JudgeServer


@pytest.fixture
def server() -> Iterator[JudgeServer]:
    with JudgeServer() as server:
        yield server


@pytest.fixture
def settings(server: JudgeServer) -> Callable[..., OpenAISettings]:
    """Settings for the tests' server, impatient, with changes."""

    def make(**changes: Any) -> OpenAISettings:
        chosen = {
            "base_url": server.url,
            "model": MODEL,
            "timeout_s": 20,
            "max_retries": 2,
            "backoff_s": 0.01,
            **changes,
        }
        return OpenAISettings.model_validate(chosen)

    return make


@pytest.fixture
def judge(settings: Callable[..., OpenAISettings]) -> Callable[..., OpenAIJudge]:
    return lambda **changes: OpenAIJudge(settings(**changes))
