"""Codes of American states, and regulations in their manner: inserted sections, lists of terms, session laws."""

from __future__ import annotations

import pytest

from antinomy.cite import DocumentInfo, cite_document, corpus_index, nodes_of
from antinomy.parse import parse_document
from antinomy.parse.model import ParsedDocument
from antinomy.settings.source import Source

_CODE = """<html><head><title>Chapter 7. Harbor Lamps</title></head><body><main><h2>Chapter 7. Harbor Lamps.</h2>
<b>§ 20.1-310. (Effective July 1, 2031) Definitions.</b><section><p>As used in this chapter:</p>
<p>"Beacon" means a lamp that ships steer by.</p>
<p>"Sale of oil" means that oil changes hands for money. "Sale of oil" does not include:</p>
<p>1. A gift among keepers;</p><p>2. Oil that the harbor lends.</p>
<p>"Store" means a place that:</p><p>1. Is dry; and</p><p>2. Has one of the following:</p>
<p>a. A stone floor; or</p><p>b. An iron door.</p>
<p>"Waste" means oil that does not burn. "Waste" does not include:</p><p>1. Grease;</p><p>2. Soot.</p>
<p>2029, c. 14; 2031, cc. 88, 91.</p></section>
<b>§ 20.1-311. Duties of keepers.</b><section><p>A. For purposes of this section, "dusk" means sunset.</p>
<p>B. 1. A keeper shall light each beacon:</p><p>a. At dusk; and</p><p>b. In fog.</p>
<p>2. A keeper shall log each light.</p><p>C. The log is open to all.</p>
<p>2029, Sp. Sess. I, c. 14.</p></section>
<b>§ 20.1-311.1. Oil; sales and gifts.</b><section><p>A. A keeper shall not sell oil.</p>
<p>B. A gift is written down.</p><p>2031, c. 88.</p></section>
<b>§ 20.1-312. Waste.</b><section><p>Waste shall be burned ashore.</p><p>2029, c. 14.</p></section>
</main></body></html>"""


def read(text: str, name: str) -> ParsedDocument:
    return parse_document(Source("text", name, "any"), text.encode())


def outline(document: ParsedDocument) -> list[str]:
    by_eid = {section.eid: section for section in document.sections}
    found = []
    for section in document.sections:
        steps = [section]
        while steps[-1].parent_eid:
            steps.append(by_eid[steps[-1].parent_eid])
        found.append(" ".join(step.number or step.term for step in reversed(steps) if step.number or step.term))
    return found


def test_a_chapter_of_a_state_code() -> None:
    document = read(_CODE, "code.html")
    sections = {section.number: section for section in document.sections if section.type == "section"}
    assert {number: section.heading for number, section in sections.items()} == {
        "20.1-310": "(Effective July 1, 2031) Definitions",
        "20.1-311": "Duties of keepers",
        "20.1-311.1": "Oil; sales and gifts",
        "20.1-312": "Waste",
    }
    assert {section.parent_eid for section in sections.values()} == {"chp_7"}
    terms = [(s.term, s.number) for s in document.sections if s.type == "definition"]
    assert terms == [("Beacon", ""), ("Sale of oil", ""), ("Store", ""), ("Waste", ""), ("dusk", "A")]
    found = outline(document)
    assert [place for place in found if place.startswith("7 20.1-310 ")] == [
        "7 20.1-310 Beacon",
        "7 20.1-310 Sale of oil", "7 20.1-310 Sale of oil 1", "7 20.1-310 Sale of oil 2",
        "7 20.1-310 Store", "7 20.1-310 Store 1", "7 20.1-310 Store 2", "7 20.1-310 Store 2 a", "7 20.1-310 Store 2 b",
        "7 20.1-310 Waste", "7 20.1-310 Waste 1", "7 20.1-310 Waste 2",
    ]  # fmt: skip
    assert [place for place in found if place.startswith("7 20.1-311 ")] == [
        f"7 20.1-311 {place}" for place in ("A", "B", "B 1", "B 1 a", "B 1 b", "B 2", "C")
    ]
    assert document.structure == 1


def test_the_session_laws_behind_a_section_are_no_words_of_its_last_provision() -> None:
    document = read(_CODE, "code.html")
    texts = [section.text for section in document.sections]
    assert {"Soot.", "The log is open to all.", "A gift is written down."} <= set(texts)
    notes = [section for section in document.sections if section.text[:2] == "20" and ", c" in section.text]
    assert [len(note.text.split(";")) for note in notes] == [2, 1, 1, 1]
    assert {note.parent_eid.rpartition("__")[0] for note in notes} <= {"", "chp_7"}


@pytest.mark.parametrize(
    "note",
    [
        "Added by Acts 2031, 92nd Leg., Ch. 14, Sec. 2, eff. July 1, 2031.",
        "(Amended by Stats. 2031, Ch. 14, Sec. 3. Effective January 1, 2032.)",
        "Enacted by Chapter 14, 2031 General Session",
        "As added by P.L.14-2031, SEC. 2.",
        "88 Del. Laws, c. 14, § 1.",
        "[2031 c.14 §2]",
        "[96 FR 70272, Dec. 9, 2031]",
    ],
)
def test_notes_on_where_a_section_was_enacted(note: str) -> None:
    document = read(
        f"# Lamps\n\n## Sec. 4. Oil.\n\n(a) A keeper buys oil.\n\n(b) Oil is stored.\n\n{note}\n", "code.md"
    )
    assert [s.text for s in document.sections if s.number in ("a", "b")] == ["A keeper buys oil.", "Oil is stored."]
    assert [s.parent_eid for s in document.sections if s.text == note] == ["sec_4"]


def test_a_number_that_two_sections_share_is_told() -> None:
    """Until a day one holds, and from then on the other."""
    twice = _CODE.replace("§ 20.1-312. Waste", "§ 20.1-311.1. (Effective until May 1, 2032) Waste")
    assert any("stands twice" in message for message in read(twice, "code.html").breaks)


def test_sections_between_two_of_one_part_are_still_several() -> None:
    document = read("# Lamps\n\n## § 831.4-831.6 [Reserved]\n\n## § 831.7 Oil\n\nA keeper buys oil.\n", "code.md")
    assert [s.number for s in document.sections if s.type == "section"] == ["831.4-831.6", "831.7"]
    assert document.structure == 1


def test_terms_in_italics_of_a_federal_part_have_lists_of_their_own() -> None:
    terms = (
        "<P><I>Beacon</I> means a lamp:</P><P>(1) That is tall; and</P><P>(2) That turns.</P>"
        "<P><I>Keeper</I> shall have the same meaning as in 40 CFR 9.2.</P>"
        "<P><I>Store</I> means:</P><P>(1) A shed;</P><P>(2) A cellar; or</P><P>(3) A hold.</P>"
        "<P><I>Wick</I> means a cord.</P>"
    )
    document = read(
        '<DIV5 N="831" TYPE="PART"><HEAD>PART 831—LAMPS</HEAD><DIV8 N="§ 831.2" TYPE="SECTION">'
        f"<HEAD>§ 831.2 Definitions.</HEAD><P>For purposes of this part:</P>{terms}</DIV8></DIV5>",
        "part.xml",
    )
    assert outline(document)[1:] == [
        "831 831.2", "831 831.2 Beacon", "831 831.2 Beacon 1", "831 831.2 Beacon 2", "831 831.2 Keeper",
        "831 831.2 Store", "831 831.2 Store 1", "831 831.2 Store 2", "831 831.2 Store 3", "831 831.2 Wick",
    ]  # fmt: skip
    assert document.sections[1].text == "For purposes of this part:"


def test_a_term_shall_mean_something() -> None:
    document = read(
        "# Lamps\n\n## Section 12.1 Definitions.\n\nThe following definitions apply:\n\n- (a) *Beacon* means a lamp.\n"
        "- (b) *Harbor Oil* shall mean oil that is:\n- (1) clear; and\n- (2) dry.\n- (c) *Wick* means a cord.\n",
        "part.md",
    )
    assert [(s.number, s.term) for s in document.sections if s.type == "definition"] == [
        ("a", "Beacon"), ("b", "Harbor Oil"), ("c", "Wick"),
    ]  # fmt: skip


def test_a_term_is_defined_behind_the_heading_of_its_paragraph() -> None:
    document = read(
        "# Lamps\n\n## Section 12.1 Definitions.\n\n(a) Lamps of quays. The term “beacon” means a lamp on a quay.\n\n"
        "(b) Lamps of ships. The term “lantern” means a lamp on a ship.\n",
        "part.md",
    )
    assert [s.term for s in document.sections if s.type == "definition"] == ["beacon", "lantern"]


def test_the_first_paragraph_below_the_letter_of_a_term_defines_it() -> None:
    document = read(
        "# Lamps\n\n## Section 12.1 Definitions.\n\nAs used in this part:\n\n(a)(1) *Beacon* means a lamp.\n\n"
        "(2) A lamp becomes a beacon when lit.\n\n(b)(1) *Oil* means:\n\n(i) Whale oil; and\n\n(ii) Olive oil.\n\n"
        "(2) *Oil* does not include wax.\n\n(c) *Wick* means a cord.\n",
        "part.md",
    )
    terms = [(s.label, s.term) for s in document.sections if s.type == "definition"]
    assert terms == [("Section 12.1(a)(1)", "Beacon"), ("Section 12.1(b)(1)", "Oil"), ("Section 12.1(c)", "Wick")]


@pytest.mark.parametrize("chapter", ["14-2", "14", "57-12B"])
def test_sections_of_a_code_whose_numbers_need_no_word(chapter: str) -> None:
    first, second, third = (f"{chapter}-{n}" for n in ("301", "302", "302.5"))
    document = read(
        f"# PART 3 HARBOR LAMPS\n\n{first}. Short title. This part 3 is the “Lamps Act”.\n\n"
        f"- {second}. Definitions. As used in this part 3:\n- (1) “Beacon” means a lamp:\n- (a) that is tall; or\n"
        "- (b) that turns.\n- (2) “WICK” MEANS A CORD.\n"
        f"- {third}. Duties. (1) A keeper shall:\n- (a) light each lamp; and\n- (b) log each light.\n"
        "- (2) The log is open to all.\n",
        "act.md",
    )
    sections = [(s.number, s.heading) for s in document.sections if s.type == "section"]
    assert sections == [(first, "Short title"), (second, "Definitions"), (third, "Duties")]
    assert [s.term for s in document.sections if s.type == "definition"] == ["Beacon", "WICK"]
    assert [place for place in outline(document) if place.startswith(f"3 {third} ")] == [
        f"3 {third} {place}" for place in ("1", "1 a", "1 b", "2")
    ]
    assert document.structure == 1


def test_a_number_between_dashes_within_a_sentence_is_no_section() -> None:
    document = read(
        "# Lamps\n\n1. Call the Warden at\n555-010-1234. He comes at dusk.\n\n2. Oil is stored:\n\n- 24-7 by me;\n"
        "- since 2031-05-01.\n",
        "text.md",
    )
    assert [s.number for s in document.sections if s.number] == ["1", "2"]
    assert [s.text for s in document.sections if s.type == "item"] == ["24-7 by me;", "since 2031-05-01."]


def test_appendices_at_the_end_of_a_list_of_sections_are_listed_too_and_hold_their_parts() -> None:
    document = read(
        "PART 70\nLAMPS IN HARBORS\n\nSec.\n70.1 Keepers\n70.2 Oil\nAppendix A Forms of lamps\nAppendix B Notices\n\n"
        "Section 70.1 Keepers.\n(a) Each keeper shall light the lamp at dusk.\n(b) A keeper shall log the hours.\n\n"
        "Section 70.2 Oil.\n(a) Oil shall be kept dry.\n(b) A keeper shall file the notice in Appendix B.\n\n"
        "Appendix A to Part 70\nFORMS OF LAMPS\n\nA lamp is round.\n\n"
        "Appendix B to Part 70\nNOTICES\n\nPart I. Notice of loss\n1. Name of the keeper.\n2. Place of the lamp.\n\n"
        "Part II. Notice of sale\n1. Name of the buyer.\n",
        "part.txt",
    )
    assert [section.eid for section in document.sections if section.number][1:] == [
        "sec_70-1", "sec_70-1__para_a", "sec_70-1__para_b", "sec_70-2", "sec_70-2__para_a", "sec_70-2__para_b",
        "app_A", "app_B", "app_B__part_I", "app_B__part_I__para_1", "app_B__part_I__para_2",
        "app_B__part_II", "app_B__part_II__para_1",
    ]  # fmt: skip


@pytest.mark.parametrize("head", ["", "Table of Sections\n", "Sections\n"])
def test_sections_that_are_listed_with_their_pages_are_left_out_whatever_heads_them(head: str) -> None:
    titles = {
        "A": {"70.1": "Keepers", "70.2": "Lamps", "70.3": "Oil", "70.4": "Logs"},
        "B": {"70.5": "Fees", "70.6": "Penalties"},
    }
    listed = "".join(
        f"SUBPART {part}\n" + "".join(f"§ {number}. {title}. {number[-1]}\n" for number, title in within.items())
        for part, within in titles.items()
    )
    text = "".join(
        f"\nSUBPART {part}: LAMPS IN HARBORS\n\n"
        + "".join(
            f"§ {number}. {title}.\n\n(a) A keeper shall see to it.\n\n(b) A log tells of it.\n\n"
            for number, title in within.items()
        )
        for part, within in titles.items()
    )
    document = read(f"PART 70\nLAMPS\n\n{head}{listed}\n{text}", "part.txt")
    sections = [(s.number, s.heading) for s in document.sections if s.type == "section"]
    assert sections == [pair for within in titles.values() for pair in within.items()]


def test_what_made_a_section_of_definitions_defines_nothing() -> None:
    document = read(
        "PART 70\nLAMPS\n\n§ 70.1. Definitions.\n\nIn this Part:\n\n“Agent” means a person whom a keeper sends.\n\n"
        "“Keeper” means a person who lights a lamp.\n\nHistory: Eff. 3-1-2031.\n\n"
        "§ 70.2. Duties.\n\n(a) A keeper shall light each lamp.\n\n(b) An agent may not.\n\nHistory: Eff. 3-1-2031.\n",
        "part.txt",
    )
    assert [s.term for s in document.sections if s.type == "definition"] == ["Agent", "Keeper"]


_BILL = """FIRST REGULAR SESSION
AN ACT
To amend chapter 41 by adding thereto three new sections relating to lamps.
1 Section A. Chapter 41 is amended by adding thereto three
2 new sections, to be known as sections 41.1402, 41.1403, and
3 41.1404, to read as follows:
1 41.1402. As used in sections 41.1402 to 41.1404, the
2 following terms mean:
3 (1) "Beacon", a lamp that ships steer by, but not a lamp
4 that hangs from a ship;
HB 77 2
5 (2) "Keeper", any person who is licensed under the laws
6 of this state to light a beacon, or who must hold such a
7 licence; and
8 (3) "Oil", whatever burns in a lamp and is neither wood
9 nor coal, but no whale oil, which is sold in barrels of
10 forty gallons; and
11 (4) "Warden", the warden of the department of harbors.
1 41.1403. 1. Each keeper shall light a beacon at dusk
2 and shall log, in a book that the warden has sealed, the
3 hour at which:
4 (1) The beacon was lit; and
HB 77 3
5 (2) The beacon was put out, if the night was over by
6 then.
7 2. A keeper shall hold the oil for ten nights in a dry
8 place, and shall replace what has
HB 77 4
9 spoiled.
1 41.1404. 1. The warden shall visit each beacon once a
2 year and
HB 77 5
3 test its lamp.
4 2. The warden shall tell the keeper of what he has seen
5 within a week, and shall print it once a year in a list
6 that is open to all.
7 3. This section expires in ten years, if the warden has
8 not said before that it stays.
"""


def test_a_bill_whose_lines_are_counted_anew_in_each_section() -> None:
    """The numbers of lines and pages are no part of it; a comma stands between a term and its meaning."""
    document = read(_BILL, "bill.txt")
    found = {section.eid: section for section in document.sections}
    assert [section.number for section in document.sections if section.type == "section"] == [
        "A", "41.1402", "41.1403", "41.1404",
    ]  # fmt: skip
    assert [section.term for section in document.sections if section.type == "definition"] == [
        "Beacon", "Keeper", "Oil", "Warden",
    ]  # fmt: skip
    assert found["sec_41-1403__para_1"].text.endswith("sealed, the hour at which:")
    assert found["sec_41-1403__para_1__point_2"].text == "The beacon was put out, if the night was over by then."
    assert found["sec_41-1403__para_2"].text == (
        "A keeper shall hold the oil for ten nights in a dry place, and shall replace what has spoiled."
    )
    assert found["sec_41-1404__para_1"].text == "The warden shall visit each beacon once a year and test its lamp."
    assert not [section for section in document.sections if "HB 77" in section.heading + section.text]
    assert document.structure == 1.0


def test_definitions_that_apply_throughout_a_chapter_may_be_counted_like_provisions() -> None:
    document = read(
        "<html><body><h2>Section 1</h2><p>The definitions in this section apply throughout this chapter unless its "
        'context requires otherwise.</p><ol><li><p>"Beacon" means a lamp that ships steer by.</p></li><li><p>'
        '"Keeper" means whoever lights a beacon.</p></li><li><p>"Oil" means what burns.</p></li></ol><h2>Section 2'
        "</h2><ol><li><p>A keeper must light a lamp.</p></li><li><p>A keeper must log it.</p></li></ol></body></html>",
        "act.html",
    )
    assert [section.term for section in document.sections if section.type == "definition"] == [
        "Beacon",
        "Keeper",
        "Oil",
    ]
    assert [section.type for section in document.sections if section.eid.startswith("sec_2__")] == ["paragraph"] * 2


def test_a_code_may_leave_numbers_free() -> None:
    numbers = (1400, 1402, 1405, 1407, 1410, 1412, 1415)
    text = "\n\n".join(f"41.{n}. 1. A keeper shall light lamp {n}.\n\n2. A keeper shall log it." for n in numbers)
    document = read(text, "code.txt")
    assert [s.number for s in document.sections if s.type == "section"] == [f"41.{n}" for n in numbers]
    assert document.structure == 1.0


def test_a_section_may_be_headed_by_two_phrases() -> None:
    heads = {
        "900.10": "Keepers' Duties When Lamps Fail",
        "900.15": "Owners' Right to Know Which Lamps Have Been Lit. Right to Receive a Full List of All Lamps",
        "900.20": "Owners' Right to Put Out a Lamp",
        "900.21": "Notice of Faults",
    }
    text = "\n\n".join(
        f"{number}.  {head}\n\n(a) A keeper shall answer an owner.\n\n(b) A keeper shall keep the answer."
        for number, head in heads.items()
    )
    sections = parse_document(Source("code", "code.txt", "any"), text.encode()).sections
    assert [(s.number, s.heading) for s in sections if not s.text] == list(heads.items())


def test_numbers_of_rules_that_have_letters_and_dashes() -> None:
    text = """# Part 240 – Lamps of traders

## § 240.17a-3 Records of keepers.

(a) Every keeper must make these records:

(1) A log of every lamp that is lit.

(2) A list of oil that is bought.

(b) A keeper must sign each entry within one day.

## § 240.17a-4 Records to be preserved.

A keeper must preserve the log.

## § 240.17d-1 Lamps of strangers.

A keeper may lend a lamp to a stranger.
"""
    document = read(text, "rules.md")
    assert outline(document)[1:] == [
        "240 240.17a-3", "240 240.17a-3 a", "240 240.17a-3 a 1", "240 240.17a-3 a 2", "240 240.17a-3 b",
        "240 240.17a-4", "240 240.17d-1",
    ]  # fmt: skip
    assert document.structure == 1


def test_a_section_in_brackets_is_one() -> None:
    text = """**§12A-6 Lamps.** (a) No keeper shall light a lamp by day.

(b) A keeper shall log each lamp.

**[§12A-7]** **Lamps of schools.** (a) A school shall keep two lamps.

(b) A school shall test them each month.

**§12A-8 Oil.** A keeper shall store oil apart from food.
"""
    document = read(text, "code.md")
    assert outline(document) == ["12A-6", "12A-6 a", "12A-6 b", "12A-7", "12A-7 a", "12A-7 b", "12A-8"]
    assert [s.heading for s in document.sections if s.type == "section"] == ["Lamps", "Lamps of schools", "Oil"]


def test_a_division_that_commences_with_a_section_is_a_citation() -> None:
    text = """# Lamp Code

## 12. Logs

(a) A keeper shall log each lamp.

(b) Notwithstanding
Division 7 (commencing with Section 7920.000) of Title 1 of the Harbor Code, the log is secret.

## 13. Oil

A keeper shall store oil apart from food.
"""
    document = read(text, "code.md")
    assert [section.number for section in document.sections if section.number] == ["12", "a", "b", "13"]


_RULES = """<html><head><title>HAC Chapter 315-42</title></head><body><main><h3>Chapter 315-42 HAC</h3>
<h3>LAMPS OF BROKERS</h3><h3>HAC Sections</h3><table><tr><td colspan="3"><b>Part A—General</b></td></tr>
{rows}</table>{sections}</main></body></html>"""
_SECTION = """<section><span><a href="/x.pdf">PDF</a></span><h3>HAC <a href="/x">315-42-{number}</a></h3>
<h3>{title}.</h3><div>(1) For {title} a broker shall light a lamp, as <a>HAC</a> 315-42-{other}(2)(b) requires.</div>
<div>(2)(a) It shall buy oil for {title}.</div><div>(b) Oil for {title} shall be clear.</div>
<div>[Statutory Authority: HRC 43.17. HSR 24-05-031, § 315-42-{number}, filed 2/12/24.]</div>
<p><b>Reviser's note:</b> {title} differs from the last one.</p></section>"""


def test_the_rules_of_a_states_agencies_have_the_name_of_their_code_before_their_numbers() -> None:
    titles = {"010": "Purpose", "015": "Duties of brokers", "020": "Waivers", "025": "Fees"}
    rows = "".join(
        f'<tr><td><a href="/h">HTML</a><a href="/p">PDF</a></td><td><a>315-42-{n}</a></td><td>{title}.</td></tr>'
        for n, title in titles.items()
    )
    sections = "".join(
        _SECTION.format(number=n, title=title, other=other)
        for (n, title), other in zip(titles.items(), ["015", "020", "025", "010"], strict=True)
    )
    document = read(_RULES.format(rows=rows, sections=sections), "rules.html")
    assert [(s.number, s.label) for s in document.sections if s.type == "section"] == [
        (f"315-42-{n}", f"HAC 315-42-{n}") for n in titles
    ]
    by_eid = {section.eid: section for section in document.sections}
    assert by_eid["sec_315-42-020__para_2__point_b"].text == "Oil for Waivers shall be clear."
    assert not any(section.text.startswith("315-42") for section in document.sections)
    assert not any(section.text == "PDF" for section in document.sections)
    nodes = nodes_of("code", document.sections)
    found = cite_document("code", document.sections, corpus_index([DocumentInfo("code", document.title)], nodes))
    assert [(row["raw_text"], row["target_eid"]) for row in found if "HAC" in str(row["raw_text"])] == [
        (f"HAC 315-42-{n}(2)(b)", f"sec_315-42-{n}__para_2__point_b") for n in ("015", "020", "025", "010")
    ]


def test_the_rules_of_an_agency_join_the_numbers_of_its_department_chapter_and_rule() -> None:
    text = (
        "RULES OF\nARDEN DEPARTMENT OF LAMPS\nDIVISION OF OIL\n\nCHAPTER 0437-02-06\nLAMPS OF BROKERS\n\n"
        "0437-02-06-.01 PURPOSE.\n\n(1) This Chapter applies to every broker, subject to Rule 0437-02-06-.02(2).\n\n"
        "(2) A broker that lights a lamp shall keep it in the manner that paragraph (1) of this Rule\n\n"
        "(Rule 0437-02-06-.01, continued)\n\ndescribes.\n\n"
        "Authority: A.C.A. §§ 45-31-104 and 45-31-118. Administrative History: Original rule filed May 4, 2031.\n\n"
        "0437-02-06-.02 OIL.\n\n(1) Oil shall be clear.\n\n(2) Rules 0437-02-06-.01 and 0437-02-06-.02 hold for oil.\n"
    )
    document = read(text, "rules.txt")
    assert [(s.number, s.label) for s in document.sections if s.type == "section"] == [
        ("0437-02-06-01", "0437-02-06-.01"),
        ("0437-02-06-02", "0437-02-06-.02"),
    ]
    assert not [section for section in document.sections if section.type == "part"]
    by_eid = {section.eid: section for section in document.sections}
    first = next(eid for eid in by_eid if eid.endswith("sec_0437-02-06-01"))
    assert by_eid[f"{first}__para_2"].text == (
        "A broker that lights a lamp shall keep it in the manner that paragraph (1) of this Rule describes."
    )
    nodes = nodes_of("code", document.sections)
    found = cite_document("code", document.sections, corpus_index([DocumentInfo("code", document.title)], nodes))
    cited = [(row["raw_text"], str(row["target_eid"]).rpartition("sec_0437-02-06-")[2]) for row in found]
    assert [(words, eid) for words, eid in cited if "Rule" in str(words)] == [
        ("Rule 0437-02-06-.02(2)", "02__para_2"),
        ("paragraph (1) of this Rule", "01__para_1"),
        ("Rules 0437-02-06-.01 and 0437-02-06-.02", "01"),
        ("Rules 0437-02-06-.01 and 0437-02-06-.02", "02"),
    ]
    assert document.structure == 1
