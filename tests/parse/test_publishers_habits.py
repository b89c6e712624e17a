"""Habits of single publishers: what they print around rules, and how they set tables, annexes and definitions."""

from __future__ import annotations

import pytest

from antinomy.cite import DocumentInfo, cite_document, corpus_index, nodes_of
from antinomy.parse import parse_document
from antinomy.parse.model import Line, ParsedDocument
from antinomy.parse.numbered.margins import with_kinds, with_margins
from antinomy.settings.source import Source


def read(text: str, name: str = "text.txt") -> ParsedDocument:
    return parse_document(Source("text", name, "any"), text.encode())


def texts(document: ParsedDocument) -> dict[str, str]:
    return {section.label: section.text or section.heading for section in document.sections if section.number}


def exact(document: ParsedDocument) -> dict[str, set[str]]:
    """Return the phrases that cite, and what each of them leads to."""
    corpus = corpus_index([DocumentInfo("text", document.title)], nodes_of("text", document.sections))
    found: dict[str, set[str]] = {}
    for row in cite_document("text", document.sections, corpus):
        if row["resolution"] == "exact":
            found.setdefault(str(row["raw_text"]), set()).add(str(row["target_eid"]))
    return found


_TABLE = """LAMP RULES

1. Oil
1.1 A keeper buys the oil that Table 1 names.

Table 1: Grades of oil
Grade          Colour of the flame      Hours
Fine           white, or nearly         12
               so in frost
Coarse         yellow                   8
Burnt          red                      3

1.2 A keeper burns no other oil than that of Table 1.
"""


def test_a_table_that_is_set_in_blanks_has_a_row_for_each_line_and_its_caption_is_cited() -> None:
    document = read(_TABLE)
    rows = [section.text for section in document.sections if "__table_1__" in section.eid]
    assert rows == [
        "Grade: Fine; Colour of the flame: white, or nearly so in frost; Hours: 12",
        "Grade: Coarse; Colour of the flame: yellow; Hours: 8",
        "Grade: Burnt; Colour of the flame: red; Hours: 3",
    ]
    (table,) = {eid for eids in exact(document).values() for eid in eids}
    assert table.endswith("__table_1")


def test_columns_of_addresses_and_lists_of_contents_are_no_tables() -> None:
    lines = ["LAMP RULES", "", "Harbour Office     Pier 4     Arden", "Tel. 12 34         Fax 12 35"]
    lines += ["", "I.    Lamps      nos. 1-2", "II.   Oil        no. 3", "III.  Wicks      no. 4"]
    document = read("\n".join([*lines, "", "1. A keeper lights lamps.", "", "2. A keeper buys oil."]))
    assert not [section for section in document.sections if section.type == "table"]


def test_two_columns_are_a_table_if_their_heads_stand_right_above_them_and_nothing_beside() -> None:
    rules = "LAMP RULES\n\n1. A keeper lights lamps.\n\n2. A keeper buys oil.\n\nAppendix\n\n"
    heads = "  Rule        Act that it carries out\n"
    rows = [
        "  Rule 1      Lamps Act 1931",
        "  Rule 2      Oil Act 1942",
        "  2.1 and 3   Oil Act 1942",
        "  Ships       None",
    ]
    table = "\n".join(rows)
    for blank in ("", "\n"):
        document = read(f"{rules}{heads}{blank}{table}\n\nEnd of the rules.")
        assert [section.text for section in document.sections if "__table_1__" in section.eid] == [
            "Rule: Rule 1; Act that it carries out: Lamps Act 1931",
            "Rule: Rule 2; Act that it carries out: Oil Act 1942",
            "Rule: 2.1 and 3; Act that it carries out: Oil Act 1942",
            "Rule: Ships; Act that it carries out: None",
        ]
    words = heads.strip("\n")
    for other in (
        f"{words}\n" + "\n".join(rows[:2]),
        f"{words}\n{table}\n  and others",
        f"A keeper prints:\n{words}\n{table}",
        table,
        f"  From:       The Warden\n  To:         Keepers\n{table}",
    ):
        assert not [section for section in read(f"{rules}{other}").sections if section.type == "table"]


def test_the_pages_of_titles_in_two_columns_are_a_list_of_contents() -> None:
    titles = ["Lamps", "Oil", "Logs", "Piers", "Fees"]
    listed = "\n".join(f"{title:<20}{page}" for page, title in enumerate(titles, start=1))
    text = "\n\n".join(
        f"{n}. {title}\n\n(a) A keeper sees to it.\n\n(b) A log tells of it." for n, title in enumerate(titles)
    )
    document = read(f"LAMP RULES\n\nContents\n\nTitle               Page\n{listed}\n\n{text}")
    assert not [section for section in document.sections if section.type == "table"]
    assert [section.heading for section in document.sections if section.heading in titles] == titles


def test_feet_that_count_pages_as_3_of_11_go() -> None:
    paragraphs = [f"{n}. A keeper shall keep the lamp that stands on pier {n} lit all night." for n in range(1, 9)]
    pages = [f"{text}\n\n{n}/8\nRules on Lamps in Harbours" for n, text in enumerate(paragraphs, start=1)]
    document = read("RULES ON LAMPS\n\n" + "\n\n".join(pages))
    assert list(texts(document).values()) == [text.split(" ", 1)[1] for text in paragraphs]


def test_an_annex_of_a_chapter_stands_in_the_chapter_and_its_items_are_cited() -> None:
    document = read(
        "# LAMP 1 Care\n\n"
        "**1.1.1** **R** A keeper must keep the log described in item 2 of LAMP 1 Annex 1R.\n\n"
        "# LAMP 1 Annex 1R The log\n\n1 The day.\n\n2 The lamp.\n\n# LAMP 2 Oil\n\n"
        "**2.1.1** **R** A keeper must buy oil as Sch 1.2R says.\n\n# Schedule 1 Prices\n\n"
        "**Sch 1.1** **G** Oil is dear.\n\n"
        "**Sch 1.2** **R** A keeper must pay the price.\n",
        "text.md",
    )
    parents = {section.label: section.parent_eid for section in document.sections}
    assert parents["LAMP 1 Annex 1R"] == "sec_1"
    assert "sec_1__anx_1" in {section.eid for section in document.sections}
    found = exact(document)
    assert next(iter(found["item 2 of LAMP 1 Annex 1R"])).endswith("para_2")
    assert {section.text for section in document.sections if section.eid in found["Sch 1.2R"]} == {
        "A keeper must pay the price."
    }


def test_the_parts_of_a_form_stand_in_its_appendix() -> None:
    document = read(
        "LAMP NOTICE\n\n1 LAMPS\n\n1.1 A keeper shall use the form in Appendix B.\n\n1.2 A keeper shall sign it.\n\n"
        "Appendix A\nLAMPS\n\n1 Red ones.\n\n2 Green ones.\n\nAppendix B\nTHE FORM\n\n(Paragraph 1.1)\n\n"
        "Part I — To be completed by the keeper\n\nI declare that the lamp burns.\n\n"
        "Part II — To be completed by the harbour\n\nThe lamp was seen.\n"
    )
    parts = {section.number: section.parent_eid for section in document.sections if section.type == "part"}
    assert parts == {"I": "app_B", "II": "app_B"}


@pytest.mark.parametrize("head", ["Section 930.APPENDIX A  Forms", "Section 930.EXHIBIT A  Forms"])
def test_an_appendix_behind_a_part_of_a_code(head: str) -> None:
    document = read(
        f"PART 930 LAMPS\n\nSection 930.10 Scope\n\na) A keeper files the form of Appendix A.\n\nb) It is free.\n\n"
        f"Section 930.20 Oil\n\na) A keeper buys oil.\n\nb) A keeper burns it.\n\n{head}\n\n"
        "1) The lamp.\n\n2) The oil.\n"
    )
    appendix = next(section for section in document.sections if section.type == "appendix")
    assert (appendix.number, appendix.heading) == ("A", "Forms")
    assert exact(document)["Appendix A"] == {appendix.eid}


def test_dates_and_buttons_below_rules_are_no_words_of_theirs() -> None:
    rules = "".join(
        f"<div><h3><a href='#r{n}'>1.{n}</a></h3><p>A keeper must light lamp {n}.</p></div>"
        f"<div><span>01/0{n}/2031</span><ul><li><a href='#'>Instruments that change this rule 1.{n}</a></li></ul></div>"
        for n in range(1, 7)
    )
    head = "<div><h2>1 Lamps</h2><a href='#'><span>Export chapter as</span></a></div>"
    document = read(f"<html><body><main><h1>Lamps Part</h1>{head}{rules}</main></body></html>", "x.html")
    own = {section.text for section in document.sections if section.type == "paragraph" and section.text}
    assert own == {f"A keeper must light lamp {n}." for n in range(1, 7)}
    assert "Export" not in "".join(section.text + section.heading for section in document.sections)


def test_the_mark_of_a_note_before_a_number_makes_no_note_of_the_provision() -> None:
    mark = "<a name='F2'></a><a href='#FT2'><sup>2</sup></a>"
    body = "<p>15. A keeper lights lamps.</p><p>16. A keeper buys oil.</p>"
    body += f"<p>{mark}16A. A keeper keeps a log.</p><p>17. A keeper sleeps by day.</p>"
    note = "<hr><p><a name='FT2'></a><a href='#F2'><sup>2</sup></a> Inserted by a circular of 4 May 2031.</p>"
    document = read(f"<html><body><h1>Lamp Directions</h1>{body}{note}</body></html>", "x.html")
    assert [section.number for section in document.sections if section.type in ("paragraph", "section")] == [
        "15", "16", "16A", "17",
    ]  # fmt: skip


def test_a_number_that_only_a_style_sheet_sets_apart() -> None:
    sections = "".join(
        f"<h2><span>{roman}.</span><span>{title}</span></h2><p>{n} A keeper heeds {title.lower()}.</p>"
        for n, (roman, title) in enumerate((("I", "Scope"), ("II", "Lamps"), ("III", "Oil"), ("IV", "Wicks")), start=1)
    )
    document = read(f"<html><body><h1>Circular 4</h1>{sections}</body></html>", "x.html")
    assert [(s.number, s.heading) for s in document.sections if s.type == "section"] == [
        ("I", "Scope"), ("II", "Lamps"), ("III", "Oil"), ("IV", "Wicks"),
    ]  # fmt: skip


def test_only_the_paragraph_that_introduces_terms_holds_definitions() -> None:
    document = read(
        "4 CSR 30-12.010 Scope and Definitions\n\n(1) Scope. This rule binds keepers.\n\n"
        "(2) Definitions. In this rule, the following terms mean:\n\n(A) Lamp—a light on a pier;\n\n"
        "(B) Keeper—a person who lights it; and\n\n(C) Oil—what it burns.\n\n"
        "(3) Other Law. A keeper shall obey the Harbour Act.\n\n4 CSR 30-12.020 Oil\n\n(1) A keeper shall buy oil.\n\n"
        "(2) A keeper shall burn it.\n"
    )
    assert [section.term for section in document.sections if section.type == "definition"] == ["Lamp", "Keeper", "Oil"]


def test_rows_that_count_by_letters_are_cited_by_them() -> None:
    document = read(
        "# Lamp Rules\n\n1. Every lamp is in a class:\n\n| Class | Lamps | Oil |\n| --- | --- | --- |\n"
        "| A | red | fine |\n"
        "| B | green | coarse |\n| C | white | burnt |\n\n2. A keeper buys oil.\n",
        "x.md",
    )
    rows = {section.number: section.text for section in document.sections if "__table_1__" in section.eid}
    assert rows == {"A": "Lamps: red; Oil: fine", "B": "Lamps: green; Oil: coarse", "C": "Lamps: white; Oil: burnt"}


def test_words_behind_a_list_of_bullets_are_a_paragraph_of_their_own() -> None:
    items = "<ul><li><p>the wick;</p></li><li><p>the oil.</p></li></ul><p>Without a log, the price is five.</p>"
    body = f"<p>1. The price of a lamp is reduced by the cost of</p>{items}<p>2. A keeper pays it.</p>"
    document = read(f"<html><body><h1>Lamp Circular</h1>{body}</body></html>", "x.html")
    assert [(section.type, section.text) for section in document.sections if section.eid.startswith("para_1")] == [
        ("paragraph", "The price of a lamp is reduced by the cost of"),
        ("item", "the wick;"),
        ("item", "the oil."),
        ("subparagraph", "Without a log, the price is five."),
    ]


def test_a_letter_left_of_a_number_may_come_behind_it_in_a_file() -> None:
    lines = []
    for n in range(1, 6):
        y = 700.0 - 30 * n
        lines += [Line(f"8.{n}", 1, 72, y, 11), Line("S", 1, 50, y, 11), Line("A keeper shall.", 1, 114, y, 11)]
    assert [line.text for line in with_kinds(lines)][:2] == ["S 8.1", "A keeper shall."]


def test_an_act_that_prints_its_chapters_and_articles_on_one_line_each() -> None:
    document = read(
        "DELEGATED REGULATION ON LAMPS\n\nTHE HARBOUR COMMISSION,\n\nWhereas:\n\n(1) Lamps are dark.\n\n"
        "HAS ADOPTED THIS REGULATION:\n\nCHAPTER I GENERAL PROVISIONS\n\nArticle 1 Scope\n\n"
        "This Regulation binds keepers.\n\n"
        "CHAPTER II LAMPS\n\nArticle 2 Light\n\n1. Keepers shall light lamps.\n\n2. Keepers shall buy oil.\n\n"
        "Article 3 Entry into force\n\nThis Regulation shall enter into force on 4 May 2031.\n\n"
        "ANNEX I OIL\n\n1. Fine oil.\n"
    )
    assert [(s.type, s.number, s.heading) for s in document.sections if s.type in ("chapter", "annex")] == [
        ("chapter", "I", "GENERAL PROVISIONS"), ("chapter", "II", "LAMPS"), ("annex", "I", "OIL"),
    ]  # fmt: skip
    parents = {section.number: section.parent_eid for section in document.sections if section.type == "article"}
    assert parents == {"1": "chp_I", "2": "chp_II", "3": "chp_II"}


def test_what_stands_before_a_provision_and_ranges_of_marks_are_cited() -> None:
    document = read(
        "PART 930 LAMPS\n\nSection 930.10 Scope\n\n(1) A keeper must light:\n\n(a) red lamps;\n\n"
        "(b) green lamps; and\n\n(c) what (a) and (b) do not name.\n\n"
        "(2) The lamps in (1)(a) to (c) are lit at dusk.\n\n"
        "(3) The two preceding paragraphs do not apply to piers.\n",
    )
    assert {section.number for section in document.sections} >= {"1", "2", "3", "a", "b", "c"}
    found = exact(document)
    assert {eid.rpartition("__")[2] for eid in found["preceding paragraphs"]} == {"para_1", "para_2"}
    assert {eid.rpartition("__")[2] for eid in found["(1)(a) to (c)"]} == {"point_a", "point_b", "point_c"}


def test_items_of_a_handbook_s_section_are_cited_with_the_section() -> None:
    document = read(
        "# Lamp Booklet\n\n# I Governance\n\n## I.A Lamps\n\nManagement should keep:\n\n1. a log;\n\n2. a lamp; and\n\n"
        "3. a wick.\n\n## I.B Oil\n\nOil is bought for the lamps in items 1 through 2 of section I.A.\n\n"
        "# II Audit\n\nAuditors read the log.\n\n# Appendix A: Examination Procedures\n\nObjective 1: Read the log.\n",
        "booklet.md",
    )
    (targets,) = (eids for raw, eids in exact(document).items() if raw.startswith("items 1 through 2"))
    assert len(targets) == 2


def test_a_place_in_the_document_as_a_whole_that_is_not_there_does_no_harm() -> None:
    """The text's sections have lettered numbers, so that "this section" is the document."""
    document = read("LAMP RULES\n\n(a) A keeper lights lamps.\n\n(b) Paragraph (d) of this section names the lamps.\n")
    assert not [raw for raw in exact(document) if "(d)" in raw]


def test_rules_whose_text_follows_their_heading_have_subsections() -> None:
    document = read(
        "TITLE 13 LAMPS\n\nCHAPTER 1 KEEPERS\n\nPART 2 OIL\n\n"
        "13.1.2.1 SCOPE: This part applies to every keeper of a lamp.\n[13.1.2.1 XYAC - N, 7/1/2031]\n\n"
        "13.1.2.2 STORES:\nA. Records: A keeper shall keep a list of its oil.\nB. Stores:\n"
        "(1) A store shall be dry.\n(2) Paragraph (1) of this subsection does not apply to piers.\n"
        "[13.1.2.2 XYAC - N, 7/1/2031; A, 1/1/2034]\n\n"
        "13.1.2.3 PENALTIES: A keeper that breaks Subsection B of 13.1.2.2 XYAC shall pay a fine.\n"
        "[13.1.2.3 XYAC - N, 7/1/2031]\n\nAPPENDIX A TO PART 2 FORMS\n\nA keeper reports as this appendix says.\n",
    )
    sections = {section.eid: section for section in document.sections}
    assert [section.number for section in document.sections if section.type == "section"] == [
        "13.1.2.1", "13.1.2.2", "13.1.2.3",
    ]  # fmt: skip
    held = "sec_13-1-2-2__para_B"
    assert sections[held].text == "Stores:"
    assert sections["sec_13-1-2-2__para_A"].text == "Records: A keeper shall keep a list of its oil."
    found = exact(document)
    assert found["Paragraph (1) of this subsection"] == {f"{held}__point_1"}
    assert found["Subsection B of 13.1.2.2 XYAC"] == {held}


def test_a_module_has_lettered_chapters_and_numbers_on_lines_of_their_own() -> None:
    rules = [("LA-A.1.1", "This Module is about lamps."), ("LA-A.1.2", "It binds keepers, see Paragraph LA-1.1.1.")]
    duties = [("LA-1.1.1", "A keeper must light it."), ("LA-1.1.2", "It does so as Section LA-A.1 says.")]
    document = read(
        "<html><body><h1>LA Lamps Module</h1><h2>LA-A Introduction</h2><h3>LA-A.1 Purpose</h3>"
        + "".join(f"<h4>{number}</h4><p>{text}</p><p>Added: April 2031</p>" for number, text in rules)
        + "<h2>LA-1 Duties</h2><h3>LA-1.1 Light</h3>"
        + "".join(f"<h4>{number}</h4><p>{text}</p><p>Added: April 2031</p>" for number, text in duties),
        "module.html",
    )
    own = {section.number: section.text for section in document.sections if section.type == "paragraph"}
    assert own == dict(rules + duties)
    assert document.structure == 1
    found = exact(document)
    assert found["LA-1.1.1"] == {"para_LA-1-1-1"}
    assert found["LA-A.1"] == {"sec_LA-A-1"}


def test_the_words_of_an_item_stay_beside_the_number_in_the_margin() -> None:
    def line(text: str, y: float, number: str) -> Line:
        return Line(f"{text} {number}", 1, 80, y, 10, stops=((2, 90), (len(text) + 1, 530)))

    printed = [line(f"• kind {n} of oil;", 700.0 - 20 * n, str(n)) for n in range(1, 9)]
    lines, numbered = with_margins(printed)
    assert [line.text for line in lines] == [f"{n} kind {n} of oil;" for n in range(1, 9)]
    assert len(numbered) == len(lines)


def test_a_circular_is_called_the_circular_in_its_annex() -> None:
    document = read(
        "# RAFMA Circular 2031/4 Lamps\n\n1 A keeper must light it.\n\n2 A keeper must clean it.\n\n## Annex 1\n\n"
        "A report is due under margin no. 2 of the Circular.\n",
        "circular.md",
    )
    assert exact(document)["margin no. 2 of the Circular"] == {"para_2"}


_THAI = """# Notification of the Lamp Board No. 12/2574 Re: Rules on Lamps

Clause 1 In this Notification:

“keeper” means a person who lights a lamp;

“oil” means what burns in a lamp.

## Chapter 1 Duties

Clause 2 A keeper shall light each lamp at dusk, except as Clause 2/1 provides, and comply with the following rules:

(1) the oil shall be clear;

(2) the wick shall be dry;

(3) a lamp put out under (1) within one day of a storm is lit, in accordance with (2), once more.

The rules under (1) and (2) of paragraph one shall not apply to a spare lamp.

A keeper under paragraph two of this Clause shall log it.

The log under the preceding paragraph shall be kept.

Clause 2/1 A lamp under (1) of the preceding Clause may be lit later.

Clause 3 The provisions of Clause 2/1 and Clause 3 to Clause 5 apply to item 1 and item 2 of Appendix 1.

Clause 4 Paragraph one of Clause 2 applies to horns, except:

(1) to those of a buoy.

Clause 5 This Notification shall come into force on 1 June 2031.

A lamp that burns on the day in the preceding paragraph need not be logged under (1) of the preceding Clause.

Notified this 14th day of May 2031.

## Appendix 1 Forms

1. A log of oil.

2. A log of wicks.
"""


def test_clauses_of_a_thai_notification_count_what_was_inserted_and_their_paragraphs() -> None:
    document = read(_THAI, "notification.md")
    own = {section.eid: section for section in document.sections if section.label.startswith("Clause")}
    assert [section.number for eid, section in own.items() if "__" not in eid] == ["1", "2", "2/1", "3", "4", "5"]
    assert (own["para_1"].heading, own["para_1"].text) == ("", "In this Notification:")
    assert own["para_5"].text == "This Notification shall come into force on 1 June 2031."
    assert own["para_5__subpara_1"].label == "Clause 5, paragraph 2"
    assert not any("Notified" in section.text for section in own.values())
    assert document.faults == []
    found = exact(document)
    assert found["Clause 2/1"] == {"para_2-1"}
    assert found["(1)"] == {"para_2__point_1"}
    assert found["(1) of the preceding Clause"] == {"para_2__point_1", "para_4__point_1"}
    assert found["(2)"] == {"para_2__point_2"}
    assert found["(1) and (2) of paragraph one"] == {"para_2__point_1", "para_2__point_2"}
    assert found["Clause 3 to Clause 5"] == {"para_3", "para_4", "para_5"}
    assert found["item 1 and item 2 of Appendix 1"] == {"app_1__para_1", "app_1__para_2"}
    assert found["Paragraph one of Clause 2"] == {"para_2"}
    assert found["paragraph two of this Clause"] == {"para_2__subpara_1"}
    assert found["preceding paragraph"] == {"para_2__subpara_2", "para_5"}


def test_a_rulebook_cites_its_definitions_tables_and_the_rule_that_it_named_before() -> None:
    document = read(
        "# Lamp Rules\n\n## 1 Terms\n\n1.1 In these rules, the following definitions apply:\n\n"
        "**keeper** means a person who lights a lamp.\n\n**spare lamp** means a lamp which:\n\n(a) is not lit; or\n\n"
        "(b) was lit on account of an event in 2.1.\n\n## 2 Light\n\n2.1 The events in paragraph (b) of the definition "
        "of spare lamp are fog and frost; neither 2.2 nor 2.3 applies to them.\n\n"
        "2.2 A keeper obeys 2.1 save where 2.3 requires oil. A breach of that rule is logged.\n\n"
        "2.3 This rule applies to lamps to which 2.1 or 2.2 applies.\n\n"
        "2.4 The table below is a guide.\n\n| Lamp | Oil |\n|---|---|\n| Old | Fat |\n| New | Oil |\n\n"
        "2.5 A log of that rule is kept for a keeper in the definition of “keeper”. It is sent as rule 2.1 and "
        "rule 2.2 require; those rules do not apply to fog.\n",
        "rules.md",
    )
    found = exact(document)
    assert found["paragraph (b) of the definition of spare lamp"] == {"para_1-1__point_spare-lamp__point_b"}
    assert found["definition of “keeper”"] == {"para_1-1__point_keeper"}
    assert found["table below"] == {"para_2-4__table_1"}
    assert found["that rule"] == {"para_2-3"}
    assert found["those rules"] == {"para_2-1", "para_2-2"}
    assert found["2.2 nor 2.3"] == {"para_2-2", "para_2-3"}
    assert found["2.1 or 2.2"] == {"para_2-1", "para_2-2"}


def test_a_circular_cites_the_margin_number_that_follows_too_and_not_the_row_of_its_annex() -> None:
    document = read(
        "# RAFMA Circular 2031/4 Lamps\n\n1 A keeper must light it.\n\n2 A keeper must clean it.\n\n"
        "3 Margin nos. 1 f. and margin nos. 1 et seq. apply to horns.\n\n## Annex 1\n\n"
        "| Class | Log |\n|---|---|\n| 1 | daily |\n| 2 | weekly, unless margin no. 1 applies |\n",
        "circular.md",
    )
    found = exact(document)
    assert found["Margin nos. 1 f."] == found["margin nos. 1 et seq."] == {"para_1", "para_2"}
    assert found["margin no. 1"] == {"para_1"}


def test_the_preceding_paragraph_is_what_stands_before_whether_or_not_it_has_a_number() -> None:
    document = read(
        "# Lamp Notice\n\n## 1 Light\n\n1.1 A keeper must light it.\n\n1.2 A keeper must log:\n\n"
        "(a) the hour under the preceding paragraph; and\n\n(b) the oil.\n\n## Article 2 Oil\n\n"
        "A keeper must buy oil.\n\nOil under the preceding paragraph must be clear.\n",
        "notice.md",
    )
    found = exact(document)
    assert found["preceding paragraph"] == {"para_1-1", "art_2__subpara_1"}


def test_a_rulebook_s_appendix_may_be_named_without_a_space_and_its_rules_have_a_letter() -> None:
    document = read(
        "# Lamp Module\n\n## 1 Light\n\n### 1.1 Hours\n\n1.1.1 A keeper must meet App1. App2 of the Oil Module is "
        "for Rule 1.1.2.\n\n1.1.2 A keeper must follow Rules 1.1.1 and 1.1.3. A term contrary to this Rule is void.\n\n"
        "1.1.3 Rule 1.1.1 and Rule 1.1.2 bind deputies.\n\n## App1 LAMPS AND OIL\n\n### A1.1 Lamps\n\n"
        "A1.1.1 A lamp must be red.\n\n## App2 Horns\n\n### A2.1 Use\n\nA2.1.1 A horn must be loud.\n",
        "module.md",
    )
    found = {section.eid: section for section in document.sections}
    assert [found[eid].heading for eid in ("app_1", "app_2")] == ["LAMPS AND OIL", "Horns"]
    assert found["app_1__sec_A1-1__para_A1-1-1"].text == "A lamp must be red."
    places = exact(document)
    assert places["App1"] == {"app_1"}
    assert places["this Rule"] == {"para_1-1-2"}


def test_bare_marks_are_places_of_the_rule_but_not_where_they_number_a_sentence() -> None:
    document = read(
        "# Lamp Rules\n\n## 1 Light\n\n1.1 (1) A keeper must light (a) lamps, (b) horns.\n\n(2) A keeper who obeys "
        "duties in (1) fog and (2) frost must:\n\n(a) name a deputy; and\n\n(b) pay the one named under (a).\n\n"
        "(3) A keeper who does not satisfy (2)(a) or (b) owes the sum due under (1) the next day.\n\n"
        "(4) A deputy is a keeper; (1) and (3) then apply, unless barred by (2).\n",
        "rules.md",
    )
    assert exact(document) == {
        "(a)": {"para_1-1__point_2__point_a"},
        "(2)(a) or (b)": {"para_1-1__point_2__point_a", "para_1-1__point_2__point_b"},
        "(1)": {"para_1-1__point_1"},
        "(1) and (3)": {"para_1-1__point_1", "para_1-1__point_3"},
        "(2)": {"para_1-1__point_2"},
    }


def test_the_parts_of_a_circular_s_section_may_be_cited_with_spaces() -> None:
    document = read(
        "# RAFMA Circular 2031/4 Lamps\n\n## I. Light\n\n### A. Lamps\n\n1 Section I B does not apply, nor does what "
        "Section I B requires. Under Section I A keeper must pay.\n\n### B. Horns\n\n#### a) Use\n\n"
        "2 A horn is loud under Section I A.\n\n#### b) Rest\n\n3 It rests under Section I B a; it is cleaned.\n",
        "circular.md",
    )
    places = exact(document)
    assert places["Section I B"] == {"sec_I__sec_B"}
    assert places["Section I A"] == {"sec_I__sec_A"}
    assert places["Section I B a"] == {"sec_I__sec_B__sec_a"}
    assert places["Section I"] == {"sec_I"}


def test_a_rule_below_its_heads_makes_a_table_of_few_columns_and_its_cells_cite() -> None:
    document = read(
        "LAMP CODE\n\nChapter 1.  Lamps\n\n§101.  Lamps\n  A. A keeper pays the fine in Table 1.\n\n"
        "              Table 1.  Fines\n    Breach of            First      Later\n"
        "    -------------------------------------\n    Chapter 1            $5         $10\n"
        "    §§101-102            $6         $12\n    Oil Act              $7         $14\n\n"
        "  B. A keeper pays at once.\n\n§102.  Oil\n  A. A keeper buys oil as here shown.\n\n"
        "    Grade                 Price\n    ---------------------------\n    Fine                  $640\n"
        "    Coarse                $380\n\n  B. A keeper burns no other oil.\n"
    )
    assert [section.text for section in document.sections if "__table_1__" in section.eid] == [
        "Breach of: Chapter 1; First: $5; Later: $10",
        "Breach of: §§101-102; First: $6; Later: $12",
        "Breach of: Oil Act; First: $7; Later: $14",
        "Grade: Fine; Price: $640",
        "Grade: Coarse; Price: $380",
    ]
    assert texts(document)["§101, paragraph B"] == "A keeper pays at once."


def test_the_first_item_of_a_paragraph_may_be_joined_to_its_letter() -> None:
    document = read(
        "LAMP CODE\n\n§101.  Lamps\n  A.1. A keeper lights lamps.\n    2.a. He buys oil.\n      b. He stores it.\n"
        "  B. A keeper keeps a log.\n    AUTHORITY NOTE: Promulgated in accordance with R.S. 9:14.\n"
        "    HISTORICAL NOTE: Promulgated by the Office of Lamps, LR 57:12 (May\n2031).\n\n"
        "§102.  Oil\n  A. Oil is stored as Subparagraphs A.2.a-b of §101 and Paragraph A.1 of §101 say:\n"
        "    1. in tins; and\n    2. below deck.\n"
    )
    found = texts(document)
    assert found["§101, paragraph A, point 1"] == "A keeper lights lamps."
    assert found["§101, paragraph A, point 2, point a"] == "He buys oil."
    assert found["§101, paragraph A, point 2, point b"] == "He stores it."
    assert found["§101, paragraph B"] == "A keeper keeps a log."
    assert not [section for section in document.sections if section.type == "heading"]
    assert exact(document) == {
        "Subparagraphs A.2.a-b of §101": {f"sec_101__para_A__point_2__point_{letter}" for letter in "ab"},
        "Paragraph A.1 of §101": {"sec_101__para_A__point_1"},
    }
    # A rule of an annex that writes its letter into its numbers stays whole.
    annex = read("LAMP CODE\n\n1. Oil is sold.\n\nAnnex A\n\nA.1. Oil burns.\n\nA.2. Tar burns.\n")
    assert [section.number for section in annex.sections if section.type == "paragraph"][-2:] == ["A.1", "A.2"]


def test_tables_have_letters_in_their_numbers_and_subsections_those_of_their_section() -> None:
    document = read(
        "LAMP GUIDE\n\n1. Oil\n\n1.1 Storing\n\n1.1.1 A keeper stores oil as this subsection says.\n\n"
        "1.1.2 The fee is that of table S2.\n\n2. Wicks\n\n2.1 Buying\n\n2.1.1 A keeper buys wicks.\n\n"
        "Schedule 2 Fees\n\nTable S2 Fees\nMatter       Unit       Fee\nOil          tin        $3\n"
        "Wicks        yard       $1\n"
    )
    cited = exact(document)
    assert cited["this subsection"] == {"sec_1-1"}
    assert cited["table S2"] == {"sched_2__table_1"}
