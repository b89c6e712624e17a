"""The shapes in which publishers give out their laws in XML: schedules in wrappers, notes, tables and forms between."""

from __future__ import annotations

from antinomy.parse import parse_document
from antinomy.parse.model import ParsedDocument
from antinomy.settings.source import Source


def parse(data: str) -> ParsedDocument:
    return parse_document(Source("law", "law", "any"), data.encode())


def akn(inner: str) -> ParsedDocument:
    return parse(
        f'<akomaNtoso xmlns="http://docs.oasis-open.org/legaldocml/ns/akn/3.0"><act>{inner}</act></akomaNtoso>'
    )


def tree(document: ParsedDocument) -> dict[str, tuple[str, str]]:
    return {s.eid: (s.heading, s.text) for s in document.sections}


def regulation(number: int, text: str) -> str:
    return (
        f'<hcontainer name="regulation"><num>{number}.</num><heading>Duty {number}</heading><paragraph><num>(1)</num>'
        f"<content><p>{text}</p></content></paragraph></hcontainer>"
    )


def schedule(number: int, inner: str) -> str:
    return (
        f'<attachment><doc name="schedule"><meta/><mainBody><hcontainer name="schedule"><num>SCHEDULE {number}</num>'
        f"<heading>Matters {number}</heading>{inner}</hcontainer></mainBody></doc></attachment>"
    )


def paragraph(number: int, text: str) -> str:
    return f"<paragraph><num>{number}.</num><content><p>{text}</p></content></paragraph>"


def test_schedules_in_documents_of_their_own_begin_anew_and_are_not_confused_with_the_part_before_them() -> None:
    part = f"<part><num>PART 4</num><heading>Last</heading>{regulation(9, 'A keeper must row.')}</part>"
    inner = f"<part><num>PART 1</num><heading>Oars</heading>{paragraph(1, 'Oars are of ash.')}</part>"
    document = akn(
        f"<body>{part}</body><attachments>{schedule(1, inner)}{schedule(2, paragraph(1, 'Sails are red.'))}"
        "</attachments>"
    )
    assert tree(document) == {
        "part_4": ("Last", ""),
        "sec_9": ("Duty 9", ""),
        "sec_9__para_1": ("", "A keeper must row."),
        "sched_1": ("Matters 1", ""),
        "sched_1__part_1": ("Oars", ""),
        "sched_1__part_1__para_1": ("", "Oars are of ash."),
        "sched_2": ("Matters 2", ""),
        "sched_2__para_1": ("", "Sails are red."),
    }
    assert document.faults == []


def test_an_attachment_may_print_its_number_as_its_heading() -> None:
    body = "<body><section><num>1.</num><heading>Wells</heading><content><p>A well is covered.</p></content></section>"
    attachments = "".join(
        f'<attachment>{head}<doc name="schedule"><meta/><mainBody>{paragraph(1, text)}</mainBody></doc></attachment>'
        for head, text in (
            ("<heading>Schedule 1</heading><subheading>Fees</subheading>", "A well costs 5."),
            ("<heading>Forms</heading>", "Use ink."),
        )
    )
    found = tree(akn(f"{body}</body><attachments>{attachments}</attachments>"))
    assert found["sched_1"] == ("Fees", "")
    assert found["sched_1__para_1"] == ("", "A well costs 5.")
    assert found["sched"] == ("Forms", "")
    assert found["sched__para_1"] == ("", "Use ink.")


def test_a_container_with_a_heading_and_no_number_groups_provisions() -> None:
    groups = "".join(
        f'<hcontainer name="crossheading"><heading>{heading}</heading>{inner}</hcontainer>'
        for heading, inner in (
            ("Ropes", regulation(1, "A rope must be dry.") + regulation(2, "A rope must be long.")),
            ("Anchors", regulation(3, "An anchor must be clean.")),
        )
    )
    inner = f'<hcontainer name="P1group"><heading>Knots</heading>{paragraph(1, "A knot must hold.")}</hcontainer>'
    annex = f"<hcontainer name='schedule'><num>Schedule 1</num>{inner}</hcontainer>"
    document = akn(f"<preface><docTitle>The Boats Rules</docTitle></preface><body>{groups}{annex}</body>")
    above = {s.eid: s.parent_eid for s in document.sections}
    assert above["sec_1"] == above["sec_2"] == "hd_ropes"
    assert above["sec_3"] == "hd_anchors"
    assert above["sched_1__hd_knots__para_1"] == "sched_1__hd_knots"


def test_what_closes_an_act_and_explains_it_is_no_provision() -> None:
    note = "<heading>EXPLANATORY NOTE</heading><content><p>Schedule 1 is about ropes.</p></content>"
    body = f"<body>{regulation(1, 'A keeper must row.')}</body><conclusions><p>Ada Tide, Minister</p></conclusions>"
    attached = f'<attachment><doc name="explanatoryNote"><mainBody>{note}</mainBody></doc></attachment>'
    document = akn(f"{body}<attachments>{schedule(1, paragraph(1, 'Ropes are dry.'))}{attached}</attachments>")
    closing = [(s.type, s.parent_eid, s.text) for s in document.sections if s.type == "conclusions"]
    assert closing == [
        ("conclusions", "", "Ada Tide, Minister"),
        ("conclusions", "", "EXPLANATORY NOTE Schedule 1 is about ropes."),
    ]
    assert tree(document)["sched_1__para_1"] == ("", "Ropes are dry.")


def test_the_title_of_an_act_is_not_the_banner_above_it() -> None:
    front = (
        "<block>Statutory Rules</block><block>2044 No. 3</block><block><docTitle>The Oars Rules 2044</docTitle></block>"
    )
    document = akn(f"<preface>{front}</preface><body>{regulation(1, 'A keeper must row.')}</body>")
    assert document.title == "The Oars Rules 2044"
    assert tree(document)["preamble"] == ("", "Statutory Rules\n2044 No. 3")


def test_words_that_introduce_an_amendment_are_no_heading_and_its_quotation_marks_are_kept() -> None:
    amended = (
        '<p>In rule 6, after paragraph (3) insert—<mod><quotedStructure startQuote="“" endQuote="”">'
        "<paragraph><num>(3A)</num><content><p>An oar must float.</p></content></paragraph>"
        "<paragraph><num>(3B)</num><content><p>A sail must not.</p></content></paragraph></quotedStructure></mod>"
        "<inline>.</inline></p>"
    )
    inner = f"<paragraph><num>1.</num><content>{amended}</content></paragraph>"
    document = akn(f"<body>{regulation(1, 'A keeper must row.')}</body><attachments>{schedule(1, inner)}</attachments>")
    assert tree(document)["sched_1__para_1"] == (
        "",
        "In rule 6, after paragraph (3) insert—\n“(3A) An oar must float.\n(3B) A sail must not.”.",
    )


def test_a_table_of_another_vocabulary_is_one_and_a_provision_cited_in_a_cell_is_no_number_of_its_row() -> None:
    rows = "".join(f"<tr><td>{cell}</td><td>{fine}</td></tr>" for cell, fine in (("Rule 4(1)", 10), ("Rule 9", 25)))
    table = f'<tblock><foreign><table xmlns="http://www.w3.org/1999/xhtml"><tr><th>Breach</th><th>Fine</th></tr>{rows}'
    document = akn(f"<body>{regulation(1, f'Fines:</p>{table}</table></foreign></tblock><p>')}</body>")
    assert [s.text for s in document.sections if "__table_1__" in s.eid] == [
        "Breach: Rule 4(1); Fine: 10", "Breach: Rule 9; Fine: 25",
    ]  # fmt: skip
