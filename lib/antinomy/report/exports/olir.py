"""The spreadsheet of a set theory relationship mapping, as NIST's OLIR programme takes it.

Method: NIST IR 8278A Rev. 1, tables 1 and 2. The programme lists mappings to NIST's own focal documents only; the
columns serve for any two documents.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from antinomy.coverage import relationship
from antinomy.report.crosswalk import Crosswalk
from antinomy.report.exports.sheets import WorkbookWriter
from antinomy.store.rows import CoverageRow
from antinomy.vocabulary import CoverageState

GENERAL, RELATIONSHIPS = "General Information", "Relationships"
#: As the headings of NIST's templates stand, line breaks included.
COLUMNS = (
    "Focal Document\nElement",
    "Focal Document Element Description",
    "Rationale",
    "Relationship",
    "Reference Document\nElement",
    "Reference Document\nElement Description\n(Optional)",
    "Comments\n(Optional)",
    "Strength of\nRelationship\n(Optional)",
)
_WIDTHS = (22, 60, 12, 16, 30, 60, 40, 14)
_LONGEST_SHORT_NAME = 30
#: The only strength that is prescribed; the others are an expert's judgement.
_OF_EQUALS = 10
_NOT_FILE = re.compile(r"[^\w.\-]")


def files(crosswalk: Crosswalk, run: Mapping[str, Any]) -> Iterator[tuple[str, bytes]]:
    """Yield a name and a workbook for each pair of sides; the side named first in the settings is the focal document.

    Args:
        crosswalk: what to map.
        run: the run's manifest: run_id.
    """
    for side, other in crosswalk.compared_sides:
        several = (
            f"-{_NOT_FILE.sub('_', side)}-{_NOT_FILE.sub('_', other)}" if len(crosswalk.compared_sides) > 1 else ""
        )
        yield f"olir{several}.xlsx", _workbook(crosswalk, side, other, run)


def _workbook(crosswalk: Crosswalk, focal: str, reference: str, run: Mapping[str, Any]) -> bytes:
    book = WorkbookWriter()
    general = book.sheet(GENERAL, (34, 90))
    general.write_header(("Field Name", "Value"))
    for row in _general(crosswalk, focal, reference, run).items():
        general.row(row)
    sheet = book.sheet(RELATIONSHIPS, _WIDTHS)
    sheet.write_header(COLUMNS)
    for row in _rows(crosswalk, focal, reference):
        sheet.row(row)
    return book.data()


def _general(crosswalk: Crosswalk, focal: str, reference: str, run: Mapping[str, Any]) -> dict[str, str]:
    documents = [row for row in crosswalk.documents if row["doc_id"] in crosswalk.sides[reference]]
    complete = not crosswalk.gaps(reference, focal)
    short = f"{_short(crosswalk, reference)}-to-{_short(crosswalk, focal)}"
    return {
        "Focal Document": crosswalk.side_in_full(focal),
        "Reference Document": crosswalk.side_in_full(reference),
        "Reference Document Short Name": _short(crosswalk, reference),
        "Reference Document Version": "",
        "Reference Document Author": "",
        "Reference Document URL": "; ".join(
            row["source_uri"] for row in documents if str(row["source_uri"]).startswith("http")
        ),
        "Reference Document Date": "",
        "Informative Reference Name": f"{short} (1.0.0)",
        "Informative Reference Short Name": short[:_LONGEST_SHORT_NAME],
        "Informative Reference Version": "1.0.0",
        "Point of Contact": "",
        "Informative Reference Developer": "",
        "Comprehensive": "Yes" if complete else "No",
        "Summary (optional)": (
            f"A set theory relationship mapping of {crosswalk.side(focal)} to {crosswalk.side(reference)}."
        ),
        "Target Audience (Community) (optional)": "",
        "Citations (optional)": "",
        "Comments (optional)": f"Made by Antinomy, run {run['run_id']}. Fields that are empty are yours to fill in.",
        "Web Address": "",
    }


def _rows(crosswalk: Crosswalk, focal: str, reference: str) -> Iterator[tuple[Any, ...]]:
    pairs: dict[str, list[tuple[Any, ...]]] = {}
    for pair in crosswalk.related(focal, reference):
        pairs.setdefault(pair.focal["section_id"], []).append(
            (
                _identifier(crosswalk, pair.focal),
                pair.focal["text"],
                "Semantic",
                pair.relationship,
                _identifier(crosswalk, pair.reference),
                pair.reference["text"],
                pair.comment,
                _OF_EQUALS if pair.relationship == relationship.EQUAL else None,
            )
        )
    for row in crosswalk.rows(focal, reference):
        if row["section_id"] in pairs:
            yield from pairs[row["section_id"]]
        elif row["state"] != CoverageState.LEFT_OUT:
            # The guideline for an element without any relationship: its entry stays blank. Whether there is one may
            # be open, which the comment says.
            comment = None if row["state"] == CoverageState.GAP else f"open: {row['reason']}"
            yield _identifier(crosswalk, row), row["text"], None, None, None, None, comment, None


def _identifier(crosswalk: Crosswalk, row: CoverageRow) -> str:
    # An identifier must hold no colon.
    return crosswalk.named(row).replace(":", ".")


def _short(crosswalk: Crosswalk, side: str) -> str:
    docs = crosswalk.sides[side]
    return "-".join((docs[0] if len(docs) == 1 else side).split())[:_LONGEST_SHORT_NAME]
