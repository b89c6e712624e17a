"""Fits the models of the decision over the features of pairs, and predicts pairs that a model was not fitted on."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Container, Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import f1_score
from sklearn.neural_network import MLPClassifier
from sklearn.preprocessing import StandardScaler

from antinomy.errors import AntinomyError
from antinomy.judge.fitted import prior
from antinomy.judge.fitted.decision import (
    CLASSES,
    Classifier,
    Decision,
    Layer,
    mirrored_features,
)
from antinomy.judge.fitted.features import Idf, describe, describe_definitions
from antinomy.judge.fitted.judge import DIFFERENCE_PRECISION
from antinomy.judge.fitted.provision_pair import ProvisionPair
from antinomy.judge.fitted.texts import Text, encode
from antinomy.norms.definitions import common_term
from antinomy.settings.train import NetworkSettings
from antinomy.train.pairs import Example

Features = dict[str, float]
#: Fewest pairs of a kind; rarer kinds are not learned.
_MIN_PAIRS_OF_KIND = 10
#: C of the logistic regressions, the inverse of the strength of their regularisation.
_INVERSE_REGULARISATION = 0.1
_THRESHOLDS = np.round(np.arange(0.2, 0.7, 0.01), 2)


class DescribedPair(NamedTuple):
    """A labelled pair as the models see it.

    Attributes:
        example: the pair with its label.
        features: from ``judge.fitted.features``.
        fold: in which it is held out.
    """

    example: Example
    features: Features
    fold: int


def encode_texts(examples: Sequence[Example], known: Container[str] = ()) -> dict[str, Text]:
    """Encode the texts of pairs, except those that are known."""
    texts = sorted({text for e in examples for text in (e.left, e.right) if text not in known})
    return {text.text: text for text in encode(texts)}


def describe_pairs(examples: Sequence[Example], texts: dict[str, Text], idf: Idf) -> list[Features]:
    """Return the features of each pair."""
    return [describe(ProvisionPair(texts[e.left], texts[e.right]), idf) for e in examples]


def labels_by_wording(examples: Sequence[Example], texts: dict[str, Text]) -> list[tuple[str, float]]:
    """Return for each pair the label that the difference of nearly equal texts gives it, and its probability.

    It is ("", 0.0) for all other pairs.
    """
    labels = []
    for e in examples:
        difference = ProvisionPair(texts[e.left], texts[e.right]).difference
        if difference is None:
            labels.append(("", 0.0))
        else:
            relation, governs = difference.relation, difference.governs
            label = f"{relation}_{governs}" if governs else relation
            labels.append((label, DIFFERENCE_PRECISION[difference.reason]))
    return labels


def describe_definition_pairs(examples: Sequence[Example], texts: dict[str, Text]) -> list[Features | None]:
    """Return the features of each pair that defines one term, None for all other pairs."""
    return [
        describe_definitions(texts[e.left], texts[e.right]) if common_term(e.left, e.right) else None for e in examples
    ]


def class_shares(examples: Sequence[Example]) -> dict[str, float]:
    """Return the share of each class among pairs and their mirror images."""
    labels = [e.label for e in examples] + [e.mirrored().label for e in examples]
    return {name: round(max(1, labels.count(name)) / len(labels), 5) for name in CLASSES}


def fit_definition(pairs: Sequence[DescribedPair]) -> Classifier:
    """Fit whether two definitions of one term differ in meaning, on pairs labelled ``definition`` or ``overlap``."""
    chosen = [p for p in pairs if p.example.label in ("definition", "overlap")]
    labels = [p.example.label for p in chosen]
    if len(set(labels)) < 2:
        # With a single label there is nothing to learn: the classifier always returns it.
        return Classifier((labels[0] if labels else "definition",), (), (), (), (Layer(((),), (0.0,)),))
    return _fit_logistic_regression([p.features for p in chosen], labels, sorted(pairs[0].features), max_iter=3000)


def definitions_out_of_fold(pairs: Sequence[DescribedPair]) -> list[Features]:
    """Return for each pair of definitions the probabilities of its labels, by a model without its fold."""
    folds = {p.fold for p in pairs}
    fitted = {held_out: fit_definition([p for p in pairs if p.fold != held_out]) for held_out in folds}
    return [fitted[p.fold].probabilities(p.features) for p in pairs]


def fit_kind(pairs: Sequence[DescribedPair], names: Sequence[str]) -> Classifier:
    """Fit the kind of a conflict or a stricter rule, by logistic regression.

    Args:
        pairs: only those whose label has a kind are used.
        names: features to use.

    Raises:
        AntinomyError: if there are too few pairs to learn two kinds.
    """
    counts = Counter(p.example.kind for p in pairs)
    chosen = [
        p for p in pairs if p.example.kind not in ("", "definition") and counts[p.example.kind] >= _MIN_PAIRS_OF_KIND
    ]
    kinds = [p.example.kind for p in chosen]
    if len(set(kinds)) < 2:
        raise AntinomyError(
            f"too few labelled kinds: two need {_MIN_PAIRS_OF_KIND} pairs each in every fold; add labelled pairs to "
            "`data`"
        )
    return _fit_logistic_regression([p.features for p in chosen], kinds, names, max_iter=3000)


def kinds_out_of_fold(pairs: Sequence[DescribedPair], names: Sequence[str]) -> list[Features]:
    """Return for each pair the probabilities of the kinds, by a model without its fold."""
    folds = sorted({p.fold for p in pairs})
    fitted = {held_out: fit_kind([p for p in pairs if p.fold != held_out], names) for held_out in folds}
    return [fitted[p.fold].symmetric_probabilities(p.features) for p in pairs]


#: Features that tell whether two long provisions are related: the words that they share, by their frequency.
_SHARED_WORDS = ("whole_both", "whole_shared")


def fit_related(augmented: Sequence[DescribedPair]) -> Classifier:
    """Fit by shared words whether two provisions are related, on augmented pairs, which are mixed like candidates."""
    labels = ["none" if p.example.label == "none" else "related" for p in augmented]
    return _fit_logistic_regression([p.features for p in augmented], labels, _SHARED_WORDS)


def fit_relation(
    pairs: Sequence[DescribedPair], names: Sequence[str], settings: NetworkSettings, seed: int
) -> Classifier:
    """Fit the relation on pairs and on the same pairs with their sides exchanged.

    Several networks are fitted from different initial weights. The mean of their logits is a single network again, with
    their hidden units side by side.

    Args:
        pairs: those labelled ``definition`` are left out.
        names: features to use.
        settings: of the network.
        seed: of the first network's initial weights and of the order of the pairs.
    """
    chosen = [p for p in pairs if p.example.label in CLASSES]
    x, scaler = _standardised([*(p.features for p in chosen), *(mirrored_features(p.features) for p in chosen)], names)
    labels = np.array([p.example.label for p in chosen] + [p.example.mirrored().label for p in chosen])
    networks = []
    for number in range(settings.averaged):
        network = MLPClassifier(
            (settings.hidden,), alpha=settings.penalty, max_iter=settings.passes, n_iter_no_change=settings.passes,
            random_state=seed + number,
        )  # fmt: skip
        with warnings.catch_warnings():
            # The number of passes is limited on purpose, against overfitting.
            warnings.simplefilter("ignore", ConvergenceWarning)
            networks.append(network.fit(x, labels))
    hidden = np.hstack([n.coefs_[0] for n in networks]), np.hstack([n.intercepts_[0] for n in networks])
    output = (
        np.vstack([n.coefs_[1] for n in networks]) / len(networks),
        np.mean([n.intercepts_[1] for n in networks], axis=0),
    )
    return _classifier(networks[0].classes_, names, scaler, [hidden, output])


def relations_out_of_fold(
    pairs: Sequence[DescribedPair], names: Sequence[str], settings: NetworkSettings, seed: int
) -> NDArray[np.float64]:
    """Predict every written pair as the judge does before the cross-encoder, by models without its fold.

    Args:
        pairs: written and augmented ones; the latter are only fitted on.
        names, settings, seed: as for ``fit_relation``.

    Returns:
        Probabilities of CLASSES for the written pairs, in their order, at the shares that are estimated from each file;
        of shape (written pairs, classes).
    """
    written = [p for p in pairs if p.example.origin == "written"]
    probabilities = np.zeros((len(written), len(CLASSES)))
    for held_out in sorted({p.fold for p in written}):
        rest = [p for p in pairs if p.fold != held_out]
        relation = fit_relation(rest, names, settings, seed)
        related = fit_related([p for p in rest if p.example.origin != "written"])
        shares = class_shares([p.example for p in rest])
        # Neither definitions nor kinds are predicted here.
        decision = Decision(relation, related, relation, relation, shares, Idf(), {})
        for source in sorted({p.example.source for p in written if p.fold == held_out}):
            own = [i for i, p in enumerate(written) if p.fold == held_out and p.example.source == source]
            probabilities[own] = predict_as_run(decision, [written[i] for i in own])
    return probabilities


def predict_as_run(decision: Decision, pairs: Sequence[DescribedPair]) -> NDArray[np.float64]:
    """Predict pairs at the shares of the relations that are estimated from the pairs themselves, as in a run.

    Args:
        decision: that was not fitted on the pairs.
        pairs: to be predicted.

    Returns:
        Probabilities of CLASSES, of shape (pairs, classes).
    """
    at_training_shares = [decision.probabilities(p.features) for p in pairs]
    expected = prior.estimate_shares(at_training_shares, decision.shares).expected
    rows = (prior.adjust_to_shares(found, decision.shares, expected) for found in at_training_shares)
    return np.array([list(row.values()) for row in rows])


def best_threshold(probabilities: NDArray[np.float64], actual: NDArray[np.bool_]) -> float:
    """Return the probability from which on a pair is called a conflict: the one with the best F1."""
    scores = [f1_score(actual, probabilities >= t) for t in _THRESHOLDS]
    # The median of nearly equally good thresholds.
    good = [t for t, s in zip(_THRESHOLDS, scores, strict=True) if s >= max(scores) - 0.003]
    return float(round(float(np.median(good)), 2))


def _fit_logistic_regression(
    features: Sequence[Features], labels: Sequence[str], names: Sequence[str], max_iter: int = 100
) -> Classifier:
    x, scaler = _standardised(features, names)
    model = LogisticRegression(C=_INVERSE_REGULARISATION, max_iter=max_iter).fit(x, np.array(labels))
    return _classifier(model.classes_, names, scaler, [(model.coef_.T, model.intercept_)])


def _standardised(features: Sequence[Features], names: Sequence[str]) -> tuple[NDArray[np.float64], StandardScaler]:
    x = np.array([[row[name] for name in names] for row in features])
    scaler = StandardScaler().fit(x)
    return scaler.transform(x), scaler


def _classifier(classes: Any, names: Sequence[str], scaler: StandardScaler, layers: Iterable[Any]) -> Classifier:
    """Return a fitted model in the form that the judge loads.

    ``layers`` are pairs of weights, of shape (inputs, outputs), and biases.
    """
    arrays = [(np.asarray(weights).T, np.asarray(bias)) for weights, bias in layers]
    if len(classes) == 2:
        # For two classes scikit-learn has a single output, the logit of the second class.
        weights, bias = arrays[-1]
        arrays[-1] = np.vstack([-weights, weights]) / 2, np.concatenate([-bias, bias]) / 2
    return Classifier(
        classes=tuple(classes.tolist()),
        features=tuple(names),
        mean=_rounded(scaler.mean_),
        scale=_rounded(scaler.scale_),
        layers=tuple(Layer(tuple(_rounded(row) for row in weights), _rounded(bias)) for weights, bias in arrays),
    )


def _rounded(row: Any) -> tuple[float, ...]:
    return tuple(round(float(x), 6) for x in row)
