"""The table at the end of a run."""

from __future__ import annotations

from typing import Any

from rich.table import Table

from antinomy.settings import Settings
from antinomy.stage import STAGES


def planned(settings: Settings) -> tuple[str, ...]:
    """Return the stages of a whole run: ``evaluate`` only where the settings name a key to measure against."""
    return STAGES if settings.evaluate.key else STAGES[:-1]


def summary_table(manifest: dict[str, Any]) -> Table:
    """Lay out a run's manifest (see ``pipeline.manifest``) for a terminal; what has not run yet is left out."""
    made = Table("", "", title=f"Antinomy, run {manifest['run_id']}", show_header=False)
    for label, key in (
        ("documents", "documents"),
        ("quarantined", "quarantined"),
        ("sections", "sections"),
        ("citations", "citations"),
        ("units compared", "units"),
        ("candidate pairs", "pairs"),
        ("pairs judged now", "pairs_judged"),
        ("pairs that O(n²) would have judged", "full_comparison_calls"),
        ("findings", "findings"),
        ("errors", "errors"),
    ):
        if manifest[key] is not None:
            made.add_row(label, f"{manifest[key]:,}")
    if manifest["judge_calls"]:  # the packaged judges make none
        made.add_row("judge calls", f"{manifest['judge_calls']:,}")
    stages = manifest["stages"]
    if focus := stages.get("link", {}).get("counts", {}).get("focus"):
        made.add_row("focus: provisions asked for", f"{focus['selected']:,} of {focus['of']:,}")
    judged = stages.get("judge", {}).get("counts", {})
    for reason, count in judged.get("errors", {}).items():
        made.add_row(f"errors: {reason}", f"{count:,}")
    steps = judged.get("steps", [])
    # A single step has nothing to say beyond the rows above.
    for step in steps if len(steps) > 1 else []:
        made.add_row(f"judge step: {step['step']}", _step(step))
    if judged.get("cost"):
        made.add_row("cost of the judge", f"{judged['cost']:,}")
    for doc_id, reason in stages.get("parse", {}).get("counts", {}).get("quarantined", {}).items():
        made.add_row(f"quarantined: {doc_id}", reason)
    for kind, count in stages.get("report", {}).get("counts", {}).get("conflicts_by_kind", {}).items():
        made.add_row(f"conflicts: {kind}", f"{count:,}")
    for name, value in stages.get("evaluate", {}).get("counts", {}).get("headline", {}).items():
        made.add_row(f"against the key: {name}", _interval(value))
    for name, stage in stages.items():
        made.add_row(f"seconds: {name}", f"{stage['seconds']:.1f}")
    return made


def _step(step: dict[str, Any]) -> str:
    said = f"{step['settled']:,} settled, {step['calls']:,} calls, {step['tokens']:,} tokens"
    return said + (f"; {step['calls_avoided']:,} calls avoided" if step["calls_avoided"] else "")


def _interval(value: dict[str, float]) -> str:
    if value.get("low") is None:
        return f"{value['value']:.2f}"
    return f"{value['value']:.2f}  (95 %: {value['low']:.2f}–{value['high']:.2f})"
