"""The engine under every grammar."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from antinomy import section_ids
from antinomy.parse.model import ParsedDocument
from antinomy.parse.outline import Outline, account, without_marks, words


def test_account_does_not_forgive_what_is_repeated() -> None:
    assert account(["one two two three"], ["two two two", "one"]) == (4, 3)
    assert account([], ["x"]) == (0, 0)


def test_words_leave_marks_and_soft_hyphens_out() -> None:
    assert words("the Board (¹²) of infor\u00admation.³") == ["the", "Board", "of", "information"]
    assert without_marks("the Board (¹²) of providers²⁸ who") == "the Board of providers who"


def test_repeated_numbers_get_ids_of_their_own() -> None:
    outline = Outline()
    article = outline.add("article", number="5")
    first, second = (outline.add("point", article, number="(a)", text=text) for text in "xy")
    assert (first.eid, second.eid) == ("art_5__point_a", "art_5__point_a_2")
    outline.extend(second, "more", page_end=4)
    document = outline.close(["Article 5", "(a) x", "(a) y", "more", "lost"], ParsedDocument([]))
    assert document.sections[2].text == "y\nmore"
    assert document.sections[2].page_end == 4
    assert (document.body_words, document.tree_words) == (8, 6)


@given(st.lists(st.tuples(st.sampled_from(sorted(section_ids.ABBREVIATIONS)), st.text(max_size=8), st.booleans())))
def test_ids_are_unique_and_parents_exist(nodes: list[tuple[str, str, bool]]) -> None:
    outline = Outline()
    last = None
    for kind, number, deeper in nodes:
        last = outline.add(kind, last if deeper else None, number=number)
    seen: set[str] = set()
    for section in outline.sections:
        assert section.eid not in seen
        assert not section.parent_eid or section.parent_eid in seen
        seen.add(section.eid)
