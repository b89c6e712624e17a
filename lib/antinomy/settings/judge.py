"""Settings of the judge stage."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from antinomy.settings.nli import NliSettings
from antinomy.settings.served import OpenAISettings


class JudgeSettings(BaseModel):
    """Who judges, and how verdicts are written.

    ``chunk_pairs`` verdicts are written at a time, fewer where they come slowly. What a killed worker loses of them is
    judged again, but without paying: answers of a server are written down one by one.

    ``prior`` is for ``default``: the share of the candidate pairs that you expect to be conflicts. None has the shares
    of all relations estimated from the candidates. Two provisions in nearly the same words are judged by what one says
    otherwise, whatever the shares.

    ``nli`` is for the judge of that name: the model that it asks.

    ``weights`` is for ``default``: a folder or URI as ``antinomy train`` writes it; "" for the packaged weights.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    backend: Literal["default", "nli", "openai"] = "default"
    nli: NliSettings = NliSettings()
    openai: OpenAISettings = OpenAISettings()
    prior: float | None = Field(default=None, gt=0, lt=1)
    weights: str = ""
    chunk_pairs: int = Field(default=64, ge=1)
