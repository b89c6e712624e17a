"""Citations in guidelines: Titles, paragraphs that run through sections, notes, and tables appended to the text."""

from __future__ import annotations

from antinomy.cite import DocumentInfo, cite_document, corpus_index, nodes_of
from antinomy.parse import parse_document
from antinomy.parse.model import ParsedDocument
from antinomy.settings.source import Source


def read(text: str, name: str = "text.md") -> ParsedDocument:
    return parse_document(Source("text", name, "any"), text.encode())


def resolved(document: ParsedDocument) -> dict[str, list[str]]:
    """Return the phrases that cite places of the document, and what each of them leads to."""
    corpus = corpus_index([DocumentInfo("text", document.title)], nodes_of("text", document.sections))
    found: dict[str, list[str]] = {}
    for row in cite_document("text", document.sections, corpus):
        if row["resolution"] == "exact" and row["target_eid"]:
            found.setdefault(str(row["raw_text"]), []).append(str(row["target_eid"]).rpartition("__")[2])
    return found


_TITLES = """# Guidelines on lamps

## Title I Scope

### 1. Addressees

1. These guidelines are for keepers. Title II and Title IX do not apply to ferries, nor does Section 3 of Title II.

2. Titles II to IV apply from May, Titles II and IV to piers, too. Title I agreed to in 2031 is void.

### 2. Terms

3. A lamp is what burns oil.

## Title II Oil

### 3. Buying

4. A keeper should buy oil:

(a) each month, unless this paragraph was suspended; or

(b) each week, where this point is easier to follow.

5. A keeper need not follow this Title in a war. It should send the list under paragraph 4, to the Harbour Board.

### 4. Keeping

6. A keeper should keep oil cool.

## Title III Wicks

### 5. Trimming

7. A keeper should trim wicks.

## Title IV Logs

### 6. Entries

8. A keeper should log each hour.
"""


def test_titles_of_guidelines_are_cited_and_this_paragraph_holds_the_points() -> None:
    assert resolved(read(_TITLES)) == {
        "Title II": ["title_II"],
        "Section 3 of Title II": ["sec_3"],
        "Titles II to IV": ["title_II", "title_III", "title_IV"],
        "Titles II and IV": ["title_II", "title_IV"],
        "Title I": ["title_I"],
        "this paragraph": ["para_4"],
        "this point": ["point_b"],
        "this Title": ["title_II"],
        "paragraph 4": ["para_4"],
    }


def test_titles_of_other_texts_are_no_places_of_one_without_titles() -> None:
    document = read(
        "# Lamp Rules\n\n## 1. Oil\n\n1.1 Title VII prohibits whale oil. This Title was never read.\n\n## 2. Wicks\n\n"
        "2.1 A keeper trims wicks.\n"
    )
    assert resolved(document) == {}


def test_a_note_is_none_of_the_words_of_its_item_and_a_table_may_be_appended() -> None:
    document = read(
        "# Guidelines for Lamp Keepers\n\n## I. Lamps\n\n### I-1 Oil\n\n#### I-1-1 Grades\n\n"
        "(1) Whether the keeper buys clean oil.\n\n"
        "(Note) Clean oil is oil without water.\n\n(2) Whether the keeper lists the oil as Appended Table 1 says.\n\n"
        "(Note 2) The form is Appended Form 2.\n\n## II. Wicks\n\n### II-1 Trimming\n\n"
        "(1) Whether the keeper trims the wicks.\n\n## Appended Table 1 Oil to be listed\n\n"
        "| Oil | Use |\n| --- | --- |\n| Whale | None |\n\n## Appended Form 2 List\n\nThe list has two columns.\n",
    )
    assert [(s.label, s.heading or s.text) for s in document.sections[4:]] == [
        ("Section I-1-1(1)", "Whether the keeper buys clean oil."),
        ("Section I-1-1(1), paragraph 1", "(Note) Clean oil is oil without water."),
        ("Section I-1-1(2)", "Whether the keeper lists the oil as Appended Table 1 says."),
        ("Section I-1-1(2), paragraph 1", "(Note 2) The form is Appended Form 2."),
        ("Section II", "Wicks"),
        ("Section II-1", "Trimming"),
        ("Section II-1(1)", "Whether the keeper trims the wicks."),
        ("Appended Table 1", "Oil to be listed"),
        ("Appended Table 1, table", ""),
        ("Appended Table 1, table, row 1", "Oil: Whale; Use: None"),
        ("Appended Form 2", "List"),
    ]
    assert resolved(document) == {"Appended Table 1": ["anx_1"], "Appended Form 2": ["anx_2"]}


def test_sub_regulations_are_cited_and_the_text_by_its_own_name() -> None:
    document = read(
        "# Lamp Regulations, 2041\n\n## 1. Short title\n\nThese are the Lamp Regulations, 2041.\n\n## 2. Oil\n\n"
        "(1) A keeper shall buy oil which—\n\n(a) is clean; and\n\n(b) has been tested under this sub-regulation.\n\n"
        "(2) Sub-regulation (1)(a) does not apply to ferries. Sub-regulations (1) and (3) apply to piers.\n\n"
        "(3) A keeper shall buy no other oil.\n",
    )
    # The title of a page names its site, too.
    title = f"{document.title} | Laws Online"
    corpus = corpus_index([DocumentInfo("text", title)], nodes_of("text", document.sections))
    rows = [
        (row["raw_text"], row["target_eid"], row["resolution"])
        for row in cite_document("text", document.sections, corpus)
    ]
    assert rows == [
        ("Lamp Regulations, 2041", None, "exact"),
        ("this sub-regulation", "sec_2__para_1", "exact"),
        ("Sub-regulation (1)(a)", "sec_2__para_1__point_a", "exact"),
        ("Sub-regulations (1) and (3)", "sec_2__para_1", "exact"),
        ("Sub-regulations (1) and (3)", "sec_2__para_3", "exact"),
    ]
