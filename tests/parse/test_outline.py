"""The engine under every grammar."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from antinomy import section_ids
from antinomy.parse.model import ParsedDocument
from antinomy.parse.outline import Outline, Vocabulary, account, join_lines, vocabulary, without_marks, words


@pytest.mark.parametrize(
    ("lines", "known", "expected"),
    [
        (["ICT-", "related incidents"], set(), "ICT-related incidents"),
        (["in Inter-", "institutional matters"], {"interinstitutional"}, "in Interinstitutional matters"),
        (["a re-", "credit"], {"recredit", "re-credit"}, "a re-credit"),
        (["infor\u00ad", "mation"], set(), "information"),
        (["infor\u00admation is", "kept"], set(), "information is kept"),
        (["one", "two"], set(), "one two"),
        (["see page 3 -", "or not"], set(), "see page 3 - or not"),
        (["after receiv-", "ing it"], {"received"}, "after receiving it"),
        (["upon ap-", "proval by"], {"approved", "approves"}, "upon approval by"),
        (["a pre-", "determined time"], {"predetermine", "determined"}, "a pre-determined time"),
        (["in co-", "operation with"], {"co-operation", "cooperation"}, "in co-operation with"),
        (["a risk-", "based audit"], {"risk", "based"}, "a risk-based audit"),
        ([], set(), ""),
    ],
)
def test_lines_join(lines: list[str], known: set[str], expected: str) -> None:
    assert join_lines(lines, Vocabulary(known)) == expected


def test_vocabulary_leaves_out_what_stands_at_a_line_end() -> None:
    assert vocabulary(["the risk-based audit of informa-", "tion"]).words == {"the", "risk-based", "audit", "of"}
    assert "tion" not in vocabulary(["audit of informa-", "tion is kept"]).words


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
