"""What every stage of a run cost and made, for Prometheus."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from prometheus_client import CollectorRegistry, Gauge, generate_latest

from antinomy.run.manifest import Manifest


def prometheus(manifest: Manifest, failed: dict[str, Any] | None = None) -> bytes:
    """Return a run's metrics in Prometheus' text format, for the textfile collector or a push gateway.

    Args:
        manifest: of the run.
        failed: what ended the run early (``stage.read_failure``), None if nothing did.
    """
    registry = CollectorRegistry()
    run = {"run_id": manifest.run_id}

    def gauge(name: str, says: str, *labels: str) -> Gauge:
        return Gauge(f"antinomy_{name}", says, ["run_id", *labels], registry=registry)

    seconds = gauge("stage_duration_seconds", "Wall time that the stage took.", "stage")
    complete = gauge("stage_complete", "1 if the stage is complete, 0 if the same command would continue it.", "stage")
    rows = gauge("stage_rows", "Rows that the stage wrote.", "stage", "table")
    calls = gauge("stage_calls", "Calls that the stage made to its judge.", "stage")
    tokens = gauge(
        "stage_tokens", "Tokens as the server counted them; cached ones are among the input.", "stage", "kind"
    )
    errors = gauge("stage_errors", "Rows that ended in an error, by its reason.", "stage", "reason")
    for name, stage in manifest.stages.items():
        here, found = run | {"stage": name}, stage.metrics
        seconds.labels(**here).set(found.seconds)
        complete.labels(**here).set(not stage.partial)
        calls.labels(**here).set(found.calls)
        for table, count in found.rows.items():
            rows.labels(**here, table=table).set(count)
        for kind, count in found.tokens.items():
            tokens.labels(**here, kind=kind).set(count)
        for reason, count in found.errors.items():
            errors.labels(**here, reason=reason).set(count)
    gauge("run_failed", "1 if an error ended the run early.").labels(**run).set(failed is not None)
    if manifest.finished_at:
        finished = datetime.fromisoformat(manifest.finished_at).timestamp()
        last = gauge("run_last_stage_timestamp_seconds", "When the last stage was completed, seconds since 1970.")
        last.labels(**run).set(finished)
    return generate_latest(registry)
