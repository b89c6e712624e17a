"""Two provisions in nearly the same words: what one says otherwise decides."""

from __future__ import annotations

import numpy as np
import pytest

from antinomy.embed.clauses import clauses
from antinomy.judge.fitted.edits import Difference, find_difference
from antinomy.judge.fitted.texts import Text

DUTY = "Licensed carriers shall inspect every tank within 12 months of its last inspection."
LIST = (
    "The plan shall contain:\n(a) the names of those on call;\n(b) the spare parts in store;\n(c) the way to the exit."
)
ELSE = "The harbour master shall publish the tide tables before the season begins."


def text(written: str) -> Text:
    clause_spans = tuple(clauses(written)) or ((0, len(written)),)
    return Text(written, np.zeros(4, np.float32), clause_spans, np.zeros((len(clause_spans), 4), np.float32))


def between(left: str, right: str) -> Difference | None:
    return find_difference(text(left), text(right))


@pytest.mark.parametrize(
    "right",
    [
        DUTY,
        DUTY.upper(),
        "(3) " + DUTY.replace(" ", "  "),
        DUTY.replace("12", "twelve"),
        DUTY.replace("12 months", "one year"),
        f"{DUTY} {ELSE}",
        f"{ELSE} {DUTY}",
    ],
)
def test_the_same_said_again_is_overlap(right: str) -> None:
    for pair in ((DUTY, right), (right, DUTY)):
        found = between(*pair)
        assert found is not None
        assert (found.relation, found.governs) == ("overlap", None)


def test_neither_the_order_of_items_nor_numbers_of_articles_matter() -> None:
    lead, *items = LIST.split("\n")
    turned = "\n".join([lead, *reversed(items)])
    for pair in ((LIST, turned), (turned, LIST)):
        assert getattr(between(*pair), "relation", None) == "overlap"
    cited = "Carriers shall report under Article {} what they found."
    assert getattr(between(cited.format(7), cited.format("9(2)")), "relation", None) == "overlap"


@pytest.mark.parametrize(
    ("right", "relation", "governs", "reason"),
    [
        (DUTY.replace("shall", "shall not"), "conflict", None, "negation"),
        (DUTY.replace("shall", "may"), "stricter", "left", "modality"),
        (DUTY.replace("12", "48"), "stricter", "left", "measure"),
        (DUTY.replace("12", "three"), "stricter", "right", "measure"),
        (DUTY.replace("12 months", "six weeks"), "stricter", "right", "measure"),
        (DUTY.replace("Licensed carriers", "Supervisory authorities"), "none", None, "party"),
        (DUTY.replace("shall", "shall not") + " " + ELSE, "conflict", None, "negation"),
    ],
)
def test_the_difference_decides(right: str, relation: str, governs: str | None, reason: str) -> None:
    left = DUTY.replace("Licensed carriers", "Financial entities") if reason == "party" else DUTY
    found, turned = between(left, right), between(right, left)
    assert found is not None
    assert turned is not None
    assert (found.relation, found.governs, found.reason) == (relation, governs, reason)
    assert turned.governs == {"left": "right", "right": "left", None: None}[governs]


@pytest.mark.parametrize(
    "right",
    [
        DUTY.replace("tank", "valve"),
        f"{DUTY.replace('tank', 'serious tank')}",
        "Tanks shall be painted in grey once a year.",
    ],
)
def test_what_exchanges_the_object_is_not_decided_here(right: str) -> None:
    assert between(DUTY, right) is None
