"""Words broken at line ends."""

from __future__ import annotations

import pytest

from antinomy.parse.line_ends import Vocabulary, join_lines, vocabulary


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


#: Lines of a document that breaks words, some of which it prints whole elsewhere.
BREAKING = [
    "The keeper trims the wicks and lights each lantern in the har-",
    "bour at dusk. Each harbour has a keeper and a ledger, and the led-",
    "ger lies open. A lantern without oil is a dark lantern, and a lan-",
    "tern without a wick is no better. Ownership of a lamp passes with its",
    "membership, in transit or transferred, at a well-lit or a non-lit mooring.",
    "A risk is borne by the pilot who is based there. Parties act at once.",
]


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (["the irre-", "spective owner"], "the irrespective owner"),
        (["the spe-", "cific owner"], "the specific owner"),
        (["a pilot-", "ship at sea"], "a pilotship at sea"),
        (["the trans-", "acts of it"], "the transacts of it"),
        (["it may be be-", "yond use"], "it may be beyond use"),
        (["it is risk-", "based oil"], "it is risk-based oil"),
        (["a pilot-", "centric view"], "a pilot-centric view"),
        (["a non-", "compliant owner"], "a non-compliant owner"),
        (["a well-", "kept lamp"], "a well-kept lamp"),
        (["a cross-", "border lamp"], "a cross-border lamp"),
        (["a pre-", "open lamp"], "a pre-open lamp"),
        (["on a day-to-", "day basis"], "on a day-to-day basis"),
        (["on a day-", "to-day basis"], "on a day-to-day basis"),
        (["an ICT-", "specific lamp"], "an ICT-specific lamp"),
        (["the Port-", "Captain acts"], "the Port-Captain acts"),
        (["a Q-", "2 lamp"], "a Q-2 lamp"),
    ],
)
def test_a_document_that_breaks_words_breaks_unknown_ones_too(lines: list[str], expected: str) -> None:
    known = vocabulary([*BREAKING, "that acts.", *lines])
    assert join_lines(lines, known) == expected
    # A document that parts compounds only says nothing of others.
    assert join_lines(lines, vocabulary([*BREAKING[3:], *lines])) == lines[0] + lines[1]


def test_the_last_word_of_a_line_counts_where_no_hyphen_breaks_it() -> None:
    assert {"lantern", "sub-keepers"} <= vocabulary(["a lantern", "and sub-keepers.", "of oil"]).words
