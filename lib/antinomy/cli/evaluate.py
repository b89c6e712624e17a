"""``antinomy evaluate``: a run against its key, and labelled files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from antinomy.cli.app import (
    DEFAULT_CONFIG,
    AsJson,
    Config,
    LogForm,
    Overrides,
    RunId,
    Verbose,
    print_result,
    run_stages,
)
from antinomy.errors import SettingsError
from antinomy.run.logs import LogFormat

if TYPE_CHECKING:
    from antinomy.settings import Settings
    from antinomy.settings.judge import JudgeSettings

app = typer.Typer(help="Measure: a run against its key, labelled pairs, retrieval.", add_completion=False)

OptionalConfig = Annotated[
    str, typer.Option("--config", "-c", help="Settings file (YAML); not needed where the files to measure are given.")
]
JudgeName = Annotated[
    str, typer.Option("--judge", "-j", help="default, nli or openai; what the settings name if not given.")
]
Plot = Annotated[str, typer.Option("--plot", help="Write a plot (PNG, SVG or PDF) to this path.")]


def _show(result: dict[str, Any], as_json: bool, plot: str = "") -> None:
    from antinomy.evaluate import display

    if plot:
        display.save_picture(result, plot)
    print_result(result, as_json, display.table)


@app.callback(invoke_without_command=True)
def run(
    ctx: typer.Context,
    config: Config = DEFAULT_CONFIG,
    run_id: RunId = "",
    set_: Overrides = None,
    as_json: AsJson = False,
    verbose: Verbose = False,
    log_format: LogForm = LogFormat.text,
) -> None:
    """Measure a run against the key that its settings name; or one of the commands below."""
    if ctx.invoked_subcommand is None:
        run_stages(("evaluate",), config, run_id, set_, as_json, verbose, log_format)


@app.command()
def pairs(
    input_: Annotated[str, typer.Option("--input", "-i", help="JSON lines {left, right, relation, kind?, governs?}.")],
    judge: JudgeName = "",
    config: OptionalConfig = "",
    set_: Overrides = None,
    output: Annotated[str, typer.Option("--output", "-o", help="Write the judged pairs here, for `compare`.")] = "",
    swap: Annotated[bool, typer.Option("--swap", help="Judge also with the sides exchanged.")] = False,
    runs: Annotated[int, typer.Option("--runs", min=1, help="Number of times to judge, for the flip rate.")] = 1,
    limit: Annotated[int, typer.Option("--limit", min=0, help="Number of pairs, the first ones; 0 for all.")] = 0,
    as_json: AsJson = False,
    plot: Plot = "",
) -> None:
    """Judge labelled pairs and measure the verdicts for the relation `conflict`."""
    from antinomy import settings
    from antinomy.evaluate.pairs import pairs as measure
    from antinomy.judge.stage import build_judge

    chosen = _judge_settings(settings.load(config, set_) if config else None, set_, judge)
    _show(measure(input_, build_judge(chosen), output, swap, runs, limit), as_json, plot)


@app.command()
def behaviour(
    config: OptionalConfig = "",
    input_: Annotated[
        str,
        typer.Option("--input", "-i", help="Ready cases instead: JSON lines {id, left, right, relation, governs?}."),
    ] = "",
    judge: JudgeName = "",
    set_: Overrides = None,
    each: Annotated[int, typer.Option("--each", min=0, help="Number of cases of each behaviour; 0 for all.")] = 40,
    seed: Annotated[int, typer.Option("--seed", help="Of the choice of provisions.")] = 0,
    output: Annotated[str, typer.Option("--output", "-o", help="Write the judged cases here (JSON lines).")] = "",
    as_json: AsJson = False,
) -> None:
    """Try a judge on changes to your own provisions after which the right verdict is certain."""
    from antinomy import settings
    from antinomy.evaluate import display
    from antinomy.evaluate.behaviour import behaviour as measure
    from antinomy.judge.stage import build_judge

    config = config or ("" if input_ else DEFAULT_CONFIG)
    loaded = settings.load(config, set_) if config else None
    chosen = build_judge(_judge_settings(loaded, set_, judge))
    print_result(measure(chosen, loaded, input_, each, seed, output), as_json, display.behaviours)


def _judge_settings(loaded: Settings | None, overrides: list[str] | None, backend: str = "") -> JudgeSettings:
    """Return the judge's settings: of the settings file, without one those of ``--set judge.…``; ``--judge`` wins."""
    from antinomy import settings
    from antinomy.settings.judge import JudgeSettings

    chosen = loaded.judge if loaded else _judge_overrides(overrides)
    return (
        settings.validate(JudgeSettings, {**chosen.model_dump(), "backend": backend}, "--judge") if backend else chosen
    )


def _judge_overrides(overrides: list[str] | None) -> JudgeSettings:
    """Read ``--set judge.…`` without a settings file."""
    from antinomy import settings
    from antinomy.settings import file as settings_file
    from antinomy.settings.judge import JudgeSettings

    raw: dict[str, Any] = {}
    for override in overrides or []:
        settings_file.apply_override(raw, override)
    others = sorted(raw.keys() - {"judge"})
    if others:
        raise SettingsError(f"--set {others[0]}: without --config only judge.… can be set here")
    return settings.validate(JudgeSettings, raw.get("judge", {}), "--set judge")


@app.command(context_settings={"allow_extra_args": True})
def retrieval(
    ctx: typer.Context,
    left: Annotated[str, typer.Option("--left", help="JSON lines {id, text, context?}.")],
    right: Annotated[str, typer.Option("--right", help="JSON lines {id, text, context?}.")],
    gold: Annotated[str, typer.Option("--gold", help="JSON lines {left_id, right_id}.")],
    k: Annotated[list[int] | None, typer.Option("-k", help="Ranks to measure at: -k 1 5 10.")] = None,
    channels: Annotated[
        list[str] | None, typer.Option("--channels", help="As link.channels: own clauses context lexical mpnet.")
    ] = None,
    model: Annotated[str, typer.Option("--model", help="Embedding model, as embed.model.")] = "",
    as_json: AsJson = False,
    plot: Plot = "",
) -> None:
    """Measure what the link stage finds against a crosswalk by experts."""
    from antinomy import settings
    from antinomy.evaluate.retrieval import KS
    from antinomy.evaluate.retrieval import retrieval as measure
    from antinomy.settings.link import LinkSettings

    # Click gives an option one value; the further ones of `-k 1 5 10` or `--channels a b` arrive as extra words.
    ranks = [*(k or []), *(int(word) for word in ctx.args if word.isdecimal())]
    words = ",".join([*(channels or []), *(word for word in ctx.args if not word.isdecimal())])
    link = settings.validate(LinkSettings, {"channels": words.split(",")} if words else {}, "--channels")
    embed = settings.validate(settings.EmbedSettings, {"model": model} if model else {}, "--model")
    _show(measure(left, right, gold, ranks or KS, link, embed), as_json, plot)


@app.command()
def coverage(
    left: Annotated[str, typer.Option("--left", help="JSON lines {id, text, context?}.")] = "",
    right: Annotated[str, typer.Option("--right", help="JSON lines {id, text, context?}.")] = "",
    gold: Annotated[str, typer.Option("--gold", help="JSON lines {left_id, right_id}.")] = "",
    config: OptionalConfig = "",
    run_id: RunId = "",
    set_: Overrides = None,
    make_gaps: Annotated[
        bool,
        typer.Option("--make-gaps", help="Leave right texts out until half of the left ones have no counterpart."),
    ] = False,
    seed: Annotated[int, typer.Option("--seed", help="Of the right texts that are left out.")] = 0,
    as_json: AsJson = False,
) -> None:
    """Measure gaps and counterparts against a crosswalk by experts, or a run's against the key in its settings."""
    from antinomy import settings
    from antinomy.evaluate import coverage as measure
    from antinomy.judge.stage import build_judge
    from antinomy.settings.link import LinkSettings

    files = (left, right, gold)
    if not any(files):
        _show(measure.run(settings.load(config or DEFAULT_CONFIG, set_, run_id)), as_json)
        return
    if not all(files):
        raise SettingsError("evaluate coverage: give --left, --right and --gold together, or none of them for a run")
    loaded = settings.load(config, set_, run_id) if config else None
    chosen = _judge_settings(loaded, set_)
    link = loaded.link if loaded else settings.with_default_budget(LinkSettings(), chosen)
    embed = loaded.embed if loaded else settings.EmbedSettings()
    judge = build_judge(chosen)
    _show(measure.crosswalk(left, right, gold, judge, link, embed, seed if make_gaps else None), as_json)


@app.command()
def reviewed(
    config: Config = DEFAULT_CONFIG,
    run_id: RunId = "",
    set_: Overrides = None,
    as_json: AsJson = False,
    plot: Plot = "",
) -> None:
    """Measure a run's findings by what reviewers decided: precision, agreement, thresholds, calibration."""
    from antinomy import settings
    from antinomy.evaluate.reviewed import reviewed as measure

    chosen = settings.load(config, set_, run_id)
    _show(measure(chosen.warehouse, chosen.run_id), as_json, plot)


@app.command()
def answers(
    config: Config = DEFAULT_CONFIG,
    run_id: RunId = "",
    set_: Overrides = None,
    questions: Annotated[
        str, typer.Option("--questions", "-q", help="JSON lines with a key; those of the bundled samples if not given.")
    ] = "",
    output: Annotated[str, typer.Option("--output", "-o", help="Write every question with what was right here.")] = "",
    ragas: Annotated[
        bool, typer.Option("--ragas", help="Let the configured server answer and judge: faithfulness and its kin.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Hold answers to questions with a key against it, per way of searching; needs no server without --ragas."""
    from antinomy import samples, settings
    from antinomy.evaluate import display
    from antinomy.evaluate.answers import answers as measure
    from antinomy.evaluate.answers import measure_served

    if ragas:
        _show(measure_served(settings.load(config, set_, run_id), questions or str(samples.QUESTIONS)), as_json)
        return
    result = measure(settings.load(config, set_, run_id), questions or str(samples.QUESTIONS), output)
    print_result(result, as_json, display.answers)


@app.command()
def compare(
    first: Annotated[str, typer.Argument(help="Judged pairs, written by `pairs --output`.")],
    second: Annotated[str, typer.Argument(help="The same pairs by another judge.")],
    as_json: AsJson = False,
) -> None:
    """Compare two judges on the same pairs: McNemar's test and bootstrap differences."""
    from antinomy.evaluate.compare import compare as measure

    _show(measure(first, second), as_json)
