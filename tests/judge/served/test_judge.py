"""The whole judge against the tests' server: what it asks, what it makes of the answers, how much it asks at
a time."""

from __future__ import annotations

import json
import logging
import pickle
import threading
import time
from collections.abc import Callable, Iterator
from itertools import islice

import pytest

from antinomy.judge.protocol import Judge, Pair
from antinomy.judge.served.judge import OpenAIJudge
from antinomy.settings.served import OpenAISettings
from judge.pairs import conflicting, pair, unrelated
from judge.server import JudgeServer, Reply, Request, completion, explanation, letters

MakeJudge = Callable[..., OpenAIJudge]
MakeSettings = Callable[..., OpenAISettings]


def test_a_conflict_is_found_explained_and_proved(server: JudgeServer, judge: MakeJudge) -> None:
    asked = conflicting()
    (verdict,) = judge().judge([asked])
    assert (verdict.pair_key, verdict.status, verdict.relation, verdict.kind) == (
        asked.pair_key, "ok", "conflict", "deadline",
    )  # fmt: skip
    assert verdict.p_conflict == pytest.approx(0.9)
    assert verdict.label_mass == pytest.approx(1.0)
    assert verdict.evidence_left == "Reports on outages of"
    assert verdict.evidence_right == "Management must send reports"
    assert verdict.evidence_verified
    assert verdict.order_consistent is True
    assert verdict.rationale == "Same firms and same duty; the numbers differ."
    assert (verdict.calls, verdict.output_tokens) == (4, 122)
    assert verdict.input_tokens > verdict.cached_tokens > 0
    assert verdict.latency_ms > 0
    assert verdict.error == ""


def test_what_the_screen_finds_harmless_costs_one_question(server: JudgeServer, judge: MakeJudge) -> None:
    (verdict,) = judge().judge([unrelated()])
    assert (verdict.status, verdict.relation, verdict.kind, verdict.calls) == ("ok", "none", None, 2)
    assert verdict.p_conflict == pytest.approx(0.025)
    assert verdict.order_consistent is True
    assert not any(request.asks_for_json for request in server.requests)


def test_both_orders_are_asked_and_answers_are_put_back(server: JudgeServer, judge: MakeJudge) -> None:
    asked = conflicting()

    def answer(request: Request) -> Reply:
        first, second = request.provisions
        if not request.asks_for_json:
            return Reply(body=completion("B", top=letters("stricter"), finish_reason="length"))
        # Whatever the order, the side with 24 hours governs.
        governs = "first" if "24 hours" in first else "second"
        told = explanation(first, second, relation="stricter", governs=governs)
        return Reply(body=completion(json.dumps(told)))

    server.on_request = answer
    (verdict,) = judge().judge([asked])
    assert (verdict.relation, verdict.governs, verdict.order_consistent) == ("stricter", "right", True)
    assert verdict.evidence_left in asked.left.text
    orders = [request.provisions for request in server.requests]
    straight, swapped = [asked.left.text, asked.right.text], [asked.right.text, asked.left.text]
    assert sorted(orders) == sorted([straight, swapped] * 2)


def test_a_verdict_that_depends_on_the_order_is_kept_and_says_so(server: JudgeServer, judge: MakeJudge) -> None:
    asked = conflicting()

    def answer(request: Request) -> Reply | None:
        first, second = request.provisions
        if request.asks_for_json and first == asked.right.text:
            return Reply(body=completion(json.dumps(explanation(first, second, relation="none"))))
        return None

    server.on_request = answer
    (verdict,) = judge().judge([asked])
    assert (verdict.status, verdict.relation, verdict.order_consistent) == ("ok", "conflict", False)


def test_a_screen_that_depends_on_the_order_is_averaged(server: JudgeServer, judge: MakeJudge) -> None:
    asked = unrelated()

    def answer(request: Request) -> Reply:
        relation, share = ("conflict", 0.6) if request.provisions[0] == asked.left.text else ("none", 0.9)
        return Reply(body=completion("A", top=letters(relation, share), finish_reason="length"))

    server.on_request = answer
    (verdict,) = judge(screen_threshold=0.6).judge([asked])
    assert verdict.p_conflict == pytest.approx((0.6 + 0.025) / 2)
    # Of the other labels "none" has .9 in one order, and its share of what the conflict leaves in the other.
    assert verdict.p_relation == pytest.approx((0.1 + 0.9) / 2)
    assert verdict.p_related == pytest.approx(1 - (0.1 + 0.9) / 2)
    assert (verdict.relation, verdict.order_consistent) == ("none", False)


def test_one_order_costs_half_and_claims_nothing_about_the_other(server: JudgeServer, judge: MakeJudge) -> None:
    (verdict,) = judge(both_orders=False).judge([conflicting()])
    assert (verdict.status, verdict.calls, verdict.order_consistent) == ("ok", 2, None)


def test_the_three_way_prompt_works_alike(server: JudgeServer, judge: MakeJudge) -> None:
    server.on_request = lambda request: (
        None
        if request.asks_for_json
        else Reply(body=completion("A", top={"A": 0.7, "B": 0.2, "C": 0.1}, finish_reason="length"))
    )
    (verdict,) = judge(prompt="threeway").judge([conflicting()])
    assert (verdict.status, verdict.relation) == ("ok", "conflict")
    assert verdict.p_conflict == pytest.approx(0.7)


def test_the_request_is_what_vllm_needs(server: JudgeServer, judge: MakeJudge) -> None:
    list(judge(extra_body={"chat_template_kwargs": {"enable_thinking": False}}).judge([conflicting()]))
    screens = [request.body for request in server.requests if not request.asks_for_json]
    for body in screens:
        assert (body["max_completion_tokens"], body["logprobs"], body["top_logprobs"]) == (1, True, 20)
        assert "response_format" not in body
    for request in server.requests:
        assert request.body["temperature"] == 0
        assert request.body["chat_template_kwargs"] == {"enable_thinking": False}
    explains = [request.body for request in server.requests if request.asks_for_json]
    assert all(body["response_format"]["json_schema"]["strict"] for body in explains)


def test_the_server_never_sees_more_than_the_bound(server: JudgeServer, judge: MakeJudge) -> None:
    server.latency_s = 0.02
    verdicts = list(judge(max_in_flight=7).judge(conflicting(i) for i in range(30)))
    assert len({verdict.pair_key for verdict in verdicts}) == 30
    assert server.most_in_flight == 7


def test_pairs_are_pulled_as_they_are_judged(server: JudgeServer, judge: MakeJudge) -> None:
    pulled = 0

    def source() -> Iterator[Pair]:
        nonlocal pulled
        for i in range(100_000):
            pulled += 1
            yield unrelated(i)

    verdicts = judge(max_in_flight=4).judge(source())
    assert len(list(islice(verdicts, 10))) == 10
    assert pulled <= 10 + 4
    verdicts.close()  # type: ignore[attr-defined]


def test_requests_go_on_while_the_caller_is_busy(server: JudgeServer, judge: MakeJudge) -> None:
    verdicts = judge(max_in_flight=8).judge(unrelated(i) for i in range(8))
    next(verdicts)
    deadline = time.monotonic() + 5
    while server.count < 16 and time.monotonic() < deadline:
        time.sleep(0.01)  # the caller asks for nothing
    assert server.count == 16
    assert len(list(verdicts)) == 7


def test_closing_cancels_what_is_in_flight_and_leaves_no_thread(server: JudgeServer, judge: MakeJudge) -> None:
    # Two orders a pair, eight pairs at a time: of sixteen answers at least eight belong to pairs that are complete.
    server.on_request = lambda request: Reply(hang=True) if request.number > 16 else None
    verdicts = judge(max_in_flight=8, timeout_s=60).judge(unrelated(i) for i in range(1000))
    next(verdicts)
    started = time.monotonic()
    verdicts.close()  # type: ignore[attr-defined]
    assert time.monotonic() - started < 20
    assert not [thread for thread in threading.enumerate() if thread.name == "antinomy-judge"]


def test_a_broken_source_is_not_hidden(server: JudgeServer, judge: MakeJudge) -> None:
    def source() -> Iterator[Pair]:
        yield unrelated()
        raise RuntimeError("the table is gone")

    with pytest.raises(RuntimeError, match="the table is gone"):
        list(judge().judge(source()))
    assert not [thread for thread in threading.enumerate() if thread.name == "antinomy-judge"]


def test_no_pairs_no_calls(server: JudgeServer, judge: MakeJudge) -> None:
    assert list(judge().judge([])) == []
    assert server.count == 0


def test_it_can_be_shipped_to_a_worker(server: JudgeServer, judge: MakeJudge) -> None:
    shipped: Judge = pickle.loads(pickle.dumps(judge()))
    assert [verdict.relation for verdict in shipped.judge([conflicting()])] == ["conflict"]


def test_the_version_covers_what_decides_and_nothing_else(judge: MakeJudge) -> None:
    version = judge().prompt_sha256
    same: list[dict[str, object]] = [
        {"max_in_flight": 3}, {"timeout_s": 9}, {"budget": {"calls": 5}}, {"model": "other"},
        {"context_tokens": 4096},
    ]  # fmt: skip
    other: list[dict[str, object]] = [
        {"prompt": "threeway"}, {"both_orders": False}, {"screen_threshold": 0.5}, {"temperature": 0.5},
        {"extra_body": {"seed": 1}}, {"max_tokens": 100},
    ]  # fmt: skip
    assert all(judge(**changes).prompt_sha256 == version for changes in same)
    assert len({judge(**changes).prompt_sha256 for changes in other} | {version}) == len(other) + 1


def test_requests_are_not_logged_one_by_one(
    server: JudgeServer, judge: MakeJudge, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO):
        list(judge().judge(unrelated(i) for i in range(20)))
    assert len(caplog.records) < 5


def test_long_and_empty_texts_are_errors_that_cost_nothing(server: JudgeServer, judge: MakeJudge) -> None:
    long = pair("Reports shall be kept. " * 2500, "Reports must be kept.")
    blank = pair("Reports shall be kept.", " \u200b\x00\n")
    verdicts = {verdict.pair_key: verdict for verdict in judge().judge([long, blank])}
    assert verdicts[long.pair_key].error.startswith("too_long: about ")
    assert verdicts[blank.pair_key].error.startswith("empty_text: ")
    assert all(verdict.status == "error" and verdict.calls == 0 for verdict in verdicts.values())
    assert server.count == 0


def test_facts_mode_screens_by_norms_and_explains_by_texts(server: JudgeServer, judge: MakeJudge) -> None:
    asked = pair(
        "Where an outage lasts, institutions shall report it to the supervisor within 72 hours of discovery.",
        "Management must report an outage to its supervisor no later than 24 hours after discovery.",
    )
    by_facts = judge(facts_mode="norms")
    assert by_facts.prompt_sha256 != judge().prompt_sha256
    (verdict,) = by_facts.judge([asked])
    assert (verdict.status, verdict.relation) == ("ok", "conflict")
    for request in server.requests:
        content = request.body["messages"][-1]["content"]
        assert ("Norms: " in content) is not request.asks_for_json
        assert (asked.left.text in content) is request.asks_for_json
