"""Provisions that were inserted in decimals, and the acts that made a section, whose sections are none of it."""

from __future__ import annotations

import textwrap

from antinomy.cite import DocumentInfo, cite_document, corpus_index, nodes_of
from antinomy.parse import parse_document
from antinomy.settings.source import Source

ACT = """\
    # Beacons Act

    ## Fires

    1(1) A keeper shall light a fire, subject to subsections (1.1) and (2).

    (1.1) A fire is lit where

    (a) it is dark;

    (a.1) it rains; or

    (b) section 3(2)(a.1)(ii) says so.

    (2) Repealed, 2019, c. 7, s. 3.

    ## Wood

    2 Wood is dry, whatever section 1(1.1)(a.1) or section 5 says.

    ## Boats

    3(1) A boat shall carry

    (a) oars;

    (b) a lamp.

    (2) A lamp is lit

    (a) in fog; or

    (a.1) in a storm

    (i) by day, or

    (ii) by night.

    ## Ropes

    4(1) A rope shall be of hemp.

    (5) Hemp is paid for under paragraphs (2)(a) to (a.1) of section 3.
"""


def test_inserted_provisions_are_cited_by_their_decimals() -> None:
    document = parse_document(Source("x", "act.md", "any"), textwrap.dedent(ACT).encode())
    corpus = corpus_index([DocumentInfo("x", document.title)], nodes_of("x", document.sections))
    found: dict[str, list[str]] = {}
    for row in cite_document("x", document.sections, corpus):
        found.setdefault(str(row["raw_text"]), []).append(f"{row['resolution']} {row['target_eid']}")
    assert found == {
        "subsections (1.1) and (2)": ["exact sec_1__para_1-1", "exact sec_1__para_2"],
        "section 3(2)(a.1)(ii)": ["exact sec_3__para_2__point_a-1__point_ii"],
        "section 1(1.1)(a.1)": ["exact sec_1__para_1-1__point_a-1"],
        # Paragraph (5) of section 4 is no section 5.
        "section 5": ["missing None"],
        "paragraphs (2)(a) to (a.1) of section 3": [
            "exact sec_3__para_2__point_a", "exact sec_3__para_2__point_a-1",
        ],
    }  # fmt: skip


def test_numbers_run_through_a_circular_though_some_of_them_are_missing() -> None:
    """Those that are missing were repealed, or stand in tables that are not read."""
    cited = {1: 9, 2: 3, 3: 1, 4: 8, 8: 2, 9: 4, 10: 3}
    titles = {1: "I. Purpose", 3: "II. Lamps", 9: "III. Oil"}
    printed = [
        f"{titles[n]}\n\n{line}" if n in titles else line
        for n, other in cited.items()
        for line in [f"{n} A keeper does as margin no. {other} says.\n"]
    ]
    document = parse_document(Source("x", "circular.txt", "any"), "\n".join(["Circular 4\n", *printed]).encode())
    corpus = corpus_index([DocumentInfo("x", document.title)], nodes_of("x", document.sections))
    found = [(row["raw_text"], row["target_eid"]) for row in cite_document("x", document.sections, corpus)]
    number = {section.eid: section.number for section in document.sections}
    assert [(raw, number[eid or ""]) for raw, eid in found] == [(f"margin no. {n}", str(n)) for n in cited.values()]
