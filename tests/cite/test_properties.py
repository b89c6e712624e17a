"""Whatever the text: no crash, no hang, spans that hold, edges that end at sections of the corpus."""

from __future__ import annotations

import functools
import pickle

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from antinomy.cite import (
    Corpus,
    DocumentInfo,
    NodeInfo,
    cite_document,
    corpus_index,
    count_citations,
    nodes_of,
)
from antinomy.cite.tokens import scan
from antinomy.parse.model import Section
from antinomy.store import schemas
from antinomy.vocabulary import Resolution
from cite import outlines
from cite.conftest import ACT, AUDIT, DOCUMENTS, NODES, SECURITY, cite_in, sections_with
from growth import assert_linear, least_seconds

_PIECES = [
    "Article", "Articles", "Art.", "paragraph", "paragraphs", "point", "points", "subparagraph",
    "sub-paragraph", "subparagraphs", "first", "second", "last", "indent", "sentence", "Chapter",
    "Chapters", "Section", "Annex", "the Annex", "recital", "this", "that", "those", "the", "of", "to",
    "and", "or", ",", ", and", "as well as", "respectively", "thereof", "Regulation", "Regulations",
    "Directive", "(EU)", "(EC) No", "No", "2016/679", "1093/2010", "2009/110/EC", "TFEU", "1", "2", "3(1)",
    "5a", "6(8)(a)", "(1)", "(a)", "(b)", "(i)", "(ii)", "I", "II.C.5", "A", "12 CFR", "12 USC", "30",
    "appendix B", "supplement A to", "U.S.C.", "SR Letter", "13-19", "/", "CA", "OCC Bulletin",
    "FIL-44-2008", "NCUA Letter to Credit Unions", "01-CU-20", "NIST SP", "800-53", "Rev. 4", "ISO/IEC",
    "27001:2013", "PCI DSS", "Pub. L.", "“Audit”", "“", "”", "booklet", "booklets", "section", "sections",
    "Objective", "Appendix", "this booklet", "Information Security Standards", "Act", "GLBA",
    "is amended as follows:", "\u00ad", "\u200b", "ﬁrst", "’", "–", "\u202e", "é́", "word", "99999999999",
    "½", "٣", "§", "§§", "§ 930.1", "rule", "2.3.4R", "2.3.5G(2)", "subsection", "sub-paragraph", "Schedule", "Part 2",
    "this part", "of this section", "that section", "through", "(A)", "chapter", "HARB",
    "margin no.", "Rz 3", "let. a", "letters", "s.", "ss. 5", "Attachment A", "2.3", "(1) above", "under 3.2", "CPS 9",
    "FINMA Circular 2018/3", "MAS Notice", "23 NYCRR", "BankO", "FSMA", "SYSC 13.9", "this Prudential Standard",
]  # fmt: skip
_TEXTS = st.one_of(
    st.lists(st.sampled_from(_PIECES), max_size=40).map(" ".join),
    st.lists(st.sampled_from(_PIECES), max_size=40).map("".join),
    st.text(max_size=200),
)


@pytest.mark.parametrize(
    ("doc_id", "eid"),
    [
        (ACT, "art_6__para_8__point_b"),
        (SECURITY, "sec_II__subsec_C__para_5"),
        (outlines.RULE, "sec_930-10__para_a__point_1__point_i"),
        (outlines.BOOK, "para_2-3-4R__point_1"),
    ],
)
@settings(max_examples=150, deadline=None)
@given(text=_TEXTS)
def test_any_text_gives_sound_rows(corpus: Corpus, doc_id: str, eid: str, text: str) -> None:
    known = {f"{node.doc_id}#{node.eid}" for nodes in NODES.values() for node in nodes}
    rows = cite_in(corpus, doc_id, eid, text)
    end = 0
    spans = {}
    for row in rows:
        assert list(row) == schemas.columns("citations")
        assert text[row["start"] : row["end"]] == row["raw_text"]
        assert row["raw_text"]
        assert row["resolution"] in tuple(Resolution)
        assert 0 < row["confidence"] <= 1
        assert row["target_section_id"] is None or row["target_section_id"] in known
        assert row["resolution"] == "exact" or row["resolution"] == "external" or row["reason"]
        assert spans.setdefault(row["group_id"], (row["start"], row["end"])) == (row["start"], row["end"])
        assert row["start"] >= end or (row["start"], row["end"]) in spans.values()
        end = max(end, row["start"])
    assert len({row["citation_id"] for row in rows}) == len(rows)


_REPEATED = [
    "Article 1(1), point (a), ",
    "Article 1(1), point (a), and ",
    "point (a) of ",
    "points (a) to (z) of Articles 1 to 9 of ",
    "first, second, ",
    "Regulations (EU) No 1093/2010, (EU) No 1094/2010 and those Regulations ",
    "paragraph 1 of this Article, ",
    "(a)(i)(",
    "“A,” ",
    "“A” booklet and section I.A, “B,” ",
    "12 CFR 30, appendix B, ",
    "(EU, EU, ",
    "Regulation (EU, ",
    "the IT Handbook A ",
    "section 5 of the A of ",
    "NIST SP 800-53, ",
    "1/2/3",
    "9",
    "\u00ad",
    "that Article, ",
    "§ 930.10(a)(1), ",
    "paragraph (a)(1) of ",
    "paragraphs (a) through (f) and ",
    "Part 2 of Schedule 1, ",
    "rules 2.3.1R to ",
    "HARB 2.3.4R",
    "of this section ",
    "margin nos. 3-9, 12 and ",
    "letters a, b and c ",
    "under 3.2 and 3.3, ",
    "in (1), (2) ",
    "CPS 234, paragraph 20 of ",
    "section 5 of CPS 1 Master Direction ",
    "Companies Act 2006, s. 5 ",
    "HARB 2.3.1R to ",
    "paragraph 5.1 ",
    "In section 5 of the Ports Act 1991, for ",
    "section 5 (a b c) and ",
    "MAS Notice AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA ",
    "the Notice AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA ",
]


@pytest.mark.long
@pytest.mark.parametrize("pattern", _REPEATED)
@pytest.mark.parametrize("doc_id", [ACT, AUDIT, outlines.RULE])
def test_long_repetitions_take_linear_time(corpus: Corpus, doc_id: str, pattern: str) -> None:
    eid = {ACT: "art_6__para_8", AUDIT: "hd_introduction", outlines.RULE: "sec_930-10__para_a"}[doc_id]
    size = 20_000
    text = pattern * (size // len(pattern))
    assert all(text[row["start"] : row["end"]] == row["raw_text"] for row in cite_in(corpus, doc_id, eid, text)[:50])
    seconds = assert_linear(lambda n: cite_in(corpus, doc_id, eid, text[:n]), size, repeat=2)
    assert seconds < 200 * _seconds_of_a_bare_scan(size)


def test_a_long_code_that_cites_itself_takes_linear_time() -> None:
    def cite(size: int) -> None:
        sections = [
            Section(
                f"sec_{n}", "section", str(n), label=f"Section {n}", position=n,
                text=f"A keeper subject to section {size - n} or section {size + n} fills lamps.",
            )
            for n in range(1, size)
        ]  # fmt: skip
        index = corpus_index([DocumentInfo("code", "Lamps")], nodes_of("code", sections))
        assert len(list(cite_document("code", sections, index))) == 2 * (size - 1)

    assert_linear(cite, 4_000)


@functools.cache
def _seconds_of_a_bare_scan(size: int) -> float:
    return least_seconds(functools.partial(scan, "(a) " * (size // 4)))


def test_a_phrase_that_names_too_much_is_one_ambiguous_row(corpus: Corpus) -> None:
    text = "points " + ", ".join(f"({n})" for n in range(1, 2000)) + " of Article 3"
    rows = cite_in(corpus, ACT, "art_6__para_1", text)
    assert [row["resolution"] for row in rows] == ["ambiguous"]
    assert "more than" in str(rows[0]["reason"])


def test_the_index_pickles_small_and_cites_the_same(corpus: Corpus) -> None:
    packed = pickle.dumps(corpus)
    nodes = sum(len(nodes) for nodes in NODES.values())
    assert len(packed) < 400 * nodes
    texts = {"art_6__para_9": "See paragraph 8, point (c), and Article 5(2) of Directive (EU) 2029/50."}
    sections = sections_with(ACT, texts)
    assert cite_document(ACT, sections, pickle.loads(packed)) == cite_document(ACT, sections, corpus)


def test_a_document_without_sections_can_be_cited_and_cites_nothing() -> None:
    corpus = corpus_index(DOCUMENTS, NODES[ACT])
    assert cite_document(SECURITY, [], corpus) == []
    rows = cite_in(corpus, ACT, "art_6__para_1", "Article 2 of Directive (EU) 2029/50 and Directive (EU) 2029/50")
    assert [(row["resolution"], row["target_section_id"]) for row in rows] == [("missing", None), ("exact", None)]


def test_report_counts_by_kind_and_resolution_and_lists_what_is_not_exact(corpus: Corpus) -> None:
    text = "Article 6(1) and Article 99; this Regulation; points (a) and (z) of Article 2(3); Directive 2013/36/EU."
    counts = count_citations(cite_in(corpus, ACT, "art_8__para_1", text))
    assert (counts["phrases"], counts["edges"]) == (5, 6)
    assert counts["kinds"]["point"] == {"exact": 1, "parent": 1}
    assert counts["resolutions"] == {"exact": 3, "external": 1, "missing": 1, "parent": 1}
    internal = counts["internal"]
    assert (internal["phrases"], internal["edges"], internal["exact"], internal["share"]) == (3, 4, 2, 0.5)
    assert [(one["raw_text"], one["resolution"]) for one in internal["not_exact"]] == [
        ("Article 99", "missing"),
        ("points (a) and (z) of Article 2(3)", "parent"),
    ]


def test_a_handbook_with_arabic_numbers_in_an_appendix_is_still_read_as_a_handbook() -> None:
    kinds = {"hd_intro": "heading", "app_E": "appendix", "app_E__sec_1": "section"}
    nodes = [
        NodeInfo("bk", eid, kind, eid.rpartition("_")[2], parent_eid=eid.rpartition("__")[0], position=n)
        for n, (eid, kind) in enumerate(kinds.items())
    ]
    assert not corpus_index([DocumentInfo("bk", "Booklet")], nodes).tree("bk").is_outline
    assert corpus_index(outlines.DOCUMENTS, outlines.NODES[outlines.RULE]).tree(outlines.RULE).is_outline
