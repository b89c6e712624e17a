"""Which sections may meet."""

from __future__ import annotations

import numpy as np
import pytest
from pydantic import ValidationError

from antinomy.errors import SettingsError
from antinomy.link.groups import make_groups, orientation_order, relatives
from antinomy.settings.link import LinkSettings


def made(names: str, sizes: list[int], **settings: object):
    chosen = LinkSettings.model_validate(settings)
    return make_groups(chosen, orientation_order(chosen, names.split()), [[size] for size in sizes])


@pytest.mark.parametrize(
    ("k", "k_right", "partners"),
    [
        (9, 0, [[(3, 10)], []]),
        (0, 9, [[], [(0, 3)]]),
        (9, 9, [[(3, 10)], [(0, 3)]]),
    ],
)
def test_two_regimes(k: int, k_right: int, partners: list[list[tuple[int, int]]]) -> None:
    groups = made("eu us", [3, 7], k=k, k_right=k_right)
    assert [groups.partners(i) for i in (0, 1)] == partners
    assert groups.full_comparison == 21
    assert groups.two_way is (k > 0 and k_right > 0)


def test_parties_of_two_regimes_meet_their_own_kind_and_what_is_left_out_still_counts_as_pairs() -> None:
    chosen = LinkSettings(k=2, k_right=1)
    groups = make_groups(chosen, ["eu", "us"], [[3, 1], [7, 2]], left_out=[1, 1])
    # Sections: eu firms 0-2, eu definitions 3, us firms 4-10, us definitions 11-12.
    assert [groups.partners(i) for i in range(4)] == [[(4, 11)], [(11, 13)], [(0, 3)], [(3, 4)]]
    assert groups.full_comparison == 5 * 10
    assert groups.smaller_sides() == 3 + 1
    assert groups.partners_wanted(np.array([0, 4]), np.array([4, 0])).tolist() == [2, 1]
    assert groups.pairs_by_rank(np.array([0, 4]), np.array([2, 1])).tolist() == [6, 7]


def test_every_other_document_is_met_and_ranges_are_joined() -> None:
    groups = made("a b c d", [2, 3, 4, 5], groups="documents")
    assert groups.partners(1) == [(0, 2), (5, 14)]
    assert groups.partners(3) == [(0, 9)]
    assert groups.full_comparison == 2 * 12 + 3 * 9 + 4 * 5


def test_left_names_the_groups_that_the_rest_are_held_against() -> None:
    settings = LinkSettings(groups="documents", left=("c",), k_right=0)
    assert orientation_order(settings, ["a", "b", "c"]) == ["c", "a", "b"]
    groups = make_groups(settings, ["c", "a", "b"], [[4], [2], [3]])
    assert [groups.partners(i) for i in range(3)] == [[(4, 9)], [], []]
    with pytest.raises(SettingsError, match=r"link\.left: no units of x; there are a, b"):
        orientation_order(LinkSettings(left=("x",)), ["a", "b"])


def test_listed_pairs_keep_their_orientation() -> None:
    groups = made("a b c", [1, 1, 1], groups="pairs", pairs=[("c", "a"), ("a", "c"), ("a", "b")])
    assert groups.oriented == {(2, 0), (0, 1)}
    assert groups.query_is_right(np.array([0, 2, 0]), np.array([2, 0, 1])).tolist() == [True, False, False]
    with pytest.raises(SettingsError, match="no units of z"):
        made("a b", [1, 1], groups="pairs", pairs=[("a", "z")])


def test_within_a_document_the_first_section_is_left() -> None:
    groups = made("a b", [3, 2], groups="within")
    assert groups.partners(0) == [(0, 3)]
    assert groups.partners(1) == [(3, 5)]
    assert groups.query_is_right(np.array([2, 0]), np.array([0, 2])).tolist() == [True, False]
    assert groups.full_comparison == 3 + 1


def test_relatives_are_what_a_section_is_part_of_and_its_parts() -> None:
    found = relatives(["d#art_1", "d#art_1__para_1", "d#art_1__para_1__point_a", "d#art_1__para_2", "d#art_10"])
    assert [found[i].tolist() for i in range(5)] == [[0, 1, 2, 3], [0, 1, 2], [0, 1, 2], [0, 3], [4]]


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"groups": "pairs"}, "list pairs"),
        ({"pairs": [("a", "b")]}, "list pairs"),
        ({"groups": "pairs", "pairs": [("a", "a")]}, "paired with itself"),
        ({"groups": "within", "left": ["a"]}, "link.left"),
        ({"channels": ["own", "own"]}, "occurs twice"),
        ({"parties": ["firm", "firm"]}, "occurs twice"),
        ({"k": 0, "k_right": 0}, "at least one side"),
        ({"channels": []}, "at least 1"),
        ({"kk": 3}, "Extra inputs"),
    ],
)
def test_settings_that_make_no_sense_are_refused(settings: dict[str, object], message: str) -> None:
    with pytest.raises(ValidationError, match=message):
        LinkSettings.model_validate(settings)
