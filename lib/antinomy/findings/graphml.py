"""The graph of a run as GraphML: sections with their citations, candidates, findings and facts."""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import networkx as nx

from antinomy.store import tables
from antinomy.text.characters import CONTROL
from antinomy.vocabulary import Decision, FindingState

if TYPE_CHECKING:
    from antinomy.settings import Settings

_NOT_XML = re.compile("[\ufffe\uffff]")
#: What of a table is read.
_SECTION = ("section_id", "doc_id", "type", "label", "heading", "parent_id")
_CITATION = ("src_section_id", "target_section_id", "raw_text")
_SIMILAR = ("left_id", "right_id", "score", "own")


def graphml_bytes(
    sections: Iterable[Mapping[str, Any]],
    citations: Iterable[Mapping[str, Any]],
    similar: Iterable[Mapping[str, Any]],
    findings: Iterable[Mapping[str, Any]],
    facts: Iterable[Mapping[str, Any]] = (),
) -> bytes:
    """Write the graph of a run as GraphML: sections, and edges CONTAINS, CITES, SIMILAR_TO and FOUND.

    A fact is an edge STATES between its subject and its object, which are nodes of their own; ``section_id`` says
    where it stands.

    Args:
        sections, citations, similar, findings, facts: rows of these tables; no edge for a resolved or rejected finding.
    """
    graph = nx.MultiDiGraph()
    for row in sections:
        graph.add_node(row["section_id"], **_attributes(row, ("doc_id", "type", "label", "heading")))
    for row in sections:
        if row["parent_id"]:
            graph.add_edge(row["parent_id"], row["section_id"], relation="CONTAINS")
    for row in citations:
        if row["target_section_id"]:
            graph.add_edge(
                row["src_section_id"],
                row["target_section_id"],
                relation="CITES",
                **_attributes(row, ("raw_text",)),
            )
    for row in similar:
        graph.add_edge(row["left_id"], row["right_id"], relation="SIMILAR_TO", **_attributes(row, ("score", "own")))
    for row in findings:
        if row["state"] != FindingState.RESOLVED and row["decision"] != Decision.REJECT:
            attributes = _attributes(row, ("finding_id", "kind", "p_conflict", "rank", "topic", "decision"))
            graph.add_edge(
                row["left_id"],
                row["right_id"],
                relation="FOUND",
                verdict=row["relation"],
                **attributes,
            )
    for row in facts:
        ends = [f"{end}: {row[end]}" for end in ("subject", "object")]
        for name, end in zip(ends, ("subject", "object"), strict=True):
            graph.add_node(
                _strip_illegal_xml(name),
                **_attributes({"type": row[f"{end}_type"], "label": row[end]}, ("type", "label")),
            )
        attributes = _attributes(row, ("predicate", "condition", "section_id", "origin", "confidence", "quote"))
        graph.add_edge(*map(_strip_illegal_xml, ends), relation="STATES", **attributes)
    out = io.BytesIO()
    nx.write_graphml(graph, out)
    return out.getvalue()


def facts(settings: Settings) -> list[dict[str, Any]]:
    """Return the facts of a run that has some: they are made on demand, by a command of their own."""
    there = tables.has(settings.warehouse, "facts", settings.run_id)
    return tables.read_rows(settings.warehouse, "facts", settings.run_id) if there else []


def graph(settings: Settings) -> bytes:
    """Return the graph of a reported run as GraphML, with the facts that it has by now."""
    warehouse, run_id = settings.warehouse, settings.run_id
    sections, citations, similar, findings = (
        tables.read_rows(warehouse, name, run_id, columns)
        for name, columns in (("sections", _SECTION), ("citations", _CITATION), ("similar", _SIMILAR), ("findings", ()))
    )
    return graphml_bytes(sections, citations, similar, findings, facts(settings))


def _strip_illegal_xml(text: str) -> str:
    return _NOT_XML.sub("", CONTROL.sub("", text))


def _attributes(row: Mapping[str, Any], names: tuple[str, ...]) -> dict[str, Any]:
    """Return the attributes that GraphML can hold: no nulls, no characters that XML forbids."""
    taken = {name: row[name] for name in names if row[name] is not None}
    return {name: _strip_illegal_xml(value) if isinstance(value, str) else value for name, value in taken.items()}
