"""Several regimes at once."""

from __future__ import annotations

from antinomy.coverage.overview import strictest
from antinomy.report.coverage_summary import count_views
from coverage_tables import built, pair

TEXTS = {
    "eu#1": "The firm shall report an incident within 24 hours.",
    "us#1": "A bank must report an incident within 36 hours.",
    "uk#1": "A firm must report an incident within 72 hours.",
    "uk#2": "A firm must keep the records of incidents for at least five years.",
    "us#2": "A bank must keep the records of incidents for at least three years.",
}
PAIRS = [
    pair("eu#1", "us#1", "stricter", 0.9, governs="left", kind="deadline"),
    pair("us#1", "uk#1", "stricter", 0.9, governs="left", kind="deadline"),
    pair("us#2", "uk#2", "stricter", 0.9, governs="right", kind="retention"),
]


def test_the_matrix_counts_each_side_against_each_other() -> None:
    rows, _ = built(PAIRS, texts=TEXTS)
    counted = {(view.side, view.other): dict(view.states) for view in count_views(rows)}
    assert counted["eu", "us"] == {"stricter_here": 1}
    assert counted["us", "uk"] == {"stricter_here": 1, "stricter_there": 1}
    assert counted["uk", "us"] == {"stricter_there": 1, "stricter_here": 1}
    assert counted["eu", "uk"] == {"not_decidable": 1}


def test_the_strictest_rule_of_all_is_found_by_topic() -> None:
    deadline, retention = strictest(*built(PAIRS, texts=TEXTS))
    assert (deadline.kind, deadline.governs) == ("deadline", "eu")
    assert [(rule.side, rule.value, rule.strictest) for rule in deadline.rules] == [
        ("eu", "24 hours", True), ("us", "36 hours", False), ("uk", "72 hours", False),
    ]  # fmt: skip
    assert (retention.kind, retention.governs) == ("retention", "uk")


def test_a_circle_has_no_strictest_rule() -> None:
    circle = [*PAIRS, pair("eu#1", "uk#1", "stricter", 0.9, governs="right", kind="deadline")]
    assert strictest(*built(circle, texts=TEXTS))[0].governs is None
