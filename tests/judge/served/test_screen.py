from __future__ import annotations

import math

import pytest

from antinomy.judge.served.failure import CallFailed
from antinomy.judge.served.screen import mean, read_labels

LABELS = ("A", "B", "C")


def test_label_probabilities_are_renormalised_and_their_mass_is_kept() -> None:
    top = [("A", math.log(0.5)), (" A", math.log(0.1)), ("B", math.log(0.2)), ("The", math.log(0.2))]
    screened = read_labels(top, LABELS)
    assert screened.mass == pytest.approx(0.8)
    assert screened.probabilities == pytest.approx({"A": 0.75, "B": 0.25, "C": 0.0})


def test_both_orders_are_averaged() -> None:
    first = read_labels([("A", math.log(0.9)), ("B", math.log(0.1))], LABELS)
    second = read_labels([("A", math.log(0.3)), ("B", math.log(0.7))], LABELS)
    assert mean([first, second]).probabilities["A"] == pytest.approx(0.6)


@pytest.mark.parametrize(
    ("top", "code"),
    [
        ([], "logprobs"),
        ([("A", math.nan), ("B", -0.1)], "logprobs"),
        ([("A", -0.1), ("noise", math.nan)], "logprobs"),
        ([("A", -math.inf), ("B", -0.1)], "logprobs"),
        ([("A", -9999.0), ("B", -0.1)], "logprobs"),
        ([("A", 0.5)], "logprobs"),
        ([("Yes", -0.1), ("No", -2.5)], "labels"),
        ([("A", math.log(0.4)), ("<think>", math.log(0.6))], "labels"),
        ([("a", -0.1)], "labels"),
    ],
)
def test_what_is_no_answer_is_an_error(top: list[tuple[str, float]], code: str) -> None:
    with pytest.raises(CallFailed) as failure:
        read_labels(top, LABELS)
    assert failure.value.code == code
