"""The console script ``antinomy``, and what the files in ``jobs/`` call."""

from __future__ import annotations

import json
import logging
import re
import sys
from collections.abc import Callable
from typing import Annotated, Any

import typer
from pyspark.errors import PythonException
from rich.console import Console

from antinomy import __version__, pipeline, settings
from antinomy.errors import AntinomyError
from antinomy.stage import STAGES

app = typer.Typer(
    help="Find the places where two regulations cannot both be obeyed.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)

Config = Annotated[str, typer.Option("--config", "-c", help="Settings file (YAML): a path or URI.")]
RunId = Annotated[str, typer.Option("--run-id", help="Name of the run; replaces the file's run_id.")]
Overrides = Annotated[list[str] | None, typer.Option("--set", help="Replace one setting, a.b=value; may be repeated.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print machine-readable JSON on stdout.")]
Verbose = Annotated[bool, typer.Option("--verbose", "-v", help="Log what is being done.")]


def _configure_logging(verbose: bool, run_id: str = "-") -> None:
    logging.basicConfig(
        stream=sys.stderr,
        level=logging.WARNING,
        format=f"%(asctime)s %(levelname)s run={run_id} %(message)s",
        force=True,
    )
    logging.getLogger("antinomy").setLevel(logging.INFO if verbose else logging.WARNING)


def run_stages(
    names: tuple[str, ...],
    config: str,
    run_id: str,
    overrides: list[str] | None,
    as_json: bool,
    verbose: bool,
) -> None:
    """Run stages, all that the settings plan where ``names`` is empty, and print the summary."""
    from antinomy.summary import planned, summary_table

    chosen = settings.load(config, overrides, run_id)
    names = names or planned(chosen)
    _configure_logging(verbose, chosen.run_id)
    manifest = pipeline.run(chosen, names)
    if as_json:
        typer.echo(json.dumps(manifest, ensure_ascii=False))
    else:
        console = Console()
        console.print(summary_table(manifest))
        if "report" in names:
            console.print(f"Report: {chosen.out}/report.html", soft_wrap=True)


@app.command()
def run(
    config: Config,
    run_id: RunId = "",
    set_: Overrides = None,
    as_json: AsJson = False,
    verbose: Verbose = False,
) -> None:
    """Run all stages in one Spark application."""
    run_stages((), config, run_id, set_, as_json, verbose)


def _stage_command(name: str, summary: str) -> Callable[..., None]:
    def command(
        config: Config,
        run_id: RunId = "",
        set_: Overrides = None,
        as_json: AsJson = False,
        verbose: Verbose = False,
    ) -> None:
        run_stages((name,), config, run_id, set_, as_json, verbose)

    command.__doc__ = summary
    return command


@app.command()
def parse(
    config: Config,
    run_id: RunId = "",
    set_: Overrides = None,
    as_json: AsJson = False,
    verbose: Verbose = False,
    report: Annotated[bool, typer.Option("--report", help="Print nodes, coverage and citations per document.")] = False,
) -> None:
    """Documents → sections and citations."""
    if not report:
        run_stages(("parse",), config, run_id, set_, as_json, verbose)
        return
    from antinomy.parse.report import parse_report, report_tables

    chosen = settings.load(config, set_, run_id)
    _configure_logging(verbose, chosen.run_id)
    pipeline.run(chosen, ("parse",))
    with pipeline.one_session(chosen) as session:
        made = parse_report(session(), chosen)
    if as_json:
        typer.echo(json.dumps(made, ensure_ascii=False))
    else:
        Console().print(report_tables(made))


for _name, _summary in (
    ("embed", "Sections and citations → units in context → vectors."),
    ("link", "Vectors → candidate pairs."),
    ("judge", "Candidate pairs → verdicts."),
    ("report", "Verdicts → findings, the HTML report and the exports."),
):
    app.command(_name)(_stage_command(_name, _summary))


@app.command()
def fetch(config: Config, set_: Overrides = None, as_json: AsJson = False) -> None:
    """Download the documents that a config lists from their official addresses, and check them."""
    from dataclasses import asdict

    from antinomy.fetch import fetch as fetch_all

    results = fetch_all(settings.load(config, set_))
    if as_json:
        typer.echo(json.dumps([asdict(result) for result in results], ensure_ascii=False))
    else:
        for result in results:
            typer.echo(f"{result.state:<8} {result.doc_id}: {result.error or result.path}")
            if result.state == "fetched":
                typer.echo(f"         sha256: {result.sha256}")
    if any(result.state == "failed" for result in results):
        raise typer.Exit(2)


@app.command()
def doctor(as_json: AsJson = False, config: Annotated[str, typer.Option("--config", "-c")] = "") -> None:
    """Say what is here, what is missing and how to get it: Java, Spark, GraphFrames, model, endpoint, GPU."""
    from antinomy import doctor as checks

    found = checks.examine(settings.load(config) if config else None)
    if as_json:
        typer.echo(json.dumps({check.name: check.as_dict() for check in found}, ensure_ascii=False))
    else:
        Console().print(checks.table(found))
    if not all(check.ok or not check.required for check in found):
        raise typer.Exit(1)


@app.command()
def setup() -> None:
    """Complete a pip installation of Spark: put the GraphFrames jar in its place and find Java."""
    from antinomy import environment

    for line in environment.setup():
        typer.echo(line)


def _version(value: bool) -> None:
@app.command()
def check(
    config: Config,
    run_id: RunId = "",
    set_: Overrides = None,
    stage: Annotated[
        list[str] | None, typer.Option("--stage", help="Stage to check; may be repeated. All but evaluate if none.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Hold what finished stages left in storage to the bounds of `quality` in the settings; needs no Spark."""
    from dataclasses import asdict

    from antinomy import quality

    stages = tuple(stage or quality.CHECKED)
    unknown = sorted(set(stages) - set(quality.CHECKED))
    if unknown:
        raise typer.BadParameter(f"{', '.join(unknown)}: one of {', '.join(quality.CHECKED)}")
    chosen = settings.load(config, set_, run_id)
    logs.configure(chosen.run_id)
    found = quality.require(chosen, stages)
    if as_json:
        typer.echo(json.dumps([asdict(one) for one in found], ensure_ascii=False))
    else:
        for one in found:
            typer.echo(f"{one.stage:<7} {one.name}: {one.value} (wanted {one.bound})")


    if value:
        typer.echo(__version__)
        raise typer.Exit


@app.callback()
def _main(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    pass


def _guarded(call: Callable[[], Any]) -> None:
    """Turn what the user can mend into one line on stderr and exit code 2; let defects show their traceback."""
    try:
        call()
    except AntinomyError as error:
        print(f"antinomy: {' '.join(str(error).split())}", file=sys.stderr)
        sys.exit(2)
    except PythonException as error:
        # Raised in a Spark worker: only the text of its traceback comes back.
        ours = re.search(r"antinomy\.errors\.\w+: (.+)", str(error))
        if ours is None:
            raise
        print(f"antinomy: {ours[1].strip()}", file=sys.stderr)
        sys.exit(2)
    except KeyboardInterrupt:
        print("antinomy: stopped; the same command goes on where it was", file=sys.stderr)
        sys.exit(130)


def main() -> None:
    """Entry point of the console script."""
    from antinomy.evaluate.cli import app as evaluate

    app.add_typer(evaluate, name="evaluate")
    _guarded(app)


def job(name: str) -> None:
    """Entry point of ``spark-submit jobs/<name>.py``: the command of that name with the script's arguments."""
    sys.argv = ["antinomy", name, *sys.argv[1:]]
    main()


__all__ = ["STAGES", "app", "job", "main"]
