"""The first question, the screen: one label, and the probability that the model gives each label."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from antinomy.judge.served.failure import CallFailed

#: Least total probability of the labels; below it the model was about to answer something else.
MIN_LABEL_MASS = 0.5
#: What vLLM sends for minus infinity (vllm/entrypoints/openai: ``max(logprob, -9999.0)``).
_MINUS_INFINITY = -9999.0


@dataclass(frozen=True, slots=True)
class Screened:
    """An answer to the screen.

    Attributes:
        probabilities: per label, renormalised over the labels; they sum to 1.
        mass: total probability of the labels before they were renormalised.
    """

    probabilities: dict[str, float]
    mass: float


def read_labels(top: Sequence[tuple[str, float]], labels: Sequence[str]) -> Screened:
    """Return the probabilities of the labels, by the alternatives of the first token.

    A label that is not among the alternatives gets 0, since it is less likely than all of them.

    Args:
        top: token and log-probability of each alternative, as the server gave them.
        labels: single-token labels; "A" and " A" are the same.

    Raises:
        CallFailed: ``logprobs`` if they are missing or invalid; ``labels`` if the labels have less than MIN_LABEL_MASS
            together.
    """
    if not top:
        raise CallFailed("logprobs", "the answer has no log-probabilities; the server must support top_logprobs")
    mass = dict.fromkeys(labels, 0.0)
    for token, logprob in top:
        label = token.strip()
        if math.isnan(logprob):
            raise CallFailed("logprobs", f"token {token[:20]!r} has log-probability NaN")
        if label not in mass:
            continue
        if not math.isfinite(logprob) or logprob <= _MINUS_INFINITY:
            raise CallFailed(
                "logprobs",
                f"label {label} has log-probability {logprob}: is a grammar or top_k set on the server?",
            )
        if logprob > 1e-3:
            raise CallFailed("logprobs", f"label {label} has log-probability {logprob:.3f}, above zero")
        mass[label] += math.exp(logprob)
    total = sum(mass.values())
    if total < MIN_LABEL_MASS:
        likeliest_token = max(top, key=lambda alternative: alternative[1])[0][:20]
        raise CallFailed(
            "labels", f"only {total:.3f} of the probability is on a label; the model would say {likeliest_token!r}"
        )
    return Screened({label: probability / total for label, probability in mass.items()}, total)


def mean(answers: Sequence[Screened]) -> Screened:
    """Return the mean of the answers in both orders, which cancels the effect of the order."""
    return Screened(
        {
            label: sum(answer.probabilities[label] for answer in answers) / len(answers)
            for label in answers[0].probabilities
        },
        sum(answer.mass for answer in answers) / len(answers),
    )
