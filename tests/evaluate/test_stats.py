"""Figures against scikit-learn and by hand."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics import f1_score, precision_score, recall_score

from antinomy.evaluate import stats


def test_precision_recall_f1_are_scikit_learns() -> None:
    rng = np.random.default_rng(0)
    for _ in range(20):
        actual, predicted = rng.integers(0, 2, size=(2, 30)).astype(float)
        assert stats.precision(actual, predicted) == pytest.approx(precision_score(actual, predicted))
        assert stats.recall(actual, predicted) == pytest.approx(recall_score(actual, predicted))
        assert stats.f1(actual, predicted) == pytest.approx(f1_score(actual, predicted))


def test_an_undefined_figure_is_none_not_zero() -> None:
    nothing, some = np.zeros(4), np.ones(4)
    assert stats.estimate(stats.precision, some, nothing)["value"] is None
    assert stats.estimate(stats.recall, nothing, some)["value"] is None
    assert stats.mean([])["value"] is None
    assert stats.mean([1.0]) == {"value": 1.0, "low": None, "high": None}


def test_interval_of_a_share_is_about_the_binomial_one() -> None:
    found = stats.mean([1.0] * 60 + [0.0] * 40)
    assert found["value"] == 0.6
    assert found["low"] == pytest.approx(0.6 - 1.96 * 0.049, abs=0.02)
    assert found["high"] == pytest.approx(0.6 + 1.96 * 0.049, abs=0.02)
    assert found == stats.mean([1.0] * 60 + [0.0] * 40)  # the same figures from the same data


def test_resamples_without_a_positive_do_not_count_as_zero() -> None:
    actual = np.array([1.0] + [0.0] * 9)
    assert stats.estimate(stats.recall, actual, actual)["low"] == 1.0


def test_mcnemar_by_hand() -> None:
    # Ten disputed items, nine of them won by the second: 2 · (C(10,0) + C(10,1)) / 2^10.
    first = [True] * 5 + [True] + [False] * 9 + [False] * 3
    second = [True] * 5 + [False] + [True] * 9 + [False] * 3
    found = stats.mcnemar(first, second)
    assert (found["only_first"], found["only_second"]) == (1, 9)
    assert found["p_value"] == pytest.approx(2 * 11 / 1024)
    assert stats.mcnemar(first, first)["p_value"] == 1.0


def test_difference_has_the_sign_of_the_second() -> None:
    actual = np.array([1.0, 1, 1, 0, 0, 0] * 10)
    worse = np.array([1.0, 0, 0, 1, 0, 0] * 10)
    found = stats.difference(stats.f1, actual, worse, actual)
    assert found["value"] == pytest.approx(1 - f1_score(actual, worse), abs=1e-4)
    assert 0 < found["low"] < found["value"] < found["high"]
