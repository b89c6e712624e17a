"""Facts by a served model in two tiers (HybridRAG, Sarmah et al. 2024): refine the passage, then extract triples.

Names that mean one entity are merged afterwards, over all facts of a regime. Every fact's words are verified.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from antinomy.ask import wording
from antinomy.ask.served import ask
from antinomy.facts.by_grammar import fact_id
from antinomy.judge.evidence import locate, one_line, verbatim
from antinomy.judge.served.background import connected, unordered
from antinomy.judge.served.budget import Budget
from antinomy.judge.served.client import Client, Spent
from antinomy.judge.served.failure import CallFailed
from antinomy.judge.served.journal import Journal, recover
from antinomy.settings.served import OpenAISettings
from antinomy.store import storage

_TASKS = ("refine", "extract", "merge")
#: A verified fact of a model is held for as sure as a plain "should".
_CONFIDENCE = 0.9
#: Names that are shown to be merged at a time.
_NAMES = 150
#: Units whose facts are written at a time.
_CHUNK = 32

Type = Literal["party", "document", "system", "event", "time", "amount", "term", "deed", "other"]


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


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


class ServedFacts:
    """Extracts facts by a served model; what it gave once is not asked again.

    Args:
        settings: of the server.
        warehouse: whose cache is used.

    Attributes:
        budget: what was spent.
        errors: units without an answer, by reason.
        dropped: facts whose words are not in their text.
        cached: units that cost nothing.
    """

    def __init__(self, settings: OpenAISettings, warehouse: str) -> None:
        self._settings = settings
        self.model = settings.model
        self.prompt_sha256 = wording.sha256(*_TASKS)
        identity = f"{wording.sha256('refine', 'extract')[:16]}-{_plain(settings.model)}"
        self._folder = storage.join(warehouse, "cache", "facts", identity)
        self.budget = Budget(settings.budget, settings.price)
        self.spent = Spent()
        self.errors: dict[str, int] = {}
        self.dropped = 0
        self.cached = 0

    def of_units(self, units: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
        """Return rows of ``facts`` of units (rows of ``units``), names merged.

        Raises:
            EnvironmentFault: if the key's variable is not set.
        """
        known = self._cache()
        self.cached = sum(unit["unit_sha256"] in known for unit in units)
        missing = {unit["unit_sha256"]: unit for unit in units if unit["unit_sha256"] not in known}
        journals = storage.join(self._folder, "_journals")
        left = [storage.join(journals, name) for name in storage.list_names(journals)]
        journal = Journal(storage.join(journals, f"{uuid.uuid4().hex}.jsonl"), recover(left))
        with connected(self._settings, self.budget, journal) as submit:
            with closing(unordered(missing.items(), submit, self._one, self._settings.max_in_flight)) as answers:
                for chunk in _chunks(answers):
                    known |= dict(chunk)
                    self._write(chunk)
                    journal.forget(name for name, _ in chunk)
            rows = [row for unit in units for row in self._rows(unit, known.get(unit["unit_sha256"]) or [])]
            merged = self._merged(rows, lambda names: submit(lambda client: self._groups(client, names)).result())
        journal.close()
        for uri in left:
            storage.remove(uri)
        return merged

    async def _one(
        self, item: tuple[str, Mapping[str, Any]], client: Client
    ) -> tuple[str, list[dict[str, Any]] | None]:
        name, unit = item
        spent = Spent(name)
        try:
            made: list[dict[str, Any]] | None = await self._triples(client, unit["unit_text"], spent)
        except CallFailed as failure:
            self.errors[failure.code] = self.errors.get(failure.code, 0) + 1
            made = None
        self.spent.calls += spent.calls
        self.spent.input_tokens += spent.input_tokens
        self.spent.cached_tokens += spent.cached_tokens
        self.spent.output_tokens += spent.output_tokens
        return name, made

    async def _triples(self, client: Client, text: str, spent: Spent) -> list[dict[str, Any]]:
        most = self._settings.max_tokens
        shown = wording.messages("refine", [("Passage", text)])
        refined = wording.parse(Refined, await ask(client, self._settings, shown, Refined, most, spent))
        sound = [one for one in refined.statements if verbatim(one.quote, text)]
        self.dropped += len(refined.statements) - len(sound)
        if not sound:
            return []
        listed = "\n".join(f"{n}. {one_line(one.statement)}" for n, one in enumerate(sound, start=1))
        shown = wording.messages("extract", [("Statements", listed)])
        extracted = wording.parse(Extracted, await ask(client, self._settings, shown, Extracted, most, spent))
        kept = [one for one in extracted.facts if 1 <= one.statement <= len(sound) and one.subject and one.object]
        self.dropped += len(extracted.facts) - len(kept)
        return [
            {**one.model_dump(exclude={"statement"}), "quote": verbatim(sound[one.statement - 1].quote, text)}
            for one in kept
        ]

    async def _groups(self, client: Client, names: Sequence[str]) -> list[list[int]]:
        listed = "\n".join(f"{n}. {name}" for n, name in enumerate(names, start=1))
        shown = wording.messages("merge", [("Names", listed)])
        try:
            answer = await ask(client, self._settings, shown, Merged, self._settings.max_tokens, self.spent)
            return wording.parse(Merged, answer).groups
        except CallFailed as failure:
            # Facts with names as they stand are facts.
            self.errors[f"merge: {failure.code}"] = self.errors.get(f"merge: {failure.code}", 0) + 1
            return []

    def _merged(self, rows: list[dict[str, Any]], groups: Any) -> list[dict[str, Any]]:
        """Give names of one entity one form, the most frequent, within a regime."""
        for regime in sorted({row["regime"] for row in rows}):
            own = [row for row in rows if row["regime"] == regime]
            counts: dict[str, int] = {}
            for row in own:
                for end in ("subject", "object"):
                    if row[f"{end}_type"] in ("party", "document", "system", "term"):
                        counts[row[end]] = counts.get(row[end], 0) + 1
            names = sorted(counts, key=lambda name: (-counts[name], name))[:_NAMES]
            form: dict[str, str] = {}
            for group in groups(names) if len(names) > 1 else []:
                same = [names[n - 1] for n in group if 1 <= n <= len(names)]
                form |= {name: min(same, key=names.index) for name in same}
            for row in own:
                row["subject"], row["object"] = (form.get(row[end], row[end]) for end in ("subject", "object"))
        return [row | {"fact_id": fact_id(row)} for row in rows]

    def _rows(self, unit: Mapping[str, Any], facts: Iterable[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
        for fact in facts:
            span = locate(fact["quote"], unit["unit_text"])
            if span is None:
                self.dropped += 1
                continue
            said = {name: one_line(fact[name]) for name in ("subject", "predicate", "object", "condition")}
            yield {
                **{name: unit[name] for name in ("section_id", "unit_id", "doc_id", "regime")}, **said,
                "subject_type": fact["subject_type"], "object_type": fact["object_type"], "start": span[0],
                "end": span[1], "quote": fact["quote"], "confidence": _CONFIDENCE, "origin": "served",
                "modality": "", "role": "", "bound": "", "dimension": "", "low": None, "high": None,
                "model": self.model, "prompt_sha256": self.prompt_sha256,
            }  # fmt: skip

    def _cache(self) -> dict[str, list[dict[str, Any]]]:
        found = {}
        for name in storage.list_names(self._folder):
            if name.endswith(".jsonl"):
                for line in storage.read_bytes(storage.join(self._folder, name)).decode().splitlines():
                    entry = json.loads(line)
                    found[entry["unit_sha256"]] = entry["facts"]
        return found

    def _write(self, chunk: Sequence[tuple[str, list[dict[str, Any]] | None]]) -> None:
        lines = [json.dumps({"unit_sha256": name, "facts": facts}) for name, facts in chunk if facts is not None]
        if lines:
            uri = storage.join(self._folder, f"{uuid.uuid4().hex}.jsonl")
            storage.write_bytes(uri, ("\n".join(lines) + "\n").encode())


def _chunks(answers: Iterator[tuple[str, Any]]) -> Iterator[list[tuple[str, Any]]]:
    chunk = []
    for answer in answers:
        chunk.append(answer)
        if len(chunk) == _CHUNK:
            yield chunk
            chunk = []
    if chunk:
        yield chunk


def _plain(name: str) -> str:
    return "".join(c if c.isalnum() or c in ".-" else "_" for c in name)
