"""Facts by a served model in two tiers (HybridRAG, Sarmah et al. 2024): refine the passage, then extract triples.

Names that mean one entity are merged afterwards, over all facts of a regime. Every fact's words are verified.
"""

from __future__ import annotations

import copy
import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from antinomy.ask import wording
from antinomy.ask.served import ask
from antinomy.facts.by_grammar import fact_id
from antinomy.judge.evidence import locate, verbatim
from antinomy.judge.served.background import connected, unordered
from antinomy.judge.served.budget import Budget
from antinomy.judge.served.client import Client, Spent
from antinomy.judge.served.failure import CallFailed
from antinomy.judge.served.journal import Journal
from antinomy.settings.served import BudgetSettings, OpenAISettings
from antinomy.text.characters import one_line

_RULES = {"extract": ("refine", "extract"), "merge": ("merge",)}
#: A verified fact of a model is held for as sure as a plain "should".
_CONFIDENCE = 0.9
#: Names of a regime that are shown to be merged.
NAMES = 150
#: What has a name that another name may mean.
NAMED = ("party", "document", "system", "term")

Type = Literal["party", "document", "system", "event", "time", "amount", "term", "deed", "other"]


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


def rules_sha256(task: str) -> str:
    """Return a hash of what the model is told for a task: it begins what an answer is found again by."""
    return wording.sha256(*_RULES[task])


class Statement(_Frozen):
    """A statement that stands alone, with the passage's words."""

    statement: str
    quote: str


class Refined(_Frozen):
    """What the first tier gives."""

    statements: list[Statement]


class Triple(_Frozen):
    """A fact; ``statement`` counts from 1."""

    statement: int
    subject: str
    subject_type: Type
    predicate: str
    object: str
    object_type: Type
    condition: str


class Extracted(_Frozen):
    """What the second tier gives."""

    facts: list[Triple]


class Merged(_Frozen):
    """Groups of numbers of names that mean one entity."""

    groups: list[list[int]]


@dataclass(frozen=True, slots=True)
class Request:
    """What the model is asked about: a passage to extract facts from, or names to merge, one a line."""

    task: Literal["extract", "merge"]
    text: str

    @property
    def key(self) -> str:
        """Hash of both, and of the rules for the task."""
        return hashlib.sha256(f"{rules_sha256(self.task)}\n{self.text}".encode()).hexdigest()[:32]


@dataclass(frozen=True, slots=True)
class Response:
    """What came of it.

    Attributes:
        shown: what was asked about.
        answer: facts with their quotes, or groups of numbers of names; None in error.
        dropped: statements and facts whose words are not in the text.
        spent: on it.
        error: reason, "" where there is an answer.
    """

    shown: Request
    answer: list[Any] | None
    dropped: int
    spent: Spent
    error: str


class ServedFacts:
    """Asks a served model for facts. Holds no connection, so that it can be shipped to a worker.

    Args:
        settings: of the server.

    Attributes:
        model: an answer of the same one is used again.
        prompt_sha256: of all rules.
    """

    def __init__(self, settings: OpenAISettings) -> None:
        self._settings = settings
        self._budget = Budget(settings.budget, settings.price)
        self.model = settings.model
        self.prompt_sha256 = wording.sha256(*(name for names in _RULES.values() for name in names))

    def for_task(self, tasks: int, index: int) -> ServedFacts:
        """Return one of the same kind with its share of the budget."""
        return self._within(self._settings.budget.share(tasks, index))

    def after(self, calls: int, input_tokens: int, cached_tokens: int, output_tokens: int) -> ServedFacts:
        """Return one of the same kind with what is left of the budget when so much is spent."""
        money = self._settings.price.cost(input_tokens, cached_tokens, output_tokens)
        return self._within(self._settings.budget.rest(calls, input_tokens + output_tokens, money))

    def _within(self, budget: BudgetSettings) -> ServedFacts:
        share = copy.copy(self)
        share._budget = Budget(budget, self._settings.price, run=self._settings.budget)
        return share

    def ask(self, shown: Iterable[Request], journal: Journal | None = None) -> Iterator[Response]:
        """Yield what the model says of each, as it comes.

        Raises:
            EnvironmentFault: if the key's variable is not set.
        """
        with (
            connected(self._settings, self._budget, journal) as submit,
            closing(unordered(shown, submit, self._answer, self._settings.max_in_flight)) as taken,
        ):
            yield from taken

    async def _answer(self, shown: Request, client: Client) -> Response:
        spent = Spent(shown.key)
        try:
            answer, dropped = await (self._triples if shown.task == "extract" else self._groups)(
                client, shown.text, spent
            )
        except CallFailed as failure:
            return Response(shown, None, 0, spent, str(failure))
        return Response(shown, answer, dropped, spent, "")

    async def _triples(self, client: Client, text: str, spent: Spent) -> tuple[list[Any], int]:
        most = self._settings.max_tokens
        prompt = wording.messages("refine", [("Passage", text)])
        refined = await ask(client, prompt, Refined, most, spent)
        sound = [one for one in refined.statements if verbatim(one.quote, text)]
        dropped = len(refined.statements) - len(sound)
        if not sound:
            return [], dropped
        listed = "\n".join(f"{n}. {one_line(one.statement)}" for n, one in enumerate(sound, start=1))
        prompt = wording.messages("extract", [("Statements", listed)])
        extracted = await ask(client, prompt, Extracted, most, spent)
        kept = [one for one in extracted.facts if 1 <= one.statement <= len(sound) and one.subject and one.object]
        found = [
            {**one.model_dump(exclude={"statement"}), "quote": verbatim(sound[one.statement - 1].quote, text)}
            for one in kept
        ]
        return found, dropped + len(extracted.facts) - len(kept)

    async def _groups(self, client: Client, names: str, spent: Spent) -> tuple[list[Any], int]:
        listed = "\n".join(f"{n}. {name}" for n, name in enumerate(names.splitlines(), start=1))
        prompt = wording.messages("merge", [("Names", listed)])
        merged = await ask(client, prompt, Merged, self._settings.max_tokens, spent)
        return list(merged.groups), 0


def rows(unit: Mapping[str, Any], facts: str, model: str, prompt_sha256: str) -> Iterator[dict[str, Any]]:
    """Yield rows of ``facts``, without their ids, of what a model said of a unit's text.

    Args:
        unit: a row of ``units``.
        facts: the answer, as JSON.
        model, prompt_sha256: of ``ServedFacts``.
    """
    for fact in json.loads(facts):
        span = locate(fact["quote"], unit["unit_text"])
        if span is None:
            continue
        fields_of_fact = {name: one_line(fact[name]) for name in ("subject", "predicate", "object", "condition")}
        yield {
            **{name: unit[name] for name in ("section_id", "unit_id", "doc_id", "regime")}, **fields_of_fact,
            "subject_type": fact["subject_type"], "object_type": fact["object_type"], "start": span[0],
            "end": span[1], "quote": unit["unit_text"][span[0] : span[1]], "confidence": _CONFIDENCE,
            "origin": "served", "modality": "", "role": "", "bound": "", "dimension": "", "low": None, "high": None,
            "model": model, "prompt_sha256": prompt_sha256,
        }  # fmt: skip


def canonical_names(names: Sequence[str], groups: Sequence[Sequence[int]]) -> dict[str, str]:
    """Return for each name that is one of a group the first of the group.

    Args:
        names: the most frequent first.
        groups: numbers of names, counted from 1.
    """
    form: dict[str, str] = {}
    for group in groups:
        same = [names[n - 1] for n in group if 1 <= n <= len(names)]
        form |= {name: min(same, key=names.index) for name in same}
    return form


def with_canonical_names(row: dict[str, Any], form: Mapping[str, str]) -> dict[str, Any]:
    """Return a row of ``facts`` with its names in their one form, and its id."""
    row = row | {end: form.get(row[end], row[end]) for end in ("subject", "object")}
    return row | {"fact_id": fact_id(row)}
