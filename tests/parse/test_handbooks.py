"""Examiners' handbooks as agencies set them: as PDF with all signs printed apart, and as one page of a web site."""

from __future__ import annotations

import io

import docx
from reportlab.pdfgen.canvas import Canvas

from antinomy.parse import parse_document
from antinomy.parse.model import ParsedDocument, Section
from antinomy.settings.source import Source

#: (from the left, from the bottom, font, size, words)
_Mark = tuple[float, float, str, float, str]
_BODY, _HEAD, _SMALL = ("Times-Roman", 11), ("Helvetica-Bold", 15), ("Helvetica", 9)
PAGES: list[list[_Mark]] = [
    [
        (60, 700, *_HEAD, "I"), (95, 700, *_HEAD, "Vaults"),
        (70, 676, "Helvetica-Bold", 9.5, "Action Summary"),
        (70, 658, *_SMALL, "The board should see to it that the vault has:"),
        (74, 644, *_SMALL, "•"), (92, 644, *_SMALL, "A door that two keepers open together."),
        (74, 632, *_SMALL, "•"), (92, 632, *_SMALL, "A clock that is checked each week (section II)."),
        (60, 600, *_BODY, "Keepers write down each visit to the vault. The list names all who were present"),
        (60, 587, *_BODY, "and says when the door was closed."),
        (225, 591, "Times-Roman", 6, "1"),
        (60, 564, *_BODY, "A keeper should hand over:"),
        (72, 548, *_BODY, "–"), (90, 548, *_BODY, "The keys and the list of visits, which the next keeper"),
        (90, 535, *_BODY, "signs in the presence of the first."),
        (72, 519, *_BODY, "–"), (90, 519, *_BODY, "The lamp."),
        (60, 82, "Times-Roman", 5.5, "1"), (72, 79, "Times-Roman", 8.5, "A list on paper will do."),
    ],
    [
        (60, 700, *_HEAD, "II"), (95, 700, *_HEAD, "Clocks"),
        (60, 676, *_BODY, "Clocks should be wound on the first day of each week."),
        (320, 680, "Times-Roman", 6, "2"),
        (60, 82, "Times-Roman", 5.5, "2"), (72, 79, "Times-Roman", 8.5, "Or on the day after a holiday."),
    ],
    [
        (60, 700, *_HEAD, "Appendix A: Examination Procedures"),
        (60, 670, "Times-Bold", 11, "Objective 1: Determine whether the vault is kept."),
        (60, 646, *_BODY, "1."), (80, 646, *_BODY, "Read the list of visits."),
        (60, 630, *_BODY, "2."), (80, 630, *_BODY, "Open the door and find out:"),
        (80, 614, *_BODY, "a."), (98, 614, *_BODY, "Who holds the keys."),
        (80, 598, *_BODY, "b."), (98, 598, *_BODY, "Whether the clock is right."),
    ],
]  # fmt: skip


def _by_eid(document: ParsedDocument) -> dict[str, Section]:
    return {section.eid: section for section in document.sections}


def _printed() -> ParsedDocument:
    stream = io.BytesIO()
    canvas = Canvas(stream, pagesize=(612, 792))
    for number, page in enumerate(PAGES, start=1):
        foot: list[_Mark] = [(60, 40, "Helvetica", 8, "March 2031"), (300, 40, "Helvetica", 8, str(number))]
        for x, y, font, size, words in [*page, *foot]:
            canvas.setFont(font, size)
            canvas.drawString(x, y, words)
        canvas.showPage()
    canvas.save()
    return parse_document(Source("vaults", "vaults.pdf", "any", grammar="us"), stream.getvalue())


def test_signs_that_are_printed_apart_stand_before_their_items() -> None:
    found = _by_eid(_printed())
    assert [found[f"sec_I__box__item_{n}"].text for n in (1, 2)] == [
        "A door that two keepers open together.",
        "A clock that is checked each week (section II).",
    ]
    items = [s.text for s in found.values() if s.parent_eid == "sec_I__subpara_2"]
    assert items[0].endswith("which the next keeper signs in the presence of the first.")
    assert items[1:] == ["The lamp."]
    steps = [s.text for s in found.values() if s.parent_eid.startswith("app_A__obj_1__point_2")]
    assert steps == ["Who holds the keys.", "Whether the clock is right."]


def test_a_raised_number_apart_begins_a_note_and_a_page_number_no_paragraph() -> None:
    document = _printed()
    notes = [(s.number, s.text) for s in document.sections if s.type == "footnote"]
    assert notes == [("1", "A list on paper will do."), ("2", "Or on the day after a holiday.")]
    assert not [s.text for s in document.sections if s.text.strip().isdecimal()]


PAGE = """<!DOCTYPE html><html><head><title>Mills | Handbook of the Grain Office</title></head><body>
<p><a href="/">Start</a> › <a href="/h">Handbooks</a> › Millstones, Sacks, and Weights of the Grain Trade</p>
<main><h1>Millstones, Sacks, and Weights of the Grain Trade</h1><p>May 2031</p>
<h2>I Millstones</h2>
<blockquote><b>Action Summary</b><br>Millers should dress their stones in time, as section II.A says.</blockquote>
<p>Stones are dressed twice a year by a person who has learnt it.<br><br>
No stone is dressed while it turns.</p>
<p>Before a stone is lifted, the miller should see to:</p><p>·&nbsp; the crane; and</p><p>·&nbsp; the rope.</p>
<p><a href="#top">Top</a> <a href="#2">II Sacks »</a></p>
<h2>II Sacks</h2><h3>II.A Linen</h3>
<p>Sacks of linen should be washed before they are filled again.</p>
<table><tr><th>Sack</th><th>Weight</th></tr><tr><td>Small</td><td>25 kg</td></tr><tr><td>Large</td><td>50 kg</td></tr>
</table>
<p><a href="#1">« I Millstones</a> <a href="#top">Top</a></p>
<h2>Appendix A: Examination Procedures</h2><p><b>Objective 1: Determine how a mill is run.</b></p>
<ol><li>Lift one stone, and tell whether
<ol type="a"><li>the rope held; and</li><li>the stone is whole.</li></ol></li><li>Weigh a sack.</li></ol>
<h2>Appendix B: Glossary</h2>
<table><tr><th>Term</th><th>Definition</th></tr><tr><td>Stone</td><td>What grinds.</td></tr>
<tr><td>Sack</td><td>What holds flour.</td></tr></table></main></body></html>"""


def test_a_page_of_a_site_is_the_booklet_and_nothing_else() -> None:
    document = parse_document(Source("mills", "mills.html", "any"), PAGE.encode())
    found = _by_eid(document)
    assert document.title == "Millstones, Sacks, and Weights of the Grain Trade"
    assert not [s.eid for s in document.sections if any(sign in s.text for sign in "›»«") or "---" in s.text]
    assert found["sec_I__box"].text == "Millers should dress their stones in time, as section II.A says."
    assert [s.text for s in document.sections if s.parent_eid == "sec_I" and s.type == "subparagraph"] == [
        "Stones are dressed twice a year by a person who has learnt it.",
        "No stone is dressed while it turns.",
        "Before a stone is lifted, the miller should see to:",
    ]
    assert [s.text for s in document.sections if s.parent_eid == "sec_I__subpara_3"] == ["the crane; and", "the rope."]
    assert found["sec_II__subsec_A__table"].text == "Sack | Weight\nSmall | 25 kg\nLarge | 50 kg"
    assert [found[f"app_A__obj_1__point_1__point_{n}"].text for n in "ab"] == [
        "the rope held; and",
        "the stone is whole.",
    ]
    assert found["app_A__obj_1__point_2"].text == "Weigh a sack."
    terms = [("Stone", "What grinds."), ("Sack", "What holds flour.")]
    assert [(s.term, s.text) for s in document.sections if s.parent_eid == "app_B"] == terms
    table, listed = (
        PAGE[PAGE.rindex("<table>") : PAGE.rindex("</main>")],
        "".join(f"<dt>{term}</dt><dd>{meaning}</dd>" for term, meaning in terms),
    )
    page = PAGE.replace(table, f"<dl>{listed}</dl>")
    document = parse_document(Source("mills", "mills.html", "any"), page.encode())
    assert [(s.term, s.text) for s in document.sections if s.parent_eid == "app_B"] == terms


def test_a_word_document_is_called_by_its_title_and_not_by_its_contents_list() -> None:
    document = docx.Document()
    document.styles.add_style("toc 1", 1)
    for text, style in (
        ("Office of Vaults", "Subtitle"), ("Vaults", "Title"), ("March 2031", "Normal"), ("Contents", "TOC Heading"),
        ("I Keys\t1", "toc 1"), ("I Keys", "Heading 1"), ("Keys should be counted.", "Normal"),
        ("Action Summary", "Normal"), ("Count the keys.", "Normal"), ("I.A Locks", "Heading 2"),
        ("Locks should be oiled.", "Normal"), ("Appendix A: Laws and Guidance", "Heading 1"),
        ("Vaults Act, section 3", "Normal"), ("Bulletin 7, “Keys”", "Normal"),
    ):  # fmt: skip
        document.add_paragraph(text, style=style)
    stream = io.BytesIO()
    document.save(stream)
    booklet = parse_document(Source("vaults", "vaults.docx", "us"), stream.getvalue())
    assert booklet.title == "Vaults"
    assert _by_eid(booklet)["sec_I__subsec_A"].label == "Vaults, Section I.A"
    laws = [section.text for section in booklet.sections if section.eid.startswith("app_A__item")]
    assert laws == ["Vaults Act, section 3", "Bulletin 7, “Keys”"]


def test_markdown_of_a_converter_states_the_title_before_the_text() -> None:
    text = "---\ntitle: Vaults\n---\n\n# I Keys\n\nKeys should be counted.\n\n# II Locks\n\n## II.A Oil\n\nOil them.\n"
    assert parse_document(Source("vaults", "vaults.md", "us"), text.encode()).title == "Vaults"


def test_the_cover_of_a_word_document_is_kept_where_its_words_stand_nowhere_else() -> None:
    document = docx.Document()
    for text in ("Office of Supervision", "Lighthouses and Horns", "June 2035"):
        document.add_paragraph(text)
    for text in ("Table of Contents", "I Keys\t1", "I.A Locks\t2", "I.B Oil\t3"):
        document.add_paragraph(text)
    for text, body in (("I Keys", "Keys are counted."), ("I.A Locks", "Locks are shut."), ("I.B Oil", "Oil is kept.")):
        document.add_paragraph().add_run(text).bold = True
        document.add_paragraph(body)
    stream = io.BytesIO()
    document.save(stream)
    booklet = parse_document(Source("keys", "keys.docx", "us"), stream.getvalue())
    assert (booklet.title, booklet.in_force_from, booklet.warnings) == ("Office of Supervision", "2035-06-01", [])
    assert _by_eid(booklet)["title"].text == "Lighthouses and Horns\nJune 2035"


def test_without_pages_a_note_ends_where_other_text_begins() -> None:
    text = """# Guidance on Vaults

## I. Doors

Keepers should open the door together.[^1] They should write down each visit.

[^1]: See the circular on doors.

> Outlook
>
> New rules on doors are being drawn up.

## II. Clocks

### 1. Winding

Clocks should be wound on the first day of each week.

### 2. Checks

A second keeper should check each clock.

[^2]: Unused.
"""
    document = parse_document(Source("vaults", "vaults.md", "us", grammar="us"), text.encode())
    sections = _by_eid(document)
    assert [s.text for s in document.sections if s.type == "footnote"] == ["See the circular on doors.", "Unused."]
    assert {"sec_II__hd_1", "sec_II__hd_2"} <= set(sections)
    assert sections["sec_II__hd_2"].heading == "Checks"
    assert any(section.text == "New rules on doors are being drawn up." for section in document.sections)


#: A booklet as ``pdftotext -layout`` writes it: no line is blank below a heading or between two paragraphs.
PRINTED = """Office of Supervision
   Vaults and Clocks

Contents
Introduction ............................................................ 1
I Vaults ................................................................ 1
    I.A Doors ........................................................... 2
    I.B Keys ............................................................ 2
Appendix A: Examination Procedures ...................................... 3
Appendix B: Glossary .................................................... 3


May 2031                                                               i
\fVaults and Clocks


Introduction
Keepers of vaults and of clocks read this booklet before they are named as
keepers.1 It does not say how a clock is built.
Small banks may have one keeper for the vault and for the clocks that hang
in it.

I     Vaults
                              Action Summary
     The board should see to it that the vault has:
         •    A door that two keepers open together.
         •    A clock that is checked each week (section I.B) and is wound on
              a day that the board names.



1
  Keepers are named by the board in writing, for a year at most.


May 2031                                                               1
\fVaults and Clocks


I.A     Doors
Keepers should open the door together. They should write down each visit in
the list.
The list names all who were present, and says when the door was closed and by
whom.
      •    Guests who stayed outside are named, too.
Nobody else may open the door at any time of the day or the night without the

May 2031                                                               2
\fVaults and Clocks


consent of the board.
I.B     Keys
Keys are kept by the keepers.


May 2031                                                               3
\fVaults and Clocks


Appendix A: Examination Procedures
Objective 1: Determine whether the vault is kept.
1.    Read the list of visits and find out whether it names
         a.    those who were present;
         b.    the hour at which the door was closed.
2.    Open the door.


May 2031                                                               4
\fVaults and Clocks


Appendix B: Glossary
Keeper: A person whom the board has named in writing, for a year at most.
List of visits: A list that is kept under section I.A, by the keeper on duty.
Vault: A room with one door.
"""


def test_a_booklet_printed_as_text_has_its_headings_paragraphs_boxes_notes_and_feet() -> None:
    document = parse_document(Source("vaults", "vaults.txt", "any", grammar="us"), PRINTED.encode())
    found = [(s.type, s.number or s.heading or s.term, s.text) for s in document.sections if s.type != "title"]
    assert found == [
        ("heading", "Introduction", ""),
        ("subparagraph", "", "Keepers of vaults and of clocks read this booklet before they are named as keepers. It "
                             "does not say how a clock is built."),
        ("subparagraph", "", "Small banks may have one keeper for the vault and for the clocks that hang in it."),
        ("section", "I", ""),
        ("box", "Action Summary", "The board should see to it that the vault has:"),
        ("item", "", "A door that two keepers open together."),
        ("item", "", "A clock that is checked each week (section I.B) and is wound on a day that the board names."),
        ("subsection", "A", ""),
        ("subparagraph", "", "Keepers should open the door together. They should write down each visit in the list."),
        ("subparagraph", "", "The list names all who were present, and says when the door was closed and by whom."),
        ("item", "", "Guests who stayed outside are named, too."),
        ("subparagraph", "", "Nobody else may open the door at any time of the day or the night without the consent of "
                             "the board."),
        ("subsection", "B", "Keys are kept by the keepers."),
        ("appendix", "A", ""),
        ("objective", "1", "Determine whether the vault is kept."),
        ("point", "1", "Read the list of visits and find out whether it names"),
        ("point", "a", "those who were present;"),
        ("point", "b", "the hour at which the door was closed."),
        ("point", "2", "Open the door."),
        ("appendix", "B", ""),
        ("definition", "Keeper", "A person whom the board has named in writing, for a year at most."),
        ("definition", "List of visits", "A list that is kept under section I.A, by the keeper on duty."),
        ("definition", "Vault", "A room with one door."),
        ("footnote", "1", "Keepers are named by the board in writing, for a year at most."),
    ]  # fmt: skip


def test_a_ruled_table_in_the_type_of_the_text_is_one_with_its_caption() -> None:
    stream = io.BytesIO()
    canvas = Canvas(stream, pagesize=(612, 792))
    marks: list[_Mark] = [
        (60, 740, *_HEAD, "I"), (95, 740, *_HEAD, "Vaults"),
        (60, 716, *_BODY, "Keepers repair what table 1 names. They write down each repair in the list of visits."),
        (60, 690, *_BODY, "Table 1. Classes of Faults"),
        (64, 664, *_BODY, "Class"), (124, 664, *_BODY, "Fault"), (344, 664, *_BODY, "Repair"),
        (64, 644, *_BODY, "A"), (124, 644, *_BODY, "The door does not close"), (344, 644, *_BODY, "1 day"),
        (64, 624, *_BODY, "B"), (124, 624, *_BODY, "The clock is wrong"), (344, 624, *_BODY, "2 weeks"),
        (60, 590, *_BODY, "A fault of class A is told to the board on the day on which it is found."),
        (60, 560, *_HEAD, "II"), (95, 560, *_HEAD, "Clocks"),
        (60, 536, *_BODY, "Clocks should be wound on the first day of each week."),
    ]  # fmt: skip
    for x, y, font, size, words in marks:
        canvas.setFont(font, size)
        canvas.drawString(x, y, words)
    canvas.grid([60, 120, 340, 480], [678, 658, 638, 618])
    canvas.save()
    document = parse_document(Source("vaults", "vaults.pdf", "any", grammar="us"), stream.getvalue())
    tables = [(s.eid, s.heading, s.text) for s in document.sections if s.type == "table"]
    rows = "Class | Fault | Repair\nA | The door does not close | 1 day\nB | The clock is wrong | 2 weeks"
    assert tables == [("table_1", "Classes of Faults", rows)]
    assert [s.text for s in document.sections if s.parent_eid == "sec_I" and s.type == "subparagraph"] == [
        "Keepers repair what table 1 names. They write down each repair in the list of visits.",
        "A fault of class A is told to the board on the day on which it is found.",
    ]
    assert document.coverage == 1
