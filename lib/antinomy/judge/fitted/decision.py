"""The fitted decision: from the numbers that describe a pair to probabilities of the relations and kinds.

A network with one hidden layer tells the relations apart, a multinomial logistic regression the kinds. Both are stored
as JSON: loading runs no code, and a hash in the file tells whether it is what was fitted.
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
from antinomy.judge.fitted.features import Rarity
from antinomy.store import storage

#: What the network tells apart: the protocol's relations, ``stricter`` by who governs. Another model tells whether two
#: definitions of one term differ.
CLASSES = ("conflict", "stricter_left", "stricter_right", "overlap", "none")
#: All that a pair may be.
LABELS = (*CLASSES, "definition")
FORMAT = 6
#: Names of the cross-encoder's outputs among the numbers that ``together`` takes.
READ_TOGETHER = tuple(f"together_{name}" for name in CLASSES)


def mirrored(values: Mapping[str, float]) -> dict[str, float]:
    """Return the description of a pair with its sides exchanged: names that end in a side swap their values."""
    return {mirror(name): value for name, value in values.items()}


def mirror(name: str) -> str:
    """Return the name of a number with the sides exchanged."""
    if name.endswith("_left"):
        return name.removesuffix("_left") + "_right"
    if name.endswith("_right"):
        return name.removesuffix("_right") + "_left"
    return name


@dataclass(frozen=True)
class Layer:
    """Weighted sums of inputs.

    Attributes:
        weights: a row of inputs per output.
        bias: one per output.
    """

    weights: tuple[tuple[float, ...], ...]
    bias: tuple[float, ...]

    @cached_property
    def _arrays(self) -> tuple[Any, Any]:
        return np.array(self.weights), np.array(self.bias)

    def sums(self, inputs: Any) -> Any:
        """Return the outputs, of shape (outputs,), for inputs of shape (inputs,)."""
        weights, bias = self._arrays
        return weights @ inputs + bias


@dataclass(frozen=True)
class Classifier:
    """A multinomial classifier over named features: a logistic regression, or a network if it has more layers.

    Attributes:
        classes: what it tells apart.
        features: names of its inputs.
        mean, scale: of each feature in training, to standardise by.
        layers: the last gives the classes' log-odds; the others' outputs pass a ReLU.
    """

    classes: tuple[str, ...]
    features: tuple[str, ...]
    mean: tuple[float, ...]
    scale: tuple[float, ...]
    layers: tuple[Layer, ...]

    @cached_property
    def _standard(self) -> tuple[Any, Any]:
        return np.array(self.mean), np.array(self.scale)

    @cached_property
    def _mirrored(self) -> tuple[str, ...]:
        """For each feature the place of the one that it becomes with the sides exchanged."""
        return tuple(mirror(name) for name in self.features)

    def probabilities(self, values: Mapping[str, float]) -> dict[str, float]:
        """Return a probability per class; they sum to one.

        Raises:
            KeyError: if a feature is missing: code and weights are of different versions.
        """
        return self._probabilities([values[name] for name in self.features])

    def _probabilities(self, inputs: list[float]) -> dict[str, float]:
        mean, scale = self._standard
        z = (np.array(inputs) - mean) / scale
        *hidden, last = self.layers
        for layer in hidden:
            z = np.maximum(layer.sums(z), 0.0)
        z = last.sums(z)
        odds = np.exp(z - z.max())
        return dict(zip(self.classes, (odds / odds.sum()).tolist(), strict=True))

    def either_way(self, values: Mapping[str, float]) -> dict[str, float]:
        """Return a probability per class, the same whichever side is called left."""
        one, two = self.probabilities(values), self._probabilities([values[name] for name in self._mirrored])
        return {name: (one[name] + two[mirror(name)]) / 2 for name in one}


def with_words(chances: Mapping[str, float], related: float) -> dict[str, float]:
    """Return the chances of CLASSES with the odds of any relation multiplied by those of ``related``."""
    odds = related / max(1e-9, 1 - related)
    weighed = {name: chance if name == "none" else chance * odds for name, chance in chances.items()}
    whole = sum(weighed.values())
    return {name: value / whole for name, value in weighed.items()}


@dataclass(frozen=True)
class Decision:
    """The fitted models that decide a pair.

    Attributes:
        relation: over CLASSES, by the numbers of ``features.describe``.
        together: over CLASSES, by these numbers and the cross-encoder's outputs.
        related: ``related`` against ``none``, by shared words alone.
        definition: ``definition`` against ``overlap``, of two definitions of one term.
        kind: over the kinds of a conflict or a stricter rule.
        shares: of each class among the pairs that it was fitted on.
        rarity: of stems.
        made_with: hashes and versions of what it was fitted with and on.
    """

    relation: Classifier
    together: Classifier
    related: Classifier
    definition: Classifier
    kind: Classifier
    shares: dict[str, float]
    rarity: Rarity
    made_with: dict[str, Any]

    def chances(self, values: Mapping[str, float]) -> dict[str, float]:
        """Return the chance of each class, the same whichever side is called left.

        Of a long provision ``relation`` sees only the part that is nearest to the other side. Candidates are chosen by
        that nearness, so it tells little among them; the words that the whole texts share are therefore weighed in, by
        the product of the odds. Where the cross-encoder has read the pair (READ_TOGETHER), its outputs are weighed too.
        """
        found = (self.together if READ_TOGETHER[0] in values else self.relation).either_way(values)
        found = {name: found.get(name, 0.0) for name in CLASSES}
        return with_words(found, self.related.probabilities(values)["related"]) if values["long"] else found

    def meanings(self, values: Mapping[str, float]) -> dict[str, float]:
        """Return the chance of each of LABELS for two definitions described by ``features.describe_meanings``."""
        return dict.fromkeys(LABELS, 0.0) | self.definition.probabilities(values)

    def likeliest_kind(self, values: Mapping[str, float]) -> str:
        """Return the likeliest kind of a conflict or a stricter rule."""
        kinds = self.kind.either_way(values)
        return max(sorted(kinds), key=lambda name: kinds[name])

    @cached_property
    def sha256(self) -> str:
        """Hash of all that it holds."""
        return _sha256(_held(self))


def to_json(decision: Decision) -> bytes:
    """Return the decision with the hash of what it holds."""
    held = _held(decision)
    return json.dumps({**held, "sha256": _sha256(held)}, sort_keys=True).encode() + b"\n"


def _held(decision: Decision) -> dict[str, Any]:
    return {"format": FORMAT, **asdict(decision)}


def load(source: str) -> Decision:
    """Read a decision.

    Args:
        source: path or URI of its JSON.

    Raises:
        EnvironmentFault: if it is damaged, or of another program or version.
    """
    remedy = "restore the file from the release, or run `antinomy train` again"
    try:
        held = json.loads(storage.read_bytes(source))
        said = held.pop("sha256")
    except (ValueError, KeyError, AttributeError) as error:
        raise EnvironmentFault(f"{source} holds no weights of the small judge: {remedy}") from error
    if held.get("format") != FORMAT:
        raise EnvironmentFault(f"{source} is of format {held.get('format')!r}, this program reads {FORMAT}: {remedy}")
    if said != _sha256(held):
        raise EnvironmentFault(f"{source} is damaged: its contents do not give the hash that it names: {remedy}")
    names = ("relation", "together", "related", "definition", "kind")
    classifiers = {name: _classifier(held[name]) for name in names}
    return Decision(**classifiers, shares=held["shares"], rarity=Rarity(held["rarity"]), made_with=held["made_with"])


def _classifier(held: Mapping[str, Any]) -> Classifier:
    layers = (Layer(tuple(tuple(row) for row in x["weights"]), tuple(x["bias"])) for x in held["layers"])
    return Classifier(
        tuple(held["classes"]), tuple(held["features"]), tuple(held["mean"]), tuple(held["scale"]), tuple(layers)
    )


def _sha256(held: Mapping[str, Any]) -> str:
    return hashlib.sha256(json.dumps(held, sort_keys=True, separators=(",", ":")).encode()).hexdigest()
