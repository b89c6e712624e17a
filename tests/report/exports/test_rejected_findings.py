"""A finding that a reviewer rejected is asserted in no file for other tools, and not counted in the page's summary."""

from __future__ import annotations

import io
import re
from typing import Any

import pytest
from openpyxl import load_workbook

from antinomy.coverage.decided import rejected_pairs
from antinomy.findings.graphml import graphml_bytes
from antinomy.report.crosswalk import Crosswalk, crosswalk_csv
from antinomy.report.exports import ciso_assistant, olir, oscal
from antinomy.report.html import Content, render
from coverage_tables import TEXTS, Row, built, pair
from report import invented, invented_coverage

_TEXTS = {name: TEXTS[name] for name in ("eu#1", "eu#2", "us#1", "us#2")}
_RUN = {"run_id": "r", "finished_at": "2031-04-02T08:00:00+00:00"}
_DOCUMENTS: Any = [{"doc_id": doc, "regime": doc, "title": doc.upper(), "source_uri": doc} for doc in ("eu", "us")]
_AGREED = pair("eu#1", "us#1", "overlap", 0.97, own=0.8, score=12.0)
_CLAIMS = (
    pair("eu#2", "us#2", "conflict", 0.97, p_conflict=0.95, kind="deadline"),
    pair("eu#2", "us#2", "stricter", 0.97, governs="left", kind="deadline"),
)


def _decided(word: str, state: str = "new") -> set[frozenset[str]]:
    finding: Any = {"left_id": "eu#2", "right_id": "us#2", "decision": word, "state": state}
    return rejected_pairs([finding])


def _files(claim: Row, word: str) -> dict[str, str]:
    coverage, counterparts = built([_AGREED, claim], texts=_TEXTS, rejected=_decided(word))
    crosswalk: Any = Crosswalk(coverage, counterparts, _DOCUMENTS)  # type: ignore[arg-type]
    ((name, book),) = olir.files(crosswalk, _RUN)
    lines = load_workbook(io.BytesIO(book))["Relationships"].iter_rows(values_only=True)
    return {
        "crosswalk.csv": crosswalk_csv(crosswalk).decode(),
        "ciso-assistant.yaml": (ciso_assistant.library(crosswalk, _RUN) or b"").decode(),
        "mapping.json": dict(oscal.files(crosswalk, _RUN))["mapping.json"].decode(),
        name: "\n".join(str(line) for line in lines if line[3]),
    }


#: What each file says of the pair of both provisions with this number.
_ASSERTED = {
    "crosswalk.csv": "EU,Article {n},.*US,Article {n}",
    "ciso-assistant.yaml": r"source_requirement_urn: \S+:{n}\n",
    "mapping.json": '"id-ref": *"_{n}"',
    "olir.xlsx": r"'Article {n}'.*'Article {n}'",
}


@pytest.mark.parametrize("claim", _CLAIMS, ids=lambda claim: claim["relation"])
def test_a_rejected_finding_stands_in_no_file_and_the_rest_stays(claim: Row) -> None:
    for word, asserted in (("confirm", True), ("unsure", True), ("reject", False)):
        for name, text in _files(claim, word).items():
            assert bool(re.search(_ASSERTED[name].format(n=2), text)) is asserted, (word, name)
            assert re.search(_ASSERTED[name].format(n=1), text), name


@pytest.mark.parametrize("claim", _CLAIMS, ids=lambda claim: claim["relation"])
def test_its_provisions_are_open_and_say_why_unless_another_counterpart_is_left(claim: Row) -> None:
    rows, counterparts = built([_AGREED, claim], texts=_TEXTS, rejected=_decided("reject"))
    of = {row["section_id"]: row for row in rows}
    assert {name: row["state"] for name, row in of.items()} == {
        "eu#1": "covered", "us#1": "covered", "eu#2": "not_decidable", "us#2": "not_decidable",
    }  # fmt: skip
    assert of["eu#2"]["reason"] == ("a reviewer rejected the finding on Article 2; whether the two correspond is open")
    assert of["eu#2"]["counterparts"] == 0
    (listed,) = [row for row in counterparts if row["section_id"] == "eu#2"]
    assert (listed["relation"], listed["relationship"], listed["governs"]) == ("none", "no relationship", None)
    assert listed["rationale"] == f"A reviewer rejected the finding ({claim['relation']})."
    other = pair("eu#2", "us#1", "overlap", 0.99, own=0.9, score=14.0)
    rows, counterparts = built([other, claim], texts=_TEXTS, rejected=_decided("reject"))
    assert {row["section_id"]: row["state"] for row in rows}["eu#2"] == "covered"
    assert [row["counterpart_id"] for row in counterparts if row["section_id"] == "eu#2"] == ["us#1", "us#2"]


def test_a_finding_that_is_resolved_takes_nothing_away() -> None:
    assert not _decided("reject", "resolved")


def _summary(rejected: tuple[int, ...]) -> str:
    rows = invented.findings()
    for number in rejected:
        rows[number]["decision"] = "reject"
    content = Content(
        findings=rows,
        run=invented.run(),
        aggregates=invented.aggregates(rows),
        documents=invented.DOCUMENTS,
        **invented_coverage.tables(),
    )
    page = render(content)
    return " ".join(re.sub(r"<[^>]+>", "", page[page.index('class="lead"') : page.index("</section>")]).split())


def test_the_summary_counts_what_was_not_rejected_and_says_how_many_were() -> None:
    assert "4 conflicts are likely" in _summary(())
    assert "rejected" not in _summary(())
    said = _summary((0, 1))
    assert "2 conflicts are likely" in said
    assert "2 conflicts and 1 other finding" in said
    assert "2 more were rejected by a reviewer: listed, and counted nowhere." in said


def test_the_graph_has_no_edge_for_it() -> None:
    rows: Any = invented.findings()
    before = graphml_bytes([], [], [], rows).count(b"FOUND")
    rows[0]["decision"] = "reject"
    assert graphml_bytes([], [], [], rows).count(b"FOUND") == before - 1
