"""The console script ``antinomy``, and what the files in ``jobs/`` call.

What a command needs is imported when it runs: ``--help`` and ``--version`` answer before numpy is loaded.
"""

from __future__ import annotations

import json
import signal
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any

import typer

from antinomy import __version__
from antinomy.cli.help_order import Grouped
from antinomy.errors import AntinomyError
from antinomy.run import logs
from antinomy.run.logs import LogFormat

if TYPE_CHECKING:
    from rich.console import RenderableType

app = typer.Typer(
    help="Find the places where two regulations cannot both be obeyed.",
    no_args_is_help=True,
    cls=Grouped,
    pretty_exceptions_enable=False,
)

#: What ``antinomy init`` writes, in the working folder.
DEFAULT_CONFIG = "antinomy.yaml"

Config = Annotated[str, typer.Option("--config", "-c", help="Settings file (YAML): a path or URI.")]
RunId = Annotated[str, typer.Option("--run-id", help="Name of the run; replaces the file's run_id.")]
Overrides = Annotated[list[str] | None, typer.Option("--set", help="Replace one setting, a.b=value; may be repeated.")]
Focus = Annotated[str, typer.Option("--focus", help="Judge only what concerns this theme or question (link.focus).")]
AsOf = Annotated[str, typer.Option("--as-of", help="Compare only documents in force on this day, YYYY-MM-DD (as_of).")]
AsJson = Annotated[bool, typer.Option("--json", help="Print machine-readable JSON on stdout.")]
Verbose = Annotated[bool, typer.Option("--verbose", "-v", help="Log what is being done.")]
LogForm = Annotated[
    LogFormat, typer.Option("--log-format", envvar="ANTINOMY_LOG_FORMAT", help="Log lines for people or as JSON.")
]


def run_stages(
    names: tuple[str, ...],
    config: str,
    run_id: str,
    overrides: list[str] | None,
    as_json: bool,
    verbose: bool,
    log_format: LogFormat,
) -> None:
    """Run stages, all that the settings plan where ``names`` is empty, and print the summary."""
    from antinomy import settings
    from antinomy.run import pipeline, quality
    from antinomy.run.summary import planned_stages, summary_table

    logs.configure(verbose=verbose, form=log_format)
    chosen = settings.load(config, overrides, run_id)
    names = names or planned_stages(chosen)
    logs.configure(chosen.run_id, verbose, log_format)
    try:
        manifest = pipeline.run(chosen, names)
    except KeyboardInterrupt:
        logs.report_failure("stopped; the same command continues where it stopped")
        raise typer.Exit(130) from None
    if as_json:
        print_json(manifest.as_json())
    else:
        print_table(summary_table(manifest))
        if "report" in names:
            typer.echo(f"Report: {chosen.out}/report.html")
    if "judge" in names:
        # What there is was written and can be read; but nobody should take it for a whole result.
        quality.require(chosen, ("judge",))


def print_table(table: RenderableType) -> None:
    """Print a table as wide as the terminal."""
    from rich.console import Console

    Console().print(table)


def print_json(value: Any) -> None:
    """Print a value as one line of JSON."""
    typer.echo(json.dumps(value, ensure_ascii=False))


def print_result(result: Any, as_json: bool, table: Callable[[Any], RenderableType]) -> None:
    """Print a result as JSON, or as the table that is made of it."""
    if as_json:
        print_json(result)
    else:
        print_table(table(result))


def _with_narrowing(overrides: list[str] | None, focus: str, as_of: str) -> list[str]:
    """Turn the options that narrow a run into settings."""
    narrowing = {"link.focus": focus, "as_of": as_of}
    return [
        *(overrides or []),
        *(f"{key}={json.dumps(value, ensure_ascii=False)}" for key, value in narrowing.items() if value),
    ]


def _command(names: tuple[str, ...], summary: str) -> Callable[..., None]:
    """Make the command that runs stages, all that the settings plan where ``names`` is empty."""

    def command(
        config: Config = DEFAULT_CONFIG,
        run_id: RunId = "",
        set_: Overrides = None,
        focus: Focus = "",
        as_of: AsOf = "",
        as_json: AsJson = False,
        verbose: Verbose = False,
        log_format: LogForm = LogFormat.text,
    ) -> None:
        run_stages(names, config, run_id, _with_narrowing(set_, focus, as_of), as_json, verbose, log_format)

    command.__doc__ = summary
    return command


@app.command()
def parse(
    config: Config = DEFAULT_CONFIG,
    run_id: RunId = "",
    set_: Overrides = None,
    as_json: AsJson = False,
    verbose: Verbose = False,
    log_format: LogForm = LogFormat.text,
    report: Annotated[bool, typer.Option("--report", help="Print nodes, coverage and citations per document.")] = False,
) -> None:
    """Documents → sections and citations."""
    if not report:
        run_stages(("parse",), config, run_id, set_, as_json, verbose, log_format)
        return
    from antinomy import settings
    from antinomy.parse.report import parse_report, report_tables
    from antinomy.run import pipeline

    chosen = settings.load(config, set_, run_id)
    logs.configure(chosen.run_id, verbose, log_format)
    pipeline.run(chosen, ("parse",))
    with pipeline.managed_session(chosen) as session:
        print_result(parse_report(session(), chosen), as_json, report_tables)


for _name, _stages, _summary in (
    ("run", (), "Run all stages in one Spark application."),
    ("embed", ("embed",), "Sections and citations → units in context → vectors."),
    ("link", ("link",), "Vectors → candidate pairs."),
    ("report", ("report",), "Verdicts → findings, the HTML report and the exports."),
):
    app.command(_name)(_command(_stages, _summary))


@app.command()
def judge(
    config: Config = DEFAULT_CONFIG,
    run_id: RunId = "",
    set_: Overrides = None,
    focus: Focus = "",
    as_of: AsOf = "",
    as_json: AsJson = False,
    verbose: Verbose = False,
    log_format: LogForm = LogFormat.text,
    estimate: Annotated[
        bool, typer.Option("--estimate", help="Print calls, tokens and cost; ask and spend nothing.")
    ] = False,
) -> None:
    """Candidate pairs → verdicts."""
    overrides = _with_narrowing(set_, focus, as_of)
    if not estimate:
        run_stages(("judge",), config, run_id, overrides, as_json, verbose, log_format)
        return
    from antinomy import settings
    from antinomy.judge.served.preview import preview, preview_table
    from antinomy.run import pipeline
    from antinomy.run.stage import Context

    chosen = settings.load(config, overrides, run_id)
    logs.configure(chosen.run_id, verbose, log_format)
    with pipeline.managed_session(chosen) as session:
        print_result(preview(Context(chosen, session)), as_json, preview_table)


@app.command()
def fetch(config: Config = DEFAULT_CONFIG, set_: Overrides = None, as_json: AsJson = False) -> None:
    """Download the documents that a config lists from their official addresses, and check them."""
    from dataclasses import asdict

    from antinomy import settings
    from antinomy.run.fetch import fetch as fetch_all

    results = fetch_all(settings.load(config, set_))
    if as_json:
        print_json([asdict(result) for result in results])
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
    from antinomy import settings
    from antinomy.cli import doctor as checks

    found = checks.run_checks(settings.load(config) if config else None)
    if as_json:
        print_json({check.name: check.as_dict() for check in found})
    else:
        print_table(checks.table(found))
    if not all(check.ok or not check.required for check in found):
        raise typer.Exit(1)


@app.command()
def check(
    config: Config = DEFAULT_CONFIG,
    run_id: RunId = "",
    set_: Overrides = None,
    stage: Annotated[
        list[str] | None, typer.Option("--stage", help="Stage to check; may be repeated. All but evaluate if none.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Hold what finished stages left in storage to the bounds of `quality` in the settings; needs no Spark."""
    from dataclasses import asdict

    from antinomy import settings
    from antinomy.run import quality

    stages = tuple(stage or quality.CHECKED)
    unknown = sorted(set(stages) - set(quality.CHECKED))
    if unknown:
        raise typer.BadParameter(f"{', '.join(unknown)}: one of {', '.join(quality.CHECKED)}")
    chosen = settings.load(config, set_, run_id)
    logs.configure(chosen.run_id)
    found = quality.require(chosen, stages)
    if as_json:
        print_json([asdict(one) for one in found])
    else:
        for one in found:
            typer.echo(f"{one.stage:<7} {one.name}: {one.value} (wanted {one.bound})")


@app.command()
def setup(
    archive: Annotated[
        bool,
        typer.Option(
            help="Archive Spark's Java classes, some 140 MB: it then starts in two thirds of the time. Of no"
            " use where spark-submit starts it."
        ),
    ] = True,
) -> None:
    """Complete a pip installation: GraphFrames' jar, Java, a model, an archive that speeds up Spark."""
    from antinomy.run import class_archive, environment

    for line in environment.setup():
        typer.echo(line)
    if archive:
        typer.echo(class_archive.create_archive())


def _version(value: bool) -> None:
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


def _with_clear_errors(call: Callable[[], Any]) -> None:
    """Turn what the user can mend into one line on stderr and exit code 2; let defects show their traceback."""
    try:
        call()
    except AntinomyError as error:
        logs.report_failure(str(error))
        sys.exit(2)
    except Exception as error:
        from pyspark.errors import PySparkException

        from antinomy.run import spark_errors

        # Raised in a Spark worker: only the text of its traceback comes back.
        fault = spark_errors.translate(error) if isinstance(error, PySparkException) else None
        if fault is None:
            raise
        logs.report_failure(str(fault))
        sys.exit(2)


def main() -> None:
    """Entry point of the console script."""
    from antinomy.cli.ask import ask, facts
    from antinomy.cli.decide import decide, import_decisions
    from antinomy.cli.evaluate import app as evaluate
    from antinomy.cli.review import calibrate, log_app
    from antinomy.cli.runs import app as runs
    from antinomy.cli.start import demo, files, init, schema
    from antinomy.cli.train import train

    # Whoever ends a process politely (Airflow, Kubernetes) gets what Ctrl-C gets: an orderly end.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    app.add_typer(runs)
    app.add_typer(evaluate, name="evaluate")
    app.add_typer(log_app, name="log")
    for command in (ask, facts, init, demo, files, schema, decide, import_decisions, calibrate, train):
        app.command()(command)
    _with_clear_errors(app)


def job(name: str) -> None:
    """Entry point of ``spark-submit jobs/<name>.py``: the command of that name with the script's arguments."""
    sys.argv = ["antinomy", name, *sys.argv[1:]]
    main()
