"""What supervisors' manuals and standards print apart: signs of lists, numbers of notes, questions, boxes, codes."""

from __future__ import annotations

import io
from collections.abc import Sequence
from itertools import accumulate, islice

from reportlab.pdfgen.canvas import Canvas

from antinomy.parse import parse_document
from antinomy.parse.model import ParsedDocument, Section
from antinomy.parse.readers.pdf import read_pdf
from antinomy.settings.source import Source

#: What is printed at one height: from the left, font, size and words.
_Row = Sequence[tuple[float, str, float, str]]


def plain(x: float, text: str, size: float = 10) -> tuple[float, str, float, str]:
    return x, "Times-Roman", size, text


def bold(x: float, text: str, size: float = 10) -> tuple[float, str, float, str]:
    return x, "Times-Bold", size, text


def printed(*pages: Sequence[tuple[float, _Row]], foot: Sequence[_Row] = ()) -> ParsedDocument:
    """Print rows, each so far below the one before it, and read them."""
    stream = io.BytesIO()
    canvas = Canvas(stream, pagesize=(595, 842))
    for number, page in enumerate(pages):
        heights = accumulate((-gap for gap, _ in page), initial=800.0)
        placed = zip(islice(heights, 1, None), (row for _, row in page), strict=True)
        for y, row in [*((30.0, row) for row in foot[number : number + 1]), *placed]:
            for x, font, size, text in row:
                canvas.setFont(font, size)
                canvas.drawString(x, y, text)
        canvas.showPage()
    canvas.save()
    return parse_document(Source("lamps", "lamps.pdf", "any", grammar="numbered"), stream.getvalue())


def _duty(number: str, *lines: str) -> list[tuple[float, _Row]]:
    first, *others = lines
    return [(24, [plain(60, number), plain(110, first)]), *((12.0, [plain(110, line)]) for line in others)]


TITLES = {"1": "Lamps", "1.1": "Lighting", "1.2": "Cleaning", "2": "Keepers", "2.1": "Watches", "2.2": "Records"}
OUTLINE = [(14.0, [plain(60 + 25 * ("." in number), number), plain(130, title)]) for number, title in TITLES.items()]


def _title(number: str, size: float) -> tuple[float, _Row]:
    return 30, [bold(60, number, size), bold(110, TITLES[number], size)]


MANUAL = [
    [(0.0, [bold(60, "Manual of lights", 16)]), (40, [bold(60, "Overview", 12)]), *OUTLINE],
    [
        _title("1", 14), _title("1.1", 12),
        *_duty("1.1.1", "The keeper of each light on the quays that are open to ships at night",
               "must see before dusk to:"),
        (16, [plain(112, "▪"), plain(126, "the oil, of which the light burns a can in the course of a long")]),
        (12, [plain(126, "night;")]),
        (16, [plain(112, "▪"), plain(126, "the wick, which must be:")]),
        (16, [plain(130, "-"), plain(144, "dry; and")]),
        (16, [plain(130, "-"), plain(144, "trimmed; and")]),
        (16, [plain(112, "▪"), plain(126, "the glass.")]),
        *_duty("1.1.2", "A light that has gone out must be lit again within the hour in which a",
               "keeper of another light has reported it."),
        (24, [bold(100, "Box A: A long night", 9)]),
        (12, [plain(100, "A keeper has two cans of oil for a night of fourteen hours in the winter.", 9)]),
        (14, [plain(102, "▪", 9), plain(116, "One can would be short by four hours, with no ship warned", 9)]),
        (11, [plain(116, "of the rocks.", 9)]),
        (14, [plain(102, "▪", 9), plain(116, "Two cans are enough.", 9)]),
        (14, [plain(100, "A third can would only be in the way of those who climb up the tower.", 9)]),
        *_duty("1.1.3", "A light may be put out when the last ship has left and the harbour is shut."),
        _title("1.2", 12),
        *_duty("1.2.1", "The glass of a light must be cleaned each week by two keepers."),
        _title("2", 14), _title("2.1", 12),
        *_duty("2.1.1", "A watch must not last longer than eight hours of a day or a night."),
        _title("2.2", 12),
        *_duty("2.2.1", "A keeper must keep a record of each night on which a light was out."),
    ],
]  # fmt: skip


def test_a_list_of_contents_without_pages_is_left_out_whatever_heads_it() -> None:
    document = printed(*MANUAL)
    headed = [section for section in document.sections if section.type == "section"]
    assert [(section.number, section.heading) for section in headed] == list(TITLES.items())
    assert "Overview" not in [section.heading for section in document.sections]


def test_signs_that_are_printed_apart_begin_items_and_items_of_items() -> None:
    document = printed(*MANUAL)
    items = {section.eid: section for section in document.sections if section.eid.startswith("para_1-1-1__")}
    assert [section.text for section in items.values()] == [
        "the oil, of which the light burns a can in the course of a long night;", "the wick, which must be:",
        "dry; and", "trimmed; and", "the glass.",
    ]  # fmt: skip
    wick = next(section for section in items.values() if section.text.startswith("the wick"))
    assert [section.text for section in items.values() if section.parent_eid == wick.eid] == [
        "dry; and",
        "trimmed; and",
    ]


def test_a_box_between_paragraphs_holds_its_own_words_and_no_paragraph() -> None:
    document = printed(*MANUAL)
    by_text = {section.text: section for section in document.sections}
    box = next(section for section in document.sections if section.heading == "Box A: A long night")
    last = by_text["A third can would only be in the way of those who climb up the tower."]
    assert last.parent_eid == box.eid
    assert "Two cans are enough." in by_text
    following = by_text["A light may be put out when the last ship has left and the harbour is shut."]
    assert (following.number, following.parent_eid) == ("1.1.3", "sec_1-1")


def _chapter(code: str, title: str, *rows: tuple[float, _Row]) -> list[tuple[float, _Row]]:
    head = [(0.0, [bold(60, code, 24)]), (26.0, [plain(60, title, 16)]), (24.0, [plain(60, f"Says what {title} are.")])]
    return [*head, (26.0, [bold(60, "Effective as of 4 May 2041")]), *rows]


def _note(number: str, text: str) -> tuple[float, _Row]:
    return 18, [plain(60, "Notes", 8), plain(110, number, 8), plain(124, text, 8)]


QUESTIONS = ("May a port that lies on a river and has more than three quays use it in winter?", "Is a candle a lamp?")
STANDARD = [
    _chapter(
        "LMP10", "Lights",
        *_duty("10.1", "A port must show a light at each of its quays as long as a ship", "lies at it in the dark.¹"),
        _note("1", "Boats are not ships."),
        *_duty("10.2", "The hours for which a light must burn on a day on which the port is open are", "as follows:"),
        (20, [(150, "Times-Italic", 10, "N = min (24; D + 2)")]),
        (20, [plain(110, "where D is the time between sunset and sunrise in hours.")]),
        *_duty("10.3", "A port may use a lamp that burns no oil:"),
        (16, [plain(110, "(1)"), plain(134, "in summer; and")]),
        (16, [plain(110, "(2)"), plain(134, "in a fog.")]),
        (22, [bold(80, "FAQ1", 8), (112, "Times-Italic", 8, QUESTIONS[0])]),
        (13, [plain(112, "Only with consent.", 8)]),
        (13, [bold(80, "FAQ2", 8), (112, "Times-Italic", 8, QUESTIONS[1])]),
        (13, [plain(112, "Yes.", 8)]),
        *_duty("10.4", "A port must not show a red light."),
    ),
    _chapter(
        "LMP20", "Keepers",
        *_duty("20.1", "A port must name a keeper, as [LMP10.1] says, and one for the time", "in which he is away.¹"),
        _note("1", "A keeper may have a family."),
        *_duty("20.2", "A keeper must be awake at night."),
    ),
    _chapter("LMP30", "Records", *_duty("30.1", "A keeper must write down each night on which a light was out.")),
    _chapter("LMP40", "Fines", *_duty("40.1", "A port must pay a fine for each night on which a light was out.")),
]  # fmt: skip
FOOT = [
    [plain(60, f"{n} of 4", 8)] if n == 1 else [plain(60, f"{n} of 4", 8), plain(280, f"LMP{10 * n}", 8)]
    for n in range(1, 5)
]


def _standard() -> dict[str, Section]:
    document = printed(*STANDARD, foot=FOOT)
    assert not [section for section in document.sections if " of 4" in section.text or "LMP20" in section.text]
    return {section.eid: section for section in document.sections}


def test_codes_head_chapters_and_what_runs_along_the_pages_goes_though_it_names_each_chapter() -> None:
    found = _standard()
    chapters = [section for section in found.values() if section.label.startswith("LMP") and section.heading]
    assert [(s.label, s.heading, s.type) for s in chapters] == [
        ("LMP10", "Lights", "section"), ("LMP20", "Keepers", "section"), ("LMP30", "Records", "section"),
        ("LMP40", "Fines", "section"),
    ]  # fmt: skip
    assert {found[f"para_{n}0-1"].parent_eid for n in range(1, 5)} == {chapter.eid for chapter in chapters}


def test_questions_hang_on_the_paragraph_above_them_with_their_answers() -> None:
    found = _standard()
    asked = [section for section in found.values() if section.number.startswith("FAQ")]
    assert [(section.parent_eid, section.heading, section.text) for section in asked] == [
        ("para_10-3", QUESTIONS[0], "Only with consent."),
        ("para_10-3", QUESTIONS[1], "Yes."),
    ]
    assert found["para_10-4"].text == "A port must not show a red light."


def test_a_formula_and_what_explains_it_are_parts_of_their_paragraph() -> None:
    text = "as follows: N = min (24; D + 2) where D is the time between sunset and sunrise in hours."
    assert " ".join(_standard()["para_10-2"].text.split()).endswith(text)


def test_notes_below_their_paragraphs_are_those_of_their_own_marks_where_each_chapter_counts_anew() -> None:
    notes = [section for section in _standard().values() if section.type == "footnote"]
    assert [(note.text, note.label.rpartition(" ")[2].partition("(")[0]) for note in notes] == [
        ("Boats are not ships.", "10.1"), ("A keeper may have a family.", "20.1"),
    ]  # fmt: skip


def test_a_notes_mark_that_a_file_draws_by_itself_stands_behind_the_words_that_it_is_of() -> None:
    """Set at a height of its own, it would draw the number of the next paragraph before the last line of its own."""
    stream = io.BytesIO()
    canvas = Canvas(stream)
    for size, x, y, text in (
        (10.5, 60, 700, "1.1"),
        (10.5, 100, 700, "A keeper must test each lamp at least once in every year, on the assumption that the oil"),
        (10.5, 100, 685, "of the largest lamp is lost."),
        (6.3, 219, 689, "2"),
        (10.5, 60, 664, "1.2"),
        (10.5, 100, 664, "A keeper must offer each lamp to the harbour before it offers the lamp to any other port."),
    ):
        canvas.setFont("Times-Roman", size)
        canvas.drawString(x, y, text)
    canvas.save()
    assert [line.text for line in read_pdf(stream.getvalue()).lines] == [
        "1.1",
        "A keeper must test each lamp at least once in every year, on the assumption that the oil",
        "of the largest lamp is lost.²",
        "1.2",
        "A keeper must offer each lamp to the harbour before it offers the lamp to any other port.",
    ]
