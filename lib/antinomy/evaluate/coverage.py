"""Does coverage tell gaps from covered provisions, and name the counterpart? Against experts' crosswalks or a key."""

from __future__ import annotations

import random
import time
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from antinomy.coverage.build import build
from antinomy.errors import AntinomyError
from antinomy.evaluate import keys, stats
from antinomy.evaluate.lists import LEFT, RIGHT, compare_lists
from antinomy.evaluate.retrieval import read_gold, read_texts
from antinomy.judge.protocol import Judge
from antinomy.settings import EmbedSettings, Settings
from antinomy.settings.link import LinkSettings
from antinomy.store import tables
from antinomy.store.rows import CounterpartRow, CoverageRow
from antinomy.vocabulary import CoverageState, Relation

#: Places among which the true counterpart is looked for.
_PLACES = (1, 5)
#: Relations of a key that make two provisions counterparts.
_RELATED = frozenset(Relation) - {Relation.NONE}
#: Share of the left texts that lose all their counterparts where gaps are made.
_GAPS = 0.5


def crosswalk(
    left: str,
    right: str,
    gold: str,
    judge: Judge,
    link: LinkSettings,
    embed: EmbedSettings,
    make_gaps: int | None = None,
) -> dict[str, Any]:
    """Measure coverage on two lists of statements that experts have mapped.

    The statements pass through the run's own channels, fusion, judge and coverage, each as a duty of a firm.

    Args:
        left: JSON lines {id, text, context (optional)}; those without gold have no counterpart.
        right: as left.
        gold: JSON lines {left_id, right_id}.
        judge: asked about the candidates.
        link, embed: of the stages.
        make_gaps: seed; right texts are left out until half of the left texts with gold have none of theirs any more,
            and left texts that never had any are left out too. For a crosswalk that maps everything. None: nothing is.

    Returns:
        See ``measure``; and what was compared.

    Raises:
        AntinomyError: for a file that is not as described.
    """
    lefts, rights = read_texts(left), read_texts(right)
    wanted = read_gold(gold, lefts, rights)
    if make_gaps is not None:
        gone = _with_removed(wanted, make_gaps)
        lefts = {name: text for name, text in lefts.items() if name in wanted}
        rights = {name: text for name, text in rights.items() if name not in gone}
        wanted = {name: kept for name, found in wanted.items() if (kept := found - gone)}
    started = time.monotonic()
    found = compare_lists(lefts, rights, link, embed, judge)
    rows, counterparts = build(
        found["verdicts"], found["units"], found["sections"], found["similar"], found["documents"],
        found["embeddings"], link.model_copy(update={"groups": "regimes", "left": ()}),
    )  # fmt: skip
    true = {f"{LEFT}#{name}": {f"{RIGHT}#{other}" for other in others} for name, others in wanted.items()}
    predicted_gap = [row for row in rows if row["side"] == LEFT]
    return measure(predicted_gap, counterparts, true) | {
        "left": len(lefts), "right": len(rights), "candidate_pairs": found["similar"].num_rows,
        "judge": judge.name, "seconds": round(time.monotonic() - started, 1),
    }  # fmt: skip


def _with_removed(wanted: Mapping[str, set[str]], seed: int) -> set[str]:
    order = sorted(wanted)
    random.Random(seed).shuffle(order)
    gone: set[str] = set()
    for name in order:
        if sum(found <= gone for found in wanted.values()) >= _GAPS * len(wanted):
            break
        gone |= wanted[name]
    return gone


def run(settings: Settings) -> dict[str, Any]:
    """Measure the coverage of a run against the key that its settings name, from both sides.

    Provisions that the run leaves out, since they demand nothing of a firm, are not measured.

    Returns:
        Side → see ``measure``.

    Raises:
        AntinomyError: if there is no key, or it is not as described.
        StorageError: if the run has no coverage.
    """
    if not settings.evaluate.key:
        raise AntinomyError(
            "evaluate.key is not set: name a JSON-lines file of known pairs (left, right, relation), "
            "or give --left, --right and --gold"
        )
    rows = tables.read_rows(settings.warehouse, "coverage", settings.run_id)
    true: dict[str, set[str]] = {}
    for row in keys.at_compared(keys.read(settings.evaluate.key), {row["section_id"] for row in rows}):
        if row["relation"] in _RELATED:
            true.setdefault(row["left"], set()).add(row["right"])
            true.setdefault(row["right"], set()).add(row["left"])
    counterparts = tables.read_rows(settings.warehouse, "counterparts", settings.run_id)
    sides = list(dict.fromkeys(row["side"] for row in rows))
    judged = [row for row in rows if row["state"] != CoverageState.LEFT_OUT]
    return {side: measure([r for r in judged if r["side"] == side], counterparts, true) for side in sides}


def measure(
    rows: Sequence[CoverageRow], counterparts: Iterable[CounterpartRow], true: Mapping[str, set[str]]
) -> dict[str, Any]:
    """Compare rows of coverage with the true counterparts.

    Args:
        rows: of ``coverage``, those that are measured.
        counterparts: of the table.
        true: section_id → its true counterparts; a provision that is not there is a gap.

    Returns:
        ``auc`` and ``average_precision`` of the ranking by 1 − p_covered, a gap being what is looked for (a provision
        without p_covered ranks as the surest gap); ``named``: share of the covered ones whose true counterpart stands
        at place 1, or among five; ``gap_precision`` and ``gap_recall`` of the state ``gap``; ``reliability`` of
        p_covered with its calibration error and Brier score; ``states`` by truth; ``n``, ``gaps``.
    """
    if not rows:
        raise AntinomyError("nothing to measure: there are no rows of coverage")
    places: dict[str, dict[str, int]] = {}
    for row in counterparts:
        places.setdefault(row["section_id"], {})[row["counterpart_id"]] = row["place"]
    gap = np.array([row["section_id"] not in true for row in rows])
    p = np.array([0.0 if row["p_covered"] is None else row["p_covered"] for row in rows])
    predicted_gap = np.array([row["state"] == CoverageState.GAP for row in rows])
    best = [
        min((places.get(row["section_id"], {}).get(name, 10**6) for name in true[row["section_id"]]), default=10**6)
        for row in rows
        if row["section_id"] in true
    ]
    known = np.array([row["p_covered"] is not None for row in rows])
    both = bool(gap.any() and not gap.all())
    return {
        "n": len(rows),
        "gaps": int(gap.sum()),
        "auc": stats.estimate(stats.auc, gap, 1 - p, vectorized=False) if both else stats.figure(np.nan),
        "average_precision": (
            stats.estimate(stats.average_precision, gap, 1 - p, vectorized=False) if both else stats.figure(np.nan)
        ),
        "named": {str(k): stats.mean([place <= k for place in best]) for k in _PLACES},
        "gap_precision": stats.mean(gap[predicted_gap]),
        "gap_recall": stats.mean(predicted_gap[gap]),
        "states": {
            f"{name}: {truth}": count
            for name in CoverageState
            for truth, which in (("covered", ~gap), ("gap", gap))
            if (count := sum(row["state"] == name for row, of in zip(rows, which, strict=True) if of))
        },
        **stats.calibration(p[known], ~gap[known]),
    }
