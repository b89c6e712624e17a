"""The grammar of any numbered text: styles × formats from one source, traps of print by hand, and any input at all."""

from __future__ import annotations

import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from antinomy import section_ids as eid
from antinomy.parse import parse_document
from antinomy.parse.labels import leading_labels
from antinomy.parse.model import ParsedDocument
from antinomy.settings.source import Source
from parse.formats import FORMATS
from parse.scored import parse
from parse.styles import STYLES, key, numbered


def read(text: str, name: str = "text.txt") -> ParsedDocument:
    return parse_document(Source("text", name, "any", grammar="numbered"), text.encode())


def outline(document: ParsedDocument) -> dict[str, str]:
    """Return eid → heading, a bar, text, as far as each is there."""
    return {s.eid: " | ".join(filter(None, (s.heading, s.text))) for s in document.sections}


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("style", STYLES)
def test_a_text_in_a_style_and_a_format_gives_its_tree(style: str, form: str) -> None:
    for seed in (1, 2):
        wanted = key(numbered(style, seed))
        assert len(wanted) >= 80
        document, missed = parse(style, form, seed)
        assert len(missed) <= 0.03 * len(wanted), missed[:5]
        assert document.coverage >= 0.995
        assert document.structure >= 0.95
        assert document.breaks == []


def test_wrapped_lines_of_a_code_are_no_labels() -> None:
    document = read(
        "PART 900. LAMPS FOR HARBOURS\n\n"
        "Section 900.1 Definitions.\nFor purposes of this Part, the following definitions shall apply:\n"
        "(a) Affiliate means any person that controls another person. For this purpose, control\n"
        "means power to direct the\n(i) board or\n(ii) manager of a person.\n"
        "(b) Authorised pilot means any pilot.\n\n"
        "Section 900.2 Lamp program.\n"
        "(a) Each owner shall keep a program that is fit for the lamps of a harbour, and in the year\n"
        "2041 has 12 lamps, as required by section 900.1(a)(2) or paragraph\n"
        "(b) of section 900.4 and by 33 CFR\n64.11, and shall:\n"
        "(1) look; and\n(2) write.\n(b) It may adopt the program of an affiliate.\n\n"
        "Sections 900.3-900.5 [Reserved]\n\nSection 900.6 Effective date.\nThis Part takes effect March 1, 2041.\n"
    )
    assert outline(document) == {
        "part_900": "LAMPS FOR HARBOURS",
        "sec_900-1": "Definitions | For purposes of this Part, the following definitions shall apply:",
        "sec_900-1__point_a": "Affiliate means any person that controls another person. For this purpose, control "
        "means power to direct the",
        "sec_900-1__point_a__point_i": "board or",
        "sec_900-1__point_a__point_ii": "manager of a person.",
        "sec_900-1__point_b": "Authorised pilot means any pilot.",
        "sec_900-2": "Lamp program",
        "sec_900-2__para_a": "Each owner shall keep a program that is fit for the lamps of a harbour, and in the year "
        "2041 has 12 lamps, as required by section 900.1(a)(2) or paragraph (b) of section 900.4 and by 33 CFR 64.11, "
        "and shall:",
        "sec_900-2__para_a__point_1": "look; and",
        "sec_900-2__para_a__point_2": "write.",
        "sec_900-2__para_b": "It may adopt the program of an affiliate.",
        "sec_900-3-900-5": "[Reserved]",
        "sec_900-6": "Effective date | This Part takes effect March 1, 2041.",
    }
    terms = [section.term for section in document.sections if section.type == "definition"]
    assert terms == ["Affiliate", "Authorised pilot"]
    assert document.structure == 1.0


def test_margin_numbers_at_the_right_edge_and_a_contents_list() -> None:
    document = read(
        "Circular 2041/1\nLamps in harbours\n\nContents\n\n"
        "I.    Scope             no. 1\nII.   Duties            no. 3–5\n\n"
        "I. Scope\n\n"
        "This circular sets out what is expected of those who tend lamps,        1\n"
        "in harbours of every kind.\n\n"
        "It applies by degrees.                                                  2\n\n"
        "II. Duties\n\n"
        "Keepers see to it that lamps are:                                       3\n"
        "a)  lit;\nb)  watched.\n\n"
        "Repealed                                                                4*\n\n"
        "A. Records\n\n"
        "Keepers write down what they do.                                        5\n"
    )
    assert {eid: text for eid, text in outline(document).items() if not eid.startswith("title")} == {
        "sec_I": "Scope",
        "para_1": "This circular sets out what is expected of those who tend lamps, in harbours of every kind.",
        "para_2": "It applies by degrees.",
        "sec_II": "Duties",
        "para_3": "Keepers see to it that lamps are:",
        "para_3__point_a": "lit;",
        "para_3__point_b": "watched.",
        "para_4": "Repealed",
        "sec_II__sec_A": "Records",
        "para_5": "Keepers write down what they do.",
    }


def test_a_notice_with_dashes_and_defined_terms() -> None:
    document = read(
        "NOTICE ON LAMPS\n\n1   This Notice is issued under section 55 of the Harbour Act (Cap. 19).\n\nDefinitions\n\n"
        '2   For the purpose of this Notice—\n\n    "critical lamp", in relation to a harbour, means a lamp whose\n'
        '    failure is felt;\n\n    "incident" means a malfunction.\n\nDuties\n\n'
        "3   A harbour shall have each lamp lit again, after a failure, within not more than—\n"
        "    (a)   4 hours for each critical lamp; or\n    (b)   where the lamp is—\n"
        "          (i)    red, 3 hours; or\n          (ii)   green, 2 hours.\n\n"
        "4   A harbour shall see to it that its lamps are not dark for more than a total of\n"
        "    4 hours within 12 months.\n\nAPPENDIX 1\n\nTEMPLATE\n\n1   Name of harbour.\n2   Date.\n"
    )
    found = outline(document)
    assert found["para_3__point_a"] == "4 hours for each critical lamp; or"
    assert found["para_3__point_b__point_ii"] == "green, 2 hours."
    assert found["para_4"].endswith("a total of 4 hours within 12 months.")
    assert (found["app_1"], found["app_1__para_2"]) == ("TEMPLATE", "Date.")
    assert [section.term for section in document.sections if section.term] == ["critical lamp", "incident"]


def test_a_sourcebook_with_rules_guidance_and_a_table() -> None:
    document = read(
        "# Lamps sourcebook\n\n## LAMP 1 Application\n\n### LAMP 1.1 Who\n\n**LAMP 1.1.1 R** A firm must:\n\n"
        "(1) look;\n\n(2) ensure that:\n\n(a) lamps are held; and\n\n(b) oil is stored,\n\nin each "
        "harbour; and\n\n(3) write.\n\n"
        "**LAMP 1.1.2 G** This is guidance.\n\n**LAMP 1.1.2A R** A firm must keep:\n\n"
        "| Record | Period |\n|---|---|\n| Log | 5 years |\n| Receipt | 2 years |\n",
        "text.md",
    )
    assert {s.eid: s.label for s in document.sections if s.type in ("section", "paragraph", "point")} == {
        "sec_1": "LAMP 1",
        "sec_1-1": "LAMP 1.1",
        "para_1-1-1R": "LAMP 1.1.1 R",
        "para_1-1-1R__point_1": "LAMP 1.1.1 R(1)",
        "para_1-1-1R__point_2": "LAMP 1.1.1 R(2)",
        "para_1-1-1R__point_2__point_a": "LAMP 1.1.1 R(2)(a)",
        "para_1-1-1R__point_2__point_b": "LAMP 1.1.1 R(2)(b)",
        "para_1-1-1R__point_3": "LAMP 1.1.1 R(3)",
        "para_1-1-2G": "LAMP 1.1.2 G",
        "para_1-1-2AR": "LAMP 1.1.2A R",
    }
    found = outline(document)
    assert found["para_1-1-1R__point_2"] == "ensure that:\nin each harbour; and"
    rows = [s.text for s in document.sections if "__table" in s.eid and s.text]
    assert rows == ["Record: Log; Period: 5 years", "Record: Receipt; Period: 2 years"]


def test_lists_of_a_page_keep_the_numbers_that_a_browser_counts() -> None:
    document = read(
        "<html><body><nav><ol><li>Scope</li></ol></nav><h1>Rules</h1><h2>1 Scope</h2><p>1.1 A keeper must:</p>"
        "<ol type='a' start='2'><li>look;</li><li>do this:<ol style='list-style-type: lower-roman'><li>write;</li>"
        "<li>tell.</li></ol></li></ol><ol style='list-style: none'><li>1.2 Nothing else.</li></ol></body></html>",
        "text.html",
    )
    assert {s.eid: s.text for s in document.sections if s.type in ("paragraph", "point")} == {
        "para_1-1": "A keeper must:",
        "para_1-1__point_b": "look;",
        "para_1-1__point_c": "do this:",
        "para_1-1__point_c__point_i": "write;",
        "para_1-1__point_c__point_ii": "tell.",
        "para_1-2": "Nothing else.",
    }


def test_articles_with_their_titles_on_one_line() -> None:
    document = read(
        "Article 1 Scope\n\n(1) This act is about lamps.\n\n(2) It is not about gongs.\n\nArticle 2 Duties\n\n"
        "A keeper shall look after lamps.\n\nArticle 3 Other acts\n\nArticle 4 of the Gong Act applies.\n"
    )
    assert outline(document) == {
        "art_1": "Scope",
        "art_1__para_1": "This act is about lamps.",
        "art_1__para_2": "It is not about gongs.",
        "art_2": "Duties | A keeper shall look after lamps.",
        "art_3": "Other acts | Article 4 of the Gong Act applies.",
    }


def test_paragraphs_under_a_heading_are_provisions_of_their_own() -> None:
    document = read(
        "# Guide\n\n## A. Lamps\n\nLamps must be lit.\n\nThey must be:\n\n- clean;\n- whole.\n\nMore.\n", "g.md"
    )
    assert {s.eid: s.text for s in document.sections if s.text} == {
        "sec_A__subpara_1": "Lamps must be lit.",
        "sec_A__subpara_2": "They must be:",
        "sec_A__subpara_2__item_1": "clean;",
        "sec_A__subpara_2__item_2": "whole.",
        "sec_A__subpara_3": "More.",
    }


def test_schedules_that_are_counted_in_words() -> None:
    document = read(
        "Lamp Ordinance\n\n1. Short title\nThis is the Lamp Ordinance.\n"
        "2. Duty to light\n(1) A keeper must light the lamp.\n(2) The fees are in the First Schedule.\n"
        "3. Oil\nA keeper must buy the oil that the Second Schedule names.\n\n"
        "FIRST SCHEDULE\nFees\n1. A keeper pays one coin.\n2. A keeper of two lamps pays two coins.\n\n"
        "THE SECOND SCHEDULE: OIL\n1. Whale oil must not be used.\n2. Olive oil must be used on feast days.\n"
    )
    found = outline(document)
    assert {name: text for name, text in found.items() if name.startswith("sched")} == {
        "sched_1": "Fees", "sched_1__para_1": "A keeper pays one coin.",
        "sched_1__para_2": "A keeper of two lamps pays two coins.",
        "sched_2": "OIL", "sched_2__para_1": "Whale oil must not be used.",
        "sched_2__para_2": "Olive oil must be used on feast days.",
    }  # fmt: skip
    # Provisions of one make have one kind of id, with numbered paragraphs or without.
    assert {name for name in found if "__" not in name and "sched" not in name} >= {"sec_1", "sec_2", "sec_3"}
    assert "sec_2__para_2" in found


def test_labels_are_read_as_printed() -> None:
    printed = {
        "Section 900.3 (a)(1) The keeper": ["900.3", "a", "1"],
        "§ 30.1 Scope.": ["30.1"],
        "2.3.4 R A firm must": ["2.3.4R"],
        "2.3.4R(2) A firm": ["2.3.4R", "2"],
        "SYSC 4.1.1 G A firm": ["4.1.1G"],
        "VII.A.1 A firm": ["VII.A.1"],
        "(b)-(d) [Reserved]": ["b"],
        "(a) General. (1) Each keeper": ["a", "1"],
        "CHAPTER TWO": ["TWO"],
        "12* Repealed": ["12"],
        "e.g. this": [],
        "Section 3 of this Part": [],
        "Standard 7 (Lamps on piers), issued in 2040, is": [],
        "Standard 7 (Lamps on piers)": ["7"],
        "12.5.2041 was a day": [],
    }
    assert {text: [mark.number for mark in leading_labels(text)] for text in printed} == printed


_PIECES = st.one_of(
    st.sampled_from([
        "(a)", "(i)", "(1)", "1.", "1.1", "1.0", "4.0", "|2.0|x|", "2.3.4 R",
        "Section 900.3", "§ 1.1", "PART I", "Annex", "•", "12", "A.",
        "IV.", "(aa)", "(b)-(d) [Reserved]", "Article 1", "|a|b|", "# Head", "means", "“term” means x",
        "shall:", "end.", "—",
        "\t", "  ", "Contents", "....... 3", "(¹) note", "SYSC 1.1.1", "Schedule 2", "9999999999", "1.1.1.1.1.1.1.1.1",
    ]),
    st.text(max_size=12),
)  # fmt: skip


@settings(max_examples=300, deadline=None)
@given(st.lists(st.lists(_PIECES, max_size=6).map(" ".join), min_size=1, max_size=40).map("\n".join))
def test_any_text_gives_a_whole_tree(text: str) -> None:
    from antinomy.errors import DocumentError

    try:
        document = read(text)
    except DocumentError:
        return
    seen: set[str] = set()
    for section in document.sections:
        assert section.eid not in seen
        assert not section.parent_eid or section.parent_eid in seen
        assert eid.build(eid.parse(section.eid)) == section.eid
        seen.add(section.eid)
    assert 0 <= document.structure <= 1


@pytest.mark.parametrize(
    "line", ["(a) a keeper shall\n\n", "1.1 (a)(1)(i) x\n", "(i) (i) (i)\n", "PART I\n\n", "• x\n", "12 \n"]
)
def test_work_grows_no_faster_than_the_text(line: str) -> None:
    """Work is counted in calls, which are the same on a busy machine."""

    def calls(times: int) -> int:
        counted = 0

        def count(_frame: object, _event: str, _argument: object) -> None:
            nonlocal counted
            counted += 1

        sys.setprofile(count)
        try:
            read("1 Start\n\n" + line * times)
        finally:
            sys.setprofile(None)
        return counted

    assert calls(160) < 5 * calls(40)


@pytest.mark.parametrize(
    "entries",
    [
        "**Lamp** — a light that burns oil.\n\n**Dark day** — a day without sun.\n",
        "**Lamp.** A light that burns oil. It is lit at dusk.\n\n**Dark day.** A day that is without sun.\n",
    ],
)
def test_terms_of_a_glossary_are_parted_from_their_meaning(entries: str) -> None:
    document = read(
        "# Lamp handbook\n\n## I. Lamps\n\n### 1. Oil\n\nThe owner must keep oil.\n\n### 2. "
        "Wicks\n\nWicks must be cut.\n\n## Appendix A — Glossary\n\nThese words have these meanings. They are few.\n\n"
        + entries
    )
    terms = {section.term: section.text for section in document.sections if section.type == "definition"}
    assert set(terms) == {"Lamp", "Dark day"}
    assert "burns oil" in terms["Lamp"]


@pytest.mark.parametrize("head", ["SCHEDULE 1\n\nForms\n\n{}\n\n", "SCHEDULE 1\n\n{}\n\nForms\n\n"])
@pytest.mark.parametrize("origin", ["Section 2", "(s. 2)", "(ss. 1, 2)", "(regs. 1 and 2)", "(r. 2)"])
def test_the_provision_that_a_schedule_hangs_on_is_no_part_of_it(head: str, origin: str) -> None:
    document = read(
        "Lamps Act 2041\n\n1 Duty to light lamps\n\n(1) A keeper must light the lamps.\n\n(2) It must trim them.\n\n"
        "2 Returns\n\n(1) A keeper must make a return.\n\n(2) A return must be in the form in Schedule 1.\n\n"
        + head.format(origin)
        + "1 A return must name the harbour.\n\n2 A return must name the keeper.\n\n"
        "SCHEDULE 2\n\nFees\n\nSection 1\n\nThe fee\n\nA fee is due.\n\nSection 2\n\nThe payer\n\nA keeper pays it.\n"
    )
    found = outline(document)
    assert {name: text for name, text in found.items() if name.startswith("sched_1")} == {
        "sched_1": f"Forms | {origin}",
        "sched_1__para_1": "A return must name the harbour.",
        "sched_1__para_2": "A return must name the keeper.",
    }
    # A schedule that is divided into sections keeps them.
    assert {"sched_2__sec_1", "sched_2__sec_2"} <= set(found)
    assert document.breaks == []


def test_a_line_between_title_and_first_heading_is_no_chapter() -> None:
    document = read(
        "# Notice 12 on Lamps\n\nHarbour Board of Selsey. Issued 4 May 2041\n\n## 1. Lighting\n\n"
        "1.1 A keeper shall light the lamps.\n\n1.2 A keeper shall trim the wicks.\n\n## 2. Returns\n\n"
        "2.1 A keeper shall make a return.\n\n2.2 A return shall be signed.\n",
        "notice.md",
    )
    found = outline(document)
    assert found["preamble"] == "Harbour Board of Selsey. Issued 4 May 2041"
    assert [section.eid for section in document.sections if section.depth == 0] == [
        "title", "preamble", "sec_1", "sec_2",
    ]  # fmt: skip


def test_a_statutory_instrument_with_headings_above_and_schedules() -> None:
    document = read(
        "2041 No. 12\n\nThe Lamps Regulations 2041\n\nPART 1\nGeneral\n\n"
        "Citation\n1.—(1) These Regulations may be cited as the Lamps Regulations.\n"
        "(2) They apply from 1st May 2041.\n\n"
        "Interpretation\n2. In these Regulations—\n“lamp” means a light that burns oil;\n“loss” means—\n"
        "(a) a theft, or\n(b) a sinking.\n\n"
        "PART 2\nDuties\n\nLighting\n3.—(1) A keeper must light the lamps.\n"
        "(2) For the purposes of paragraph (1), a keeper must hold—\n(a) oil;\n(b) wicks.\n\n"
        "Returns\n4. A keeper to whom regulation 3(1) applies must make a return in the form in Schedule 1.\n\n"
        "SCHEDULE 1\nRegulation 4\nThe return\n1. It must name the harbour.\n2. It must name the keeper.\n"
        "3.—(1) It must be signed.\n(2) A stamp is enough.\n\n"
        "SCHEDULE 2\nRegulation 3(2)\nOil\n1. Whale oil must not be used.\n2. Olive oil must be used.\n\n"
        "EXPLANATORY NOTE\n(This note is not part of the Regulations)\nThese Regulations are on lamps.\n"
    )
    found = outline(document)
    assert {name: text for name, text in found.items() if name.startswith("part")} == {
        "part_1": "General", "part_2": "Duties",
    }  # fmt: skip
    assert {name: text for name, text in found.items() if name.startswith("sec_")} == {
        "sec_1": "Citation", "sec_1__para_1": "These Regulations may be cited as the Lamps Regulations.",
        "sec_1__para_2": "They apply from 1st May 2041.",
        "sec_2": "Interpretation | In these Regulations—",
        "sec_2__point_lamp": "“lamp” means a light that burns oil;", "sec_2__point_loss": "“loss” means—",
        "sec_2__point_loss__point_a": "a theft, or", "sec_2__point_loss__point_b": "a sinking.",
        "sec_3": "Lighting", "sec_3__para_1": "A keeper must light the lamps.",
        "sec_3__para_2": "For the purposes of paragraph (1), a keeper must hold—",
        "sec_3__para_2__point_a": "oil;", "sec_3__para_2__point_b": "wicks.",
        "sec_4": "Returns | A keeper to whom regulation 3(1) applies must make a return in the form in Schedule 1.",
    }  # fmt: skip
    assert {name: text for name, text in found.items() if name.startswith("sched")} == {
        "sched_1": "The return | Regulation 4",
        "sched_1__para_1": "It must name the harbour.", "sched_1__para_2": "It must name the keeper.",
        "sched_1__para_3__point_1": "It must be signed.", "sched_1__para_3__point_2": "A stamp is enough.",
        "sched_1__para_3": "",
        "sched_2": "Oil | Regulation 3(2)",
        "sched_2__para_1": "Whale oil must not be used.", "sched_2__para_2": "Olive oil must be used.",
    }  # fmt: skip
    note = document.sections[-1]
    assert (note.heading, note.parent_eid) == ("EXPLANATORY NOTE", "")
    assert note.text.endswith("These Regulations are on lamps.")
    assert document.breaks == []


def test_initials_are_no_number() -> None:
    document = read(
        "Lamps Act\nS.C. 2041, c. 9\n\n1 (1) A keeper must light the lamps.\n(2) A keeper must trim the wicks.\n\n"
        "2 (1) A keeper must make a return.\n(2) A return must be signed.\n"
    )
    assert not [section for section in document.sections if section.number in ("S", "S.C", "C")]
    assert document.breaks == []


def test_terms_that_nothing_sets_apart_are_definitions() -> None:
    document = read(
        "Lamps Act\n\n1 Title\n\nThis is the Lamps Act.\n\n2 Interpretation\n\n(1) In this Act,—\n\n"
        "board means the Harbour Board\n\n"
        "controlling owner, in relation to a lamp, has the meaning set out in section 3\n\n"
        "document means—\n\n(a) a chart; or\n\n(b) a log\n\nlamp includes a lantern\n\n"
        "(2) A keeper means well.\n\n3 Owners\n\n(1) An owner must look.\n\n(2) An owner must write.\n"
    )
    terms = {section.term: section.text for section in document.sections if section.term}
    assert list(terms) == ["board", "controlling owner", "document", "lamp"]
    assert terms["document"] == "document means—"


def test_a_section_whose_first_paragraph_stands_on_its_line_is_one_of_its_kind() -> None:
    document = read(
        "Lamps\n\n1 Scope\nThese rules apply to lamps.\n\n2 (1) A keeper must light each lamp.\n"
        "(2) A keeper must trim it.\n\n3 Oil\nOil must be clean.\n\n4 Fees\n"
        "(1) The fee is 40 dollars.\n(2) It is due in May.\n"
    )
    labels = [section.label for section in document.sections if section.type != "title"]
    assert ", ".join(labels) == (
        "Section 1, Section 2, Section 2(1), Section 2(2), Section 3, Section 4, Section 4(1), Section 4(2)"
    )


def test_a_paragraph_that_names_the_scope_of_its_term_is_a_definition() -> None:
    document = read(
        "Notice on Lamps\n\nTerms\n\n1. In this Notice, “keeper” means whoever lights a lamp.\n\n"
        "2. For the purposes of paragraphs 3 and 4, a keeper must know the tides.\n\n"
        "3. For the purposes of this Notice, ‘night’ means the hours of dark.\n\n4. A keeper must light lamps.\n"
    )
    terms = {section.label: section.term for section in document.sections if section.type == "definition"}
    assert terms == {"Paragraph 1": "keeper", "Paragraph 3": "night"}


@pytest.mark.parametrize(
    "printed", ["ANNEX RETURNS (paragraph 1.2)", "Annex – Returns", "SCHEDULE: Returns", "ANNEX Returns"]
)
def test_an_annex_without_a_number_may_have_its_title_beside_it(printed: str) -> None:
    rules = "\n\n".join(f"1.{n} A keeper must light lamp {n}." for n in range(1, 4))
    text = (
        f"Notice on Lamps\n\n1 Lighting\n\n{rules}\n\n{printed}\n\n1. A return names each lamp.\n\n2. It is signed.\n"
    )
    document = parse_document(Source("text", "text.txt", "any", grammar="numbered"), text.encode())
    annex = next(s for s in document.sections if s.type in ("annex", "schedule"))
    assert annex.label.lower() == printed.split()[0].strip(":").lower()
    assert annex.heading.lower().startswith("returns")
    assert [s.number for s in document.sections if s.parent_eid == annex.eid] == ["1", "2"]


def test_a_rule_may_begin_with_the_number_of_another() -> None:
    marks = leading_labels("2.4.2 R 2.4.1 R does not reach a lamp that is out.")
    assert [(mark.number, mark.end) for mark in marks] == [("2.4.2R", 7)]


def test_a_heading_that_holds_everything_is_the_title_and_in_no_label() -> None:
    duties = "\n\n".join(f"({n}) The keeper shall look after lamp {n}." for n in (1, 2))
    parts = "".join(f"## Lamps of {kind}\n\n{duties}\n\n" for kind in ("iron", "tin"))
    document = read(f"Bank of the Coast\n\nVersion 3\n\n# Policy on lamps\n\n{parts}# Annex 1 Forms\n\n{duties}\n")
    assert document.title == "Policy on lamps"
    assert [(s.type, s.label) for s in document.sections if s.depth == 0] == [
        ("title", "Title"),
        ("preamble", "Preamble"),
        ("heading", "“Lamps of iron”"),
        ("heading", "“Lamps of tin”"),
        ("annex", "Annex 1"),
    ]
    assert "“Lamps of tin”, paragraph (2)" in [s.label for s in document.sections]


@pytest.mark.parametrize("marks", [("#", "#"), ("#", "##")])
def test_the_name_of_the_issuer_is_not_the_title(marks: tuple[str, str]) -> None:
    duties = "\n\n".join(f"{n}. A keeper must light lamp {n}." for n in range(1, 4))
    one, two = marks
    document = read(f"{one} HARBOUR AUTHORITY OF TEMARA\n\n{two} NOTICE 57 ON LAMPS\n\n## 1 Lighting\n\n{duties}\n")
    assert document.title == "NOTICE 57 ON LAMPS"


@pytest.mark.parametrize("heading", ["General principles", "Requirements for lamps", "Policy on lamps"])
def test_a_chapter_below_the_name_of_a_bank_is_not_its_title(heading: str) -> None:
    duties = "A keeper must light each lamp.\n\nA keeper must put it out."
    document = read(f"# Central Bank of Ruritania\n\n## {heading}\n\n{duties}\n\n## Reporting\n\n{duties}\n")
    assert document.title == "Central Bank of Ruritania"
    assert [s.heading for s in document.sections if s.type == "heading"] == [heading, "Reporting"]
