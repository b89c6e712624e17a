"""Citations in the code of a state, between the sections that were read from its text."""

from __future__ import annotations

from dataclasses import replace

from antinomy.cite import DocumentInfo, NodeInfo, cite_document, corpus_index, nodes_of
from antinomy.parse import parse_document
from antinomy.settings.source import Source

_CODE = """# Chapter 7. Harbor Lamps.

## § 20.1-310. Duties of keepers.

A. A keeper shall:

1. Light each beacon;

2. Log each light; and

3. Store oil as subdivision B 2 and § 20.1-311.1 require.

B. Oil shall be stored:

1. Ashore; and

2. As this regulation says, but for what is burned under subdivisions A 1 through 3 on a day.

## § 20.1-311.1. Oil.

A. A keeper shall keep the log of subsection A of § 20.1-310.

B. Subdivision A 3 of § 20.1-310 holds for oil.
"""


def test_places_in_a_state_code() -> None:
    document = parse_document(Source("code", "code.md", "us"), _CODE.encode())
    nodes = [
        NodeInfo("code", s.eid, s.type, s.number, s.heading, s.parent_eid, at, s.label)
        for at, s in enumerate(document.sections)
    ]
    rows = cite_document("code", document.sections, corpus_index([DocumentInfo("code", document.title)], nodes))
    found: dict[str, list[str]] = {}
    for row in rows:
        assert row["resolution"] == "exact"
        found.setdefault(str(row["raw_text"]), []).append(str(row["target_eid"]).removeprefix("sec_20-1-"))
    assert found == {
        "subdivision B 2": ["310__para_B__point_2"],
        "§ 20.1-311.1": ["311-1"],
        "this regulation": ["None"],
        "subdivisions A 1 through 3": [f"310__para_A__point_{n}" for n in (1, 2, 3)],
        "subsection A of § 20.1-310": ["310__para_A"],
        "Subdivision A 3 of § 20.1-310": ["310__para_A__point_3"],
    }


def test_places_of_this_section_in_a_text_that_is_one_section() -> None:
    text = (
        "(a) A keeper shall:\n\n(1) Light each lamp.\n\n(2)(i) Keep oil.\n\n(ii) Log, with:\n\n(A) The lamp.\n\n"
        "(B) The oil, as specified in paragraph (a)(2)(i) of this section.\n\n"
        "(b) Sell no lamp of paragraph (a)(1) of this section.\n"
    )
    document = parse_document(Source("one", "one.txt", "us", grammar="numbered"), text.encode())
    corpus = corpus_index([DocumentInfo("one", document.title)], nodes_of("one", document.sections))
    found = {row["raw_text"]: row["target_eid"] for row in cite_document("one", document.sections, corpus)}
    assert found == {
        "paragraph (a)(2)(i) of this section": "para_a__point_2__point_i",
        "paragraph (a)(1) of this section": "para_a__point_1",
    }


def test_chapters_that_are_divided_into_subchapters() -> None:
    text = (
        "CHAPTER 41. LAMPS\n\nSUBCHAPTER A. KEEPERS\n\n"
        "Sec. 41.001. TITLE. This chapter is on lamps.\n\n"
        "Sec. 41.002. SCOPE. This subchapter holds for a keeper under Subchapter B of this chapter.\n\n"
        "SUBCHAPTER B. OIL\n\nSec. 41.051. OIL. (a) Oil is stored under Subchapters A and B.\n\n(b) It is dry.\n"
    )
    document = parse_document(Source("code", "code.txt", "us", grammar="numbered"), text.encode())
    corpus = corpus_index([DocumentInfo("code", document.title)], nodes_of("code", document.sections))
    rows = cite_document("code", document.sections, corpus)
    assert [(row["raw_text"], row["resolution"], row["target_eid"]) for row in rows] == [
        ("This chapter", "exact", "chp_41"),
        ("This subchapter", "exact", "chp_A"),
        ("Subchapter B of this chapter", "exact", "chp_B"),
        ("Subchapters A and B", "exact", "chp_A"),
        ("Subchapters A and B", "exact", "chp_B"),
    ]


def test_this_section_where_the_outermost_numbers_are_sections_without_titles() -> None:
    text = (
        "1. (1) This Act is on lamps.\n\n(2) A keeper shall log:\n\n(a) each lamp; and\n\n"
        "(b) each wick, as sub-section (1) of this section says.\n\n2. A keeper shall buy oil.\n\n"
        "3. (1) In this section, oil means whale oil of this subpart.\n\n(2) It is dry.\n"
    )
    document = parse_document(Source("act", "act.txt", "any", grammar="numbered"), text.encode())
    corpus = corpus_index([DocumentInfo("act", document.title)], nodes_of("act", document.sections))
    rows = cite_document("act", document.sections, corpus)
    assert [(row["raw_text"], row["resolution"], row["target_eid"]) for row in rows] == [
        ("This Act", "exact", None),
        ("sub-section (1) of this section", "exact", "para_1__point_1"),
        ("this section", "exact", "para_3"),
        ("this subpart", "external", None),
    ]


def test_an_appendix_beside_the_one_part_that_stands_below_the_title_of_its_cover() -> None:
    text = (
        "HARBOR STATE\n\nLAMPS AND OIL\n\nThe Department adopts Part 17, to read:\n\nPART 17. LAMPS AND OIL\n\n"
        "Section 17.1 Keepers.\n(a) A keeper shall light each lamp.\n(b) A keeper shall log each light.\n\n"
        "Section 17.2 Oil.\n(a) Oil is kept ashore.\n(b) Its keeper files the form in Appendix 17-A of this Part.\n\n"
        "APPENDIX 17-A\nFORM OF A KEEPER OF OIL\n\nName of the keeper and of each lamp.\n"
    )
    document = parse_document(Source("code", "code.txt", "us"), text.encode())
    title = next(section.eid for section in document.sections if section.type == "heading")
    sections = [replace(s, parent_eid=title) if s.type == "part" else s for s in document.sections]
    corpus = corpus_index([DocumentInfo("code", document.title)], nodes_of("code", sections))
    rows = cite_document("code", sections, corpus)
    (row,) = (row for row in rows if row["raw_text"] == "Appendix 17-A of this Part")
    assert (row["resolution"], row["target_eid"]) == ("exact", "app_17-A")


def test_subsections_and_subparagraphs_differ_in_their_letter_case_alone() -> None:
    text = (
        "# § 20. Beacons.\n\n(a) A keeper shall light a beacon:\n\n(1) at dusk:\n\n(A) in May; and\n\n"
        "(B) in June, unless subparagraph (A) or subsection (b) says otherwise; and\n\n(2) in fog.\n\n"
        "(b) No beacon is lit by day, whatever subsection (a) says.\n"
    )
    document = parse_document(Source("code", "code.md", "us"), text.encode())
    corpus = corpus_index([DocumentInfo("code", document.title)], nodes_of("code", document.sections))
    found = {row["raw_text"]: row["target_eid"] for row in cite_document("code", document.sections, corpus)}
    assert found == {
        "subparagraph (A)": "sec_20__para_a__point_1__point_A",
        "subsection (b)": "sec_20__para_b",
        "subsection (a)": "sec_20__para_a",
    }
