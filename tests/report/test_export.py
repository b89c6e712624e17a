"""Exports as the programs that read them see them."""

from __future__ import annotations

import csv
import io
import json

import networkx as nx
from openpyxl import load_workbook

from antinomy.findings.graphml import graphml_bytes
from antinomy.report.cells import csv_bytes
from antinomy.report.crosswalk import Crosswalk
from antinomy.report.exports.workbook import xlsx_bytes
from antinomy.store import records
from report import invented

_FORMULAS = ("=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "  =1", "\u00a0=1", "＝1")


def _read_csv(data: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(data.decode("utf-8-sig"), newline="")))


def test_csv_reads_back_in_the_order_that_a_person_wants() -> None:
    rows = invented.findings()
    data = csv_bytes(rows)
    assert data.startswith(b"\xef\xbb\xbf")
    read = _read_csv(data)
    assert list(read[0])[:4] == ["rank", "state", "relation", "kind"]
    assert set(read[0]) == set(rows[0])
    assert [row["left_text"] for row in read] == [row["left_text"] for row in rows]
    assert (read[5]["rank"], read[0]["p_conflict"], read[0]["decision"]) == ("", "0.97", "")


def test_no_text_becomes_a_formula() -> None:
    rows = [invented.findings()[0] | {"left_text": text, "cosine": -0.25} for text in _FORMULAS]
    assert [row["left_text"] for row in _read_csv(csv_bytes(rows))] == [f"'{text}" for text in _FORMULAS]
    # A number is no text and stays one.
    assert _read_csv(csv_bytes(rows))[0]["cosine"] == "-0.25"
    book = load_workbook(io.BytesIO(xlsx_bytes(rows, invented.RUN, invented.aggregates(rows), Crosswalk((), (), ()))))
    cells = [cell for line in book["Conflicts"].iter_rows(min_row=2) for cell in line]
    assert "f" not in {cell.data_type for cell in cells}
    texts = [cell.value for cell in cells if isinstance(cell.value, str) and cell.value.startswith("'")]
    assert len(texts) == len(_FORMULAS)


def test_the_workbook_holds_the_findings_and_the_figures_of_the_run() -> None:
    rows = invented.findings()
    rows[0] |= {"left_text": "long " * 10_000, "right_text": "bell \x07 and page \x0c"}
    book = load_workbook(io.BytesIO(xlsx_bytes(rows, invented.RUN, invented.aggregates(rows), Crosswalk((), (), ()))))
    lines = list(book["Conflicts"].values)
    head = list(lines[0])
    first = dict(zip(head, lines[1], strict=True))
    assert len(lines) == 5
    assert (first["rank"], first["p_relation"], first["right_text"]) == (1, 0.97, "bell  and page ")
    assert len(first["left_text"]) == 32_767
    assert first["left_text"].endswith("[cut: see the JSON lines]")
    summary = {line[0]: line[1] for line in book["Summary"].values if line[0]}
    said = [summary[name] for name in ("run id", "pairs", "conflict", "deadline")]
    assert said == ["quarter-2", 2690, 4, 1]


def test_json_lines_keep_every_value() -> None:
    rows = invented.findings()
    assert [json.loads(line) for line in records.to_bytes(rows).decode().splitlines()] == rows


def test_the_graph_reads_back_with_its_four_kinds_of_edges() -> None:
    names = [("d#art_1", ""), ("d#art_1__para_1", "d#art_1"), ("e#sec_1", "")]
    sections = [
        {"section_id": i, "doc_id": i[0], "type": "item", "label": "bell \x07", "heading": None, "parent_id": parent}
        for i, parent in names
    ]
    citations = [
        {"src_section_id": "e#sec_1", "target_section_id": "d#art_1", "raw_text": "Article 1"},
        {"src_section_id": "e#sec_1", "target_section_id": None, "raw_text": "elsewhere"},
    ]
    pair = {"left_id": "d#art_1__para_1", "right_id": "e#sec_1"}
    found = invented.findings()[0] | pair
    data = graphml_bytes(
        sections, citations, [pair | {"score": 0.5, "own": 0.7}], [found, found | {"state": "resolved"}]
    )
    graph = nx.read_graphml(io.BytesIO(data), force_multigraph=True)
    assert dict(graph.nodes["d#art_1"]) == {"doc_id": "d", "type": "item", "label": "bell "}
    edges = [(a, b, data["relation"]) for a, b, data in graph.edges(data=True)]
    assert sorted(edges) == [
        ("d#art_1", "d#art_1__para_1", "CONTAINS"),
        ("d#art_1__para_1", "e#sec_1", "FOUND"),
        ("d#art_1__para_1", "e#sec_1", "SIMILAR_TO"),
        ("e#sec_1", "d#art_1", "CITES"),
    ]
    (verdict,) = [data for _, _, data in graph.edges(data=True) if data["relation"] == "FOUND"]
    assert (verdict["verdict"], verdict["p_conflict"]) == ("conflict", 0.97)
