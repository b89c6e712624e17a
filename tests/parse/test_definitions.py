"""Which provisions define a term, wherever they stand."""

from __future__ import annotations

import textwrap

import pytest

from antinomy.parse import parse_document
from antinomy.parse.quotes import defines
from antinomy.settings.source import Source
from growth import assert_linear


@pytest.mark.parametrize(
    "text",
    [
        "“Critical function” means a function whose failure costs a million.",
        'In this Circular, "outsourcing" means the use of a third party.',
        "For the purposes of this policy, the term ‘vendor’ denotes whoever sells.",
        "The expression “exit plan” means a plan to withdraw.",
        "A “material change” means a change of the scope.",
        "Service provider means a third party that performs a function.",
        "“Lamp” includes a lantern.",
        "In COND “client” means whoever is served.",
        "For the purposes of this Part “client” means whoever is served.",
    ],
)
def test_a_definition_wherever_it_stands(text: str) -> None:
    assert defines(text)


@pytest.mark.parametrize(
    "text",
    [
        "“Critical” systems shall be tested once a year.",
        "Training includes drills and a test.",
        "A card is used as a means to pay.",
        "When the aim cannot be attained by means of talks, the bank must act.",
        "This means that the bank must act.",
        "The bank must define what “critical” means in its policy.",
        "Records: they are kept for five years.",
        "In cases “urgent” means something else, the bank must ask.",
    ],
)
def test_no_definition(text: str) -> None:
    assert not defines(text)


def test_below_the_heading_of_a_glossary_a_colon_defines() -> None:
    assert defines("Outsourcing: the use of a third party.", in_glossary=True)
    assert not defines("Note: these terms are used below.", in_glossary=True)


@pytest.mark.parametrize("dash", ["—", "–", ":"])
def test_below_words_that_announce_terms_any_verb_defines(dash: str) -> None:
    """The words that end in a dash are no heading of the terms below them."""
    text = (
        "Notice on Lamps\n\n1 Interpretation\n\n1.1 A word has its usual meaning.\n\n"
        f"1.2 For the purposes of this Notice{dash}\n\n“red” stands for lamps on quays;\n\n"
        "“keeper” means whoever lights a lamp.\n\n2 Duties\n\n2.1 A keeper must look.\n\n2.2 A keeper must write.\n"
    )
    document = parse_document(Source("lamps", "lamps.txt", "any", grammar="numbered"), text.encode())
    found = {section.term: section.parent_eid for section in document.sections if section.term}
    assert found == {"red": "para_1-2", "keeper": "para_1-2"}
    holder = next(section for section in document.sections if section.eid == "para_1-2")
    assert (holder.heading, holder.text) == ("", f"For the purposes of this Notice{dash}")


def test_a_term_behind_the_points_of_another_belongs_to_the_list() -> None:
    text = (
        "# Lamp Rules\n\n**1.1** In these rules:\n\n“beacon” means a lamp that:\n\n(a) stands on a quay; or\n\n"
        "(b) floats;\n\n“keeper” means a person who lights lamps.\n\n**1.2** A keeper must hold a licence.\n"
    )
    document = parse_document(Source("rules", "rules.md", "any"), text.encode())
    terms = [(s.text, s.parent_eid) for s in document.sections if s.type == "definition"]
    assert [term for term, _ in terms] == ["“beacon” means a lamp that:", "“keeper” means a person who lights lamps."]
    assert len({parent for _, parent in terms}) == 1


@pytest.mark.parametrize("repeated", ["“", "a ", "in this a ", "x means ", "for the purpose of this "])
def test_hostile_text_takes_linear_time(repeated: str) -> None:
    assert_linear(lambda n: defines(repeated * n, in_glossary=True), 20_000)


def test_each_term_of_a_list_has_the_points_below_it() -> None:
    text = """
        Notice on Lamps

        1. Terms

        1.1 In this Notice —

        “keeper”, in relation to a lamp, means —

        (a) whoever owns it; or

        (b) whoever lights it;

        “large lamp” means a lamp which —

        (a) is seen from three miles; or

        (b) burns two jars of oil a night;

        “oil” means the oil of whales.

        1.2 A keeper lights each lamp —

        (a) at dusk; and

        (b) in fog.

        The log of a keeper says —

        (a) when it was lit; and

        (b) by whom.
        """
    document = parse_document(Source("x", "x.txt", "any", grammar="numbered"), textwrap.dedent(text).encode())
    found = {s.eid: s.text for s in document.sections}
    assert [(s.term, s.parent_eid) for s in document.sections if s.type == "definition"] == [
        ("keeper", "para_1-1"), ("large lamp", "para_1-1"), ("oil", "para_1-1"),
    ]  # fmt: skip
    assert found["para_1-1__point_keeper__point_b"] == "whoever lights it;"
    assert found["para_1-1__point_large-lamp__point_a"] == "is seen from three miles; or"
    assert found["para_1-2__point_b"] == "in fog."
    assert found["para_1-2__subpara_1"] == "The log of a keeper says —"
    assert found["para_1-2__subpara_1__point_b"] == "by whom."


def test_a_dash_parts_a_term_from_its_meaning_below_a_heading_with_a_note() -> None:
    text = (
        "Notice on Lamps\n\n1. Definitions¹\n\n(a) The terms of this Notice have these meanings:\n\n"
        "(i) ‘Wick’ – Any cord that draws oil.\n\n(ii) ‘Night watch’ - The keepers on duty after dusk.\n\n"
        "(b) Other terms have their usual meaning.\n\n2. Duties\n\n(a) A keeper shall trim the wick.\n\n"
        "(b) He shall write a log.\n\n¹ Of 2031.\n"
    )
    document = parse_document(Source("text", "text.txt", "any"), text.encode())
    assert [(s.term, s.number) for s in document.sections if s.type == "definition"] == [
        ("Wick", "i"),
        ("Night watch", "ii"),
    ]


def test_words_that_announce_terms_may_end_in_a_full_stop() -> None:
    text = (
        "# Sourcebook\n\n## 5 Lamps\n\n"
        "5.1.1 R In this chapter the following expressions have the meanings given below.\n\n"
        "lamp means what a keeper lights.\n\noil means what burns in a lamp.\n\n5.1.2 R A keeper must buy oil.\n"
    )
    document = parse_document(Source("x", "text.md", "any", grammar="numbered"), text.encode())
    assert [section.term for section in document.sections if section.type == "definition"] == ["lamp", "oil"]


def test_a_bar_may_part_a_term_from_its_meaning_below_words_that_announce_terms() -> None:
    text = (
        "PART 7. LAMPS\n\n§701.  Definitions\n\n"
        "  A. As used in this Part, the following words have the meanings given to them in this Section, unless the\n"
        "sentence in which they stand plainly calls for another.\n\n"
        "    Keeper―whoever lights a lamp. A visitor is none.\n\n"
        "    Night Watch—the hours between dusk and dawn.\n\n"
        "  B. Words in the singular stand for the plural.\n\n"
        "§703.  Duties\n\n  A. A keeper shall buy oil.\n\n  B. A keeper shall trim each wick.\n"
    )
    document = parse_document(Source("text", "text.txt", "any"), text.encode())
    assert [(s.term, s.text) for s in document.sections if s.type == "definition"] == [
        ("Keeper", "Keeper―whoever lights a lamp. A visitor is none."),
        ("Night Watch", "Night Watch—the hours between dusk and dawn."),
    ]
