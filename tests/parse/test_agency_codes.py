"""Rules of agencies that put a short name before the numbers of chapters, parts and sections, and their histories."""

from __future__ import annotations

import pytest

from antinomy.cite import DocumentInfo, cite_document, corpus_index, nodes_of
from antinomy.parse import parse_document
from antinomy.parse.labels import leading_labels
from antinomy.parse.model import ParsedDocument
from antinomy.settings.source import Source


def read(text: str, name: str = "rule.txt") -> ParsedDocument:
    return parse_document(Source("rule", name, "any"), text.encode())


def cited(document: ParsedDocument) -> dict[str, list[str]]:
    """Return the phrases that cite, and what each of them leads to in the document; elsewhere nothing."""
    corpus = corpus_index([DocumentInfo("rule", document.title)], nodes_of("rule", document.sections))
    found: dict[str, list[str]] = {}
    for row in cite_document("rule", document.sections, corpus):
        own = row["resolution"] == "exact" and row["target_eid"]
        found.setdefault(str(row["raw_text"]), []).extend([str(row["target_eid"])] if own else [])
    return found


_CHAPTER = """Chapter {code}

LAMPS IN HARBORS

Subchapter I — General
{code}.01 Purpose.
{code}.02 Definitions.
Subchapter II — Keepers
{code}.05 Lighting.
{code}.10 Logs.

Subchapter I — General

{code}.01  Purpose.  This chapter rests on s. {number}.05 (1), Stats. It binds keepers under subch. II.

History:  Cr. Register, May, 2031, No. 905, eff. 6-1-31.

{code}.02  Definitions.  In this chapter:

(1)  “Beacon” means a lamp that ships steer by.

(2)  “Keeper” means a person who lights a beacon.

History:  Cr. Register, May, 2031, No. 905, eff. 6-1-31; CR 33-001: am. (1) Register June 2033 No. 930.

Subchapter II — Keepers

{code}.05  Lighting.  (1)  A keeper shall light a beacon:

(a)  In one of these cases:

1.  Fog.

2.  Snow, other than in the case of subd. 1.

(b)  At dusk, other than under par. (a) 1.

(2)  A lamp under sub. (1) (a) 1. or (b) may be put out as ss. {code}.01 to {number}.10 say.

Note:  Fog is announced by the harbor.

History:  Cr. Register, May, 2031, No. 905, eff. 6-1-31.

{code}.10  Logs.  A keeper shall log what s. {code}.05 (1) (a) 2. requires, by ch. {code} and subchs. I and II.

History:  CR 33-001: cr. Register June 2033 No. 930, eff. 7-1-33.
"""


@pytest.mark.parametrize("code", ["HBR-Lmp 44", "Hb-L 4", "Hbl 144", "HBL 44", "HB 144"])
def test_a_chapter_whose_sections_begin_with_the_name_of_the_agency(code: str) -> None:
    number = code.split()[1]
    document = read(_CHAPTER.format(code=code, number=number))
    sections = [(s.label, s.heading) for s in document.sections if s.type == "section"]
    titles = {"01": "Purpose", "02": "Definitions", "05": "Lighting", "10": "Logs"}
    assert sections == [(f"{code}.{n}", title) for n, title in titles.items()]
    assert [(s.label, s.heading) for s in document.sections if s.type == "chapter"] == [
        (f"Chapter {code}", "LAMPS IN HARBORS"),
        ("Subchapter I", "General"),
        ("Subchapter II", "Keepers"),
    ]
    # A history stands beside the provision, and is no part of its words; nor does it head the next one.
    assert sum(s.text.startswith("History:") for s in document.sections) == 4
    assert not [s for s in document.sections if "History" in s.heading or "\nHistory" in s.text or "Note" in s.heading]
    section = f"sec_{number}-"
    assert cited(document) == {
        "This chapter": [f"chp_{number}"],
        "this chapter": [f"chp_{number}"],
        f"s. {number}.05 (1), Stats": [],
        "subch. II": ["chp_II"],
        "subd. 1": [f"{section}05__para_1__point_a__point_1"],
        "par. (a) 1.": [f"{section}05__para_1__point_a__point_1"],
        "sub. (1) (a) 1. or (b)": [f"{section}05__para_1__point_a__point_1", f"{section}05__para_1__point_b"],
        f"ss. {code}.01 to {number}.10": [f"{section}{n}" for n in titles],
        f"s. {code}.05 (1) (a) 2.": [f"{section}05__para_1__point_a__point_2"],
        code: [f"chp_{number}"],
        "subchs. I and II": ["chp_I", "chp_II"],
    }
    assert not [fault for fault in document.faults if f"{number}.0" not in fault]


_PARTS = """CHAPTER {a} 800  LAMPS IN HARBORS

Statutory Authority:  RHA 151:9, I; RHA 541-A:7

PART {a} 801  GENERAL

          {a} 801.01  Purpose.  The purpose of this chapter is to carry out RHA 151 for keepers, as {a} 809 does
not apply.

          Source.  (See Revision Note at chapter heading for {a} 800) #9988, eff 1-2-30

          New.  #12001, eff 3-4-36; ss by #12345, eff 5-6-37

          {a} 801.02  "Keeper" means a person who lights a lamp.

          Source.  #12001, eff 3-4-36

          {a} 801.03  Scope.

          (a)  This part shall apply to keepers, except as provided in {a} 802.01(b).

          (b)  It shall not apply to:

                    (1)  A pier; or

                    (2)  A ship:

                              a.  At sea; or

                              b.  In dock.

          (c)  Keepers under (b)(2)a. or b. above shall comply with {a} 802.

          Source.  #12001, eff 3-4-36

PART {a} 802  DUTIES

          {a} 802.01  Lighting.

          (a)  A keeper shall light the lamp under {a} 801.02 and {a} 801.03.

          (b)  A keeper shall log it as {a} 801.01 through {a} 801.03 require.

          Source.  #12001, eff 3-4-36


                              APPENDIX

          Rule                      Statute the Rule Implements

          {a} 801                {pad}RHA 151:2; RHA 151:4
          {a} 801.02             {pad}RHA 151:1
          {a} 801.02 and 801.03  {pad}RHA 151:11
          {a} 802                {pad}RHA 151:12, I
"""


@pytest.mark.parametrize("agency", ["He-L", "Lamp", "Lmp", "Hbr-Wk"])
def test_chapters_and_parts_have_the_name_of_the_agency_and_are_cited_by_it_alone(agency: str) -> None:
    document = read(_PARTS.format(a=agency, pad=" " * (6 - len(agency))))
    outer = [(s.label, s.heading) for s in document.sections if s.type in ("chapter", "part")]
    assert outer == [
        (f"Chapter {agency} 800", "LAMPS IN HARBORS"),
        (f"Part {agency} 801", "GENERAL"),
        (f"Part {agency} 802", "DUTIES"),
    ]
    assert {s.parent_eid for s in document.sections if s.type == "part"} == {"chp_800"}
    sections = {s.number: s for s in document.sections if s.type == "section"}
    assert [*sections] == ["801.01", "801.02", "801.03", "802.01"]
    assert [s.heading for s in sections.values()] == ["Purpose", "", "Scope", "Lighting"]
    assert sections["801.02"].text == '"Keeper" means a person who lights a lamp.'
    assert not [s for s in document.sections if s.heading.startswith(("Source", "New", "Statutory"))]
    rows = [s.text for s in document.sections if "__table_1__" in s.eid]
    assert rows[2] == f"Rule: {agency} 801.02 and 801.03; Statute the Rule Implements: RHA 151:11"
    found = cited(document)
    assert found[f"{agency} 802.01(b)"] == ["sec_802-01__para_b"]
    assert found[f"{agency} 802"] == ["part_802", "part_802"]
    assert found["(b)(2)a. or b."] == [f"sec_801-03__para_b__point_2__point_{mark}" for mark in "ab"]
    assert found[f"{agency} 801.01 through {agency} 801.03"] == [f"sec_801-0{n}" for n in (1, 2, 3)]
    assert found[f"{agency} 801.02 and 801.03"] == ["sec_801-02", "sec_801-03"]
    assert f"{agency} 809" not in found
    assert document.structure == 1


@pytest.mark.parametrize(
    "line",
    [
        "Regulation EU 2 Lamps",
        "Schedule No 3 Lamps",
        "Part II 12 Months",
        "PART ONE 3 Lamps",
        "Chapter He-P 800 applies",
    ],
)
def test_what_is_no_agency_before_a_number(line: str) -> None:
    marks = leading_labels(line)
    assert not marks or marks[0].number in ("II", "ONE", "1")


def test_parts_of_a_sourcebook_are_no_sections_of_a_code() -> None:
    text = "\n\n".join(
        f"LAMP 2.{n} Lamps of kind {n}\n\nLAMP 2.{n}.1 R A keeper must light lamp {n}." for n in range(1, 12)
    )
    document = read(f"LAMP 2 Lamps\n\n{text}")
    assert {s.type for s in document.sections if s.number.count(".") == 1} == {"section"}
    assert not [s for s in document.sections if s.eid.startswith("sec_2-10__sec")]
    assert "LAMP 2.10" in {s.label for s in document.sections}


_LINKED = """<html><head><title>Chapter Hbr-L 44</title></head><body><main>
<div id="t">Chapter Hbr-L 44</div><div>LAMPS IN HARBORS</div>
{sections}</main></body></html>"""
_SECTION = """<div><span><a href="/code/{n}" title="Permanent link">Hbr-L 44.{n}</a></span><b>Hbr-L 44.{n}</b>&#8195;
<b>Lamps of pier {n}.</b> </div>
<div><span><a href="/code/{n}/1">44.{n}(1)</a></span><span>(1)</span>&#8195;A keeper of pier {n}
shall pay by Table 44.{n}.</div>
<div><span><a href="/code/{n}/1/a">44.{n}(1)(a)</a></span><span>(a)</span>&#8195;In coin of pier {n}; or</div>
<div><span><a href="/code/{n}/1/b">44.{n}(1)(b)</a></span><span>(b)</span>&#8195;With all of the following:</div>
<div><span><a href="/code/{n}/1/b/1">44.{n}(1)(b)1.</a></span><span>1.</span>&#8195;Oil of pier {n}.</div>
<div><div><b>Table 44.{n}</b></div><div>Fees of Pier {n}</div><table><tr><th>Lamp</th><th>Fee</th></tr>
<tr><td>Large</td><td>$9</td></tr><tr><td>Small</td><td>$4</td></tr></table></div>
<div><b>History:</b> <a href="/cr">CR 32-05{n}</a>: cr. Register March 2033 No. 807, eff. 4-1-33.</div>"""


def test_links_beside_the_numbers_that_they_repeat_go_and_a_table_has_its_number() -> None:
    document = read(_LINKED.format(sections="".join(_SECTION.format(n=n) for n in ("01", "02", "03"))), "code.html")
    by_eid = {section.eid: section for section in document.sections}
    assert [s.number for s in document.sections if s.type == "section"] == ["44.01", "44.02", "44.03"]
    assert by_eid["sec_44-02"].heading == "Lamps of pier 02"
    assert by_eid["sec_44-02__para_1"].text == "A keeper of pier 02 shall pay by Table 44.02."
    assert by_eid["sec_44-02__para_1__point_b__point_1"].text == "Oil of pier 02."
    tables = {section.heading: section.eid for section in document.sections if section.type == "table"}
    assert [*tables] == [f"Table 44.{n} Fees of Pier {n}" for n in ("01", "02", "03")]
    assert cited(document)["Table 44.02"] == [tables["Table 44.02 Fees of Pier 02"]]
    assert not [s for s in document.sections if "(1)(a)" in s.text]


def test_a_link_that_is_not_said_again_stays() -> None:
    document = read(
        "<html><body><h1>Rules on lamps</h1><p>1. A keeper lights lamps.</p>"
        "<p><a href='/2'>2.</a> A keeper buys oil.</p>"
        "<p><a href='/3'>3.</a> 4 lamps are lit on a pier.</p></body></html>",
        "rules.html",
    )
    assert [s.number for s in document.sections if s.number] == ["1", "2", "3"]


_RULES_OF_IDAHO = """31.11.02 – RULES GOVERNING LAMPS AND BEACONS

000.    LEGAL AUTHORITY.
This chapter is adopted under Section 61-515, Idaho Code.                          (3-31-22)

001. -- 009.    (RESERVED)

010.    DEFINITIONS.
The definitions in Subsections 010.01 through 010.02 of these rules apply.         (3-31-22)

    01.     Beacon. A lamp that stands on a tower. It may turn.                    (3-31-22)

    02.     Keeper. The person whom the list in Paragraph 020.02.b. of these rules names.
                                                                                   (3-31-22)(7-1-25)
011. -- 019.    (RESERVED)

020.    DUTIES OF KEEPERS.

    01.     Inspection. A keeper inspects each beacon every night. Form B-2 (4-1-19)
is filled in each time; a copy is kept as Paragraph 020.02.a., or 020.02.b., requires. (3-31-22)

    02.     Records. A keeper keeps:                                               (3-31-22)

        a.      The copies of the form; and                                        (3-31-22)

        b.      A list of keepers, with:                                           (3-31-22)

            i.      The name; and                                                  (7-1-25)T

            ii.     The day of birth.                                              (7-1-25)

    03.     Loss. A loss of the days in Subparagraph 020.02.b.ii. is reported.     (3-31-22)

021. – 999.     (Reserved)
"""


def test_idaho_prints_dates_behind_each_paragraph_and_joins_all_marks_by_stops() -> None:
    document = read(_RULES_OF_IDAHO)
    assert [section.term for section in document.sections if section.term] == ["Beacon", "Keeper"]
    texts = {section.eid: section.text or section.heading for section in document.sections}
    assert texts.pop("title").endswith("RULES GOVERNING LAMPS AND BEACONS")
    inspection = texts.pop("sec_020__para_01")
    assert "Form B-2 (4-1-19) is filled" in inspection
    assert inspection.endswith("requires.")
    assert texts == {
        "sec_000": "This chapter is adopted under Section 61-515, Idaho Code.",
        "sec_001-009": "(RESERVED)",
        "sec_010": "The definitions in Subsections 010.01 through 010.02 of these rules apply.",
        "sec_010__point_01": "Beacon. A lamp that stands on a tower. It may turn.",
        "sec_010__point_02": "Keeper. The person whom the list in Paragraph 020.02.b. of these rules names.",
        "sec_011-019": "(RESERVED)",
        "sec_020": "DUTIES OF KEEPERS",
        "sec_020__para_02": "Records. A keeper keeps:",
        "sec_020__para_02__point_a": "The copies of the form; and",
        "sec_020__para_02__point_b": "A list of keepers, with:",
        "sec_020__para_02__point_b__point_i": "The name; and",
        "sec_020__para_02__point_b__point_ii": "The day of birth.",
        "sec_020__para_03": "Loss. A loss of the days in Subparagraph 020.02.b.ii. is reported.",
        "sec_021-999": "(Reserved)",
    }
    point = "sec_020__para_02__point_"
    assert cited(document) == {
        "This chapter": [],
        "Section 61-515, Idaho Code": [],
        "Subsections 010.01 through 010.02 of these rules": ["sec_010__point_01", "sec_010__point_02"],
        "Paragraph 020.02.b. of these rules": [f"{point}b"],
        "Form B-2": [],
        "Paragraph 020.02.a., or 020.02.b.": [f"{point}a", f"{point}b"],
        "Subparagraph 020.02.b.ii.": [f"{point}b__point_ii"],
    }


def test_this_chapter_is_the_document_that_has_subchapters() -> None:
    rules = "\n\n".join(
        f"SUBCHAPTER {letter} – {title}\n\n0{number}0.    {duty.upper()}.\n\nA keeper lights a lamp under {cites}."
        for letter, title, number, duty, cites in (
            ("A", "LAMPS", 1, "Lights", "Subchapter B of this chapter"),
            ("B", "OIL", 2, "Oil", "Subchapters A through B of this chapter"),
        )
    )
    found = cited(read(f"RULES ON LAMPS\n\n{rules}\n"))
    assert found["Subchapter B of this chapter"] == ["chp_B"]
    assert found["Subchapters A through B of this chapter"] == ["chp_A", "chp_B"]


_RULES_OF_MINNESOTA = """CHAPTER 7410, LAMPS OF HARBORS

7410.0100 DEFINITIONS.

Subpart 1. Scope. The terms in this part have the meanings given them.

Subp. 2. Keeper. "Keeper" means a person who lights a lamp under this chapter.

Subp. 3. Lamp. "Lamp" means a light at the end of a mole.

7410.0150 [Repealed, 46 SR 1187]

7410.0200 DUTIES.

Subpart 1. Oil. A keeper, as defined in part 7410.0100, subpart 2, must choose:

A. whale oil; or

B. other oil that is:

(1) clear; and

(2) no darker than is allowed by subitem (1) and by subpart 2, item A, subitem (1).

Subp. 2. Hours. A lamp burns for:

A. the time in the following table, and in June:

(1) eight hours; or

(2) six hours in fog.

Subp. 3. Exceptions. Parts 7410.0100 to 7410.0200 and subpart 2, items A and B, do not apply to a buoy.
"""


def test_minnesota_prints_the_title_of_a_chapter_behind_a_comma_and_calls_the_parts_of_a_rule_subparts() -> None:
    document = read(_RULES_OF_MINNESOTA)
    heads = {section.eid: section.heading or section.text for section in document.sections}
    assert heads["chp_7410"] == "LAMPS OF HARBORS"
    assert heads["sec_7410-0150"] == "[Repealed, 46 SR 1187]"
    places = cited(document)
    oil, hours = "sec_7410-0200__subsec_1__point_", "sec_7410-0200__subsec_2__point_"
    assert places["this chapter"] == ["chp_7410"]
    assert places["part 7410.0100, subpart 2"] == ["sec_7410-0100__point_2"]
    assert places["subitem (1)"] == [f"{oil}B__point_1"]
    assert places["subpart 2, item A, subitem (1)"] == [f"{hours}A__point_1"]
    assert places["Parts 7410.0100 to 7410.0200"] == ["sec_7410-0100", "sec_7410-0150", "sec_7410-0200"]


@pytest.mark.parametrize("text", ["CHAPTER 3, and no other, holds.", "Chapter 3, Part 2", "PART 3, Oil"])
def test_a_comma_behind_a_number_in_running_text_begins_no_title(text: str) -> None:
    assert leading_labels(text) == ()
