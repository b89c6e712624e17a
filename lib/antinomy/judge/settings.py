"""Settings of the judge stage."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from antinomy.judge.served_settings import OpenAISettings


class JudgeSettings(BaseModel):
    """Who judges, and how verdicts are written.

    ``chunk_pairs`` verdicts are written at a time, fewer where they come slowly. What a killed worker loses of them is
    judged again, but without paying: answers of a server are written down one by one.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    backend: Literal["norms", "local", "default", "openai"] = "default"
    openai: OpenAISettings = OpenAISettings()
    chunk_pairs: int = Field(default=64, ge=1)
