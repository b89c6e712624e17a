"""What the pages of a printed source leave in a format without pages: marks where they end, and a list of contents."""

from __future__ import annotations

import pytest

from antinomy.parse import parse_document
from antinomy.parse.model import ParsedDocument
from antinomy.parse.plain_text import read_text
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


@pytest.mark.parametrize("head_first", [True, False])
def test_heads_feet_and_notes_of_a_text_copied_from_print(head_first: bool) -> None:
    """They stand in the middle of sentences; the numbers of the notes are glued to the words before them."""
    head, foot = "Port of Arden          Notice on Lamps", "Port of Arden | Page {} of 4"
    ends = [
        f"\n\n{foot.format(n)}\n\n{head}\n\n" if head_first else f"\n\n{head}\n{foot.format(n)}\n\n" for n in range(5)
    ]
    document = read(
        "NOTICE ON LAMPS\n\n1. Every keeper shall light the lamps of the northern quay at dusk,1 and\n"
        "shall enter the hour at which they were lit in the log kept at the light-\nhouse under section 2.1.\n\n"
        "2. A log leaves no lighthouse for three years. The keeper shall then hand it to the\n\n"
        f"1 Dusk is half an hour after sunset. The harbour office prints a table\nof these hours.{ends[1]}"
        "Warden,2 who may keep it for as long as he wants.\n\n3. The Warden shall pay for oil.3\n\n4. A keeper who\n\n"
        f"2 12 persons whom the Warden has named.\n\n3 See section 2.1.{ends[2]}"
        "lets a lamp go out shall tell the Warden within 2 days of the night on\nwhich it went out.\n\n"
        f"5. The Warden may visit:\n\na. any lamp; and{ends[3]}b. any store of oil.\n\n6. This notice is new.{ends[4]}"
    )
    assert [(s.number, s.text) for s in document.sections if s.number and s.type != "footnote"] == [
        ("1", "Every keeper shall light the lamps of the northern quay at dusk, and shall enter the hour at which they "
              "were lit in the log kept at the lighthouse under section 2.1."),
        ("2", "A log leaves no lighthouse for three years. The keeper shall then hand it to the Warden, who may keep "
              "it for as long as he wants."),
        ("3", "The Warden shall pay for oil."),
        ("4", "A keeper who lets a lamp go out shall tell the Warden within 2 days of the night on which it went out."),
        ("5", "The Warden may visit:"),
        ("a", "any lamp; and"),
        ("b", "any store of oil."),
        ("6", "This notice is new."),
    ]  # fmt: skip
    assert [(s.number, s.text) for s in document.sections if s.type == "footnote"] == [
        ("1", "Dusk is half an hour after sunset. The harbour office prints a table of these hours."),
        ("2", "12 persons whom the Warden has named."),
        ("3", "See section 2.1."),
    ]


def test_a_numbered_paragraph_at_the_end_of_a_page_is_no_note() -> None:
    pages = (f"{n} A keeper shall clean lamp number{n}.\n\n{n + 1} Lamp {n} is lit.\n\nPage {n}\n\n" for n in (1, 3, 5))
    document = read("LAMPS\n\n" + "".join(pages))
    assert [s.number for s in document.sections if s.number] == list("123456")
    assert not [s for s in document.sections if s.type == "footnote"]


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


HEAD = "Port of Arden\nLAMP 3 Lamps of the harbour and of its quays\nwww.lamps.example May 2031"
PAGES = [
    "LAMP 3.1.1 A keeper shall light the lamps of the northern quay at dusk, and shall\nenter the hour at which they",
    "were lit in the log.\nOil\nLAMP 3.1.2 A keeper shall:\n(1) buy oil; and",
    "(2) store it.\nLAMP 3.1.3 The Warden may visit:\n(1) any lamp;",
    "(2) any store of oil; and\n(3) any log.\n[Note: article 3 of the Lamp Act]\nFees\nLAMP 3.1.4 No fee is due.",
    "LAMP 3.1.5 A lamp that has gone out is lit again within the hour by the keeper of the\nnearest lamp.",
]


@pytest.mark.parametrize("gap", ["\n", "\n\n", "\nR\nG\n\n"], ids=["none", "blank line", "letters of a margin"])
def test_heads_of_pages_without_numbers_are_no_text(gap: str) -> None:
    """What stands in the margin of a page comes behind its text; the file ends with that of the last."""
    letters = gap.rstrip("\n")
    document = read("\n".join(f"{HEAD}\n{page}{gap}" for page in PAGES[:-1]) + f"\n{HEAD}\n{PAGES[-1]}{letters}\n")
    assert [(s.number, s.text) for s in document.sections if s.number] == [
        ("3.1.1", "A keeper shall light the lamps of the northern quay at dusk, and shall enter the hour at which "
                  "they were lit in the log."),
        ("3.1.2", "A keeper shall:"),
        ("1", "buy oil; and"),
        ("2", "store it."),
        ("3.1.3", "The Warden may visit:"),
        ("1", "any lamp;"),
        ("2", "any store of oil; and"),
        ("3", "any log."),
        ("3.1.4", "No fee is due."),
        ("3.1.5", "A lamp that has gone out is lit again within the hour by the keeper of the nearest lamp."),
    ]  # fmt: skip
    assert {s.number: s.heading for s in document.sections if s.heading}.items() >= {
        ("3.1.2", "Oil"),
        ("3.1.4", "Fees"),
    }


def test_words_that_each_provision_repeats_are_text() -> None:
    """They stand at the same distance, too, but never within a sentence."""
    control = (
        "{0}.1 A keeper shall:\n(a) trim wick {0};\n(b) keep log {0}.\nThis applies to all lamps\nand to all horns.\n"
    )
    document = read("LAMPS\n\n" + "\n".join(control.format(n) for n in range(1, 8)))
    assert sum("This applies to all lamps" in s.text for s in document.sections) == 7


def test_a_text_of_the_same_lines_is_read() -> None:
    assert len(read_text(b"A lamp burns\nA horn blows\n" * 5000).lines) == 10_000
