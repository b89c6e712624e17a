"""``antinomy show``, ``runs``, ``gc`` and ``verify``: what lies in a warehouse, and what to do about it. No Spark."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from antinomy import runs as listing
from antinomy import settings
from antinomy import verify as checks
from antinomy.cli import AsJson, Overrides
from antinomy.errors import SettingsError
from antinomy.runs import Removal, Run
from antinomy.summary import summary_table

app = typer.Typer()

OptionalConfig = Annotated[str, typer.Option("--config", "-c", help="Settings file that names the warehouse.")]
Warehouse = Annotated[str, typer.Option("--warehouse", "-w", help="The warehouse itself: a path or URI.")]


def _warehouse(config: str, overrides: list[str] | None, warehouse: str) -> str:
    if bool(config) == bool(warehouse):
        raise SettingsError("give either --config or --warehouse")
    return warehouse or settings.load(config, overrides).warehouse


def _echo(value: Any) -> None:
    typer.echo(json.dumps(value, ensure_ascii=False))


@app.command()
def show(
    run_id: Annotated[str, typer.Argument(help="The run's name.", metavar="RUN")],
    config: OptionalConfig = "",
    warehouse: Warehouse = "",
    set_: Overrides = None,
    as_json: AsJson = False,
) -> None:
    """Print a run: its state, its figures, and what every stage cost."""
    run = listing.look(_warehouse(config, set_, warehouse), run_id)
    if as_json:
        _echo(_as_dict(run))
        return
    console = Console()
    console.print(summary_table(run.manifest))
    console.print(_stages_table(run.manifest["stages"]))
    console.print(f"{run.state}{': ' + run.reason if run.reason else ''}", markup=False, soft_wrap=True)


@app.command("runs")
def list_runs(
    config: OptionalConfig = "", warehouse: Warehouse = "", set_: Overrides = None, as_json: AsJson = False
) -> None:
    """List the runs of a warehouse, the one that was worked on last first."""
    found = listing.look_at_all(_warehouse(config, set_, warehouse))
    if as_json:
        _echo([_as_dict(run) for run in found])
    else:
        Console().print(_runs_table(found))


@app.command()
def gc(
    config: OptionalConfig = "",
    warehouse: Warehouse = "",
    set_: Overrides = None,
    keep: Annotated[int, typer.Option("--keep", min=1, help="So many runs stay, those worked on last.")] = 10,
    delete: Annotated[bool, typer.Option("--delete", help="Remove; without it nothing is touched.")] = False,
    as_json: AsJson = False,
) -> None:
    """Say which old runs can be removed, or remove them; never caches, decisions or a run that is being worked on."""
    found = listing.collect(_warehouse(config, set_, warehouse), keep, delete)
    if as_json:
        _echo({"deleted": delete, "runs": [asdict(removal) for removal in found]})
        return
    for removal in found:
        typer.echo(_line(removal, delete))
    if not delete and any(removal.paths for removal in found):
        typer.echo("Nothing was removed: give --delete.")


@app.command()
def verify(
    config: OptionalConfig = "",
    warehouse: Warehouse = "",
    set_: Overrides = None,
    rebuild: Annotated[
        bool, typer.Option("--rebuild", help="Put damaged files aside; the next run makes again what was in them.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Read every Parquet file of a warehouse to its end and name the damaged ones (exit code 1 if there are any)."""
    place = _warehouse(config, set_, warehouse)
    found = list(checks.damaged(place))
    if rebuild:
        for damage in found:
            checks.rebuild(place, damage)
    if as_json:
        _echo({"rebuild": rebuild, "damaged": [asdict(damage) for damage in found]})
    else:
        for damage in found:
            done = damage.remedy if rebuild and damage.remedy else ""
            typer.echo(f"{damage.uri}: {damage.reason}{'; ' if done else ''}{done}")
        if not found:
            typer.echo("No file is damaged.")
        elif not rebuild:
            typer.echo("Nothing was touched: give --rebuild.")
    if any(not (rebuild and damage.remedy) for damage in found):
        raise typer.Exit(1)


def _line(removal: Removal, delete: bool) -> str:
    if removal.kept:
        return f"{removal.run_id}: kept, {removal.kept}"
    return f"{removal.run_id}: {'removed' if delete else 'would remove'} {', '.join(removal.paths)}"


def _as_dict(run: Run) -> dict[str, Any]:
    return {"state": run.state, "reason": run.reason, **run.manifest}


def _runs_table(found: list[Run]) -> Table:
    made = Table(title="Times are UTC")
    for name in ("run", "state", "last worked on", "pairs", "findings", "errors", "seconds", "why"):
        made.add_column(name, no_wrap=name != "why")
    for run in found:
        figures = [_number(run.manifest[name]) for name in ("pairs", "findings", "errors", "seconds")]
        made.add_row(run.run_id, run.state, run.last[:19].replace("T", " "), *figures, escape(run.reason))
    return made


def _stages_table(stages: dict[str, Any]) -> Table:
    made = Table("stage", "seconds", "rows", "calls", "tokens in", "cached", "tokens out", "errors")
    for name, stage in stages.items():
        found = stage["metrics"]
        tokens = [_number(found["tokens"][kind]) for kind in ("input", "cached", "output")]
        rows = "\n".join(f"{table} {count:,}" for table, count in found["rows"].items())
        errors = "\n".join(f"{reason} {count:,}" for reason, count in found["errors"].items())
        made.add_row(name, f"{found['seconds']:.1f}", rows, _number(found["calls"]), *tokens, escape(errors))
    return made


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:,}"
