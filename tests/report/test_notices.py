"""What the page says of documents that are not in the comparison as a reader would expect; no browser is needed."""

from __future__ import annotations

from typing import Any

import pytest
from lxml import html

from antinomy.embed.result import EmbedResult
from antinomy.report.html import Content, render
from antinomy.run.manifest import CompletedStage
from report import invented


def page(documents: list[dict[str, Any]], embed: dict[str, Any] | None = None) -> Any:
    rows = invented.findings()
    run = invented.run(stages={"embed": CompletedStage(1.0, EmbedResult(**(embed or {})), "")})
    content = Content(findings=rows, run=run, aggregates=invented.aggregates(rows), documents=documents)
    return html.fromstring(render(content))


def text(node: Any, path: str) -> list[str]:
    return [" ".join(found.text_content().split()) for found in node.xpath(path)]


def test_a_document_without_provisions_is_not_said_to_be_compared() -> None:
    us = [doc["doc_id"] for doc in invented.DOCUMENTS if doc["regime"] == "us"]
    bare, name = us[0], next(doc["title"] for doc in invented.DOCUMENTS if doc["doc_id"] == us[0])
    made = page(invented.DOCUMENTS, {"without_provisions": [bare]})
    assert text(made, "//p[@class='byline']")[0].startswith("1 EU document and 1 US document compared")
    assert f"Nothing of {name} was compared: no provision was recognised in it." in text(made, "//p[@class='warning']")
    assert text(made, "//tr[@class='said']") == ["no provision was recognised in it"]


def test_breaks_and_warnings_stand_in_summary_and_sources() -> None:
    spoilt = {
        "breaks": [f"Article {n} follows Article {n - 2}" for n in range(3, 9)],
        "warnings": ["a <b>bad</b> byte"],
    }
    first, *others = invented.DOCUMENTS
    made = page([first | spoilt, *others])
    (notice,) = text(made, "//section[@id='summary']//p[@class='warning']")
    assert notice.startswith(f"The numbers of {first['title']} do not follow each other in 6 places")
    said = text(made, "//tr[@class='said']//li")
    assert said[0] == "Article 3 follows Article 1"
    assert said[-1] == "and 2 more: antinomy parse --report"


@pytest.mark.parametrize("structure", [0.62, 0.0])
def test_a_poor_structure_is_a_warning_on_the_page(structure: float) -> None:
    poor = {"structure": structure, "faults": ["Section 3: 4,100 words in one unit"], "breaks": []}
    first, *others = invented.DOCUMENTS
    made = page([first | poor, *others])
    (notice,) = text(made, "//section[@id='summary']//p[@class='warning']")
    told = f"{100 * structure:.0f} %; see Sources"
    assert notice.startswith(f"The structure of {first['title']} was recognised poorly ({told})")
    assert text(made, "//tr[@class='said']//li") == ["Section 3: 4,100 words in one unit"]


def test_a_warning_cannot_write_into_the_page() -> None:
    first, *others = invented.DOCUMENTS
    made = page([first | {"warnings": ["a <b>bad</b> byte"]}, *others])
    assert text(made, "//tr[@class='said']//li") == ["a <b>bad</b> byte"]


def test_documents_without_a_regime_are_counted_as_documents() -> None:
    made = page([doc | {"regime": doc["doc_id"]} for doc in invented.DOCUMENTS])
    assert text(made, "//p[@class='byline']")[0].startswith(f"{len(invented.DOCUMENTS)} documents compared")


def test_a_file_that_was_named_twice_is_told() -> None:
    first, second, *others = invented.DOCUMENTS
    made = page([first, second | {"sha256": first["sha256"]}, *others])
    (said,) = [line for line in text(made, "//p[@class='warning']") if "same file" in line]
    assert said.startswith(f"{second['doc_id']} is the same file as {first['doc_id']}")
    assert not [line for line in text(page(invented.DOCUMENTS), "//p[@class='warning']") if "same file" in line]
