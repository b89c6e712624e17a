"""What the pages of a printed source leave in a format without pages: marks where they end, and a list of contents."""

from __future__ import annotations

import pytest

from antinomy.parse import parse_document
from antinomy.parse.model import ParsedDocument
from antinomy.parse.readers.plain_text import read_text
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


@pytest.mark.parametrize("mark", ["{{{}}}" + 48 * "-", "--- Page {} ---"])
def test_pages_that_a_converter_has_counted(mark: str) -> None:
    """In Markdown made of a PDF."""
    marks = [mark.format(n) for n in range(3)]
    document = read(
        f"{marks[0]}\n\n# **Lamp Rules**\n\n## **Section 7.1 Oil.**\n\n- (a) A keeper stores oil in places that are \n"
        f"\n{marks[1]}\n\ndry, or made so.\n\n- (1) A cellar is dry.\n\n{marks[2]}\n\n- (2) A hold is not.\n"
        "- (b) Oil is burned.\n",
        "text.md",
    )
    assert [(s.number, s.text) for s in document.sections if s.number] == [
        ("7.1", ""),
        ("a", "A keeper stores oil in places that are dry, or made so."),
        ("1", "A cellar is dry."),
        ("2", "A hold is not."),
        ("b", "Oil is burned."),
    ]
    assert document.sections[0].heading == "Lamp Rules"


def numbered(document: ParsedDocument) -> list[tuple[str, str, str]]:
    return [(s.number, s.heading, s.text) for s in document.sections if s.number and s.type != "footnote"]


def test_a_text_whose_lines_are_all_set_apart_and_whose_pages_have_bare_numbers() -> None:
    """Some labels stand on lines of their own; the first note found is not the document's first."""
    lines = (
        "NOTICE ON LAMPS", "1. Keepers", "(a) A keeper shall light the lamps of the quay at", "dusk and enter the",
        "hour in the log.", "(b)", "in winter a keeper shall look after the lamps of the", "4", "southern quay, too.",
        "2. Oil", "(a) A keeper shall buy the oil of the Harbour Office (HO)2", "and shall store it in a", "dry place.",
        "2 Lamp oil.\n3Whale oil may be used.", "5", "(b) Spilled oil shall be taken up with sand and the keeper shall",
        "6", "tell the harbour master of it.",
    )  # fmt: skip
    document = read("\n\n".join(lines).replace("dry place", "dry place3") + "\n\n7\n")
    assert numbered(document) == [
        ("1", "Keepers", ""),
        ("a", "", "A keeper shall light the lamps of the quay at dusk and enter the hour in the log."),
        ("b", "", "in winter a keeper shall look after the lamps of the southern quay, too."),
        ("2", "Oil", ""),
        ("a", "", "A keeper shall buy the oil of the Harbour Office (HO) and shall store it in a dry place."),
        ("b", "", "Spilled oil shall be taken up with sand and the keeper shall tell the harbour master of it."),
    ]
    assert [(s.number, s.text) for s in document.sections if s.type == "footnote"] == [
        ("2", "Lamp oil."),
        ("3", "Whale oil may be used."),
    ]


def test_form_feeds_end_pages_with_their_numbers_and_running_heads() -> None:
    pages = (
        "RULES ON BOATS\n\n1. Moorings\n\nA skipper shall moor at the berth that the\n\n",
        "harbour master has named. He shall pay\nat once.\n\n2. Lights\n\nA boat shall show\n\n",
        "a white light, and\n\n",
        "3. Signals\n\nA boat shall sound its horn in fog.\n\n",
    )
    head = "Port of Arden\n\n"
    text = "".join(f"{head}{page}                  {n}\n\f" for n, page in enumerate(pages, start=7))
    assert numbered(read(text)) == [
        ("1", "Moorings", "A skipper shall moor at the berth that the harbour master has named. He shall pay at once."),
        ("2", "Lights", "A boat shall show a white light, and"),
        ("3", "Signals", "A boat shall sound its horn in fog."),
    ]


def test_numbers_that_stand_alone_and_grow_are_no_pages_where_none_parts_a_sentence() -> None:
    document = read("RULES ON OIL\n\n" + "".join(f"{n}\n\nOil {n} shall be stored.\n\n" for n in range(1, 6)))
    assert [number for number, _, _ in numbered(document)] == list("12345")


def test_a_file_that_a_program_made_of_a_pdf_page_by_page() -> None:
    """It names the file and the pages, marks images, and prints numbers on lines of their own, also in its contents."""
    image = "<image: DeviceRGB, width: 90, height: 5, bpc: 8>"
    pages = (
        f"{image}\nLamp Keepers Manual\nVersion 2",
        "Contents\n1 \nKeepers ....... 3\n1.1. \nDuties ........ 3\n1.2. \nRest ....... 3\n2 \nOil ........ 4",
        "1 \nKeepers\n1.1. Duties \nA keeper should light the lamps at dusk and should stay with them until the\n"
        "morning.\n1.2. Rest \nA keeper should sleep by day. He should not be woken but for a fire in one of the",
        "lighthouses.\n2 \nOil\n2.1 Stores \nOil should be stored in the cellar.",
        "2.2 Sale \nOil should not be sold.",
    )
    text = "# manual_v2.pdf\n" + "".join(
        f"\n## Page {n}\n\n{page}\n{image}\n{n if n > 1 else ''}\n" for n, page in enumerate(pages, start=1)
    )
    document = read(text, "manual.md")
    assert document.title.startswith("Lamp Keepers Manual")
    assert numbered(document) == [
        ("1", "Keepers", ""),
        ("1.1", "Duties", "A keeper should light the lamps at dusk and should stay with them until the morning."),
        (
            "1.2",
            "Rest",
            "A keeper should sleep by day. He should not be woken but for a fire in one of the lighthouses.",
        ),
        ("2", "Oil", ""),
        ("2.1", "Stores", "Oil should be stored in the cellar."),
        ("2.2", "Sale", "Oil should not be sold."),
    ]


def test_an_act_with_headings_in_brackets_and_marks_between_its_pages() -> None:
    """The list of contents says which articles a part holds; the number of one article is lost, its heading is not."""
    mark = "{{{}}}------------------------"
    document = read(
        f"{mark.format(0)}\n\n# Act on Lamps\n\nAdopted by the Diet of Arden.\n\n### **Table of Contents**\n\n"
        "| Chapter<br>I<br>Keepers (Articles 1 to<br>3) | |\n|---|---|\n| Chapter<br>II | Oil<br>(Articles 4, 5) |\n\n"
        f"{mark.format(1)}\n\nChapter III Fees and Penalties for Keepers (Article 6)\n\n### **Chapter I Keepers**\n\n"
        f"(Aim)\n\nArticle 1 This Act aims to keep the lamps of all\n\n{mark.format(2)}\n\nharbours alight.\n\n"
        "(Terms etc.)\n\n- (1) A lamp in this Act means a light of a harbour.\n- (2) A keeper means who lights it.\n\n"
        "(Duties of Keepers)\n\n# Article 3\n\n- (1) A keeper shall light his lamp.\n- (2) A keeper shall\n"
        "  - (i) keep a log;\n  - (ii) clean the glass.\n\n# **Chapter II Oil**\n\n(Stores)\n\n"
        "Article 4 Oil shall be stored in the cellar.\n\n(Sale)\n\nArticle 5 Oil shall not be sold.\n"
    )
    assert document.title == "Act on Lamps"
    assert [(s.eid.rpartition("__")[2], s.heading, s.text) for s in document.sections if s.number] == [
        ("chp_I", "Keepers", ""),
        ("art_1", "Aim", "This Act aims to keep the lamps of all harbours alight."),
        ("point_1", "", "A lamp in this Act means a light of a harbour."),
        ("point_2", "", "A keeper means who lights it."),
        ("art_3", "Duties of Keepers", ""),
        ("para_1", "", "A keeper shall light his lamp."),
        ("para_2", "", "A keeper shall"),
        ("point_i", "", "keep a log;"),
        ("point_ii", "", "clean the glass."),
        ("chp_II", "Oil", ""),
        ("art_4", "Stores", "Oil shall be stored in the cellar."),
        ("art_5", "Sale", "Oil shall not be sold."),
    ]
    assert next(s.parent_eid for s in document.sections if s.heading == "(Terms etc.)") == "chp_I"


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


_HALVES = """**{n}.** (1) A keeper of a lamp of the harbour shall light it at the hour
that the Warden of the harbour has named in a notice.

(2) A keeper of a lamp of the harbour who is told by the Warden

that the lamp has gone out shall light it again:

_(a)_ with the oil that is stored for lamps in the store of the

harbour; or

_(b)_ with gas."""


def test_only_the_first_line_of_each_paragraph_is_set_apart() -> None:
    document = read("# Act on Lamps\n\n" + "\n\n".join(_HALVES.format(n=n) for n in (1, 2, 3)) + "\n", "text.md")
    found = texts(document)
    assert found["para_2__point_2"] == (
        "A keeper of a lamp of the harbour who is told by the Warden that the lamp has gone out shall light it again:"
    )
    assert found["para_2__point_2__point_a"] == "with the oil that is stored for lamps in the store of the harbour; or"


def test_heads_below_the_rules_between_pages_and_a_list_of_clauses_on_two_of_them() -> None:
    listed = [f"{n}. {title}" for n, title in enumerate(("Lamps", "Oil, etc.", "Logs", "Fees", "Sales", "Horns"), 1)]
    duties = [
        f"**{entry.split(' ', 1)[1]}**\n\n**{n}.** (1) A keeper shall see to what clause {n} names.\n\n"
        f"(2) He shall log it under subsection (1)."
        for n, entry in enumerate(listed, 1)
    ]
    rule, heads = "\n\n\n-----\n\n", ("_Bill_\n\n", "_Lamps of the Harbours_\n\n")
    pages = [
        "LAMPS BILL\n\nARRANGEMENT OF CLAUSES\n\nPART I\n\nLIGHTS OF\n\nHARBOURS\n\nClause\n\n"
        + "\n\n".join(listed[:3]),
        "Clause\n\n" + "\n\n".join(listed[3:]),
        "PART I\n\nLIGHTS OF\n\nHARBOURS\n\n" + duties[0],
        *duties[1:],
    ]
    front = "---\nDownload URL: https://varn.example\nTitle: Lamps Bill\n---\n---\nReading:\nNo. 7 of 2041\n---\n\n"
    text = front + pages[0] + "".join(f"{rule}{heads[at % 2]}{page}" for at, page in enumerate(pages[1:]))
    document = read(text, "text.md")
    assert document.title == "Lamps Bill"
    assert [(s.eid, s.heading) for s in document.sections if s.type in ("part", "section")] == [
        ("part_I", "LIGHTS OF HARBOURS"), ("sec_1", "Lamps"), ("sec_2", "Oil, etc."), ("sec_3", "Logs"),
        ("sec_4", "Fees"), ("sec_5", "Sales"), ("sec_6", "Horns"),
    ]  # fmt: skip
    assert not [s for s in document.sections if {s.heading, s.text} & {"Bill", "Lamps of the Harbours", "Clause"}]
    assert not [s for s in document.sections if "2041" in s.heading + s.text]


def test_the_first_part_prints_its_title_below_its_number_and_the_list_beside_it() -> None:
    titles = {"I": "General", "II": "Lamps of the Harbour", "III": "Oil"}
    listed = [f"Chapter {number} {title}" for number, title in titles.items()]
    listed.insert(2, "Section 1 Keepers")
    body = [
        f"Chapter {number}\n{title}\n"
        + "Section 1\nKeepers\n" * (number == "II")
        + f"Article {n} A keeper shall keep lamp {n} dry.\n"
        for n, (number, title) in enumerate(titles.items(), 1)
    ]
    document = read("Law on Lamps\nContents\n" + "\n".join(listed) + "\n" + "".join(body))
    assert [(s.eid, s.heading) for s in document.sections if s.type == "chapter"] == [
        (f"chp_{number}", title) for number, title in titles.items()
    ]
    assert [s.parent_eid for s in document.sections if s.type == "article"] == ["chp_I", "sec_1", "chp_III"]


def test_words_that_each_provision_repeats_are_text() -> None:
    """They stand at the same distance, too, but never within a sentence."""
    control = (
        "{0}.1 A keeper shall:\n(a) trim wick {0};\n(b) keep log {0}.\nThis applies to all lamps\nand to all horns.\n"
    )
    document = read("LAMPS\n\n" + "\n".join(control.format(n) for n in range(1, 8)))
    assert sum("This applies to all lamps" in s.text for s in document.sections) == 7


def test_a_text_of_the_same_lines_is_read() -> None:
    assert len(read_text(b"A lamp burns\nA horn blows\n" * 5000).lines) == 10_000


def test_heads_of_pages_that_are_set_in_tables_are_no_text() -> None:
    """A program that reads pages by their looks reads some letters and cells otherwise on some pages."""
    cells = ["HARBoUR BoARD", "Manual of Lamps", "L-4 - 12.05.2041"]
    heads = [
        "<table><tr><td colspan=2>" + "</td></tr><tr><td>".join(read) + "</td></tr></table>"
        for read in (cells, ["HARBoUR", *cells[1:], "BoARD"], [cells[0], "Manual", "of Lamps", "L -4-12.05.2041"])
    ]
    pages = (
        f"# {n}. Duties {n}\n\n{n}.1 A keeper must light lamp {n} before\n\n{heads[n % 3]}\n\nthe night begins.\n\n"
        f"{n}.2 The lamp must burn.\n\n{heads[(n + 1) % 3]}\n\n"
        for n in range(1, 5)
    )
    document = parse_document(Source("text", "text.md", "any"), "".join([heads[0], "\n\n", *pages]).encode())
    texts = [s.text for s in document.sections if "." in s.number]
    kept = [(f"A keeper must light lamp {n} before the night begins.", "The lamp must burn.") for n in range(1, 5)]
    assert texts == [text for pair in kept for text in pair]
    assert all(s.type in ("section", "paragraph") for s in document.sections)


def test_a_list_of_contents_whose_numbers_stand_above_its_titles_does_not_take_the_first_section_with_it() -> None:
    titles = ["Keepers", "Oil of the quay", "Bells", "Fog"]
    listed = "".join(f"417.{n}\n{title}\n" for n, title in enumerate(titles, 1))
    body = "".join(f"Section 417.{n} {title}.\n(a) A keeper shall log it.\n" for n, title in enumerate(titles, 1))
    document = read(f"PART 417\nLAMPS\nSec.\n{listed}{body}")
    assert [s.heading for s in document.sections if s.type == "section"] == titles


def test_a_list_of_contents_whose_numbers_stand_apart_from_its_titles() -> None:
    """A program that reads pages by their looks takes the columns of the list for lists of their own."""
    titles = ["Keepers", "Oil of the quay", "Bells", "Fog"]
    numbers = "   \n".join(f"Section {n}" for n in range(1, 5))
    body = "".join(f"# {n}. {title}\n\n{n}.1 A keeper must see section {n}.\n\n" for n, title in enumerate(titles, 1))
    listed = f"{titles[0]}..   \n{titles[1]} ......... 4   \n{titles[2]}... 5 Fog.. . 7\n\nNotes...\n\n"
    document = read(f"# RULES FOR HARBOURS\n\n# CONTENTS\n\n# Page\n\n{numbers}   \nAnnex\n\n{listed}{body}", "text.md")
    assert [(s.eid, s.heading) for s in document.sections if s.type == "section"] == [
        (f"sec_{n}", title) for n, title in enumerate(titles, 1)
    ]
    assert {s.type for s in document.sections} == {"title", "section", "paragraph"}


@pytest.mark.parametrize("feed", ["", "\f"])
def test_left_pages_print_their_numbers_and_heads_otherwise_than_right_ones(feed: str) -> None:
    """The number stands outside, before the words of the foot or behind them, and each side has a head of its own."""
    pages = [
        f"§{n}01.  Lamps {n}\n  A. A keeper shall write down each night on which\nlamp {n} fails.\n"
        f"  B. A keeper of lamp {n} shall light it\nbefore the {n} lamps of the\n"
        for n in range(1, 9)
    ]
    feet = [f"{n}     Harbor Code     May 2031" if n % 2 else f"Harbor Code     May 2031     {n}" for n in range(1, 9)]
    heads = ["Title 9, Part IV" if n % 2 else "HARBORS AND LAMPS" for n in range(1, 9)]
    text = "".join(
        f"{page}\n{foot}\n{feed}{head}\n\nharbor office {n}.\n\n"
        for n, (page, foot, head) in enumerate(zip(pages, feet, heads, strict=True), start=1)
    )
    document = read(f"Harbor Code\n\n{text}")
    words = " ".join(f"{section.heading} {section.text}" for section in document.sections[1:])
    assert not [word for word in ("May", "Title", "HARBORS") if word in words]
    assert [s.text for s in document.sections if s.label.endswith("paragraph B")] == [
        f"A keeper of lamp {n} shall light it before the {n} lamps of the harbor office {n}." for n in range(1, 9)
    ]
