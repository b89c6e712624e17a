"""Settings of training."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field

from antinomy.embed.encoder import PACKAGED

#: Settings that hold paths, see ``settings_file.read``.
PATHS = ("data", "out", "cross_encoder.also", "cross_encoder.model?")


class CrossEncoderSettings(BaseModel):
    """How a cross-encoder is fine-tuned, whose reading of a pair the judge ``default`` then sees too.

    Attributes:
        model: ``packaged`` (all-MiniLM-L6-v2), a hub model or a folder.
        also: files of general inference pairs (contradiction as conflict, entailment as overlap, neutral as none) that
            it learns from besides; nothing else is fitted or measured on them.
        epochs: at most; training stops when an epoch does not lower the loss on sets held back.
        learning_rate: at its highest.
        batch_size: pairs per step.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    model: str = Field(default=PACKAGED, min_length=1)
    also: tuple[str, ...] = ()
    epochs: int = Field(default=6, ge=1)
    learning_rate: float = Field(default=8e-5, gt=0)
    batch_size: int = Field(default=32, ge=1)


class NetworkSettings(BaseModel):
    """How the decision on the relation is fitted: a network with one hidden layer.

    Attributes:
        hidden: units of that layer.
        penalty: on the squares of its weights.
        passes: over the pairs.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    hidden: int = Field(default=48, ge=1)
    penalty: float = Field(default=3.0, ge=0)
    passes: int = Field(default=20, ge=1)


class TrainSettings(BaseModel):
    """What the small judge is trained on, and where it is written.

    Attributes:
        data: labelled files (JSON lines as for ``evaluate pairs``, with an optional ``set``): paths or URIs; a
            reviewer's decisions or a served judge's verdicts go here as further files. Empty for the packaged files.
        dealt: names of files whose sets are dealt out over the folds; every other file stands in one fold as a whole,
            so that its topic is new to the model that is measured on it.
        folds: models that are fitted to measure, each without its fold.
        network: of the decision on the relation.
        transferred, strangers, padded: pairs made from the written ones that are added at most, see ``pairs``. Without
            strangers a fifth of the pairs on other matters of one topic is called a conflict; with 200, a twelfth.
            Without padded ones a clause is seldom recognised among others.
        cross_encoder: how one is fine-tuned; None for none.
        out: folder for the weights, the card and the judged pairs.
        seed: of what is drawn.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    data: tuple[str, ...] = ()
    dealt: tuple[str, ...] = ("conflicts_dev.jsonl",)
    folds: int = Field(default=4, ge=2, le=20)
    network: NetworkSettings = NetworkSettings()
    transferred: int = Field(default=0, ge=0)
    strangers: int = Field(default=300, ge=0)
    padded: int = Field(default=600, ge=0)
    cross_encoder: CrossEncoderSettings | None = None
    out: str = Field(default="out/train", min_length=1)
    seed: int = 1
