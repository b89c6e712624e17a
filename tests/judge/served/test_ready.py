from __future__ import annotations

import threading
from collections.abc import Callable

import pytest

from antinomy.errors import EnvironmentFault, JudgeError
from antinomy.judge.served.ready import ready
from antinomy.settings.served import OpenAISettings
from judge.server import MODEL, JudgeServer, Reply, completion

MakeSettings = Callable[..., OpenAISettings]


def test_a_sound_server_is_ready(server: JudgeServer, settings: MakeSettings) -> None:
    found = ready(settings())
    assert (found.model, found.window, found.warnings) == (MODEL, 8192, ())
    assert found.label_mass == pytest.approx(1.0)
    assert server.count == 2


def test_no_server(settings: MakeSettings) -> None:
    with pytest.raises(EnvironmentFault, match=r"no server at http://127\.0\.0\.1:9/v1 .*`vllm serve judge`"):
        ready(settings(base_url="http://127.0.0.1:9/v1"))


def test_a_server_that_is_still_loading(server: JudgeServer, settings: MakeSettings) -> None:
    server.healthy = False
    with pytest.raises(EnvironmentFault, match="not up yet"):
        ready(settings())


@pytest.mark.parametrize("status", [429, 500, 503])
def test_the_first_question_is_tried_again_like_any_other(
    server: JudgeServer, settings: MakeSettings, status: int
) -> None:
    server.on_request = lambda request: Reply(status, "busy") if request.number in (1, 3) else None
    assert ready(settings()).label_mass == pytest.approx(1.0)
    assert server.count == 4


def test_a_server_that_comes_up_meanwhile_is_waited_for_and_it_is_told(
    server: JudgeServer, settings: MakeSettings, caplog: pytest.LogCaptureFixture
) -> None:
    server.healthy = False
    threading.Timer(0.3, lambda: setattr(server, "healthy", True)).start()
    assert ready(settings(max_retries=20, backoff_s=0.1)).model == MODEL
    assert "/health yet (http_503" in caplog.text
    assert "asked again in" in caplog.text


def test_another_model(server: JudgeServer, settings: MakeSettings) -> None:
    with pytest.raises(JudgeError, match=r"serves judge, not bigger: set judge\.openai\.model"):
        ready(settings(model="bigger"))


def test_a_base_url_that_ends_too_early(server: JudgeServer, settings: MakeSettings) -> None:
    with pytest.raises(JudgeError, match="/v1"):
        ready(settings(base_url=server.url.removesuffix("/v1")))


def test_a_window_smaller_than_the_settings_say(server: JudgeServer, settings: MakeSettings) -> None:
    server.max_model_len = 2048
    with pytest.raises(JudgeError, match="window is 2048 tokens"):
        ready(settings())
    server.max_model_len = None
    assert ready(settings()).window is None


def test_a_window_in_the_settings_that_the_prompt_does_not_fit(server: JudgeServer, settings: MakeSettings) -> None:
    with pytest.raises(JudgeError, match=r"does not fit the window \(too_long.*judge\.openai\.context_tokens"):
        ready(settings(context_tokens=256))
    assert not server.count


def test_a_model_that_thinks_aloud(server: JudgeServer, settings: MakeSettings) -> None:
    server.on_request = lambda request: Reply(body=completion("<think>", top={"<think>": 0.99}, finish_reason="length"))
    with pytest.raises(JudgeError, match="enable_thinking"):
        ready(settings())


def test_a_server_without_logprobs(server: JudgeServer, settings: MakeSettings) -> None:
    server.on_request = lambda request: Reply(body=completion("A"))
    with pytest.raises(JudgeError, match="top_logprobs"):
        ready(settings())


def test_a_server_without_structured_output(server: JudgeServer, settings: MakeSettings) -> None:
    server.on_request = lambda request: (
        Reply(400, {"error": {"message": "response_format is not supported"}}) if request.asks_for_json else None
    )
    with pytest.raises(JudgeError, match="response_format is not supported"):
        ready(settings())


def test_a_model_too_small_to_explain_is_a_warning(server: JudgeServer, settings: MakeSettings) -> None:
    server.on_request = lambda request: Reply(body=completion("{}")) if request.asks_for_json else None
    (warning,) = ready(settings()).warnings
    assert "too small" in warning


def test_the_check_is_outside_the_budget(server: JudgeServer, settings: MakeSettings) -> None:
    assert ready(settings(budget={"calls": 0})).model == MODEL
