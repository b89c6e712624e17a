"""One act, four formats: the same ids, labels and texts; and the sample act as text and as PDF."""

from __future__ import annotations

from pathlib import Path

import pytest

from antinomy.parse import parse_document
from antinomy.parse.model import ParsedDocument, Section
from antinomy.settings.source import Source

ACTS = Path(__file__).parent / "acts"
SAMPLES = Path(__file__).parents[2] / "lib" / "antinomy" / "samples"
MEDIA_TYPES = {
    "txt": "text/plain",
    "md": "text/plain",
    "html": "text/html",
    "xml": "application/formex+xml",
}


def parse(path: Path) -> ParsedDocument:
    return parse_document(Source("32040R0077", str(path), "eu"), path.read_bytes())


def comparable(section: Section) -> tuple[str, ...]:
    texts = (" ".join(text.split()) for text in (section.heading, section.text))
    return (
        section.eid, section.type, section.number, section.label, section.parent_eid, section.term, *texts,
    )  # fmt: skip


@pytest.fixture(scope="module")
def lighthouse() -> ParsedDocument:
    return parse(ACTS / "lighthouse.txt")


@pytest.mark.parametrize("suffix", ["txt", "md", "html", "xml"])
def test_every_format_gives_the_same_tree(suffix: str, lighthouse: ParsedDocument) -> None:
    document = parse(ACTS / f"lighthouse.{suffix}")
    assert [comparable(s) for s in document.sections] == [comparable(s) for s in lighthouse.sections]
    assert document.media_type == MEDIA_TYPES[suffix]
    assert document.title == lighthouse.title
    assert document.in_force_from == "2041-07-01"
    assert document.coverage == 1.0


def test_pdf_and_text_of_the_sample_give_the_same_tree() -> None:
    text, pdf = parse(SAMPLES / "eu-orr.txt"), parse(SAMPLES / "eu-orr.pdf")
    assert [comparable(s) for s in pdf.sections] == [comparable(s) for s in text.sections]
    assert pdf.pages > 5
    assert text.pages == 0
    assert pdf.in_force_from == text.in_force_from == "2032-01-01"


def test_the_tree(lighthouse: ParsedDocument) -> None:
    """The whole tree, as a lawyer would draw it."""
    assert [f"{'  ' * s.depth}{s.eid}: {s.label}" for s in lighthouse.sections] == [
        "title: Title",
        "preamble: Preamble",
        "  cit_1: Citation 1",
        "  cit_2: Citation 2",
        "  rec_1: Recital 1",
        "  rec_2: Recital 2",
        "chp_I: Chapter I",
        "  chp_I__sec_I: Chapter I, Section I",
        "    art_1: Article 1",
        "      art_1__para_1: Article 1(1)",
        "        art_1__para_1__point_a: Article 1(1), point (a)",
        "          art_1__para_1__point_a__point_i: Article 1(1), point (a)(i)",
        "          art_1__para_1__point_a__point_ii: Article 1(1), point (a)(ii)",
        "            art_1__para_1__point_a__point_ii__item_1: Article 1(1), point (a)(ii), first indent",
        "            art_1__para_1__point_a__point_ii__item_2: Article 1(1), point (a)(ii), second indent",
        "          art_1__para_1__point_a__subpara_2: Article 1(1), point (a), second subparagraph",
        "        art_1__para_1__point_b: Article 1(1), point (b)",
        "        art_1__para_1__subpara_2: Article 1(1), second subparagraph",
        "          art_1__para_1__subpara_2__point_a: Article 1(1), second subparagraph, point (a)",
        "          art_1__para_1__subpara_2__point_b: Article 1(1), second subparagraph, point (b)",
        "      art_1__para_2: Article 1(2)",
        "    art_2: Article 2",
        "      art_2__point_1: Article 2, point (1)",
        "      art_2__point_2: Article 2, point (2)",
        "        art_2__point_2__point_a: Article 2, point (2)(a)",
        "        art_2__point_2__point_b: Article 2, point (2)(b)",
        "  chp_I__sec_II: Chapter I, Section II",
        "    art_3: Article 3",
        "      art_3__subpara_2: Article 3, second paragraph",
        "    art_3a: Article 3a",
        "      art_3a__point_a: Article 3a, point (a)",
        "      art_3a__point_b: Article 3a, point (b)",
        "chp_II: Chapter II",
        "  art_4: Article 4",
        "    art_4__point_1: Article 4, point (1)",
        "    art_4__point_2: Article 4, point (2)",
        "      art_4__point_2__point_a: Article 4, point (2)(a)",
        "      art_4__point_2__point_b: Article 4, point (2)(b)",
        "  art_5: Article 5",
        "    art_5__subpara_2: Article 5, second paragraph",
        "concl: Conclusions",
        "anx_I: Annex I",
        "  anx_I__point_1: Annex I, point 1",
        "    anx_I__point_1__point_a: Annex I, point 1(a)",
        "    anx_I__point_1__point_b: Annex I, point 1(b)",
        "  anx_I__point_2: Annex I, point 2",
        "anx_II: Annex II",
        "fn_1: Footnote 1 to Citation 2",
        "fn_2: Footnote 2 to Recital 1",
    ]


def test_texts(lighthouse: ParsedDocument) -> None:
    texts = {section.eid: section.text for section in lighthouse.sections}
    assert texts["rec_2"] == (
        "Keepers have so far followed rules of their own.\nThose rules differ from coast to coast."
    )
    assert texts["cit_2"] == "Having regard to the opinion of the Board of Pilots,"
    assert texts["art_4__point_1"] == (
        "in Article 6, paragraph 2 is replaced by the following:\n"
        "‘2. Signals shall be logged.\n3. The log shall be kept for five years.’;"
    )
    assert texts["fn_2"] == "Directive 2039/5/EU on lamps (OJ L 3, 4.1.2039, p. 1)."
    terms = {section.eid: section.term for section in lighthouse.sections if section.term}
    assert terms == {"art_2__point_1": "light", "art_2__point_2": "keeper"}
