"""How an answer is held against its key, without a run."""

from __future__ import annotations

from typing import Any

import pytest

from antinomy.ask.model import Answer
from antinomy.errors import AntinomyError
from antinomy.evaluate.answers import compare_modes, read, same_value, summary
from antinomy.facts.by_grammar import facts_of_unit
from antinomy.judge.served.served_facts import line


def _answer(said: str, **row: Any) -> Answer:
    return Answer(question="?", route="explicit", status="answered", value=said, rows=[{"value": said, **row}])


@pytest.mark.parametrize(
    ("wanted", "low", "right"),
    [("24 hours", 86_400.0, True), ("one day", 86_400.0, True), ("2 days", 86_400.0, False), ("24 %", 86_400.0, False)],
)
def test_a_quantity_is_the_same_in_whatever_words(wanted: str, low: float, right: bool) -> None:
    answer = _answer("within 24 hours", dimension="time", low=low, high=low)
    assert same_value(wanted, answer) is right


def test_the_value_must_be_the_one_that_is_said() -> None:
    answer = _answer("within 24 hours", dimension="time", low=86_400.0, high=86_400.0)
    other = answer.model_copy(update={"value": "a week"})
    assert not same_value("24 hours", other)
    assert not same_value(24, answer)


def _row(**given: Any) -> dict[str, Any]:
    row = {"kind": "implicit", "answerable": True, "route_right": True, "refused": False, "exact": None, "recall": 1.0,
           "precision": 0.4, "quotes": 2, "unverified": 0, "tokens": 100, "right": True}  # fmt: skip
    return row | given


def test_a_wrong_refusal_counts_against_recall_and_is_told() -> None:
    figures = summary([_row(), _row(recall=0.0, precision=None, refused=True, right=False)])
    assert figures["implicit_recall"]["value"] == 0.5
    assert figures["wrongly_refused"]["value"] == 0.5
    assert figures["refused"]["value"] is None, "there was nothing to refuse"


def test_two_modes_are_compared_question_by_question() -> None:
    better = compare_modes([_row(right=False, recall=0.5)] * 8, [_row()] * 8)
    assert better["mcnemar"]["only_second"] == 8
    assert better["mcnemar"]["p_value"] < 0.01
    assert better["recall_difference"]["value"] == 0.5


def test_a_key_that_is_none_is_refused_with_its_line(tmp_path: Any) -> None:
    path = tmp_path / "q.jsonl"
    path.write_text('{"id": "1", "question": "Why?", "kind": "implicit", "answerable": true, "sections": "x"}\n')
    with pytest.raises(AntinomyError, match="line 1: sections is not a list"):
        read(str(path))


UNIT = {"section_id": "d#a", "unit_id": "d#a", "doc_id": "d", "regime": "eu"}


def test_facts_of_a_provision_say_who_must_do_what_and_by_when() -> None:
    text = "Where a breach occurs, the bank shall notify the authority within 24 hours of its detection."
    duty, deadline = facts_of_unit({**UNIT, "unit_text": text})
    assert (duty["subject"], duty["predicate"], duty["condition"]) == ("bank", "must", "Where a breach occurs")
    assert duty["object"].startswith("notify the authority")
    assert (deadline["predicate"], deadline["object"]) == ("deadline (max)", "24 hours")
    assert line(deadline).count("|") == 3
    for fact in (duty, deadline):
        assert fact["quote"] == text[fact["start"] : fact["end"]] == text[:-1]


def test_a_mere_statement_is_no_fact_of_a_duty() -> None:
    assert facts_of_unit({**UNIT, "unit_text": "Resilience is dependent upon people."}) == []
