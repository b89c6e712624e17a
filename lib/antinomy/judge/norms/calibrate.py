"""Fit the weights of the norms judge on labelled pairs: ``python -m antinomy.judge.norms.calibrate F.jsonl …``.

Prints the YAML of ``weights.yaml``. A labelled pair has ``left``, ``right``, ``relation`` and, for stricter,
``governs``. Each file counts the same however long it is, so that no one writer's habits prevail.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import yaml
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler

from antinomy.judge.norms.candidates import SOURCES, Candidate, candidates
from antinomy.judge.norms.decide import conflict_values, weights
from antinomy.judge.norms.view import view

Row = dict[str, Any]
#: Inputs of each model; small and interpretable on purpose.
INPUTS = {
    "measure": (
        "host", "wording", "similarity", "swap", "order", "parallel_swap", "like_clock", "condition", "shared",
        "defines",
    ),
    "force": (
        "host", "wording", "similarity", "swap", "parallel_swap", "clause_swap", "strength", "addressee", "object",
        "condition", "shared", "defines",
    ),
    "pole": (
        "host", "similarity", "swap", "parallel_swap", "clause_swap", "strength", "object", "condition", "defines",
    ),
    "only": ("host", "similarity", "swap", "strength", "defines"),
    "conflict": (
        "similarity", "parallel_swap", "best_conflict", "best_stricter", "both_define", "one_definition",
        "exclusive_differs", "bans_differ", "equal_measures",
    ),
}  # fmt: skip


def fit(
    inputs: Sequence[str], rows: Sequence[dict[str, float]], right: Sequence[bool], weight: Sequence[float]
) -> dict[str, float]:
    """Return bias and weights of a logistic regression, on the inputs' own scale."""
    x = np.array([[row[name] for name in inputs] for row in rows])
    scaler = StandardScaler().fit(x)
    model = LogisticRegression(C=0.1, max_iter=2000).fit(
        scaler.transform(x), np.array(right), sample_weight=np.array(weight)
    )
    slope = model.coef_[0] / scaler.scale_
    bias = float(model.intercept_[0] - (slope * scaler.mean_).sum())
    return {"bias": round(bias, 3)} | {name: round(float(s), 3) for name, s in zip(inputs, slope, strict=True)}


def is_right(candidate: Candidate, row: Row) -> bool:
    """Whether a piece of evidence says what the label says."""
    same = candidate.typed.relation == row["relation"]
    return same and (row["relation"] != "stricter" or candidate.typed.governs == row.get("governs"))


def calibrate(files: Sequence[Sequence[Row]]) -> dict[str, Any]:
    """Return weights and thresholds fitted on files of labelled pairs."""
    models: dict[str, Any] = dict(weights())
    share = {id(row): 1000.0 / len(rows) for rows in files for row in rows}
    labelled = [row for rows in files for row in rows]
    for source in SOURCES:
        if source not in INPUTS:
            continue
        chosen: list[tuple[Candidate, Row]] = []
        for row in labelled:
            own = [c for c in candidates(view(row["left"], row["right"])) if c.source == source]
            if own:
                chosen.append((max(own, key=lambda c: c.values["host"] * c.typed.weight), row))
        models[source] = fit(
            INPUTS[source], [c.values for c, _ in chosen], [is_right(c, r) for c, r in chosen],
            [share[id(r)] for _, r in chosen],
        )  # fmt: skip
    models["conflict"] = fit(
        INPUTS["conflict"], [conflict_values(view(r["left"], r["right"]), models) for r in labelled],
        [r["relation"] == "conflict" for r in labelled], [share[id(r)] for r in labelled],
    )  # fmt: skip
    return models


def main(paths: Sequence[str]) -> None:
    """Print the fitted weights as YAML, with what they were fitted on."""
    files = [[json.loads(line) for line in Path(p).read_text("utf-8").splitlines() if line.strip()] for p in paths]
    used = ", ".join(f"{Path(p).name} ({len(rows)})" for p, rows in zip(paths, files, strict=True))
    print(
        "# Log-odds weights of the evidence, fitted by antinomy.judge.norms.calibrate; the thresholds are set by hand."
    )
    print(f"# Fitted on (pairs): {used}.")
    yaml.safe_dump(calibrate(files), sys.stdout, sort_keys=False, default_flow_style=None, width=118)


if __name__ == "__main__":
    main(sys.argv[1:])
