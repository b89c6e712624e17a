"""The parse stage: documents → sections and citations."""

from __future__ import annotations

import hashlib
import logging
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from antinomy import section_ids as ids
from antinomy.cite.stage import INDEXED, cite
from antinomy.errors import DocumentError, SettingsError, StorageError
from antinomy.parse import GRAMMARS, READERS, isolate
from antinomy.parse.model import ParsedDocument, Section
from antinomy.parse.result import ParseResult
from antinomy.parse.structure.score import with_citations
from antinomy.run.stage import Context, Stage
from antinomy.settings import sides
from antinomy.settings.source import Source
from antinomy.store import schemas, storage
from antinomy.vocabulary import DocumentStatus, Resolution

if TYPE_CHECKING:
    import pandas as pd
    from pyspark.sql import DataFrame

    from antinomy.settings import ParseSettings, Settings

log = logging.getLogger("antinomy")

#: So many places of a document stand in the log.
_SAID = 5


def run(ctx: Context) -> ParseResult:
    """Write ``documents``, ``sections`` and ``citations``.

    Raises:
        DocumentError: if too few documents can be read to compare anything; nothing is written then.
    """
    sources = ctx.settings.sources()
    parsed = parse(ctx, sources, ctx.settings.parse).persist()
    documents = parsed.select(schemas.columns("documents"))
    rows = [row.asDict() for row in documents.collect()]
    _require_two_sides(rows, ctx.settings)
    n_sections = ctx.write(parsed.selectExpr("inline(sections)"), "sections")
    parsed.unpersist()
    outline = ctx.arrow("sections", INDEXED).to_pylist()
    n_citations = ctx.write(cite(rows, outline, ctx.read("sections"), sources), "citations")
    _lower_where_citations_fail(rows, ctx.arrow("citations", ("src_section_id", "doc_ref", "resolution")).to_pylist())
    _warn_of_same_files(rows)
    ctx.write_rows(rows, "documents")
    for row in rows:
        _say(row, ctx.settings.quality.min_structure)
    return ParseResult(
        documents=len(rows),
        sections=n_sections,
        citations=n_citations,
        quarantined={row["doc_id"]: row["error"] for row in rows if row["status"] == DocumentStatus.QUARANTINED},
    )


def _lower_where_citations_fail(rows: list[dict[str, Any]], citations: list[dict[str, Any]]) -> None:
    """Lower the score of documents that cite provisions of their own which their trees do not have."""
    owners = ((ids.split_section_id(c["src_section_id"])[0], c) for c in citations)
    failed = Counter(own for own, c in owners if c["doc_ref"] == own and c["resolution"] != Resolution.EXACT)
    for row in rows:
        row["structure"] = with_citations(row["structure"], row["n_sections"], failed[row["doc_id"]])


def _warn_of_same_files(rows: list[dict[str, Any]]) -> None:
    """Add a warning to each document whose file has been read before: a path was named twice, or copied."""
    first: dict[str, str] = {}
    for row in (row for row in rows if row["status"] == DocumentStatus.PARSED):
        if (other := first.setdefault(row["sha256"], row["doc_id"])) != row["doc_id"]:
            row["warnings"] = [*row["warnings"], f"it is the same file as {other}: a text is compared with itself"]


def parse(ctx: Context, sources: list[Source], settings: ParseSettings) -> DataFrame:
    """Parse every document in a task of its own.

    Returns:
        The columns of ``documents``, and ``sections``: an array of rows of that table.
    """
    # Largest first: the last task to start should be a short one.
    ordered = sorted(sources, key=lambda source: -isolate.size(source.uri))
    sections = schemas.schema("sections").simpleString()
    documents = ", ".join(f"{f.name} {f.dataType.simpleString()}" for f in schemas.schema("documents").fields)

    def tasks(frames: Iterable[pd.DataFrame]) -> Iterator[pd.DataFrame]:
        import pandas as pd

        for batch in frames:
            for place in batch["id"]:
                yield pd.DataFrame([_row(ordered[place], settings)])

    # Not a table of the sources: Spark would start Python workers of another kind to make it.
    places = ctx.spark.range(0, len(ordered), numPartitions=len(ordered))
    return places.mapInPandas(tasks, f"{documents}, sections array<{sections}>")


def _say(row: dict[str, Any], min_structure: float) -> None:
    """Log how a document was read, and what to look at."""
    name = row["doc_id"]
    if row["status"] == DocumentStatus.PARSED:
        log.info("%s: read by the grammar %r: %s", name, row["grammar"], row["chosen_because"])
    for said in row["warnings"]:
        log.warning("%s: %s", name, said)
    if row["breaks"]:
        log.warning("%s: its numbers do not follow each other: %s", name, _listed(row["breaks"]))
    if row["status"] == DocumentStatus.PARSED and row["structure"] < min_structure:
        log.warning("%s: its structure is poor (%.1f %%): %s", name, 100 * row["structure"], _listed(row["faults"]))


def _listed(places: list[str]) -> str:
    more = f"; {len(places) - _SAID:,} more, see `antinomy parse --report`" if len(places) > _SAID else ""
    return "; ".join(places[:_SAID]) + more


def _row(source: Source, settings: ParseSettings) -> dict[str, Any]:
    """Parse one document to its row; a document that cannot be read is a row too, with the reason."""
    started = time.monotonic()
    data = b""
    try:
        data = isolate.read_bytes(source.uri)
        document = isolate.parse(source, data, settings)
        status, error = "parsed", ""
    except (DocumentError, StorageError) as reason:
        document, status, error = ParsedDocument([]), "quarantined", str(reason)
    stated = {name: getattr(document, name) for name in schemas.columns("documents") if hasattr(document, name)}
    return stated | {
        "doc_id": source.doc_id,
        "regime": source.regime,
        "title": source.title or document.title,
        "source_uri": source.uri,
        "sha256": hashlib.sha256(data).hexdigest(),
        "status": status,
        "error": error,
        "in_force_from": source.in_force_from or document.in_force_from,
        "in_force_to": source.in_force_to or document.in_force_to,
        "n_sections": len(document.sections),
        "seconds": round(time.monotonic() - started, 3),
        "sections": [_section(source.doc_id, section) for section in document.sections],
    }


def _section(doc_id: str, section: Section) -> dict[str, Any]:
    row = asdict(section)
    parent = row.pop("parent_eid")
    return {
        **row,
        "section_id": ids.section_id(doc_id, section.eid),
        "doc_id": doc_id,
        "parent_id": ids.section_id(doc_id, parent) if parent else None,
        "text_sha256": hashlib.sha256(section.text.encode()).hexdigest(),
    }


def _require_two_sides(rows: list[dict[str, Any]], settings: Settings) -> None:
    readable = {row["doc_id"]: row["regime"] for row in rows if row["status"] == DocumentStatus.PARSED}
    lost = [row for row in rows if row["status"] == DocumentStatus.QUARANTINED]
    for row in lost:
        # At the end it stands in the run's figures, or in the refusal.
        log.info("%s is quarantined: %s", row["doc_id"], row["error"])
    if not lost or sides.comparable(settings.link, readable):
        return
    reasons = "; ".join(f"{row['doc_id']}: {row['error']}" for row in lost)
    regimes = sorted({row["regime"] for row in lost} - set(readable.values()))
    if regimes:
        raise DocumentError(f"no document of regime {', '.join(regimes)} could be read: {reasons}")
    raise DocumentError(f"only {', '.join(readable)} could be read, so nothing can be compared: {reasons}")


def _inputs(settings: Settings) -> str:
    digest = hashlib.sha256()
    for source in settings.sources():
        sha256 = storage.sha256(source.uri) if storage.exists(source.uri) else ""
        digest.update(f"{source.doc_id}\0{sha256}\0".encode())
    return digest.hexdigest()


def _settings_used(settings: Settings) -> dict[str, Any]:
    # Not the paths and not parse.*: the bytes are in the fingerprint, and bounds do not change a result.
    return {"documents": [d.model_dump(mode="json", exclude={"path", "url", "sha256"}) for d in settings.documents]}


def _check(settings: Settings) -> None:
    _require_readers(settings)
    _require_documents(settings)


def _require_readers(settings: Settings) -> None:
    for key, names in (("grammar", GRAMMARS), ("media_type", READERS)):
        unknown = [doc for doc in settings.documents if getattr(doc, key) and getattr(doc, key) not in names]
        if unknown:
            listed = ", ".join(f"{getattr(doc, key)!r} of {doc.doc_id}" for doc in unknown)
            raise SettingsError(f"documents: {key} {listed} is none of {', '.join(sorted(names))}; or leave it out")


def _require_documents(settings: Settings) -> None:
    missing = [source.uri for source in settings.sources() if not storage.exists(source.uri)]
    if missing:
        raise StorageError(
            f"not there: {', '.join(missing)}; the documents' paths count from data_root, which is "
            f"{settings.data_root}: check data_root and the paths"
        )


STAGE = Stage("parse", settings_used=_settings_used, upstream=(), run=run, inputs=_inputs, check=_check)
