"""A PDF with explanations in a column beside its provisions: they hang on these, and are no part of their words."""

from __future__ import annotations

import io

import pytest
from reportlab.lib.pagesizes import A4, landscape
from reportlab.lib.styles import ParagraphStyle, getSampleStyleSheet
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Flowable, Paragraph, SimpleDocTemplate, Spacer, Table

from antinomy.parse import parse_document
from antinomy.parse.model import ParsedDocument
from antinomy.settings.source import Source

PLAIN = getSampleStyleSheet()["Normal"]
SMALL = ParagraphStyle("small", parent=PLAIN, fontSize=8, leading=9)
HANGING = ParagraphStyle("hanging", parent=PLAIN, leftIndent=14)
LONG = "The watch is kept by two persons, of whom one has a certificate and the other has learnt the trade. " * 5
#: Number and words of each provision, and what explains it: title and words.
CHAPTERS: list[tuple[str, list[tuple[str, list[str], list[str]]]]] = [
    ("LM 1 Lamps", [
        ("1", ["Each lamp on the pier is lit before the sun goes down and is watched until it rises."],
         ["<T>Several piers", "Where a harbour has several piers, the longest one counts."]),
        ("2", ["The keeper of the lamps sees to it that there is always enough of", "(a) oil and", "(b) wicks."],
         ["Stocks are counted once a week. Among them are:", "• barrels that have been opened,", "• lent barrels."]),
    ]),
    ("LM 1.1 Keepers", [
        ("1", ["A keeper who is ill tells the harbour office so before the watch begins."], []),
        ("2", ["A keeper does not leave the pier during the watch, whatever happens there."],
         ["<T>Watch", LONG, "<T>Pier", "The steps are a part of the pier."]),
    ]),
    ("SB 1 Boats", [
        ("1", ["A boat that carries oil shows a red flag as long as it lies in the harbour."],
         ["<T>Flags", "The flag may be of wood."]),
    ]),
]  # fmt: skip


def cell(texts: list[str], title: str, style: ParagraphStyle) -> list[Flowable]:
    return [
        Paragraph(text.replace("<T>", f'<font name="{title}">') + "</font>" * text.startswith("<T>"),
                  HANGING if text.startswith("(") else style)
        for text in texts
    ]  # fmt: skip


def printed(title: str, style: ParagraphStyle, before: int) -> ParsedDocument:
    """Print the chapters, a table each, with explanations in a style and their titles in a font.

    Of two rows a grid is told; of one, as in the last chapter, only the places where the words begin.
    """
    flow: list[Flowable] = [Paragraph("Circular on harbour lamps", getSampleStyleSheet()["Title"])]
    flow += [Paragraph("This circular tells keepers what the office expects of them on each day.", PLAIN)] * before
    for heading, provisions in CHAPTERS:
        flow.append(Paragraph(heading, getSampleStyleSheet()["Heading2"]))
        cells = [
            [cell([f"{number} {words[0]}", *words[1:]], title, PLAIN), cell(beside, title, style)]
            for number, words, beside in provisions
        ]
        ruled = [("VALIGN", (0, 0), (-1, -1), "TOP"), ("GRID", (0, 0), (-1, -1), 0.5, "black")]
        flow += [Table(cells, colWidths=[400, 300], style=ruled), Spacer(1, 12)]
    target = io.BytesIO()
    SimpleDocTemplate(target, pagesize=landscape(A4)).build(flow)
    document = parse_document(Source("lamps", "lamps.pdf", "any", grammar="numbered"), target.getvalue())
    assert document.coverage == 1
    return document


@pytest.mark.parametrize("title", ["Helvetica-Bold", "Helvetica-Oblique"])
@pytest.mark.parametrize("style", [PLAIN, SMALL])
@pytest.mark.parametrize("before", [2, 16, 22])
def test_explanations_in_a_second_column_hang_on_the_provisions_beside_them(
    title: str, style: ParagraphStyle, before: int
) -> None:
    document = printed(title, style, before)
    by_eid = {section.eid: section for section in document.sections}
    provisions = [section for section in document.sections if section.type == "paragraph"]
    wanted = [(number, words[0], beside) for _, chapter in CHAPTERS for number, words, beside in chapter]
    assert [(section.number, section.text) for section in provisions] == [(n, text) for n, text, _ in wanted]
    chapters = [by_eid[section.parent_eid].heading for section in provisions]
    assert chapters == ["Lamps", "Lamps", "Keepers", "Keepers", "Boats"]
    for provision, (_, _, beside) in zip(provisions, wanted, strict=True):
        below = [s for s in document.sections if s.parent_eid == provision.eid and s.type != "point"]
        items = [s.text for s in document.sections if s.type == "item" and s.parent_eid in {b.eid for b in below}]
        found = [text for s in below for text in (s.heading, s.text) if text] + items
        assert found == [text.removeprefix("<T>").removeprefix("• ").strip() for text in beside]
    points = [section.text for section in document.sections if section.type == "point"]
    assert points == ["oil and", "wicks."]


def test_what_both_columns_print_at_one_height_is_parted() -> None:
    target = io.BytesIO()
    canvas = Canvas(target, pagesize=A4)
    rows = [
        ("1 Lamps on piers are lit early at dusk.", "Dusk is told by the bell."),
        ("2 Lamps on boats are put out by hand.", ""),
    ]
    y = 800
    for chapter in ("LM 1 Piers", "LM 2 Boats"):
        canvas.setFont("Helvetica-Bold", 12)
        canvas.drawString(60, y, chapter)
        canvas.setFont("Helvetica", 10)
        canvas.grid([55, 300, 540], [y - 10, y - 40, y - 70])
        for provision, explanation in rows:
            y -= 30
            canvas.drawString(60, y, provision)
            canvas.drawString(305, y, explanation)
        y -= 70
    canvas.save()
    document = parse_document(Source("lamps", "lamps.pdf", "any", grammar="numbered"), target.getvalue())
    found = [(section.type, section.text) for section in document.sections if section.text]
    assert found == 2 * [
        ("paragraph", "Lamps on piers are lit early at dusk."),
        ("subparagraph", "Dusk is told by the bell."),
        ("paragraph", "Lamps on boats are put out by hand."),
    ]
