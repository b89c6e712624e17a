"""Laws in XML: the same tree as from their print; hostile files are refused, and soon."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from antinomy import section_ids
from antinomy.cite import DocumentInfo, cite_document, corpus_index, nodes_of
from antinomy.errors import DocumentError
from antinomy.parse import detect, parse_document
from antinomy.parse.model import ParsedDocument, Section
from antinomy.settings.source import Source
from growth import assert_linear

LAWS = Path(__file__).parent / "laws"
CFR, AKN, USLM = "application/cfr+xml", "application/akn+xml", "application/uslm+xml"


def parse(data: bytes) -> ParsedDocument:
    return parse_document(Source("law", "law", "us", grammar="numbered"), data)


def comparable(section: Section) -> tuple[str, ...]:
    texts = (" ".join(text.split()) for text in (section.heading, section.text))
    return (section.eid, section.type, section.number, section.label, section.parent_eid, section.term, *texts)


def tree(document: ParsedDocument) -> dict[str, str]:
    return {s.eid: " ".join(f"{s.heading} {s.text}".split()) for s in document.sections}


@pytest.mark.parametrize(
    ("print_", "xml", "media_type"),
    [
        ("harbor.txt", "harbor.xml", CFR),
        ("harbor.txt", "harbor-fr.xml", CFR),
        ("harbours.txt", "harbours.akn.xml", AKN),
    ],
)
def test_xml_and_print_give_the_same_tree(print_: str, xml: str, media_type: str) -> None:
    text, stated = (parse((LAWS / name).read_bytes()) for name in (print_, xml))
    assert stated.media_type == media_type
    assert [comparable(s) for s in stated.sections] == [comparable(s) for s in text.sections]
    assert len(stated.sections) > 30
    assert stated.coverage == text.coverage == 1.0


def test_the_part_as_a_lawyer_would_draw_it() -> None:
    document = parse((LAWS / "harbor.xml").read_bytes())
    assert [f"{'  ' * s.depth}{s.eid}: {s.label}" for s in document.sections] == [
        "part_930: Part 930",
        "  part_930__subpara_1: Part 930, paragraph 1",
        "  part_930__subpara_2: Part 930, paragraph 2",
        "  subpart_A: Subpart A",
        "    sec_930-1: § 930.1",
        "      sec_930-1__para_a: § 930.1(a)",
        "        sec_930-1__para_a__point_1: § 930.1(a)(1)",
        "          sec_930-1__para_a__point_1__point_i: § 930.1(a)(1)(i)",
        "          sec_930-1__para_a__point_1__point_ii: § 930.1(a)(1)(ii)",
        "        sec_930-1__para_a__point_2: § 930.1(a)(2)",
        "      sec_930-1__para_b-d: § 930.1(b)",
        "      sec_930-1__para_e: § 930.1(e)",
        "    sec_930-2: § 930.2",
        *[f"      sec_930-2__point_{n}: § 930.2({n})" for n in (1, 2, 3)],
        "    sec_930-3: § 930.3",
        "  subpart_B: Subpart B",
        "    sec_930-10: § 930.10",
        "      sec_930-10__para_a: § 930.10(a)",
        "        sec_930-10__para_a__point_1: § 930.10(a)(1)",
        "        sec_930-10__para_a__point_2: § 930.10(a)(2)",
        "          sec_930-10__para_a__point_2__point_i: § 930.10(a)(2)(i)",
        "          sec_930-10__para_a__point_2__point_ii: § 930.10(a)(2)(ii)",
        "            sec_930-10__para_a__point_2__point_ii__point_A: § 930.10(a)(2)(ii)(A)",
        "            sec_930-10__para_a__point_2__point_ii__point_B: § 930.10(a)(2)(ii)(B)",
        "        sec_930-10__para_a__point_3: § 930.10(a)(3)",
        "      sec_930-10__para_b: § 930.10(b)",
        "      sec_930-10__para_c: § 930.10(c)",
        "        sec_930-10__para_c__point_1: § 930.10(c)(1)",
        "        sec_930-10__para_c__point_2: § 930.10(c)(2)",
        *[f"      sec_930-10__para_{letter}: § 930.10({letter})" for letter in "defghij"],
        "    sec_930-11: § 930.11",
        "      sec_930-11__para_a: § 930.11(a)",
        "      sec_930-11__para_b: § 930.11(b)",
        "        sec_930-11__para_b__point_1: § 930.11(b)(1)",
        "        sec_930-11__para_b__point_2: § 930.11(b)(2)",
        "    sec_930-12: § 930.12",
        "app_A: Appendix A to Part 930",
        "  app_A__para_a: Appendix A to Part 930(a)",
        "  app_A__para_b: Appendix A to Part 930(b)",
    ]


def test_its_citations_resolve() -> None:
    document = parse((LAWS / "harbor.xml").read_bytes())
    corpus = corpus_index([DocumentInfo("law")], nodes_of("law", document.sections))
    found = {
        (str(row["src_section_id"]).partition("#")[2], row["raw_text"]): (row["resolution"], row["target_eid"])
        for row in cite_document("law", document.sections, corpus)
    }
    assert found == {
        ("part_930__subpara_1", "12 U.S.C. 93a and 1462a"): ("external", None),
        ("part_930__subpara_2", "60 FR 35680"): ("external", None),
        ("sec_930-1__para_a__point_2", "paragraph (a)(1)(ii) of this section"): (
            "exact", "sec_930-1__para_a__point_1__point_ii",
        ),
        ("sec_930-1__para_a__point_1", "This part"): ("exact", "part_930"),
        ("sec_930-1__para_e", "this part"): ("exact", "part_930"),
        ("sec_930-1__para_e", "12 CFR part 30"): ("external", None),
        ("sec_930-2", "this part"): ("exact", "part_930"),
        ("sec_930-10__para_d", "paragraph (c)(1) of this section"): ("exact", "sec_930-10__para_c__point_1"),
        ("sec_930-11__para_b", "paragraph (a) of this section"): ("exact", "sec_930-11__para_a"),
        ("sec_930-12", "§ 930.11"): ("exact", "sec_930-11"),
        ("app_A", "§ 930.10"): ("exact", "sec_930-10"),
    }  # fmt: skip


_USLM = b"""<?xml version="1.0"?><uscDoc xmlns="http://xml.house.gov/schemas/uslm/1.0"><meta><docNumber>12</docNumber>
</meta><main><title><num value="12">Title 12\xe2\x80\x94</num><heading>BANKS</heading>
<chapter><num value="9">CHAPTER 9\xe2\x80\x94</num><heading>HARBORS</heading><toc><layout>Sec.</layout></toc>
<section><num value="901">\xc2\xa7 901.</num><heading> Duties of banks</heading>
<subsection><num value="a">(a)</num><heading> In general</heading><chapeau>A bank shall\xe2\x80\x94</chapeau>
<paragraph><num value="1">(1)</num><content>hold <i>sound</i> funds<footnote><num>1</num> So in law.</footnote>; and
</content></paragraph><paragraph><num value="2">(2)</num><content>tell the Warden.</content></paragraph>
<continuation>Each year it does so anew.</continuation></subsection>
<subsection><num value="b">(b)</num><content>Nothing here binds a pilot.</content></subsection>
<sourceCredit>(June 1, 1940, ch. 2)</sourceCredit><notes><note><p>Amended.</p></note></notes></section></chapter>
</title></main></uscDoc>"""


def test_united_states_code() -> None:
    document = parse(_USLM)
    assert document.media_type == USLM
    assert tree(document) == {
        "title_12": "BANKS",
        "chp_9": "HARBORS",
        "sec_901": "Duties of banks",
        "sec_901__para_a": "In general A bank shall—",
        "sec_901__para_a__point_1": "hold sound funds; and",
        "sec_901__para_a__point_2": "tell the Warden.",
        "sec_901__para_a__subpara_1": "Each year it does so anew.",
        "sec_901__para_b": "Nothing here binds a pilot.",
        "fn_1": "1 So in law.",
    }
    assert {s.eid: s.label for s in document.sections}["sec_901__para_a__point_1"] == "§ 901(a)(1)"


def test_akoma_ntoso_of_an_eu_act_has_the_ids_of_an_eu_act() -> None:
    body = """<preamble><recitals><recital><num>(1)</num><p>Ships need lights.</p></recital></recitals></preamble><body>
        <chapter><num>CHAPTER I</num><heading>General</heading><article><num>Article 1</num><heading>Lights</heading>
        <paragraph><num>1.</num><list><intro><p>A light shall be:</p></intro><point><num>(a)</num><content><p>white;</p>
        </content></point><point><num>(b)</num><content><p>red.</p></content></point></list></paragraph>
        <paragraph><num>2.</num><content><p>It shall turn.</p></content></paragraph></article></chapter></body>"""
    act = f'<akomaNtoso xmlns="http://docs.oasis-open.org/legaldocml/ns/akn/3.0"><act>{body}</act></akomaNtoso>'
    document = parse_document(Source("x", "x", "eu"), act.encode())
    assert tree(document) == {
        "preamble": "",
        "rec_1": "Ships need lights.",
        "chp_I": "General",
        "art_1": "Lights",
        "art_1__para_1": "A light shall be:",
        "art_1__para_1__point_a": "white;",
        "art_1__para_1__point_b": "red.",
        "art_1__para_2": "It shall turn.",
    }


def test_headings_of_paragraphs_and_captions_of_tables_stay_in_an_eu_act() -> None:
    rows = "<tr><th>Lamp</th><th>Fee</th></tr><tr><td>Red</td><td>5</td></tr>"
    table = f"<table><caption>Table of fees</caption>{rows}</table>"
    body = f"""<body><article><num>Article 1</num><heading>Lights</heading>
        <paragraph><num>1.</num><heading>Colour</heading><content><p>A light shall be white.</p></content></paragraph>
        <paragraph><num>2.</num><heading>Fees</heading><content><p>A bank shall pay:</p>{table}</content></paragraph>
        </article></body>"""
    act = f'<akomaNtoso xmlns="http://docs.oasis-open.org/legaldocml/ns/akn/3.0"><act>{body}</act></akomaNtoso>'
    document = parse_document(Source("x", "x", "eu"), act.encode())
    assert {s.eid: s.heading for s in document.sections if s.heading} == {
        "art_1": "Lights",
        "art_1__para_1": "Colour",
        "art_1__para_2": "Fees",
    }
    assert "Table of fees\n| Lamp | Fee |" in "\n".join(section.text for section in document.sections)
    assert document.coverage == 1.0


def test_notes_of_a_federal_rule_are_text_in_the_outline_of_an_eu_act() -> None:
    note = "<NOTE><HED>Note to § 1.1:</HED><P>Oil is good.</P></NOTE>"
    section = f'<DIV8 TYPE="SECTION"><HEAD>§ 1.1 Oil.</HEAD><P>A bank shall burn oil.</P>{note}</DIV8>'
    part = f'<DIV5 N="1" TYPE="PART"><HEAD>PART 1—LAMPS</HEAD>{section}</DIV5>'
    document = parse_document(Source("x", "x", "us", grammar="eu"), part.encode())
    texts = [section.text for section in document.sections if section.text]
    assert texts == ["A bank shall burn oil.", "Note to § 1.1:", "Oil is good."]


def test_a_heading_between_two_articles_keeps_its_words_and_theirs() -> None:
    articles = [
        f"<article><num>Article {n}</num><heading>{heading}</heading><paragraph><num>1.</num><content><p>{text}</p>"
        "</content></paragraph></article>"
        for n, heading, text in ((1, "Lights", "A light shall turn."), (2, "Horns", "A horn shall be loud."))
    ]
    body = f"<body>{'<crossHeading>Of sounds</crossHeading>'.join(articles)}</body>"
    act = f'<akomaNtoso xmlns="http://docs.oasis-open.org/legaldocml/ns/akn/3.0"><act>{body}</act></akomaNtoso>'
    document = parse_document(Source("x", "x", "eu"), act.encode())
    found = tree(document)
    assert {eid: found[eid] for eid in ("art_1", "art_1__para_1", "art_2", "art_2__para_1")} == {
        "art_1": "Lights",
        "art_1__para_1": "A light shall turn.",
        "art_2": "Horns",
        "art_2__para_1": "A horn shall be loud.",
    }
    assert "Of sounds" in found.values()
    assert document.coverage == 1.0


def formex(opening: str, text: str) -> bytes:
    article = f'<ARTICLE IDENTIFIER="001"><TI.ART>Article 1</TI.ART><PARAG><NO.PARAG>1.</NO.PARAG><ALINEA>{text}'
    closing = "</ALINEA></PARAG></ARTICLE></ENACTING.TERMS></ACT>"
    return f"<ACT>{opening}<ENACTING.TERMS>{article}{closing}".encode()


def test_formex_may_begin_with_a_heading_whatever_its_grammar() -> None:
    act = formex("<STI>Of lights</STI>", "A light shall turn.")
    document = parse(act)
    assert document.media_type == "application/formex+xml"
    texts = list(tree(document).values())
    assert any("Of lights" in text for text in texts)
    assert "A light shall turn." in texts
    assert document.coverage == 1.0


@pytest.mark.parametrize(("code", "sign"), [("201C", "“"), ("ZZ", "‘"), ("FFFFFFFFFF", "‘"), ("-1", "‘")])
def test_a_quotation_mark_of_formex_without_a_valid_code_is_printed_as_one_all_the_same(code: str, sign: str) -> None:
    text = f'<QUOT.START CODE="{code}"/>light<QUOT.END CODE="2019"/> means a lamp that turns.'
    document = parse_document(Source("x", "x", "eu"), formex("", text))
    assert tree(document)["art_1__para_1"] == f"{sign}light’ means a lamp that turns."


def test_what_an_act_quotes_of_another_is_no_provision_of_its_own() -> None:
    act = (LAWS / "harbours.akn.xml").read_text(encoding="utf-8")
    quoted = "<mod>In the Old Act <quotedStructure><section><num>5A</num><content><p>New.</p></content></section>"
    amended = act.replace("A pilot may appeal.", f"{quoted}</quotedStructure></mod>")
    assert amended != act
    texts = tree(parse(amended.encode()))
    assert texts["sec_5__para_1"] == "In the Old Act 5A New."
    assert "sec_5A" not in texts


def test_a_row_of_a_table_in_akoma_ntoso_is_a_provision_with_its_column_heads() -> None:
    rows = "".join(
        f"<tr><td><p>{lamp}</p></td><td><p>{fee}</p></td></tr>" for lamp, fee in (("small", 2), ("large", 5))
    )
    table = f"<table><tr><th><p>Lamp</p></th><th><p>Fee</p></th></tr>{rows}</table>"
    law = parse(
        '<akomaNtoso xmlns="http://docs.oasis-open.org/legaldocml/ns/akn/3.0"><act><body><section><num>1</num>'
        f"<content><p>Keepers pay these fees.</p>{table}</content></section></body></act></akomaNtoso>".encode()
    )
    assert [text for eid, text in tree(law).items() if "__table_1__" in eid] == [
        "Lamp: small; Fee: 2", "Lamp: large; Fee: 5",
    ]  # fmt: skip


def test_other_xml_is_refused_by_name() -> None:
    with pytest.raises(DocumentError, match=r"none of .*akn"):
        detect(b'<?xml version="1.0"?><rss><channel><title>News</title></channel></rss>')


_HEADS = [b'<DIV5 N="1" TYPE="PART"><HEAD>PART 1</HEAD>', b'<akomaNtoso xmlns="x"><act><body>', b"<RULE><REGTEXT>"]


@given(st.sampled_from(_HEADS), st.binary(max_size=500))
@settings(max_examples=60, deadline=None)
def test_random_bytes_after_a_true_beginning(head: bytes, data: bytes) -> None:
    _check(head + data)


_PIECES = st.sampled_from([
    "<section><num>1</num>", "<section>", "</section>", "<paragraph><num>(a)</num>", "</paragraph>", "<p>x</p>",
    "<content>", "</content>", "<heading>H</heading>", "<part><num>Part 1</num>", "</part>", "text (i) and",
    "<table><tr>", "</tr></table>", "<authorialNote><p>n</p></authorialNote>", "</hcontainer>",
    "<hcontainer name='schedule'>", "<crossHeading>C</crossHeading>",
    "<DIV8 N='1' TYPE='SECTION'><HEAD>&#167; 1.1 A.</HEAD>", "</DIV8>",
    "<P>(a)(1) x</P>", "<HD1>I. Intro</HD1>", "<FTNT><P><SU>1</SU> n</P></FTNT>",
    "<TABLE><TR><TD>(a)</TD></TR></TABLE>",
])  # fmt: skip


@given(st.sampled_from(["akomaNtoso", "ECFR"]), st.lists(_PIECES, max_size=30))
@settings(max_examples=150, deadline=None)
def test_shuffled_elements(root: str, pieces: list[str]) -> None:
    _check(f"<{root}>{''.join(pieces)}</{root}>".encode())
    _check(f"<{root}><P>(a) x</P><section><num>1</num><p>y</p></section>{_balanced(pieces)}</{root}>".encode())


def _balanced(pieces: list[str]) -> str:
    return "".join(piece for piece in pieces if piece.count("</") == piece.count("<") - piece.count("</"))


def _check(data: bytes) -> None:
    for regime in ("us", "eu"):
        try:
            document = parse_document(Source("x", "x", regime), data)
        except DocumentError:
            continue
        seen: set[str] = set()
        for section in document.sections:
            assert section_ids.build(section_ids.parse(section.eid)) == section.eid
            assert section.eid not in seen
            assert not section.parent_eid or section.parent_eid in seen
            seen.add(section.eid)
        assert document.tree_words <= document.body_words


_LAUGHS = "".join(f'<!ENTITY {b} "{f"&{a};" * 10}">' for a, b in zip("abcdefgh", "bcdefghi", strict=True))


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(b'<DIV5 N="1" TYPE="PART">' + b"<DIV6>" * 300, id="deep parts"),
        pytest.param(b"<akomaNtoso>" + b"<section><num>1</num>" * 240 + b"</section>" * 240, id="deep sections"),
        pytest.param(
            b'<!DOCTYPE a [<!ENTITY a "aaaaaaaaaa">' + _LAUGHS.encode()
            + b"]><akomaNtoso><section>&i;</section></akomaNtoso>",
            id="billion laughs",
        ),
        pytest.param(
            b'<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/hostname">]><akomaNtoso><section>&x;</section></akomaNtoso>',
            id="a file from outside",
        ),
        pytest.param(b"<ECFR><P>" + b"word " * 4_000_000 + b"</P></ECFR>", id="one text of 20 MB"),
    ],
)  # fmt: skip
@pytest.mark.timeout(60)  # an entity that is expanded, or a text that is read before it is refused, would take longer
def test_hostile_xml_is_refused(data: bytes) -> None:
    with pytest.raises(DocumentError):
        parse_document(Source("x", "x", "us"), data)


@pytest.mark.parametrize(
    ("make", "size"),
    [
        pytest.param(
            lambda n: b"<akomaNtoso><body>" + b"<section><num>1</num>" * n + b"<p>x</p>" + b"</section>" * n
            + b"</body></akomaNtoso>",
            80,
            id="nested sections",
        ),
        pytest.param(
            lambda n: b"<akomaNtoso><body><section><num>1</num>" + b"<paragraph><num>(a)</num><p>x</p></paragraph>" * n
            + b"</section></body></akomaNtoso>",
            10_000,
            id="one label over and over",
        ),
        pytest.param(
            lambda n: b"<ECFR><DIV8 TYPE='SECTION'><HEAD>\xc2\xa7 1.1 A.</HEAD>" + b"<P>(i) x</P>" * n
            + b"</DIV8></ECFR>",
            600,
            id="a label that can be two",
        ),
        pytest.param(
            lambda n: b"<ECFR><DIV8 TYPE='SECTION'><HEAD>\xc2\xa7 1.1 A.</HEAD><P>" + b"(a)" * n
            + b"</P></DIV8></ECFR>",
            100_000,
            id="labels without end",
        ),
    ],
)  # fmt: skip
def test_big_and_odd_xml_takes_linear_time(make: Callable[[int], bytes], size: int) -> None:
    assert_linear(lambda n: _check(make(n)), size)
