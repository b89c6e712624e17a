"""The evaluate stage: a run against the key of known pairs that its settings name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from antinomy.errors import SettingsError
from antinomy.evaluate import keys
from antinomy.evaluate.against_key import against_key
from antinomy.evaluate.result import EvaluateResult, Headline
from antinomy.run.preflight import require_files
from antinomy.run.stage import Context, Stage
from antinomy.settings import Settings, sides
from antinomy.store import storage
from antinomy.vocabulary import FindingState


def run(ctx: Context) -> EvaluateResult:
    """Measure the run against its key.

    Raises:
        SettingsError: if the settings name no key.
    """
    if not ctx.settings.evaluate.key:
        raise SettingsError(
            "evaluate.key is not set: name a JSON-lines file of known pairs (left, right, relation, kind)"
        )
    listed = ctx.arrow("findings", ("left_id", "right_id", "relation", "kind", "state")).to_pylist()
    similar = ctx.arrow("similar", ("left_id", "right_id", "rank_left", "rank_right", "score")).to_pylist()
    result = measure(ctx.settings, [row for row in listed if row["state"] != FindingState.RESOLVED], similar)
    headline = Headline.model_validate(result | {"candidate_recall": result["candidates"]["recall"]})
    return EvaluateResult(headline=headline, result=result)


def measure(
    settings: Settings, findings: Iterable[Mapping[str, Any]], similar: Iterable[Mapping[str, Any]]
) -> dict[str, Any]:
    """Measure findings and candidates against the settings' key."""
    return against_key(findings, similar, keys.read(settings.evaluate.key))


def _inputs(settings: Settings) -> str:
    key = settings.evaluate.key
    return storage.sha256(key) if key else ""


def _check(settings: Settings) -> None:
    sides.check(settings)
    require_files({"evaluate.key": settings.evaluate.key})


STAGE = Stage(
    "evaluate", settings_used=lambda settings: {}, upstream=("report",), run=run, inputs=_inputs, check=_check
)
