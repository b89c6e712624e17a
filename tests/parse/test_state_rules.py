"""How the rules of the American states' agencies are numbered, and how they cite one another.

Every state's code has a form of its own. Texts are invented; only the forms of the numbers are those of the states.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest
import yaml

from antinomy.cite import DocumentInfo, cite_document, corpus_index, nodes_of
from antinomy.parse import parse_document
from antinomy.parse.model import ParsedDocument
from antinomy.settings.source import Source


class Habit(NamedTuple):
    """A state's forms: # stands for the number of the section, 1 to 3.

    Attributes:
        head: a section's number and title, {} for the title.
        number: of the section in the tree.
        outer, inner: the two first marks of the list in a section, and of the list within its first item.
        cites: a citation of the second item of section 2, and one of that of section 3 where it stands.
        whole: the first is of section 2 itself.
    """

    head: str
    number: str
    outer: list[str]
    inner: list[str]
    cites: list[str]
    whole: bool = False


_HABITS = {
    state: Habit(**forms)
    for state, forms in yaml.safe_load(Path(__file__).with_name("state_rules.yaml").read_text("utf-8")).items()
}
#: Title of a section, its first paragraph with the items that it introduces, and its second.
_SECTIONS = (
    ("Scope", "This chapter applies to every licensee that holds lamps, by:", "It does not apply to a pier."),
    ("Custody", "A licensee shall keep its lamps apart, sorted by:", "A licensee shall count them daily."),
    ("Records", "A licensee shall preserve for six years, in ink:", "A licensee shall hand a copy to the department."),
)
_ITEMS = ("the name of the customer;", "the kind of the lamp.")


def _printed(habit: Habit) -> str:
    blocks = ["CHAPTER 3", "LAMPS IN CUSTODY"]
    for number, (title, first, second) in enumerate(_SECTIONS, start=1):
        heading = title.upper() if habit.head.endswith(":") else title
        cites = f" This is subject to {habit.cites[0]} and to {habit.cites[1]}." if number == len(_SECTIONS) else ""
        texts = (f"{habit.outer[0]} {first}", *map(" ".join, zip(habit.inner, _ITEMS, strict=True)))
        section = (habit.head.format(heading), *texts, f"{habit.outer[1]} {second}{cites}")
        blocks += [block.replace("#", str(number)) for block in section]
    return "\n\n".join(blocks)


def _read(habit: Habit) -> ParsedDocument:
    return parse_document(Source("text", "rule.txt", "any"), _printed(habit).encode())


@pytest.mark.parametrize("state", _HABITS)
def test_the_sections_of_a_state_s_rule_hold_their_paragraphs(state: str) -> None:
    habit = _HABITS[state]
    document = _read(habit)
    by_eid = {section.eid: section for section in document.sections}
    for number, (title, first, second) in enumerate(_SECTIONS, start=1):
        one, two = (
            next(section for section in document.sections if section.text.startswith(text)) for text in (first, second)
        )
        holder = by_eid[one.parent_eid]
        assert two.parent_eid == holder.eid
        assert holder.number.replace("-.", "-") == habit.number.replace("#", str(number)).replace("-.", "-")
        assert holder.heading.strip(":").casefold() == title.casefold()
        items = [section.text for section in document.sections if section.parent_eid == one.eid]
        assert items == list(_ITEMS)
    assert document.structure == 1


@pytest.mark.parametrize("state", _HABITS)
def test_the_citations_of_a_state_s_rule_lead_to_its_own_sections(state: str) -> None:
    habit = _HABITS[state]
    document = _read(habit)
    here = next(section.eid for section in document.sections if "This is subject to" in section.text)
    corpus = corpus_index([DocumentInfo("text", document.title)], nodes_of("text", document.sections))
    rows = [row for row in cite_document("text", document.sections, corpus) if row["src_section_id"] == f"text#{here}"]
    second, third = (
        next(section for section in document.sections if section.text.startswith(text)) for _, _, text in _SECTIONS[1:]
    )
    first = second.parent_eid if habit.whole else second.eid
    assert {row["target_eid"] for row in rows if row["resolution"] == "exact"} == {first, third.eid}
