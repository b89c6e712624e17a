"""Glossaries of any numbered text: each entry is a definition of its term, in whichever way the two are told apart."""

from __future__ import annotations

import html
import io
from collections.abc import Callable, Iterable

import docx
import pytest
from reportlab.lib.styles import getSampleStyleSheet
from reportlab.platypus import Paragraph, SimpleDocTemplate

from antinomy.norms.definitions import common_term
from antinomy.parse import parse_document
from antinomy.settings.source import Source

_RULES = [f"1.1.{n} R A keeper must light lamp {n} at dusk and put it out at dawn." for n in range(1, 6)]
_TERMS = {
    "affiliate": "a company in which the keeper holds more than half of the votes.",
    "close of business": "half past five in the afternoon at the keeper's office.",
    "lamp assets": "lamps, and the oil that is kept for them.",
    "senior keeper": "a keeper of ten years' service, or one who has been named as such by the harbour.",
}


def _markdown() -> bytes:
    entries = (f"**{term}** {meaning}" for term, meaning in _TERMS.items())
    return "\n\n".join(["# Lamp Rules", "## 1 Lighting", "### 1.1 Duties", *_RULES, "## Glossary", *entries]).encode()


def _cursive_markdown() -> bytes:
    return _markdown().replace(b"**", b"*")


def _web() -> bytes:
    rules = "".join(f"<p>{rule}</p>" for rule in _RULES)
    entries = "".join(f"<p><strong>{term}</strong> {html.escape(text)}</p>" for term, text in _TERMS.items())
    body = f"<h1>Lamp Rules</h1><h2>1 Lighting</h2><h3>1.1 Duties</h3>{rules}<h2>Glossary</h2>{entries}"
    return f"<!doctype html><html><body>{body}</body></html>".encode()


def _word() -> bytes:
    document = docx.Document()
    document.add_heading("Lamp Rules", 0)
    document.add_heading("1 Lighting", 1)
    document.add_heading("1.1 Duties", 2)
    for rule in _RULES:
        document.add_paragraph(rule)
    document.add_heading("Glossary", 1)
    for term, meaning in _TERMS.items():
        paragraph = document.add_paragraph()
        paragraph.add_run(term).bold = True
        paragraph.add_run(f" {meaning}")
    out = io.BytesIO()
    document.save(out)
    return out.getvalue()


def _print() -> bytes:
    styles = getSampleStyleSheet()
    story = [Paragraph(text, styles[name]) for text, name in (
        ("Lamp Rules", "Title"), ("1 Lighting", "Heading1"), ("1.1 Duties", "Heading2"),
    )]  # fmt: skip
    story += [Paragraph(rule, styles["BodyText"]) for rule in _RULES]
    story.append(Paragraph("Glossary", styles["Heading1"]))
    story += [Paragraph(f"<b>{term}</b> {meaning}", styles["BodyText"]) for term, meaning in _TERMS.items()]
    out = io.BytesIO()
    SimpleDocTemplate(out).build(story)
    return out.getvalue()


@pytest.mark.parametrize("typeset", [_markdown, _cursive_markdown, _web, _word, _print])
def test_a_term_set_in_bold_or_italics_before_its_meaning_is_defined(typeset: Callable[[], bytes]) -> None:
    document = parse_document(Source("lamps", "lamps", "any"), typeset())
    found = {s.term: s for s in document.sections if s.type == "definition"}
    assert set(found) == set(_TERMS)
    for term, meaning in _TERMS.items():
        assert found[term].text == f"{term}: {meaning}"
        assert common_term(found[term].text, f'"{term}" means a thing;', ("Glossary", ""))
    assert found["affiliate"].label == "“Glossary”, “affiliate”"


@pytest.mark.parametrize("printed", ["**{}:** {}", "**{}**: {}", "**{}** – {}", "**{}** means {}", "**“{}”** means {}"])
@pytest.mark.parametrize("heading", ["Glossary", "2 Terms"])
def test_what_is_printed_between_term_and_meaning_stays(printed: str, heading: str) -> None:
    entries = [printed.format(term, meaning) for term, meaning in _TERMS.items()]
    text = "\n\n".join(["# Lamp Rules", "## 1 Lighting", "### 1.1 Duties", *_RULES, f"## {heading}", *entries])
    document = parse_document(Source("lamps", "lamps", "any"), text.encode())
    found = {s.term: s.text for s in document.sections if s.type == "definition"}
    assert found == dict(zip(_TERMS, (entry.replace("**", "") for entry in entries), strict=True))


def test_what_a_term_and_its_meaning_hold_is_not_changed() -> None:
    entries = [
        r"**oil \(fuel\)** what burns in a lamp.",
        "**wick** what the oil climbs.",
        "**glass** what keeps the wind off.",
    ]
    text = "\n\n".join(["# Lamp Rules", "## 1 Lighting", "### 1.1 Duties", *_RULES, "## Glossary", *entries])
    document = parse_document(Source("lamps", "lamps", "any"), text.encode())
    found = {s.term: s.text for s in document.sections if s.type == "definition"}
    assert found["oil (fuel)"] == "oil (fuel): what burns in a lamp."


def test_notes_in_a_glossary_stay_as_they_are_printed() -> None:
    notes = ["**Note** that these terms are used below.", "Lamps are dear.", "Oil is dearer.", "Wicks are cheap."]
    text = "\n\n".join(["# Lamp Rules", "## 1 Lighting", "### 1.1 Duties", *_RULES, "## Glossary", *notes])
    document = parse_document(Source("lamps", "lamps", "any"), text.encode())
    assert "Note that these terms are used below." in [s.text for s in document.sections]


def test_a_paragraph_of_a_word_file_may_be_emphasised_to_its_end() -> None:
    document = docx.Document()
    document.add_heading("Lamp Rules", 0)
    document.add_heading("1 Lighting", 1)
    for rule in _RULES:
        document.add_paragraph(rule)
    document.add_heading("Glossary", 1)
    for term in _TERMS:
        paragraph = document.add_paragraph()
        paragraph.add_run(f"{term} ").bold = True
        paragraph.add_run("of whale;").italic = True
    out = io.BytesIO()
    document.save(out)
    texts = [s.text for s in parse_document(Source("lamps", "lamps", "any"), out.getvalue()).sections]
    assert "affiliate of whale;" in "\n".join(texts)


def test_emphasis_elsewhere_makes_no_definition() -> None:
    rules = [f"1.1.{n} R A keeper must light lamp {n}." for n in range(1, 4)]
    notes = ["**Keepers** shall rest on Sundays.", "**Lamps** may be borrowed."]
    text = "\n\n".join(["# Lamp Rules", "## 1 Lighting", "### 1.1 Duties", *rules, "## Rest", *notes])
    document = parse_document(Source("lamps", "lamps", "any"), text.encode())
    assert [s.text for s in document.sections if s.parent_eid == "hd_rest"] == [
        "Keepers shall rest on Sundays.", "Lamps may be borrowed.",
    ]  # fmt: skip
    assert not [s for s in document.sections if s.type == "definition"]


@pytest.mark.parametrize("heads", ["| Term | Meaning |", "| Expression | Definition |"])
def test_a_table_of_terms_is_a_list_of_definitions(heads: str) -> None:
    rows = [heads, "| --- | --- |", *(f"| {term} | {meaning} |" for term, meaning in _TERMS.items())]
    parts = ["# Lamp Rules", "## 1 Lighting", "### 1.1 Duties", *_RULES, "## Glossary", "\n".join(rows)]
    document = parse_document(Source("lamps", "lamps", "any"), "\n\n".join(parts).encode())
    found = {s.term: s.text for s in document.sections if s.type == "definition"}
    assert found == {term: f"{term}: {meaning}" for term, meaning in _TERMS.items()}


def test_a_table_of_terms_needs_no_heads_and_a_meaning_may_list() -> None:
    meanings = {
        "dark hours": "the time from dusk to dawn",
        "keeper": "any of these: (a) the owner of a lamp; (b) an agent under paragraph (a); or (c) the Warden",
        "Lamp": "a light on a quay",
    }
    rows = [f"| {term} | {meaning} |" for term, meaning in meanings.items()]
    rows.insert(1, "| --- | --- |")
    parts = ["# Lamp Rules", *_RULES, "1.1.4 R In these rules:", "\n".join(rows), "1.1.5 R A lamp is blue."]
    document = parse_document(Source("lamps", "lamps", "any"), "\n\n".join(parts).encode())
    terms = {s.term: s.text for s in document.sections if s.type == "definition"}
    assert terms == {
        "dark hours": "dark hours: the time from dusk to dawn", "keeper": "keeper: any of these:",
        "Lamp": "Lamp: a light on a quay",
    }  # fmt: skip
    keeper = next(s.eid for s in document.sections if s.term == "keeper")
    assert [(s.number, s.text) for s in document.sections if s.parent_eid == keeper] == [
        ("a", "the owner of a lamp;"), ("b", "an agent under paragraph (a); or"), ("c", "the Warden"),
    ]  # fmt: skip


def test_a_table_of_amounts_defines_nothing() -> None:
    table = "| Class | Amount |\n| --- | --- |\n| small | up to 5 |\n| large | more than 5 |\n| other | none |"
    document = parse_document(Source("lamps", "lamps", "any"), "\n\n".join(["# Lamp Rules", *_RULES, table]).encode())
    assert not [s for s in document.sections if s.type == "definition"]


@pytest.mark.parametrize(
    ("heading", "marks", "says"),
    [
        ("9 Definitions\n\nAs used in these Rules:", ("A.", "B.", "C.", "D."), "“{}” means {}"),
        ("9 Key terms", "----", "“{}” refers to {}"),
        ("9 Terms\n\nThe following definitions apply:", ("(a)", "(b)", "(c)", "(d)"), "{} means {}"),
    ],
    ids=["letters with a full stop", "bullets", "no quotation marks"],
)
def test_each_term_of_a_list_is_a_definition_whatever_stands_before_it(
    heading: str, marks: Iterable[str], says: str
) -> None:
    entries = [f"{mark} {says.format(*entry)}" for mark, entry in zip(marks, _TERMS.items(), strict=True)]
    text = "\n\n".join(["# Lamp Rules", "## 1 Lighting", "### 1.1 Duties", *_RULES, f"## {heading}", *entries])
    document = parse_document(Source("lamps", "lamps", "any"), text.encode())
    found = {s.term: s.text for s in document.sections if s.type == "definition"}
    assert found == {term: says.format(term, meaning) for term, meaning in _TERMS.items()}


def test_bullets_of_duties_define_nothing() -> None:
    bullets = ["- Training includes drills.", "- Oil includes fat.", "- Each wick is trimmed."]
    text = "\n\n".join(
        ["# Lamp Rules", "## 1 Lighting", "### 1.1 Duties", *_RULES, "## 9 Key terms of leases", *bullets]
    )
    document = parse_document(Source("lamps", "lamps", "any"), text.encode())
    assert not [s for s in document.sections if s.type == "definition"]


@pytest.mark.parametrize("says", ["**{}** means {}", "{} means {}", "“{}” is {}", '"{}" means {}'])
@pytest.mark.parametrize("above", ["In these Rules:", "The following words concern persons and things:"])
def test_the_lettered_terms_of_a_numbered_paragraph_are_definitions(above: str, says: str) -> None:
    entries = [f"({mark}) {says.format(*entry)}" for mark, entry in zip("abcd", _TERMS.items(), strict=True)]
    heading = "1.2 Terms used" if " is " in says else "1.2 Persons and things"
    parts = ["# Lamp Rules", "## 1 Lighting", "### 1.1 Duties", *_RULES, f"### {heading}", f"1.2.1 {above}", *entries]
    document = parse_document(Source("lamps", "lamps", "any"), "\n\n".join(parts).encode())
    found = {s.term: s.text for s in document.sections if s.type == "definition"}
    plain = says.replace("**", "")
    assert found == {term: plain.format(term, meaning) for term, meaning in _TERMS.items()}


@pytest.mark.parametrize("scope", ["In these Rules,", "For the purposes of this Part"])
def test_terms_without_numbers_are_definitions_behind_their_scope(scope: str) -> None:
    entries = [f'"{term}" means {meaning}' for term, meaning in _TERMS.items()]
    parts = [
        "# Lamp Rules",
        "## 1 Lighting",
        "### 1.1 Duties",
        *_RULES,
        "### Definitions",
        f"1.2 (1) {scope}",
        *entries,
    ]
    document = parse_document(Source("lamps", "lamps", "any"), "\n\n".join(parts).encode())
    found = {s.term: s.text for s in document.sections if s.type == "definition"}
    assert found == dict(zip(_TERMS, entries, strict=True))


def test_a_paragraph_may_announce_the_terms_that_stand_below_it_in_bold() -> None:
    """Its heading need not, as one for a whole chapter does not."""
    text = (
        "# Lamp Standard\n\n## Scope and terms used\n\n1. A keeper must light the lamps.\n\n## Reading\n\n"
        "2. The following definitions are used in this Standard:\n\n"
        "**dark day** – in relation to a harbour, means a day on which no ship sails.\n\n"
        "**keeper** – means a person who lights a lamp. A pilot is no keeper.\n\n"
        "**spare lamp** – a lamp that is kept dry.\n\n"
        "## Duties\n\n3. A keeper must hold:\n\n**Oil** that is clean, and\n\n**Wicks** that are dry.\n"
    )
    document = parse_document(Source("lamps", "lamps.md", "any", grammar="numbered"), text.encode())
    assert {s.term: (s.parent_eid, s.text) for s in document.sections if s.type == "definition"} == {
        "dark day": ("para_2", "dark day – in relation to a harbour, means a day on which no ship sails."),
        "keeper": ("para_2", "keeper – means a person who lights a lamp. A pilot is no keeper."),
        "spare lamp": ("para_2", "spare lamp – a lamp that is kept dry."),
    }
    assert next(s.text for s in document.sections if s.eid == "para_2").endswith("are used in this Standard:")


def test_a_list_of_duties_defines_nothing_even_if_it_quotes() -> None:
    items = ["(a) “Lamp” is printed on each lamp;", "(b) oil includes no water;", "(c) wicks are dry."]
    parts = ["# Lamp Rules", "## 1 Lighting", "### 1.1 Duties", *_RULES, "### 1.2 Signs", "1.2.1 The keeper sees that:"]
    document = parse_document(Source("lamps", "lamps", "any"), "\n\n".join([*parts, *items]).encode())
    assert not [s for s in document.sections if s.type == "definition"]
