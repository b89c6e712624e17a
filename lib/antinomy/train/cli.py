"""``antinomy train``: the weights of the small judge from labelled pairs."""

from __future__ import annotations

import json
from typing import Any

import typer
import yaml
from rich.console import Console
from rich.markdown import Markdown

from antinomy import logs, storage
from antinomy import settings as settings_module
from antinomy.cli import AsJson, Config, Overrides, Verbose
from antinomy.errors import SettingsError
from antinomy.train.settings import TrainSettings


def train(config: Config, set_: Overrides = None, as_json: AsJson = False, verbose: Verbose = False) -> None:
    """Labelled pairs → weights of the judges `local` and `default`, a model card, and the figures out of fold."""
    from antinomy.train.run import run

    logs.configure(verbose=verbose)
    settings = load(config, set_)
    result = run(settings)
    if as_json:
        typer.echo(json.dumps({"figures": result["figures"], "seconds": result["seconds"]}, ensure_ascii=False))
        return
    Console().print(Markdown(result["card"]))
    Console().print(f"{result['seconds']} s; weights and card: {settings.out}", soft_wrap=True)


def load(config: str, overrides: list[str] | None = None) -> TrainSettings:
    """Read settings of training.

    Raises:
        SettingsError: for an unreadable file or any wrong setting; the message lists all of them.
    """
    try:
        raw: Any = yaml.safe_load(storage.read_bytes(config)) or {}
    except yaml.YAMLError as error:
        raise SettingsError(f"{config} is no YAML: {error}") from error
    if not isinstance(raw, dict):
        raise SettingsError(f"{config}: expected settings as key: value")
    for override in overrides or []:
        settings_module.apply(raw, override)
    return settings_module.validate(TrainSettings, raw, config)
