"""The completion marker of a stage: its inputs, its outputs and its result."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, SerializeAsAny

from antinomy.run import results

#: Tells a result of a stage from others: its fingerprint, and its start, since a repetition may make other tables.
Identity = tuple[str, str]


class Marker(BaseModel, frozen=True):
    """A completed stage of a run.

    Attributes:
        stage, run_id: that it belongs to.
        settings: that the result depends on.
        fingerprint: of settings, code and inputs.
        code_version: of all of the package, comments included.
        started_at, finished_at: ISO, UTC.
        seconds: duration.
        result: what the stage did; ``counts`` in the file.
        tables: that it wrote.
        files: that it wrote, below ``out``.
        partial: why the same command should continue it, "" if it is complete.
        upstream: stage → which result of it this one was made from.
        skipped: the stage was complete already, and nothing was done; not in the file.
    """

    stage: str = ""
    run_id: str = ""
    settings: dict[str, Any]
    fingerprint: str
    code_version: str = ""
    started_at: str
    finished_at: str
    seconds: float
    result: SerializeAsAny[results.StageResult]
    tables: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    partial: str
    upstream: dict[str, Identity] = {}
    skipped: bool = False

    @property
    def identity(self) -> Identity:
        """Which result this is."""
        return self.fingerprint, self.started_at

    def as_json(self) -> dict[str, Any]:
        """Return it as the file has it."""
        raw = self.model_dump(mode="json", exclude={"result", "skipped"})
        return raw | {"counts": self.result.as_json()}


def read(stage: str, raw: object) -> Marker:
    """Read the marker of a stage.

    Args:
        stage: its name.
        raw: the file's content.

    Raises:
        ValueError: if it is not a completion marker.
    """
    if not isinstance(raw, dict) or not isinstance(raw.get("counts"), dict):
        raise ValueError("it is not a completion marker")
    return Marker.model_validate({**raw, "result": results.load(stage, raw["counts"])})
