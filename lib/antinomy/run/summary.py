"""Tables for a terminal of 80 columns: a run's figures, its stages, the runs of a warehouse."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rich.box import SIMPLE_HEAD
from rich.markup import escape
from rich.table import Table

from antinomy.run.stage import STAGES

if TYPE_CHECKING:
    from antinomy.run.history import Run
    from antinomy.settings import Settings


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


def stages_table(stages: dict[str, Any]) -> Table:
    """Lay out what every stage cost and made (``stages`` of a manifest); columns that say nothing are left out."""
    heads = ("stage", "seconds", "rows", "calls", "tokens", "errors")
    rows = []
    for name, stage in stages.items():
        found = stage["metrics"]
        spent = found["tokens"]
        tokens = {"in": spent["input"], "cached": spent["cached"], "out": spent["output"]}
        cells = [_listed(found["rows"]), f"{found['calls']:,}" if found["calls"] else ""]
        cells += [_listed(tokens if any(tokens.values()) else {}), _listed(found["errors"])]
        rows.append((name, f"{found['seconds']:,.1f}", *cells))
    table = Table(box=SIMPLE_HEAD, padding=(0, 1))
    shown = [n for n, head in enumerate(heads) if head in ("stage", "seconds", "rows") or any(row[n] for row in rows)]
    for n in shown:
        table.add_column(heads[n], justify="right" if heads[n] in ("seconds", "calls") else "left", overflow="fold")
    for row in rows:
        table.add_row(*(row[n] for n in shown))
    return table


def _listed(counts: dict[str, int]) -> str:
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
        seconds = run.manifest["seconds"]
        figures = [
            "" if run.manifest[name] is None else f"{run.manifest[name]:,}" for name in ("pairs", "findings", "errors")
        ]
        table.add_row(run.run_id, run.state, run.last[:16].replace("T", " "), *figures, f"{seconds:,.0f}")
    return table
