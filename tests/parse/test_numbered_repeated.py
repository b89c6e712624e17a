"""Numbers printed again in front of each paragraph: 4(1), 4(2); § 70.4 (a), § 70.4 (b); 4. (1) in Article 4."""

from __future__ import annotations

import io
import textwrap
from collections.abc import Callable, Sequence

import docx
import pytest
from reportlab.lib.styles import getSampleStyleSheet
from reportlab.platypus import Paragraph, SimpleDocTemplate

from antinomy.parse import parse_document
from antinomy.parse.labels import leading_labels
from antinomy.parse.model import ParsedDocument
from antinomy.settings.source import Source

#: A heading's size, 0 for running text, and its words.
Blocks = list[tuple[int, str]]
_DUTY = (
    "The keeper shall trim the lamp before dusk and shall write down the hour at which it was lit, whatever section "
    "{n}(2) or the harbour master says of it, and as section {n}(3) and section {m}(1) of the Oil Act require."
)


def parse(data: str | bytes, name: str = "lamps.md") -> ParsedDocument:
    return parse_document(Source("lamps", name, "any"), data.encode() if isinstance(data, str) else data)


def markdown(blocks: Blocks) -> bytes:
    return "\n\n".join(f"{'#' * size} {text}".strip() for size, text in blocks).encode()


def plain_text(blocks: Blocks) -> bytes:
    return "\n\n".join(text if size else textwrap.fill(text, 72) for size, text in blocks).encode()


def word(blocks: Blocks) -> bytes:
    document = docx.Document()
    for size, text in blocks:
        document.add_heading(text, size) if size else document.add_paragraph(text)
    out = io.BytesIO()
    document.save(out)
    return out.getvalue()


def print_(blocks: Blocks) -> bytes:
    styles = getSampleStyleSheet()
    out = io.BytesIO()
    SimpleDocTemplate(out).build(
        [Paragraph(text, styles[f"Heading{size}" if size else "BodyText"]) for size, text in blocks]
    )
    return out.getvalue()


def _below(number: str) -> tuple[str, str]:
    """Return the first two numbers of a list below a paragraph with such a number."""
    return ("1", "2") if number.strip("()").isalpha() else ("a", "b")


def lamps(
    head: str, paragraphs: Sequence[str], above: str = "Matter {n}", part: str = "Part {p} Harbour {p}"
) -> Blocks:
    """Return an act of three parts with two provisions each, numbered through; the second paragraph has a list."""
    blocks = [(1, "Harbour Lamps Act of the Isle of Skarn")]
    for n in range(1, 7):
        if n % 2:
            blocks.append((2, part.format(p="ABC"[n // 2] if "Subpart" in part else n // 2 + 1)))
        blocks.append((3, above.format(n=n)))
        for at, printed in enumerate(paragraphs):
            label = f"{head.format(n=n)}{printed}"
            if at == 1:
                first, second = _below(printed)
                blocks += [
                    (0, f"{label} The keeper shall keep:"),
                    (0, f"({first}) oil; and"),
                    (0, f"({second}) wicks."),
                ]
            else:
                blocks.append((0, f"{label} {_DUTY.format(n=n, m=n + 1)}"))
    return blocks


def tree(document: ParsedDocument) -> list[tuple[str, str]]:
    """Return the labels and types of what is numbered, of the provisions alone."""
    types = ("section", "article", "paragraph", "point")
    return [(s.label, s.type) for s in document.sections if s.type in types]


FORMS = {
    "1(1)": (lamps("{n}", ["(1)", "(2)", "(3)"]), "Section {n}", "123", "section"),
    "1 (1)": (lamps("{n} ", ["(1)", "(2)", "(3)"]), "Section {n}", "123", "section"),
    "1. (1)": (lamps("{n}. ", ["(1)", "(2)", "(3)"]), "Section {n}", "123", "section"),
    "7.1 (1)": (lamps("7.{n} ", ["(1)", "(2)", "(3)"]), "Section 7.{n}", "123", "section"),
    "§ 70.1 (a)": (
        lamps("§ 70.{n} ", ["(a)", "(b)", "(c)"], "§ 70.{n} Matter {n}", "Subpart {p} Harbour"), "§ 70.{n}", "abc",
        "section",
    ),
    "Article 1, 1. (1)": (
        lamps("{n}. ", ["(1)", "(2)", "(3)"], "Article {n} Matter {n}"), "Article {n}", "123", "article",
    ),
    "Section 1, Section 1(1)": (
        lamps("Section {n}", ["(1)", "(2)", "(3)"], "Section {n} Matter {n}"), "Section {n}", "123", "section",
    ),
}  # fmt: skip


@pytest.mark.parametrize("typeset", [markdown, plain_text, word, print_])
@pytest.mark.parametrize("form", FORMS)
def test_each_paragraph_that_repeats_the_number_of_its_provision_is_one_of_it(
    form: str, typeset: Callable[[Blocks], bytes]
) -> None:
    blocks, provision, numbers, kind = FORMS[form]
    document = parse(typeset(blocks), "lamps")
    wanted = []
    for n in range(1, 7):
        own = provision.format(n=n)
        wanted += [(own, kind), (f"{own}({numbers[0]})", "paragraph"), (f"{own}({numbers[1]})", "paragraph")]
        wanted += [(f"{own}({numbers[1]})({point})", "point") for point in _below(numbers)]
        wanted.append((f"{own}({numbers[2]})", "paragraph"))
    assert tree(document) == wanted
    assert document.structure == 1
    assert document.coverage == 1
    assert document.breaks == []


def test_only_the_first_paragraph_may_bear_the_number() -> None:
    blocks = [(size, text if "(1)" in text[:6] else text[3:] if text[:2] in {f"{n}." for n in range(1, 7)} else text)
              for size, text in lamps("{n}. ", ["(1)", "(2)", "(3)"])]  # fmt: skip
    assert tree(parse(markdown(blocks))) == tree(parse(markdown(FORMS["1. (1)"][0])))


def test_a_whole_citation_may_stand_in_front_of_each_point() -> None:
    duties = [
        f"§ 70.{n}{label} The keeper shall see to lamp {n}."
        for n in range(1, 4)
        for label in ("(a)(1)", "(a)(2)", "(b)")
    ]
    duties[::3] = [f"§ 70.{n} Matter {n}.\n\n{duty}" for n, duty in enumerate(duties[::3], 1)]
    document = parse("PART 70. LAMPS\n\n" + "\n\n".join(duties), "lamps.txt")
    assert [label for label, _ in tree(document)][:5] == [
        "§ 70.1", "§ 70.1(a)", "§ 70.1(a)(1)", "§ 70.1(a)(2)", "§ 70.1(b)",
    ]  # fmt: skip
    assert document.structure == 1


def test_the_only_paragraph_of_an_article_may_repeat_its_number_too() -> None:
    parts = ["# Lamp Act"]
    for n in range(1, 6):
        parts.append(f"### Article {n} Matter {n}")
        parts += (
            [f"{n}. The keeper shall light lamp {n}."] if n == 3 else [f"{n}. ({k}) Lamp {n}{k} burns." for k in (1, 2)]
        )
    document = parse("\n\n".join(parts))
    texts = {section.label: section.text for section in document.sections}
    assert texts["Article 3"] == "The keeper shall light lamp 3."
    assert texts["Article 4(1)"] == "Lamp 41 burns."
    assert document.structure == document.coverage == 1


def test_a_paragraph_1_with_a_list_is_no_repetition_of_article_1() -> None:
    parts = ["# Lamp Act"]
    for n in range(1, 5):
        parts.append(f"### Article {n} Matter {n}")
        parts += [f"{k}. (1) Lamp {n}{k} burns.\n\n(2) It is low." for k in (1, 2)]
    document = parse("\n\n".join(parts))
    assert [label for label, _ in tree(document)][:7] == [
        "Article 1", "Article 1, paragraph 1", "Article 1, paragraph 1(1)", "Article 1, paragraph 1(2)",
        "Article 1, paragraph 2", "Article 1, paragraph 2(1)", "Article 1, paragraph 2(2)",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "text",
    [
        "Section 4(2) does not apply to a boat.", "§ 70.4 (b) and (c) apply to boats.", "4(2) shall not bind boats.",
        "Article 4(2), read with Article 5, binds a boat.",
    ],
)  # fmt: skip
def test_a_sentence_about_a_provision_bears_no_label(text: str) -> None:
    assert leading_labels(text) == ()


@pytest.mark.parametrize("text", ["3 February 2031", "3 FEBRUARY 2031", "1 April 2032, as amended"])
def test_a_date_bears_no_label(text: str) -> None:
    assert leading_labels(text) == ()
    assert leading_labels("3 February duties")[0].number == "3"


def test_a_paragraph_about_a_provision_is_none_of_its_number() -> None:
    parts = ["# Lamp Act"]
    for n in range(1, 5):
        parts += [f"### Section {n} Matter {n}", f"{n}. (1) The keeper shall light lamp {n}."]
        parts += [f"{n}. (2) It is blue.", f"Section {n} (3) does not apply to boats."]
    document = parse("\n\n".join(parts))
    assert "sec_2__para_3" not in {section.eid for section in document.sections}
    assert any("Section 2 (3) does not apply to boats." in section.text for section in document.sections)


def test_numbers_may_leave_room_where_the_next_part_begins() -> None:
    parts = ["# Lamp Regulations"]
    for part, first in ((1, 1), (2, 10), (3, 20)):
        parts.append(f"## Part {part} Harbour {part}")
        for n in range(first, first + 3):
            parts += [f"### Matter {n}", f"{n} (1) The keeper shall light lamp {n}.", f"{n} (2) It is blue."]
    document = parse("\n\n".join(parts))
    assert [label for label, kind in tree(document) if kind == "section"] == [
        f"Section {n}" for n in (1, 2, 3, 10, 11, 12, 20, 21, 22)
    ]
    assert document.structure == 1


def test_rules_whose_numbers_begin_with_that_of_a_section_are_below_it() -> None:
    parts = ["# Lamp Rulebook"]
    for chapter in (1, 2):
        parts.append(f"## Chapter {chapter} Harbour {chapter}")
        for section in (1, 2, 3):
            parts.append(f"### {chapter}.{section} Matter {section}")
            parts += [f"Rule {chapter}.{section}.{n} The keeper shall light lamp {n}." for n in (1, 2, 3)]
    document = parse("\n\n".join(parts))
    parents = {section.number: section.parent_eid for section in document.sections if section.number}
    assert {number: parent for number, parent in parents.items() if number.startswith("2.")} == {
        **{f"2.{section}": "chp_2" for section in (1, 2, 3)},
        **{f"2.{section}.{n}": f"sec_2-{section}" for section in (1, 2, 3) for n in (1, 2, 3)},
    }


def test_the_paragraphs_of_a_code_in_xml_may_be_cited_in_front_of_each_point() -> None:
    paragraphs = "".join(f"<P>(a)({n}) Lamp {n} burns.</P><P>(i) It is low;</P><P>(ii) it is blue.</P>" for n in (1, 2))
    section = f'<DIV8 N="§ 70.1" TYPE="SECTION"><HEAD>§ 70.1   Lamps.</HEAD>{paragraphs}<P>(b) Oil is dear.</P></DIV8>'
    document = parse(
        f'<?xml version="1.0"?><DIV5 N="70" TYPE="PART"><HEAD>PART 70—LAMPS</HEAD>{section}</DIV5>', "p.xml"
    )
    assert [label for label, _ in tree(document)] == [
        "§ 70.1", "§ 70.1(a)", "§ 70.1(a)(1)", "§ 70.1(a)(1)(i)", "§ 70.1(a)(1)(ii)",
        "§ 70.1(a)(2)", "§ 70.1(a)(2)(i)", "§ 70.1(a)(2)(ii)", "§ 70.1(b)",
    ]  # fmt: skip
