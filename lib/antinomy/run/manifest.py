"""The manifest of a run: what its completed stages did, as one value that the page, the terminal and metrics read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any, TypeVar

from antinomy.run import fingerprints
from antinomy.run.marker import Marker
from antinomy.run.results import Figures, Spent, StageResult

R = TypeVar("R", bound=StageResult)


@dataclass(frozen=True)
class Metrics:
    """What a stage cost and made, in one shape for all of them.

    Attributes:
        seconds: that it took.
        rows: table → rows.
        calls: to a judge's server.
        tokens: input, cached, output.
        errors: reason → rows that ended in an error, or documents that could not be read.
    """

    seconds: float
    rows: dict[str, int]
    calls: int
    tokens: dict[str, int]
    errors: dict[str, int]


@dataclass(frozen=True)
class CompletedStage:
    """A completed stage."""

    seconds: float
    result: StageResult
    partial: str

    @property
    def metrics(self) -> Metrics:
        """What it cost and made."""
        spent: Spent = self.result.spent()
        tokens = {"input": spent.input, "cached": spent.cached, "output": spent.output}
        return Metrics(self.seconds, self.result.rows(), spent.calls, tokens, self.result.failed())

    def as_json(self) -> dict[str, Any]:
        """Return it as ``manifest.json`` has it."""
        return {
            "seconds": self.seconds,
            "counts": self.result.as_json(),
            "partial": self.partial,
            "metrics": asdict(self.metrics),
        }


@dataclass(frozen=True, kw_only=True)
class Manifest(Figures):
    """What the completed stages of a run did, and the run's figures.

    Attributes:
        started_at, finished_at: of the first and the last stage (ISO, UTC); None if none has completed.
        code_version: with which it was gathered.
        stages: name → stage, in their order.
        seconds: that all of them took.
    """

    run_id: str
    started_at: str | None = None
    finished_at: str | None = None
    code_version: str = ""
    stages: Mapping[str, CompletedStage] = field(default_factory=dict)
    seconds: float = 0.0

    def result(self, kind: type[R]) -> R | None:
        """Return what the stage with results of this type did, None if it has not completed."""
        found = (stage.result for stage in self.stages.values())
        return next((result for result in found if isinstance(result, kind)), None)

    def left_out(self) -> dict[str, str]:
        """Return doc_id → why nothing of a document that was read is compared."""
        return {name: why for stage in self.stages.values() for name, why in stage.result.left_out().items()}

    def as_json(self) -> dict[str, Any]:
        """Return it as ``manifest.json`` has it, without the settings."""
        return {
            "run_id": self.run_id,
            "started_at": self.started_at,
            "finished_at": self.finished_at,
            "code_version": self.code_version,
            "stages": {name: stage.as_json() for name, stage in self.stages.items()},
            **{held.name: getattr(self, held.name) for held in fields(Figures)},
            "seconds": self.seconds,
        }


def build_manifest(run_id: str, markers: Mapping[str, Marker]) -> Manifest:
    """Gather the results of a run's completed stages.

    Args:
        run_id: of the run.
        markers: of its stages, see ``stage.read_markers``.
    """
    figures = {"quarantined": 0}
    for marker in markers.values():
        figures |= marker.result.figures().known()
    return Manifest(
        run_id=run_id,
        started_at=min((marker.started_at for marker in markers.values()), default=None),
        finished_at=max((marker.finished_at for marker in markers.values()), default=None),
        code_version=fingerprints.version(),
        stages={name: CompletedStage(made.seconds, made.result, made.partial) for name, made in markers.items()},
        seconds=round(sum(marker.seconds for marker in markers.values()), 3),
        **figures,
    )
