"""Settings of training."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

#: Settings that hold paths, see ``settings.file.read_with_overrides``.
PATHS = ("data", "out", "cross_encoder.general", "cross_encoder.real", "large_cross_encoder.general")


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


class CrossEncoderSettings(BaseModel):
    """How the cross-encoder is fitted.

    Attributes:
        fit: take the packaged one, fit that further on the files of `data` that it has not read (half an hour on two
            cores for 3,000 pairs), or fit one anew (two hours; minutes on a GPU).
        general: files of general inference pairs that it is fitted on first.
        real: files of labelled pairs of real provisions, which every network reads besides: candidates of regulations
            are longer and alike in other ways than written pairs. No figure of the card rests on them.
        folds: names of labelled files that are left out together, a list for each model that is fitted to measure; the
            files that are in none of them are dealt out.
        later: the same for files that the packaged one was fitted further on.
        passes: over the labelled pairs.
        batch, rate: labelled pairs of provisions that are read at once, and the highest learning rate.
        general_batch, general_rate: the same for general pairs.
        made: pairs made from the written ones that are added at most.
        hard_negatives: pairs of near provisions that are unrelated, added to each pass for each labelled pair.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    fit: Literal["packaged", "further", "anew"] = "packaged"
    general: tuple[str, ...] = ()
    real: tuple[str, ...] = ()
    folds: tuple[tuple[str, ...], ...] = Field(default=((), (), ()), min_length=2)
    later: tuple[tuple[str, ...], ...] = ((), (), ())
    passes: int = Field(default=3, ge=1)
    batch: int = Field(default=32, ge=1)
    rate: float = Field(default=1e-4, gt=0)
    general_batch: int = Field(default=64, ge=1)
    general_rate: float = Field(default=1.5e-4, gt=0)
    made: int = Field(default=1000, ge=0)
    hard_negatives: float = Field(default=0.7, ge=0)


class LargeCrossEncoderSettings(BaseModel):
    """How the adapter of the larger cross-encoder is fitted, which reads the pairs that may be related.

    Attributes:
        fit: take the packaged one, or fit one anew (two hours on two cores with instructions for bfloat16).
        left_out: names of files of `data` that it does not read.
        passes: number of times that it reads pairs; each pass draws them anew.
        general: files of general inference pairs, of which it reads some besides.
        general_pairs: of these, at most in a pass.
        real: files of labelled pairs of real provisions, all of which it reads in each pass.
        pairs: of invented provisions, at most in a pass; drawn from the labelled pairs and those that are made from
            them.
        negatives_of_conflicts: near, unrelated pairs with a text that is in conflict with another.
        negatives: other near, unrelated pairs.
        padded, padded_negatives: labelled pairs, and further ones of the unrelated, of which one side is put into
            another provision.
        rank: of the matrices that are fitted.
        frozen_layers: number of lower layers that are not fitted.
        batch, rate: pairs that are read at once, and the highest learning rate.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    fit: Literal["packaged", "anew"] = "packaged"
    left_out: tuple[str, ...] = ()
    passes: int = Field(default=2, ge=1)
    general: tuple[str, ...] = ()
    general_pairs: int = Field(default=3000, ge=0)
    real: tuple[str, ...] = ()
    pairs: int = Field(default=25_000, ge=1)
    negatives_of_conflicts: int = Field(default=9500, ge=0)
    negatives: int = Field(default=2800, ge=0)
    padded: int = Field(default=1600, ge=0)
    padded_negatives: int = Field(default=1100, ge=0)
    rank: int = Field(default=16, ge=1)
    frozen_layers: int = Field(default=4, ge=0)
    batch: int = Field(default=16, ge=1)
    rate: float = Field(default=5e-4, gt=0)


class TrainSettings(BaseModel):
    """What the small judge is trained on, and where it is written.

    Attributes:
        data: labelled files (JSON lines as for ``evaluate pairs``, with an optional ``set``): paths or URIs; a
            reviewer's decisions or a served judge's verdicts go here as further files. Empty for the packaged files.
        dealt: names of files whose sets are dealt out over the folds; every other file stands in one fold as a whole,
            so that its topic is new to the model that is measured on it.
        held_back: names of files that the networks which decide are not fitted on, only measured on. With pairs of one
            duty in other words they find relations where candidates have none (docs/evaluation.md).
        folds: models that are fitted to measure, each without its fold.
        network: that decides on the relation.
        cross_encoder: how the cross-encoder is fitted, which reads both provisions together.
        large_cross_encoder: how the larger cross-encoder is fitted.
        transferred, hard_negatives, unrelated, padded, embedded: pairs of this kind (``train.pairs``) that are made
            from the written ones and added at most: candidates are mostly unrelated, and most provisions say more than
            what matters.
        out: folder for the weights, the card and the judged pairs.
        seed: of the random numbers.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    data: tuple[str, ...] = ()
    dealt: tuple[str, ...] = ("conflicts_dev.jsonl",)
    held_back: tuple[str, ...] = ()
    folds: int = Field(default=4, ge=2, le=20)
    network: NetworkSettings = NetworkSettings()
    cross_encoder: CrossEncoderSettings = CrossEncoderSettings()
    large_cross_encoder: LargeCrossEncoderSettings = LargeCrossEncoderSettings()
    transferred: int = Field(default=700, ge=0)
    hard_negatives: int = Field(default=1500, ge=0)
    unrelated: int = Field(default=1200, ge=0)
    padded: int = Field(default=1000, ge=0)
    embedded: int = Field(default=800, ge=0)
    out: str = Field(default="out/train", min_length=1)
    seed: int = 1
