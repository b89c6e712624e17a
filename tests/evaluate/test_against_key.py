"""A run against the pairs that are known to be there."""

from __future__ import annotations

from typing import Any

import pytest

from antinomy.evaluate.against_key import against_key

KEY = [
    {"left": "a#1", "right": "b#1", "relation": "conflict", "kind": "deadline"},
    {"left": "a#2", "right": "b#2", "relation": "conflict", "kind": "deadline"},
    {"left": "a#3", "right": "b#3", "relation": "conflict", "kind": "actor"},
    {"left": "a#4", "right": "b#4", "relation": "stricter", "kind": "retention"},
    {"left": "a#5", "right": "b#5", "relation": "none", "kind": None},
]


def finding(number: int, relation: str = "conflict", other: int | None = None) -> dict[str, Any]:
    return {
        "left_id": f"a#{number}",
        "right_id": f"b#{other or number}",
        "relation": relation,
        "kind": "deadline",
    }


def candidate(left: int, right: int, rank: int, score: float) -> dict[str, Any]:
    return {
        "left_id": f"a#{left}",
        "right_id": f"b#{right}",
        "rank_left": rank,
        "rank_right": None,
        "score": score,
    }


def test_a_finding_that_the_key_does_not_have_is_false() -> None:
    swapped = {"left_id": "b#2", "right_id": "a#2", "relation": "conflict", "kind": "deadline"}
    findings = [
        finding(1),
        swapped,
        finding(5),
        finding(1, other=7),
        finding(4, "stricter"),
        finding(3, "overlap"),
    ]
    result = against_key(findings, [candidate(3, 3, 1, 0.5)], KEY)
    assert result["precision"]["value"] == 0.5  # a5-b5 is a look-alike, a1-b7 is nowhere in the key
    assert result["recall"]["value"] == pytest.approx(2 / 3, abs=1e-4)
    assert result["f1"]["value"] == pytest.approx(2 * 2 / (3 + 4), abs=1e-4)
    assert {(f["left"], f["right"], f["key_relation"]) for f in result["false"]} == {
        ("a#5", "b#5", "none"),
        ("a#1", "b#7", None),
    }
    assert result["missed"] == [{"left": "a#3", "right": "b#3", "kind": "actor", "candidate": True}]
    assert result["per_kind"]["deadline"]["recall"]["value"] == 1.0
    assert result["per_kind"]["actor"] == {"recall": {"value": 0.0, "low": None, "high": None}, "n": 1}
    assert result["relations"]["stricter"]["share"]["value"] == 1.0


def test_candidates_by_rank_and_the_calls_that_keep_them() -> None:
    similar = [
        candidate(1, 9, 1, 0.9), candidate(1, 1, 2, 0.8), candidate(2, 2, 1, 0.7), candidate(3, 9, 1, 0.6),
        candidate(3, 8, 2, 0.9), candidate(3, 3, 4, 0.3),
    ]  # fmt: skip
    result = against_key([], similar, KEY)["candidates"]
    assert result["recall"]["value"] == 1.0
    assert [round(result["recall_at"][k], 2) for k in ("1", "3", "5")] == [0.33, 0.67, 1.0]
    # By rank, then score: 19, 22, 39, 38, 11, 33.
    assert result["calls_for_all"] == result["calls_for_90"] == 6
    assert result["recall_at_calls"] == {"6": 1.0}
    assert against_key([], [*similar, *([candidate(4, 4, 30, 0.1)] * 60)], KEY)["candidates"]["recall_at_calls"] == {
        "50": 1.0,
        "66": 1.0,
    }
    assert against_key([], similar[:-1], KEY)["candidates"]["calls_for_all"] is None


def test_nothing_found_and_nothing_known() -> None:
    empty = against_key([], [], KEY)
    assert empty["precision"]["value"] is None
    assert empty["recall"]["value"] == 0.0
    assert against_key([finding(1)], [], [])["recall"]["value"] is None


def test_a_pair_of_points_counts_as_the_paragraphs_that_were_compared() -> None:
    key = [
        {"left": "a#para_1__point_a", "right": "b#art_2__para_3", "relation": "overlap", "kind": None},
        {"left": "a#para_1__point_b", "right": "b#art_2__para_3", "relation": "conflict", "kind": "deadline"},
        {"left": "a#para_9", "right": "b#art_9", "relation": "conflict", "kind": "actor"},
    ]
    said = {"left_id": "a#para_1", "right_id": "b#art_2__para_3", "relation": "conflict", "kind": "deadline"}
    result = against_key([said], [{**said, "rank_left": 1, "rank_right": 1, "score": 0.5}], key)
    assert (result["n"], result["found"], result["false"]) == (2, 1, [])
    assert result["missed"] == [{"left": "a#para_9", "right": "b#art_9", "kind": "actor", "candidate": False}]
