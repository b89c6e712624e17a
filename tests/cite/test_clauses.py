"""Citations in acts whose articles have clauses and points, as Vietnamese publishers print them."""

from __future__ import annotations

import re

import pytest

from antinomy.cite import DocumentInfo, cite_document, corpus_index, nodes_of
from antinomy.parse import parse_document
from antinomy.settings.source import Source

_CIRCULAR = """CIRCULAR ON LAMPS IN HARBOURS

Chapter I
GENERAL PROVISIONS

Article 1. Interpretation of terms

In this Circular, the terms below are construed as follows:

1. “Beacon” means a lamp on a tower. A lamp that is out of use is, for the purposes of this Clause, no beacon.

2. “Keeper” means a person listed in Points a and dd Clause 2 Article 2 of this Circular.

Article 2. Keepers

1. A keeper must hold a licence. Clause 2 Article 5 of the Law on Harbours applies.

2. A dossier for the licence specified in Clause 1 of this Article consists of:

a) A plan of the tower;

d) A list of lamps under item 1 of Appendix II;

dd) A plan of watches;

e) A log.

3. Point b is left out. Point a lamp at no ship. The papers under Point a or Point d Clause 2 of this Article are kept.

Article 3. Oil

1. Oil is bought under the preceding Article.

2. Clauses 1 and 3 Article 2 apply to the buyer, and so does Appendix II attached to this Circular. In that
clause 4 of a contract has no part. Points d, dd and e, Clause 2, Article 2 do not apply.

3. Who keeps oil:

a) Marks the barrel;

b) Keeps the paper under Point a this Clause.

4. Oil is not sold.

Clause 2 Article 3 does not apply to oil for other uses.

APPENDIX I
FORM OF THE LICENCE

1. The name of the keeper.

APPENDIX II
LIST OF LAMPS

1. The number of lamps.

2. The oil of each lamp in item 1 of this Appendix.
"""


@pytest.mark.parametrize("letter", ["dd", "đ"])
def test_a_place_and_what_holds_it_may_be_named_without_of_between_them(letter: str) -> None:
    printed = re.sub(r"\bdd\b", letter, _CIRCULAR)
    document = parse_document(Source("circular", "circular.txt", "any"), printed.encode())
    corpus = corpus_index([DocumentInfo("circular", document.title)], nodes_of("circular", document.sections))
    found: dict[str, set[str]] = {}
    for row in cite_document("circular", document.sections, corpus):
        if row["resolution"] == "exact":
            found.setdefault(str(row["raw_text"]), set()).add(str(row["target_eid"]))
    points = "art_2__para_2__point_"
    assert found == {
        "this Clause": {"art_1__point_1"},
        f"Points a and {letter} Clause 2 Article 2": {f"{points}a", f"{points}{letter}"},
        "Clause 1 of this Article": {"art_2__para_1"},
        "item 1 of Appendix II": {"app_II__para_1"},
        "Point a or Point d Clause 2 of this Article": {f"{points}a", f"{points}d"},
        "preceding Article": {"art_2"},
        "Clauses 1 and 3 Article 2": {"art_2__para_1", "art_2__para_3"},
        "Appendix II": {"app_II"},
        f"Points d, {letter} and e, Clause 2, Article 2": {f"{points}d", f"{points}{letter}", f"{points}e"},
        "Point a this Clause": {"art_3__para_3__point_a"},
        "Clause 2 Article 3": {"art_3__para_2"},
        "item 1 of this Appendix": {"app_II__para_1"},
    }
