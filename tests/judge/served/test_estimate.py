from __future__ import annotations

from collections.abc import Callable

import pytest

from antinomy.judge.protocol import Pair
from antinomy.judge.served.estimate import ASSUMED_SHARE, PrefixCache, size
from antinomy.judge.served.judge import OpenAIJudge
from antinomy.settings.served import OpenAISettings, Price
from judge.pairs import pair, unrelated
from judge.server import JudgeServer

PARAGRAPH = "The firm shall keep a register of all arrangements, name who answers for each, and review it in time. "


def test_an_estimate_agrees_with_what_is_then_spent(
    server: JudgeServer, settings: Callable[..., OpenAISettings]
) -> None:
    pairs = [unrelated(i) for i in range(30)]
    chosen = settings()
    expected = size(pairs, chosen).at(0.0, chosen)
    verdicts = list(OpenAIJudge(chosen).judge(pairs))
    assert expected.calls == server.count == 60
    assert expected.input_tokens == pytest.approx(sum(v.input_tokens for v in verdicts), rel=0.1)
    assert expected.output_tokens == sum(v.output_tokens for v in verdicts)


def test_the_cost_counts_cached_tokens_at_their_own_price() -> None:
    pairs = [unrelated(i) for i in range(20)]
    whole = size(pairs, OpenAISettings())
    free = whole.at(ASSUMED_SHARE, OpenAISettings())
    plain = whole.at(ASSUMED_SHARE, OpenAISettings(price=Price(input=1000, output=1000)))
    rebate = whole.at(ASSUMED_SHARE, OpenAISettings(price=Price(input=1000, cached=100, output=1000)))
    assert free.cost == 0
    assert plain.cost == pytest.approx((plain.input_tokens + plain.output_tokens) / 1000)
    assert rebate.cost < plain.cost / 2
    assert (plain.calls, ASSUMED_SHARE) == (48, 0.2)


def test_one_order_halves_it_and_long_pairs_are_told_apart() -> None:
    pairs = [unrelated(), pair("long " * 10_000, "text")]
    twice, once = OpenAISettings(), OpenAISettings(both_orders=False)
    both, one = size(pairs, twice), size(pairs, once)
    assert (both.pairs, both.too_long) == (one.pairs, one.too_long) == (1, 1)
    assert both.at(ASSUMED_SHARE, twice).output_tokens == 2 * one.at(ASSUMED_SHARE, once).output_tokens


def cached(pairs: list[Pair], settings: OpenAISettings) -> float:
    """Return the share of the first questions' tokens that the server's cache can serve."""
    found = size(pairs, settings)
    return found.screen_cached / found.screen_tokens


def test_pairs_sorted_by_their_left_side_share_most_of_their_prompts() -> None:
    lefts = [f"{PARAGRAPH * 4}Number {i}." for i in range(40)]
    rights = [f"{PARAGRAPH * 4}Item {i}." for i in range(40)]
    by_left = [pair(left, right) for left in lefts for right in rights[:10]]
    by_right = [pair(left, right) for right in rights[:10] for left in lefts]
    one_order = OpenAISettings(both_orders=False)
    assert cached(by_left, one_order) > 0.75
    assert cached(by_left, OpenAISettings()) > 0.6
    # The cache is large enough for this few lefts, whatever the order; what nobody shares is only the end.
    assert cached(by_right, one_order) > 0.5


def test_prompts_without_a_common_start_share_nothing() -> None:
    cache = PrefixCache()
    assert [cache.share(f"{i} " + "x" * 500) for i in range(5)] == [0.0] * 5
    assert [cache.share("y" * 640) for _ in range(3)] == [0.0, 1.0, 1.0]
