"""Sourcebooks copied from a site: letters say how binding a rule is, words are links, and tables set annexes."""

from __future__ import annotations

import io

import pytest
from reportlab.lib.pagesizes import A4
from reportlab.pdfgen.canvas import Canvas

from antinomy.cite import DocumentInfo, cite_document, corpus_index, nodes_of
from antinomy.parse import parse_document
from antinomy.parse.content import Content
from antinomy.parse.model import ParsedDocument
from antinomy.parse.readers.plain_text import read_text
from antinomy.settings.source import Source


def read(text: str) -> ParsedDocument:
    return parse_document(Source("text", "text.md", "any", grammar="numbered"), text.encode())


def content(text: str) -> Content:
    return read_text(text.encode())


def test_the_letter_of_a_rule_belongs_to_its_number() -> None:
    """Behind an inserted number, before a deleted rule, and on a line of its own with the date of the rule."""
    document = read(
        "# LAMP 1 Lamps\n\n## LAMP 1.1 Care\n\n**1.1.1** **R** A keeper must light lamps.\n\n"
        "**1.1.1A** **R** A *deputy* must help.\n\n**1.1.2** **G** [deleted]\n\n"
        "## LAMP 1.2 Oil\n\n### 1.2.1 R 02/05/2031\n\nA keeper must buy:\n\n\\(1\\) oil; and\n\n\\(2\\) wicks.\n\n"
        "### 1.2.2 G 02/05/2031\n\nOil is dear. It is sold by weight.\n\nThe price is fixed.\n\n"
        "### 1.2.3 R\n\n[deleted]\n"
    )
    assert {s.label: (s.heading, s.text) for s in document.sections if s.type in ("paragraph", "point")} == {
        "1.1.1R": ("", "A keeper must light lamps."),
        "1.1.1AR": ("", "A deputy must help."),
        "1.1.2G": ("", "[deleted]"),
        "1.2.1R": ("", "A keeper must buy:"),
        "1.2.1R(1)": ("", "oil; and"),
        "1.2.1R(2)": ("", "wicks."),
        "1.2.2G": ("", "Oil is dear. It is sold by weight.\nThe price is fixed."),
        "1.2.3R": ("", "[deleted]"),
    }
    assert document.coverage == 1
    assert document.structure == 1


def test_an_annex_of_a_chapter_has_the_rules_that_a_table_sets() -> None:
    document = read(
        "# LAMP 1 Lamps\n\n## LAMP 1.1 Care\n\n**1.1.1** **R** A keeper must light lamps.\n\n"
        "## LAMP 1 Annex 1 Lamps that need oil\n\n| | | |\n|:--|:--|:--|\n| 1 | R | A keeper must fill *lamps*. |\n"
        "| 2 | G | Oil is dear. |\n\n## LAMP 1 Annex 2R Records\n\n| Record | Years |\n|---|---|\n| Log | 5 |\n\n"
        "# LAMP 2 Horns\n\n## LAMP 2.1 Use\n\n**2.1.1** **R** A horn must be loud.\n"
    )
    assert [(s.label, s.text) for s in document.sections if "__anx" in s.eid and not s.heading] == [
        ("LAMP 1 Annex 1, paragraph 1", "A keeper must fill lamps."),
        ("LAMP 1 Annex 1, paragraph 2", "Oil is dear."),
        ("LAMP 1 Annex 2R, table", ""),
        ("LAMP 1 Annex 2R, table, row 1", "Record: Log; Years: 5"),
    ]
    parents = {s.label: s.parent_eid for s in document.sections}
    assert parents["LAMP 1 Annex 1"] == parents["LAMP 1 Annex 2R"] == "sec_1"
    assert [label for label, parent in parents.items() if not parent] == ["LAMP 1", "LAMP 2"]


def test_a_chapter_that_is_a_file_of_its_own() -> None:
    """Its heading names the sourcebook and its number, and what is numbered in it has that number in front."""
    document = read(
        "[LAMP 2](../2.md) | [Contents](../README.md) | [LAMP 4](../4.md)\n\n# LAMP 3: Oil\n\n## 3.1 Stores\n\n"
        "**3.1.1** R&ensp;A keeper must have:\n\n&emsp;(1) a store; and\n\n&emsp;(2) a log.\n\n"
        "**3.1.2** G&ensp;The log is described in LAMP 3 Annex 1R.\n\n"
        "## 3 Annex 1R Contents of the log\n\nThis Annex belongs to LAMP 3.1.2G.\n\n"
        "## 3.2 Fees\n\n**3.2.1** R&ensp;A store pays a fee.\n"
    )
    assert [(s.number, s.heading or s.text) for s in document.sections if s.type != "title"] == [
        ("3", "Oil"),
        ("3.1", "Stores"),
        ("3.1.1R", "A keeper must have:"),
        ("1", "a store; and"),
        ("2", "a log."),
        ("3.1.2G", "The log is described in LAMP 3 Annex 1R."),
        ("1", "Contents of the log"),
        ("3.2", "Fees"),
        ("3.2.1R", "A store pays a fee."),
    ]
    assert [s.label for s in document.sections if s.type == "annex"] == ["3 Annex 1R"]
    assert "LAMP" not in document.title


def test_a_paragraph_about_an_annex_is_none() -> None:
    document = read("# Oil Order\n\n1 A store pays a fee.\n\n2 Annex 1 lists the fees.\n\n3 A fee is due in May.\n")
    assert [s.number for s in document.sections if s.number] == ["1", "2", "3"]


@pytest.mark.parametrize(
    ("printed", "words"),
    [
        (
            "See [LAMP 1.1.1R(2)](https://books.example/LAMP/1.html#1.1.1R-2), as amended.",
            "See LAMP 1.1.1R(2), as amended.",
        ),
        ('[A *lamp*](/terms/lamp_(oil) "Lamp") burns.', "A lamp burns."),
        ("It names [_oil_](#oil) and [wicks](../wicks.html).", "It names oil and wicks."),
        ("The rule in [5](1) and [that](of the keeper) stay.", "The rule in [5](1) and [that](of the keeper) stay."),
    ],
)
def test_a_link_is_read_as_its_words(printed: str, words: str) -> None:
    assert [line.text for line in content(f"# Lamps\n\n{printed}\n").lines] == ["Lamps", words]


def test_what_a_file_states_of_itself_is_no_text() -> None:
    found = content(
        '---\ntitle: "Lamps"\nsource: https://books.example\ntags:\n  - oil\n---\n\n# 1 Wicks\n\nA wick is white.\n'
    )
    assert found.title == "Lamps"
    assert [line.text for line in found.lines] == ["1 Wicks", "A wick is white."]
    rule = content("---\n\nA wick is white.\n\n---\n\n# 1 Wicks\n")
    assert [line.text for line in rule.lines] == ["A wick is white.", "1 Wicks"]


def test_the_kind_of_a_part_may_be_printed_before_its_place() -> None:
    """The list of contents leaves it out. A title may take three lines, and a note in brackets ends what it is on."""
    text = """\
Lamps of the Harbour

Table of Contents
LAMP 7 Duties
LAMP 7.1 Care
LAMP 7.2 Stores

LAMP 7 Duties of keepers (including
deputies) (other than those of
private quays)

Section : LAMP 7.1 Care
Trimming
LAMP 7.1.1 A keeper must trim each wick at dusk and enter it in the log of the lamp.
[Note: section 4 of the Quays Act]
G2G lamps
LAMP 7.1.2 A keeper must clean the glass of a lamp that burns gas, as rule 7.1.1 says.
[Note: section 5 of the Quays Act]
Section : LAMP 7.2 Stores
LAMP 7.2.1 Oil must be kept in a store. LAMP 9 and LAMP 7 apply.
"""
    document = parse_document(Source("text", "text.txt", "any", grammar="numbered"), text.encode())
    assert [(s.number, s.heading) for s in document.sections if s.type == "section"] == [
        ("7", "Duties of keepers (including deputies) (other than those of private quays)"),
        ("7.1", "Care"),
        ("7.2", "Stores"),
    ]
    rules = {s.number: s.text for s in document.sections if s.number.count(".") == 2}
    assert list(rules) == ["7.1.1", "7.1.2", "7.2.1"]
    assert rules["7.1.2"] == "A keeper must clean the glass of a lamp that burns gas, as rule 7.1.1 says."
    assert {"Trimming", "G2G lamps"} <= {s.heading for s in document.sections}
    assert document.coverage == 1


CHAPTERS = {"1": "Application", "2": "Lamps", "3": "Horns", "4": "Records"}


def _sourcebook() -> bytes:
    """Print chapters with heads that name them, their numbers on tabs, and numbers and dates of rules on the left."""
    stream = io.BytesIO()
    canvas = Canvas(stream, pagesize=A4)

    def put(x: float, y: float, text: str, size: float = 10, bold: bool = False) -> None:
        canvas.setFont("Helvetica-Bold" if bold else "Times-Roman", size)
        canvas.drawString(x, y, text)

    put(60, 760, "LAMP Contents", 15, bold=True)
    for at, (chapter, title) in enumerate(CHAPTERS.items()):
        put(60, 720 - 30 * at, f"LAMP {chapter}", bold=True)
        put(150, 720 - 30 * at, title, bold=True)
    canvas.showPage()
    for at, (chapter, title) in enumerate(CHAPTERS.items()):
        put(60, 806, f"LAMP {chapter} : {title}", 8)
        put(560, 650, chapter, 16, bold=True)
        put(60, 770, f"Chapter {chapter}", 20, bold=True)
        put(60, 745, title, 20, bold=True)
        for rule in (1, 2, 3):
            y = 700 - (50 + 9 * at) * rule
            put(150, y, f"A keeper must enter {title.lower()} {rule * 'and again '}as LAMP 2.1.{rule} R")
            put(150, y - 12, f"asks for {title.lower()}.")
            put(60, y, f"{chapter}.1.{rule}", bold=True)
            put(120, y, "R", bold=True)
            put(60, y - 9, "01/04/2031", 6)
        canvas.showPage()
    canvas.save()
    return stream.getvalue()


def test_a_printed_sourcebook_keeps_its_rules_apart_from_what_stands_around_them() -> None:
    document = parse_document(Source("text", "text.pdf", "any"), _sourcebook())
    rules = [section for section in document.sections if section.type == "paragraph"]
    assert [rule.label for rule in rules] == [f"LAMP {chapter}.1.{rule}R" for chapter in "1234" for rule in (1, 2, 3)]
    assert rules[4].text == "A keeper must enter lamps and again and again as LAMP 2.1.2 R asks for lamps."
    assert {rule.parent_eid for rule in rules} == {f"chp_{chapter}" for chapter in CHAPTERS}
    assert not any("LAMP 2 :" in section.text + section.heading for section in document.sections)


def test_a_printed_rulebook_dates_its_rules_and_sets_terms_on_lines_of_their_own() -> None:
    stream = io.BytesIO()
    canvas = Canvas(stream, pagesize=A4)

    def put(x: float, y: float, text: str, font: str = "Times-Roman", size: float = 10) -> None:
        canvas.setFont(font, size)
        canvas.drawString(x, y, text)

    put(60, 780, "Lamps", "Times-Bold", 18)
    put(60, 750, "1", "Times-Bold", 15)
    put(119, 750, "Application and Definitions", "Times-Bold", 15)
    texts = {
        "1.1": "This Part applies to every keeper of a lamp.",
        "1.2": "1.1 does not apply to a keeper whose lamp has been out for a year.",
        "1.3": "In this Part, the following definitions shall apply:",
        "1.4": "A period runs without a break.",
        "1.5": "A keeper must write down each day on which a lamp was out.",
    }
    y = 720.0
    for number, text in texts.items():
        put(60, y, number, "Times-Bold")
        put(60, y - 10, "01/09/2031", size=7)
        put(119, y, text)
        y -= 34
        terms = {"lamp": "means what a keeper lights.", "oil": "means, for each lamp, what burns in it."}
        for term, meaning in terms.items() if number == "1.3" else ():
            put(119, y, term, "Times-BoldItalic")
            put(148, y - 14, meaning)
            y -= 36
    canvas.save()
    document = parse_document(Source("text", "text.pdf", "any", grammar="numbered"), stream.getvalue())
    assert {s.number: s.text for s in document.sections if s.type == "paragraph"} == texts
    assert {s.term: s.text for s in document.sections if s.type == "definition"} == {
        "lamp": "lamp means what a keeper lights.",
        "oil": "oil means, for each lamp, what burns in it.",
    }
    assert document.faults == []


def test_a_list_of_contents_names_the_sourcebook_and_a_table_may_cite_its_rules() -> None:
    document = read(
        "# Sourcebook\n\n**LAMP 5**\n\n**Care of lamps**\n\n**Contents**\n\nLAMP 5.1 Wicks\n\nLAMP 5.2 Oil\n\n"
        "LAMP 5 Annex 1R Signs\n\nLAMP Sch 1 Records\n\n## 5 Care of lamps\n\n### 5.1 Wicks\n\n"
        "5.1.1 R A keeper must trim each wick.\n\n5.1.2 R A keeper must log it.\n\n### 5.2 Oil\n\n"
        "5.2.1 R Oil must be clear.\n\n## LAMP 5 Annex 1R Signs\n\nA sign is smoke.\n\n## LAMP Sch 1 Records\n\n"
        "| Rule | Record |\n|---|---|\n| LAMP 5.1.2R | Log |\n| LAMP 5.2.1R | Oil |\n"
    )
    assert [(s.type, s.number) for s in document.sections if s.number] == [
        ("section", "5"),
        ("section", "5.1"),
        ("paragraph", "5.1.1R"),
        ("paragraph", "5.1.2R"),
        ("section", "5.2"),
        ("paragraph", "5.2.1R"),
        ("annex", "1"),
        ("schedule", "1"),
    ]
    assert [s.text for s in document.sections if "Record: " in s.text] == [
        "Rule: LAMP 5.1.2R; Record: Log",
        "Rule: LAMP 5.2.1R; Record: Oil",
    ]
    assert document.faults == []


def test_a_catalogues_controls_have_codes_without_an_order() -> None:
    """What a catalogue says of a control's version is none of its words."""
    text = "# Lamp Security Guide\n\n"
    for heading, codes in (("Care", ["0412", "1630"]), ("Oil", ["0077", "1629", "0413"]), ("Horns", ["0009"])):
        text += f"## **{heading}**\n\nGood {heading.lower()} saves ships. It takes:\n\n- time\n- oil\n\n"
        for code in codes:
            text += f"***Control: LSG-{code}; Revision: 3; Updated: May-31; Applies to: A, B***\n\n"
            text += f"*A register of {code} is kept by:*\n\n- *the keeper*\n- *the warden.*\n\n"
    document = read(text)
    names = {s.eid: s.heading for s in document.sections}
    controls = [s for s in document.sections if s.number]
    assert [(names[s.parent_eid], s.number, s.text) for s in controls] == [
        ("Care", "LSG-0412", "A register of 0412 is kept by:"),
        ("Care", "LSG-1630", "A register of 1630 is kept by:"),
        ("Oil", "LSG-0077", "A register of 0077 is kept by:"),
        ("Oil", "LSG-1629", "A register of 1629 is kept by:"),
        ("Oil", "LSG-0413", "A register of 0413 is kept by:"),
        ("Horns", "LSG-0009", "A register of 0009 is kept by:"),
    ]
    assert document.structure == 1
    assert document.coverage == 1


def test_what_stands_behind_the_chapters_of_a_sourcebook_has_its_name_and_a_number_beside_theirs() -> None:
    """Transitional provisions TP 1 are no chapter 1, and a schedule with the sourcebook's name is none of another."""
    document = read(
        "# LAMP 1 Oil\n\n## 1.1 Use\n\n1.1.1 R Words in italics have the meaning in LAMP App 1.\n\n"
        "1.1.2 R LAMP 1 applies subject to LAMP TP 1; records are in LAMP Sch 1.\n\n"
        "1.1.3 R LAMP 1.1.1R and HORN Sch 1 apply.\n\n"
        "# LAMP TP 1 Old lamps\n\nThey may stay until May.\n\n# LAMP Sch 1 Records\n\nA log of oil.\n\n"
        "# LAMP App 1 Glossary\n\n| Expression | Definition |\n|---|---|\n| keeper | who lights a lamp |\n"
    )
    assert [(s.eid, s.heading) for s in document.sections if s.type in ("section", "schedule", "appendix")] == [
        ("sec_1", "Oil"),
        ("sec_1-1", "Use"),
        ("sec_TP1", "Old lamps"),
        ("sched_1", "Records"),
        ("app_1", "Glossary"),
    ]
    corpus = corpus_index([DocumentInfo("text", document.title)], nodes_of("text", document.sections))
    rows = cite_document("text", document.sections, corpus)
    assert {str(row["raw_text"]): row["target_eid"] for row in rows if row["resolution"] == "exact"} == {
        "LAMP App 1": "app_1",
        "LAMP 1": "sec_1",
        "LAMP TP 1": "sec_TP1",
        "LAMP Sch 1": "sched_1",
        "LAMP 1.1.1R": "para_1-1-1R",
    }


def exact(document: ParsedDocument) -> list[tuple[str, str]]:
    """Return the phrases that cite a place of the document, each with the place."""
    corpus = corpus_index([DocumentInfo("text", document.title)], nodes_of("text", document.sections))
    rows = cite_document("text", document.sections, corpus)
    return [(str(row["raw_text"]), str(row["target_eid"])) for row in rows if row["resolution"] == "exact"]


def page(*printed: tuple[str, ...]) -> ParsedDocument:
    """Read a page of lines, each of places and words beside one another; what follows a slash stands a line lower."""
    drawn = io.BytesIO()
    canvas = Canvas(drawn, A4)
    for at, row in enumerate(printed):
        for x, words in zip(row[::2], row[1::2], strict=True):
            canvas.setFont("Helvetica-Bold" if int(x) < 90 else "Helvetica", 10)
            for below, part in enumerate(words.split("/")):
                canvas.drawString(int(x) + 36 * below, 780 - 13 * (at + below), part)
    canvas.save()
    return parse_document(Source("text", "text.pdf", "any", grammar="numbered"), drawn.getvalue())


def test_a_letter_may_stand_below_its_number_and_words_below_a_list_are_none_of_its_last_item_s() -> None:
    document = page(
        ("50", "Chapter 3 Lamps"), (), ("50", "3.1", "120", "Care"), (),
        *(row for n in range(1, 6) for row in (("50", f"3.1.{n}", "85", "R", "120", f"Light lamp {n}."), ())),
        ("50", "3.1.10/R", "120", "A keeper must, as a rule of each night on which one is to be lit, see to it that:"),
        ("120", "(1) the lamp is filled with oil that is fit for the lamp, in the way that the rules of"),
        ("140", "LAMP 3 Annex 1 R say;"),
        ("120", "(2) the wick is trimmed, and the glass of the lamp is wiped with a cloth on both of its"),
        ("140", "sides; and"),
        ("120", "(3) the log is at hand for all who want to know when it was lit on the night before that."),
        ("120", "The log in (3) must be bound."), (),
        ("50", "3.1.11A/R", "120", "LAMP 3.1.10 R (3) does not apply to a keeper of one lamp, whatever"),
        ("120", "the hour. A keeper must:"),
        ("120", "(1) tell the warden of it, and do so in good time, which means a day before the night that"),
        ("140", "is meant; and"),
        ("120", "(2) wait for a word of the warden, who may ask for what is in LAMP 3.1.1 R to LAMP"),
        ("140", "3.1.3 R and in LAMP 3.1.11A R."), (), (),
        ("50", "3", "120", "Annex 1R Oils"), (), ("120", "The oils are fit if the sign in (2) is there:"),
        ("120", "(1) the oil is clear; and"), ("120", "(2) the oil bears a sign. The sign in (1) is none."),
    )  # fmt: skip
    found = {section.label: section for section in document.sections}
    assert found["LAMP 3.1.10R"].text.startswith("A keeper must, as a rule")
    assert found["LAMP 3.1.10R(3)"].text.endswith("night before that.")
    assert "The log in (3) must be bound." in [section.text for section in document.sections]
    assert found["LAMP 3.1.11AR"].text.startswith("LAMP 3.1.10 R (3) does not apply")
    assert found["3 Annex 1R"].parent_eid == found["Chapter 3"].eid
    places = exact(document)
    assert ("LAMP 3.1.11A R", "para_3-1-11AR") in places
    assert ("(1)", "chp_3__anx_1__point_1") in places
    assert ("(2)", "chp_3__anx_1__point_2") in places


def test_a_square_before_a_place_is_the_sign_of_a_link_and_no_bullet() -> None:
    document = read(
        "# LAMP 1 Lamps\n\n## LAMP 1.1 Care\n\n**1.1.1** **R** A keeper must light lamps.\n\n"
        "**1.1.2** **R** Oil must be clear.\n\n**1.1.3** **R** ■ LAMP 1.1.1 R and ■ LAMP 1.1.2 R do not apply "
        "to horns.\n\n**1.1.4** **G** See ■ LAMP 1.1.1 R to ■ LAMP 1.1.3 R for:\n\n■ lamps; and\n\n■ horns.\n"
    )
    assert [section.type for section in document.sections if section.eid.startswith("para_1-1-")] == [
        *["paragraph"] * 4, "item", "item",
    ]  # fmt: skip
    places = [place for words, place in exact(document) if "to" in words]
    assert places == ["para_1-1-1R", "para_1-1-2R", "para_1-1-3R"]


def test_the_provisions_of_a_schedule_have_its_word_in_their_numbers() -> None:
    document = read(
        "# LAMP 1 Oil\n\n## 1.1 Use\n\n1.1.1 R A keeper burns oil.\n\n1.2 R Oil is as LAMP Sch 1.2 G shows.\n\n"
        "# LAMP Sch 1 Records\n\nLAMP Sch 1.1 G The table in LAMP Sch 1.2G lists records.\n\n"
        "LAMP Sch 1.2 G\n\n| Rule | Record |\n|---|---|\n| LAMP 1.1.1R | Oil burned |\n| LAMP 1.2R | Oil sold |\n"
    )
    (first, second) = (s for s in document.sections if s.parent_eid == "sched_1" and s.number)
    assert (first.number, first.text) == ("1.1G", "The table in LAMP Sch 1.2G lists records.")
    assert second.number == "1.2G"
    cited = [eid for words, eid in exact(document) if words.replace(" ", "") == "LAMPSch1.2G"]
    assert cited == [second.eid, second.eid]
