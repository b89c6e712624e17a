"""``antinomy decide`` and ``antinomy import-decisions``: reviewing without a notebook."""

from __future__ import annotations

import getpass
from typing import Annotated

import typer

from antinomy.cli.app import DEFAULT_CONFIG, AsJson, Config, Overrides, RunId, print_json
from antinomy.vocabulary import Decision

Reviewer = Annotated[str, typer.Option("--reviewer", help="Who decides; the name of the account if not given.")]


def decide(
    finding: Annotated[
        str, typer.Argument(help="Number or id of a finding, or id of a row of the crosswalk or a gap, as shown.")
    ],
    decision: Annotated[Decision, typer.Argument(help="What you say of it.")],
    config: Config = DEFAULT_CONFIG,
    note: Annotated[str, typer.Option("--note", "-n", help="Why.")] = "",
    reviewer: Reviewer = "",
    run_id: RunId = "",
    set_: Overrides = None,
    as_json: AsJson = False,
) -> None:
    """Record what you decide on a finding, a row of the crosswalk or a gap; a later decision overrules it."""
    from antinomy import settings
    from antinomy.findings import decisions
    from antinomy.review.session import find_row

    chosen = settings.load(config, set_, run_id)
    row = find_row(chosen.warehouse, chosen.run_id, finding)
    decision_row = decisions.record(chosen.warehouse, chosen.run_id, row, decision, reviewer or getpass.getuser(), note)
    if as_json:
        print_json(decision_row)
    else:
        what = "finding" if "rank" in row else "provision"
        # A gap has one side.
        ends = (row["left_doc"], row["left_label"]), (row["right_doc"], row["right_label"])
        sides = [f"{doc} {label}" for doc, label in ends if doc]
        by, about = decision_row["reviewer"], f"{what} {decision_row['finding_id']}, {' / '.join(sides)}"
        typer.echo(f"{decisions.WORDS[decision]} by {by}: {about}")
        _say_how_to_see_it(config, run_id)


def import_decisions(
    file: Annotated[str, typer.Argument(help="findings.xlsx with columns `decision` filled in: a path or URI.")],
    config: Config = DEFAULT_CONFIG,
    reviewer: Reviewer = "",
    run_id: RunId = "",
    set_: Overrides = None,
    as_json: AsJson = False,
) -> None:
    """Record the decisions that were filled into a run's findings.xlsx (exit code 1 if some cannot be)."""
    from antinomy import settings
    from antinomy.review import workbook
    from antinomy.store import storage

    chosen = settings.load(config, set_, run_id)
    found = workbook.import_decisions(
        storage.read_bytes(file), file, chosen.warehouse, chosen.run_id, reviewer or getpass.getuser()
    )
    if as_json:
        print_json({"added": found.added, "known": found.known, "refused": found.refused})
    else:
        counts = f"{len(found.added)} recorded, {found.known} known already, {len(found.refused)} refused"
        typer.echo(f"{file}: decisions: {counts}")
        if found.added:
            _say_how_to_see_it(config, run_id)
    for sentence in found.refused:
        typer.echo(f"{file}: {sentence}", err=True)
    if found.refused:
        raise typer.Exit(1)


def _say_how_to_see_it(config: str, run_id: str) -> None:
    typer.echo(f"To see it on the page: antinomy report --config {config}{f' --run-id {run_id}' if run_id else ''}")
