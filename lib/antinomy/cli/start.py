"""The commands of the first ten minutes: ``antinomy init``, ``demo``, ``files`` and ``schema``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from antinomy.cli.app import AsJson, LogForm, Overrides, Verbose, run_stages
from antinomy.errors import EnvironmentFault, SettingsError
from antinomy.run.logs import LogFormat


def init(
    files: Annotated[list[Path], typer.Argument(help="The regulations: PDF, Word, HTML, XML, Markdown or text.")],
    output: Annotated[Path, typer.Option("--output", "-o", help="Where to write the settings.")] = Path(
        "antinomy.yaml"
    ),
    force: Annotated[bool, typer.Option("--force", help="Replace a settings file that is there.")] = False,
) -> None:
    """Look at some regulations and write a settings file for them (exit code 1 if one cannot be read)."""
    from antinomy.cli.draft import draft_settings, inspect_documents
    from antinomy.store import storage

    if output.exists() and not force:
        raise SettingsError(f"{output} is there already: give another name by --output, or --force to replace it")
    seen = inspect_documents(files)
    drafted = draft_settings(seen, output)
    readable = [one for one in seen if one.tree]
    # A document is compared with itself only where it was named alone.
    lonely = len(readable) == 1 < len(seen)
    if not lonely:
        storage.write_bytes(str(output.absolute()), drafted.encode())
    for one in seen:
        if one.tree:
            dated = f", in force from {one.tree.in_force_from}" if one.tree.in_force_from else ""
            sections = f"{len(one.tree.sections):,} sections{dated}"
            typer.echo(f"{one.path}: {one.regime}, {sections}: {one.title or one.doc_id}")
        else:
            typer.echo(f"{one.path}: left out: {one.reason}", err=True)
    if lonely:
        typer.echo(
            f"Nothing is written: a second document is missing, only {readable[0].path} can be read. Mend or replace "
            "what is left out and run `antinomy init` again; name one document alone to compare it with itself.",
            err=True,
        )
    else:
        typer.echo(f"Written: {output}. Next: antinomy run --config {output}")
    if len(readable) < len(seen):
        raise typer.Exit(1)


def demo(
    out: Annotated[Path, typer.Option("--out", help="Where the report and the tables go.")] = Path("out/demo"),
    set_: Overrides = None,
    as_json: AsJson = False,
    verbose: Verbose = False,
    log_format: LogForm = LogFormat.text,
) -> None:
    """Run everything on two made-up regulations that come with the package; ends with a report to open."""
    import yaml

    from antinomy import bundled, samples
    from antinomy.store import storage

    _complete_installation()
    place = out.absolute()
    settings = yaml.safe_load((bundled.FOLDER / "conf" / "demo.yaml").read_text())
    settings |= {"data_root": str(samples.FOLDER), "warehouse": str(place / "warehouse"), "out": str(place)}
    settings["evaluate"] = {"key": str(samples.KEY)}
    written = yaml.safe_dump(settings, sort_keys=False, allow_unicode=True)
    # Left for the commands that come after: each wants a config.
    storage.write_bytes(str(place / "antinomy.yaml"), f"# What `antinomy demo` runs.\n{written}".encode())
    config = str(out / "antinomy.yaml")
    run_stages((), config, "", set_, as_json, verbose, log_format)
    if not as_json:
        typer.echo(f"Say what you think of a finding: antinomy decide 1 confirm --config {config}")
        typer.echo("With your own documents: antinomy init FILE FILE")


def _complete_installation() -> None:
    """Do what pip cannot, and name all that is missing at once.

    Raises:
        EnvironmentFault: if something is missing.
    """
    from antinomy.cli import doctor
    from antinomy.run import base_model, environment

    if environment.installed_jar() is None or not base_model.installed():
        for line in environment.setup():
            typer.echo(line, err=True)
    missing = [check for check in doctor.requirements(None) if not check.ok]
    if missing:
        raise EnvironmentFault(
            "; ".join(f"{check.name}: {check.found}, {check.remedy}" for check in missing)
            + "; or all at once by pip, `antinomy[cpu]` instead of `antinomy`"
        )


def files(
    folder: Annotated[Path, typer.Argument(help="Where to put conf/, jobs/ and notebooks/.")] = Path(),
) -> None:
    """Copy the example configs, the job files for spark-submit and the notebooks out of the package."""
    from antinomy import bundled

    for place in bundled.copy_to(folder):
        typer.echo(str(place))


def schema() -> None:
    """Print the JSON schema of a settings file, for editors that complete and check YAML."""
    from antinomy.settings import Settings
    from antinomy.settings.schema import schema as of_model

    typer.echo(json.dumps(of_model(Settings), indent=2, ensure_ascii=False))
