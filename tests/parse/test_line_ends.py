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
