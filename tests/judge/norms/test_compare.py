"""Pairs of provisions and what they are to each other."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from antinomy.judge.norms import compare, features
from antinomy.judge.norms.view import view
from antinomy.judge.protocol import KINDS, RELATIONS

MIRROR = {"left": "right", "right": "left", None: None}


def _rows(name: str) -> list[dict[str, str | None]]:
    lines = Path(__file__).with_name(name).read_text("utf-8").splitlines()
    return [json.loads(line) for line in lines]


#: Pairs with their relation, its kind and who governs.
DECIDED = [(r["left"], r["right"], r["relation"], r["kind"], r["governs"]) for r in _rows("decided.jsonl")]
#: Pairs that are no conflict and must not be called one.
LOOK_ALIKES = [(r["left"], r["right"]) for r in _rows("look_alikes.jsonl")]


@pytest.mark.parametrize(("left", "right", "relation", "kind", "governs"), DECIDED)
def test_decided(left: str, right: str, relation: str, kind: str | None, governs: str | None) -> None:
    found = compare(left, right)
    assert (found.relation, found.kind, found.governs) == (relation, kind, governs), found.reason


@pytest.mark.parametrize(("left", "right", "relation", "kind", "governs"), DECIDED)
def test_exchanging_the_sides_mirrors_the_answer(
    left: str, right: str, relation: str, kind: str | None, governs: str | None
) -> None:
    one, other = compare(left, right), compare(right, left)
    assert (one.relation, one.kind, one.governs) == (other.relation, other.kind, MIRROR[other.governs])
    assert one.p_conflict == pytest.approx(other.p_conflict)


@pytest.mark.parametrize(("left", "right"), LOOK_ALIKES)
def test_look_alikes_are_no_conflict(left: str, right: str) -> None:
    found = compare(left, right)
    assert found.relation != "conflict", found.reason
    assert found.p_conflict < 0.75


def test_a_conflict_is_ranked_above_its_look_alike() -> None:
    conflict = compare("Logs shall be erased after one year.", "Logs must be kept for at least three years.")
    alike = compare("Logs shall be erased after one year.", "Contracts must be kept for at least three years.")
    assert conflict.p_conflict > alike.p_conflict


def test_the_clause_that_matters_is_found_in_a_long_provision() -> None:
    filler = " The institution should describe its systems in plain words. Staff should know where to ask."
    left = "Management should set a clear tone." + filler * 8 + " Session logs shall be erased after one year."
    right = "The board should receive a summary." + filler * 8 + " Session logs must be kept for five years."
    found = compare(left, right)
    assert found.relation == "conflict"
    assert found.left_norm is not None
    assert left[found.left_norm.start : found.left_norm.end] == "Session logs shall be erased after one year."


def test_identical_provisions_do_not_conflict() -> None:
    for left, *_ in DECIDED:
        found = compare(left, left)
        assert found.relation in (None, "overlap", "none"), left
        assert found.p_conflict < 0.6


TEXTS = st.one_of(
    st.text(max_size=120),
    st.sampled_from([side for row in DECIDED for side in row[:2]]),
    st.lists(st.sampled_from([side for row in LOOK_ALIKES for side in row]), max_size=4).map(" ".join),
)


@settings(max_examples=200, deadline=None)
@given(TEXTS, TEXTS)
def test_any_two_texts_compare_and_mirror(left: str, right: str) -> None:
    one, other = compare(left, right), compare(right, left)
    assert one.relation in (None, *RELATIONS)
    assert one.kind in (None, *KINDS)
    assert 0.0 <= one.p_conflict <= 1.0
    assert (one.relation == "stricter") == (one.governs is not None)
    assert (one.relation, one.governs) == (other.relation, MIRROR[other.governs])
    assert one.p_conflict == pytest.approx(other.p_conflict)


def test_features_have_the_same_names_for_every_pair() -> None:
    names = {tuple(features(row[0], row[1])) for row in DECIDED}
    assert len(names) == 1
    assert all(isinstance(v, float) for v in features("", "").values())


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (
            "Access to core systems shall not be granted unless the need for it has been approved.",
            "Access to core systems may be granted only where the need for it has been approved.",
        ),
    ],
)
def test_a_ban_that_ends_where_a_permission_begins_is_no_clash(left: str, right: str) -> None:
    for a, b in ((left, right), (right, left)):
        assert not [c for c in view(a, b).clashes if c.source == "force"]


def test_a_permission_without_a_limit_clashes_with_a_ban_that_has_one() -> None:
    ban = "The bank shall not disclose customer data except to its auditors."
    assert [c for c in view(ban, "The bank may disclose customer data to anyone.").clashes if c.source == "force"]


def test_definitions_of_one_term_that_measure_alike_are_one_meaning() -> None:
    left = "'Major incident' means an event by which one in twenty clients is cut off for longer than two hours."
    right = "'Major incident' means a failure by which five percent or more of customers lose the service for over {}."
    assert compare(left, right.format("two hours")).relation == "overlap"
    assert compare(left, right.format("four hours")).relation == "definition"
