"""Settings of the judge stage."""

from typing import Literal

from pydantic import BaseModel, Field

from antinomy.settings.nli import NliSettings
from antinomy.settings.served import OpenAISettings


class JudgeSettings(BaseModel, frozen=True, extra="forbid"):
    """The judge, and what it is given beside the pairs.

    ``backend`` names the judge: ``default``, which needs no server, ``nli`` or ``openai``.

    ``prior`` is for ``default``: the share of the candidate pairs that you expect to be conflicts. If it is not set,
    the shares of all relations are estimated from the candidates. Two provisions in nearly the same words are judged by
    their differences, whatever the shares.

    ``nli`` is for the judge of that name: the model that it asks.

    ``weights`` is for ``default``: a folder or URI as ``antinomy train`` writes it; "" for the packaged weights.
    """

    backend: Literal["default", "nli", "openai"] = "default"
    nli: NliSettings = NliSettings()
    openai: OpenAISettings = OpenAISettings()
    prior: float | None = Field(default=None, gt=0, lt=1)
    weights: str = ""
