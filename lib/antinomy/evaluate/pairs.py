"""How good is a judge? Labelled pairs, judged, against their labels."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import sklearn
from sklearn.metrics import confusion_matrix, precision_recall_curve, precision_recall_fscore_support

from antinomy.errors import AntinomyError
from antinomy.evaluate import stats
from antinomy.judge.cascade import Cascade
from antinomy.judge.protocol import Adaptive, Judge, Pair, Provision, Verdict
from antinomy.judge.stage import pair_key
from antinomy.store import records
from antinomy.vocabulary import Kind, Relation, VerdictStatus

if TYPE_CHECKING:
    from numpy.typing import NDArray


def pairs(
    source: str, judge: Judge, output: str = "", swap: bool = False, runs: int = 1, limit: int = 0
) -> dict[str, Any]:
    """Judge a labelled file and measure the verdicts.

    Args:
        source: JSON lines {left, right, relation} with, optionally, id, kind, governs, left_context,
            right_context.
        judge: the judge to measure.
        output: where to write the judged pairs as JSON lines, for ``compare`` and for reading; "" for
            nowhere.
        swap: judge every pair also with its sides exchanged and report how often the relation changes.
        runs: number of times that it judges, to report how often the relation changes.
        limit: number of pairs, the first of the file; 0 for all.

    Returns:
        What ``measure`` returns, with ``judge``, ``order_disagreement`` and ``flip_rate`` (None if not asked
        for).

    Raises:
        AntinomyError: for a file that is not as described.
        JudgeError: if the judge cannot work at all.
    """
    labelled = read_labelled(source)[: limit or None]
    first = judged(labelled, judge)
    result = measure(first)
    again = [judged(labelled, judge) for _ in range(runs - 1)]
    reverse = judged([swapped(row) for row in labelled], judge) if swap else None
    result["order_disagreement"] = _disagreement(first, reverse) if reverse is not None else None
    result["flip_rate"] = stats.mean([x for run in again for x in _relation_changes(first, run)]) if again else None
    result["judge"] = {"name": judge.name, "model": judge.model, "prompt_sha256": judge.prompt_sha256}
    if output:
        records.write(output, first)
    return result


def read_labelled(source: str) -> list[dict[str, Any]]:
    """Read labelled pairs; those without an id get their line's number.

    Raises:
        AntinomyError: for a file that is not as described, or an id that occurs twice.
    """
    relation, kind = (
        records.choice_check("relation", tuple(Relation)),
        records.choice_check("kind", tuple(Kind), required=False),
    )
    found = records.read(source, ("left", "right"), lambda record: relation(record) or kind(record))
    rows = [{**record, "id": str(record.get("id") or number)} for number, record in enumerate(found, start=1)]
    ids = [row["id"] for row in rows]
    repeated = sorted({i for i in ids if ids.count(i) > 1}) if len(set(ids)) < len(ids) else []
    if repeated:
        raise AntinomyError(f"{source}: id occurs twice: {', '.join(repeated[:3])}")
    return rows


def judged(labelled: Sequence[dict[str, Any]], judge: Judge) -> list[dict[str, Any]]:
    """Judge labelled pairs.

    Returns:
        The rows with what the judge says of them: status, predicted (relation), predicted_kind,
        predicted_governs, p_conflict, order_consistent, rationale, calls, tokens, error.

    Raises:
        AntinomyError: if the judge gives no verdict on a pair, or two.
    """
    asked = {row["id"]: _pair(row) for row in labelled}
    for part in judge.judges if isinstance(judge, Cascade) else (judge,):
        if isinstance(part, Adaptive) and part.adapts:
            part.use_shares(part.estimate(list(part.probabilities(asked.values()))))
    verdicts: dict[str, Verdict] = {}
    # The same texts may be labelled twice: one verdict serves both.
    for verdict in judge.judge({pair.pair_key: pair for pair in asked.values()}.values()):
        if verdict.pair_key in verdicts:
            raise AntinomyError(f"judge {judge.name} gave two verdicts on one pair: a defect of the judge")
        verdicts[verdict.pair_key] = verdict
    rows = []
    for row in labelled:
        key = asked[row["id"]].pair_key
        if key not in verdicts:
            raise AntinomyError(f"judge {judge.name} gave no verdict on pair {row['id']}: a defect of the judge")
        judged_as = verdicts[key]
        rows.append(
            {
                **row,
                "status": judged_as.status,
                "predicted": judged_as.relation,
                "predicted_kind": judged_as.kind,
                "predicted_governs": judged_as.governs,
                "p_conflict": judged_as.p_conflict,
                "order_consistent": judged_as.order_consistent,
                "rationale": judged_as.rationale,
                "calls": judged_as.calls,
                "tokens": judged_as.input_tokens + judged_as.output_tokens,
                "latency_ms": judged_as.latency_ms,
                "error": judged_as.error,
            }
        )
    return rows


def measure(rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Measure judged rows for the relation ``conflict``; failed pairs count as not predicted.

    Returns:
        precision, recall, f1 at the judge's own decision; pr_auc and auc of p_conflict (a missing one counts
        as 0); each {value, low, high}. per_kind: recall by the label's kind, precision by the verdict's.
        per_relation, confusion, governs_accuracy (of the stricter pairs found), calibration_error and brier
        over pairs with a probability, coverage (share decided), errors, calls, tokens, n; curve
        and reliability for plots.
    """
    actual = np.array([row["relation"] == Relation.CONFLICT for row in rows], dtype=float)
    predicted = np.array([row["predicted"] == "conflict" for row in rows], dtype=float)
    score = np.array([row["p_conflict"] or 0.0 for row in rows], dtype=float)
    decided = [row["predicted"] is not None for row in rows]
    stricter = [row for row in rows if row["relation"] == row["predicted"] == "stricter" and row.get("governs")]
    result: dict[str, Any] = {
        "precision": stats.estimate(stats.precision, actual, predicted),
        "recall": stats.estimate(stats.recall, actual, predicted),
        "f1": stats.estimate(stats.f1, actual, predicted),
        **_areas(actual, score),
        "per_kind": _per_kind(rows),
        "per_relation": _per_relation(rows),
        "confusion": _confusion(rows),
        "governs_accuracy": stats.mean([row["predicted_governs"] == row["governs"] for row in stricter]),
        **_calibration(rows),
        "coverage": stats.mean(decided),
        "errors": sum(row["status"] == VerdictStatus.ERROR for row in rows),
        "calls": sum(row["calls"] for row in rows),
        "tokens": sum(row["tokens"] for row in rows),
        "n": len(rows),
    }
    if 0 < actual.sum() < len(actual):
        precisions, recalls, thresholds = precision_recall_curve(actual, score)
        result["curve"] = {
            "precision": precisions.round(4).tolist(),
            "recall": recalls.round(4).tolist(),
            "threshold": thresholds.round(4).tolist(),
        }
    return result


def _per_kind(rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    kinds = {row.get("kind") for row in rows if row["relation"] == Relation.CONFLICT}
    kinds |= {row["predicted_kind"] for row in rows if row["predicted"] == "conflict"}
    found = {}
    for kind in sorted(k for k in kinds if k):
        labelled = [row for row in rows if row["relation"] == Relation.CONFLICT and row.get("kind") == kind]
        named = [row for row in rows if row["predicted"] == "conflict" and row["predicted_kind"] == kind]
        found[kind] = {
            "recall": stats.mean([row["predicted"] == "conflict" for row in labelled]),
            "precision": stats.mean([row["relation"] == Relation.CONFLICT for row in named]),
            "kind_right": stats.mean(
                [row["predicted_kind"] == kind for row in labelled if row["predicted"] == "conflict"]
            ),
            "n": len(labelled),
            "predicted": len(named),
        }
    return found


def _verdict(row: dict[str, Any]) -> str:
    return str(row["predicted"] or row["status"])


def _per_relation(rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    table = precision_recall_fscore_support(
        [row["relation"] for row in rows],
        [_verdict(row) for row in rows],
        labels=list(Relation),
        zero_division=np.nan,
    )
    return {
        relation: {**{n: stats.figure(v)["value"] for n, v in zip(("precision", "recall", "f1"), values,
            strict=True)},
                   "n": int(support)}
        for relation, *values, support in zip(Relation, *table, strict=True)
    }  # fmt: skip


def _confusion(rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    labels = [*Relation, "error"]
    matrix = confusion_matrix([row["relation"] for row in rows], [_verdict(row) for row in rows], labels=labels)
    # Nobody labels a pair as in error: that is a column only.
    return {"actual": list(Relation), "predicted": labels, "matrix": matrix[: len(Relation)].tolist()}


def _calibration(rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    scored = [
        (row["p_conflict"], row["relation"] == Relation.CONFLICT) for row in rows if row["p_conflict"] is not None
    ]
    return stats.calibration([p for p, _ in scored], [actual for _, actual in scored])


def _areas(actual: NDArray[Any], score: NDArray[Any]) -> dict[str, Any]:
    # Thousands of resamples of checked data need not be checked again.
    with sklearn.config_context(skip_parameter_validation=True, assume_finite=True):
        return {
            "pr_auc": stats.estimate(stats.average_precision, actual, score, vectorized=False),
            "auc": stats.estimate(stats.auc, actual, score, vectorized=False),
        }


def _pair(row: dict[str, Any]) -> Pair:
    left, right = (_provision(row, side) for side in ("left", "right"))
    return Pair(pair_key(left.sha256, right.sha256), left, right)


def _provision(row: dict[str, Any], side: str) -> Provision:
    text, context = str(row[side]), str(row.get(f"{side}_context") or "")
    sha256 = hashlib.sha256(f"{context}\n{text}".encode()).hexdigest()
    name = f"{row['id']}#{side}"
    return Provision(section_id=name, unit_id=name, label="", text=text, context=context, sha256=sha256)


def swapped(row: dict[str, Any]) -> dict[str, Any]:
    """Return a pair with its sides exchanged, without its label."""
    return {
        "id": row["id"],
        "left": row["right"],
        "right": row["left"],
        "left_context": row.get("right_context"),
        "right_context": row.get("left_context"),
    }


def _relation_changes(first: Iterable[dict[str, Any]], second: Iterable[dict[str, Any]]) -> list[bool]:
    """Tell for each pair that was decided both times whether its relation differs."""
    both = zip(first, second, strict=True)
    return [a["predicted"] != b["predicted"] for a, b in both if a["predicted"] and b["predicted"]]


def _disagreement(first: Iterable[dict[str, Any]], second: Iterable[dict[str, Any]]) -> dict[str, float | None]:
    return stats.mean(_relation_changes(first, second))
