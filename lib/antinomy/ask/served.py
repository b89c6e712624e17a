"""Answers by a served model, which chooses form and arguments, and writes sentences; its quotes are verified."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from pydantic import BaseModel, ConfigDict

from antinomy.ask import wording
from antinomy.ask.corpus import Corpus
from antinomy.ask.model import Query, Quote
from antinomy.judge.evidence import verbatim
from antinomy.judge.served.background import Submit, connected
from antinomy.judge.served.budget import Budget
from antinomy.judge.served.client import Client, Spent
from antinomy.judge.served.prompt import Message
from antinomy.judge.served.wire import Model
from antinomy.settings.served import OpenAISettings
from antinomy.text.characters import one_line


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Choice(_Frozen):
    """The form that a question asks for; None for one that is to be answered from passages."""

    query: Query | None


class Sentence(_Frozen):
    """A sentence of an answer with the numbers of the passages that say so, and words of one of them."""

    text: str
    passages: list[int]
    quote: str


class WrittenAnswer(_Frozen):
    """An answer in sentences."""

    answered: bool
    sentences: list[Sentence]


@dataclass
class VerifiedAnswer:
    """A verified answer.

    Attributes:
        text: its sentences, each with the labels of its sections; "" if the passages do not answer.
        quotes: verified quotes, with their places.
        unverified: number of sentences dropped because their quote is in none of their passages.
    """

    text: str = ""
    quotes: list[Quote] = field(default_factory=list)
    unverified: int = 0


class Server:
    """A connection to the served model; made by ``serving``.

    Args:
        settings: of the server.
        submit: runs work with a client.
    """

    def __init__(self, settings: OpenAISettings, submit: Submit[Any]) -> None:
        self._settings = settings
        self._submit = submit

    def choose(self, question: str, corpus: Corpus, spent: Spent) -> Query | None:
        """Return the form that a question asks for, None if it is to be answered from passages.

        Raises:
            CallFailed: if there is no answer, or none that fits the schema.
        """
        known = f"Regimes: {', '.join(corpus.regimes)}. Defined terms: {', '.join(_terms(corpus))}"
        shown = wording.messages("route", [("Names", known), ("Question", question)])
        return self._ask(shown, Choice, spent).query

    def write(self, question: str, passages: Sequence[Quote], spent: Spent) -> VerifiedAnswer:
        """Return an answer in sentences; a sentence is dropped if its quote is in none of the passages that it names.

        Raises:
            CallFailed: as ``choose``.
        """
        texts = [("Question", question)]
        texts += [(f"Passage {n}, {one.label} ({one.regime})", one.text) for n, one in enumerate(passages, start=1)]
        written = self._ask(wording.messages("answer", texts), WrittenAnswer, spent)
        result = VerifiedAnswer()
        lines = []
        for sentence in written.sentences if written.answered else ():
            named = [passages[n - 1] for n in sentence.passages if 1 <= n <= len(passages)]
            source = next((one for one in named if verbatim(sentence.quote, one.text)), None)
            if source is None or not sentence.text.strip():
                result.unverified += 1
                continue
            words = verbatim(sentence.quote, source.text)
            start = source.start + source.text.index(words)
            # A passage that is named but not quoted is no evidence.
            result.quotes.append(
                source.model_copy(
                    update={"text": words, "start": start, "end": start + len(words), "because": "quoted"}
                )
            )
            lines.append(f"{one_line(sentence.text)} [{source.label} ({source.regime})]")
        result.text = " ".join(lines)
        return result

    def _ask(self, messages: list[Message], model: type[Model], spent: Spent) -> Model:
        most = self._settings.max_tokens
        return self._submit(lambda client: ask(client, messages, model, most, spent)).result()  # type: ignore[no-any-return]


async def ask(client: Client, messages: list[Message], model: type[Model], most: int, spent: Spent) -> Model:
    """Ask for a model's JSON, and read it.

    Raises:
        CallFailed: as ``Client.ask`` and ``Answer.parse``.
    """
    answer = await client.ask(messages, most, spent, response_format=wording.response_format(model))
    return answer.parse(model)


@contextmanager
def serving(settings: OpenAISettings, tasks: int = 1, index: int = 0) -> Iterator[Server]:
    """Yield a connection, with this task's share of the budget."""
    budget = Budget(settings.budget.share(tasks, index), settings.price, run=settings.budget)
    with connected(settings, budget) as submit:
        yield Server(settings, submit)


def _terms(corpus: Corpus) -> list[str]:
    return sorted({section.term.lower() for section in corpus.definitions})[:80]
