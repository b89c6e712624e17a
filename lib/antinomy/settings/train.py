"""Settings of training."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field

#: Settings that hold paths, see ``settings_file.read``.
PATHS = ("data", "out")


class NetworkSettings(BaseModel):
    """How the decision on the relation is fitted: a network with one hidden layer.

    Attributes:
        hidden: units of that layer.
        penalty: on the squares of its weights.
        passes: over the pairs.
        averaged: networks that are fitted from other first weights and averaged.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    hidden: int = Field(default=48, ge=1)
    penalty: float = Field(default=1.0, ge=0)
    passes: int = Field(default=20, ge=1)
    averaged: int = Field(default=4, ge=1)


class TrainSettings(BaseModel):
    """What the small judge is trained on, and where it is written.

    Attributes:
        data: labelled files (JSON lines as for ``evaluate pairs``, with an optional ``set``): paths or URIs; a
            reviewer's decisions or a served judge's verdicts go here as further files. Empty for the packaged files.
        dealt: names of files whose sets are dealt out over the folds; every other file stands in one fold as a whole,
            so that its topic is new to the model that is measured on it.
        folds: models that are fitted to measure, each without its fold.
        network: of the decision on the relation.
        transferred, strangers, unrelated, padded, embedded: pairs made from the written ones that are added at most,
            see ``pairs``: candidates are mostly unrelated, and their provisions mostly say more than what matters.
        out: folder for the weights, the card and the judged pairs.
        seed: of what is drawn.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    data: tuple[str, ...] = ()
    dealt: tuple[str, ...] = ("conflicts_dev.jsonl",)
    folds: int = Field(default=4, ge=2, le=20)
    network: NetworkSettings = NetworkSettings()
    transferred: int = Field(default=700, ge=0)
    strangers: int = Field(default=1500, ge=0)
    unrelated: int = Field(default=1200, ge=0)
    padded: int = Field(default=1000, ge=0)
    embedded: int = Field(default=800, ge=0)
    out: str = Field(default="out/train", min_length=1)
    seed: int = 1
