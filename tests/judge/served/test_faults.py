"""A server that fails in every way: each pair still ends in exactly one row, and no fault reads as "no
conflict"."""

from __future__ import annotations

import json
import logging
import time
from collections import Counter
from collections.abc import Callable

import pytest

from antinomy.judge.served.judge import OpenAIJudge
from judge.pairs import conflicting, unrelated
from judge.server import JudgeServer, Reply, Request, completion, explanation, letters

MakeJudge = Callable[..., OpenAIJudge]
Fault = Callable[[Request], Reply | None]

GOOD_SCREEN = json.dumps(completion("A", top=letters("conflict"), finish_reason="length"))


def screens(reply: Reply) -> Fault:
    return lambda request: None if request.asks_for_json else reply


def explains(reply: Reply) -> Fault:
    return lambda request: reply if request.asks_for_json else None


def told(**changes: object) -> Reply:
    return Reply(body=completion(json.dumps(explanation("a b c d", "e f g h", relation="conflict", **changes))))


def logprobs(**top: float) -> Reply:
    body = completion("A", top={"A": 0.5}, finish_reason="length")
    body["choices"][0]["logprobs"]["content"][0]["top_logprobs"] = [
        {"token": token, "logprob": value, "bytes": None} for token, value in top.items()
    ]
    return Reply(body=json.dumps(body))


NULL = json.loads(json.dumps(completion("A", top={"A": 0.5})))
NULL["choices"][0]["logprobs"]["content"][0]["top_logprobs"][0]["logprob"] = None

LASTING: dict[str, tuple[Fault, str]] = {
    "429": (screens(Reply(429, {"error": {"message": "slow down"}})), "rate_limited"),
    "429 with long patience asked": (
        screens(Reply(429, {"error": {"message": "quota"}}, {"Retry-After": "86400"})), "rate_limited",
    ),
    "500": (screens(Reply(500, "boom")), "http_500"),
    "500 at the second question": (explains(Reply(500, "boom")), "http_500"),
    "503": (screens(Reply(503, "queue full")), "http_503"),
    "400": (screens(Reply(400, {"error": {"message": "unknown field"}})), "http_400"),
    "404": (screens(Reply(404, {"error": {"message": "no such model"}})), "http_404"),
    "window": (
        screens(Reply(400, {"error": {"message": "maximum context length is 2048"}})), "too_long",
    ),
    "closed in the middle of the body": (screens(Reply(200, GOOD_SCREEN, close_after=100)), "connection"),
    "closed before the body": (screens(Reply(200, GOOD_SCREEN, close_after=0)), "connection"),
    "no HTTP": (screens(Reply(garbage=True)), "connection"),
    "hangs": (screens(Reply(hang=True)), "timeout"),
    "hangs at the second question": (explains(Reply(hang=True)), "timeout"),
    "a page of a proxy": (screens(Reply(200, "<html>It works</html>")), "unreadable"),
    "a body cut within the JSON": (screens(Reply(200, GOOD_SCREEN[:100])), "unreadable"),
    "another JSON": (screens(Reply(200, {"ok": True})), "unreadable"),
    "no choices": (screens(Reply(200, {"choices": [], "usage": None})), "empty_answer"),
    "no logprobs": (screens(Reply(body=completion("E"))), "logprobs"),
    "NaN": (screens(logprobs(A=float("nan"), E=-0.1)), "logprobs"),
    "null for NaN": (screens(Reply(body=NULL)), "logprobs"),
    "minus infinity": (screens(logprobs(A=float("-inf"), E=-0.1)), "logprobs"),
    "no label": (screens(logprobs(The=-0.1, It=-3.0)), "labels"),
    "empty content": (explains(Reply(body=completion(""))), "empty_answer"),
    "null content": (explains(Reply(body=completion(None))), "empty_answer"),
    "truncated": (explains(Reply(body=completion('{"rationale": "Sa', finish_reason="length"))), "truncated"),
    "truncated without a word": (explains(Reply(body=completion('{"rationale": "Sa'))), "schema"),
    "prose": (explains(Reply(body=completion("No conflict."))), "schema"),
    "wrong schema": (explains(Reply(body=completion('{"verdict": "no"}'))), "schema"),
    "unknown relation": (explains(Reply(body=completion('{"relation": "no"}'))), "schema"),
}  # fmt: skip


@pytest.mark.parametrize("name", LASTING)
def test_a_lasting_fault_is_an_error_with_a_stable_code(name: str, server: JudgeServer, judge: MakeJudge) -> None:
    server.on_request, code = LASTING[name]
    pairs = [conflicting(i) for i in range(3)]
    verdicts = list(judge(timeout_s=0.3 if "hangs" in name else 20, max_retries=1).judge(pairs))
    assert {verdict.pair_key for verdict in verdicts} == {pair.pair_key for pair in pairs}
    assert len(verdicts) == 3
    for verdict in verdicts:
        assert verdict.status == "error"
        assert verdict.error.startswith(f"{code}: ")
        assert (verdict.relation, verdict.p_conflict) == (None, None)
        assert verdict.calls > 0


def test_a_failed_call_is_a_line_that_a_person_can_read_and_its_traceback_is_for_debugging(
    server: JudgeServer, judge: MakeJudge, caplog: pytest.LogCaptureFixture
) -> None:
    server.on_request, _ = LASTING["400"]
    with caplog.at_level(logging.DEBUG, logger="antinomy"):
        (verdict,) = judge().judge([conflicting()])
    told, traced = [record for record in caplog.records if record.name == "antinomy"]
    assert told.levelno == logging.WARNING
    assert told.getMessage() == f"pair {verdict.pair_key} has no verdict: {verdict.error}"
    assert "unknown field" in told.getMessage()
    assert told.exc_info is None
    assert traced.levelno == logging.DEBUG
    assert traced.exc_info is not None
    assert traced.exc_info[2] is not None


@pytest.mark.parametrize(
    "fault",
    [
        Reply(429, {"error": {"message": "slow down"}}),
        Reply(408, "late"),
        Reply(500, "boom"),
        Reply(503, "queue full"),
        Reply(200, GOOD_SCREEN, close_after=100),
        Reply(hang=True),
    ],
    ids=["429", "408", "500", "503", "closed", "hang"],
)
def test_a_passing_fault_costs_a_retry_and_nothing_else(fault: Reply, server: JudgeServer, judge: MakeJudge) -> None:
    server.on_request = lambda request: fault if request.number in {1, 4, 5} else None
    pairs = [conflicting(i) for i in range(4)]
    verdicts = list(judge(timeout_s=1 if fault.hang else 20, max_retries=3).judge(pairs))
    assert [verdict.relation for verdict in verdicts] == ["conflict"] * 4
    assert sum(verdict.calls for verdict in verdicts) == server.count == 16 + 3


@pytest.mark.parametrize("status", [400, 401, 403, 404, 422])
def test_a_refusal_is_final(status: int, server: JudgeServer, judge: MakeJudge) -> None:
    server.on_request = lambda request: Reply(status, {"error": {"message": "no"}})
    (verdict,) = judge(both_orders=False, max_retries=5).judge([conflicting()])
    assert verdict.error.startswith(f"http_{status}: ")
    assert server.count == 1


def test_retries_are_bounded(server: JudgeServer, judge: MakeJudge) -> None:
    server.on_request = lambda request: Reply(500, "boom")
    (verdict,) = judge(both_orders=False, max_retries=4).judge([conflicting()])
    assert server.count == verdict.calls == 5


def test_retry_after_is_honoured(server: JudgeServer, judge: MakeJudge) -> None:
    times: list[float] = []

    def answer(request: Request) -> Reply | None:
        times.append(time.monotonic())
        return Reply(429, "{}", {"Retry-After": "0.7"}) if request.number == 1 else None

    server.on_request = answer
    (verdict,) = judge(both_orders=False).judge([unrelated()])
    assert verdict.status == "ok"
    assert 0.7 <= times[1] - times[0] < 5


def test_a_quote_that_is_not_in_its_text_makes_the_verdict_unverified(server: JudgeServer, judge: MakeJudge) -> None:
    server.on_request = explains(told(quote_first="a bank shall never report"))
    (verdict,) = judge().judge([conflicting()])
    assert (verdict.status, verdict.relation, verdict.evidence_verified) == ("unverified", "conflict", False)
    assert (verdict.evidence_left, verdict.evidence_right) == ("", "")
    assert verdict.p_conflict == pytest.approx(0.9)


def test_one_side_that_fails_fails_its_own_pair_alone(server: JudgeServer, judge: MakeJudge) -> None:
    bad = {3, 11}

    def answer(request: Request) -> Reply | None:
        return Reply(500, "boom") if any(f"branch {i} " in request.provisions[0] for i in bad) else None

    server.on_request = answer
    pairs = [conflicting(i) for i in range(20)]
    verdicts = {verdict.pair_key: verdict for verdict in judge(max_retries=1).judge(pairs)}
    assert len(verdicts) == 20
    for i, pair in enumerate(pairs):
        assert verdicts[pair.pair_key].status == ("error" if i in bad else "ok")


def test_a_storm_of_faults_loses_nothing_and_invents_nothing(server: JudgeServer, judge: MakeJudge) -> None:
    faults = [fault for name, (fault, _) in LASTING.items() if "hang" not in name]

    def answer(request: Request) -> Reply | None:
        return faults[request.number % len(faults)](request) if request.number % 3 == 0 else None

    server.on_request = answer
    pairs = [conflicting(i) for i in range(120)]
    verdicts = list(judge(max_in_flight=32, max_retries=2).judge(pairs))
    assert sorted(verdict.pair_key for verdict in verdicts) == sorted(pair.pair_key for pair in pairs)
    counts = Counter(verdict.relation or verdict.error.split(":")[0] for verdict in verdicts)
    assert counts["conflict"] > 10
    assert counts["none"] == counts["overlap"] == 0
    assert sum(verdict.calls for verdict in verdicts) == server.count


def test_a_server_that_is_gone_is_given_up_after_a_while(
    server: JudgeServer, judge: MakeJudge, caplog: pytest.LogCaptureFixture
) -> None:
    server.on_request = lambda request: Reply(500, "boom") if request.number > 10 else None
    pairs = [unrelated(i) for i in range(500)]
    verdicts = list(judge(max_in_flight=4, max_retries=0, both_orders=False).judge(pairs))
    assert len({verdict.pair_key for verdict in verdicts}) == 500
    codes = Counter(verdict.error.split(":")[0] for verdict in verdicts)
    assert codes[""] == 10
    assert codes["endpoint"] > 400
    assert len(caplog.records) == codes["http_500"], "a warning per failed call, none for a question not asked"
    assert server.count < 100


def test_nobody_listens(judge: MakeJudge) -> None:
    (verdict,) = judge(base_url="http://127.0.0.1:9/v1").judge([unrelated()])
    assert verdict.error.startswith("connection: ")
