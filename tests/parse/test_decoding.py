"""Bytes that are no text, and characters that nobody sees: named with their place, never swallowed."""

from __future__ import annotations

import codecs

import pytest

from antinomy.errors import DocumentError
from antinomy.parse import detect, parse_document, read
from antinomy.parse.content import Content
from antinomy.parse.model import Line, Table
from antinomy.parse.readers import invisible
from antinomy.settings.source import Source

ACT = (
    "REGULATION (EU) 2041/12\n\nTHE SPECIMEN COUNCIL,\n\nHAS ADOPTED THIS REGULATION:\n\nArticle 1\n\nCafé\n\n"
    "A café’s owner – the “keeper” – shall pay a fee of 5 €.\n\nArticle 2\n\nForce\n\n"
    "This Regulation shall enter into force on 1 May 2041.\n"
)


def parsed(data: bytes) -> tuple[str, list[str]]:
    document = parse_document(Source("act", "act.txt", "eu"), data)
    return next(s.text for s in document.sections if s.eid.startswith("art_1")), document.warnings


def test_one_bad_byte_spoils_no_other_character_and_is_named() -> None:
    data = ACT.encode()
    at = data.index(b"fee")
    text, (warning,) = parsed(data[:at] + b"\xe9" + data[at:])
    assert text == "A café’s owner – the “keeper” – shall pay a \ufffdfee of 5 €."
    assert "1 bytes are no UTF-8" in warning
    assert "byte 0xE9 in line 11" in warning


def test_many_bad_bytes_are_counted() -> None:
    data = ACT.encode().replace(b"shall", b"sh\xffll").replace(b"the", b"th\xfe").replace(b"owner", b"own\xff\xffer")
    _, (warning, *_) = parsed(data)
    assert warning.startswith(f"{data.count(255) + data.count(254)} bytes are no UTF-8")
    assert warning.endswith(f"and {data.count(255) + data.count(254) - 3} more")


def test_windows_1252_is_still_read_and_it_is_said() -> None:
    text, (warning,) = parsed(ACT.encode("cp1252"))
    assert text == "A café’s owner – the “keeper” – shall pay a fee of 5 €."
    assert "Windows-1252" in warning


@pytest.mark.parametrize("data", [ACT.encode(), ACT.encode("utf-8-sig"), codecs.BOM_UTF16_LE + ACT.encode("utf-16-le")])
def test_sound_text_has_no_warning(data: bytes) -> None:
    text, warnings = parsed(data)
    assert text == "A café’s owner – the “keeper” – shall pay a fee of 5 €."
    assert warnings == []


@pytest.mark.parametrize("far", ["", "Further words. " * 400])
@pytest.mark.parametrize(("byte", "name"), [(b"\0", "byte 0x00, NUL"), (b"\x07", "byte 0x07")])
def test_a_control_character_is_the_reason_with_its_place(byte: bytes, name: str, far: str) -> None:
    data = ACT.replace("A café", far + "A café").encode().replace(b"keeper", b"kee" + byte + b"per")
    assert detect(data) == "text/plain"
    with pytest.raises(DocumentError) as refused:
        parsed(data)
    assert f"control character ({name}) at byte {data.index(byte):,}, line 11" in str(refused.value)


def test_a_page_in_html_is_decoded_alike() -> None:
    page = "<!doctype html><html><body><p>A café’s fee.</p></body></html>".encode()
    content = read("text/html", page.replace(b"fee", b"\xe9fee"))
    assert content.lines[0].text == "A café’s \ufffdfee."
    assert "byte 0xE9" in content.warnings[0]
    with pytest.raises(DocumentError, match=r"control character .byte 0x00, NUL. at byte"):
        read("text/html", page.replace(b"fee", b"f\0ee"))
    declared = "<!doctype html><html><head><meta charset='iso-8859-2'></head><body><p>Łódź</p></body></html>"
    content = read("text/html", declared.encode("iso-8859-2"))
    assert (content.lines[0].text, content.warnings) == ("Łódź", [])


@pytest.mark.parametrize(
    ("hidden", "said"),
    [
        ("shall\u202e not\u202c pay", "2 bidirectional controls"),
        ("sh\u200ball pay\u2060", "2 zero-width characters"),
        ("\u2066shall\u2069 p\u200day", "2 bidirectional controls, 1 zero-width characters"),
        ("shall\x9b pay", "1 control characters"),
    ],
)
def test_what_nobody_sees_is_removed_and_counted(hidden: str, said: str) -> None:
    text, (warning,) = parsed(ACT.replace("shall pay", hidden).encode())
    assert text.replace("not ", "") == "A café’s owner – the “keeper” – shall pay a fee of 5 €."
    assert f"invisible characters were removed: {said}; the first stood near “" in warning
    assert "keeper" in warning
    assert "\u202e" not in warning


def test_places_of_tabs_in_a_line_move_with_what_is_removed() -> None:
    content = Content(lines=[Line("a\u200bb c", stops=((4, 90.0),))])
    invisible.remove(content)
    assert content.lines[0].stops == ((3, 90.0),)


def test_a_lead_in_bold_ends_before_what_is_removed_from_it() -> None:
    content = Content(lines=[Line("La\u200bmps. They shine.", lead=7)])
    invisible.remove(content)
    (line,) = content.lines
    assert line.text[: line.lead] == "Lamps."


def test_tables_of_a_pdf_are_cleaned_too() -> None:
    table = Table(1, (0.0, 50.0, 99.0), 99.0, 0.0, [[["Oi\u200bl"], ["5 \u202eeuro"]]], heads=False)
    content = Content(lines=[Line("Oi\u200bl 5 \u202eeuro")], tables=lambda: [table])
    invisible.remove(content)
    assert [found.rows for found in content.tables()] == [[[["Oil"], ["5 euro"]]]]
    assert "removed: 1 zero-width characters, 1 bidirectional controls;" in content.warnings[0]


def test_numbers_and_headings_of_xml_are_cleaned_too() -> None:
    law = (
        '<akomaNtoso xmlns="http://docs.oasis-open.org/legaldocml/ns/akn/3.0"><act><body><section><num>Section 4</num>'
        "<heading>La\u200bmps</heading><subsection><num>(1\u2060)</num><heading>Oi\u200bl</heading>"
        "<content><p>The keeper fills it.</p></content></subsection></section></body></act></akomaNtoso>"
    )
    document = parse_document(Source("lamps", "lamps", "uk"), law.encode())
    printed = "".join(f"{s.number} {s.heading} {s.label} {s.text} " for s in document.sections)
    assert printed.isprintable()
    assert [(s.number, s.heading) for s in document.sections] == [("4", "Lamps"), ("1", "Oil")]
