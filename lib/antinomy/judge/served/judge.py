"""The served judge: a model behind the OpenAI API screens a pair, then explains it."""

from __future__ import annotations

import asyncio
import copy
import dataclasses
import hashlib
import json
import logging
from collections.abc import Awaitable, Callable, Iterable, Iterator
from contextlib import closing
from typing import TypeVar

from antinomy.judge.protocol import Pair, Provision, Verdict
from antinomy.judge.served import explain, screen
from antinomy.judge.served.background import connected, unordered
from antinomy.judge.served.budget import Budget
from antinomy.judge.served.client import Client, Spent
from antinomy.judge.served.failure import UNASKED, CallFailed
from antinomy.judge.served.journal import Journal
from antinomy.judge.served.prompt import FACTS_LAYOUT, Layout, clean, load
from antinomy.run import fingerprints
from antinomy.settings.served import OpenAISettings

log = logging.getLogger("antinomy")

Result = TypeVar("Result")

#: Greatest number of alternatives per token that the API returns.
_TOP_LOGPROBS = 20


def layout(settings: OpenAISettings) -> Layout:
    """Return the layout that turns pairs into messages under these settings.

    Raises:
        SettingsError: if the prompt cannot be loaded.
    """
    prompt = load(settings.prompt)
    if settings.facts_mode == "none":
        return Layout(prompt)
    return Layout(prompt, read_facts=_facts_by_grammar if settings.facts_mode == "norms" else _served_facts)


class OpenAIJudge:
    """Judges pairs by a model behind the OpenAI API (``protocol.Judge``).

    The first question, the screen, asks for a label; its probabilities are averaged over both orders of the sides.
    Pairs get the second question, for an explanation, if the labels that are worth one reach the threshold together.
    ``p_conflict`` is always that of the screen. The judge holds no key and no connection, so it can be pickled.

    Args:
        settings: of the server.
        budget: what may be spent; made from the settings if not given.

    Raises:
        SettingsError: if the prompt cannot be loaded.
    """

    name = "openai"

    def __init__(self, settings: OpenAISettings, budget: Budget | None = None) -> None:
        self._settings = settings
        self._layout = layout(settings)
        self.budget = budget or Budget(settings.budget, settings.price)
        self._journal: Journal | None = None
        self.model = settings.model
        decides = {
            "prompt": self._layout.prompt.sha256,
            "facts": _facts(settings),
            **settings.model_dump(
                mode="json",
                include={"both_orders", "screen_threshold", "max_tokens", "temperature", "extra_body"},
            ),
        }
        self.prompt_sha256 = hashlib.sha256(json.dumps(decides, sort_keys=True).encode()).hexdigest()

    def judge(self, pairs: Iterable[Pair]) -> Iterator[Verdict]:
        """Yield one verdict per pair, in the order in which they are ready.

        Pairs are pulled in this thread, at most ``max_in_flight`` ahead of what was yielded; requests run in another
        thread. Closing the iterator cancels the requests in flight. Pairs should be sorted by their left side, so that
        the server's prefix cache serves what they share.

        Raises:
            EnvironmentFault: if the key's variable is not set.
        """
        with (
            connected(self._settings, self.budget, self._journal) as submit,
            closing(unordered(pairs, submit, self._judge, self._settings.max_in_flight)) as verdicts,
        ):
            yield from verdicts

    def for_task(self, tasks: int, index: int) -> OpenAIJudge:
        """Return a judge of the same kind with its share of the budget."""
        share = copy.copy(self)
        share.budget = Budget(
            self._settings.budget.share(tasks, index), self._settings.price, run=self._settings.budget
        )
        return share

    def recording(self, journal: Journal) -> OpenAIJudge:
        """Return a judge of the same kind that writes every answer into a journal."""
        recorder = copy.copy(self)
        recorder._journal = journal
        return recorder

    async def _judge(self, pair: Pair, client: Client) -> Verdict:
        screening, explaining = Spent(pair.pair_key), Spent(pair.pair_key)
        try:
            verdict = await self._verdict(client, pair, screening, explaining)
        except CallFailed as failure:
            _log_failure(pair, failure)
            verdict = Verdict(pair.pair_key, "error", error=str(failure))
        return dataclasses.replace(
            verdict,
            calls=screening.calls + explaining.calls,
            input_tokens=screening.input_tokens + explaining.input_tokens,
            cached_tokens=screening.cached_tokens + explaining.cached_tokens,
            output_tokens=screening.output_tokens + explaining.output_tokens,
            explain_calls=explaining.calls,
            explain_tokens=explaining.input_tokens + explaining.output_tokens,
            latency_ms=round(screening.latency_ms + explaining.latency_ms, 1),
        )

    async def _verdict(self, client: Client, pair: Pair, screening: Spent, explaining: Spent) -> Verdict:
        for side, provision in (("left", pair.left), ("right", pair.right)):
            if not clean(provision.text).strip():
                raise CallFailed("empty_text", f"there is nothing to read on the {side} side")
        answers = await self._in_orders(lambda swapped: self._screen(client, pair, swapped, screening))
        labels = self._layout.prompt.labels
        mean = screen.mean(answers)
        probabilities = {label.relation: mean.probabilities[token] for token, label in labels.items()}
        screened = Verdict(
            pair.pair_key,
            "ok",
            p_conflict=probabilities["conflict"],
            # A prompt without the label "none" does not tell whether a pair is related at all.
            p_related=1 - probabilities["none"] if "none" in probabilities else None,
            label_mass=mean.mass,
        )
        worth_explaining = sum(mean.probabilities[token] for token, label in labels.items() if label.explain)
        if worth_explaining < self._settings.screen_threshold:
            return self._settled_by_screen(screened, answers, probabilities)
        explanations = await self._in_orders(lambda swapped: self._explain(client, pair, swapped, explaining))
        explanation, consistent = explain.settle(explanations, probabilities)
        return dataclasses.replace(
            screened,
            status="ok" if explanation.verified else "unverified",
            relation=explanation.relation,
            p_relation=probabilities.get(explanation.relation),
            kind=explanation.kind,
            governs=explanation.governs,
            evidence_left=explanation.evidence_left,
            evidence_right=explanation.evidence_right,
            evidence_verified=explanation.verified,
            order_consistent=consistent,
            rationale=explanation.rationale,
        )

    def _settled_by_screen(
        self, screened: Verdict, answers: list[screen.Screened], probabilities: dict[str, float]
    ) -> Verdict:
        """Complete the verdict on a pair that is not worth explaining, by its likeliest relation."""
        final = [label.relation for label in self._layout.prompt.labels.values() if not label.explain]
        relation = max(final, key=probabilities.__getitem__)
        likeliest = {max(answer.probabilities, key=answer.probabilities.__getitem__) for answer in answers}
        return dataclasses.replace(
            screened,
            relation=relation,
            p_relation=probabilities[relation],
            order_consistent=len(likeliest) == 1 if len(answers) > 1 else None,
        )

    async def _in_orders(self, question: Callable[[bool], Awaitable[Result]]) -> list[Result]:
        """Ask a question with the left side first, and if the settings say so also with the right side first."""
        orders = (False, True) if self._settings.both_orders else (False,)
        # All answers are awaited, so that the spending of a failing pair is complete.
        outcomes = await asyncio.gather(*(question(swapped) for swapped in orders), return_exceptions=True)
        results: list[Result] = []
        for outcome in outcomes:
            if isinstance(outcome, BaseException):
                raise outcome
            results.append(outcome)
        return results

    async def _screen(self, client: Client, pair: Pair, swapped: bool, spent: Spent) -> screen.Screened:
        messages = self._layout.screen(*_sides(pair, swapped))
        # Without a response format, which would mask and renormalise the probabilities.
        answer = await client.ask(messages, 1, spent, logprobs=True, top_logprobs=_TOP_LOGPROBS)
        return screen.read_labels(answer.top, tuple(self._layout.prompt.labels))

    async def _explain(self, client: Client, pair: Pair, swapped: bool, spent: Spent) -> explain.SidedExplanation:
        messages = self._layout.explain(*_sides(pair, swapped))
        answer = await client.ask(messages, self._settings.max_tokens, spent, response_format=explain.RESPONSE_FORMAT)
        return explain.read(answer.parse(explain.Explanation), pair, swapped)


def _log_failure(pair: Pair, failure: CallFailed) -> None:
    # Once the budget is spent or the server is given up, thousands of pairs fail alike; the manifest counts them.
    level = logging.INFO if failure.code in UNASKED else logging.WARNING
    log.log(level, "pair %s has no verdict: %s", pair.pair_key, failure)
    log.debug("why pair %s has no verdict", pair.pair_key, exc_info=failure)


def _sides(pair: Pair, swapped: bool) -> tuple[Provision, Provision]:
    return (pair.right, pair.left) if swapped else (pair.left, pair.right)


def _facts_by_grammar(provision: Provision) -> str:
    from antinomy.norms import norms_as_lines

    return norms_as_lines(provision.text)


def _served_facts(provision: Provision) -> str:
    # The examples in the prompt have no facts of a model.
    return _facts_by_grammar(provision) if provision.facts is None else provision.facts


def _facts(settings: OpenAISettings) -> str:
    """Return what identifies the way in which facts are read, since it decides verdicts.

    Facts of a served model are part of each pair's key.
    """
    if settings.facts_mode == "none":
        return ""
    served = "served:" if settings.facts_mode == "served" else ""
    return f"{served}{FACTS_LAYOUT}:{fingerprints.of_module('antinomy.norms')}"
