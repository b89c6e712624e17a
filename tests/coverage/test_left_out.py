"""What is no duty of a firm: it is left out, and answers no duty of the other side."""

from __future__ import annotations

import pytest

from coverage_tables import TEXTS, built, pair


@pytest.mark.parametrize(
    ("text", "binds", "reason"),
    [
        (
            "Examiners should use the first and the second tier of these vault, cash and coin procedures.",
            "examiner",
            "about the examination itself",
        ),
        (
            "Determine the scope of the examination. Ask for earlier reports.",
            "examiner",
            "about the examination itself",
        ),
        ("Discuss the preliminary conclusions with the team.", "examiner", "about the examination itself"),
        ("Determine whether audits have a scope that fits the examination plan of the firm.", "examiner", ""),
        ("The firm shall use the following procedures:", "firm", "words that introduce what follows"),
        ("The firm shall:\n(a) test its backups;", "firm", ""),
        ("This rating reflects the skill of the board, which must be clear.", "firm", "about the supervisors' ratings"),
        (
            "These steps should not be construed as requirements for any control.",
            "examiner",
            "says that it demands nothing",
        ),
    ],
)
def test_what_steers_an_examination_or_leads_in_is_no_duty_of_a_firm(text: str, binds: str, reason: str) -> None:
    rows, _ = built([], texts={"eu#1": text, "us#1": TEXTS["us#1"]}, bound={"eu#1": (binds, "duty")})
    assert (rows[0]["state"] == "left_out", rows[0]["reason"] if reason else "") == (bool(reason), reason)


@pytest.mark.parametrize(
    ("text", "left_out"),
    [
        ("Critical cloud providers shall help the overseer with its inquiries.", True),
        ("On receipt of a notice, the representatives of the cloud providers shall answer the supervisor.", True),
        ("The provider shall announce a change of its subcontractors 60 days ahead.", False),
        ("A provider shall tell the bank and its supervisor of an outage.", False),
        ("A crypto-asset service provider shall notify the supervisor of an outage.", False),
        ("Custody providers shall send the authority a return each month.", False),
        ("A draft contract with a provider shall not be shown to any authority.", False),
    ],
)
def test_what_a_provider_owes_its_overseer_is_no_duty_of_a_firm(text: str, left_out: bool) -> None:
    rows, _ = built([], texts={"eu#1": text, "us#1": TEXTS["us#1"]})
    assert (rows[0]["reason"] == "binds a provider towards its overseer") == left_out


def test_what_providers_owe_their_overseers_on_both_sides_is_compared() -> None:
    texts = {
        "eu#1": "Critical cloud providers shall help the overseer with its inquiries.",
        "us#1": "A critical vendor must give the agency what it asks for.",
    }
    rows, _ = built([pair("eu#1", "us#1", "overlap", 0.97, own=0.8, score=12.0)], texts=texts)
    assert [row["state"] for row in rows] == ["covered", "covered"]


def test_what_demands_nothing_of_a_firm_answers_no_duty() -> None:
    rated = {"us#1": "This rating reflects how a bank tests its backups every year and keeps its logs five years."}
    pairs = [
        pair("eu#1", "us#1", "overlap", 0.97, own=0.8, score=12.0),
        *(pair("eu#1", f"us#{n}", "none", 0.01, own=0.1, score=3.0) for n in (2, 3)),
    ]
    rows, counterparts = built(pairs, texts=TEXTS | rated)
    assert rows[0]["state"] != "covered"
    assert "us#1" not in [row["counterpart_id"] for row in counterparts if row["section_id"] == "eu#1"]
