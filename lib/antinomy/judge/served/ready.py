"""Checks before a run that the server is up and serves the model, and that the model can answer both questions."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from antinomy.errors import AntinomyError, EnvironmentFault, JudgeError
from antinomy.judge.protocol import Provision
from antinomy.judge.served import explain, screen
from antinomy.judge.served.background import connected
from antinomy.judge.served.budget import Budget
from antinomy.judge.served.client import Client, Spent
from antinomy.judge.served.failure import CallFailed
from antinomy.judge.served.judge import layout
from antinomy.settings.served import BudgetSettings, OpenAISettings


@dataclass(frozen=True, slots=True)
class Readiness:
    """Result of the check.

    Attributes:
        model: that is served.
        window: context window of the model in tokens, None if the server does not say.
        label_mass: probability of the labels in the warm-up.
        warnings: one sentence each.
    """

    model: str
    window: int | None
    label_mass: float
    warnings: tuple[str, ...]


def ready(settings: OpenAISettings) -> Readiness:
    """Check the server and ask both questions about an example of the prompt.

    Raises:
        SettingsError: if the prompt cannot be loaded.
        EnvironmentFault: if the server cannot be reached, is not up yet, or refuses the key.
        JudgeError: if the server or its model cannot judge.
    """
    # A check does not count against the run's budget.
    with connected(settings, Budget(BudgetSettings(), settings.price)) as submit:
        found: Readiness = submit(lambda client: _check(client, settings)).result()
    return found


async def _check(client: Client, settings: OpenAISettings) -> Readiness:
    await _healthy(client, settings)
    warnings: list[str] = []
    window = await _window(client, settings)
    if window is not None and window < settings.context_tokens:
        raise JudgeError(
            f"the server's window is {window} tokens, judge.openai.context_tokens is "
            f"{settings.context_tokens}: set it to {window} or less, or serve with a larger --max-model-len"
        )
    prompt_layout = layout(settings)
    example = prompt_layout.prompt.examples[0]
    first, second = (Provision("", "", "", text, "", "") for text in (example.first, example.second))
    try:
        answer = await client.ask(prompt_layout.screen(first, second), 1, Spent(), logprobs=True, top_logprobs=20)
        screened = screen.read_labels(answer.top, tuple(prompt_layout.prompt.labels))
    except CallFailed as failure:
        raise _fatal_error(failure, settings) from None
    if not answer.counts_cached:
        warnings.append("the server does not count cached tokens: start vLLM with --enable-prompt-tokens-details")
    try:
        explanation = await client.ask(
            prompt_layout.explain(first, second),
            settings.max_tokens,
            Spent(),
            response_format=explain.RESPONSE_FORMAT,
        )
        explanation.parse(explain.Explanation)
    except CallFailed as failure:
        if failure.code not in {"schema", "truncated", "empty_answer"}:
            raise _fatal_error(failure, settings) from None
        warnings.append(f"the warm-up's explanation cannot be used ({failure}): the model may be too small")
    return Readiness(settings.model, window, screened.mass, tuple(warnings))


async def _healthy(client: Client, settings: OpenAISettings) -> None:
    try:
        await client.get(settings.base_url.removesuffix("/v1") + "/health")
    except CallFailed as failure:
        if failure.code in {"connection", "timeout"}:
            raise EnvironmentFault(
                f"no server at {settings.base_url} ({failure}): start one (`vllm serve {settings.model}`), "
                "or set judge.openai.base_url"
            ) from None
        if failure.code == "http_503":
            raise EnvironmentFault(f"the server at {settings.base_url} is not up yet: wait and try again") from None
        # Servers other than vLLM may not have this page; the next request shows whether they are up.


async def _window(client: Client, settings: OpenAISettings) -> int | None:
    try:
        listing: Any = json.loads((await client.get("/models")).content)
        models = {str(entry["id"]): entry for entry in listing["data"]}
    except CallFailed as failure:
        raise _fatal_error(failure, settings) from None
    except (ValueError, KeyError, TypeError):
        raise JudgeError(
            f"{settings.base_url}/models is no list of models: judge.openai.base_url must end where the API "
            "starts (/v1)"
        ) from None
    if settings.model not in models:
        raise JudgeError(
            f"the server at {settings.base_url} serves {', '.join(sorted(models)) or 'no model'}, not "
            f"{settings.model}: set judge.openai.model"
        )
    window = models[settings.model].get("max_model_len")
    return window if isinstance(window, int) else None


def _fatal_error(failure: CallFailed, settings: OpenAISettings) -> AntinomyError:
    if failure.code in {"http_401", "http_403"}:
        name = settings.api_key_env or "a variable of your choice, named in judge.openai.api_key_env"
        return EnvironmentFault(f"the server at {settings.base_url} refuses the key ({failure}): put it in {name}")
    if failure.code in {"connection", "timeout", "rate_limited", "http_503"}:
        return EnvironmentFault(f"the server at {settings.base_url} does not answer ({failure}): try again later")
    if failure.code == "http_404":
        return JudgeError(f"{settings.base_url} is not where the API is ({failure}): the path mostly ends in /v1")
    if failure.code == "labels":
        return JudgeError(
            f"the model answers by no label ({failure}): stop its thinking (judge.openai.extra_body "
            '{"chat_template_kwargs": {"enable_thinking": false}}), or serve another model'
        )
    if failure.code == "too_long":
        return JudgeError(
            f"the prompt does not fit the window ({failure}): set judge.openai.context_tokens higher, and serve with "
            "as large a window"
        )
    return JudgeError(f"the server at {settings.base_url} cannot judge ({failure})")
