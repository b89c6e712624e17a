"""Shares of the relations among candidates."""

from __future__ import annotations

import numpy as np
import pytest

from antinomy.judge.fitted.decision import CLASSES
from antinomy.judge.fitted.prior import FEWEST, adjust_to_shares, estimate_shares, shares_with_conflicts

FITTED = dict(zip(CLASSES, (0.25, 0.1, 0.1, 0.25, 0.3), strict=True))


def drawn(number: int, conflicts: float, rest: str = "none") -> list[dict[str, float]]:
    """Chances of pairs, sure of themselves, of which a share is in conflict and the rest something else."""
    rng = np.random.default_rng(3)
    rows = []
    for i in range(number):
        sure = "conflict" if i < conflicts * number else rest
        odds = rng.uniform(0, 0.02, len(CLASSES))
        odds[CLASSES.index(sure)] = 1.0
        rows.append(dict(zip(CLASSES, (odds / odds.sum()).tolist(), strict=True)))
    return rows


def test_shares_follow_the_pairs() -> None:
    few, many = (estimate_shares(drawn(400, share), FITTED) for share in (0.02, 0.6))
    assert few.expected["conflict"] < many.expected["conflict"]
    for found in (few, many):
        assert sum(found.expected.values()) == pytest.approx(1, abs=1e-3)
        # None is ruled out for good.
        assert all(share > 0.002 for share in found.expected.values())
        assert all(found.low[name] <= found.expected[name] + 1e-3 <= found.high[name] + 2e-3 for name in CLASSES)
        # Which regulation is called left is chance.
        assert found.expected["stricter_left"] == pytest.approx(found.expected["stricter_right"], abs=1e-3)


def test_related_pairs_that_are_no_conflicts_make_conflicts_rare() -> None:
    agreeing, clashing = (estimate_shares(drawn(400, share, rest="overlap"), FITTED) for share in (0.02, 0.6))
    assert agreeing.expected["none"] == pytest.approx(clashing.expected["none"], abs=0.05)
    assert agreeing.expected["conflict"] < 0.3 * agreeing.expected["overlap"]
    assert clashing.expected["conflict"] > 0.8 * clashing.expected["overlap"]


def test_candidates_are_expected_to_agree_mostly() -> None:
    pairs = drawn(400, 0.05)
    candidates = [row | {"place": 1.0} for row in pairs]
    proposed, given = (estimate_shares(rows, FITTED).expected for rows in (candidates, pairs))
    assert proposed["conflict"] / (1 - proposed["none"]) < given["conflict"] / (1 - given["none"])


def test_each_others_nearest_are_estimated_by_themselves() -> None:
    near = [row | {"place": 1.0} for row in drawn(100, 0.6)]
    far = [row | {"place": 3.0} for row in drawn(300, 0.02)]
    found = estimate_shares([*near, *far], FITTED)
    assert found.by_place[0]["conflict"] > 3 * found.by_place[2]["conflict"]
    # Nobody stands between them or has no rank: all pairs stand for them, and fewer are expected to be related.
    between, none = found.by_place[1], found.by_place[3]
    assert found.by_place[0]["none"] < between["none"] < none["none"]
    assert between["conflict"] > none["conflict"] > 0


def test_the_share_over_all_is_that_of_the_groups() -> None:
    near = [row | {"place": 1.0} for row in drawn(100, 0.6)]
    far = [row | {"place": 4.0} for row in drawn(300, 0.02)]
    found = estimate_shares([*near, *far], FITTED)
    one, other = found.by_place[0], found.by_place[3]
    for name in CLASSES:
        assert found.expected[name] == pytest.approx((one[name] + 3 * other[name]) / 4, abs=1e-4)
        assert found.low[name] <= found.expected[name] <= found.high[name]


def test_what_the_networks_are_unsure_of_is_rather_unrelated_if_it_stands_far_apart() -> None:
    unsure = dict(zip(CLASSES, (0.15, 0.1, 0.1, 0.2, 0.45), strict=True))
    near = [unsure | {"place": 1.0} for _ in range(100)]
    far = [unsure | {"place": 4.0} for _ in range(300)]
    found = estimate_shares([*near, *far], FITTED)
    at = [adjust_to_shares(unsure, FITTED, found.by_place[place - 1]) for place in (1, 4)]
    assert at[1]["none"] > at[0]["none"] > 0.5
    assert 1 - at[1]["none"] < 0.6 * (1 - at[0]["none"])
    # And if such a pair is related, it is seldom a conflict.
    assert at[1]["conflict"] / (1 - at[1]["none"]) < at[0]["conflict"] / (1 - at[0]["none"])


def test_a_small_run_has_shares_of_each_others_nearest_too() -> None:
    near = [row | {"place": 1.0} for row in drawn(20, 0.9)]
    far = [row | {"place": 3.0} for row in drawn(200, 0.02)]
    found = estimate_shares([*near, *far], FITTED)
    assert found.by_place[0]["conflict"] > 3 * found.by_place[2]["conflict"]
    # Of a handful the estimate would be chance.
    handfuls = ([row | {"place": 1.0} for row in drawn(5, share)] for share in (1.0, 0.0))
    few, others = (estimate_shares([*rows, *far], FITTED).by_place[0] for rows in handfuls)
    assert few["conflict"] == pytest.approx(others["conflict"], abs=0.05)


def test_too_few_pairs_leave_the_shares_as_fitted() -> None:
    assert estimate_shares(drawn(FEWEST - 1, 1.0), FITTED).expected == pytest.approx(FITTED)


def test_chances_change_with_the_odds_of_the_shares() -> None:
    probabilities = dict(zip(CLASSES, (0.3, 0.1, 0.1, 0.2, 0.3), strict=True))
    assert adjust_to_shares(probabilities, FITTED, FITTED) == pytest.approx(probabilities)
    rarer = adjust_to_shares(probabilities, FITTED, shares_with_conflicts(FITTED, 0.05))
    assert sum(rarer.values()) == pytest.approx(1)
    assert rarer["conflict"] < 0.15
    # The others keep their proportions.
    assert rarer["overlap"] / rarer["none"] == pytest.approx(probabilities["overlap"] / probabilities["none"])


def test_a_named_share_of_conflicts_is_kept() -> None:
    for share in (0.001, 0.25, 0.6):
        shares = shares_with_conflicts(FITTED, share)
        assert shares["conflict"] == pytest.approx(share)
        assert sum(shares.values()) == pytest.approx(1)
