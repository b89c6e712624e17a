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


def cfr(paragraphs: str) -> ParsedDocument:
    head = '<DIV5 N="70" TYPE="PART"><HEAD>PART 70—FERRIES</HEAD><DIV8 N="§ 70.3" TYPE="SECTION">'
    return parse(f"{head}<HEAD>§ 70.3   Moorings.</HEAD>{paragraphs}</DIV8></DIV5>")


def uslm(inner: str) -> ParsedDocument:
    main = f'<title><num value="97">Title 97—</num><heading>FERRIES</heading>{inner}</title>'
    return parse(f'<uscDoc xmlns="http://xml.house.gov/schemas/uslm/1.0"><main>{main}</main></uscDoc>')


def tree(document: ParsedDocument) -> dict[str, tuple[str, str]]:
    return {s.eid: (s.heading, s.text) for s in document.sections}


def texts(document: ParsedDocument) -> dict[str, str]:
    return {s.eid: " ".join(f"{s.heading} {s.text}".split()) for s in document.sections}


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


def test_paragraphs_go_on_behind_what_stands_between_them() -> None:
    table = "<TABLE><CAPTION><P>Table 1—Loads</P></CAPTION><TR><TH>Boat</TH><TH>Tons</TH></TR>"
    document = cfr(
        "<P>(a) A ferry shall be moored:</P><P>(1) At the bow; and</P><P>(2) At the stern.</P>"
        "<NOTE><HED>Note 1 to paragraph (a):</HED><P>A skiff is no ferry.</P></NOTE>"
        f"<P>(b) No mooring bears more than this:</P>{table}<TR><TD>Skiff</TD><TD>one</TD></TR></TABLE>"
        "<FP>A rope counts as nothing.</FP>"
        "<P>(c) The owner shall post this notice:</P>"
        "<EXTRACT><HD1>Passengers</HD1><P>(1) Sit down.</P></EXTRACT>"
        "<P>(d) The strain is computed so:</P><FP-2>Where <I>s</I> is the strain.</FP-2>"
        "<EXAMPLE><HED>Example.</HED><PSPACE>A rope bears 2.</PSPACE></EXAMPLE>"
        "<P>(e) The owner shall keep a log.</P>"
    )
    assert texts(document) == {
        "part_70": "FERRIES",
        "sec_70-3": "Moorings",
        "sec_70-3__para_a": "A ferry shall be moored:",
        "sec_70-3__para_a__point_1": "At the bow; and",
        "sec_70-3__para_a__point_2": "At the stern.",
        "sec_70-3__hd_note-1-to-paragraph-a": "Note 1 to paragraph (a): A skiff is no ferry.",
        "sec_70-3__para_b": "No mooring bears more than this:",
        "sec_70-3__para_b__subpara_1": "A rope counts as nothing.",
        "sec_70-3__para_b__table_1": "Table 1—Loads",
        "sec_70-3__para_b__table_1__subpara_1": "Boat: Skiff; Tons: one",
        "sec_70-3__para_c": "The owner shall post this notice: Passengers (1) Sit down.",
        "sec_70-3__para_d": "The strain is computed so: Where s is the strain.",
        "sec_70-3__hd_example": "Example. A rope bears 2.",
        "sec_70-3__para_e": "The owner shall keep a log.",
    }
    assert document.coverage == 1.0


def test_a_whole_list_in_one_paragraph_is_cut_into_its_items() -> None:
    document = cfr(
        "<P>(a) <I>Crew.</I> A ferry shall carry: (1) A pilot; (2) A cook, except where paragraph (b)(1) of this "
        "section applies; and (3) Two hands who: (i) Swim; and (ii) Row.</P>"
        "<P>(b) No owner may ask for a fee—(1) for rescue, or (2) for a life ring.</P>"
        "<P>(c) A log names the following: the boat (1) and its owner (2); and the day.</P>"
    )
    assert texts(document) == {
        "part_70": "FERRIES",
        "sec_70-3": "Moorings",
        "sec_70-3__para_a": "Crew. A ferry shall carry:",
        "sec_70-3__para_a__point_1": "A pilot;",
        "sec_70-3__para_a__point_2": "A cook, except where paragraph (b)(1) of this section applies; and",
        "sec_70-3__para_a__point_3": "Two hands who:",
        "sec_70-3__para_a__point_3__point_i": "Swim; and",
        "sec_70-3__para_a__point_3__point_ii": "Row.",
        "sec_70-3__para_b": "No owner may ask for a fee—",
        "sec_70-3__para_b__point_1": "for rescue, or",
        "sec_70-3__para_b__point_2": "for a life ring.",
        "sec_70-3__para_c": "A log names the following: the boat (1) and its owner (2); and the day.",
    }


def test_a_note_below_a_table_of_the_federal_register_is_a_footnote() -> None:
    head = "<BOXHD><CHED>Boat</CHED><CHED>Tons</CHED></BOXHD><ROW><ENT>Skiff<SU>1</SU></ENT><ENT>one</ENT></ROW>"
    table = f"<GPOTABLE>{head}<TNOTE><SU>1</SU> Without its crew.</TNOTE></GPOTABLE>"
    document = cfr(f"<P>(a) A ferry bears this:</P>{table}<P>(b) A boat is weighed.</P>")
    assert tree(document)["fn_1"] == ("", "Without its crew.")
    assert document.coverage == 1.0


def test_a_repealed_section_and_the_headings_and_terms_of_the_united_states_code() -> None:
    document = uslm(
        "<section><num value='11'>§ 11.</num><heading> Definitions</heading><chapeau>In this title:</chapeau>"
        "<paragraph><num value='1'>(1)</num><heading> Ferry.—</heading><content>The term “ferry” means a boat that "
        "crosses.</content></paragraph><paragraph><num value='2'>(2)</num><heading> Slip.—</heading><content>The term "
        "“slip” means a place for a ferry.</content></paragraph></section>"
        "<section status='repealed'><num value='12'>[§ 12.</num><heading> Repealed. Pub. L. 999–2]</heading></section>"
    )
    assert [(s.eid, s.type, s.heading, s.term) for s in document.sections[1:]] == [
        ("sec_11", "section", "Definitions", ""),
        ("sec_11__point_1", "definition", "Ferry", "ferry"),
        ("sec_11__point_2", "definition", "Slip", "slip"),
        ("sec_12", "section", "Repealed. Pub. L. 999–2", ""),
    ]


def test_codes_in_the_first_column_of_a_table_do_not_count_its_rows() -> None:
    rows = "".join(f"<TR><TD>{code}</TD><TD>{name}</TD></TR>" for code, name in ((410, "Ropes"), (425, "Oars")))
    table = f"<TABLE><TR><TH>Account</TH><TH>Goods</TH></TR>{rows}</TABLE>"
    document = cfr(f"<P>(a) The accounts of a ferry are:</P>{table}<P>(b) An account is kept in ink.</P>")
    assert [s.text for s in document.sections if "__table_1__" in s.eid] == [
        "Account: 410; Goods: Ropes", "Account: 425; Goods: Oars",
    ]  # fmt: skip
    assert not [fault for fault in document.faults if "table" in fault]
