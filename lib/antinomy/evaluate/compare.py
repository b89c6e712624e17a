"""Is one judge better than another? Two judged files over the same pairs."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.metrics import cohen_kappa_score

from antinomy.errors import AntinomyError
from antinomy.evaluate import stats
from antinomy.store import records
from antinomy.vocabulary import Relation


def compare(first: str, second: str) -> dict[str, Any]:
    """Compare two files that ``pairs`` wrote, pair by pair.

    Args:
        first: path or URI of judged pairs.
        second: another judge's, over the same pairs.

    Returns:
        For the decision conflict or not: ``mcnemar`` (see ``stats.mcnemar``), ``first`` and ``second``
        (precision, recall, f1 of each), ``difference`` (second minus first, with the interval over the
        pairs), ``kappa`` (agreement of the relations beyond chance), ``n``.

    Raises:
        AntinomyError: if the files are not over the same pairs with the same labels.
    """
    one, two = _read_judged(first), _read_judged(second)
    if one.keys() != two.keys():
        odd = sorted(one.keys() ^ two.keys())
        raise AntinomyError(
            f"{first} and {second} are not over the same pairs: {len(odd)} are in one only, such as "
            f"{odd[0]}; judge the same labelled file with both"
        )
    names = sorted(one)
    relabelled = [name for name in names if one[name]["relation"] != two[name]["relation"]]
    if relabelled:
        raise AntinomyError(
            f"{first} and {second} label pair {relabelled[0]} differently: judge the same file with both"
        )
    actual = np.array([one[name]["relation"] == Relation.CONFLICT for name in names], dtype=float)
    predictions = [
        np.array([rows[name]["predicted"] == "conflict" for name in names], dtype=float) for rows in (one, two)
    ]
    metrics = {"precision": stats.precision, "recall": stats.recall, "f1": stats.f1}
    relations = [[rows[name]["predicted"] or rows[name]["status"] for name in names] for rows in (one, two)]
    kappa = float(cohen_kappa_score(*relations)) if len({*relations[0], *relations[1]}) > 1 else np.nan
    return {
        "mcnemar": stats.mcnemar(list(predictions[0] == actual), list(predictions[1] == actual)),
        "first": {name: stats.estimate(metric, actual, predictions[0]) for name, metric in metrics.items()},
        "second": {name: stats.estimate(metric, actual, predictions[1]) for name, metric in metrics.items()},
        "difference": {name: stats.difference(metric, actual, *predictions) for name, metric in metrics.items()},
        "kappa": stats.figure(kappa)["value"],
        "n": len(names),
    }


def _read_judged(uri: str) -> dict[str, dict[str, Any]]:
    relation = records.choice_check("relation", tuple(Relation))
    predicted = records.choice_check("predicted", tuple(Relation), required=False)
    rows = records.read(uri, ("id", "status"), lambda record: relation(record) or predicted(record))
    return {row["id"]: row for row in rows}
