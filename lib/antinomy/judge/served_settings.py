"""Settings of the served judge."""

from pydantic import BaseModel, ConfigDict


class OpenAISettings(BaseModel):
    """A server with the OpenAI API."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    base_url: str = "http://127.0.0.1:8000/v1"
