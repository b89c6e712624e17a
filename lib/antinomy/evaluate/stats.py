"""Figures with their 95 % bootstrap intervals.

SciPy and scikit-learn are imported where something is drawn or measured: every report reads this module, and few have
anything to measure.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

#: Resamples of every bootstrap: enough for two digits of an interval.
RESAMPLES = 1000
#: The same figures from the same data, always.
_SEED = 20250
#: Bins of equal width in which probabilities are held against frequencies.
_BINS = 10


def figure(value: float, low: float | None = None, high: float | None = None) -> dict[str, float | None]:
    """Return a figure as it is printed: value and interval, None where undefined."""
    return {"value": _number(value), "low": _number(low), "high": _number(high)}


def mean(values: ArrayLike) -> dict[str, float | None]:
    """Return a mean with its interval; None for no values."""
    sample = np.asarray(values, dtype=float)
    if not len(sample):
        return figure(np.nan)
    return estimate(lambda x, axis=-1: np.mean(x, axis=axis), sample)


def wilson_share(part: int, whole: int) -> dict[str, float | None]:
    """Return a share of a few cases with its interval, that of Wilson (1927); None for no cases.

    Of three out of three a bootstrap would say that it is certain.
    """
    if not whole:
        return figure(np.nan)
    from scipy.stats import binomtest

    interval = binomtest(part, whole).proportion_ci(method="wilson")
    return figure(part / whole, interval.low, interval.high)


def calibration(score: ArrayLike, actual: ArrayLike) -> dict[str, Any]:
    """Compare predicted probabilities with observed frequencies.

    Method: expected calibration error over ten bins of equal width (Naeini, Cooper and Hauskrecht 2015).

    Returns:
        calibration_error, brier, and reliability: per bin that is not empty ``n``, mean ``probability`` and
        ``frequency``.
    """
    scores, outcomes = np.asarray(score, dtype=float), np.asarray(actual, dtype=float)
    if not len(scores):
        return {"calibration_error": figure(np.nan), "brier": figure(np.nan), "reliability": []}
    from scipy.stats import binned_statistic

    bins = [
        binned_statistic(scores, values, statistic, bins=_BINS, range=(0, 1)).statistic
        for values, statistic in ((scores, "count"), (scores, "mean"), (outcomes, "mean"))
    ]
    return {
        "calibration_error": estimate(_expected_calibration_error, scores, outcomes, vectorized=False),
        "brier": mean((scores - outcomes) ** 2),
        "reliability": [
            {"n": int(n), "probability": round(float(p), 4), "frequency": round(float(f), 4)}
            for n, p, f in zip(*bins, strict=True)
            if n
        ],
    }


def _expected_calibration_error(score: NDArray[Any], actual: NDArray[Any]) -> float:
    from scipy.stats import binned_statistic

    # Per bin |Σ (score − actual)| / n is the weighted gap between mean score and frequency.
    gaps = binned_statistic(score, score - actual, "sum", bins=_BINS, range=(0, 1)).statistic
    return float(np.abs(gaps).sum() / len(score))


def estimate(statistic: Callable[..., Any], *columns: ArrayLike, vectorized: bool = True) -> dict[str, float | None]:
    """Return a statistic with its percentile bootstrap interval over the rows.

    Args:
        statistic: of as many arrays as columns; takes ``axis`` if vectorized. May be nan where undefined.
        columns: of one length, one entry per observation, resampled together.
        vectorized: the statistic works along an axis.
    """
    samples = tuple(np.asarray(column, dtype=float) for column in columns)
    value = float(statistic(*samples))
    if len(samples[0]) < 2:
        return figure(value)
    from scipy.stats import DegenerateDataWarning, bootstrap

    with warnings.catch_warnings():
        # Said of all-equal resamples too, whose interval is a point and right; undefined ones are dropped below.
        warnings.simplefilter("ignore", DegenerateDataWarning)
        result = bootstrap(
            samples,
            statistic,
            paired=True,
            vectorized=vectorized,
            n_resamples=RESAMPLES,
            method="percentile",
            rng=np.random.default_rng(_SEED),
        )
    drawn = result.bootstrap_distribution
    # A resample without a single positive has no recall: it says nothing, rather than 0.
    defined = drawn[np.isfinite(drawn)]
    if not len(defined):
        return figure(value)
    low, high = np.percentile(defined, [2.5, 97.5])
    return figure(value, low, high)


def precision(actual: NDArray[Any], predicted: NDArray[Any], axis: int = -1) -> Any:
    """Return the share of the predicted that is actual, along an axis; nan if nothing is predicted."""
    return _ratio((actual * predicted).sum(axis=axis), predicted.sum(axis=axis))


def recall(actual: NDArray[Any], predicted: NDArray[Any], axis: int = -1) -> Any:
    """Return the share of the actual that is predicted, along an axis; nan if nothing is actual."""
    return _ratio((actual * predicted).sum(axis=axis), actual.sum(axis=axis))


def f1(actual: NDArray[Any], predicted: NDArray[Any], axis: int = -1) -> Any:
    """Return the harmonic mean of precision and recall, along an axis; nan if there is nothing at all."""
    return _ratio(2 * (actual * predicted).sum(axis=axis), actual.sum(axis=axis) + predicted.sum(axis=axis))


def average_precision(actual: NDArray[Any], score: NDArray[Any]) -> float:
    """Return the area under the curve of precision and recall, as a sum of steps; nan if nothing is actual."""
    from sklearn.metrics import average_precision_score

    return float(average_precision_score(actual, score)) if actual.any() else np.nan


def auc(actual: NDArray[Any], score: NDArray[Any]) -> float:
    """Return the probability that something actual scores higher than something else; nan if all or nothing is."""
    from sklearn.metrics import roc_auc_score

    return float(roc_auc_score(actual, score)) if 0 < actual.sum() < len(actual) else np.nan


def difference(
    metric: Callable[..., Any], actual: ArrayLike, first: ArrayLike, second: ArrayLike
) -> dict[str, float | None]:
    """Return by how much a metric is greater for the second prediction, with its interval over pairs."""

    def gap(a: NDArray[Any], x: NDArray[Any], y: NDArray[Any], axis: int = -1) -> Any:
        return metric(a, y, axis=axis) - metric(a, x, axis=axis)

    return estimate(gap, actual, first, second)


def mcnemar(first_right: Sequence[bool], second_right: Sequence[bool]) -> dict[str, float]:
    """Test whether two judges are right equally often on the same items.

    Method: exact McNemar test: the items on which just one is right are split evenly under the null
        hypothesis.

    Returns:
        only_first, only_second (items that just one gets right) and the two-sided p_value.
    """
    first, second = np.asarray(first_right, dtype=bool), np.asarray(second_right, dtype=bool)
    only_first, only_second = int((first & ~second).sum()), int((~first & second).sum())
    disputed = only_first + only_second
    from scipy.stats import binomtest

    p_value = float(binomtest(only_first, disputed).pvalue) if disputed else 1.0
    return {"only_first": only_first, "only_second": only_second, "p_value": p_value}


def _ratio(part: Any, whole: Any) -> Any:
    return np.divide(part, whole, out=np.full(np.shape(whole), np.nan), where=np.asarray(whole) > 0)


def _number(value: float | None) -> float | None:
    return None if value is None or not np.isfinite(value) else round(float(value), 4)
