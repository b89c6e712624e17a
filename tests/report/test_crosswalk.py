"""The pairs of a crosswalk, and their set relationships."""

from __future__ import annotations

import csv
import io
from typing import Any

import pytest

from antinomy.coverage.relationship import relationship
from antinomy.report.crosswalk import crosswalk, crosswalk_csv
from report import invented


def test_the_crosswalk_has_each_related_pair_once_and_each_unrelated_provision() -> None:
    verdicts = []
    for n, known in enumerate(invented.KNOWN):
        row = invented.finding(known, n) | {"left_unit_id": known.left.id, "right_unit_id": known.right.id}
        verdicts.append(row)
    conflict, overlap = verdicts[0], verdicts[-1]
    verdicts += [
        # A second piece of the same provision, judged less gravely.
        conflict | {"relation": "stricter", "governs": "left", "pair_key": "0" * 32, "p_conflict": 0.1},
        # Related to one provision, so its unrelated pair says nothing.
        conflict | {"relation": "none", "right_id": "x#1", "right_unit_id": "x#1", "pair_key": "1" * 32},
        # Related to nothing at all.
        overlap | {"relation": "none", "left_id": "y#1", "left_unit_id": "y#1", "pair_key": "2" * 32},
        overlap | {"relation": None, "status": "error", "left_id": "z#1", "left_unit_id": "z#1"},
    ]
    sides = {side.id: side for known in invented.KNOWN for side in (known.left, known.right)}
    units = [
        {"unit_id": i, "doc_id": side.doc, "label": side.label, "unit_text": side.text} for i, side in sides.items()
    ]
    units.append({"unit_id": "y#1", "doc_id": "y", "label": "Article 1", "unit_text": "text"})
    made = crosswalk(invented.table("verdicts", verdicts), invented.table("units", units))
    expected = {(known.left.label, known.right.label): known.relation for known in invented.KNOWN}
    alone = {("Article 1", None): "none"}
    assert {(row["left_label"], row["right_label"]): row["relation"] for row in made} == expected | alone
    assert len(made) == len(expected) + 1


@pytest.mark.parametrize(
    ("relation", "governs", "right_text", "expected"),
    [
        ("stricter", "left", "B", "superset of"),
        ("stricter", "right", "B", "subset of"),
        ("overlap", None, "B", "intersects with"),
        ("overlap", None, "the  TEXT", "equal"),
        ("definition", None, "B", "intersects with"),
        ("conflict", None, "B", "intersects with"),
        ("none", None, "B", "no relationship"),
    ],
)
def test_each_verdict_has_its_set_relationship(
    relation: str, governs: str | None, right_text: str, expected: str
) -> None:
    assert relationship(relation, governs == "left", "the text", right_text) == expected


def test_the_crosswalk_names_both_elements_and_says_where_they_contradict() -> None:
    row = invented.findings()[0]
    alone = row | {
        "relation": "none",
        "right_doc": None,
        "right_label": None,
        "right_text": None,
        "kind": None,
    }
    pairs: list[dict[str, Any]] = [row, alone]
    first, second = csv.DictReader(io.StringIO(crosswalk_csv(pairs).decode("utf-8-sig"), newline=""))
    assert (first["Focal Document Element"], first["Reference Document Element"]) == (
        "Article 17(1)",
        "III.A, paragraph 2",
    )
    assert first["Relationship"] == "intersects with"
    assert first["Comments"].startswith("conflict, deadline; judge norms. A notice that is due within 24 hours")
    assert (second["Relationship"], second["Reference Document Element"]) == ("no relationship", "")
