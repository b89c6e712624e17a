"""How the value of a rule is shown, and which values of two provisions are laid side by side."""

from __future__ import annotations

import pytest

from antinomy.findings.values import shown, values
from antinomy.norms import extract


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Reports are due within 24 hours of detection.", "24 hours"),
        ("Customers must not be told before 72 hours have passed.", "not before 72 hours"),
        ("Backups shall be tested at least once a year.", "at least once a year"),
        ("Access reviews must be performed quarterly.", "at least every 3 months"),
        ("The plan is tested twice a year.", "at least every 6 months"),
        ("Records should be retained for no less than five years.", "at least 5 years"),
        ("Logs shall be kept for 18 months at most.", "at most 18 months"),
        ("Banks must report losses above EUR 5 million.", "more than EUR 5\u202f000\u202f000"),
        ("Faults must be remedied within 14 days of their discovery.", "14 days"),
        ("Staff shall be asked weekly.", "at least once a week"),
        ("A password shall have at least 16 characters.", "at least 16 characters"),
        ("A branch must employ at least 3 companies.", "at least 3 companies"),
        ("The fence must be at least 3 metres away.", "at least 3 metres"),
        ("The second site must be at least 50 kilometres away.", "at least 50 km"),
    ],
)
def test_a_measure_is_shown_normalised(text: str, expected: str) -> None:
    (measure,) = [measure for norm in extract(text) for measure in norm.measures]
    assert shown(measure) == expected


def test_values_of_one_thing_are_paired_and_others_are_not() -> None:
    one = "Incidents shall be notified to the authority within 24 hours. Logs shall be kept for at least 5 years."
    two = "A bank must notify its regulator of an incident within three days."
    assert values(one, two, ("", ""), "stricter") == ("24 hours", "3 days")
    assert values(one, two, ("", ""), "none") is None
    assert values(one, "Logs are reviewed.", ("", ""), "stricter") is None
    quoted = "Backups shall be tested at least once a year.", "Backups should be tested annually."
    assert values(*quoted, quoted, "overlap") == ("at least once a year", "at least once a year")


def test_of_a_pair_that_corresponds_the_nearest_clauses_that_set_a_value_are_read() -> None:
    own = "Staff are trained every year. The chief shall report to the board at least once a year on all findings."
    other = "Management gives the directors a written account twice a year."
    clauses = own.split(". ")[1], other
    assert values(own, other, ("", ""), "overlap") is None
    assert values(own, other, ("", ""), "overlap", [clauses]) == ("at least once a year", "at least every 6 months")
    assert values(own, other, ("", ""), "none", [clauses]) is None
