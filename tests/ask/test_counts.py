"""Counts of findings, by what reviewers decided and by whose rules they are about."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from antinomy.ask.answer import Asker
from antinomy.ask.corpus import Corpus
from antinomy.store import tables
from report import invented
from review import reviewed_run


def _no_vectors(text: str) -> Any:
    raise AssertionError("tables alone answer here")


@pytest.fixture
def asked(tmp_path: Path) -> Asker:
    """The invented findings: of four conflicts, one is confirmed and two are unsure."""
    words = ("confirm", "unsure", "unsure", None, "reject", None)
    rows = [row | {"decision": word} for row, word in zip(invented.findings(), words, strict=True)]
    warehouse = reviewed_run.write(tmp_path / "w", rows)
    tables.write_rows([], warehouse, "units", reviewed_run.RUN_ID)
    corpus = Corpus(warehouse, reviewed_run.RUN_ID)
    return Asker(corpus, _no_vectors, lambda text: len(text.split()), "graph", 1000)


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("How many findings are unsure?", 2),
        ("How many findings are the reviewers not sure about?", 2),
        ("How many findings were confirmed?", 1),
        ("How many findings were rejected?", 1),
        ("How many conflicts were rejected?", 0),
    ],
)
def test_findings_are_counted_by_what_was_decided_on_them(asked: Asker, question: str, value: int) -> None:
    answer = asked.ask(question)
    assert (answer.status, answer.value) == ("answered", value)


@pytest.mark.parametrize(
    "word", ["new", "open", "resolved", "carried over", "undecided", "not reviewed", "not yet decided"]
)
def test_a_state_by_which_findings_are_not_counted_is_refused_and_named(asked: Asker, word: str) -> None:
    answer = asked.ask(f"How many findings are {word}?")
    assert (answer.status, answer.value) == ("not_understood", None)
    assert answer.text.startswith(f"Not understood: “{word}”, by which findings are not counted.")


@pytest.mark.parametrize("question", ["How many conflicts per document?", "Conflicts per regime"])
def test_a_conflict_counts_under_the_names_of_both_its_sides(asked: Asker, question: str) -> None:
    answer = asked.ask(question)
    assert answer.value == {"eu and us": 4}
    assert "neither" not in answer.text


def test_a_stricter_rule_counts_under_the_side_that_governs(asked: Asker) -> None:
    assert asked.ask("How many stricter findings per regime?").value == {"us": 1}
