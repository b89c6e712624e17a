"""The fitted decision: maps the features of a pair to probabilities of its relation and kind.

A network with one hidden layer classifies the relation, a multinomial logistic regression the kind. Both are stored as
JSON: loading runs no code, and a hash in the file shows that it is intact.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

import numpy as np

from antinomy.errors import EnvironmentFault
from antinomy.judge.fitted.features import Idf
from antinomy.store import storage

#: Classes of the network: the protocol's relations, ``stricter`` by the side that governs. Whether two definitions of
#: one term differ is decided by another model.
CLASSES = ("conflict", "stricter_left", "stricter_right", "overlap", "none")
#: All labels of a pair.
LABELS = (*CLASSES, "definition")
FORMAT = 7
#: Fields of ``Decision`` whose keys in the JSON file have other names.
_JSON_KEYS = {"idf": "rarity", "provenance": "made_with"}


def mirrored_features(features: Mapping[str, float]) -> dict[str, float]:
    """Return the features of the pair with its sides exchanged."""
    return {mirror_name(name): value for name, value in features.items()}


def mirror_name(name: str) -> str:
    """Return the name that a feature or class has with the sides exchanged."""
    if name.endswith("_left"):
        return name.removesuffix("_left") + "_right"
    if name.endswith("_right"):
        return name.removesuffix("_right") + "_left"
    return name


@dataclass(frozen=True)
class Layer:
    """A linear layer.

    Attributes:
        weights: of shape (outputs, inputs).
        bias: of shape (outputs,).
    """

    weights: tuple[tuple[float, ...], ...]
    bias: tuple[float, ...]

    @cached_property
    def _arrays(self) -> tuple[Any, Any]:
        return np.array(self.weights), np.array(self.bias)

    def outputs(self, inputs: Any) -> Any:
        """Return the outputs, of shape (outputs,), for inputs of shape (inputs,)."""
        weights, bias = self._arrays
        return weights @ inputs + bias


@dataclass(frozen=True)
class Classifier:
    """A multinomial classifier over named features: a logistic regression, or a network if it has several layers.

    Attributes:
        classes: what it distinguishes.
        features: names of its inputs.
        mean, scale: mean and standard deviation of each feature in training, to standardise it.
        layers: the last one gives the logits of the classes; the outputs of the others pass a ReLU.
    """

    classes: tuple[str, ...]
    features: tuple[str, ...]
    mean: tuple[float, ...]
    scale: tuple[float, ...]
    layers: tuple[Layer, ...]

    @cached_property
    def _scaling(self) -> tuple[Any, Any]:
        return np.array(self.mean), np.array(self.scale)

    @cached_property
    def _mirrored_names(self) -> tuple[str, ...]:
        return tuple(mirror_name(name) for name in self.features)

    def probabilities(self, features: Mapping[str, float]) -> dict[str, float]:
        """Return a probability per class; they sum to one.

        Raises:
            KeyError: if a feature is missing: code and weights are of different versions.
        """
        return self._probabilities([features[name] for name in self.features])

    def _probabilities(self, inputs: list[float]) -> dict[str, float]:
        mean, scale = self._scaling
        z = (np.array(inputs) - mean) / scale
        *hidden, last = self.layers
        for layer in hidden:
            z = np.maximum(layer.outputs(z), 0.0)
        logits = last.outputs(z)
        odds = np.exp(logits - logits.max())
        return dict(zip(self.classes, (odds / odds.sum()).tolist(), strict=True))

    def symmetric_probabilities(self, features: Mapping[str, float]) -> dict[str, float]:
        """Return the mean of the probabilities in both orders of the sides: it does not depend on the order."""
        forward = self.probabilities(features)
        backward = self._probabilities([features[name] for name in self._mirrored_names])
        return {name: (forward[name] + backward[mirror_name(name)]) / 2 for name in forward}


def combine_odds(probabilities: Mapping[str, float], related: float) -> dict[str, float]:
    """Return the probabilities of CLASSES with the odds of any relation multiplied by the odds of ``related``."""
    odds = related / max(1e-9, 1 - related)
    weighted = {name: p if name == "none" else p * odds for name, p in probabilities.items()}
    total = sum(weighted.values())
    return {name: value / total for name, value in weighted.items()}


@dataclass(frozen=True)
class Decision:
    """The fitted models that decide a pair.

    Attributes:
        relation: over CLASSES, by the features of ``features.describe``.
        related: ``related`` against ``none``, by shared words alone.
        definition: ``definition`` against ``overlap``, of two definitions of one term.
        kind: over the kinds of a conflict or a stricter rule.
        shares: share of each class in the training data.
        idf: inverse document frequencies of stems.
        provenance: hashes and versions of the code and data that it was fitted with.
    """

    relation: Classifier
    related: Classifier
    definition: Classifier
    kind: Classifier
    shares: dict[str, float]
    idf: Idf
    provenance: dict[str, Any]

    def probabilities(self, features: Mapping[str, float]) -> dict[str, float]:
        """Return the probability of each class at the shares of the training data, whichever provision is on the left.

        Of long provisions the network sees only the most similar excerpts. These are similar for most candidates, so
        the words that the whole texts share are taken into account as well, by multiplying the odds.
        """
        found = self.relation.symmetric_probabilities(features)
        probabilities = {name: found.get(name, 0.0) for name in CLASSES}
        if not features["long"]:
            return probabilities
        return combine_odds(probabilities, self.related.probabilities(features)["related"])

    def definition_probabilities(self, features: Mapping[str, float]) -> dict[str, float]:
        """Return the probability of each of LABELS for two definitions, by ``features.describe_definitions``."""
        return dict.fromkeys(LABELS, 0.0) | self.definition.probabilities(features)

    def likeliest_kind(self, features: Mapping[str, float]) -> str:
        """Return the likeliest kind of a conflict or a stricter rule."""
        kinds = self.kind.symmetric_probabilities(features)
        return max(sorted(kinds), key=lambda name: kinds[name])

    @cached_property
    def sha256(self) -> str:
        """Hash of the whole decision."""
        return _sha256(_json_content(self))


def to_json(decision: Decision) -> bytes:
    """Return the decision as JSON, with a hash of its content."""
    content = _json_content(decision)
    return json.dumps({**content, "sha256": _sha256(content)}, sort_keys=True).encode() + b"\n"


def _json_content(decision: Decision) -> dict[str, Any]:
    return {"format": FORMAT} | {_JSON_KEYS.get(name, name): value for name, value in asdict(decision).items()}


def load(source: str) -> Decision:
    """Read a decision.

    Args:
        source: path or URI of its JSON.

    Raises:
        EnvironmentFault: if it is damaged, or of another program or version.
    """
    remedy = "restore the file from the release, or run `antinomy train` again"
    try:
        content = json.loads(storage.read_bytes(source))
        stated_sha256 = content.pop("sha256")
    except (ValueError, KeyError, AttributeError) as error:
        raise EnvironmentFault(f"{source} holds no weights of the judge `default`: {remedy}") from error
    if content.get("format") != FORMAT:
        raise EnvironmentFault(
            f"{source} is of format {content.get('format')!r}, this program reads {FORMAT}: {remedy}"
        )
    if stated_sha256 != _sha256(content):
        raise EnvironmentFault(f"{source} is damaged: its contents do not give the hash that it names: {remedy}")
    return Decision(
        relation=_classifier(content["relation"]),
        related=_classifier(content["related"]),
        definition=_classifier(content["definition"]),
        kind=_classifier(content["kind"]),
        shares=content["shares"],
        idf=Idf(content["rarity"]),
        provenance=content["made_with"],
    )


def _classifier(content: Mapping[str, Any]) -> Classifier:
    layers = (Layer(tuple(tuple(row) for row in x["weights"]), tuple(x["bias"])) for x in content["layers"])
    return Classifier(
        classes=tuple(content["classes"]),
        features=tuple(content["features"]),
        mean=tuple(content["mean"]),
        scale=tuple(content["scale"]),
        layers=tuple(layers),
    )


def _sha256(content: Mapping[str, Any]) -> str:
    return hashlib.sha256(json.dumps(content, sort_keys=True, separators=(",", ":")).encode()).hexdigest()
