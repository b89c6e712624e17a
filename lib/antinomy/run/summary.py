"""Tables for a terminal of 80 columns: a run's figures, its stages, the runs of a warehouse."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from rich.box import SIMPLE_HEAD
from rich.markup import escape
from rich.table import Table

from antinomy.run.stage import STAGES

if TYPE_CHECKING:
    from antinomy.run.history import Run
    from antinomy.run.manifest import CompletedStage, Manifest
    from antinomy.settings import Settings


def planned_stages(settings: Settings) -> tuple[str, ...]:
    """Return the stages of a whole run: ``evaluate`` only where the settings name a key to measure against."""
    return STAGES if settings.evaluate.key else STAGES[:-1]


def summary_table(manifest: Manifest) -> Table:
    """Lay out a run's manifest for a terminal; what has not run yet is left out."""
    layout = Table("", "", title=f"Antinomy, run {manifest.run_id}", show_header=False)
    for label, key in (
        ("documents", "documents"),
        ("quarantined", "quarantined"),
        ("sections", "sections"),
        ("citations", "citations"),
        ("units compared", "units"),
        ("candidate pairs", "pairs"),
        ("pairs judged now", "pairs_judged"),
        ("all possible pairs", "full_comparison_calls"),
        ("findings", "findings"),
        ("errors", "errors"),
    ):
        value = getattr(manifest, key)
        if value is not None:
            layout.add_row(label, f"{value:,}")
    if manifest.judge_calls:  # the packaged judges make none
        layout.add_row("judge calls", f"{manifest.judge_calls:,}")
    for stage in manifest.stages.values():
        for label, shown_value in stage.result.lines():
            layout.add_row(label, shown_value)
    for name, stage in manifest.stages.items():
        layout.add_row(f"seconds: {name}", f"{stage.seconds:.1f}")
    return layout


def stages_table(stages: Mapping[str, CompletedStage]) -> Table:
    """Lay out what every stage cost and made (``stages`` of a manifest); columns that say nothing are left out."""
    heads = ("stage", "seconds", "rows", "calls", "tokens", "errors")
    rows = []
    for name, stage in stages.items():
        found = stage.metrics
        spent = found.tokens
        tokens = {"in": spent["input"], "cached": spent["cached"], "out": spent["output"]}
        cells = [_join_counts(found.rows), f"{found.calls:,}" if found.calls else ""]
        cells += [_join_counts(tokens if any(tokens.values()) else {}), _join_counts(found.errors)]
        rows.append((name, f"{found.seconds:,.1f}", *cells))
    table = Table(box=SIMPLE_HEAD, padding=(0, 1))
    shown = [n for n, head in enumerate(heads) if head in ("stage", "seconds", "rows") or any(row[n] for row in rows)]
    for n in shown:
        table.add_column(heads[n], justify="right" if heads[n] in ("seconds", "calls") else "left", overflow="fold")
    for row in rows:
        table.add_row(*(row[n] for n in shown))
    return table


def _join_counts(counts: dict[str, int]) -> str:
    return escape("\n".join(f"{name} {count:,}" for name, count in counts.items()))


def runs_table(runs: list[Run]) -> Table:
    """Lay out the runs of a warehouse; why one is not complete is told beside the table."""
    table = Table(box=SIMPLE_HEAD, padding=(0, 1))
    table.add_column("run", overflow="fold")
    table.add_column("state")
    table.add_column("worked on (UTC)", no_wrap=True)
    for name in ("pairs", "findings", "errors", "seconds"):
        table.add_column(name, justify="right", no_wrap=True)
    for run in runs:
        seconds = run.manifest.seconds
        figures = [
            "" if value is None else f"{value:,}"
            for value in (run.manifest.pairs, run.manifest.findings, run.manifest.errors)
        ]
        table.add_row(run.run_id, run.state, run.last_active[:16].replace("T", " "), *figures, f"{seconds:,.0f}")
    return table
