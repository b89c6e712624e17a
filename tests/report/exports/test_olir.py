"""The OLIR spreadsheet, by the rules of NIST IR 8278A Rev. 1."""

from __future__ import annotations

import io
from typing import Any

from openpyxl import load_workbook

from antinomy.report.exports import olir
from report import invented
from report.exports import corresponding

_RELATIONSHIPS = {"subset of", "intersects with", "equal", "superset of", "not related to"}


def _sheets() -> tuple[dict[str, Any], list[str], list[dict[str, Any]]]:
    ((name, data),) = olir.files(corresponding.crosswalk(), invented.RUN)
    assert name == "olir.xlsx"
    book = load_workbook(io.BytesIO(data))
    assert book.sheetnames == ["General Information", "Relationships"]
    head, *lines = book["Relationships"].iter_rows(values_only=True)
    columns = [" ".join(str(column).split()) for column in head]
    return dict(book["General Information"].values), columns, [dict(zip(columns, line, strict=True)) for line in lines]


def test_the_columns_are_those_of_a_set_theory_relationship_mapping() -> None:
    assert _sheets()[1] == [
        "Focal Document Element", "Focal Document Element Description", "Rationale", "Relationship",
        "Reference Document Element", "Reference Document Element Description (Optional)", "Comments (Optional)",
        "Strength of Relationship (Optional)",
    ]  # fmt: skip


def test_every_relationship_has_what_is_required_and_a_gap_stays_blank() -> None:
    _, columns, rows = _sheets()
    for row in rows:
        assert row["Focal Document Element"]
        assert row["Focal Document Element Description"]
        if row["Relationship"]:
            assert row["Relationship"] in _RELATIONSHIPS
            assert row["Rationale"] == "Semantic"
            assert row["Reference Document Element"]
            assert ":" not in row["Reference Document Element"], "not allowed in an identifier"
            assert row["Strength of Relationship (Optional)"] in (None, *range(11))
        else:
            assert not any(row[column] for column in columns[2:] if not column.startswith("Comments"))
    elements = [row["Focal Document Element"] for row in rows]
    assert elements.count("Article 17(1)") == 2, "an entry for each relationship"
    gap, unanswered = (rows[elements.index(label)] for label in ("Article 13(6)", "Article 9(4)"))
    assert gap["Comments (Optional)"] is None, "blank, as the guideline has it"
    assert unanswered["Comments (Optional)"] == "open: timeout: no answer"
    assert "Article 1" not in elements, "it demands nothing"
    first = rows[elements.index("Article 17(1)")]
    # The side has two documents, so the element names its own; the colon of the title is not allowed.
    assert first["Reference Document Element"] == "Examination Manual. Business Continuity, III.A, paragraph 2"
    assert "conflict, deadline; probability of the same duty 93%" in first["Comments (Optional)"]


def test_the_general_information_is_filled_in_as_far_as_a_run_knows_it() -> None:
    general = _sheets()[0]
    assert general["Informative Reference Name"] == "us-to-eu-specimen (1.0.0)"
    assert general["Reference Document"].startswith("us: Examination Manual: Business Continuity; Exam")
    assert general["Focal Document"] == "Specimen Regulation on Technology Risk"
    assert general["Comprehensive"] == "No", "a provision of the reference document has no counterpart"
    assert len(general["Reference Document Short Name"]) <= 30
    assert len(general["Informative Reference Short Name"]) <= 30
    assert general["Point of Contact"] is None, "left to a person"
