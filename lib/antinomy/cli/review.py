"""``antinomy calibrate`` and ``antinomy log``."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from antinomy.cli.app import DEFAULT_CONFIG, AsJson, Config, Overrides, RunId
from antinomy.errors import AntinomyError

log_app = typer.Typer(help="The conflict log: what was decided, by whom and when.", add_completion=False)


def calibrate(
    output: Annotated[str, typer.Option("--output", "-o", help="Where to write the calibration (JSON).")],
    config: Config = DEFAULT_CONFIG,
    method: Annotated[
        Literal["platt", "isotonic"], typer.Option("--method", help="isotonic where there are many decisions.")
    ] = "platt",
    run_id: RunId = "",
    set_: Overrides = None,
    as_json: AsJson = False,
) -> None:
    """Fit the judge's probabilities to reviewers' decisions; then set report.calibration to the file."""
    from antinomy import settings
    from antinomy.findings import calibration, decisions
    from antinomy.store import tables

    chosen = settings.load(config, set_, run_id)
    judges = {
        (row["judge"], row["model"], row["prompt_sha256"])
        for row in tables.read_rows(chosen.warehouse, "findings", chosen.run_id)
    }
    if len(judges) != 1:
        raise AntinomyError(f"run {chosen.run_id} has findings of {len(judges)} judges: calibration needs exactly one")
    fitted = calibration.fit(decisions.read(chosen.warehouse), *judges.pop(), method=method)
    calibration.store(fitted, output)
    if as_json:
        typer.echo(fitted.model_dump_json())
    else:
        typer.echo(
            f"{output}: {fitted.method} on {fitted.decided} decided findings, {fitted.conflicts} of them conflicts; "
            f"mean squared error {fitted.brier_before:.3f} → {fitted.brier_after:.3f} (out of fold). "
            f"Use it: antinomy report --config {config} --set report.calibration={output}"
        )


@log_app.command()
def verify(
    file: Annotated[str, typer.Argument(help="conflict_log.jsonl: a path or URI.")],
    seal: Annotated[str, typer.Option("--seal", help="The log's last hash, as the report shows it.")] = "",
) -> None:
    """Check that a conflict log is as it was written."""
    from antinomy.findings import conflict_log
    from antinomy.store import storage

    found = conflict_log.verify(storage.read_bytes(file), file, seal)
    typer.echo(f"{file}: {len(found.entries)} decisions, as they were written; seal {found.seal}")
    if not seal and not found.keyed:
        typer.echo("Not checked: whether the whole file was written anew. Give --seal, as the report shows it.")


@log_app.callback()
def _log() -> None:
    pass


__all__ = ["calibrate", "log_app"]
