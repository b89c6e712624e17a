"""A stricter rule that is not sure gives way to a likelier claim on one of its provisions."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from antinomy.judge.rivals import settle_rivals

if TYPE_CHECKING:
    from pyspark.sql import Row, SparkSession

pytestmark = pytest.mark.spark

_COLUMNS = (
    "left_id string, right_id string, relation string, p_relation double, kind string, governs string, "
    "rationale string, evidence_left string, evidence_right string"
)


def _settled(
    spark: SparkSession, *claims: tuple[str, str, str, float | None], clauses: dict[str, str] | None = None
) -> dict[str, Row]:
    """Settle claims; ``clauses``: right_id → the clause of the left provision on which the claim rests."""
    rows = [
        (*claim, "deadline", "left", "Both set a limit.", (clauses or {}).get(claim[1], "Within a day."), "At once.")
        for claim in claims
    ]
    settled = settle_rivals(spark.createDataFrame(rows, _COLUMNS)).collect()
    assert len(settled) == len(claims)
    return {f"{row.left_id} {row.right_id}": row for row in settled}


def test_it_becomes_an_overlap_on_either_side_unless_it_is_sure(spark: SparkSession) -> None:
    settled = _settled(
        spark,
        ("a#1", "b#1", "conflict", 0.95),
        ("a#1", "b#2", "stricter", 0.7),
        ("a#2", "b#1", "stricter", 0.8),
        ("a#3", "b#1", "stricter", 0.92),
        ("a#4", "b#1", "conflict", 0.4),
    )
    found = {pair: row.relation for pair, row in settled.items()}
    assert found == {
        "a#1 b#1": "conflict", "a#1 b#2": "overlap", "a#2 b#1": "overlap", "a#3 b#1": "stricter", "a#4 b#1": "conflict",
    }  # fmt: skip
    beaten, kept = settled["a#2 b#1"], settled["a#3 b#1"]
    assert (beaten.kind, beaten.governs, beaten.p_relation) == (None, None, None)
    assert beaten.rationale == "Both concern one subject; one of the two has a likelier counterpart."
    assert (kept.kind, kept.governs, kept.p_relation, kept.rationale) == ("deadline", "left", 0.92, "Both set a limit.")


def test_it_stands_alone_or_beside_less_likely_ones_or_one_of_another_document(spark: SparkSession) -> None:
    settled = _settled(
        spark,
        ("a#1", "b#1", "stricter", 0.6),
        ("a#1", "b#2", "overlap", 0.99),
        ("a#2", "b#3", "stricter", 0.7),
        ("a#2", "c#1", "conflict", 0.8),
        ("a#3", "b#4", "stricter", 0.6),
        ("a#3", "b#5", "stricter", 0.6),
    )
    assert [row.relation for row in settled.values()].count("stricter") == 4


def test_it_stands_beside_a_claim_on_another_clause(spark: SparkSession) -> None:
    claims = ("a#1", "b#1", "conflict", 0.95), ("a#1", "b#2", "stricter", 0.7)
    settled = _settled(spark, *claims, clauses={"b#1": "(a) within a day", "b#2": "(b) once a year"})
    assert [row.relation for row in settled.values()] == ["conflict", "stricter"]


def test_without_probabilities_nothing_is_said_of_rivals(spark: SparkSession) -> None:
    settled = _settled(spark, ("a#1", "b#1", "conflict", None), ("a#1", "b#2", "stricter", 0.6))
    settled |= _settled(spark, ("a#2", "b#1", "conflict", 0.9), ("a#2", "b#2", "stricter", None))
    assert [row.relation for row in settled.values()].count("stricter") == 2
