"""The report stage: verdicts → findings, the page and the exports."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pyarrow.compute as pc

from antinomy.coverage import decided
from antinomy.coverage.build import build as build_coverage
from antinomy.evaluate.reviewed import measure as measure_reviewed
from antinomy.evaluate.stage import measure
from antinomy.findings import conflict_log, decisions, graphml
from antinomy.findings.aggregates import aggregate
from antinomy.findings.build import build_findings
from antinomy.findings.calibration import load as load_calibration
from antinomy.report import nearest_pairs
from antinomy.report.cells import csv_bytes
from antinomy.report.crosswalk import Crosswalk, crosswalk_csv
from antinomy.report.exports import ciso_assistant, olir, oscal, workbook
from antinomy.report.exports import tables as exported_tables
from antinomy.report.html import Content, render
from antinomy.report.result import ReportResult
from antinomy.run import pipeline
from antinomy.run.marker import Marker
from antinomy.run.preflight import require_files
from antinomy.run.stage import Context, Stage, read_markers, readable_markers
from antinomy.settings import sides
from antinomy.store import records, schemas, storage, tables
from antinomy.vocabulary import FindingState

if TYPE_CHECKING:
    import pyarrow as pa

    from antinomy.findings.aggregates import Aggregates
    from antinomy.findings.calibration import Calibration
    from antinomy.run.manifest import Manifest
    from antinomy.settings import Settings
    from antinomy.store.rows import CounterpartRow, CoverageRow, DecisionRow, DocumentRow, FindingRow

log = logging.getLogger("antinomy")

#: What of a table is read; texts of sections stand in the units.
_SECTION = (
    "section_id", "doc_id", "eid", "type", "label", "heading", "parent_id", "position", "page_start",
)  # fmt: skip
_SIMILAR = ("left_id", "right_id", "score", "own", "mpnet", "rank_left", "rank_right")
_EMBEDDING = ("text_sha256", "dim", "clause_vectors")
_CITATION = ("src_section_id", "target_section_id", "raw_text")
#: Stages whose settings two runs must share to be compared; of parse only the documents count.
_COMPARED = ("parse", "embed", "link", "judge")


@dataclass(frozen=True)
class _Inputs:
    """What a report is made from; large tables stay in Arrow's memory.

    Attributes:
        verdicts, units, sections, similar, citations, documents, embeddings: tables of the run.
        decisions: rows of the table.
        calibration: of the judge's probabilities, None for none.
        previous_run: run_id to compare with, "" for none.
    """

    verdicts: pa.Table
    units: pa.Table
    sections: pa.Table
    similar: pa.Table
    citations: pa.Table
    documents: pa.Table
    embeddings: pa.Table
    decisions: list[DecisionRow]
    calibration: Calibration | None
    previous_run: str


@dataclass(frozen=True)
class _Found:
    """What a run has found.

    Attributes:
        findings, coverage, counterparts: rows of these tables, with what was decided on them.
        aggregates: counts of the findings.
        documents: rows of the table, in the order of the settings.
        pairs_kept, pairs_repeated: as in ``ReportResult``.
        log: the conflict log.
    """

    findings: list[FindingRow]
    coverage: list[CoverageRow]
    counterparts: list[CounterpartRow]
    aggregates: Aggregates
    documents: list[DocumentRow]
    pairs_kept: int
    pairs_repeated: int
    log: bytes


def run(ctx: Context) -> ReportResult:
    """Write ``findings``, ``coverage`` and ``counterparts``, and in ``<out>/`` the page, the exports and the logs.

    All of it in this process, without Spark: the page holds every finding, and starting Spark would take longer than
    all the rest.
    """
    inputs = _read(ctx)
    found = _find(ctx.settings, inputs)
    counted = found.aggregates
    result = ReportResult(
        findings=ctx.write_rows(found.findings, "findings"),
        coverage=ctx.write_rows(found.coverage, "coverage"),
        counterparts=ctx.write_rows(found.counterparts, "counterparts"),
        previous_run=inputs.previous_run,
        by_state=counted.by_state,
        by_relation=counted.by_relation,
        conflicts_by_kind=counted.by_kind,
        review={name: n for name, n in counted.by_decision.items() if name},
        pairs_kept=found.pairs_kept,
        pairs_repeated=found.pairs_repeated,
    )
    manifest = pipeline.manifest(ctx.settings)
    page = render(_content(ctx.settings, inputs, found, manifest))
    files = {"report.html": page.encode(), "conflict_log.jsonl": found.log}
    for name, data in (files | _exports(ctx.settings, inputs, found, manifest)).items():
        ctx.write_file(name, data)
    return result


def _read(ctx: Context) -> _Inputs:
    calibration = ctx.settings.report.calibration
    return _Inputs(
        verdicts=ctx.arrow("verdicts"),
        units=ctx.arrow("units"),
        sections=ctx.arrow("sections", _SECTION),
        similar=ctx.arrow("similar", _SIMILAR),
        citations=ctx.arrow("citations", _CITATION),
        documents=ctx.arrow("documents"),
        embeddings=ctx.arrow("embeddings", _EMBEDDING),
        decisions=decisions.read(ctx.settings.warehouse),
        calibration=load_calibration(calibration) if calibration else None,
        previous_run=previous_run(ctx.settings),
    )


def _find(settings: Settings, inputs: _Inputs) -> _Found:
    before = inputs.previous_run
    findings = build_findings(
        inputs.verdicts,
        inputs.units,
        inputs.sections,
        inputs.similar,
        inputs.citations,
        inputs.documents,
        previous=tables.read_rows(settings.warehouse, "findings", before) if before else None,
        decisions=inputs.decisions,
        threshold=settings.report.threshold,
        calibration=inputs.calibration,
    )
    coverage, counterparts = build_coverage(
        inputs.verdicts,
        inputs.units,
        inputs.sections,
        inputs.similar,
        inputs.documents,
        inputs.embeddings,
        settings.link,
        [document.doc_id for document in settings.documents],
        decided.rejected_pairs(findings),
    )
    decided.mark(coverage, counterparts, inputs.decisions)
    positions = zip(inputs.sections["section_id"].to_pylist(), inputs.sections["position"].to_pylist(), strict=True)
    kept, repeated = _count_repeated(inputs.verdicts)
    return _Found(
        findings=findings,
        coverage=coverage,
        counterparts=counterparts,
        aggregates=aggregate(findings, dict(positions)),
        documents=_in_settings_order(settings, inputs.documents.to_pylist()),
        pairs_kept=kept,
        pairs_repeated=repeated,
        log=conflict_log.write(inputs.decisions, [*findings, *decided.subjects(coverage, counterparts).values()]),
    )


def _content(settings: Settings, inputs: _Inputs, found: _Found, manifest: Manifest) -> Content:
    """Return what the page shows."""
    listed = {row["finding_id"] for row in found.findings}
    return Content(
        findings=found.findings,
        run=manifest,
        aggregates=found.aggregates,
        documents=found.documents,
        coverage=found.coverage,
        counterparts=found.counterparts,
        near=nearest_pairs.nearest_pairs(
            inputs.verdicts, inputs.units, inputs.sections, inputs.documents, listed, inputs.calibration
        ),
        quality=_quality(settings, found.findings, inputs.similar),
        title=settings.report.title,
        folder="" if "://" in settings.out else settings.out,
        reviewed=measure_reviewed(found.findings, inputs.decisions),
        calibration=inputs.calibration,
        log=conflict_log.verify(found.log, "conflict_log.jsonl"),
        compared_with=inputs.previous_run,
        pairs_kept=found.pairs_kept,
        pairs_repeated=found.pairs_repeated,
    )


def _exports(settings: Settings, inputs: _Inputs, found: _Found, manifest: Manifest) -> dict[str, bytes]:
    """Make the files for other programs."""
    facts = manifest.as_json() | {"pairs_kept": found.pairs_kept, "pairs_repeated": found.pairs_repeated}
    crosswalk = Crosswalk(found.coverage, found.counterparts, found.documents)
    named = [workbook.with_titles(crosswalk, row) for row in found.findings]
    sections, citations, similar = (table.to_pylist() for table in (inputs.sections, inputs.citations, inputs.similar))
    return {
        "findings.csv": csv_bytes(named, ["left_document", "right_document", *schemas.columns("findings")]),
        "findings.jsonl": records.to_bytes(found.findings),
        "findings.xlsx": workbook.xlsx_bytes(found.findings, facts, found.aggregates, crosswalk),
        "graph.graphml": graphml.graphml_bytes(sections, citations, similar, found.findings, graphml.facts(settings)),
        **_exchange_files(crosswalk, facts),
    }


def _exchange_files(crosswalk: Crosswalk, manifest: dict[str, Any]) -> dict[str, bytes]:
    """Make the files of the crosswalk; those of a format that needs a pair only where there is one."""
    files = {"crosswalk.csv": crosswalk_csv(crosswalk)}
    files |= exported_tables.files(crosswalk)
    files |= olir.files(crosswalk, manifest)
    files |= {f"oscal/{name}": data for name, data in oscal.files(crosswalk, manifest)}
    library = ciso_assistant.library(crosswalk, manifest)
    return files | ({"ciso-assistant.yaml": library} if library else {})


def _quality(settings: Settings, findings: Sequence[FindingRow], similar: pa.Table) -> dict[str, Any]:
    if not settings.evaluate.key:
        return {}
    result = measure(settings, [row for row in findings if row["state"] != FindingState.RESOLVED], similar.to_pylist())
    # Without any finding of conflict there is no precision to show.
    return {name: result[name] for name in ("precision", "recall") if result[name]["value"] is not None}


def _count_repeated(verdicts: pa.Table) -> tuple[int, int]:
    """Count candidate pairs that needed no new judgement: cached ones, and those with the texts of another pair."""
    judged_now = verdicts.filter(pc.invert(verdicts["reused"]))
    kept = len(verdicts) - len(judged_now)
    judged: int = pc.count_distinct(judged_now["pair_key"]).as_py()
    return kept, len(judged_now) - judged


def _in_settings_order(settings: Settings, documents: list[DocumentRow]) -> list[DocumentRow]:
    """Return documents in the order of the settings."""
    positions = {document.doc_id: n for n, document in enumerate(settings.documents)}
    return sorted(documents, key=lambda row: positions[row["doc_id"]])


def _settings_used(settings: Settings) -> dict[str, Any]:
    """The calibration is left out: a finished run is reported again with it, under its name."""
    return {"report": settings.report.model_dump(mode="json", exclude={"calibration"})}


def _inputs(settings: Settings) -> str:
    calibration = settings.report.calibration
    fitted = storage.sha256(calibration) if calibration else ""
    return f"{decisions.fingerprint(settings.warehouse)} {fitted}"


def previous_run(settings: Settings) -> str:
    """Return the run to compare with: the one that the settings name, else the latest other one with a report.

    Only runs of the same config count: the same documents (whatever is in them), compared and judged with the same
    settings. A finding that another judge, or another focus, would not make is not resolved.
    """
    if settings.report.previous_run:
        return settings.report.previous_run
    folder = storage.join(settings.warehouse, "_stages")
    own_settings = _compared_settings(read_markers(settings.warehouse, settings.run_id, _COMPARED))
    needed = (*_COMPARED, "report")
    finished: list[tuple[str, str]] = []
    for name in storage.list_names(folder):
        run_id = name.removeprefix("run_id=")
        if run_id == settings.run_id:
            continue
        markers, faults = readable_markers(settings.warehouse, run_id, needed)
        if faults:
            log.warning("run %s is not compared with: %s", run_id, "; ".join(faults))
        elif markers.keys() >= set(needed) and _compared_settings(markers) == own_settings:
            finished.append((markers["report"].finished_at, run_id))
    return max(finished)[1] if finished else ""


def _compared_settings(markers: dict[str, Marker]) -> list[Any]:
    """Return what two runs of one config have in common."""
    documents = sorted(document["doc_id"] for document in markers["parse"].settings["documents"])
    return [documents, *(markers[name].settings for name in _COMPARED[1:])]


def _check(settings: Settings) -> None:
    sides.check(settings)
    require_files({"report.calibration": settings.report.calibration, "evaluate.key": settings.evaluate.key})


STAGE = Stage(
    "report", settings_used=_settings_used, upstream=("parse", "judge"), run=run, inputs=_inputs, check=_check
)
