"""Settings of the link stage."""

from pydantic import BaseModel, ConfigDict


class LinkSettings(BaseModel):
    """Which pairs become candidates."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    k: int = 10
