"""Why the nearest provision is no counterpart."""

from __future__ import annotations

import pytest

from antinomy.coverage.misses import why


@pytest.mark.parametrize(
    ("own", "other", "expected"),
    [
        (
            "The firm shall notify the competent authority of its membership of a warning circle.",
            "A bank should tell its staff of warnings.",
            "it does not speak of an authority and says nothing of “membership” and “circle”",
        ),
        (
            "Upon a merger of two branches, the firm shall renew its seals.",
            "A bank must renew its seals.",
            "it says nothing of “merger” and “branches” and does not depend on “upon a merger of two branches”",
        ),
        (
            "Ledgers shall be burnt each winter, except where the harbour court keeps them.",
            "A bank must keep ledgers.",
            "it says nothing of “burnt”, “winter” and “harbour court”",
        ),
        (
            "The firm shall examine each service provider in its harbour.",
            "A bank must have a harbour.",
            "it does not speak of a service provider",
        ),
        (
            "The provider of a lamp shall put it into service in its harbour.",
            "A bank must have a harbour with a lamp.",
            "",
        ),
        ("A firm shall test its backups.", "Backups of a bank must be tested.", ""),
    ],
)
def test_what_the_other_side_leaves_unsaid(own: str, other: str, expected: str) -> None:
    assert why(own, other) == expected
