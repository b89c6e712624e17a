"""``antinomy show``, ``runs``, ``gc`` and ``verify``: what lies in a warehouse, and what to do about it. No Spark."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from antinomy.cli.app import DEFAULT_CONFIG, AsJson, Overrides, print_json, print_table
from antinomy.errors import SettingsError

if TYPE_CHECKING:
    from antinomy.run.history import Removal, Run

app = typer.Typer()

OptionalConfig = Annotated[
    str,
    typer.Option(
        "--config", "-c", help=f"Settings file that names the warehouse; {DEFAULT_CONFIG} if neither is given."
    ),
]
Warehouse = Annotated[str, typer.Option("--warehouse", "-w", help="The warehouse itself: a path or URI.")]


def _warehouse(config: str, overrides: list[str] | None, warehouse: str) -> str:
    if config and warehouse:
        raise SettingsError("give either --config or --warehouse, not both")
    from antinomy import settings

    return warehouse or settings.load(config or DEFAULT_CONFIG, overrides).warehouse


def _configured_run(config: str, overrides: list[str] | None, warehouse: str) -> str:
    if warehouse:
        raise SettingsError("show: name the run, or give --config instead of --warehouse")
    from antinomy import settings

    return settings.load(config or DEFAULT_CONFIG, overrides).run_id


@app.command()
def show(
    run_id: Annotated[
        str, typer.Argument(help="The run's name; that of the settings file if not given.", metavar="RUN")
    ] = "",
    config: OptionalConfig = "",
    warehouse: Warehouse = "",
    set_: Overrides = None,
    as_json: AsJson = False,
) -> None:
    """Print a run: its state, its figures, and what every stage cost."""
    from antinomy.run import history, summary

    place = _warehouse(config, set_, warehouse)
    run = history.inspect_run(place, run_id or _configured_run(config, set_, warehouse))
    if as_json:
        print_json(_as_dict(run))
        return
    print_table(summary.summary_table(run.manifest))
    print_table(summary.stages_table(run.manifest.stages))
    typer.echo(f"{run.state}{': ' + run.reason if run.reason else ''}")


@app.command("runs")
def list_runs(
    config: OptionalConfig = "", warehouse: Warehouse = "", set_: Overrides = None, as_json: AsJson = False
) -> None:
    """List the runs of a warehouse, the one that was worked on last first."""
    from antinomy.run import history, summary

    found = history.inspect_runs(_warehouse(config, set_, warehouse))
    if as_json:
        print_json([_as_dict(run) for run in found])
        return
    print_table(summary.runs_table(found))
    for run in found:
        if run.reason:
            typer.echo(f"{run.run_id}: {run.reason}")


@app.command()
def gc(
    config: OptionalConfig = "",
    warehouse: Warehouse = "",
    set_: Overrides = None,
    keep: Annotated[int, typer.Option("--keep", min=1, help="Number of runs to keep, the most recently active.")] = 10,
    delete: Annotated[bool, typer.Option("--delete", help="Remove; without it nothing is touched.")] = False,
    as_json: AsJson = False,
) -> None:
    """Say which old runs can be removed, or remove them; never decisions, what is cached or a run being worked on."""
    from antinomy.run import history

    place = _warehouse(config, set_, warehouse)
    found = history.collect_garbage(place, keep, delete)
    cached = history.collect_cache_garbage(place, delete)
    if as_json:
        print_json({"deleted": delete, "runs": [asdict(removal) for removal in found], "caches": cached})
        return
    for removal in found:
        typer.echo(f"{removal.run_id}: {f'kept, {removal.kept}' if removal.kept else _done(removal.paths, delete)}")
    if cached:
        typer.echo(f"caches: {_done(cached, delete)}")
    typer.echo(_outcome(found, cached, len(history.run_ids(place)), keep, delete))


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
    from antinomy.run import check_files as checks

    place = _warehouse(config, set_, warehouse)
    found = list(checks.find_damaged(place))
    if rebuild:
        for damage in found:
            checks.set_aside(place, damage)
    if as_json:
        print_json({"rebuild": rebuild, "damaged": [asdict(damage) for damage in found]})
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


def _done(paths: tuple[str, ...], delete: bool) -> str:
    return f"{'removed' if delete else 'would remove'} {', '.join(paths)}"


def _outcome(found: list[Removal], cached: tuple[str, ...], left: int, keep: int, delete: bool) -> str:
    """Return a line on how much was removed, or would be, and how many runs remain."""
    places = sum(len(removal.paths) for removal in found) + len(cached)
    cleared = sum(bool(removal.paths) for removal in found)
    owners = [*([_many(cleared, "run")] if cleared else ()), *(["the caches"] if cached else ())]
    what = f"{_many(places, 'folder')} of {' and '.join(owners)}"
    there = f"{_many(left, 'run')} in the warehouse; the {keep} worked on last stay."
    if not places:
        return f"Nothing to remove: {there}"
    return f"Removed {what}: {there}" if delete else f"Nothing was removed: give --delete. It removes {what}; {there}"


def _many(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"


def _as_dict(run: Run) -> dict[str, Any]:
    return {"state": run.state, "reason": run.reason, **run.manifest.as_json()}
