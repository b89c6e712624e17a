"""Sentences with the edges that a lawyer expects of them; the table is in ``cases/``.

Those in ``cases/other_writers_*.yaml`` were written, by several writers, before the grammar had been run on them.

An entry of the table says in which section the sentence stands, the sentence, and for each citation in it, in
order, its words and what it points at::

    = eid            exactly that place in the citing document, or with doc#eid in another of the corpus
    ^ eid            that place, in which the one cited is not to be found
    ? / 0            ambiguous / the document has no such place
    @ ref > eid      an act outside the corpus, with the id that its place would have
    self             the citing document as a whole
    whole doc        another document of the corpus as a whole
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from antinomy.cite import Corpus
from cite.conftest import cite_in

_CASES = [
    pytest.param(case, id=f"{path.stem}-{number}")
    for path in sorted(Path(__file__).parent.joinpath("cases").glob("*.yaml"))
    for number, case in enumerate(yaml.safe_load(path.read_text(encoding="utf-8")), start=1)
]


def _written(row: dict[str, Any], doc_id: str) -> str:
    resolution, eid, target = row["resolution"], row["target_eid"], row["target_section_id"]
    if resolution == "external":
        assert target is None
        return f"@ {row['doc_ref'] or '-'}" + (f" > {eid}" if eid else "")
    if resolution in ("ambiguous", "missing"):
        assert target is None
        assert row["reason"]
        return "?" if resolution == "ambiguous" else "0"
    if resolution == "exact" and row["doc_ref"] != doc_id and eid == "title":
        return f"whole {row['doc_ref']}"
    if target is None:
        return "self"
    assert target == f"{row['doc_ref']}#{eid}"
    return ("= " if resolution == "exact" else "^ ") + (eid if row["doc_ref"] == doc_id else target)


@pytest.mark.parametrize("case", _CASES)
def test_a_sentence_gives_the_edges_that_a_lawyer_expects(case: dict[str, Any], corpus: Corpus) -> None:
    doc_id, _, eid = case["in"].partition("#")
    rows = cite_in(corpus, doc_id, eid, case["text"])
    found: list[tuple[str, list[str]]] = []
    for row in rows:
        assert case["text"][row["start"] : row["end"]] == row["raw_text"]
        if not found or found[-1][0] != (row["raw_text"], row["start"]):
            found.append(((row["raw_text"], row["start"]), []))  # type: ignore[arg-type]
        found[-1][1].append(_written(row, doc_id))
    expected = [(words, targets) for one in case["cites"] for words, targets in one.items()]
    assert [(words, ", ".join(targets)) for (words, _), targets in found] == expected


def test_the_table_has_three_hundred_sentences() -> None:
    assert len(_CASES) >= 300
