from __future__ import annotations

from collections.abc import Callable

import pytest
from pydantic import ValidationError

from antinomy.judge.served.budget import Budget
from antinomy.judge.served.failure import CallFailed
from antinomy.judge.served.judge import OpenAIJudge
from antinomy.settings.served import BudgetSettings, OpenAISettings, Price
from judge.pairs import conflicting, unrelated
from judge.server import JudgeServer, Reply

MakeJudge = Callable[..., OpenAIJudge]
PRICE = Price(input=1.0, cached=0.5, output=4.0)


def test_calls_stop_at_the_bound_and_the_rest_is_left_for_later(server: JudgeServer, judge: MakeJudge) -> None:
    pairs = [unrelated(i) for i in range(100)]
    verdicts = list(judge(budget={"calls": 50}, max_in_flight=8).judge(pairs))
    assert len({verdict.pair_key for verdict in verdicts}) == 100
    assert server.count == 50
    done = [verdict for verdict in verdicts if verdict.status == "ok"]
    left = [verdict for verdict in verdicts if verdict.error.startswith("budget: all 50 calls are spent")]
    assert len(done) + len(left) == 100
    assert len(done) >= 21  # of 25, less what was in flight at the end


def test_tokens_and_money_stop_near_the_bound_with_many_in_flight(server: JudgeServer, judge: MakeJudge) -> None:
    server.latency_s = 0.01
    for bound in ({"tokens": 40_000}, {"money": 0.04}):
        verdicts = list(judge(budget=bound, price=PRICE, max_in_flight=16).judge(unrelated(i) for i in range(100)))
        tokens = sum(verdict.input_tokens + verdict.output_tokens for verdict in verdicts)
        money = sum(PRICE.cost(v.input_tokens, v.cached_tokens, v.output_tokens) for v in verdicts)
        if "tokens" in bound:
            assert 30_000 < tokens <= 40_000
        else:
            assert 0.03 < money <= 0.04
        assert {verdict.error.split(":")[0] for verdict in verdicts} == {"", "budget"}


def test_retries_count_as_calls(server: JudgeServer, judge: MakeJudge) -> None:
    server.on_request = lambda request: Reply(500, "boom")
    (verdict,) = judge(budget={"calls": 3}, max_retries=9, both_orders=False).judge([unrelated()])
    assert server.count == 3
    assert verdict.error.startswith("budget: ")


def test_an_explanation_that_cannot_be_paid_leaves_no_half_verdict(server: JudgeServer, judge: MakeJudge) -> None:
    (verdict,) = judge(budget={"calls": 2}).judge([conflicting()])
    assert (verdict.status, verdict.relation, verdict.p_conflict, verdict.calls) == ("error", None, None, 2)
    assert verdict.input_tokens > 0


def test_a_budget_can_be_shared_by_judges(server: JudgeServer, settings: Callable[..., OpenAISettings]) -> None:
    budget = Budget(BudgetSettings(calls=6), Price())
    for expected in ("ok", "ok", "ok", "error"):
        (verdict,) = OpenAIJudge(settings(), budget).judge([unrelated()])
        assert verdict.status == expected
    assert budget.calls == server.count == 6


def test_a_held_call_is_replaced_by_what_it_used() -> None:
    budget = Budget(BudgetSettings(tokens=1000), PRICE)
    held = budget.reserve(600, 300)
    with pytest.raises(CallFailed, match=r"^budget: "):
        budget.reserve(200, 0)
    assert (budget.calls, budget.tokens) == (1, 900)
    budget.settle(held, 500, 400, 10)
    assert budget.tokens == 510
    assert budget.money == pytest.approx((100 * 1.0 + 400 * 0.5 + 10 * 4.0) / 1e6)
    budget.reserve(200, 0)


@pytest.mark.parametrize("parts", [1, 3, 7, 100])
def test_shares_of_a_budget_add_up(parts: int) -> None:
    whole = BudgetSettings(calls=10, tokens=1001, money=1.0)
    shares = [whole.share(parts, index) for index in range(parts)]
    assert sum(share.calls or 0 for share in shares) == 10
    assert sum(share.tokens or 0 for share in shares) == 1001
    assert sum(share.money or 0 for share in shares) == pytest.approx(1.0)
    assert BudgetSettings().share(parts, 0) == BudgetSettings()


def test_a_task_that_has_spent_its_share_names_the_budget_of_the_run(server: JudgeServer, judge: MakeJudge) -> None:
    share = judge(budget={"calls": 12}).for_task(4, 0)
    errors = {verdict.error for verdict in share.judge(unrelated(i) for i in range(3))} - {""}
    assert errors == {
        "budget: this task's share of the run's budget is spent: all 3 calls (of 12 for the run) are spent"
    }


def test_a_money_bound_without_a_price_is_refused() -> None:
    with pytest.raises(ValidationError, match=r"budget\.money: set price"):
        OpenAISettings(budget=BudgetSettings(money=1.0))
