"""Labels at the beginning of a line: whatever it says, none breaks the reading."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from antinomy.parse.labels import leading_labels
from antinomy.parse.named_labels import KEYWORDS

_WORDS = st.sampled_from(sorted(KEYWORDS)).flatmap(lambda word: st.sampled_from([word.capitalize(), word.upper()]))
_NUMBERS = st.sampled_from([
    "1", "12", "3A", "(1)", "(12)", "(a)", "[1]", "a)", "1.", "iv.", "IV", "(ii)", "2.3.4R", "2.3.4 G", "900.4-900.6",
    "12-bis", "(2.1)", "B1.2", "6-1-1301.", "WAC 284-30-310", "①", "•", "¹", "2 §", "§ 3", "FIRST", "LAMP 2", "0",
])  # fmt: skip
_ENDS = st.sampled_from(["", "—", "to", "R", "Fees", "Lamps. (1)", "[Reserved]", "01/02/2031"])
_LINES = st.tuples(st.just("") | _NUMBERS, st.just("") | _WORDS, _NUMBERS, _ENDS | _NUMBERS)


def test_a_number_in_brackets_behind_an_annex_of_a_chapter() -> None:
    # No sourcebook counts its annexes so: the number of a paragraph, and its title.
    assert [mark.printed for mark in leading_labels("2 Annex (1) Fees")] == ["2"]
    assert [mark.printed for mark in leading_labels("3 Schedule (2)")] == ["3"]


@given(_LINES.map(lambda pieces: " ".join(filter(None, pieces))))
@settings(max_examples=1000, deadline=None)
def test_labels_stand_one_behind_the_other(line: str) -> None:
    ends = [mark.end for mark in leading_labels(line)]
    assert all(before < end for before, end in zip([0, *ends], ends, strict=False))
    assert all(end <= len(line) for end in ends)
