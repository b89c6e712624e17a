"""Printed list numbers: which list do they belong to?"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from antinomy.parse import parse_document
from antinomy.parse.eu.numbering import Lists, readings
from antinomy.parse.ordinals import breaks
from antinomy.parse.quotes import defined_term, insertions
from antinomy.settings.source import Source


def levels(printed: str, xs: list[float] | None = None, colons: str = "") -> list[int | None]:
    """Place numbers one after the other; a number in ``colons`` follows a text that announces a list."""
    lists, numbers = Lists(), printed.split()
    following = [*numbers[1:], ""]
    return [
        lists.place(number, x, number in colons.split(), after)
        for number, x, after in zip(numbers, xs or [0.0] * len(numbers), following, strict=True)
    ]


@pytest.mark.parametrize(
    ("printed", "expected"),
    [
        ("(a) (b) (c)", [0, 0, 0]),
        ("(a) (i) (ii) (b) (i)", [0, 1, 1, 0, 1]),
        ("(1) (a) (i) (ii) (b) (2)", [0, 1, 2, 2, 1, 0]),
        ("(g) (h)", [None, None]),
        ("(a) (b) (d)", [0, 0, 0]),
        ("(a) (z)", [0, None]),
        ("– – –", [0, 0, 0]),
        ("(a) – – (b)", [0, 1, 1, 0]),
        ("1. (a) (b) 2. (a)", [0, 1, 1, 0, 1]),
        ("1. 1.1. 1.2. 2.", [0, 1, 1, 0]),
        (" ".join(f"({c})" for c in "abcdefghijklmnopqrstuvwxyz") + " (aa) (bb)", [0] * 28),
        ("(a) (aa) (ab) (b)", [0, 0, 0, 0]),
    ],
)
def test_levels(printed: str, expected: list[int | None]) -> None:
    assert levels(printed) == expected


def test_indents_decide_where_numbers_cannot() -> None:
    letters = " ".join(f"({c})" for c in "abcdefgh")
    left = [68.0] * 8
    assert levels(f"{letters} (i)", [*left, 68.0])[-1] == 0
    assert levels(f"{letters} (i)", [*left, 83.5])[-1] == 1


def test_text_stands_in_the_points_to_its_left() -> None:
    lists = Lists()
    lists.place("(a)", 68.0, True, "(i)")
    lists.place("(i)", 83.5, True, "(ii)")
    assert [lists.text_level(x) for x in (68.0, 83.5, 101.3)] == [0, 1, 2]


def test_depth_is_bounded() -> None:
    lists = Lists()
    found = [lists.place("(a)", 10.0 * n, True, "") for n in range(1, 100)]
    assert max(level for level in found if level is not None) < 20


@given(st.text(max_size=12))
def test_readings_take_anything(printed: str) -> None:
    assert all(kind and value >= 0 for kind, value in readings(printed))


@pytest.mark.parametrize(
    ("text", "term"),
    [
        ("‘ICT risk’ means a risk", "ICT risk"),
        ("“account” has the meaning given", "account"),
        ("»konto«: en konto", "konto"),
        ("„Konto“ bezeichnet ein Konto", "Konto"),
        ("‘3. A CCP shall maintain", ""),
        ("the ‘light’ means", ""),
        ("‘light’", ""),
        ("'light' means a lamp", "light"),
        ("'keeper's lamp' means a lamp", "keeper's lamp"),
        ("'3. A keeper' shall", ""),
        ("'tis a lamp, or a 'light' of sorts", ""),
    ],
)
def test_terms(text: str, term: str) -> None:
    assert defined_term(text) == term


def test_insertions_end_where_they_are_closed() -> None:
    texts = ["is replaced by the following:", "‘1. One.", "2. Bank’s two.’;", "(2) next:", "‘x’ means y;"]
    assert insertions(texts, [False] * 5) == [False, True, True, False, False]


def test_sections_inserted_behind_an_inserted_one_are_in_order() -> None:
    numbers = ["12", "12A", "12AA", "12AB", "12B", "13"]
    assert breaks(numbers) == []
    text = "\n\n".join(f"{number} Lamps\n\n(1) The keeper fills lamp {at}." for at, number in enumerate(numbers))
    document = parse_document(Source("act", "act.txt", "any", grammar="numbered"), text.encode())
    assert [section.number for section in document.sections if section.depth == 0] == numbers
    assert document.breaks == []
