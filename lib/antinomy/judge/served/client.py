"""Sends requests to a server with the OpenAI API: limited, counted, retried by reason; no message contains the key."""

from __future__ import annotations

import asyncio
import logging
import os
import random
import ssl
import time
from collections.abc import Callable
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from functools import cache
from types import TracebackType
from typing import Any

import aiohttp
import httpx2
from openai import APIConnectionError, APIStatusError, AsyncOpenAI, DefaultAioHttpClient
from pydantic import SecretStr
from tenacity import (
    AsyncRetrying,
    RetryCallState,
    retry_if_exception,
    stop_after_attempt,
    wait_exponential_jitter,
)

from antinomy.errors import EnvironmentFault
from antinomy.judge.served.budget import Budget
from antinomy.judge.served.failure import CallFailed
from antinomy.judge.served.journal import Journal, request_key
from antinomy.judge.served.prompt import Message
from antinomy.judge.served.wire import Answer, Completion, read_completion
from antinomy.settings.served import OpenAISettings
from antinomy.text.characters import one_line

if logging.getLogger("httpx2").level == logging.NOTSET:
    # With hundreds of thousands of requests, a log line for each is too much.
    logging.getLogger("httpx2").setLevel(logging.WARNING)

log = logging.getLogger("antinomy")

#: Longest wait in seconds that a server may ask for; a longer one counts as a refusal.
MAX_RETRY_AFTER_S = 120.0
_MAX_BACKOFF_S = 30.0
_MESSAGE_LENGTH = 300


@dataclass(slots=True)
class Spent:
    """What one pair has used so far, failed calls included; times are of the monotonic clock."""

    pair_key: str = ""
    calls: int = 0
    input_tokens: int = 0
    cached_tokens: int = 0
    output_tokens: int = 0
    started: float = 0.0
    ended: float = 0.0

    def add(self, completion: Completion) -> None:
        """Count the tokens of an answer."""
        if usage := completion.usage:
            self.input_tokens += usage.prompt_tokens
            self.cached_tokens += usage.cached_tokens or 0
            self.output_tokens += usage.completion_tokens

    @property
    def latency_ms(self) -> float:
        """Wall time from the first request to the last answer."""
        return round((self.ended - self.started) * 1000, 1)


def estimate_tokens(messages: list[Message]) -> int:
    """Return an estimate of the tokens of a prompt: one per four bytes, and six per message."""
    return sum(len(message["content"].encode("utf-8", "replace")) // 4 + 6 for message in messages)


def api_key(settings: OpenAISettings) -> SecretStr:
    """Read the key from the environment.

    Raises:
        EnvironmentFault: if the variable that the settings name is not set.
    """
    if not settings.api_key_env:
        return SecretStr("none")
    key = os.environ.get(settings.api_key_env, "").strip()
    if not key:
        raise EnvironmentFault(
            f"environment variable {settings.api_key_env} is not set: export it with the server's key "
            '(on Spark also by spark.executorEnv), or set judge.openai.api_key_env to "" if it has none'
        )
    return SecretStr(key)


class Client:
    """One worker's connection to the server; an asynchronous context manager, bound to its event loop.

    Args:
        settings: of the server.
        budget: checked before every attempt.
        journal: answers are written to it, and those of killed tasks are found in it; None for no journal.
    """

    def __init__(self, settings: OpenAISettings, budget: Budget, journal: Journal | None = None) -> None:
        self._settings = settings
        self._budget = budget
        self._journal = journal
        self._key = api_key(settings)
        self._slots = asyncio.Semaphore(settings.max_in_flight)
        self._failed_in_row = 0
        self._give_up_after = 2 * settings.max_in_flight + 20
        limits = httpx2.Limits(max_connections=settings.max_in_flight, max_keepalive_connections=settings.max_in_flight)
        self._api = AsyncOpenAI(
            base_url=settings.base_url,
            api_key=self._key.get_secret_value(),
            # Retries are our own: each attempt counts against the budget, and only we know which faults may pass.
            max_retries=0,
            timeout=settings.timeout_s,
            # On aiohttp: the default transport looks through all connections at each request, which at a
            # hundred in flight costs as much time as everything else.
            http_client=DefaultAioHttpClient(limits=limits, timeout=settings.timeout_s, verify=_certificates()),
        )

    async def __aenter__(self) -> Client:
        """Enter."""
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the connections."""
        await self._api.close()

    async def ask(self, messages: list[Message], max_tokens: int, spent: Spent, **fields: Any) -> Answer:
        """Ask one question.

        Args:
            messages: the prompt.
            max_tokens: bound on the answer's length.
            spent: is increased, also when the call fails.
            fields: further fields of the request.

        Raises:
            CallFailed: ``too_long`` before anything is sent, if prompt and answer do not fit the window; when there is
                no answer after all retries, or the budget is spent.
        """
        tokens, window = estimate_tokens(messages), self._settings.context_tokens
        if tokens + max_tokens > window:
            raise CallFailed(
                "too_long", f"about {tokens} tokens and {max_tokens} for the answer, the window is {window}"
            )
        body = {
            "model": self._settings.model,
            "messages": messages,
            "max_completion_tokens": max_tokens,
            "temperature": self._settings.temperature,
            **fields,
            **self._settings.extra_body,
        }
        request = request_key(body) if self._journal else ""
        if self._journal and (found := self._journal.known(request)):
            spent.calls += found.calls
            spent.add(found.completion)
            return found.completion.answer()
        retrying = self._retrying()
        async with self._slots:
            if self._failed_in_row >= self._give_up_after:
                raise CallFailed(
                    "endpoint", f"given up after {self._failed_in_row} failures in a row; check the server"
                )
            try:
                completion: Completion = await retrying(self._attempt, body, tokens, max_tokens, spent)
            except CallFailed as failure:
                if failure.endpoint:
                    self._failed_in_row += 1
                raise
            self._failed_in_row = 0
            if self._journal:
                # The slot is kept until the answer is written, since an answer counts as in flight until then.
                attempts = retrying.statistics["attempt_number"]
                await self._journal.record(spent.pair_key, request, attempts, completion)
            return completion.answer()

    async def get(self, url: str) -> httpx2.Response:
        """Fetch a URL of the server, absolute or below ``base_url``, with the retries of a question.

        Raises:
            CallFailed: when there is no answer after all retries, or one with a status of 400 or more.
        """

        async def attempt() -> httpx2.Response:
            return await self._guarded(self._api.get(url, cast_to=httpx2.Response))

        def log_retry(state: RetryCallState) -> None:
            wait_s = state.next_action.sleep if state.next_action else 0.0
            log.warning("no answer from %s yet (%s): asked again in %.0f s", url, _failure(state), wait_s)

        response: httpx2.Response = await self._retrying(log_retry)(attempt)
        return response

    def _retrying(self, log_retry: Callable[[RetryCallState], None] | None = None) -> AsyncRetrying:
        backoff = wait_exponential_jitter(
            initial=self._settings.backoff_s, max=_MAX_BACKOFF_S, jitter=self._settings.backoff_s
        )

        def wait(state: RetryCallState) -> float:
            failure = _failure(state)
            if failure and failure.retry_after is not None:
                # Spread out, and never earlier than the server asks.
                return failure.retry_after * random.uniform(1.0, 1.1)
            return backoff(state)

        return AsyncRetrying(
            retry=retry_if_exception(lambda error: isinstance(error, CallFailed) and error.transient),
            stop=stop_after_attempt(self._settings.max_retries + 1),
            wait=wait,
            before_sleep=log_retry,
            reraise=True,
        )

    async def _attempt(self, body: dict[str, Any], tokens: int, max_tokens: int, spent: Spent) -> Completion:
        reserved = self._budget.reserve(tokens, max_tokens)
        spent.calls += 1
        spent.started = spent.started or time.monotonic()
        try:
            response = await self._guarded(self._api.post("/chat/completions", cast_to=httpx2.Response, body=body))
        except CallFailed as failure:
            if failure.code not in {"timeout", "connection"}:
                self._budget.settle(reserved, 0, 0, 0)
            raise
        finally:
            spent.ended = time.monotonic()
        completion = read_completion(response.content)
        if usage := completion.usage:
            self._budget.settle(reserved, usage.prompt_tokens, usage.cached_tokens or 0, usage.completion_tokens)
        spent.add(completion)
        return completion

    async def _guarded(self, request: Any) -> httpx2.Response:
        """Await a request; every fault becomes a CallFailed whose message holds no secret.

        The causes are cut off on purpose (``from None``): they carry the request with its headers.
        """
        timeout = self._settings.timeout_s
        try:
            # The client's own timeout is per read; a server that sends a byte at a time would never hit it.
            async with asyncio.timeout(timeout):
                response: httpx2.Response = await request
                return response
        except (TimeoutError, APIConnectionError, aiohttp.ClientError) as error:
            # The transport reports some broken connections as timeouts, so what counts is the chain of
            # causes; and it lets answers that are no HTTP through as they are.
            causes: list[BaseException] = [error]
            while cause := causes[-1].__cause__:
                causes.append(cause)
            if any(isinstance(cause, TimeoutError) for cause in causes):
                raise CallFailed("timeout", f"no answer within {timeout:g} s", transient=True, endpoint=True) from None
            detail = self._scrub(f"{type(causes[-1]).__name__}: {causes[-1]}")
            raise CallFailed("connection", detail, transient=True, endpoint=True) from None
        except APIStatusError as error:
            raise self._status(error) from None

    def _status(self, error: APIStatusError) -> CallFailed:
        status = error.status_code
        detail = self._scrub(error.message)
        if status in {408, 409, 429} or status >= 500:
            code = "rate_limited" if status == 429 else f"http_{status}"
            wait = _retry_after(error.response.headers)
            worth_waiting = wait is None or wait <= MAX_RETRY_AFTER_S
            return CallFailed(code, detail, transient=worth_waiting, endpoint=True, retry_after=wait)
        if status in {400, 413, 422} and _says_too_long(detail):
            return CallFailed("too_long", detail)
        return CallFailed(f"http_{status}", detail, endpoint=status in {401, 403, 404})

    def _scrub(self, message: str) -> str:
        """Return a server's message in one line, without the key that some servers repeat."""
        if self._settings.api_key_env:
            message = message.replace(self._key.get_secret_value(), "***")
        message = one_line(message)
        return message if len(message) <= _MESSAGE_LENGTH else message[:_MESSAGE_LENGTH] + " …"


@cache
def _certificates() -> ssl.SSLContext:
    """Load the trusted certificates: a tenth of a second, so once per process."""
    return httpx2.create_ssl_context()


def _failure(state: RetryCallState) -> CallFailed | None:
    error = state.outcome.exception() if state.outcome else None
    return error if isinstance(error, CallFailed) else None


def _retry_after(headers: httpx2.Headers) -> float | None:
    """Return the seconds to wait that the server asks for, None if it asks for none that can be read."""
    value = headers.get("retry-after", "")
    try:
        seconds = float(value)
    except ValueError:
        try:
            seconds = max(0.0, parsedate_to_datetime(value).timestamp() - time.time())
        except ValueError:
            return None
    return seconds if 0 <= seconds < float("inf") else None


def _says_too_long(message: str) -> bool:
    """Tell whether an error is about the context window, in the words of vLLM, OpenAI and llama.cpp."""
    lowered = message.lower()
    return any(
        words in lowered
        for words in (
            "maximum context length", "context_length_exceeded", "max_model_len", "exceed_context_size",
            "available context size", "longer than the maximum",
        )
    )  # fmt: skip
