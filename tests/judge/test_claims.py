"""A stricter rule that rests on the force of words, or answers only a later step, becomes an overlap."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from antinomy.judge.claims import rests_on_force_alone, settle_claims

if TYPE_CHECKING:
    from pyspark.sql import Row, SparkSession

_VERDICT = (
    "left_id string, right_id string, left_unit_id string, right_unit_id string, relation string, kind string, "
    "governs string, p_relation double, evidence_left string, evidence_right string, rationale string"
)
_UNIT = "section_id string, unit_id string, piece int, unit_text string"


def _settled(
    spark: SparkSession, kind: str, left: list[str], right: list[str], governs: str = "left", relation: str = "stricter"
) -> Row:
    """Settle a claim on the first pieces of two provisions."""
    units = [
        (side, f"{side}~{n}", n, text)
        for side, pieces in (("a#1", left), ("b#1", right))
        for n, text in enumerate(pieces, start=1)
    ]
    claim = ("a#1", "b#1", "a#1~1", "b#1~1", relation, kind, governs, 0.97, left[0], right[0], "As judged.")
    (row,) = settle_claims(spark.createDataFrame([claim], _VERDICT), spark.createDataFrame(units, _UNIT)).collect()
    return row


@pytest.mark.spark
def test_force_alone_makes_an_overlap_and_the_stronger_side_is_told(spark: SparkSession) -> None:
    duty, advice = ["The firm shall test its backups."], ["A bank should test its backups."]
    row = _settled(spark, "modality", duty, advice)
    assert (row.relation, row.kind, row.governs, row.p_relation) == ("overlap", None, None, None)
    assert row.rationale == "Only the force of the words differs: the left has the stronger."
    for kind, relation in (("scope", "stricter"), ("modality", "conflict")):
        kept = _settled(spark, kind, duty, advice, relation=relation)
        assert (kept.relation, kept.kind, kept.governs, kept.rationale) == (relation, kind, "left", "As judged.")
    values = ["The firm shall report within 24 hours."], ["A bank should report within 36 hours."]
    assert _settled(spark, "modality", *values).relation == "stricter"


@pytest.mark.spark
def test_a_limit_is_not_stricter_than_the_last_of_several_steps(spark: SparkSession) -> None:
    last, first = "A final report of a fire must be sent within one month.", "A first report is due within 24 hours."
    one = ["The firm shall report a fire within 15 days of its outbreak."]
    assert _settled(spark, "deadline", one, [last]).relation == "stricter"
    for pieces in ([last, first], [f"{last} {first}"]):
        row = _settled(spark, "deadline", one, pieces)
        assert (row.relation, row.governs) == ("overlap", None)
        assert row.rationale == "Both set time limits, one of them for several steps."
    assert _settled(spark, "deadline", [last, first], one, governs="right").relation == "overlap"


@pytest.mark.spark
def test_a_limit_for_the_same_step_is_compared_whatever_else_a_provision_sets_limits_for(spark: SparkSession) -> None:
    one = ["A keeper must acknowledge receipt of a complaint in writing within two days."]
    several = [
        "The port acknowledges receipt of a complaint in writing within ten days.",
        "It lights lamps within one day of dusk.",
    ]
    assert _settled(spark, "deadline", one, several).relation == "stricter"


@pytest.mark.parametrize(
    ("left", "right", "p", "alone"),
    [
        ("The bank shall test its backups.", "A firm should test its backups.", 0.97, True),
        ("The bank shall not lend oil.", "A firm should not lend oil.", 0.97, True),
        ("The bank shall use testers of its own.", "A firm may use testers of its own.", 0.97, False),
        ("The bank shall use testers of its own.", "A firm may use testers of its own.", 0.7, True),
        ("The bank shall ask two others first.", "A firm must ask three others first.", 0.97, False),
        ("The bank shall test its backups.", "Backups of a firm.", 0.97, True),
    ],
)
def test_what_rests_on_the_force_of_words_alone(left: str, right: str, p: float, alone: bool) -> None:
    verdict = {
        "relation": "stricter", "kind": "modality", "p_relation": p, "evidence_left": left, "evidence_right": right,
    }  # fmt: skip
    assert rests_on_force_alone(verdict, left, right) == alone
    assert not rests_on_force_alone(verdict | {"kind": "scope"}, left, right)
