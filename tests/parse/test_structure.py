"""The structure score: a sound tree passes; each spoilt document is below the gate and names the spoilt place first."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

import pytest

from antinomy.parse import parse_document
from antinomy.parse.model import Section
from antinomy.parse.structure.score import Structure, assess, with_citations
from antinomy.settings.source import POOR, Source

_DUTY = "The keeper shall look after the lamp, and shall write down what was done and by whom."


def rules() -> str:
    """Write a rulebook of three chapters with two sections of five provisions each, some with a list of four."""
    lines = ["# Rules on lamps", ""]
    for c in range(1, 4):
        lines += [f"## {c} Lamps of kind {c}", ""]
        for s in range(1, 3):
            lines += [f"### {c}.{s} Duties {c}.{s}", ""]
            for p in range(1, 6):
                lines += [f"{c}.{s}.{p} {_DUTY if p % 2 else 'The keeper shall keep:'}", ""]
                if not p % 2:
                    lines += [line for n in "abcd" for line in (f"({n}) the log of kind {n};", "")]
    return "\n".join(lines)


def assessed(text: str, grammar: str = "") -> Structure:
    return assess(parse_document(Source("rules", "rules.md", "any", grammar=grammar), text.encode()).sections)


def lines(drop: str) -> Callable[[str], str]:
    """Drop the lines that match."""
    return lambda text: "\n".join(line for line in text.split("\n") if not re.match(drop, line))


def swapped(text: str) -> str:
    first, second, third, fourth = re.split(r"(?=^## \d)", text, flags=re.MULTILINE)
    return first + third + second + fourth


def test_a_sound_document_is_above_the_gate() -> None:
    found = assessed(rules())
    assert found.score == 1.0
    assert found.faults == ()


def test_appendices_do_not_follow_annexes() -> None:
    behind = "".join(f"\n\n## {name} Forms\n\n{_DUTY}" for name in ("Annex A", "Annex B", "Appendix 1", "Appendix 2"))
    assert assessed(rules() + behind).faults == ()


@pytest.mark.parametrize(
    ("spoil", "place"),
    [
        (lines(r"2\.1\.[34] "), "Paragraph 2.1.5 follows Paragraph 2.1.2"),
        (lambda text: text.replace("2.2.3 ", "2.2.8 "), "Paragraph 2.2.8 follows Paragraph 2.2.2"),
        (lambda text: text.replace("1.2.4 ", "1.2.3 "), "Paragraph 1.2.3 (2) stands twice"),
        (lambda text: re.sub(r"(2\.1\.2 .*\n\n\(a\).*\n\n)\(b\).*\n\n\(c\).*\n\n", r"\1", text), "2.1.2(d) follows"),
        (lambda text: re.sub(r"(2\.1\.4 .*\n\n)\(a\).*\n\n\(b\).*\n\n", r"\1", text), "2.1.4(c) is the first"),
        (
            lambda text: text.replace(f"3.1.3 {_DUTY}", f"3.1.3 {_DUTY * 80}"),
            "Paragraph 3.1.3: 1,281 words in one unit",
        ),
        (swapped, "Section 1 follows Section 2"),
        (lines(r"### 3\.1 |3\.1\.[12] "), "3.1.3 is the first"),
        (lambda text: text.replace("## 1 Lamps", f"{_DUTY * 70}\n\n## 1 Lamps"), "Preamble: 1,1"),
        (lambda text: re.sub(r"^### 2\.1 .*$", "", text, flags=re.MULTILINE), "Section 2.2 is the first"),
    ],
    ids=["lost", "misprinted", "twice", "gap", "list", "long", "order", "start", "root", "heading"],
)
def test_a_spoilt_document_is_below_the_gate_and_names_its_place(spoil: Callable[[str], str], place: str) -> None:
    spoilt = spoil(rules())
    assert spoilt != rules()
    found = assessed(spoilt)
    assert found.score < POOR
    assert place in found.faults[0].message


def test_a_document_read_with_the_wrong_grammar_is_below_the_gate() -> None:
    text = re.sub(r"^#+ ", "", rules(), flags=re.MULTILINE).replace("\n\n", "\n")
    assert assessed(text, grammar="us").score < POOR


def test_numbers_left_in_a_text_are_told() -> None:
    text = "A keeper shall:\n(a) look;\n(b) write;\n(c) tell."
    (fault,) = assess([Section("sec_1", "section", "1", label="Section 1", text=text)]).faults
    assert fault.message == "Section 1: 3 numbers stand in its text, from a on"


def test_points_among_paragraphs_are_told() -> None:
    tree = [
        Section("art_1", "article", "1", label="Article 1"),
        *(Section(f"art_1__para_{n}", "paragraph", str(n), label=f"1({n})", parent_eid="art_1") for n in (1, 2)),
        Section("art_1__point_a", "point", "a", label="Article 1, point (a)", parent_eid="art_1"),
    ]
    (fault,) = assess(tree).faults
    assert fault.message == "Article 1, point (a) (point) stands among paragraphs like 1"


def test_numbers_that_a_law_leaves_out_are_no_fault() -> None:
    """Sections of the next subpart begin at 11; a reserved range stands for its numbers; 3a stands after 3."""
    numbers = ["1.1", "1.2", "1.3-1.5", "1.6", "1.6a", "1.7"]
    tree = [Section("subpart_A", "subpart", "A"), Section("subpart_B", "subpart", "B")]
    tree += [Section(f"sec_{n}", "section", n, label=n, parent_eid="subpart_A") for n in numbers]
    tree += [Section(f"sec_{n}", "section", n, label=n, parent_eid="subpart_B") for n in ("1.11", "1.12")]
    assert assess(tree).faults == ()


def test_citations_that_lead_nowhere_lower_the_score() -> None:
    assert with_citations(1.0, 100, 0) == 1.0
    assert with_citations(1.0, 100, 40) == pytest.approx(0.9)
    assert with_citations(0.1, 10, 40) == 0.0


def test_numbers_left_in_headings_are_told() -> None:
    """A part that the grammar does not know has its number in its heading only."""
    parts = "".join(f"## Canto {n} of the lamps\n\n(a) {_DUTY}\n\n(b) {_DUTY}\n\n" for n in range(1, 5))
    found = assessed(f"# Rules on lamps\n\n{parts}")
    assert found.score < POOR
    assert found.faults[0].message.startswith("“Canto 1 of the lamps”: 4 headings are counted (canto)")


def test_numbers_that_are_left_in_headings_are_told_whatever_their_form() -> None:
    sections = "".join(
        f"## 12-34--{n} {word}\n\n(1) A keeper shall light {word}.\n\n(2) A keeper shall log {word}.\n\n"
        for n, word in enumerate(("Lamps", "Oil", "Wicks", "Boats", "Ropes"), start=1)
    )
    document = parse_document(Source("x", "x.md", "any"), f"# Rules\n\n{sections}".encode())
    assert document.structure < 0.5
    assert "5 headings are counted (12-34–1)" in document.faults[0]


def test_notes_that_are_counted_anew_and_that_nothing_leads_to_are_told() -> None:
    sections = [
        Section(f"fn_{n}", "footnote", number=str(n % 2 + 1), label=f"Footnote {n % 2 + 1}", text=_DUTY)
        for n in range(10)
    ]
    assert assess(sections).score < POOR
    told = [replace(section, label=f"{section.label} to paragraph 3") for section in sections]
    assert assess(told).score == 1


def test_numbered_headings_left_in_texts_one_by_one_are_told() -> None:
    tree = [Section("sec_1", "section", "1", heading="Lamps", label="Section 1")]
    for n in range(1, 10):
        text = f"{_DUTY}\n{n // 3 + 1}. Oil and wicks" if n % 3 == 0 else _DUTY
        tree.append(Section(f"para_{n}", "paragraph", str(n), label=f"Paragraph {n}", text=text, parent_eid="sec_1"))
    found = assess(tree)
    assert found.score < POOR
    assert found.faults[0].message == "Paragraph 3: 3 numbered headings stand in texts, from 2 on"


def test_a_numbered_heading_beside_what_it_should_hold_is_told() -> None:
    tree = [
        Section("sec_1", "section", "1", heading="Scope", label="Section 1"),
        Section("hd_who", "heading", heading="Who", label="“Who”"),
        *(
            Section(f"para_{n}", "paragraph", str(n), label=f"{n}", text=_DUTY, parent_eid="hd_who")
            for n in range(1, 9)
        ),
        Section("sec_2", "section", "2", heading="Oil", label="Section 2", text=_DUTY),
    ]
    found = assess(tree)
    assert found.score < POOR
    assert found.faults[0].message == "Section 1 holds nothing; “Who” stands beside it"
    tree[0].heading = "[Reserved]"
    assert assess(tree).score == 1


def test_a_list_of_contents_among_the_provisions_is_told() -> None:
    titles = {f"4.{n}": title for n, title in enumerate(("Scope", "Oil", "Lamps", "Logs", "Fees"), 1)}
    tree = [
        Section(f"{where}__sec_{n}", "section", n, heading=title + page, label=f"{where} {n}", text=text)
        for where, page, text in (("hd_list", " 3", ""), ("part_4", "", _DUTY))
        for n, title in titles.items()
    ]
    assert assess(tree).score == 0.5
    assert assess(tree).faults[0].message.startswith("hd_list 4.1 holds nothing")
    assert assess(tree[5:]).score == 1


def test_numbers_with_room_between_and_numbers_of_another_type_are_no_gaps() -> None:
    assert assess([Section(f"sec_{n}", "section", str(n), label=f"{n}") for n in (10, 20, 30, 40, 99)]).score == 1
    kinds = ["paragraph"] * 3 + ["section"] * 5 + ["paragraph"]
    tree = [Section(f"{kind}_{n}", kind, str(n), label=f"{n}", text=_DUTY) for n, kind in enumerate(kinds, 1)]
    assert assess(tree).score == 1
    inserted = [Section(f"art_{n}", "article", n, label=f"Article {n}", text=_DUTY) for n in ("1", "2", "2-2", "3")]
    assert assess(inserted).score == 1
    dashed = [Section(f"sec_{n}", "section", n, label=n, text=_DUTY) for n in ("II-1", "II-1-1", "II-1-2", "II-2")]
    assert assess(dashed).score == 1


def code(numbers: list[int]) -> str:
    """Write a part of a code whose sections have these numbers."""
    return "\n\n".join(["# Part 70 Lamps", *(f"### § 70.{n} Lamp {n}\n\n(a) {_DUTY}\n\n(b) {_DUTY}" for n in numbers)])


def test_numbers_that_a_code_leaves_free_are_no_gaps_but_one_that_is_missing_is() -> None:
    assert assessed(code([1, 3, 5, 20, 22, 25, 30, 40, 42, 50])).score == 1.0
    spoilt = assessed(code([1, 2, 3, 4, 5, 6, 8, 9, 10]))
    assert "70.8" in spoilt.faults[0].message
    assert spoilt.score < 1.0


def test_columns_that_run_into_one_another_are_told() -> None:
    """A table's requirement, its test and its guidance stand in one line, or their lines in turn."""

    def row(number: str) -> str:
        lines = ["Access to the store is limited", "Examine the list of those with", "The fewer go in, the less is"]
        return f"{number} {lines[0]} {number}.a {lines[1]} {lines[2]}\nto staff with a need. access. lost."

    table = "\n\n".join(row(f"2.1.{p}") for p in range(1, 6))
    text = re.sub(r"2\.1\.1 .*?(?=^### 2\.2)", f"{table}\n\n", rules(), flags=re.DOTALL | re.MULTILINE)
    found = assessed(text)
    assert found.score < POOR
    assert found.faults[0].message == "Paragraph 2.1.1: its number stands in its text, as in the next column"
    cites = re.sub(r"^(\d\.\d\.\d) .*$", rf"\1 {_DUTY} Paragraph \1 Has no exception.", rules(), flags=re.MULTILINE)
    assert not any("next column" in fault.message for fault in assessed(cites).faults)


def test_definitions_that_run_into_one_another_are_told() -> None:
    terms = "wick means the part that draws up oil oil means any liquid that burns lamp means a device that gives light"
    tree = [Section(f"para_{n}", "paragraph", str(n), label=f"{n}", text=_DUTY) for n in range(1, 10)]
    (fault,) = assess([*tree, Section("para_10", "paragraph", "10", label="10", text=terms)]).faults
    assert fault.message == "10: 3 definitions run into one another"
    apart = terms.replace(" oil means", ". Oil means").replace(" lamp means", ". Lamp means")
    assert assess([*tree, Section("para_10", "paragraph", "10", label="10", text=apart)]).score == 1


@pytest.mark.parametrize("printed", ["LS/0{}", "{})", "KEEP_{}"])
def test_numbers_in_a_style_that_the_grammar_does_not_know_are_told(printed: str) -> None:
    duties = "\n\n".join(f"{printed.format(n)} {_DUTY}" for n in range(1, 5))
    text = "\n\n".join(f"## {heading}\n\n{duties}" for heading in ("Oil", "Wicks", "Glass"))
    found = assessed(f"# Lamps\n\n{text}", grammar="us")
    assert found.score < POOR
    assert "provisions begin with numbers that the tree does not tell" in found.faults[0].message


def test_lists_whose_first_paragraph_has_no_number_are_sound() -> None:
    text = "\n\n".join(f"§ {n}. {_DUTY}\n\n(2) {_DUTY}\n\n(3) {_DUTY}" for n in range(1, 7))
    assert assessed(f"Order on lamps\n\n{text}").score == 1
    spoilt = text.replace(f"§ 1. {_DUTY}", f"§ 1. {_DUTY}\n\n(1) {_DUTY}")
    assert assessed(f"Order on lamps\n\n{spoilt}").faults[0].message == "§ 2(2) is the first"


def _page(*rows: str) -> bytes:
    cells = "".join(f"<tr><td>{row}</td><td>(see the plan)</td></tr>" for row in rows)
    return f"<html><body><h1>Rules on lamps</h1><h2>Lamps</h2><table>{cells}</table></body></html>".encode()


def test_a_pile_of_rows_is_told() -> None:
    """A layout that no reader knows leaves the provisions as rows of a table below one heading."""
    rows = [f"{_DUTY} He does it {n} times." for n in range(20)]
    document = parse_document(Source("rules", "rules.html", "any", grammar="numbered"), _page(*rows))
    found = assess(document.sections)
    assert found.score < POOR
    assert "rows and paragraphs without a number or a heading" in found.faults[0].message


@pytest.mark.parametrize("mark", ["::: {.rule}", "Oil {#oil .term}", "| | of oil", "<td>Oil</td>", "Oil&nbsp;lamps"])
def test_marks_of_a_format_that_were_left_in_texts_are_told(mark: str) -> None:
    tree = [Section(f"para_{n}", "paragraph", str(n), label=f"{n}", text=f"{_DUTY}\n{mark}") for n in range(1, 5)]
    (fault,) = assess(tree).faults
    assert fault.message.startswith("1: 4 provisions hold marks of the file's format, as ")
    assert assess(tree).score < POOR
    assert assess([replace(section, text="See a | b, <name> and R&D; 3 < 4 > 2.") for section in tree]).faults == ()


def test_a_few_numbers_inserted_in_a_margin_are_no_fault() -> None:
    def tree(*numbers: str) -> list[Section]:
        section = Section("sec_I", "section", "I", label="Section I")
        return [section, *(Section(f"para_{n}", "paragraph", n, label=n, parent_eid="sec_I") for n in numbers)]

    counted = [str(n) for n in range(1, 21)]
    assert assess(tree(*counted[:12], "12.1", "12.2", *counted[12:])).faults == ()
    assert assess(tree("1", "2", "2.1", "3")).faults


def test_numbers_that_the_text_cites_and_the_tree_lacks_are_told() -> None:
    """A reader that loses the numbers of a margin leaves a tidy pile of paragraphs."""
    tree = [Section("sec_I", "section", "I", heading="Lamps", label="Section I")]
    for n in range(1, 21):
        text = f"{_DUTY} It acts under margin no. {n // 2 + 1}, and not paragraph {40 + n} of the Oil Act."
        tree.append(
            Section(f"sec_I__subpara_{n}", "subparagraph", label=f"Paragraph {n}", text=text, parent_eid="sec_I")
        )
    found = assess(tree)
    assert found.score < POOR
    assert found.faults[0].message == "Paragraph 1: the text cites 11 numbers of paragraphs that the tree does not tell"
    told = [replace(section, number=section.label.removeprefix("Paragraph ")) for section in tree[1:]]
    assert not any("cites" in fault.message for fault in assess([tree[0], *told]).faults)


def test_many_headings_of_which_the_next_holds_the_provisions_are_told() -> None:
    tree: list[Section] = []
    for n in range(1, 13):
        tree.append(Section(f"sec_{n}", "section", str(n), heading=f"Lamps {n}", label=f"Section {n}"))
        if n % 2 == 0:
            numbers = range(4 * n, 4 * n + 8)
            tree += (Section(f"para_{k}", "paragraph", str(k), "", f"{k}", _DUTY, f"sec_{n}") for k in numbers)
    found = assess(tree)
    assert found.score < POOR
    assert found.faults[0].message == "Section 1 holds nothing; Section 2 stands beside it"
