"""What the tables say of a provision, and of its counterparts from either side."""

from __future__ import annotations

from typing import Any

import pytest

from antinomy.settings.link import LinkSettings
from antinomy.store import schemas
from coverage_tables import TEXTS, built, pair, states


def test_every_provision_has_a_row_and_those_that_demand_nothing_of_a_firm_say_why() -> None:
    rows, _ = built([pair("eu#1", "us#1", "overlap", 0.95)])
    assert [row["section_id"] for row in rows] == list(TEXTS)
    said = {row["section_id"]: (row["state"], row["reason"]) for row in rows}
    assert said["eu#4"] == ("left_out", "binds an authority")
    assert said["eu#5"] == ("left_out", "a definition")
    assert said["eu#3"][0] == "not_decidable"
    assert "compared with nothing" in said["eu#3"][1]
    assert list(rows[0]) == schemas.columns("coverage")


def test_a_likely_counterpart_covers_and_an_unlikely_one_leaves_a_gap_that_names_the_nearest_miss() -> None:
    rows, counterparts = built(
        [
            pair("eu#1", "us#1", "overlap", 0.97, own=0.8, score=12.0),
            pair("eu#3", "us#3", "none", 0.02, own=0.1, score=4.0),
            pair("eu#3", "us#1", "none", 0.01, own=0.05, score=3.5),
            pair("eu#3", "us#2", "none", 0.01, own=0.05, score=3.0),
        ]
    )
    by = {row["section_id"]: row for row in rows}
    assert by["eu#1"]["state"] == "covered"
    assert by["eu#1"]["p_state"] == by["eu#1"]["p_covered"] > 0.65
    assert by["eu#1"]["counterparts"] == 1
    assert by["eu#3"]["state"] == "gap"
    assert by["eu#3"]["p_state"] == pytest.approx(1 - by["eu#3"]["p_covered"], abs=1e-3)
    assert by["eu#3"]["p_covered"] < 0.45
    assert by["eu#3"]["reason"].startswith("nearest is Article 3 (")
    assert by["eu#3"]["reason"].endswith("it says nothing of “publish” and “tariff”")
    assert by["eu#3"]["counterparts"] == 0
    misses = [row for row in counterparts if row["section_id"] == "eu#3"]
    assert [row["counterpart_id"] for row in misses] == ["us#3", "us#2", "us#1"]  # us#1 answers eu#1
    assert {row["relationship"] for row in misses} == {"no relationship"}
    assert list(counterparts[0]) == schemas.columns("counterparts")


def test_of_two_counterparts_that_the_judge_finds_alike_the_one_with_the_nearer_text_is_named_first() -> None:
    alike = [pair("eu#1", f"us#{n}", "overlap", 0.9, own=own, score=9.0) for n, own in ((2, 0.9), (3, 0.5))]
    assert [row["counterpart_id"] for row in built(alike)[1] if row["section_id"] == "eu#1"] == ["us#2", "us#3"]
    # The model that is adapted to provisions knows better.
    adapted = [row | {"mpnet": cosine} for row, cosine in zip(alike, (0.2, 0.6), strict=True)]
    assert [row["counterpart_id"] for row in built(adapted)[1] if row["section_id"] == "eu#1"] == ["us#3", "us#2"]


def test_a_pair_stands_twice_each_side_with_its_own_view() -> None:
    texts = {"eu#2": TEXTS["eu#2"], "us#2": TEXTS["us#2"]}
    said = pair("eu#2", "us#2", "stricter", 0.9, governs="left", kind="deadline")
    rows, counterparts = built([said], texts=texts)
    assert [row["state"] for row in rows] == ["stricter_here", "stricter_there"]
    eu, us = counterparts
    assert (eu["relationship"], us["relationship"]) == ("superset of", "subset of")
    assert (eu["governs"], us["governs"]) == ("here", "there")
    assert (eu["value"], eu["counterpart_value"]) == ("24 hours", "36 hours") == (us["counterpart_value"], us["value"])
    assert eu["evidence"] == us["counterpart_evidence"] == TEXTS["eu#2"][:20]
    assert eu["pair_key"] == us["pair_key"]
    assert rows[0]["p_state"] == 0.9


def test_a_reason_names_the_documents_whichever_side_they_stand_on() -> None:
    why = "Only the force of the words differs: the left has the stronger."
    said = pair("eu#1", "us#1", "overlap", 0.97, own=0.8, score=12.0, rationale=why)
    rows, counterparts = built([said], texts={name: TEXTS[name] for name in ("eu#1", "us#1")})
    assert [row["state"] for row in rows] == ["covered", "covered"]
    for row in counterparts:
        assert (row["relationship"], row["governs"]) == ("intersects with", None)
        assert row["rationale"] == "Only the force of the words differs: EU has the stronger."


def test_a_conflict_comes_before_a_stricter_rule_and_is_listed_first() -> None:
    others = [pair("eu#2", f"us#{n}", "overlap", 0.99, own=0.9, score=14.0) for n in range(10, 16)]
    texts = TEXTS | {f"us#{n}": f"A bank must do the {n}th thing." for n in range(10, 16)}
    rows, counterparts = built(
        [
            *others,
            pair("eu#2", "us#1", "stricter", 0.6, governs="right"),
            pair("eu#2", "us#2", "conflict", 0.7, p_conflict=0.66),
        ],
        texts=texts,
    )
    row = next(row for row in rows if row["section_id"] == "eu#2")
    assert (row["state"], row["p_state"]) == ("conflict", 0.66)
    listed = [other for other in counterparts if other["section_id"] == "eu#2"]
    assert [other["place"] for other in listed] == [1, 2, 3, 4, 5]
    assert listed[0]["relation"] == "conflict"


def test_without_a_verdict_nothing_is_decided() -> None:
    failed = {"status": "error", "relation": None, "error": "timeout: no answer"}
    rows, counterparts = built([pair("eu#1", "us#1") | failed])
    assert (rows[0]["state"], rows[0]["reason"], rows[0]["p_covered"]) == ("not_decidable", "timeout: no answer", None)
    assert (counterparts[0]["relation"], counterparts[0]["relationship"]) == (None, "no relationship")


def test_a_judge_without_probabilities_still_tells_covered_from_gap() -> None:
    found = states(
        [
            pair("eu#1", "us#1", "overlap", None, own=0.7, score=10.0),
            *(pair("eu#3", f"us#{n}", "none", None, own=0.1, score=3.0) for n in (1, 2, 3)),
        ]
    )
    assert (found["eu#1"], found["eu#3"]) == ("covered", "gap")


def test_unrelated_texts_that_are_much_alike_leave_the_question_open() -> None:
    weak = [
        pair("eu#3", "us#1", "none", 0.4, own=0.5, score=8.0),
        *(pair("eu#3", f"us#{n}", "none", 0.01, own=0.1, score=3.0) for n in (2, 3)),
    ]
    row = next(row for row in built(weak)[0] if row["section_id"] == "eu#3")
    assert row["state"] == "not_decidable"
    assert row["reason"].startswith("nearest is Article 1 (")
    assert row["reason"].endswith("judged to be on another matter, but the two are too much alike to be sure")


def test_a_gap_is_not_claimed_after_too_few_candidates() -> None:
    rows, counterparts = built([pair("eu#3", "us#1", "none", 0.01, own=0.1, score=3.0)])
    row = next(row for row in rows if row["section_id"] == "eu#3")
    assert (row["state"], row["counterparts"]) == ("not_decidable", 0)
    assert "compared with 1 only" in row["reason"]
    assert counterparts[0]["relationship"] == "no relationship"


@pytest.mark.parametrize(
    ("own", "score", "state", "reason"),
    [
        (0.4, 7.0, "partly", "related, perhaps only in part or in subject"),
        (0.2, 4.0, "not_decidable", "related, but rather not on the same duty"),
    ],
)
def test_a_related_counterpart_covers_partly_where_it_is_likelier_than_not(
    own: float, score: float, state: str, reason: str
) -> None:
    rows, _ = built([pair("eu#3", "us#1", "overlap", 0.6, own=own, score=score)])
    row = next(row for row in rows if row["section_id"] == "eu#3")
    assert (row["state"], row["counterparts"]) == (state, 1)
    assert row["reason"].endswith(reason)


def test_a_demand_that_no_counterpart_answers_makes_it_partly_covered() -> None:
    pairs = [pair("eu#1", "us#1", "overlap", 0.97, own=0.8, score=12.0)]
    both = {"eu#1": [[1.0, 0.0], [0.9, 0.4]], "us#1": [[1.0, 0.0]]}
    one = both | {"eu#1": [[1.0, 0.0], [0.0, 1.0]]}
    assert states(pairs, vectors=both)["eu#1"] == "covered"
    rows, _ = built(pairs, vectors=one)
    assert rows[0]["state"] == "partly"
    assert rows[0]["reason"] == (
        "nothing answers “Logs shall be kept for five years.”; "
        "nearest to “Backups shall be tested at least once a year.” is Article 1"
    )


def test_each_demand_names_the_counterpart_that_answers_it_wherever_that_stands() -> None:
    texts = {"eu#1": TEXTS["eu#1"], "us#1": TEXTS["us#1"]} | {
        f"us#{n}": f"A bank must do the {n}th thing." for n in range(2, 7)
    }
    pairs = [pair("eu#1", f"us#{n}", "overlap", 0.97, own=0.8, score=13.0 - n / 10) for n in range(1, 7)]
    vectors = {"eu#1": [[1.0, 0.0], [0.0, 1.0]], "us#6": [[0.1, 0.9]]} | {f"us#{n}": [[0.9, 0.1]] for n in range(2, 6)}
    rows, _ = built(pairs, texts=texts, vectors=vectors | {"us#1": [[1.0, 0.0]]})
    assert rows[0]["state"] == "covered"
    assert rows[0]["reason"] == (
        "nearest to “Backups shall be tested at least once a year.” is Article 1; "
        "nearest to “Logs shall be kept for five years.” is Article 6"
    )


def test_each_point_of_a_list_is_a_demand_where_its_lead_demands() -> None:
    listed = "The firm shall:\n(a) test the backups of its systems;\n(b) vet the staff of its vendors."
    texts = {"eu#1": listed, "us#1": "A bank should test its backups every year."}
    pairs = [pair("eu#1", "us#1", "overlap", 0.97, own=0.8, score=12.0)]
    vectors = {"eu#1": [[0.7, 0.7], [1.0, 0.0], [0.0, 1.0]], "us#1": [[1.0, 0.0]]}
    rows, _ = built(pairs, texts=texts, vectors=vectors)
    assert rows[0]["state"] == "partly"
    assert rows[0]["reason"] == (
        "nothing answers “(b) vet the staff of its vendors.”; "
        "nearest to “(a) test the backups of its systems;” is Article 1"
    )


def test_what_does_not_apply_is_no_demand() -> None:
    text = (
        "Articles 5 to 15 shall not apply to small firms.\nThe firm shall vet its vendors.\nIt shall test its backups."
    )
    texts = {"eu#1": text, "us#1": "A bank should test its backups and vet its vendors."}
    pairs = [pair("eu#1", "us#1", "overlap", 0.97, own=0.8, score=12.0)]
    vectors = {"eu#1": [[0.0, 1.0], [1.0, 0.0], [1.0, 0.0]], "us#1": [[1.0, 0.0]]}
    rows, _ = built(pairs, texts=texts, vectors=vectors)
    assert (rows[0]["state"], "Articles 5" in rows[0]["reason"]) == ("covered", False)


def test_three_regimes_have_a_row_for_each_other_one() -> None:
    texts = {name: TEXTS[name] for name in ("eu#1", "us#1")} | {"uk#1": "A firm must test its backups twice a year."}
    pairs = [
        pair("eu#1", "us#1", "overlap", 0.97, own=0.8, score=12.0),
        pair("eu#1", "uk#1", "none", 0.02, own=0.1, score=3.0),
    ]
    rows, _ = built(pairs, texts=texts)
    assert {(row["side"], row["other"]): row["state"] for row in rows} == {
        ("eu", "us"): "covered", ("eu", "uk"): "gap", ("us", "eu"): "covered", ("us", "uk"): "not_decidable",
        ("uk", "eu"): "gap", ("uk", "us"): "not_decidable",
    }  # fmt: skip
    assert len({row["coverage_id"] for row in rows}) == 6
    rows, _ = built(pairs, LinkSettings(left=("eu",)), texts=texts)
    assert [(row["side"], row["other"]) for row in rows] == [("eu", "us"), ("eu", "uk"), ("us", "eu"), ("uk", "eu")]


def test_documents_of_one_regime_are_sides_by_themselves() -> None:
    texts = {name: TEXTS[name] for name in ("eu#1", "us#1")}
    same = {"eu": "law", "us": "law"}
    rows, _ = built([pair("eu#1", "us#1", "overlap", 0.9)], LinkSettings(groups="documents"), texts=texts, regimes=same)
    assert [(row["side"], row["other"]) for row in rows] == [("eu", "us"), ("us", "eu")]
    rows, _ = built([], LinkSettings(groups="within"), texts=texts, regimes=same)
    assert [(row["side"], row["other"]) for row in rows] == [("eu", "eu"), ("us", "us")]
    three = texts | {"uk#1": "A firm must test."}
    paired = LinkSettings(groups="pairs", pairs=(("eu", "us"),))
    rows, _ = built([], paired, texts=three, regimes=same | {"uk": "law"})
    assert {row["side"] for row in rows} == {"eu", "us"}


@pytest.mark.parametrize(("own", "given"), [(0.6, True), (0.0, False)])
def test_a_reason_claims_no_more_than_the_pair_is_likely_to_bear(own: float, given: bool) -> None:
    why = "Both demand the same or are compatible: EU requires (“a”); US requires (“b”)."
    _, counterparts = built([pair("eu#1", "us#1", "overlap", 0.9, own=own) | {"rationale": why}])
    assert counterparts[0]["rationale"] == (why if given else "")


def test_a_related_pair_of_quite_different_texts_leaves_the_question_open() -> None:
    far = [pair("eu#3", f"us#{n}", "none", 0.05, own=0.3, score=4.0) for n in (1, 2)]
    related = pair("eu#3", "us#3", "overlap", 0.5, own=0.1, score=4.0)
    rows, _ = built([*far, related])
    row = next(row for row in rows if row["section_id"] == "eu#3")
    assert row["state"] == "not_decidable"
    assert row["reason"].endswith("related, but rather not on the same duty")


def test_no_rule_is_stricter_where_one_duty_is_unlikely() -> None:
    for own, score, state in ((0.8, 12.0, "stricter_there"), (0.1, 0.0, "not_decidable")):
        rows, _ = built([pair("eu#2", "us#2", "stricter", 0.6, governs="right", own=own, score=score)])
        assert next(row for row in rows if row["section_id"] == "eu#2")["state"] == state


@pytest.mark.parametrize(
    ("still", "state"),
    [
        (pair("eu#2", "us#1", "conflict", 0.5, p_conflict=0.66), "conflict"),
        (pair("eu#2", "us#1", "stricter", 0.6, governs="right", own=0.6, score=9.0), "stricter_there"),
    ],
    ids=["conflict", "stricter"],
)
def test_a_rejected_finding_hides_no_other_one(still: dict[str, Any], state: str) -> None:
    wrong = pair("eu#2", "us#2", "conflict", 0.9, p_conflict=0.9, own=0.9, score=14.0)
    # Nearer than the open finding, and on another matter.
    nearest = pair("eu#2", "us#3", "none", 0.4, own=0.9, score=14.0)
    rows, counterparts = built([wrong, still, nearest], rejected={frozenset(("eu#2", "us#2"))})
    row = next(row for row in rows if row["section_id"] == "eu#2")
    assert (row["state"], row["reason"]) == (state, "")
    listed = [other["counterpart_id"] for other in counterparts if other["section_id"] == "eu#2"]
    assert listed[0] == "us#1", "what the state rests on comes first"


def test_where_the_only_finding_was_rejected_the_reviewer_is_named_as_the_reason() -> None:
    wrong = pair("eu#2", "us#2", "conflict", 0.9, p_conflict=0.9)
    rows, _ = built([wrong], rejected={frozenset(("eu#2", "us#2"))})
    row = next(row for row in rows if row["section_id"] == "eu#2")
    assert row["state"] == "not_decidable"
    assert row["reason"].startswith("a reviewer rejected the finding on Article 2")
