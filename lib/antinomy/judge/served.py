"""The served judge: screen, then explain, by a model behind the OpenAI API."""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import Awaitable, Callable, Iterable, Iterator
from contextlib import closing
from functools import partial
from typing import TypeVar

from antinomy.judge import explain, screen
from antinomy.judge.background import connected, unordered
from antinomy.judge.budget import Budget
from antinomy.judge.client import Client, Spent, estimate_tokens
from antinomy.judge.failure import CallFailed
from antinomy.judge.prompt import Layout, Message, load
from antinomy.judge.protocol import Pair, Verdict
from antinomy.judge.served_settings import OpenAISettings

Result = TypeVar("Result")

#: The API gives no more.
_TOP_LOGPROBS = 20


class OpenAIJudge:
    """Judges pairs by a model that a server with the OpenAI API serves (``protocol.Judge``).

    Both questions are asked in both orders. The screen's label probabilities are averaged; pairs whose labels worth
    explaining reach the threshold get the second question. ``p_conflict`` is always the screen's. Holds no key and no
    connection, so it can be pickled and shipped to workers.

    Args:
        settings: of the server.
        budget: what may be spent; made from the settings if not given.

    Raises:
        SettingsError: if the prompt cannot be loaded.
    """

    name = "openai"

    def __init__(self, settings: OpenAISettings, budget: Budget | None = None) -> None:
        self._settings = settings
        self._prompt = load(settings.prompt)
        self._layout = layout(settings)
        self.budget = budget or Budget(settings.budget, settings.price)
        self.model = settings.model
        decides = {
            "prompt": self._prompt.sha256,
            "facts": _facts_version() if settings.facts_mode else "",
            **settings.model_dump(
                mode="json",
                include={"both_orders", "screen_threshold", "max_tokens", "temperature", "extra_body"},
            ),
        }
        self.prompt_sha256 = hashlib.sha256(json.dumps(decides, sort_keys=True).encode()).hexdigest()

    def judge(self, pairs: Iterable[Pair]) -> Iterator[Verdict]:
        """Yield one verdict per pair as they come.

        Pairs are pulled as requests end, never more than ``max_in_flight`` ahead, and in this thread; the requests
        run in another. Closing the iterator cancels what is in flight. Sort the pairs by their left side, so that the
        server's prefix cache serves what they share.

        Raises:
            EnvironmentFault: if the key's variable is not set.
        """
        window = self._settings.max_in_flight
        with (
            connected(self._settings, self.budget) as submit,
            closing(unordered(pairs, submit, self._judge, window)) as verdicts,
        ):
            yield from verdicts

    async def _judge(self, client: Client, pair: Pair) -> Verdict:
        spent = Spent()
        try:
            verdict = await self._ask(client, pair, spent)
        except CallFailed as failure:
            verdict = Verdict(pair.pair_key, "error", error=str(failure))
        return replace_spent(verdict, spent)
