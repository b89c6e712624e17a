"""``antinomy train``: the weights of the judge ``default`` from labelled pairs."""

from __future__ import annotations

from antinomy.cli.app import AsJson, Config, Overrides, Verbose, print_json
from antinomy.run import logs


def train(config: Config, set_: Overrides = None, as_json: AsJson = False, verbose: Verbose = False) -> None:
    """Labelled pairs → weights of the judge `default`, a model card, and the figures out of fold."""
    from rich.console import Console
    from rich.markdown import Markdown

    from antinomy import settings
    from antinomy.settings import file as settings_file
    from antinomy.settings.train import PATHS, TrainSettings
    from antinomy.train.run import run

    logs.configure(verbose=verbose)
    chosen = settings.validate(TrainSettings, settings_file.read_with_overrides(config, set_, PATHS), config)
    result = run(chosen)
    if as_json:
        print_json({"figures": result["figures"], "seconds": result["seconds"]})
        return
    Console().print(Markdown(result["card"]))
    Console().print(f"{result['seconds']} s; weights and card: {chosen.out}", soft_wrap=True)
