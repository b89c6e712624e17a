"""Where lists of a numbered text stand: below the words that introduce them, in the annex whose letter they bear."""

from __future__ import annotations

import io
import textwrap

import pytest
from reportlab.lib.styles import ParagraphStyle
from reportlab.platypus import Paragraph, SimpleDocTemplate

from antinomy.parse import parse_document
from antinomy.parse.model import ParsedDocument
from antinomy.settings.source import Source


def read(text: str) -> ParsedDocument:
    return parse_document(Source("text", "text.txt", "any", grammar="numbered"), text.encode())


def parents(document: ParsedDocument) -> dict[str, str]:
    return {section.eid: section.parent_eid for section in document.sections}


def test_numbers_of_an_annex_may_begin_with_its_letter() -> None:
    head = "Notice on Lamps\n\n" + "".join(f"{n}. A keeper must light lamp {n}.\n\n" for n in range(1, 5))
    rows = [f"B{n}. A return must say how lamp {n} burned." for n in range(1, 11)]
    rows[6] = "B7. A return must give:\n\n(a) the harbour; and\n\n(b) the keeper."
    document = read(f"{head}Annex B\n\nReturns\n\n" + "\n\n".join(rows) + "\n")
    numbers = [section.number for section in document.sections if section.eid.startswith("anx_B")]
    assert numbers == ["B", "B1", "B2", "B3", "B4", "B5", "B6", "B7", "a", "b", "B8", "B9", "B10"]
    assert document.structure == 1
    assert document.breaks == []


@pytest.mark.parametrize("printed", ["B1", "B1.", "B1)", "B1:", "(B1)", "B-1", "B.1", "B1.1"])
def test_numbers_with_letters_are_paragraphs_of_the_annex(printed: str) -> None:
    head = "Notice on Lamps\n\n" + "".join(f"{n}. A keeper must light lamp {n}.\n\n" for n in range(1, 4))
    second = f"{printed[::-1].replace('1', '2', 1)[::-1]} It must be low, and:\n\n(i) dry;\n\n(ii) clean.\n\n"
    document = read(f"{head}Annex A\n\n1. It is blue.\n\nAnnex B\n\n{printed} A lamp must be green.\n\n{second}")
    places = {s.number: s.parent_eid for s in document.sections if s.eid.startswith("anx_B_")}
    bare = printed.strip("().:")
    above = f"anx_B__para_{bare.replace('.', '-')[:-1]}2"
    assert places == {bare: "anx_B", f"{bare[:-1]}2": "anx_B", "i": above, "ii": above}
    assert document.structure == 1


def test_a_missing_number_with_a_letter_is_told() -> None:
    document = read("Lamps\n\nAnnex B\n\nB1. A lamp must be green.\n\nB2. It must be low.\n\nB5. It must be dry.\n")
    assert document.structure < 0.9
    assert len(document.breaks) == 1


@pytest.mark.parametrize("second", ["2.0", "3.0"])
def test_versions_in_a_table_do_not_count_among_the_sections(second: str) -> None:
    """Even if numbers of both are missing, or repeat each other's."""
    text = f"# Lamps\n\n| Version | Change |\n|---|---|\n| 1.0 | First |\n| {second} | More |\n"
    sections = (f"## {n} Part {n}\n\n{n}.1 A wick is white.\n\n{n}.2 It is clean.\n" for n in (1, 2, 4))
    document = read("\n".join([text, *sections]))
    assert {section.number: section.label for section in document.sections if section.number} == {
        "1.0": "Table, paragraph 1.0",
        second: f"Table, paragraph {second}",
        **{f"{n}": f"Section {n}" for n in (1, 2, 4)},
        **{f"{n}.{k}": f"Paragraph {n}.{k}" for n in (1, 2, 4) for k in (1, 2)},
    }


def test_the_rows_of_a_table_may_count_in_roman_numbers() -> None:
    rows = "".join(
        f"| {tier} | {depth} m | {fee} |\n" for tier, depth, fee in (("I", 3, 10), ("II", 6, 20), ("III", 9, 30))
    )
    document = read(
        f"1. A boat pays as follows:\n\n| Tier | Draught | Fee |\n|---|---|---|\n{rows}\n2. Rafts pay nothing.\n"
    )
    assert [section.number for section in document.sections if section.number] == ["1", "I", "II", "III", "2"]
    assert document.breaks == []


def test_a_list_stands_below_the_words_that_introduce_it() -> None:
    """Wherever else the document has such lists, and however short it is."""
    document = read(
        "Lamp Directions\n\n1. Definitions\n(1) In these Directions, unless the context states otherwise:\n"
        '(a) "lamp" means a light;\n(b) "keeper" means a person;\n(c) "great lamp" means:\n'
        "(i) one that is seen from the sea; or\n(ii) one that has no substitute.\n"
        "(2) Other terms have their usual meaning.\n\n"
        "2. Policy\n(1) The board approves a policy.\n(2) It covers:\n(i) lamps;\n(ii) keepers; and\n(iii) oil.\n\n"
        "3. Repeal\nEarlier directions are repealed.\n"
    )
    assert parents(document)["sec_1__para_1__point_c__point_ii"] == "sec_1__para_1__point_c"
    assert document.structure == 1
    act = read(
        "Lamps Act\n\n1 This is the Lamps Act.\n\n2 A keeper must hold—\n(a) oil;\n(b) wicks.\n\n"
        "3(1) A keeper must make a return.\n(2) It must state—\n(a) the name; and\n(b) the day.\n"
    )
    assert parents(act)["para_3__point_2__point_b"] == "para_3__point_2"
    assert act.structure == 1


@pytest.mark.parametrize("form", ["txt", "pdf"])
def test_terms_that_neither_quotes_nor_stops_nor_blank_lines_set_apart(form: str) -> None:
    terms = {
        "keeper": "a person who looks after a lamp or stands in for one while the keeper is away from the coast and "
        "a pilot who does",
        "lamp": "any device that gives light for ships",
        "oil": "any liquid that burns in a lamp",
        "wick": "the part of a lamp that draws up the oil",
    }
    duty = "A keeper shall write down what was done and by whom."
    lines = [
        "Notice 5 on lamps",
        "1. Terms",
        "1.1 In this Notice:",
        *(f"{term} means {says}" for term, says in terms.items()),
    ]
    lines += [line for n in range(2, 6) for line in (f"{n}. Duties {n}", f"{n}.1 {duty}", f"{n}.2 {duty}")]
    if form == "pdf":
        # Wide enough that no line wraps.
        stream, style = io.BytesIO(), ParagraphStyle("plain", fontName="Helvetica", fontSize=10, leading=12)
        SimpleDocTemplate(stream, pagesize=(1200, 800)).build([Paragraph(line, style) for line in lines])
        document = parse_document(Source("text", "text.pdf", "any"), stream.getvalue())
    else:
        document = read("\n".join(wrapped for line in lines for wrapped in textwrap.wrap(line, 80)))
    assert {s.term: s.text for s in document.sections if s.term} == {
        term: f"{term} means {says}" for term, says in terms.items()
    }
    assert document.structure == 1


def test_a_sentence_behind_a_list_follows_the_list() -> None:
    document = read(
        "Lamp Standard\n\n1. A keeper must:\n\n   (a) trim the wick;\n\n   (b) log the oil; and\n\n"
        "   (c) tell the Warden.\n\n"
        "   For point (b), the log is kept on paper.\n\n2. A lamp is lit if:\n\n   (a) it is dusk; or\n\n"
        "   (b) fog lies on the quay,\n\n   and a ship is due.\n\n3. A lamp is blue.\n\n4. A lamp is dry.\n"
    )
    texts = {section.eid: section.text for section in document.sections}
    assert texts["para_1"] == "A keeper must:"
    assert texts["para_1__point_c"] == "tell the Warden."
    assert texts["para_1__subpara_1"] == "For point (b), the log is kept on paper."
    assert list(texts).index("para_1__subpara_1") > list(texts).index("para_1__point_c")
    # Words that only close the sentence stay with its beginning.
    assert texts["para_2"].startswith("A lamp is lit if:")
    assert "and a ship is due." in texts["para_2"]


@pytest.mark.parametrize(
    "beside",
    [
        "Provided that a lamp under repair may stay dark.", "Provided further that the Warden may allow less.",
        "Explanation: a lantern counts as a lamp.", "Explanation 2. — A buoy is no lamp.",
        "History: Adopted May 4, 2029; amended June 1, 2030.",
    ],
)  # fmt: skip
def test_a_proviso_or_an_explanation_is_a_paragraph_of_its_provision(beside: str) -> None:
    rules = [f"{n}. A keeper shall light lamp {n} at dusk." for n in range(1, 6)]
    document = read("Lamp Directions\n\n" + "\n\n".join([*rules[:3], beside, *rules[3:]]) + "\n")
    texts = {section.eid: section.text for section in document.sections}
    assert texts["para_3"] == "A keeper shall light lamp 3 at dusk."
    assert texts["para_3__subpara_1"] == beside
    assert texts["para_4"] == "A keeper shall light lamp 4 at dusk."


def test_who_signed_is_no_part_of_the_last_provision() -> None:
    rules = "".join(f"{n}. A keeper shall light lamp {n} at dusk.\n\n" for n in range(1, 5))
    document = read(f"Lamp Directions\n\n{rules}(Ada Wick) Warden-in-Charge\n\nAnnex A\n\nLamps\n\n1. The red lamp.\n")
    texts = {section.eid: section.text for section in document.sections}
    assert texts["para_4"] == "A keeper shall light lamp 4 at dusk."
    assert "(Ada Wick) Warden-in-Charge" in texts.values()


def test_an_index_names_chapters_whose_titles_stand_below_their_numbers() -> None:
    titles = {"I": "Lighting", "II": "Licences of Keepers", "III": "Fees"}
    index = "".join(f"Chapter {number} {title}  {page}\n" for page, (number, title) in enumerate(titles.items(), 2))
    chapters = "".join(
        f"Chapter {number}\n\n{title}\n\n{n}. A keeper shall heed rule {n} of the port.\n\n"
        for n, (number, title) in enumerate(titles.items(), 1)
    )
    document = read(f"Lamp Directions\n\nIndex\n\n{index}\n{chapters}4. A fee is due in May.\n")
    found = [(s.eid, s.heading) for s in document.sections if s.type == "chapter"]
    assert found == [(f"chp_{number}", title) for number, title in titles.items()]


def test_guidance_beside_a_provision_is_no_part_of_its_words() -> None:
    head = "Notice on Lamps\n\n" + "".join(f"1.{n} A keeper must light lamp {n}.\n\n" for n in range(1, 5))
    document = read(f"{head}Guidance. A lamp that is lit at dusk is lit in time.\n\n1.5 A keeper must keep a log.\n")
    texts = {section.eid: section.text for section in document.sections}
    assert texts["para_1-4"] == "A keeper must light lamp 4."
    assert texts["para_1-4__subpara_1"] == "Guidance. A lamp that is lit at dusk is lit in time."


def test_a_list_goes_on_behind_a_heading_that_has_no_number() -> None:
    """However deep it is: behind a list of its last item, and without a blank line."""
    document = read(
        "Lamp Directions\n\n1. Keepers\n\n(1) A keeper shall keep a lamp.\n\n(2) A keeper shall trim the wick.\n\n"
        "2. Registration\n\n(1) Who may register\n\n(i) No other person than a keeper shall register.\n\n"
        "(ii) A keeper shall have a lamp.\n\n(2) How to register\n\n(i) A keeper shall apply to the Office.\n\n"
        "(ii) The Office shall see whether:\n\na) the keeper has a lamp; and\n\nb) the lamp has a wick.\n\n"
        "New keepers\n\n(iii) The Office may grant a licence.\n\n(iv) The licence is valid for one year.\n\n"
        "Keepers at work\n\n(v) A keeper at work on that day shall apply.\n\n(vi) The Office may revoke it.\n\n"
        "3. Records\n\n(1) A keeper shall keep records.\n"
    )
    second = [s for s in document.sections if s.eid.startswith("sec_2__para_2__")]
    assert [(s.eid.removeprefix("sec_2__para_2__"), s.heading) for s in second] == [
        ("point_i", ""),
        ("point_ii", ""),
        ("point_ii__point_a", ""),
        ("point_ii__point_b", ""),
        ("point_iii", "New keepers"),
        ("point_iv", ""),
        ("point_v", "Keepers at work"),
        ("point_vi", ""),
    ]
    assert document.structure == 1


def test_paragraphs_go_on_behind_lists_whose_items_are_printed_like_them() -> None:
    """A converter counts all lists alike, 1. and 2., also below paragraphs that are counted so through the chapters."""
    head = "# Rules for Harbours\n\n## 3. Lamps\n\n### 3.1 Keepers\n\n"
    first = "1. A keeper must be sworn.\n\n2. A keeper must:\n\n    1. trim the wick;\n    2. fill the oil;\n\n"
    second = "### 3.2 Oil\n\n3. Oil must be clean if:\n\n    1. it burns; or\n    2. it is sold.\n\n[Code 7.2]\n\n"
    third = "### 3.3 Bells\n\n4. A bell must be rung.\n\n## 4. Fog\n\n5. Fog must be reported.\n"
    document = parse_document(Source("text", "text.md", "any"), f"{head}{first}{second}{third}".encode())
    by_eid = {section.eid: section for section in document.sections}
    found = [
        (s.number, by_eid[s.parent_eid].number) for s in document.sections if s.parent_eid and s.type != "subparagraph"
    ]
    assert found == [
        ("3.1", "3"), ("1", "3.1"), ("2", "3.1"), ("1", "2"), ("2", "2"),
        ("3.2", "3"), ("3", "3.2"), ("1", "3"), ("2", "3"),
        ("3.3", "3"), ("4", "3.3"), ("5", "4"),
    ]  # fmt: skip
    assert document.structure == 1


def test_a_part_holds_the_numbered_chapters_that_are_set_as_large_as_it() -> None:
    chapters = {"A": "## 1. Lamps\n\n1.1 A lamp must burn.\n\n", "B": "## 2. Bells\n\n2.1 A bell must be rung.\n\n"}
    parts = (f"## Part {name}: Duties {name}\n\n{chapter}" for name, chapter in chapters.items())
    last = "## 3. Fog\n\n3.1 Fog must be reported.\n"
    document = parse_document(Source("text", "text.md", "any"), ("# Lamps\n\n" + "".join(parts) + last).encode())
    places = {s.number: s.parent_eid for s in document.sections if s.type == "section"}
    assert places == {"1": "part_A", "2": "part_B", "3": "part_B"}


def test_the_title_of_a_part_may_be_set_as_plain_words() -> None:
    parts = (
        f"{sign}{n}. {title}\n\n# {n}.1 Duties\n\n{n}.1.1 A keeper must {what}.\n\n{n}.1.2 A deputy must help.\n\n"
        for n, sign, title, what in (
            (1, "# ", "Lamps", "light"),
            (2, "", "Bells of a quay", "ring"),
            (3, "# ", "Fog", "see"),
        )
    )
    document = parse_document(Source("text", "text.md", "any"), "".join(parts).encode())
    found = [(s.number, s.heading, s.text) for s in document.sections if s.number in ("1", "2", "3")]
    assert found == [("1", "Lamps", ""), ("2", "Bells of a quay", ""), ("3", "Fog", "")]


def test_an_act_whose_headings_run_into_the_text_behind_a_dash() -> None:
    document = read(
        "CHAPTER I\nPRELIMINARY\n\n"
        "1. Short title and extent.—(1) This Act may be called the Lamps Act, 2031.\n"
        "(2) It extends to the whole of the coast.\n\n"
        "2. Definitions.— (1) In this Act, unless the context otherwise requires,—\n"
        "(a) “lamp” means a light—\n(i) that burns oil; or\n(ii) that burns gas;\n"
        "(b) “waste” includes any of the following, namely:—\n"
        "(1) oil that is lost, which—\n(i) is spilt; or\n(ii) is stolen;\n(2) wicks that are lost.\n\n"
        "3. What are not lamps.—The following are not lamps, namely:—\n(a) candles;\n(b) fires.\n\n"
        "4. Logs.—(1) A keeper shall keep a log.\n(2) It shall name each lamp.\n"
    )
    assert {section.eid: section.heading or section.text for section in document.sections} == {
        "chp_I": "PRELIMINARY", "sec_1": "Short title and extent",
        "sec_1__para_1": "This Act may be called the Lamps Act, 2031.",
        "sec_1__para_2": "It extends to the whole of the coast.",
        "sec_2": "Definitions", "sec_2__para_1": "In this Act, unless the context otherwise requires,—",
        "sec_2__para_1__point_a": "“lamp” means a light—",
        "sec_2__para_1__point_a__point_i": "that burns oil; or",
        "sec_2__para_1__point_a__point_ii": "that burns gas;",
        "sec_2__para_1__point_b": "“waste” includes any of the following, namely:—",
        "sec_2__para_1__point_b__point_1": "oil that is lost, which—",
        "sec_2__para_1__point_b__point_1__point_i": "is spilt; or",
        "sec_2__para_1__point_b__point_1__point_ii": "is stolen;",
        "sec_2__para_1__point_b__point_2": "wicks that are lost.",
        "sec_3": "What are not lamps", "sec_3__point_a": "candles;", "sec_3__point_b": "fires.",
        "sec_4": "Logs", "sec_4__para_1": "A keeper shall keep a log.",
        "sec_4__para_2": "It shall name each lamp.",
    }  # fmt: skip
    texts = {section.eid: section.text for section in document.sections}
    assert texts["sec_3"] == "The following are not lamps, namely:—"


def test_the_list_of_an_explanation_behind_a_deeper_list() -> None:
    lines = (
        "1. Lamps.—(1) A keeper shall not, in any of the following ways, waste oil, namely:—\n"
        "(a) by lighting a lamp which—\n(i) leaks; or\n(ii) smokes.\n"
        "Explanation.—For the purposes of this clause, a lamp that is—\n(A) cracked; or\n(B) old,\n"
        "shall be deemed to leak;\n(b) by spilling oil.\n(2) A keeper shall log the oil.\n"
    )
    document = read(lines.replace("\n", "\n\n"))
    found = {section.eid: section.text for section in document.sections}
    assert found == {
        "sec_1": "",
        "sec_1__para_1": "A keeper shall not, in any of the following ways, waste oil, namely:—",
        "sec_1__para_1__point_a": "by lighting a lamp which—",
        "sec_1__para_1__point_a__point_i": "leaks; or", "sec_1__para_1__point_a__point_ii": "smokes.",
        "sec_1__para_1__subpara_1": "Explanation.—For the purposes of this clause, a lamp that is— "
                                    "shall be deemed to leak;",
        "sec_1__para_1__subpara_1__point_A": "cracked; or", "sec_1__para_1__subpara_1__point_B": "old,",
        "sec_1__para_1__point_b": "by spilling oil.",
        "sec_1__para_2": "A keeper shall log the oil.",
    }  # fmt: skip


def test_a_catalogue_of_controls_prints_titles_in_capitals_and_explains_each_control() -> None:
    document = read("""LB-4

LAMPS OF A QUAY

Control:

a.

Keep each lamp that is lit; and

b.  Trim its wick.

Discussion:  A wick that is cut burns as LB-5 says.

Related Controls:  LB-5.

Control Enhancements:

(1) LAMPS OF A QUAY | GLASS OF LAMPS

Clean, in the order of the log:
(a)  the glass (of each lamp, of the tower,

and of the quay); and

(b)  the floor.

Discussion:  Glass is cleaned with fat.

(2) LAMPS OF A QUAY | STORES

(a)  Keep oil; and

(b)  Keep fat.
Discussion:  Oil burns.

Related Controls:  None.

LB-5  WICKS OF A LAMP

Control:  Keep each wick dry.

References:  None.
""")
    below = "para_LB-4__subpara_3__point"
    assert [(s.eid, s.parent_eid, s.heading, s.text) for s in document.sections] == [
        ("para_LB-4", "", "LAMPS OF A QUAY", "Control:"),
        ("para_LB-4__point_a", "para_LB-4", "", "Keep each lamp that is lit; and"),
        ("para_LB-4__point_b", "para_LB-4", "", "Trim its wick."),
        ("para_LB-4__subpara_1", "para_LB-4", "", "Discussion: A wick that is cut burns as LB-5 says."),
        ("para_LB-4__subpara_2", "para_LB-4", "", "Related Controls: LB-5."),
        ("para_LB-4__subpara_3", "para_LB-4", "", "Control Enhancements:"),
        (
            f"{below}_1", "para_LB-4__subpara_3", "LAMPS OF A QUAY | GLASS OF LAMPS",
            "Clean, in the order of the log:",
        ),
        (f"{below}_1__point_a", f"{below}_1", "", "the glass (of each lamp, of the tower, and of the quay); and"),
        (f"{below}_1__point_b", f"{below}_1", "", "the floor."),
        (f"{below}_1__subpara_1", f"{below}_1", "", "Discussion: Glass is cleaned with fat."),
        (f"{below}_2", "para_LB-4__subpara_3", "LAMPS OF A QUAY | STORES", ""),
        (f"{below}_2__point_a", f"{below}_2", "", "Keep oil; and"),
        (f"{below}_2__point_b", f"{below}_2", "", "Keep fat."),
        (f"{below}_2__subpara_1", f"{below}_2", "", "Discussion: Oil burns."),
        (f"{below}_2__subpara_2", f"{below}_2", "", "Related Controls: None."),
        ("para_LB-5", "", "WICKS OF A LAMP", "Control: Keep each wick dry."),
        ("para_LB-5__subpara_1", "para_LB-5", "", "References: None."),
    ]  # fmt: skip


def test_what_amended_a_rule_stands_beside_its_paragraphs() -> None:
    text = """Quay Rules

110. Definitions

(a) Purpose
This rule says what words mean.
(b) Terms
(1) The term "lamp" means a light.
(2) The term "quay" means a wall.
Adopted by SR-QUAY-2029-3 eff. June 1, 2029.
Amended by SR-QUAY-2031-017 eff. May 4, 2031

Selected Notices: 31-05, 31-06.

120. Lamps

(a) Watch
A keeper must look at each lamp.
(b) 2 Day Period; Waiver
A keeper reports a failure. The board may waive this.
"""
    assert [(s.number, s.heading, s.text) for s in read(text).sections[1:]] == [
        ("110", "Definitions", ""),
        ("a", "Purpose", "This rule says what words mean."),
        ("b", "Terms", ""),
        ("1", "", 'The term "lamp" means a light.'),
        ("2", "", 'The term "quay" means a wall.'),
        ("", "", "Adopted by SR-QUAY-2029-3 eff. June 1, 2029."),
        ("", "", "Amended by SR-QUAY-2031-017 eff. May 4, 2031"),
        ("", "", "Selected Notices: 31-05, 31-06."),
        ("120", "Lamps", ""),
        ("a", "Watch", "A keeper must look at each lamp."),
        ("b", "2 Day Period; Waiver", "A keeper reports a failure. The board may waive this."),
    ]


def test_a_heading_without_a_number_is_in_the_section_whose_numbers_go_on_below_it() -> None:
    """Although a converter that tells no sizes apart sets it as large as the section's own."""
    sections = (
        f"# {n}. {title}\n\n{n}.1 A keeper must look.\n\n{n}.2 A keeper must write.\n\n# Deputies of {n}\n\n"
        f"{n}.3 A deputy must help.\n\n"
        for n, title in ((1, "Lamps"), (2, "Bells"))
    )
    text = "# NOTICE ON HARBOURS\n\n" + "".join(sections)
    document = parse_document(Source("text", "text.md", "any"), text.encode())
    by_eid = {section.eid: section for section in document.sections}
    deputies = [section for section in document.sections if section.heading.startswith("Deputies")]
    assert [by_eid[section.parent_eid].number for section in deputies] == ["1", "2"]
    assert [by_eid[s.parent_eid].heading for s in document.sections if s.number.endswith(".3")] == [
        "Deputies of 1",
        "Deputies of 2",
    ]


def test_paragraphs_with_a_dash_behind_their_numbers() -> None:
    text = """## Article 7

1- A keeper shall light each lamp.
2- A keeper shall not, before dusk:
a) Sell oil; or
b) Lend a lamp.

## Article 8

Keepers shall log:

1- Each lamp that is lit.

2- Each lamp that is lent, by:
- its number; and
- its make.

3- Each visit.

## Article 9

The log is kept for 3 - 5 years.
"""
    document = parse_document(Source("text", "law.md", "any"), text.encode())
    assert [section.eid for section in document.sections] == [
        "art_7", "art_7__para_1", "art_7__para_2", "art_7__para_2__point_a", "art_7__para_2__point_b",
        "art_8", "art_8__point_1", "art_8__point_2", "art_8__point_2__item_1", "art_8__point_2__item_2",
        "art_8__point_3", "art_9",
    ]  # fmt: skip


def test_a_gap_parts_a_bare_number_from_its_item_and_a_quantity_is_no_number() -> None:
    head = "Notice on Lamps\n\n" + "".join(f"{n}. A keeper must light lamp {n}.\n\n" for n in range(1, 4))
    document = read(
        f"{head}Annex B\n\nHours\n\nA lamp burns for the time below —\n\n1    in a harbour, 8 hours;\n\n"
        "2    at the end of a mole, 12 hours; and\n\n3    elsewhere, until the term of\n12 months ends.\n\n"
        "6 hours are enough in June.\n"
    )
    found = {s.number: s.text for s in document.sections if s.eid.startswith("anx_B_") and s.number}
    assert found == {
        "1": "in a harbour, 8 hours;",
        "2": "at the end of a mole, 12 hours; and",
        "3": "elsewhere, until the term of 12 months ends.",
    }
    assert document.structure == 1
