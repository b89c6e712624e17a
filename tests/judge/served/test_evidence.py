from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from antinomy.judge.evidence import locate, verbatim

TEXT = (
    "The firm’s report\nshall reach the super\u00advisor within 124 hours – or 2.5 days – of the “ﬁrst” "
    "alarm; (a) not later."
)


@pytest.mark.parametrize(
    ("quote", "span"),
    [
        ("The firm's report shall reach", "The firm’s report\nshall reach"),
        ("reach the supervisor within", "reach the super\u00advisor within"),
        ("124 hours - or", "124 hours – or"),
        ('the "first" alarm', "the “ﬁrst” alarm"),
        ("«within 124 hours»", "within 124 hours"),
        ("REPORT SHALL", "report\nshall"),
        ("... of the “first” alarm.", "of the “ﬁrst” alarm"),
        ("2.5 days", "2.5 days"),
    ],
)
def test_a_quote_is_found_whatever_its_spaces_quotes_and_hyphens(quote: str, span: str) -> None:
    found = locate(quote, TEXT)
    assert found is not None
    assert TEXT[found[0] : found[1]] == span


@pytest.mark.parametrize(
    "quote",
    [
        "24 hours",  # inside 124
        "5 days",  # inside 2.5
        "or 2",  # inside 2.5 too
        "within 124 hour",
        "within 48 hours",
        "shall not reach",
        "The firm's report … of the alarm",  # something left out in between
        "",
        " . ",
        "–",
    ],
)
def test_what_is_not_in_the_text_is_not_found(quote: str) -> None:
    assert locate(quote, TEXT) is None


def test_a_later_whole_occurrence_is_found_after_one_inside_a_word() -> None:
    text = "within 124 hours, later 24 hours"
    assert locate("24 hours", text) == (24, 32)


def test_one_word_proves_nothing() -> None:
    assert verbatim("shall", TEXT) == ""
    assert verbatim("shall reach", TEXT) == "shall reach"


@given(st.text(max_size=200), st.data())
def test_every_whole_word_span_is_found_and_reads_the_same(text: str, data: st.DataObject) -> None:
    words = text.split()
    if not words:
        assert locate("anything", text) is None
        return
    start = data.draw(st.integers(0, len(words) - 1))
    end = data.draw(st.integers(start + 1, len(words)))
    quote = " ".join(words[start:end])
    found = locate(quote, text)
    if found is not None:
        span = text[found[0] : found[1]]
        assert locate(span, text) == found
        assert 0 <= found[0] < found[1] <= len(text)


@given(
    st.lists(
        st.sampled_from(["bank", "report", "within", "hours", "shall", "24", "72", "notify", "authority"]),
        min_size=2,
        max_size=30,
    )
)
def test_every_run_of_whole_words_is_found(words: list[str]) -> None:
    text = " ".join(words)
    for start in range(len(words) - 1):
        assert locate(" ".join(words[start : start + 2]), text) is not None
