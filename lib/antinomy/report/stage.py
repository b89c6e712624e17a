"""The report stage: verdicts → findings, the page and the exports."""

from __future__ import annotations

import hashlib
import logging
from typing import TYPE_CHECKING, Any

from pyspark.sql import functions as F

from antinomy import pipeline, storage, tables
from antinomy.evaluate.reviewed import measure as measure_reviewed
from antinomy.evaluate.stage import measure, rows
from antinomy.report import crosswalk, export
from antinomy.report.aggregates import aggregate
from antinomy.report.findings import build_findings
from antinomy.report.html import render
from antinomy.review import decisions
from antinomy.review import log as conflict_log
from antinomy.review.calibration import load as load_calibration
from antinomy.stage import Context, Stage, read_markers, readable_markers

if TYPE_CHECKING:
    from antinomy.settings import Settings

log = logging.getLogger("antinomy")


def run(ctx: Context) -> None:
    """Write ``findings``, and in ``<out>/`` the page, the exports, the conflict log, the crosswalk and the graph."""
    settings = ctx.settings
    before = previous_run(settings)
    said = decisions.read(settings.warehouse)
    calibration = load_calibration(settings.report.calibration) if settings.report.calibration else None
    made = build_findings(
        ctx.read("verdicts"),
        ctx.read("units"),
        ctx.read("sections"),
        ctx.read("similar"),
        ctx.read("citations"),
        ctx.read("documents"),
        previous=tables.read(ctx.spark, settings.warehouse, "findings", before) if before else None,
        decisions=said,
        threshold=settings.report.threshold,
        calibration=calibration,
    )
    ctx.write(made, "findings")
    listed = rows(ctx.read("findings").orderBy("rank"))
    listed.sort(key=lambda row: row["rank"] is None)  # resolved ones have no rank and come last
    sections = rows(
        ctx.read("sections").select("section_id", "doc_id", "type", "label", "heading", "parent_id", "position")
    )
    similar = rows(ctx.read("similar").select("left_id", "right_id", "score", "cosine", "rank_left", "rank_right"))
    counted = aggregate(listed, {row["section_id"]: row["position"] for row in sections})
    ctx.counts["previous_run"] = before
    ctx.counts["by_state"] = counted.by_state
    ctx.counts["by_relation"] = counted.by_relation
    ctx.counts["conflicts_by_kind"] = counted.by_kind
    ctx.counts["review"] = {name: n for name, n in counted.by_decision.items() if name}
    ctx.counts.update(repeated := _repetitions(ctx))
    manifest = pipeline.manifest(settings) | repeated
    sealed = conflict_log.write(said, listed)
    page = render(
        listed,
        manifest,
        counted,
        _in_order(settings, rows(ctx.read("documents"))),
        quality=_quality(settings, listed, similar),
        reviewed=measure_reviewed(listed, said),
        calibration=calibration,
        log=conflict_log.verify(sealed, "conflict_log.jsonl"),
        compared_with=before,
        title=settings.report.title,
        folder="" if "://" in settings.out else settings.out,
    )
    citations = rows(ctx.read("citations").select("src_section_id", "target_section_id", "raw_text"))
    files = {
        "report.html": page.encode(),
        "findings.csv": export.csv_bytes(listed),
        "findings.jsonl": export.jsonl_bytes(listed),
        "findings.xlsx": export.xlsx_bytes(listed, manifest, counted),
        "crosswalk.csv": crosswalk.crosswalk_csv(rows(crosswalk.crosswalk(ctx.read("verdicts"), ctx.read("units")))),
        "conflict_log.jsonl": sealed,
        "graph.graphml": export.graphml_bytes(sections, citations, similar, listed),
    }
    for name, data in files.items():
        ctx.write_file(name, data)


def _quality(
    settings: Settings, findings: list[dict[str, Any]], similar: list[dict[str, Any]]
) -> dict[str, Any] | None:
    if not settings.evaluate.key:
        return None
    result = measure(settings, [row for row in findings if row["state"] != "resolved"], similar)
    # Without any finding of conflict there is no precision to show.
    return {name: result[name] for name in ("precision", "recall") if result[name]["value"] is not None}


def _repetitions(ctx: Context) -> dict[str, int]:
    """Count candidate pairs that cost no judgement: judged earlier, or with the same texts as another pair."""
    counted = ctx.read("verdicts").agg(
        F.count("*").alias("pairs"),
        F.count(F.when(F.col("reused"), 1)).alias("kept"),
        F.countDistinct(F.when(~F.col("reused"), F.col("pair_key"))).alias("judged"),
    )
    pairs, kept, judged = counted.collect()[0]
    return {"pairs_kept": kept, "pairs_repeated": pairs - kept - judged}


def _in_order(settings: Settings, documents: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Put documents into the order of the settings."""
    places = {document.doc_id: n for n, document in enumerate(settings.documents)}
    return sorted(documents, key=lambda row: places[row["doc_id"]])


def _decides(settings: Settings) -> dict[str, Any]:
    """The calibration is left out: a finished run is reported again with it, under its name."""
    return {"report": settings.report.model_dump(mode="json", exclude={"calibration"})}


def _inputs(settings: Settings) -> str:
    calibration = settings.report.calibration
    fitted = hashlib.sha256(storage.read_bytes(calibration)).hexdigest() if calibration else ""
    return f"{decisions.fingerprint(settings.warehouse)} {fitted}"


def previous_run(settings: Settings) -> str:
    """Return the run to compare with: the one that the settings name, else the latest other one with a report.

    Only runs of the same config count: the same documents (whatever is in them), compared and judged with the same
    settings. A finding that another judge, or another focus, would not make is not resolved.
    """
    if settings.report.previous_run:
        return settings.report.previous_run
    folder = storage.join(settings.warehouse, "_stages")
    mine = _config(read_markers(settings.warehouse, settings.run_id))
    finished: list[tuple[str, str]] = []
    for name in storage.list_names(folder):
        run_id = name.removeprefix("run_id=")
        markers, faults = readable_markers(settings.warehouse, run_id)
        if faults:
            log.warning("run %s is not compared with: %s", run_id, "; ".join(faults))
        elif run_id != settings.run_id and "report" in markers and _config(markers) == mine:
            finished.append((markers["report"]["finished_at"], run_id))
    return max(finished)[1] if finished else ""


def _config(markers: dict[str, dict[str, Any]]) -> list[Any]:
    """Return what two runs of one config have in common."""
    documents = sorted(document["doc_id"] for document in markers["parse"]["settings"]["documents"])
    return [documents, *(markers[name]["settings"] for name in ("embed", "link", "judge"))]


STAGE = Stage("report", decides=_decides, needs=("parse", "judge"), run=run, inputs=_inputs)
