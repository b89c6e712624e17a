"""Answers held against a key: the right route, the right sections, the right value, refusals and verified quotes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from antinomy.ask.corpus import Corpus
from antinomy.ask.load import load_asker, open_asker
from antinomy.ask.model import Answer
from antinomy.ask.retrieve import MODES
from antinomy.errors import AntinomyError, SettingsError
from antinomy.evaluate import stats
from antinomy.facts.by_grammar import facts_of_unit
from antinomy.judge.evidence import locate
from antinomy.judge.served.served_facts import line
from antinomy.norms.quantities import find_quantities
from antinomy.norms.words import fold
from antinomy.store import records

if TYPE_CHECKING:
    from antinomy.settings import Settings

KINDS = ("aggregate", "lookup", "implicit")
#: Sections of an implicit answer that are looked at.
AT = 5


def read(uri: str) -> list[dict[str, Any]]:
    """Read questions with a key.

    One JSON object a line: ``id``, ``question``, ``kind`` (aggregate, lookup or implicit), ``answerable``,
    ``sections`` (ids of those that answer) and, where something is computed, ``answer`` (a number or a quantity in
    words) or ``computed_from`` (``table``, ``where``: column → value, ``by``: column): how to count it.

    Raises:
        AntinomyError: naming the lines and what is wrong with them.
    """

    def check(record: dict[str, Any]) -> str:
        if not isinstance(record.get("sections"), list):
            return "sections is not a list"
        if not isinstance(record.get("answerable"), bool):
            return "answerable is neither true nor false"
        return records.choice_check("kind", KINDS)(record)

    return records.read(uri, ("id", "question", "kind"), check)


def measure(questions: Sequence[Mapping[str, Any]], answers: Sequence[Answer], corpus: Corpus) -> dict[str, Any]:
    """Compare answers with the key.

    Args:
        questions: see ``read``.
        answers: one each, in that order.
        corpus: that was asked.

    Returns:
        ``n``; ``rows``: one per question, with what was right; ``parts``: the figures of ``summary`` for ``all`` and
        for each half that the key names.

    Raises:
        AntinomyError: if the key names sections that the run does not have.
    """
    unknown = sorted({name for question in questions for name in question["sections"]} - corpus.sections.keys())
    if unknown:
        raise AntinomyError(f"the key names sections that this run does not have, such as {unknown[0]}")
    rows = [_row(question, answer, corpus) for question, answer in zip(questions, answers, strict=True)]
    halves = sorted({row["half"] for row in rows if row["half"]})
    parts = {"all": summary(rows)} | {half: summary([row for row in rows if row["half"] == half]) for half in halves}
    return {"n": len(rows), "parts": parts, "rows": rows}


def _row(question: Mapping[str, Any], answer: Answer, corpus: Corpus) -> dict[str, Any]:
    wanted = list(question["sections"])
    cited = answer.sections[:AT] if question["kind"] == "implicit" else answer.sections
    hit = len(set(wanted) & set(cited))
    refused = answer.status != "answered"
    route = "implicit" if question["kind"] == "implicit" else "explicit"
    row: dict[str, Any] = {
        "id": question["id"], "half": question.get("half", ""), "kind": question["kind"],
        "question": question["question"], "answerable": question["answerable"], "status": answer.status,
        "route_right": answer.route == route, "refused": refused, "given": cited, "value": answer.value,
        "recall": hit / len(wanted) if wanted else None, "precision": hit / len(cited) if wanted and cited else None,
        "quotes": len(answer.quotes), "unverified": _unverified(answer, corpus), "tokens": answer.tokens,
        "exact": None,
    }  # fmt: skip
    if question["answerable"] and question["kind"] != "implicit":
        row["exact"] = not refused and _exact(question, answer, corpus)
    # One mark that every question has: refused, computed, or found.
    row["right"] = (
        refused if not question["answerable"]
        else row["exact"] if row["exact"] is not None
        else not refused and row["recall"] == 1.0
    )  # fmt: skip
    return row


def _unverified(answer: Answer, corpus: Corpus) -> int:
    wrong = 0
    for quote in answer.quotes:
        section = corpus.sections.get(quote.section_id)
        if (
            section is None
            or section.text[quote.start : quote.end] != quote.text
            or not locate(quote.text, section.text)
        ):
            wrong += 1
    return wrong


def _exact(question: Mapping[str, Any], answer: Answer, corpus: Corpus) -> bool:
    if "computed_from" in question:
        return bool(answer.value == recount(question["computed_from"], corpus))
    if "answer" in question:
        return same_value(question["answer"], answer)
    return set(question["sections"]) == set(answer.sections)


def recount(how: Mapping[str, Any], corpus: Corpus) -> Any:
    """Count the rows of a run's table, in the plainest way: what an aggregate is held against."""
    rows = corpus.findings if how["table"] == "findings" else corpus.verdicts
    kept = [row for row in rows if all(row[name] == value for name, value in how["where"].items())]
    if "by" not in how:
        return len(kept)
    groups: dict[str, int] = {}
    for row in kept:
        groups[row[how["by"]]] = groups.get(row[how["by"]], 0) + 1
    return groups


def same_value(wanted: Any, answer: Answer) -> bool:
    """Return whether an answer's value is the one wanted: a number, or a quantity in whatever words."""
    if not isinstance(wanted, str):
        return bool(wanted == answer.value)
    sought = find_quantities(fold(wanted), 0, len(wanted))
    first = answer.rows[0] if answer.rows else {}
    if not sought or "dimension" not in first or answer.value != first["value"]:
        return False
    return _same_quantity(
        (first["dimension"], first["low"], first["high"]), (sought[0].dimension, sought[0].low, sought[0].high)
    )


def _same_quantity(one: tuple[str, float, float], other: tuple[str, float, float]) -> bool:
    # Six months are a range of days; a year and a half are eighteen months.
    return one[0] == other[0] and one[1] <= other[2] * 1.01 and other[1] <= one[2] * 1.01


def summary(rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the figures of some questions, each with its interval.

    Returns:
        ``route``: of the answerable, the share on the right route; ``exact``: of the answerable explicit ones, the
        share whose value (or, without one, whose set of sections) is right, also per kind; ``recall`` and
        ``precision`` of sections, of the implicit ones within the first five; ``refused``: of the unanswerable;
        ``wrongly_refused``: of the answerable; ``unverified``: quotes that are not in the text; ``tokens``: mean of
        the context.
    """
    able = [row for row in rows if row["answerable"]]
    explicit = [row for row in able if row["kind"] != "implicit"]
    implicit = [row for row in able if row["kind"] == "implicit"]
    lookups = [row for row in able if row["kind"] == "lookup"]

    def share(among: Sequence[Mapping[str, Any]], is_so: Callable[[Mapping[str, Any]], bool]) -> dict[str, Any]:
        return stats.wilson_share(sum(map(is_so, among)), len(among))

    unable = [row for row in rows if not row["answerable"]]
    return {
        "n": len(rows),
        "route": share(able, lambda row: row["route_right"]),
        "exact": share(explicit, lambda row: row["exact"]),
        "exact_aggregate": share([r for r in explicit if r["kind"] == "aggregate"], lambda row: row["exact"]),
        "exact_lookup": share(lookups, lambda row: row["exact"]),
        "implicit_recall": stats.mean([row["recall"] for row in implicit]),
        "implicit_precision": stats.mean([row["precision"] or 0.0 for row in implicit]),
        "lookup_recall": stats.mean([row["recall"] for row in lookups]),
        "refused": share(unable, lambda row: row["refused"]),
        "wrongly_refused": share(able, lambda row: row["refused"]),
        "right": share(rows, lambda row: row["right"]),
        "quotes": sum(row["quotes"] for row in rows),
        "unverified": sum(row["unverified"] for row in rows),
        "tokens": stats.mean([row["tokens"] for row in implicit]),
    }


def answers(settings: Settings, uri: str, output: str = "") -> dict[str, Any]:
    """Ask a run questions with a key, once per way of searching, and as facts instead of text.

    Args:
        settings: of a finished run.
        uri: the questions, see ``read``.
        output: where to write each question with what was right in each mode (JSON lines), "" for nowhere.

    Returns:
        ``n``; ``modes``: by mode, the figures of ``summary`` for all and for each half; ``against_hybrid``: by other
        mode, see ``compare_modes``; ``facts``: see ``facts_against_text``.
    """
    questions = read(uri)
    rows: dict[str, list[dict[str, Any]]] = {}
    modes: dict[str, dict[str, Any]] = {}
    contexts: list[Answer] = []
    for mode in MODES:
        asking = load_asker(settings, mode=mode)
        replies = [asking.ask(question["question"]) for question in questions]
        if mode == "hybrid":
            contexts, count_tokens = replies, asking.count_tokens
        found = measure(questions, replies, asking.corpus)
        modes[mode], rows[mode] = found["parts"], found["rows"]
    if output:
        records.write(output, [{"mode": mode, **row} for mode, own in rows.items() for row in own])
    others = [mode for mode in MODES if mode != "hybrid"]
    return {
        "n": len(questions),
        "modes": modes,
        "against_hybrid": {mode: compare_modes(rows[mode], rows["hybrid"]) for mode in others},
        "facts": facts_against_text(contexts, asking.corpus, count_tokens),
    }


def measure_served(settings: Settings, uri: str) -> dict[str, Any]:
    """Let the configured server answer the implicit questions, and judge its answers; see ``faithfulness.faithful``.

    Returns:
        As there, and ``answers``: the figures of ``summary`` for what the server answered, ``errors`` by reason.

    Raises:
        SettingsError: if no server is configured, or it answered nothing.
    """
    from antinomy.evaluate.faithfulness import faithful

    if settings.judge.backend != "openai":
        raise SettingsError("--ragas needs a server: set judge.backend to openai and judge.openai.base_url")
    questions = [question for question in read(uri) if question["kind"] == "implicit"]
    with open_asker(settings) as asking:
        replies = [asking.ask(question["question"]) for question in questions]
        rows = measure(questions, replies, asking.corpus)["rows"]
        samples = [
            {
                "question": answer.question, "answer": answer.text,
                "contexts": [quote.text for quote in asking.answer_by_search(answer.question).quotes],
                "reference": " ".join(asking.corpus.sections[name].text for name in question["sections"]),
            }
            for question, answer in zip(questions, replies, strict=True)
            if answer.kind == "sentences" and answer.status == "answered" and question["sections"]
        ]  # fmt: skip
        judged = faithful(samples, settings.judge.openai, asking.search.encode)
    errors = Counter(answer.error.partition(":")[0] for answer in replies if answer.error)
    return judged | {"answers": summary(rows), "errors": dict(errors)}


def facts_against_text(replies: Sequence[Answer], corpus: Corpus, count_tokens: Callable[[str], int]) -> dict[str, Any]:
    """Count what a model would read of the same passages as text and as facts read by grammar.

    Returns:
        ``n`` questions with passages; ``text`` and ``facts``: tokens of all; ``ratio`` with its interval over the
        questions; ``values_kept``: the share of the passages' quantities that stand in the facts.
    """
    text, facts = [], []
    values = kept = 0
    for answer in replies:
        if answer.route != "implicit" or not answer.quotes:
            continue
        units = [unit for name in answer.sections for unit in corpus.units_of.get(name, ())]
        stated = [
            line(fact)
            for unit in units
            for fact in facts_of_unit({**unit._asdict(), "doc_id": ""}, corpus.states_in_present(unit))
        ]
        text.append(sum(count_tokens(unit.unit_text) for unit in units))
        facts.append(sum(count_tokens(one) for one in stated))
        for unit in units:
            folded = fold(unit.unit_text)
            there = {folded[q.start : q.end] for q in find_quantities(folded, 0, len(folded))}
            values += len(there)
            kept += sum(any(value in fold(one) for one in stated) for value in there)
    ratio = stats.estimate(_ratio, facts, text) if text else stats.figure(float("nan"))
    return {"n": len(text), "text": sum(text), "facts": sum(facts), "ratio": ratio,
            "values_kept": stats.wilson_share(kept, values)}  # fmt: skip


def _ratio(part: Any, whole: Any, axis: int = -1) -> Any:
    return np.sum(part, axis=axis) / np.sum(whole, axis=axis)


def compare_modes(first: Sequence[Mapping[str, Any]], second: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Compare two modes question by question: McNemar on what is right, bootstrap on the recall of sections."""
    pairs = [(a, b) for a, b in zip(first, second, strict=True) if a["kind"] == "implicit" and a["answerable"]]
    gaps = [b["recall"] - a["recall"] for a, b in pairs]
    return {
        "mcnemar": stats.mcnemar([a["right"] for a in first], [b["right"] for b in second]),
        "recall_difference": stats.mean(gaps),
        "token_difference": stats.mean([b["tokens"] - a["tokens"] for a, b in pairs]),
    }
