"""Counts over the whole table."""

from __future__ import annotations

from antinomy.findings.aggregates import Axis
from report import invented


def test_counts_leave_out_what_is_resolved() -> None:
    made = invented.aggregates(invented.findings())
    assert made.by_state == {"new": 4, "carried": 1, "resolved": 1}
    assert made.by_relation == {"conflict": 4, "stricter": 1}
    assert made.by_kind == {"actor": 1, "deadline": 1, "procedure": 1, "retention": 1}
    assert made.by_decision == {"": 4, "confirm": 1}
    assert made.by_document == {
        invented.EU: {"conflict": 4, "stricter": 1},
        invented.US_CONTINUITY: {"conflict": 3, "stricter": 1},
        invented.US_RECORDS: {"conflict": 1},
    }
    # Only one of the conflicts says in its clause who must act.
    assert made.by_addressee == {"": 3, "firm": 1}


def test_the_heat_map_has_chapters_where_a_side_is_one_document_else_documents() -> None:
    made = invented.aggregates(invented.findings())
    # In the order of the text, not of the findings.
    assert made.rows == Axis(
        "left_chapter", ("Access and records", "Continuity", "Incidents", "Testing"), (invented.EU,)
    )
    assert made.columns == Axis("right_doc", (both := (invented.US_CONTINUITY, invented.US_RECORDS)), both)
    assert made.cells["Incidents", invented.US_CONTINUITY] == {"conflict": 2}
    assert made.cells["Testing", invented.US_CONTINUITY] == {"stricter": 1}
    of_one = [row for row in invented.findings() if row["right_doc"] == invented.US_CONTINUITY]
    assert invented.aggregates(of_one).cells["Incidents", "Incident Response"] == {"conflict": 2}


def test_topics_and_terms_say_what_conflicts_are_about() -> None:
    made = invented.aggregates(invented.findings())
    assert made.topics == [
        {
            "cluster_id": invented.NOTICE_EU.id,
            "topic": "Notices of major incidents / Notification of Regulators",
            "findings": 2,
            "conflicts": 2,
            "best_rank": 1,
        }
    ]
    # "years" stands in the evidence of both sides of one conflict: once is too seldom to be shared.
    again = invented.aggregates([*invented.findings(), invented.findings()[2]])
    assert again.terms["years"] == 2
    assert "years" not in made.terms
    assert "shall" not in again.terms


def test_no_findings_have_no_counts() -> None:
    made = invented.aggregates([])
    assert (made.by_relation, made.rows.values, made.cells, made.topics, made.terms) == ({}, (), {}, [], {})
