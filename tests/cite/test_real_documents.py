"""The citations of the real documents, against what a reader of them found."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from antinomy.cite import Corpus, DocumentInfo, cite_document, corpus_index, count_citations, nodes_of
from antinomy.parse.model import ParsedDocument

DORA = "32022R2554"
Rows = list[dict[str, Any]]


@pytest.fixture(scope="module")
def dora(regulations: Path, parsed: Callable[[Path, str], ParsedDocument]) -> tuple[ParsedDocument, Rows]:
    document = parsed(regulations / "dora" / "CELEX_32022R2554_EN_TXT.pdf", "eu")
    corpus = corpus_index([DocumentInfo(DORA)], nodes_of(DORA, document.sections))
    return document, cite_document(DORA, document.sections, corpus)


def test_internal_citations_of_dora_resolve(dora: tuple[ParsedDocument, Rows]) -> None:
    internal = count_citations(dora[1])["internal"]
    assert internal["share"] >= 0.98, internal["not_exact"]
    # Read one by one: 323 phrases, which expand to 407 edges.
    assert internal["phrases"] >= 320
    assert internal["edges"] >= 400


_MENTION = re.compile(
    r"\b(?:Articles?|[Pp]aragraphs?|[Pp]oints?|Chapters?|Sections?|Annex(?:es)?|[Rr]ecitals?)\s+[0-9(IVXLC]"
    r"|\b(?:Regulations?|Directives?|Decisions?)\s+(?:\(E|No\b|[0-9])"
    r"|\b(?:first|second|third|fourth)\s+(?:sub)?paragraphs?\b"
    r"|\b[Tt]h(?:is|at)\s+(?:Article|Chapter|Section|paragraph|Regulation|Directive)\b"
)


def test_no_mention_of_a_place_or_act_is_overlooked(dora: tuple[ParsedDocument, Rows]) -> None:
    document, rows = dora
    spans = defaultdict(list)
    for row in rows:
        spans[row["src_section_id"]].append((row["start"], row["end"]))
    overlooked = [
        f"{section.eid}: {section.text[max(0, m.start() - 30) : m.end() + 30]!r}"
        for section in document.sections
        for m in _MENTION.finditer(section.text)
        if not any(start <= m.start() < end for start, end in spans[f"{DORA}#{section.eid}"])
    ]
    assert overlooked == []


def test_spans_hold_and_no_edge_dangles(dora: tuple[ParsedDocument, Rows]) -> None:
    document, rows = dora
    texts = {f"{DORA}#{section.eid}": section.text for section in document.sections}
    for row in rows:
        assert texts[row["src_section_id"]][row["start"] : row["end"]] == row["raw_text"]
        assert row["target_section_id"] is None or row["target_section_id"] in texts
        assert row["resolution"] != "external" or (row["doc_ref"] != DORA and row["target_section_id"] is None)


# Where the words stand, the words, and the places or "act > place" meant.
_READ = [
    ("art_1__para_2", "Article 4 of that Directive", "32022L2555 > art_4"),
    ("art_2__para_4", "Article 2(5), points (4) to (23), of Directive 2013/36/EU", "20 points of 32013L0036"),
    ("art_3__point_2", "Article 6, point 1, of Directive (EU) 2022/2555", "32022L2555 > art_6__point_1"),
    ("art_3__point_23", "Article 31", "art_31"),
    ("art_3__point_46", "Article 2(1), points (34) to (36) thereof", "3 points of 32014R0600"),
    ("art_3__point_61", "Article 31(1), point (b) of this Regulation", "art_31__para_1__point_b"),
    ("art_4__para_2", "Chapters III, IV and V, Section I", "chp_III, chp_IV, chp_V__sec_I"),
    ("art_4__para_2", "those Chapters", "chp_III, chp_IV, chp_V"),
    ("art_5__para_2__subpara_2", "first subparagraph", "art_5__para_2"),
    ("art_5__para_2__subpara_2__point_e", "Article 11(1) and (3)", "art_11__para_1, art_11__para_3"),
    ("art_9__para_4__subpara_2", "first subparagraph, point (b)", "art_9__para_4__point_b"),
    ("art_16__para_1", "Articles 5 to 15 of this Regulation", ", ".join(f"art_{n}" for n in range(5, 16))),
    ("art_16__para_1__subpara_2__point_g", "point (f)", "art_16__para_1__subpara_2__point_f"),
    ("art_16__para_2", "paragraph 1, second subparagraph, point (a)", "art_16__para_1__subpara_2__point_a"),
    ("art_19__para_4", "Article 20, first paragraph, point (a), point (ii)", "art_20__point_a__point_ii"),
    ("art_23", "this Chapter", "chp_III"),
    ("art_26__para_1", "paragraph 8, third subparagraph, of this Article", "art_26__para_8__subpara_3"),
    ("art_26__para_4", "paragraph 2, first and second subparagraphs", "art_26__para_2, art_26__para_2__subpara_2"),
    ("art_26__para_6", "paragraph 9 or 10", "art_26__para_9, art_26__para_10"),
    ("art_30__para_3__subpara_2", "point (e)", "art_30__para_3__point_e"),
    ("art_31__para_2__point_b__point_ii", "point (i)", "art_31__para_2__point_b__point_i"),
    ("art_32__para_7", "this Section", "chp_V__sec_II"),
    ("art_36__para_1__point_b", "Article 39(1) and (2), point (a)", "art_39__para_1, art_39__para_2__point_a"),
    ("art_46", "Chapter V, Section II, of this Regulation", "chp_V__sec_II"),
    ("art_46__point_a", "Article 6(4) of Regulation (EU) No 1024/2013", "32013R1024 > art_6__para_4"),
    ("art_54__para_6", "paragraphs 1 to 4", "art_54__para_1, art_54__para_2, art_54__para_3, art_54__para_4"),
    ("art_57__para_2", "Articles 31(6) and 43(2)", "art_31__para_6, art_43__para_2"),
    ("art_58__para_1__point_d", "Article 2(3), point (e)", "art_2__para_3__point_e"),
]  # fmt: skip


@pytest.mark.parametrize(("eid", "words", "meant"), _READ, ids=[f"{one[0]}: {one[1]}" for one in _READ])
def test_citations_of_dora_as_a_lawyer_reads_them(
    dora: tuple[ParsedDocument, Rows], eid: str, words: str, meant: str
) -> None:
    rows = [r for r in dora[1] if r["src_section_id"] == f"{DORA}#{eid}" and r["raw_text"] == words]
    found = [r["target_eid"] if r["doc_ref"] == DORA else f"{r['doc_ref']} > {r['target_eid']}" for r in rows]
    many = re.fullmatch(r"([0-9]+) points of (\w+)", meant)
    if many:
        assert len(found) == int(many[1])
        assert all(one.startswith(many[2]) for one in found)
    else:
        assert ", ".join(found) == meant


@pytest.fixture(scope="module")
def handbook(
    regulations: Path, parsed: Callable[[Path, str], ParsedDocument]
) -> tuple[dict[str, ParsedDocument], dict[str, Rows]]:
    files = {"infosec": "informationsecurity", "audit": "audit"}
    documents = {
        name: parsed(regulations / "ffiec" / f"ffiec_itbooklet_{file}.pdf", "us") for name, file in files.items()
    }
    infos = [DocumentInfo("infosec", "Information Security"), DocumentInfo("audit", "Audit")]
    corpus: Corpus = corpus_index(infos, [n for name, d in documents.items() for n in nodes_of(name, d.sections)])
    return documents, {name: cite_document(name, d.sections, corpus) for name, d in documents.items()}


@pytest.mark.slow
def test_the_handbook_names_its_instruments(handbook: tuple[dict[str, ParsedDocument], dict[str, Rows]]) -> None:
    refs = {row["doc_ref"] for row in handbook[1]["infosec"] if row["resolution"] == "external"}
    assert refs >= {
        "12 CFR 30 app. B", "12 CFR 208 app. D-2", "12 CFR 225 app. F", "12 CFR 364 app. B", "12 CFR 748 app. A",
        "15 USC 6801", "15 USC 6805(b)", "SR 05-19", "OCC Bulletin 2013-29", "FIL-13-2015", "NCUA Letter 01-CU-20",
        "NIST SP 800-30 Rev. 1", "ISO/IEC 11770-1:2010", "Pub. L. 95-630",
    }  # fmt: skip
    kinds = count_citations(handbook[1]["infosec"])["kinds"]
    assert kinds["letter"]["external"] >= 100
    assert kinds["cfr"]["external"] >= 30


@pytest.mark.slow
def test_references_across_booklets_resolve(handbook: tuple[dict[str, ParsedDocument], dict[str, Rows]]) -> None:
    across = [row for row in handbook[1]["infosec"] if row["doc_ref"] == "audit"]
    assert across
    assert {row["resolution"] for row in across} == {"exact"}
    headings = {row["target_section_id"] for row in across if row["kind"] == "heading"}
    assert headings == {"audit#hd_third-party-reviews-of-technology-service-providers"}


@pytest.mark.slow
def test_sections_of_the_standards_are_not_taken_for_the_booklets(
    handbook: tuple[dict[str, ParsedDocument], dict[str, Rows]],
) -> None:
    rows = [row for row in handbook[1]["infosec"] if row["kind"] == "section"]
    standards = [row for row in rows if row["doc_ref"] == "12 CFR 30 app. B"]
    assert len(standards) >= 8
    assert all(row["target_section_id"] is None for row in standards)
    # "…and section III.C", behind a citation of the Standards: the booklet has a section III.C too.
    assert [(row["raw_text"], row["resolution"]) for row in rows if row not in standards] == [
        ("section III.C", "ambiguous")
    ]
