"""From a judge's probabilities to those that reviewers' decisions bear out.

A calibration is fitted on the decided findings of one judge (its model and its prompt or rules included) and
holds for that judge alone. What is listed was chosen by the judge, and only what is listed gets decided: the
calibrated probability is that of a listed finding.

scikit-learn is imported where something is fitted: every report reads this module, and few fit.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterable, Sequence
from datetime import UTC, datetime
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from pydantic import BaseModel

from antinomy.errors import AntinomyError, SettingsError
from antinomy.findings.decisions import oldest_first
from antinomy.settings import validate
from antinomy.store import storage
from antinomy.store.rows import DecisionRow
from antinomy.vocabulary import Decision, Relation

Method = Literal["platt", "isotonic"]
#: Of a judge: name, model, hash of its prompt or rules.
Identity = tuple[str, str, str]
#: Decided findings that a method needs. Isotonic regression follows chance where data are few (Niculescu-Mizil and
#: Caruana 2005 put it ahead of Platt's sigmoid from about a thousand on); with too few the sigmoid does so too.
LEAST: dict[Method, int] = {"platt": 30, "isotonic": 300}
#: Least number of them that are conflicts, and of those that are none.
LEAST_OF_EACH = 8
#: Probabilities of 0 and 1 have no log-odds.
_CLIP = 1e-4
_FOLDS, _SEED = 5, 20250


class Calibration(BaseModel, frozen=True, extra="forbid"):
    """A fitted calibration, as it is stored.

    Attributes:
        method: ``platt`` or ``isotonic``.
        x, y: isotonic: corners of the curve, probability given → probability meant. platt: the slope alone and
            the intercept alone of the log-odds.
        judge, model, prompt_sha256: the judge whose probabilities it is fitted to.
        decided: findings it was fitted on; ``conflicts`` of them are conflicts.
        decisions_sha256: hash of these: of their decision_ids, sorted, as JSON.
        brier_before, brier_after: mean squared error of the judge's probabilities and of the calibrated ones,
            these out of fold.
        fitted_at: when.
    """

    method: Method
    x: tuple[float, ...]
    y: tuple[float, ...]
    judge: str
    model: str
    prompt_sha256: str
    decided: int
    conflicts: int
    decisions_sha256: str
    brier_before: float
    brier_after: float
    fitted_at: str

    def __call__(self, scores: ArrayLike) -> NDArray[np.float64]:
        """Return the probabilities meant by those given; nan stays nan."""
        return _apply(self.method, self.x, self.y, np.asarray(scores, dtype=np.float64))

    @property
    def judge_identity(self) -> Identity:
        """The judge that it is fitted to."""
        return self.judge, self.model, self.prompt_sha256

    def require_judge(self, judges: Collection[Identity]) -> None:
        """Check that it is fitted to one of the judges whose probabilities are to be calibrated.

        Raises:
            SettingsError: if it is for none of them.
        """
        if judges and self.judge_identity not in judges:
            named = [
                f"{name}, {model}, {prompt[:12]}" for name, model, prompt in (self.judge_identity, *sorted(judges))
            ]
            raise SettingsError(
                f"report.calibration is fitted for the judge ({named[0]}), these verdicts are from "
                f"({'; '.join(named[1:])}): fit another with `antinomy calibrate`, or leave the setting empty"
            )


def is_conflict(decision: DecisionRow) -> bool | None:
    """Return whether a decided finding is a conflict, None if the decision leaves it open.

    A rejected finding of another relation may be a conflict or not: only the relation was denied.
    """
    if decision["decision"] == Decision.CONFIRM:
        return bool(decision["relation"] == Relation.CONFLICT)
    if decision["decision"] == Decision.REJECT and decision["relation"] == Relation.CONFLICT:
        return False
    return None


def fit(
    decisions: Iterable[DecisionRow], judge: str, model: str, prompt_sha256: str, method: Method = "platt"
) -> Calibration:
    """Fit a calibration on the last decision about each pair of texts that one judge judged.

    Method: logistic regression on the log-odds with the smoothed targets of Platt (1999), or isotonic
        regression (Zadrozny and Elkan 2002).

    Raises:
        AntinomyError: if too few are decided, or if the judge's probabilities do not rise with what was
            confirmed.
    """
    from sklearn.metrics import brier_score_loss
    from sklearn.model_selection import StratifiedKFold

    of_judge = [
        row for row in decisions if (row["judge"], row["model"], row["prompt_sha256"]) == (judge, model, prompt_sha256)
    ]
    last = {row["pair_key"]: row for row in oldest_first(of_judge)}.values()
    used = [row for row in last if is_conflict(row) is not None and row["p_conflict"] is not None]
    scores = np.array([row["p_conflict"] for row in used], dtype=np.float64)
    actual = np.array([is_conflict(row) for row in used], dtype=bool)
    _require_enough_decisions(actual, judge, method)
    x, y = _fit(method, scores, actual)
    out_of_fold = np.empty_like(scores)
    for train, test in StratifiedKFold(_FOLDS, shuffle=True, random_state=_SEED).split(scores, actual):
        out_of_fold[test] = _apply(method, *_fit(method, scores[train], actual[train]), scores[test])
    return Calibration(
        method=method,
        x=x,
        y=y,
        judge=judge,
        model=model,
        prompt_sha256=prompt_sha256,
        decided=len(used),
        conflicts=int(actual.sum()),
        decisions_sha256=_hash(used),
        brier_before=round(float(brier_score_loss(actual, scores)), 6),
        brier_after=round(float(brier_score_loss(actual, out_of_fold)), 6),
        fitted_at=datetime.now(UTC).isoformat(timespec="seconds"),
    )


def load(uri: str) -> Calibration:
    """Read a stored calibration.

    Raises:
        StorageError: if the file is not there or is no JSON.
        SettingsError: if it is no calibration.
    """
    return validate(Calibration, storage.read_json(uri), uri)


def store(calibration: Calibration, uri: str) -> None:
    """Write a calibration as JSON."""
    storage.write_json(uri, calibration.model_dump(mode="json"))


def _require_enough_decisions(actual: NDArray[np.bool_], judge: str, method: Method) -> None:
    conflicts, others = int(actual.sum()), int((~actual).sum())
    if len(actual) < LEAST[method] or min(conflicts, others) < LEAST_OF_EACH:
        raise AntinomyError(
            f"too few decisions to calibrate the judge {judge}: {conflicts} confirmed conflicts and {others} findings "
            f"that are none; {method} needs {LEAST[method]}, with at least {LEAST_OF_EACH} of each: decide more "
            "findings"
        )


def _fit(
    method: Method, scores: NDArray[np.float64], actual: NDArray[np.bool_]
) -> tuple[tuple[float, ...], tuple[float, ...]]:
    from sklearn.isotonic import IsotonicRegression
    from sklearn.linear_model import LogisticRegression

    if method == "isotonic":
        model = IsotonicRegression(y_min=0, y_max=1, increasing=True).fit(scores, actual)
        return tuple(model.X_thresholds_.tolist()), tuple(model.y_thresholds_.tolist())
    positive, negative = actual.sum(), (~actual).sum()
    target = np.where(actual, (positive + 1) / (positive + 2), 1 / (negative + 2))
    # A soft target is one row of each class, weighted.
    odds = np.tile(_log_odds(scores), 2).reshape(-1, 1)
    classes = np.repeat([1, 0], len(scores))
    model = LogisticRegression(C=np.inf).fit(odds, classes, sample_weight=np.concatenate([target, 1 - target]))
    slope = float(model.coef_[0, 0])
    if slope <= 0:
        raise AntinomyError(
            "the judge's probabilities do not rise with what reviewers confirmed: calibrating them would turn the "
            "list upside down; use another judge"
        )
    return (slope,), (float(model.intercept_[0]),)


def _apply(method: Method, x: Sequence[float], y: Sequence[float], scores: NDArray[np.float64]) -> NDArray[np.float64]:
    if method == "isotonic":
        return np.interp(scores, x, y)
    return np.asarray(1 / (1 + np.exp(-(x[0] * _log_odds(scores) + y[0]))), dtype=np.float64)


def _log_odds(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    clipped = np.clip(scores, _CLIP, 1 - _CLIP)
    return np.asarray(np.log(clipped / (1 - clipped)), dtype=np.float64)


def _hash(decisions: Iterable[DecisionRow]) -> str:
    ids = sorted(row["decision_id"] for row in decisions)
    return hashlib.sha256(json.dumps(ids).encode()).hexdigest()
