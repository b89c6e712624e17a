"""The US grammar on the ten booklets of the FFIEC handbook, on the bundled sample, and on small texts.

Golden files: ``us_numbered.json`` has every numbered heading as the contents lists and bookmarks print them (the
contents list of one booklet stops at the third level, its bookmarks miss II.C.13); ``us_outline.json`` has the
bookmarks of the five unnumbered booklets, a title that a bookmark cuts off completed from the contents list;
``us_inner.json`` has the headings that these booklets print without a bookmark, read page by page.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from antinomy import samples
from antinomy.parse import parse_document
from antinomy.parse.model import ParsedDocument, Section
from antinomy.parse.outline import words
from antinomy.settings.source import Source

GOLDEN = Path(__file__).parent / "golden"
NUMBERED = json.loads((GOLDEN / "us_numbered.json").read_text(encoding="utf-8"))
OUTLINE = json.loads((GOLDEN / "us_outline.json").read_text(encoding="utf-8"))
INNER = json.loads((GOLDEN / "us_inner.json").read_text(encoding="utf-8"))
FILES = {
    "aio": "aio", "audit": "audit", "bcm": "businesscontinuitymanagement_v3",
    "dam": "developmentacquisitionmaintenance", "infosec": "informationsecurity", "management": "management",
    "outsourcing": "outsourcingtechnologyservices", "retail": "retailpaymentsystems",
    "supervision": "supervisionoftechnologyserviceproviders", "wholesale": "wholesalepaymentsystems",
}  # fmt: skip
#: What each page bears outside of its text: running head and, in the Word booklets, the foot before the number.
RUNNING = {
    "aio": ("FFIEC IT Examination Handbook Architecture, Infrastructure, and Operations", "June 2021"),
    "audit": ("Audit Booklet", ""),
    "bcm": ("FFIEC IT Examination Handbook Business Continuity Management", "November 2019"),
    "dam": ("FFIEC IT Examination Handbook Development, Acquisition, and Maintenance", "August 2024"),
    "infosec": ("FFIEC IT Examination Handbook Information Security", "September 2016"),
    "management": ("FFIEC IT Examination Handbook Management", "November 2015"),
    "outsourcing": ("Outsourcing Technology Services Booklet", ""),
    "retail": ("FFIEC IT Examination Handbook Appendix E: Mobile Financial Services", "April 2016"),
    "supervision": ("Supervision of Technology Service Providers (TSP) Booklet", ""),
    "wholesale": ("Wholesale Payment Systems Booklet", ""),
}
#: Reading these takes more than a few seconds each.
LARGE = ("aio", "bcm", "dam", "infosec", "management", "retail")
ALL = [pytest.param(name, marks=pytest.mark.slow) if name in LARGE else name for name in FILES]


@pytest.fixture
def booklet(
    regulations: Path, parsed: Callable[[Path, str], ParsedDocument], request: pytest.FixtureRequest
) -> ParsedDocument:
    """The booklet that the test is parametrized with."""
    return parsed(regulations / "ffiec" / f"ffiec_itbooklet_{FILES[request.param]}.pdf", "us")


def _named(names: list[str]) -> pytest.MarkDecorator:
    """Parametrize a test with booklets and their names."""
    marks = {name: [pytest.mark.slow] if name in LARGE else [] for name in names}
    return pytest.mark.parametrize(
        ("booklet", "name"), [pytest.param(n, n, marks=marks[n], id=n) for n in names], indirect=["booklet"]
    )


def _by_eid(document: ParsedDocument) -> dict[str, Section]:
    return {section.eid: section for section in document.sections}


def _plain(text: str) -> str:
    return re.sub(r"\W+", " ", text).strip().lower()


# Headings


@_named(list(NUMBERED))
def test_every_numbered_heading_is_there_and_none_is_invented(booklet: ParsedDocument, name: str) -> None:
    cited = re.compile(rf"{re.escape(booklet.title)}, Section ([IVXL]+\S*)")
    found = [
        (match[1], _plain(section.heading))
        for section in booklet.sections
        if section.heading and (match := cited.fullmatch(section.label))
    ]
    assert found == [(number, _plain(heading)) for number, heading in NUMBERED[name] if number]


@_named(list(NUMBERED))
def test_numbers_nest_as_their_ids_say(booklet: ParsedDocument, name: str) -> None:
    by_eid = _by_eid(booklet)
    steps = ("sec_", "__subsec_", "__para_", "__point_")
    types = ("section", "subsection", "paragraph", "point")
    for number, _ in NUMBERED[name]:
        parts = re.findall(r"[^.()]+", number)
        if parts:
            section = by_eid["".join(step + part for step, part in zip(steps, parts, strict=False))]
            assert (section.type, section.number) == (types[len(parts) - 1], parts[-1])


@_named(list(NUMBERED))
def test_introduction_and_appendices_have_their_titles(booklet: ParsedDocument, name: str) -> None:
    found = {_plain(f"{s.label.split(', ')[-1]} {s.heading}") for s in booklet.sections if s.type == "appendix"}
    found |= {_plain(s.heading) for s in booklet.sections if s.eid == "hd_introduction"}
    assert found == {_plain(heading) for number, heading in NUMBERED[name] if not number}


@_named(list(OUTLINE))
def test_unnumbered_headings_stand_as_deep_as_the_bookmarks_say(booklet: ParsedDocument, name: str) -> None:
    found = []
    for s in booklet.sections:
        if s.type in ("heading", "appendix"):
            number = f"Appendix {s.number}" if s.type == "appendix" else s.number
            found.append((s.depth, _plain(f"{number} {s.heading}")))
    outline = [(level, _plain(heading)) for level, heading in OUTLINE[name]]
    inner = Counter((level, _plain(heading)) for level, heading in INNER[name])
    assert [heading for heading in found if heading in outline and not inner[heading]] == [
        heading for heading in outline if not inner[heading]
    ]
    assert Counter(found) == Counter(outline) + inner


@pytest.mark.parametrize("booklet", ALL, indirect=True)
def test_no_two_sections_have_the_same_id_or_label(booklet: ParsedDocument) -> None:
    for names in ([s.eid for s in booklet.sections], [s.label for s in booklet.sections]):
        assert [name for name, times in Counter(names).items() if times > 1] == []


@pytest.mark.parametrize("booklet", ["supervision"], indirect=True)
def test_a_repeated_heading_is_told_by_what_stands_above_it(booklet: ParsedDocument) -> None:
    ratings = [s for s in booklet.sections if s.heading == "Ratings"]
    assert [s.eid for s in ratings] == [
        f"app_A__hd_{part}__hd_ratings"
        for part in ("audit", "management", "development-and-acquisition", "support-and-delivery")
    ]
    assert ratings[0].label.endswith("Appendix A, “Audit”, “Ratings”")


# Nothing that is no provision


@_named(list(FILES))
def test_no_running_head_foot_or_page_number_is_in_a_provision(booklet: ParsedDocument, name: str) -> None:
    head, foot = RUNNING[name]
    page = r"(?:[A-F]-)?(?:\d{1,3}|[ivx]+)"
    for section in booklet.sections:
        for text in (section.heading, *section.text.split("\n")):
            assert not re.fullmatch(rf"{re.escape(head)}|{page}|Page {page}", text) or section.term, section.eid
            assert not re.search(rf"\bPage {page}$|^Page {page}\b|{re.escape(head)} \S+ {page}$", text), section.eid
            if foot:
                assert not re.search(rf"(?:^|\s){foot}\s+(?:Page )?{page}$", text), section.eid
                assert head not in text, section.eid


@pytest.mark.parametrize("booklet", ALL, indirect=True)
def test_no_trace_of_contents_lists_glyphs_marks_or_broken_words(booklet: ParsedDocument) -> None:
    for section in booklet.sections:
        text = f"{section.heading}\n{section.text}"
        assert not re.search(r"\.{4,}|…{2,}", text), section.eid
        assert not re.search("[\u00ad\ue000-\uf8ff\ufffd⁰¹²³⁴⁵⁶⁷⁸⁹]", text), section.eid
        assert not re.search(r"[a-z]- (?!and |or |to )[a-z]", text), section.eid
        assert not re.search(r"(.{5,60}?)\1{2}", text), section.eid
        if section.type != "table":
            assert not re.search(r"^[•●▪■❍]", section.text, re.MULTILINE), section.eid


@pytest.mark.parametrize("booklet", ALL, indirect=True)
def test_nearly_every_word_is_in_the_tree(booklet: ParsedDocument, record_property: pytest.RecordProperty) -> None:
    record_property("coverage", f"{booklet.title}: {booklet.tree_words} of {booklet.body_words} words")
    assert booklet.coverage >= 0.995
    held = sum(len(words(f"{s.heading} {s.text}")) for s in booklet.sections)
    # Nothing is in two nodes: the tree is no longer than the body, but for the few sources of a glossary.
    assert held <= 1.03 * booklet.body_words


# Lists, boxes, tables, notes


@pytest.mark.parametrize(
    ("booklet", "bullets"),
    [
        ("audit", 279),
        ("supervision", 100),
        ("wholesale", 250),
        pytest.param("bcm", 355, marks=pytest.mark.slow),
        pytest.param("infosec", 400, marks=pytest.mark.slow),
        pytest.param("management", 204, marks=pytest.mark.slow),
    ],
    indirect=["booklet"],
)
def test_each_bullet_is_an_item(booklet: ParsedDocument, bullets: int) -> None:
    # Counted with another extractor; the references of the Word booklets are items without bullets.
    word = booklet.title not in ("Audit", "Wholesale Payment Systems")
    references = {s.eid for s in booklet.sections if s.type == "appendix" and re.search("eferences|Laws", s.heading)}
    items = [s for s in booklet.sections if s.type == "item"]
    assert sum(s.eid.split("__")[0] not in references or not word for s in items) == bullets


@pytest.mark.slow
@pytest.mark.parametrize("booklet", ["infosec"], indirect=True)
def test_a_booklet_reads_as_an_examiner_cites_it(booklet: ParsedDocument) -> None:
    by_eid = _by_eid(booklet)
    assert (booklet.title, booklet.in_force_from) == ("Information Security", "2016-09-01")
    box = by_eid["sec_II__subsec_C__para_5__box"]
    assert (box.type, box.heading) == ("box", "Action Summary")
    assert box.label == "Information Security, Section II.C.5, Action Summary"
    assert box.text.startswith("Management should inventory and classify assets")
    first = by_eid["sec_II__subsec_C__para_5__subpara_1"]
    assert first.label == "Information Security, Section II.C.5, paragraph 1"
    assert first.text.endswith("such as unauthorized software.")
    rogue = by_eid["sec_II__subsec_C__para_13__point_e"]
    assert rogue.label == "Information Security, Section II.C.13(e)"
    item = by_eid["sec_I__subsec_B__subpara_5__item_5"]
    assert (item.page_start, item.text.split()[0]) == (8, "Adhere")
    parted = by_eid["sec_I__subsec_B__subpara_1"]
    assert (parted.page_start, parted.page_end) == (6, 7)
    assert "program. The board should reasonably understand" not in parted.text
    assert "should reasonably understand the business case" in parted.text
    alone = by_eid["sec_II__subsec_B__box"]
    assert alone.text
    assert not [s for s in booklet.sections if s.parent_eid == alone.eid]


@pytest.mark.slow
@pytest.mark.parametrize("booklet", ["infosec"], indirect=True)
def test_objectives_hold_their_procedures(booklet: ParsedDocument) -> None:
    by_eid = _by_eid(booklet)
    assert len([s for s in booklet.sections if s.type == "objective"]) == 11
    objective = by_eid["app_A__obj_3"]
    assert objective.text.startswith("Determine whether management of the information security program")
    assert objective.label == "Information Security, Appendix A, Objective 3"
    procedure = by_eid["app_A__obj_1__point_3__point_f"]
    assert (procedure.page_start, procedure.label) == (
        61, "Information Security, Appendix A, Objective 1, Procedure 3.f",
    )  # fmt: skip
    assert procedure.text.endswith("internal audit).")


@pytest.mark.slow
@pytest.mark.parametrize("booklet", ["infosec"], indirect=True)
def test_glossary_table_and_footnotes_are_nodes_of_their_own(booklet: ParsedDocument) -> None:
    by_eid = _by_eid(booklet)
    zero = by_eid["app_B__point_zero-day-attack"]
    assert (zero.type, zero.term) == ("definition", "Zero-day attack")
    assert by_eid["table_1"].text.split("\n")[-1].startswith("Physical | Devices to prevent unauthorized")
    notes = [s for s in booklet.sections if s.type == "footnote"]
    assert [note.eid for note in notes] == [f"fn_{n}" for n in range(1, 68)]
    assert notes[6].label == "Information Security, footnote 7 to Section I.B, paragraph 2"
    assert notes[6].text.startswith("See also Information Security Standards, section III.A")
    assert by_eid["sec_I__subsec_B__subpara_2"].text.endswith("at least annually.")


@pytest.mark.slow
@pytest.mark.parametrize("booklet", ["dam"], indirect=True)
def test_tables_and_their_glossary_are_read_by_columns(booklet: ParsedDocument) -> None:
    by_eid = _by_eid(booklet)
    risks = by_eid["table_1"]
    assert (risks.heading, risks.page_start, risks.page_end) == ("Container Risks and Countermeasures", 44, 48)
    rows = risks.text.split("\n")
    assert rows[0] == "Risks | Countermeasures"
    assert sum(row == rows[0] for row in rows) == 1
    assert next(row for row in rows if row.startswith("Embedded malware")).endswith("patterns and anomalies.")
    supplier = [s for s in booklet.sections if s.term == "Supplier"]
    assert [s.eid for s in supplier] == ["app_B__point_supplier", "app_B__point_supplier_2"]
    assert supplier[0].text.endswith("\nSource: NIST Glossary")
    assert supplier[0].page_start == 205


@pytest.mark.slow
@pytest.mark.parametrize("booklet", ["bcm"], indirect=True)
def test_numbers_printed_as_pictures_come_from_the_bookmarks(booklet: ParsedDocument) -> None:
    section = _by_eid(booklet)["sec_III__subsec_A__para_1"]
    assert section.heading == "Identification of Critical Business Functions"
    assert section.label == "Business Continuity Management, Section III.A.1"


@pytest.mark.slow
@pytest.mark.parametrize("booklet", ["retail"], indirect=True)
def test_an_appendix_may_have_numbered_sections_and_footnotes_of_its_own(booklet: ParsedDocument) -> None:
    by_eid = _by_eid(booklet)
    section = by_eid["app_E__sec_3__subsec_b__para_iv"]
    assert section.heading == "Mobile Payments Risk"
    assert section.label == "Retail Payment Systems, Appendix E.3.b(iv)"
    assert by_eid["fn_1"].page_start < 100 < by_eid["app_E__fn_1"].page_start
    # Words that the file's kerning tears are whole again.
    assert not re.search(r"\bst rategy\b|\bexami ners\b|\bt he\b", "\n".join(s.text for s in booklet.sections))


@pytest.mark.parametrize("booklet", ["outsourcing"], indirect=True)
def test_what_cannot_be_read_is_said(booklet: ParsedDocument) -> None:
    said = "\n".join(booklet.warnings)
    assert "page(s) 32, 72, 73, 74, 75" in said
    assert "cover on page 1" in said
    assert booklet.title == "Outsourcing Technology Services"
    assert not [s for s in booklet.sections if s.type == "title"]


@pytest.mark.parametrize("booklet", ["audit"], indirect=True)
def test_endnotes_and_run_in_terms_that_are_printed_four_times_over(booklet: ParsedDocument) -> None:
    by_eid = _by_eid(booklet)
    assert by_eid["fn_13"].text.startswith("Shared Assessments Program")
    terms = [s.term for s in booklet.sections if s.type == "definition"]
    assert terms[:2] == ["Application controls", "Application system"]
    assert by_eid["app_A__hd_tier-ii-objectives-and-procedures__hd_F__point_1"].text.startswith("Determine whether")


# The sample and small texts


def test_the_sample_gives_the_same_tree_from_text_and_from_pdf() -> None:
    folder = Path(samples.__file__).parent
    trees = [
        parse_document(Source("us-trr", "", "us"), (folder / f"us-trr.{ending}").read_bytes())
        for ending in ("txt", "pdf")
    ]
    text, pdf = (
        [(s.eid, s.type, s.number, s.heading, s.label, s.text.split(), s.term) for s in tree.sections] for tree in trees
    )
    assert text == pdf
    assert [tree.in_force_from for tree in trees] == ["2031-04-01", "2031-04-01"]
    assert [tree.coverage for tree in trees] == [1.0, 1.0]
    assert any(s[0] == "sec_II__subsec_D__para_3" and s[3] == "Retirement of Interfaces" for s in text)


MARKDOWN = b"""# Cash and Vaults

May 2031

## Introduction

This booklet is about vaults. It is short.

## I Governance

Action Summary

Management should do the following:

* Count the cash.
* Lock the vault.

The board approves the number of keys.[^1] I keep one of them.

### I.A Keys

Each key has a holder:

* a cashier, who
    - opens the vault, and
    - closes it;
* a guard.

#### Spare keys

Spare keys are kept elsewhere.

### I.B Locks

| Lock | Opens at |
|---|---|
| Outer | 8 a.m. |

## Appendix A: Examination Procedures

Objective 1: Determine the scope.

1. Review the reports. Consider:
   a. Old findings.
   b. New ones.
2. Ask the cashier.

## Appendix B: Glossary

Vault: A room with a lock.

[^1]: At least two.
"""


def test_markdown_has_the_same_outline() -> None:
    document = parse_document(Source("vaults", "", "us"), MARKDOWN)
    by_eid = _by_eid(document)
    assert (document.title, document.in_force_from, document.coverage) == ("Cash and Vaults", "2031-05-01", 1.0)
    assert [s.eid for s in document.sections] == [
        "title", "hd_introduction", "sec_I", "sec_I__box", "sec_I__box__item_1", "sec_I__box__item_2",
        "sec_I__subsec_A", "sec_I__subsec_A__item_1", "sec_I__subsec_A__item_1__item_1",
        "sec_I__subsec_A__item_1__item_2", "sec_I__subsec_A__item_2", "sec_I__subsec_A__hd_spare-keys",
        "sec_I__subsec_B", "sec_I__subsec_B__table", "app_A", "app_A__obj_1", "app_A__obj_1__point_1",
        "app_A__obj_1__point_1__point_a", "app_A__obj_1__point_1__point_b", "app_A__obj_1__point_2", "app_B",
        "app_B__point_vault", "fn_1",
    ]  # fmt: skip
    assert by_eid["sec_I"].text == "The board approves the number of keys. I keep one of them."
    assert by_eid["sec_I__subsec_B__table"].text == "Lock | Opens at\nOuter | 8 a.m."
    assert by_eid["fn_1"].label == "Cash and Vaults, footnote 1 to Section I"


def test_the_title_in_the_settings_names_the_booklet_in_every_label() -> None:
    document = parse_document(Source("vaults", "", "us", title="Vaults"), MARKDOWN)
    assert {s.label.split(",")[0] for s in document.sections} == {"Vaults"}


def test_a_sentence_that_begins_with_a_roman_numeral_or_appendix_is_no_heading() -> None:
    document = parse_document(
        Source("plain", "", "us"),
        b"I Records\n\nI is what the keeper writes first. More follows.\n\nAppendix A of this text has more of it.\n\n"
        b"V is not the next number.\n\nII Archives\n\nOld records go there.\n",
    )
    assert [s.eid for s in document.sections if s.heading] == ["sec_I", "sec_II"]


def test_a_numbered_section_may_be_the_glossary() -> None:
    given = MARKDOWN.replace(b"## Appendix B: Glossary\n\nVault: A", b"## II Glossary\n\n**Vault.** A")
    found = {s.term: s.text for s in parse_document(Source("vaults", "", "us"), given).sections if s.term}
    assert found == {"Vault": "A room with a lock."}


def test_a_letter_between_the_entries_of_a_glossary_is_no_entry() -> None:
    entries = "| Term | Definition |\n|---|---|\n| K |\n| Key | What opens a lock. |\n| V |\n| Vault | A room. |"
    document = parse_document(
        Source("vaults", "", "us"), MARKDOWN.replace(b"Vault: A room with a lock.", entries.encode())
    )
    found = {s.term: s.text for s in document.sections if s.type == "definition"}
    assert found == {"Key": "What opens a lock.", "Vault": "A room."}
    assert _by_eid(document)["sec_I"].text == "The board approves the number of keys. I keep one of them."


def test_a_soft_hyphen_alone_on_a_line_costs_none_of_the_references() -> None:
    references = "## Appendix C: References\n\n12 CFR 30, Appendix B\n\n\u00ad\n\nSR Letter 13-19, Vaults\n\n[^1]"
    document = parse_document(Source("vaults", "", "us"), MARKDOWN.replace(b"[^1]:", f"{references}:".encode()))
    texts = [s.text for s in document.sections if s.eid.startswith("app_C") and s.text]
    assert texts == ["12 CFR 30, Appendix B", "SR Letter 13-19, Vaults"]
