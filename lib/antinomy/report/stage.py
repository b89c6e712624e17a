"""The report stage: verdicts → findings, the page and the exports."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from antinomy import pipeline, storage, tables
from antinomy.evaluate.stage import measure, rows
from antinomy.report import crosswalk, export
from antinomy.report.aggregates import aggregate
from antinomy.report.findings import build_findings
from antinomy.report.html import render
from antinomy.stage import Context, Stage, groups, read_marker

if TYPE_CHECKING:
    from antinomy.settings import Settings

log = logging.getLogger("antinomy")


def run(ctx: Context) -> None:
    """Write ``findings``, and in ``<out>/`` the page, the exports of the findings, the crosswalk and the graph."""
    settings = ctx.settings
    before = previous_run(settings)
    made = build_findings(
        ctx.read("verdicts"),
        ctx.read("units"),
        ctx.read("sections"),
        ctx.read("similar"),
        ctx.read("citations"),
        ctx.read("documents"),
        previous=tables.read(ctx.spark, settings.warehouse, "findings", before) if before else None,
        threshold=settings.report.threshold,
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
    manifest = pipeline.manifest(settings)
    page = render(
        listed,
        manifest,
        counted,
        rows(ctx.read("documents")),
        quality=_quality(settings, listed, similar),
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
        "graph.graphml": export.graphml_bytes(sections, citations, similar, listed),
    }
    for name, data in files.items():
        storage.write_bytes(storage.join(settings.out, name), data)


def _quality(
    settings: Settings, findings: list[dict[str, Any]], similar: list[dict[str, Any]]
) -> dict[str, Any] | None:
    if not settings.evaluate.key:
        return None
    result = measure(settings, [row for row in findings if row["state"] != "resolved"], similar)
    # Without any finding of conflict there is no precision to show.
    return {name: result[name] for name in ("precision", "recall") if result[name]["value"] is not None}


def previous_run(settings: Settings) -> str:
    """Return the run to compare with: the one that the settings name, else the latest other one with a report.

    Only runs over the same documents count: a warehouse may serve several configs.
    """
    if settings.report.previous_run:
        return settings.report.previous_run
    folder = storage.join(settings.warehouse, "_stages")
    mine = {document.doc_id for document in settings.documents}
    finished: list[tuple[str, str]] = []
    for name in storage.list_names(folder):
        run_id = name.removeprefix("run_id=")
        other = settings.model_copy(update={"run_id": run_id})
        parsed, reported = read_marker(other, "parse"), read_marker(other, "report")
        if run_id != settings.run_id and parsed and reported:
            documents = {document["doc_id"] for document in parsed["settings"]["documents"]}
            if documents == mine:
                finished.append((reported["finished_at"], run_id))
    return max(finished)[1] if finished else ""


STAGE = Stage("report", decides=groups("report"), needs=("parse", "judge"), run=run)
