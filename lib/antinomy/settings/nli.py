"""Settings of the judge ``nli``."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, Field


class NliSettings(BaseModel, frozen=True, extra="forbid"):
    """Which model is asked, and how.

    Attributes:
        model: a sequence-classification model with the labels contradiction, entailment and neutral: a folder that
            every worker sees, or a name of the model hub.
        revision: of the hub's model: a commit or tag; "" for the newest.
        device: ``auto`` takes the task's GPU if Spark assigns one, else the first, else the CPU.
        max_tokens: of two clauses together; what is longer is cut.
        batch_size: clause pairs read at a time.
        near: clauses with a lower cosine than this are not read.
    """

    model: str = Field(default="cross-encoder/nli-deberta-v3-base", min_length=1)
    revision: str = ""
    device: Literal["auto", "cpu", "cuda"] = "auto"
    max_tokens: int = Field(default=256, ge=16)
    batch_size: int = Field(default=32, ge=1)
    near: float = Field(default=0.3, ge=-1, le=1)
