"""``antinomy train``: the weights of the small judge from labelled pairs."""

from __future__ import annotations

import json

import typer
from rich.console import Console
from rich.markdown import Markdown

from antinomy import logs
from antinomy import settings as settings_module
from antinomy.cli import AsJson, Config, Overrides, Verbose
from antinomy.train.settings import TrainSettings


def train(config: Config, set_: Overrides = None, as_json: AsJson = False, verbose: Verbose = False) -> None:
    """Labelled pairs → weights of the judge `default`, a model card, and the figures out of fold."""
    from antinomy.train.run import run

    logs.configure(verbose=verbose)
    settings = settings_module.validate(TrainSettings, settings_module.read(config, set_), config)
    result = run(settings)
    if as_json:
        typer.echo(json.dumps({"figures": result["figures"], "seconds": result["seconds"]}, ensure_ascii=False))
        return
    Console().print(Markdown(result["card"]))
    Console().print(f"{result['seconds']} s; weights and card: {settings.out}", soft_wrap=True)
