"""Titles that look like labels, in the formats in which a user has them: the sections stand at the top, not below."""

from __future__ import annotations

import io

import docx
import pytest

from antinomy.parse import parse_document
from antinomy.parse.model import ParsedDocument
from antinomy.settings.source import Source

_BODY = """
# 1. Purpose
1.1 This text says how a bank keeps its lamps.
1.2 A bank must keep each lamp in a dry place.
# 2. Tests
2.1 A bank must test each lamp every year.
2.2 A bank must keep a record of:
(a) each test; and
(b) each lamp that failed.
# 3. Reports
3.1 A bank must report a broken lamp within 24 hours.
# Annex A Forms
A1. The form for a broken lamp must be used.
""".strip().split("\n")


def _word(titles: list[str], named: str) -> bytes:
    document = docx.Document()
    for title in titles:
        document.add_paragraph(title, style=named)
    for line in _BODY:
        document.add_paragraph(line.removeprefix("# "), style="Heading 1" if line.startswith("#") else "Normal")
    stream = io.BytesIO()
    document.save(stream)
    return stream.getvalue()


def _html(titles: list[str]) -> bytes:
    body = "".join(f"<h2>{line[2:]}</h2>" if line.startswith("#") else f"<p>{line}</p>" for line in _BODY)
    return f"<html><body>{''.join(f'<h1>{title}</h1>' for title in titles)}{body}</body></html>".encode()


def _markdown(titles: list[str]) -> bytes:
    return "\n\n".join([*(f"# {title}" for title in titles), *(line.replace("# ", "## ") for line in _BODY)]).encode()


def _text(titles: list[str]) -> bytes:
    return "\n\n".join([*titles, *(line.removeprefix("# ") for line in _BODY)]).encode()


def _tree(data: bytes) -> ParsedDocument:
    return parse_document(Source("x", "x", ""), data)


_FORMATS = {
    "word title": lambda titles: _word(titles, "Title"),
    "word heading": lambda titles: _word(titles, "Heading 1"),
    "html": _html, "markdown": _markdown, "text": _text,
}  # fmt: skip


@pytest.mark.parametrize("form", _FORMATS)
@pytest.mark.parametrize(
    "titles",
    [
        ["Guideline T-21"],
        ["Guideline T-21", "Keeping of lamps"],
        ["Guideline T-21", "Keeping of lamps", "Issued on 3 May 2031"],
        ["Notice 626", "Keeping of lamps"],
        ["Circular 2031/4", "Keeping of lamps"],
        ["Standard 12: Lamps"],
        ["POL-014 Lamp policy"],
    ],
    ids="; ".join,
)
def test_a_title_like_a_label_is_the_title(titles: list[str], form: str) -> None:
    document = _tree(_FORMATS[form](titles))
    assert document.title == titles[0]
    tops = [section.eid for section in document.sections if not section.parent_eid]
    assert [eid for eid in tops if eid not in ("title", "preamble")] == ["sec_1", "sec_2", "sec_3", "anx_A"]
    assert document.coverage == 1.0


@pytest.mark.parametrize("form", ["word title", "html", "markdown"])
def test_a_number_set_larger_than_all_headings_is_the_titles(form: str) -> None:
    document = _tree(_FORMATS[form](["7.2 Lamp policy"]))
    assert (document.title, document.sections[1].label) == ("7.2 Lamp policy", "Section 1")


def test_a_numbered_part_that_a_document_begins_with_stays_a_part() -> None:
    first = "Guideline 1 Lamps\n\nA bank must keep lamps.\n\nGuideline 2 Horns\n\nA bank must keep horns.\n\n"
    assert [s.eid for s in _tree(first.encode()).sections] == ["sec_1", "sec_2"]
    excerpt = (
        "# 7. Lamps\n\n7.1 A bank must keep lamps.\n\n7.2 A bank must test them.\n\n# Annex 1\n\n1. A form is used.\n"
    )
    assert [s.eid for s in _tree(excerpt.encode()).sections][:3] == ["sec_7", "para_7-1", "para_7-2"]


def test_what_changed_a_provision_and_a_title_with_a_year_head_nothing() -> None:
    text = (
        "Harbour Lamps (Oil) Regulations 2041\n\nNo. S 12\nHarbour Lamps\n(Oil)\nRegulations 2041\n"
        "The Warden makes the following Regulations:\n\n"
        "1. Keepers\n\n(1)\n\nA keeper shall light each lamp.\n\nAmended by 3/2042\n\n"
        "(2)\n\nA keeper shall log each lamp.\n\nAmended by 3/2042\n\n2. Oil\n\nOil shall be dry.\n"
    )
    sections = parse_document(Source("text", "text.txt", "any", grammar="numbered"), text.encode()).sections
    assert not [section for section in sections if section.type == "rule" or "3/2042" in section.heading]
    assert {section.text for section in sections} >= {
        "A keeper shall light each lamp.", "A keeper shall log each lamp.", "Oil shall be dry.",
    }  # fmt: skip


def test_a_circular_behind_its_letter_is_called_what_it_calls_itself() -> None:
    letter = [
        "HARBOUR BANK OF THE COAST HBC/2041-42/107 November 7, 2041 The Chairman of Each Harbour; Lamp Keepers;",
        "Foghorn Companies;",
        "Dear Sir, Please refer to the statement of May 2041. The directions are enclosed. Yours faithfully, A. B.",
    ]
    body = [
        "1. Short title",
        "1.1 These Directions shall be called the Harbour Bank (Lamps) Directions, 2041.",
        *_BODY[4:],
    ]
    document = _tree("\n\n".join([*letter, *(line.removeprefix("# ") for line in body)]).encode())
    assert document.title == "Harbour Bank (Lamps) Directions, 2041"


def test_the_mark_of_a_footnote_is_no_part_of_a_title() -> None:
    assert _tree(_markdown(["Lamps of Harbours*"])).title == "Lamps of Harbours"
