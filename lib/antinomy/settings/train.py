"""Settings of training."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, Field

#: Settings that hold paths, see ``settings.file.read_with_overrides``.
PATHS = ("data", "out", "cross_encoder.general", "cross_encoder.further")


class NetworkSettings(BaseModel, frozen=True, extra="forbid"):
    """How the decision on the relation is fitted: a network with one hidden layer.

    Attributes:
        hidden: units of that layer.
        penalty: on the squares of its weights.
        passes: over the pairs.
        averaged: networks that are fitted from other first weights and averaged.
    """

    hidden: int = Field(default=48, ge=1)
    penalty: float = Field(default=1.0, ge=0)
    passes: int = Field(default=20, ge=1)
    averaged: int = Field(default=4, ge=1)


class CrossEncoderSettings(BaseModel, frozen=True, extra="forbid"):
    """How the adapter of the cross-encoder is fitted, which reads both provisions of a pair together.

    Attributes:
        fit: take the packaged one, continue to fit the packaged one, or fit one anew (on a GPU: a single one of the
            adapters takes a day on two cores). What is continued reads the pairs below, too; `adapters`, `layers` and
            `rank` are then those of the packaged one.
        kept: weight of the packaged one in the mean of itself and what it becomes when it is continued. At 0.5 it
            judged texts like the new pairs better than before, and others no worse.
        adapters: that are fitted one after the other. From the third on each learns from the labels and from the mean
            opinion of all before it; the last one is kept.
        layers: that are kept of the base's twelve, the lower ones. With fewer than twelve, a last adapter starts from
            the matrices of these layers and learns from the labels and from the adapter with all layers.
        left_out: names of files of `data` that it does not read.
        passes: number of times that it reads pairs; each pass draws them anew.
        general: files of general inference pairs, of which it reads some besides.
        general_pairs: of these, at most in a pass.
        further: files of labelled pairs that it alone reads: candidates of real regulations, for example, which are
            longer and alike in other ways than written pairs. All are read in each pass, so that each file keeps its
            share of unrelated pairs: a network that reads fewer of them calls too many pairs related.
        pairs: of `data`, at most in a pass; drawn from the labelled pairs and those that are made from them.
        negatives_of_conflicts: near, unrelated pairs with a text that is in conflict with another.
        negatives: other near, unrelated pairs.
        padded, padded_negatives: labelled pairs, and further ones of the unrelated, of which one side is put into
            another provision.
        rank: of the matrices that are fitted.
        batch: characters that are read at once, some four a token.
        rate: the highest learning rate.
    """

    fit: Literal["packaged", "continued", "anew"] = "packaged"
    kept: float = Field(default=0.5, ge=0, lt=1)
    left_out: tuple[str, ...] = ()
    adapters: int = Field(default=4, ge=1)
    layers: int = Field(default=8, ge=1, le=12)
    passes: int = Field(default=8, ge=1)
    general: tuple[str, ...] = ()
    general_pairs: int = Field(default=6000, ge=0)
    further: tuple[str, ...] = ()
    pairs: int = Field(default=27_000, ge=1)
    negatives_of_conflicts: int = Field(default=9500, ge=0)
    negatives: int = Field(default=2800, ge=0)
    padded: int = Field(default=1600, ge=0)
    padded_negatives: int = Field(default=1100, ge=0)
    rank: int = Field(default=64, ge=1)
    batch: int = Field(default=100_000, ge=1)
    rate: float = Field(default=2.5e-4, gt=0)


class TrainSettings(BaseModel, frozen=True, extra="forbid"):
    """What the judge ``default`` is trained on, and where it is written.

    Attributes:
        data: labelled files (JSON lines as for ``evaluate pairs``, with an optional ``set``): paths or URIs; a
            reviewer's decisions or a served judge's verdicts go here as further files. Empty for the packaged files.
        dealt: names of files whose sets are dealt out over the folds; every other file stands in one fold as a whole,
            so that its topic is new to the model that is measured on it.
        held_back: names of files that the networks are not fitted on, only measured on.
        folds: models that are fitted to measure, each without its fold.
        network: that decides on the relation.
        cross_encoder: how the cross-encoder is fitted, which reads both provisions together.
        transferred, hard_negatives, unrelated, padded, embedded: pairs of this kind (``train.pairs``) that are made
            from the written ones and added at most: candidates are mostly unrelated, and most provisions say more than
            what matters.
        out: folder for the weights, the card and the judged pairs.
        seed: of the random numbers.
    """

    data: tuple[str, ...] = ()
    dealt: tuple[str, ...] = ("conflicts_dev.jsonl",)
    held_back: tuple[str, ...] = ()
    folds: int = Field(default=4, ge=2, le=20)
    network: NetworkSettings = NetworkSettings()
    cross_encoder: CrossEncoderSettings = CrossEncoderSettings()
    transferred: int = Field(default=700, ge=0)
    hard_negatives: int = Field(default=1500, ge=0)
    unrelated: int = Field(default=1200, ge=0)
    padded: int = Field(default=1000, ge=0)
    embedded: int = Field(default=800, ge=0)
    out: str = Field(default="out/train", min_length=1)
    seed: int = 1
