"""What the pages of a printed source leave in a format without pages: marks where they end, and a list of contents."""

from __future__ import annotations

from antinomy.parse import parse_document
from antinomy.parse.model import ParsedDocument
from antinomy.settings.source import Source


def read(text: str, name: str = "text.txt") -> ParsedDocument:
    return parse_document(Source("text", name, "any", grammar="numbered"), text.encode())


def texts(document: ParsedDocument) -> dict[str, str]:
    return {section.eid: section.heading or section.text for section in document.sections if section.number}


def test_a_page_ends_within_a_sentence_or_behind_it() -> None:
    document = read(
        "PART 70--LAMPS\n\n§ 70.1  Keepers.\n\n    A keeper shall keep a log of each lamp in the\n\n[[Page 12]]\n\n"
        "harbour for a year.\n\n§ 70.2  Oil.\n\n    (a) A keeper may buy\noil.\n\n[[Page 13]]\n\n"
        "    (b) Oil is stored; and\n\n[[Page 14]]\n\n    (c) Oil is burned.\n\n[[Page 15]]\n\nThe rest is sold.\n"
    )
    assert [s.text for s in document.sections if s.text] == [
        "A keeper shall keep a log of each lamp in the harbour for a year.",
        "A keeper may buy oil.",
        "Oil is stored; and",
        "Oil is burned.\nThe rest is sold.",
    ]
    assert [s.heading for s in document.sections if s.type == "part"] == ["LAMPS"]


def test_the_feet_of_pages_of_a_web_page_are_no_text() -> None:
    foot = "<p>Harbour Office | Notice 7 | Page {} of 9</p>"
    body = "".join(f"<p>{n}. A keeper shall light lamp {n}.</p>{foot.format(n + 1)}" for n in range(1, 5))
    document = read(
        f"<html><body><h1>Notice 7</h1>{body}<p>5. The log is described on page 4</p></body></html>", "a.html"
    )
    assert [s.text for s in document.sections if s.number] == [
        *(f"A keeper shall light lamp {n}." for n in range(1, 5)),
        "The log is described on page 4",
    ]


def test_a_list_of_sections_names_the_first_subpart_above_it() -> None:
    """A section whose text begins on the line of its heading, and a number at the end of a title, do not end it."""
    document = read(
        "PART 70—LAMPS\n\nSubpart A—Duties\n\nSec.\n70.1  Keepers.\n70.2  [Reserved]\n\nSubpart B—Oil\n\n"
        "70.3  Stores.\n70.4  Sale.\n\nAppendix A to Part 70—Form L-70\n\n    Authority: 7 Code 9.\n\n"
        "Subpart A—Duties\n\n§ 70.1  Keepers.\n\n    A keeper shall light lamps.\n\n§ 70.2  [Reserved]\n\n"
        "Subpart B—Oil\n\n§ 70.3  Stores.\n\n    Oil shall be stored.\n\n"
        "§ 70.4  Sale. Oil shall not be sold.\n\nAppendix A to Part 70—Form L-70\n\n    A. The form states the hour.\n"
    )
    found = texts(document)
    assert list(found) == [
        "part_70", "subpart_A", "sec_70-1", "sec_70-2", "subpart_B", "sec_70-3", "sec_70-4", "app_A", "app_A__para_A",
    ]  # fmt: skip
    assert {s.eid: s.parent_eid for s in document.sections if s.type == "subpart"} == dict.fromkeys(
        ("subpart_A", "subpart_B"), "part_70"
    )
    assert document.structure == 1
