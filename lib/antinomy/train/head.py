"""Fits the decision over the numbers that describe a pair, and measures it on topics that it has not seen."""

from __future__ import annotations

import warnings
from collections.abc import Container, Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import f1_score
from sklearn.neural_network import MLPClassifier
from sklearn.preprocessing import StandardScaler

from antinomy.errors import AntinomyError
from antinomy.judge.fitted import prior
from antinomy.judge.fitted.decision import CLASSES, READ_TOGETHER, Classifier, Decision, Layer, mirrored
from antinomy.judge.fitted.features import Rarity, describe, describe_meanings
from antinomy.judge.fitted.judge import READ, WORTH
from antinomy.judge.fitted.reading import PairReading
from antinomy.judge.fitted.texts import Text, encoded
from antinomy.norms.definitions import common_term
from antinomy.settings.train import NetworkSettings
from antinomy.train.pairs import Example

Values = dict[str, float]
#: A pair, the numbers that describe it, and its fold.
Described = tuple[Example, Values, int]
#: Kinds of a conflict or a stricter rule that are learned; rarer ones are not.
_KIND_LEAST = 10
#: C of the logistic regression: the larger, the less it is held back.
_KIND_STRENGTH = 0.1
_THRESHOLDS = np.round(np.arange(0.2, 0.7, 0.01), 2)


def encode_texts(examples: Sequence[Example], known: Container[str] = ()) -> dict[str, Text]:
    """Encode the texts of pairs, less those that are known."""
    wanted = sorted({text for e in examples for text in (e.left, e.right) if text not in known})
    return {t.text: t for t in encoded(wanted)}


def features(examples: Sequence[Example], texts: dict[str, Text], rarity: Rarity) -> list[Values]:
    """Return the numbers that describe each pair."""
    return [describe(PairReading(texts[e.left], texts[e.right]), rarity) for e in examples]


def explicit_labels(examples: Sequence[Example], texts: dict[str, Text]) -> list[tuple[str, float]]:
    """Return for each pair the label that is read off its wording and its probability, ("", 0.0) where none is."""
    found = []
    for e in examples:
        explicit = PairReading(texts[e.left], texts[e.right]).difference
        if explicit is None:
            found.append(("", 0.0))
        else:
            label = f"{explicit.relation}_{explicit.governs}" if explicit.governs else explicit.relation
            found.append((label, READ[explicit.why]))
    return found


def definition_features(examples: Sequence[Example], texts: dict[str, Text]) -> list[Values | None]:
    """Return what describes the definitions of each pair that defines one term, None for the other pairs."""
    return [
        describe_meanings(texts[e.left], texts[e.right]) if common_term(e.left, e.right) else None for e in examples
    ]


def fit_definition(examples: Sequence[Example], values: Sequence[Values]) -> Classifier:
    """Fit whether two definitions of one term differ in meaning, on pairs labelled ``definition`` or ``overlap``."""
    chosen = [(e, v) for e, v in zip(examples, values, strict=True) if e.label in ("definition", "overlap")]
    labels = [e.label for e, _ in chosen]
    if len(set(labels)) < 2:
        # Nothing tells them apart: whoever trains on data without definitions is shown all that are in other words.
        return Classifier((labels[0] if labels else "definition",), (), (), (), (Layer(((),), (0.0,)),))
    names = sorted(values[0])
    x, scaler = _standardised([v for _, v in chosen], names)
    model = LogisticRegression(C=_KIND_STRENGTH, max_iter=3000).fit(x, np.array(labels))
    return _classifier(model.classes_, names, scaler, [(model.coef_.T, model.intercept_)])


def definitions_out_of_fold(glossary: Sequence[tuple[Example, Values, int]]) -> list[dict[str, float]]:
    """Predict for each pair of definitions whether they differ, by a model that has not seen its fold."""
    fitted = {}
    for held in {fold for _, _, fold in glossary}:
        seen = [(e, v) for e, v, fold in glossary if fold != held]
        fitted[held] = fit_definition([e for e, _ in seen], [v for _, v in seen])
    return [fitted[fold].probabilities(v) for _, v, fold in glossary]


def class_shares(examples: Sequence[Example]) -> dict[str, float]:
    """Return the share of each class among pairs and their mirror images."""
    labels = [e.label for e in examples] + [e.mirrored().label for e in examples]
    return {name: round(max(1, labels.count(name)) / len(labels), 5) for name in CLASSES}


def fit_relation(shown: Sequence[Described], names: Sequence[str], settings: NetworkSettings, seed: int) -> Classifier:
    """Fit the relation on the pairs and on the same pairs with their sides exchanged.

    Args:
        shown: the pairs; their folds do not matter here.
        names: features to use.
        settings: of the network.
        seed: of the first network's first weights and of the order of the pairs.
    """
    # Whether definitions differ is another model's question.
    chosen = [(e, v) for e, v, _ in shown if e.label in CLASSES]
    x, scaler = _standardised([*(v for _, v in chosen), *(mirrored(v) for _, v in chosen)], names)
    labels = np.array([e.label for e, _ in chosen] + [e.mirrored().label for e, _ in chosen])
    fitted = []
    for number in range(settings.averaged):
        model = MLPClassifier(
            (settings.hidden,), alpha=settings.penalty, max_iter=settings.passes, n_iter_no_change=settings.passes,
            random_state=seed + number,
        )  # fmt: skip
        with warnings.catch_warnings():
            # It is to make so many passes and no more: with more it learns the pairs by heart.
            warnings.simplefilter("ignore", ConvergenceWarning)
            fitted.append(model.fit(x, labels))
    # The mean of the networks' log-odds is one network again, with their hidden units side by side.
    hidden = np.hstack([m.coefs_[0] for m in fitted]), np.hstack([m.intercepts_[0] for m in fitted])
    last = np.vstack([m.coefs_[1] for m in fitted]) / len(fitted), np.mean([m.intercepts_[1] for m in fitted], axis=0)
    return _classifier(fitted[0].classes_, names, scaler, [hidden, last])


def fit_relations(
    both: Sequence[tuple[Described, Values | None]], names: Sequence[str], settings: NetworkSettings, seed: int
) -> tuple[Classifier, Classifier]:
    """Fit the relation by the numbers alone, and by these and what the cross-encoder says.

    Args:
        both: pairs, each with the reading of the cross-encoder, None where that does not count.
        names, settings, seed: as for ``fit_relation``.
    """
    alone = fit_relation([row for row, _ in both], names, settings, seed)
    read_ = [(e, values | reading, fold) for (e, values, fold), reading in both if reading]
    return alone, fit_relation(read_, [*names, *READ_TOGETHER], settings, seed) if read_ else alone


def _standardised(values: Sequence[Values], names: Sequence[str]) -> tuple[NDArray[np.float64], StandardScaler]:
    x = np.array([[row[name] for name in names] for row in values])
    scaler = StandardScaler().fit(x)
    return scaler.transform(x), scaler


def _classifier(classes: Any, names: Sequence[str], scaler: StandardScaler, layers: Iterable[Any]) -> Classifier:
    """Return a fitted model as what the judge loads; ``layers`` are pairs of (inputs × outputs) and biases."""
    found = [(np.asarray(weights).T, np.asarray(bias)) for weights, bias in layers]
    if len(classes) == 2:
        # Of two classes one row is kept: the log-odds of the second.
        weights, bias = found[-1]
        found[-1] = np.vstack([-weights, weights]) / 2, np.concatenate([-bias, bias]) / 2
    return Classifier(
        classes=tuple(classes.tolist()),
        features=tuple(names),
        mean=_rounded(scaler.mean_),
        scale=_rounded(scaler.scale_),
        layers=tuple(Layer(tuple(_rounded(row) for row in weights), _rounded(bias)) for weights, bias in found),
    )


def _rounded(row: Any) -> tuple[float, ...]:
    return tuple(round(float(x), 6) for x in row)


def fit_kind(examples: Sequence[Example], values: Sequence[Values], names: Sequence[str]) -> Classifier:
    """Fit the kind, by logistic regression, on pairs in conflict and on those where one side is stricter.

    Raises:
        AntinomyError: if there are too few to learn two kinds from.
    """
    counts: dict[str, int] = {}
    for e in examples:
        counts[e.kind] = counts.get(e.kind, 0) + 1
    chosen = [
        (e, row)
        for e, row in zip(examples, values, strict=True)
        if e.kind not in ("", "definition") and counts[e.kind] >= _KIND_LEAST
    ]
    if len({e.kind for e, _ in chosen}) < 2:
        raise AntinomyError(
            f"too few labelled kinds: two need {_KIND_LEAST} pairs each in every fold; add labelled pairs to `data`"
        )
    x, scaler = _standardised([row for _, row in chosen], names)
    model = LogisticRegression(C=_KIND_STRENGTH, max_iter=3000).fit(x, np.array([e.kind for e, _ in chosen]))
    return _classifier(model.classes_, names, scaler, [(model.coef_.T, model.intercept_)])


#: What tells whether two long provisions are related: the words that they share, by their rarity.
_SHARED_WORDS = ("whole_both", "whole_shared")


def fit_related(made: Sequence[Described]) -> Classifier:
    """Fit by shared words whether two provisions are related, on the pairs made: they are mixed as candidates are."""
    x, scaler = _standardised([v for _, v, _ in made], _SHARED_WORDS)
    labels = np.array(["none" if e.label == "none" else "related" for e, _, _ in made])
    model = LogisticRegression(C=_KIND_STRENGTH).fit(x, labels)
    return _classifier(model.classes_, _SHARED_WORDS, scaler, [(model.coef_.T, model.intercept_)])


def out_of_fold(
    shown: Sequence[Described],
    readings: Sequence[Values | None],
    names: Sequence[str],
    settings: NetworkSettings,
    seed: int,
) -> NDArray[np.float64]:  # fmt: skip
    """Predict every written pair, as the judge does, by models that have seen neither its topic nor its set.

    Args:
        shown: the pairs; those made from written ones are only fitted on.
        readings: what the cross-encoder says of each, None where it does not count.
        names: features to use.
        settings, seed: as for ``fit_relation``.

    Returns:
        Chances of the written pairs, in their order, at the shares that are estimated from each file, of shape
        (n, len(CLASSES)).
    """
    both = list(zip(shown, readings, strict=True))
    written = [row for row in both if row[0][0].origin == "written"]
    chances = np.zeros((len(written), len(CLASSES)))
    for held in sorted({f for (_, _, f), _ in written}):
        used = [row for row in both if row[0][2] != held]
        relation, together = fit_relations(used, names, settings, seed)
        related = fit_related([row for row, _ in used if row[0].origin != "written"])
        fitted = class_shares([e for (e, _, _), _ in used])
        decision = Decision(relation, together, related, relation, relation, fitted, Rarity(), {})
        for source in sorted({e.source for (e, _, f), _ in written if f == held}):
            own = [i for i, ((e, _, f), _) in enumerate(written) if f == held and e.source == source]
            chances[own] = predict_as_run(decision, [(written[i][0][1], written[i][1]) for i in own])
    return chances


def predict_as_run(decision: Decision, rows: Sequence[tuple[Values, Values | None]]) -> NDArray[np.float64]:
    """Return the chances at the shares that are estimated from the pairs themselves, as a run has them.

    Args:
        decision: that has not seen the pairs.
        rows: of each pair the numbers that describe it, and what the cross-encoder says, None where it does not count.

    Returns:
        Shape (n, len(CLASSES)).
    """
    fitted = [decision.chances(values) for values, _ in rows]
    expected = prior.estimated(fitted, decision.shares).expected
    found = []
    for chances, (values, reading) in zip(fitted, rows, strict=True):
        row = prior.rescaled(chances, decision.shares, expected)
        if reading and 1 - row["none"] >= WORTH:
            row = prior.rescaled(decision.chances(values | reading), decision.shares, expected)
        found.append(list(row.values()))
    return np.array(found)


def best_threshold(chance: NDArray[np.float64], actual: NDArray[np.bool_]) -> float:
    """Return the chance from which on a pair is called a conflict: that with the best F1 on held-out pairs."""
    scores = [f1_score(actual, chance >= t) for t in _THRESHOLDS]
    # The middle of the best run, not its edge.
    good = [t for t, s in zip(_THRESHOLDS, scores, strict=True) if s >= max(scores) - 0.003]
    return float(round(float(np.median(good)), 2))
