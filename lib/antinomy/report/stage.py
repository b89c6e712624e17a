"""The report stage: verdicts → findings, the page and the exports."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from antinomy import pipeline, storage, tables
from antinomy.evaluate.stage import measure, rows
from antinomy.report.aggregates import aggregate
from antinomy.report.findings import build_findings
from antinomy.report.html import render
from antinomy.stage import Context, Stage, groups, read_marker

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from antinomy.settings import Settings

log = logging.getLogger("antinomy")


def run(ctx: Context) -> None:
    """Write ``findings`` and ``<out>/report.html``."""
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
    findings = ctx.read("findings")
    counted = aggregate(findings, ctx.read("sections"))
    ctx.counts["previous_run"] = before
    ctx.counts["by_state"] = counted.by_state
    ctx.counts["by_relation"] = counted.by_relation
    ctx.counts["conflicts_by_kind"] = counted.by_kind
    listed = rows(findings.orderBy("rank"))
    listed.sort(key=lambda row: row["rank"] is None)  # resolved ones have no rank and come last
    page = render(
        listed,
        pipeline.manifest(settings),
        counted,
        rows(ctx.read("documents")),
        quality=_quality(settings, listed, ctx.read("similar")),
        title=settings.report.title,
        folder="" if "://" in settings.out else settings.out,
    )
    storage.write_bytes(storage.join(settings.out, "report.html"), page.encode())


def _quality(settings: Settings, findings: list[dict[str, Any]], similar: DataFrame) -> dict[str, Any] | None:
    if not settings.evaluate.key:
        return None
    still_open = [row for row in findings if row["state"] != "resolved"]
    result = measure(
        settings, still_open, rows(similar.select("left_id", "right_id", "rank_left", "rank_right", "score"))
    )
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
