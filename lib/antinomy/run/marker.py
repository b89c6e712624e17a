"""The completion marker of a stage: what it was made from, what it left, and what it says of itself."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, SerializeAsAny

from antinomy.run import results


class Marker(BaseModel, frozen=True):
    """A completed stage of a run.

    Attributes:
        stage, run_id: whose it is.
        settings: that decided the result.
        fingerprint: of settings, code and inputs.
        code_version: of all of the package, comments included.
        started_at, finished_at: ISO, UTC.
        seconds: that it took.
        result: what it says that it did; ``counts`` in the file.
        tables: that it has written.
        files: that it has written, below ``out``.
        partial: why the same command should go on with it, "" if all is done.
        skipped: nothing was done now, the result was there; not in the file.
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
    skipped: bool = False

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
