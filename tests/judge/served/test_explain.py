from __future__ import annotations

import json

import pytest

from antinomy.judge.served.explain import RESPONSE_FORMAT, Explanation, read, settle
from antinomy.judge.served.failure import CallFailed
from antinomy.judge.served.wire import Answer
from antinomy.vocabulary import Kind, Relation
from judge.pairs import pair
from judge.server import explanation

PAIR = pair("Copies shall be kept for five years.", "Copies must be gone after one year.")


def answer(**changes: object) -> str:
    sides = {
        "quote_first": "kept for five years",
        "quote_second": "gone after one year",
        "relation": "conflict",
    }
    return json.dumps(explanation("a b", "c d", **{**sides, **changes}))


def parse(content: str, finish_reason: str) -> Explanation:
    return Answer(content, finish_reason, top=(), counts_cached=False).parse(Explanation)


def test_the_schema_knows_the_relations_and_kinds_of_the_protocol_and_nothing_else() -> None:
    schema = RESPONSE_FORMAT["json_schema"]["schema"]
    assert schema["properties"]["relation"]["enum"] == list(Relation)
    assert schema["properties"]["kind"]["anyOf"][0]["enum"] == list(Kind)
    assert schema["additionalProperties"] is False
    assert sorted(schema["required"]) == sorted(schema["properties"])


@pytest.mark.parametrize(
    ("content", "finish_reason", "code"),
    [
        ("", "stop", "empty_answer"),
        (" \n", "stop", "empty_answer"),
        (answer()[:60], "length", "truncated"),
        (answer(), "length", "truncated"),
        (answer()[:60], "stop", "schema"),
        ("No conflict.", "stop", "schema"),
        ("{}", "stop", "schema"),
        ("null", "stop", "schema"),
        (answer(relation="contradiction"), "stop", "schema"),
        (answer(kind="timing"), "stop", "schema"),
        (answer(kind=None), "stop", "schema"),
        (answer(relation="stricter", governs=None), "stop", "schema"),
        (answer(relation="stricter", governs="left"), "stop", "schema"),
        (answer(rationale=" "), "stop", "schema"),
        (answer(confidence=1), "stop", "schema"),
    ],
)
def test_an_unreadable_answer_is_an_error_with_a_stable_code(content: str, finish_reason: str, code: str) -> None:
    with pytest.raises(CallFailed) as failure:
        parse(content, finish_reason)
    assert failure.value.code == code
    assert str(failure.value).startswith(f"{code}: ")


def test_sides_are_put_back_after_a_swap() -> None:
    told = answer(relation="stricter", governs="first")
    straight = read(parse(told, "stop"), PAIR, swapped=False)
    assert (straight.governs, straight.evidence_left) == ("left", "kept for five years")
    told = answer(
        relation="stricter",
        governs="first",
        quote_first="gone after one year",
        quote_second="kept for five years",
    )
    swapped = read(parse(told, "stop"), PAIR, swapped=True)
    assert (swapped.governs, swapped.evidence_left) == ("right", "kept for five years")
    assert swapped.verified


def test_a_quote_of_the_wrong_side_is_not_verified() -> None:
    told = answer(quote_first="gone after one year")
    reading = read(parse(told, "stop"), PAIR, swapped=False)
    assert not reading.verified
    assert reading.evidence_left == ""


def test_a_rationale_is_one_line_of_what_can_be_seen() -> None:
    told = answer(rationale="First.\n\tSecond\u202e \u001b[31mred\u200b. ")
    assert read(parse(told, "stop"), PAIR, swapped=False).rationale == "First. Second [31mred."


def test_kind_and_governs_stand_only_where_they_mean_something() -> None:
    reading = read(parse(answer(relation="overlap", kind="deadline", governs="first"), "stop"), PAIR, swapped=False)
    assert (reading.kind, reading.governs) == (None, None)
    reading = read(parse(answer(governs="first"), "stop"), PAIR, swapped=False)
    assert (reading.kind, reading.governs) == ("deadline", None)


def test_of_two_that_agree_the_verified_one_is_kept_and_of_two_that_differ_the_likelier() -> None:
    good = read(parse(answer(), "stop"), PAIR, swapped=False)
    bad = read(parse(answer(quote_first="never said"), "stop"), PAIR, swapped=False)
    none = read(parse(answer(relation="none", kind=None), "stop"), PAIR, swapped=False)
    assert settle([bad, good], {"conflict": 0.9}) == (good, True)
    assert settle([good, none], {"conflict": 0.3, "none": 0.6}) == (none, False)
    assert settle([none, good], {"conflict": 0.6, "none": 0.3}) == (good, False)
    assert settle([none, good], {}) == (good, False)  # the graver one
    assert settle([good], {}) == (good, None)


def test_two_that_differ_on_who_governs_do_not_agree() -> None:
    one = read(parse(answer(relation="stricter", governs="first"), "stop"), PAIR, swapped=False)
    other = read(parse(answer(relation="stricter", governs="second"), "stop"), PAIR, swapped=False)
    assert settle([one, other], {})[1] is False
