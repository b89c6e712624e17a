"""Acts in the XML of national publishers: the United Kingdom's, where labels lack their brackets, and Canada's."""

from __future__ import annotations

import pytest

from antinomy.errors import DocumentError
from antinomy.parse import parse_document
from antinomy.parse.model import ParsedDocument
from antinomy.settings.source import Source


def parse(data: str) -> ParsedDocument:
    return parse_document(Source("law", "law.xml", "any"), data.encode())


def tree(document: ParsedDocument) -> dict[str, tuple[str, str]]:
    return {s.eid: (s.heading, s.text) for s in document.sections}


def crown(body: str, after: str = "") -> ParsedDocument:
    return parse(
        '<Legislation xmlns="http://www.legislation.gov.uk/namespaces/legislation">'
        '<ukm:Metadata xmlns:ukm="http://www.legislation.gov.uk/namespaces/metadata"><ukm:Note>omitted'
        "</ukm:Note></ukm:Metadata><Secondary><SecondaryPrelims><Number>2031 No. 77</Number><Title>The Ferries "
        "Regulations 2031</Title><SecondaryPreamble><EnactingText><Para><Text>The Minister makes these Regulations."
        "</Text></Para>"
        f"</EnactingText></SecondaryPreamble></SecondaryPrelims><Body>{body}</Body>{after}</Secondary><Commentaries>"
        '<Commentary id="c1" Type="F"><Para><Text>Word inserted</Text></Para></Commentary></Commentaries></Legislation>'
    )


def section(number: int, inner: str, title: str = "") -> str:
    heading = f"<Title>{title}</Title>" if title else ""
    return f"<P1group>{heading}<P1><Pnumber>{number}</Pnumber><P1para>{inner}</P1para></P1></P1group>"


def level(depth: int, number: str, inner: str) -> str:
    return f"<P{depth}><Pnumber>{number}</Pnumber><P{depth}para>{inner}</P{depth}para></P{depth}>"


def text(words: str) -> str:
    return f"<Text>{words}</Text>"


def test_an_instrument_of_the_united_kingdom_has_its_numbers_in_brackets_and_its_headings() -> None:
    points = level(3, "a", text("oars;")) + level(3, '<Addition CommentaryRef="c1">aa</Addition>', text("sails; and"))
    duty = level(2, '<CommentaryRef Ref="c1"/>1', text("A ferry must carry—") + points + text("and both must be dry."))
    late = f"<P2group><Title>Night</Title>{level(2, '2', text('At night it must carry a lamp.'))}</P2group>"
    body = (
        f"<Part><Number>PART 2</Number><Title>Gear</Title>{section(7, duty + late, 'What is carried')}</Part>"
        f"<Pblock><Title>Fares</Title>{section(8, text('A fare must be posted.'))}</Pblock>"
    )
    document = crown(body)
    assert tree(document) == {
        "title": ("The Ferries Regulations 2031", ""),
        "preamble": ("", "2031 No. 77\nThe Minister makes these Regulations."),
        "part_2": ("Gear", ""),
        "sec_7": ("What is carried", ""),
        "sec_7__para_1": ("", "A ferry must carry— and both must be dry."),
        "sec_7__para_1__point_a": ("", "oars;"),
        "sec_7__para_1__point_aa": ("", "sails; and"),
        "sec_7__para_2": ("Night", "At night it must carry a lamp."),
        "hd_fares": ("Fares", ""),
        "sec_8": ("", "A fare must be posted."),
    }
    assert (document.media_type, document.faults, document.title) == (
        "application/clml+xml", [], "The Ferries Regulations 2031",
    )  # fmt: skip


def test_terms_and_what_is_put_into_another_act_stay_together() -> None:
    kinds = (
        '<ListItem NumberOverride="a"><Para><Text>a tide;</Text></Para></ListItem>'
        "<ListItem><Para><Text>ice;</Text></Para></ListItem>"
    )
    listed = (
        "<ListItem><Para><Text>“crew” means all on board;</Text></Para></ListItem>"
        f'<ListItem><Para><Text>“peril” means—</Text></Para><OrderedList Type="alpha">{kinds}</OrderedList></ListItem>'
    )
    terms = f"{text('In these Regulations—')}<UnorderedList>{listed}</UnorderedList>"
    quoted = f'<BlockAmendment Format="double">{level(2, "4", text("A pilot must row."))}</BlockAmendment>'
    schedule = (
        "<Schedules><Schedule><Number>SCHEDULE 1</Number><TitleBlock><Title>Other acts</Title></TitleBlock><Reference>"
        f"Regulation 1</Reference><ScheduleBody>{section(1, text('After paragraph (3) insert—') + quoted)}"
        "</ScheduleBody></Schedule></Schedules>"
    )
    found = tree(crown(section(1, level(2, "1", terms), "Terms"), schedule))
    assert found["sec_1__para_1__point_crew"] == ("", "“crew” means all on board;")
    assert found["sec_1__para_1__point_peril__point_a"] == ("", "a tide;")
    assert found["sec_1__para_1__point_peril__point_b"] == ("", "ice;")
    assert found["sched_1"] == ("Other acts", "Regulation 1")
    assert found["sched_1__para_1"] == ("", "After paragraph (3) insert—\n“(4) A pilot must row.”")


def article(number: str, title: str, words: str, points: str = "") -> str:
    inner = f'<P2><Pnumber PuncBefore="" PuncAfter=".">1</Pnumber><P2para>{text(words)}{points}</P2para></P2>'
    return (
        f"<P1group><Title>{title}</Title><P1><Pnumber>Article {number}</Pnumber><P1para>{inner}</P1para></P1></P1group>"
    )


def test_an_act_of_the_union_that_the_kingdom_kept_has_articles() -> None:
    meaning = text("‘quay’ means a wall;")
    point = f'<P3><Pnumber PuncBefore="(" PuncAfter=")">2</Pnumber><P3para>{meaning}</P3para></P3>'
    articles = article("4A", "Terms", "For this Regulation:", point) + article(
        "5", "Care", "A keeper shall mend a quay."
    )
    document = parse(
        '<Legislation xmlns="http://www.legislation.gov.uk/namespaces/legislation"><EURetained><EUPrelims><Title>'
        "Regulation (EU) 2031/5 on quays</Title><EUPreamble><Division><Number>(7)</Number><P><Text>Quays crumble."
        "</Text></P></Division></EUPreamble></EUPrelims><EUBody><EUChapter><Number>CHAPTER II</Number>"
        f"<Title>Walls</Title>{articles}</EUChapter></EUBody></EURetained></Legislation>"
    )
    assert tree(document) == {
        "title": ("Regulation (EU) 2031/5 on quays", ""),
        "preamble": ("", "Quays crumble."),
        "chp_II": ("Walls", ""),
        "art_4A": ("Terms", ""),
        "art_4A__para_1": ("", "For this Regulation:"),
        "art_4A__para_1__point_2": ("", "‘quay’ means a wall;"),
        "art_5": ("Care", ""),
        "art_5__para_1": ("", "A keeper shall mend a quay."),
    }


def canadian(body: str, after: str = "") -> ParsedDocument:
    return parse(
        '<?xml version="1.0"?><Statute xmlns:lims="http://justice.gc.ca/lims" xml:lang="en"><Identification><LongTitle>'
        "An Act respecting ferries</LongTitle><ShortTitle>Ferries Act</ShortTitle><BillHistory>2031</BillHistory>"
        f"</Identification><Body>{body}</Body>{after}</Statute>"
    )


def head(depth: int, title: str, label: str = "") -> str:
    label = f"<Label>{label}</Label>" if label else ""
    return f'<Heading level="{depth}">{label}<TitleText>{title}</TitleText></Heading>'


def provision(name: str, label: str, inner: str, note: str = "") -> str:
    note = f"<MarginalNote>{note}</MarginalNote>" if note else ""
    return f"<{name}>{note}<Label>{label}</Label>{inner}</{name}>"


def test_a_canadian_act_has_parts_and_marginal_notes_and_no_notes_on_its_history() -> None:
    history = "<HistoricalNote><HistoricalNoteSubItem>2031, c. 4, s. 7</HistoricalNoteSubItem></HistoricalNote>"
    points = "".join(
        provision("Paragraph", label, text(words))
        for label, words in (("(a)", "oars;"), ("(a.1)", "sails; and"), ("(b)", "a lamp."))
    )
    one = provision("Subsection", "(1)", text("A ferry shall carry") + points)
    two = provision("Subsection", "(1.1)", text("Oars shall be dry."), "Oars")
    document = canadian(
        head(1, "Gear", "PART 1")
        + head(2, "Duties")
        + provision("Section", "3", one + two + history, "What is carried")
        + provision("Section", "3.1", text("A fare shall be posted."), "Fares")
        + head(1, "Crews", "PART 2")
        + provision("Section", "4", text("A crew shall be sober."))
    )
    found = tree(document)
    assert found.pop("preamble") == ("", "An Act respecting ferries")
    assert {eid: part for eid, part in found.items() if not eid.startswith("part_1__hd")} == {
        "title": ("Ferries Act", ""),
        "part_1": ("Gear", ""),
        "sec_3": ("What is carried", ""),
        "sec_3__para_1": ("", "A ferry shall carry"),
        "sec_3__para_1__point_a": ("", "oars;"),
        "sec_3__para_1__point_a-1": ("", "sails; and"),
        "sec_3__para_1__point_b": ("", "a lamp."),
        "sec_3__para_1-1": ("Oars", "Oars shall be dry."),
        "sec_3-1": ("Fares", "A fare shall be posted."),
        "part_2": ("Crews", ""),
        "sec_4": ("", "A crew shall be sober."),
    }
    above = {s.eid: s.parent_eid for s in document.sections}
    assert above[above["sec_3-1"]] == "part_1"
    assert above["sec_4"] == "part_2"
    assert not any("Section 3.1" in fault for fault in document.faults)


def test_canadian_terms_have_no_quotation_marks_and_schedules_print_numbers_in_their_text() -> None:
    points = provision("Paragraph", "(a)", text("a tide; or")) + provision("Paragraph", "(b)", text("ice."))
    terms = "".join(
        f"<Definition><Text><DefinedTermEn>{term}</DefinedTermEn> {words}</Text>{inner}</Definition>"
        for term, words, inner in (("crew", "means all on board.", ""), ("peril", "includes", points))
    )
    introduced = provision("Subsection", "(1)", text("The definitions in this subsection apply in this Act.") + terms)
    bold = "<Text><Emphasis style='bold'>2.1</Emphasis></Text>"
    schedule = (
        "<Schedule><ScheduleFormHeading><Label>SCHEDULE 1</Label><OriginatingRef>(Section 2)</OriginatingRef>"
        '<TitleText>Principles</TitleText></ScheduleFormHeading><FormGroup><GroupHeading format-ref="group1-part">'
        f"<TitleText>2 Care</TitleText></GroupHeading><Provision>{bold}<Provision><Text>A keeper shall show care."
        "</Text></Provision></Provision></FormGroup></Schedule>"
    )
    found = tree(canadian(provision("Section", "2", introduced, "Definitions"), schedule))
    assert found["sec_2__para_1__point_crew"] == ("", "“crew” means all on board.")
    assert found["sec_2__para_1__point_peril"] == ("", "“peril” includes")
    assert found["sec_2__para_1__point_peril__point_a"] == ("", "a tide; or")
    assert found["sched_1"] == ("Principles", "(Section 2)")
    assert found["sched_1__sec_2"] == ("Care", "")
    assert found["sched_1__sec_2__para_2-1"] == ("", "A keeper shall show care.")


@pytest.mark.parametrize(
    "name", ["Legislation xmlns='http://www.legislation.gov.uk/namespaces/legislation'", "Statute"]
)
def test_a_file_without_provisions_is_refused(name: str) -> None:
    with pytest.raises(DocumentError, match="holds no provision"):
        parse(f"<{name}><Contents/></{name.split()[0]}>")
