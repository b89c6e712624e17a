"""How two clauses on one duty relate, by their values."""

from __future__ import annotations

import pytest

import antinomy
from antinomy.judge.fitted.judge import FittedJudge
from antinomy.judge.rules.values import told_by_values


@pytest.mark.parametrize(
    ("left", "right", "side"),
    [
        (
            "A keeper shall report a leak within five business days.",
            "A keeper must report a leak within 72 hours.",
            "right",
        ),
        (
            "A keeper pays interest of at least 8% a year.",
            "The port pays interest of no less than 10 percent.",
            "right",
        ),
        ("A keeper shall test the lamp at least once a year.", "The lamp is tested every twelve months.", ""),
        ("A keeper shall light the lamp.", "A keeper must light the lamp within an hour.", ""),
        ("Interest shall be computed on a 360-day year.", "Interest must be computed on a 365-day year.", ""),
    ],
)
def test_the_side_whose_values_demand_more(left: str, right: str, side: str) -> None:
    assert told_by_values(left, right) == (("stricter", side) if side else None)
    assert told_by_values(right, left) == (("stricter", {"left": "right", "right": "left"}[side]) if side else None)


@pytest.mark.parametrize(
    ("left", "right", "told"),
    [
        ("The pause shall last exactly five minutes.", "The pause lasts exactly fifteen minutes.", ("conflict", None)),
        ("The pause shall last exactly five minutes.", "The pause lasts exactly five minutes.", None),
        ("The pause shall last five minutes.", "The pause lasts exactly fifteen minutes.", None),
    ],
)
def test_two_values_to_be_kept_exactly_exclude_each_other(left: str, right: str, told: object) -> None:
    assert told_by_values(left, right) == told


def test_two_limits_for_one_duty_are_a_stricter_rule_where_the_judge_sees_an_overlap(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    overlap = {"conflict": 0.01, "stricter_left": 0.01, "stricter_right": 0.01, "overlap": 0.95, "none": 0.02}
    monkeypatch.setattr(FittedJudge, "_relation_probabilities", lambda *_: (overlap, ()))
    verdict = antinomy.judge_texts(
        "A licensee shall notify the commissioner of a breach of its records within five business days.",
        "A firm must notify the Authority of a breach of its records within 72 hours.",
    )
    assert (verdict.relation, verdict.governs, verdict.kind) == ("stricter", "right", "deadline")
    assert verdict.p_relation == verdict.p_related == 0.98
