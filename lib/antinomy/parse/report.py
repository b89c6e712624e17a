"""``antinomy parse --report``: how each document was parsed, for a person to check."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rich.console import Group
from rich.markup import escape
from rich.table import Table

from antinomy.cite import count_citations
from antinomy.store import tables
from antinomy.vocabulary import DocumentStatus

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from antinomy.settings import Settings

#: What is shown of a document, besides its nodes.
_SHOWN = (
    "status", "error", "pages", "coverage", "structure", "faults", "breaks", "warnings", "grammar", "chosen_because",
)  # fmt: skip
#: So many places of a document where its structure looks wrong are shown.
_PLACES = 5


def parse_report(spark: SparkSession, settings: Settings) -> dict[str, Any]:
    """Gather the figures of a parsed run.

    Returns:
        ``documents``: doc_id → status, error, pages, coverage, structure, faults, breaks, warnings, grammar and why it
        was chosen, and ``types`` (node type → nodes);
        ``citations``: doc_id → what ``cite.counts.count_citations`` counts.
    """

    def read(name: str) -> Any:
        return tables.read(spark, settings.warehouse, name, settings.run_id)

    found: dict[str, Any] = {
        row.doc_id: {**{name: row[name] for name in _SHOWN}, "types": {}}
        for row in read("documents").orderBy("doc_id").collect()
    }
    for row in read("sections").groupBy("doc_id", "type").count().orderBy("doc_id", "type").collect():
        found[row.doc_id]["types"][row.type] = row["count"]
    by_document: dict[str, list[dict[str, Any]]] = {}
    for row in read("citations").orderBy("src_section_id", "start").toLocalIterator():
        by_document.setdefault(row.src_section_id.partition("#")[0], []).append(row.asDict())
    return {
        "documents": found,
        "citations": {doc_id: count_citations(rows) for doc_id, rows in sorted(by_document.items())},
    }


def report_tables(report: dict[str, Any]) -> Group:
    """Lay out a report for a terminal."""
    documents = Table("document", "grammar", "pages", "coverage", "structure", "nodes by type", title="Documents")
    for doc_id, row in report["documents"].items():
        if row["status"] != DocumentStatus.PARSED:
            documents.add_row(doc_id, "–", "–", "–", "–", f"{row['status']}: {escape(row['error'])}")
            continue
        types = ", ".join(f"{kind} {count}" for kind, count in row["types"].items())
        shares = (f"{row['coverage']:.2%}", f"{row['structure']:.2%}")
        documents.add_row(doc_id, f"{row['grammar']}: {row['chosen_because']}", str(row["pages"]), *shares, types)
    places = Table("document", "what looks wrong", title=f"Structure: the first {_PLACES} places of each document")
    for doc_id, row in report["documents"].items():
        for said in row["faults"][:_PLACES]:
            places.add_row(doc_id, escape(said))
    citations = Table("document", "edges", "by resolution", "exact, of its own provisions", title="Citations")
    open_ones = Table("document", "words", "why", title="Citations of its own provisions that are not exact")
    for doc_id, row in report["citations"].items():
        internal = row["internal"]
        resolutions = ", ".join(f"{name} {count}" for name, count in row["resolutions"].items())
        share = f"{internal['exact']} of {internal['edges']} ({internal['share']:.1%})" if internal["edges"] else "–"
        citations.add_row(doc_id, str(row["edges"]), resolutions, share)
        for other in internal["not_exact"]:
            open_ones.add_row(doc_id, str(other["raw_text"]), str(other["reason"]))
    notes = Table("document", "what to look at", title="Breaks in the numbers, and warnings")
    for doc_id, row in report["documents"].items():
        for said in (*[place for place in row["breaks"] if place not in row["faults"][:_PLACES]], *row["warnings"]):
            notes.add_row(doc_id, escape(said))
    return Group(
        documents, *([places] if places.row_count else []), *([notes] if notes.row_count else []), citations, open_ones
    )
