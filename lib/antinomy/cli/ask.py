"""``antinomy ask`` and ``antinomy facts``."""

from __future__ import annotations

import json
import re
from typing import Annotated

import typer

from antinomy.cli.app import DEFAULT_CONFIG, AsJson, Config, LogForm, Overrides, RunId, Verbose, print_table, run_stages
from antinomy.errors import SettingsError
from antinomy.run.logs import LogFormat

AsOf = Annotated[str, typer.Option("--as-of", help="Only documents in force on this day, YYYY-MM-DD.")]


def ask(
    question: Annotated[str, typer.Argument(help="A question in words.")] = "",
    config: Config = DEFAULT_CONFIG,
    run_id: RunId = "",
    set_: Overrides = None,
    questions: Annotated[
        str, typer.Option("--questions", help="JSON lines (id, question): all are answered by Spark, table `answers`.")
    ] = "",
    as_of: AsOf = "",
    as_json: AsJson = False,
    verbose: Verbose = False,
    log_format: LogForm = LogFormat.text,
) -> None:
    """Answer a question about a finished run, with the sections that show it; or a file of questions."""
    if bool(question.strip()) == bool(questions):
        raise SettingsError("ask: give a question in quotes, or a file of them by --questions")
    if as_of and not re.fullmatch(r"\d{4}-\d{2}-\d{2}", as_of):
        raise SettingsError(f"--as-of {as_of}: write the day as YYYY-MM-DD")
    overrides = [*(set_ or []), *([f"as_of={json.dumps(as_of)}"] if as_of else [])]
    if questions:
        named = [*overrides, f"ask.questions={json.dumps(questions, ensure_ascii=False)}"]
        run_stages(("ask",), config, run_id, named, as_json, verbose, log_format)
        return
    from antinomy import settings
    from antinomy.ask.display import render
    from antinomy.ask.load import open_asker
    from antinomy.run import logs

    chosen = settings.load(config, overrides, run_id)
    logs.configure(chosen.run_id, verbose, log_format)
    with open_asker(chosen, once=True) as asker:
        answer = asker.ask(question)
    if as_json:
        typer.echo(answer.model_dump_json())
    else:
        print_table(render(answer))


def facts(
    config: Config = DEFAULT_CONFIG,
    run_id: RunId = "",
    set_: Overrides = None,
    as_json: AsJson = False,
    verbose: Verbose = False,
    log_format: LogForm = LogFormat.text,
) -> None:
    """Units → facts: who must do what, when and by when, each with the words that say so."""
    run_stages(("facts",), config, run_id, set_, as_json, verbose, log_format)
