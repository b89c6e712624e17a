"""The report stage: verdicts → findings, the page and the exports."""

from __future__ import annotations

import logging
from collections.abc import Sequence
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
from antinomy.report import export, nearest_pairs
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

    from antinomy.settings import Settings
    from antinomy.store.rows import DocumentRow, FindingRow

log = logging.getLogger("antinomy")

#: What of a table is read; texts of sections stand in the units.
_SECTION = (
    "section_id", "doc_id", "eid", "type", "label", "heading", "parent_id", "position", "page_start",
)  # fmt: skip
_SIMILAR = ("left_id", "right_id", "score", "own", "rank_left", "rank_right")
_EMBEDDING = ("text_sha256", "dim", "clause_vectors")
_CITATION = ("src_section_id", "target_section_id", "raw_text")


def run(ctx: Context) -> ReportResult:
    """Write ``findings``, ``coverage`` and ``counterparts``, and in ``<out>/`` the page, the exports and the logs.

    All of it in this process, without Spark: the page holds every finding, and starting Spark would take longer than
    all the rest. Large tables stay in Arrow's memory.
    """
    settings = ctx.settings
    before = previous_run(settings)
    recorded = decisions.read(settings.warehouse)
    calibration = load_calibration(settings.report.calibration) if settings.report.calibration else None
    verdicts, units = ctx.arrow("verdicts"), ctx.arrow("units")
    sections, similar, citations = (
        ctx.arrow("sections", _SECTION),
        ctx.arrow("similar", _SIMILAR),
        ctx.arrow("citations", _CITATION),
    )
    documents = ctx.arrow("documents")
    listed = build_findings(
        verdicts,
        units,
        sections,
        similar,
        citations,
        documents,
        previous=tables.read_rows(settings.warehouse, "findings", before) if before else None,
        decisions=recorded,
        threshold=settings.report.threshold,
        calibration=calibration,
    )
    n_findings = ctx.write_rows(listed, "findings")
    order = [document.doc_id for document in settings.documents]
    embeddings = ctx.arrow("embeddings", _EMBEDDING)
    coverage, counterparts = build_coverage(
        verdicts,
        units,
        sections,
        similar,
        documents,
        embeddings,
        settings.link,
        order,
        decided.rejected_pairs(listed),
    )
    decided.mark(coverage, counterparts, recorded)
    n_coverage, n_counterparts = ctx.write_rows(coverage, "coverage"), ctx.write_rows(counterparts, "counterparts")
    places, alike = sections.to_pylist(), similar.to_pylist()
    counted = aggregate(listed, {row["section_id"]: row["position"] for row in places})
    kept, repeated = _count_repeated(verdicts)
    result = ReportResult(
        findings=n_findings,
        coverage=n_coverage,
        counterparts=n_counterparts,
        previous_run=before,
        by_state=counted.by_state,
        by_relation=counted.by_relation,
        conflicts_by_kind=counted.by_kind,
        review={name: n for name, n in counted.by_decision.items() if name},
        pairs_kept=kept,
        pairs_repeated=repeated,
    )
    manifest = pipeline.manifest(settings)
    facts = manifest.as_json() | {"pairs_kept": kept, "pairs_repeated": repeated}
    known = {row["finding_id"] for row in listed}
    sealed = conflict_log.write(recorded, [*listed, *decided.subjects(coverage, counterparts).values()])
    in_order = _in_settings_order(settings, documents.to_pylist())
    page = render(
        Content(
            findings=listed,
            run=manifest,
            aggregates=counted,
            documents=in_order,
            coverage=coverage,
            counterparts=counterparts,
            near=nearest_pairs.nearest_pairs(verdicts, units, sections, documents, known, calibration),
            undecided=nearest_pairs.count_undecided(verdicts),
            quality=_quality(settings, listed, alike),
            title=settings.report.title,
            folder="" if "://" in settings.out else settings.out,
            reviewed=measure_reviewed(listed, recorded),
            calibration=calibration,
            log=conflict_log.verify(sealed, "conflict_log.jsonl"),
            compared_with=before,
            pairs_kept=kept,
            pairs_repeated=repeated,
        )
    )
    crosswalk = Crosswalk(coverage, counterparts, in_order)
    named = [workbook.with_titles(crosswalk, row) for row in listed]
    files = {
        "report.html": page.encode(),
        "findings.csv": export.csv_bytes(named, ["left_document", "right_document", *schemas.columns("findings")]),
        "findings.jsonl": records.to_bytes(listed),
        "findings.xlsx": workbook.xlsx_bytes(listed, facts, counted, crosswalk),
        "conflict_log.jsonl": sealed,
        "graph.graphml": graphml.graphml_bytes(places, citations.to_pylist(), alike, listed, graphml.facts(settings)),
    }
    for name, data in (files | _exchange_files(crosswalk, facts)).items():
        ctx.write_file(name, data)
    return result


def _exchange_files(crosswalk: Crosswalk, manifest: dict[str, Any]) -> dict[str, bytes]:
    """Make the files of the crosswalk; those of a format that needs a pair only where there is one."""
    files = {"crosswalk.csv": crosswalk_csv(crosswalk)}
    files |= exported_tables.files(crosswalk)
    files |= olir.files(crosswalk, manifest)
    files |= {f"oscal/{name}": data for name, data in oscal.files(crosswalk, manifest)}
    library = ciso_assistant.library(crosswalk, manifest)
    return files | ({"ciso-assistant.yaml": library} if library else {})


def _quality(settings: Settings, findings: Sequence[FindingRow], similar: list[dict[str, Any]]) -> dict[str, Any]:
    if not settings.evaluate.key:
        return {}
    result = measure(settings, [row for row in findings if row["state"] != FindingState.RESOLVED], similar)
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
    places = {document.doc_id: n for n, document in enumerate(settings.documents)}
    return sorted(documents, key=lambda row: places[row["doc_id"]])


def _decides(settings: Settings) -> dict[str, Any]:
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
    own_settings = _compared_settings(read_markers(settings.warehouse, settings.run_id))
    finished: list[tuple[str, str]] = []
    for name in storage.list_names(folder):
        run_id = name.removeprefix("run_id=")
        markers, faults = readable_markers(settings.warehouse, run_id)
        if faults:
            log.warning("run %s is not compared with: %s", run_id, "; ".join(faults))
        elif run_id != settings.run_id and "report" in markers and _compared_settings(markers) == own_settings:
            finished.append((markers["report"].finished_at, run_id))
    return max(finished)[1] if finished else ""


def _compared_settings(markers: dict[str, Marker]) -> list[Any]:
    """Return what two runs of one config have in common."""
    documents = sorted(document["doc_id"] for document in markers["parse"].settings["documents"])
    return [documents, *(markers[name].settings for name in ("embed", "link", "judge"))]


def _check(settings: Settings) -> None:
    sides.check(settings)
    require_files({"report.calibration": settings.report.calibration, "evaluate.key": settings.evaluate.key})


STAGE = Stage("report", decides=_decides, needs=("parse", "judge"), run=run, inputs=_inputs, check=_check)
