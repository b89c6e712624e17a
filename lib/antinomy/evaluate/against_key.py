"""How good is a run? Its candidates and findings against the pairs that are known to be there."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from antinomy.evaluate import keys, stats
from antinomy.vocabulary import Relation

#: Ranks at which the candidates are counted.
KS = (1, 3, 5, 10, 20)
#: Budgets of calls at which they are counted, besides that of the run.
CALLS = (50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000)

_Pair = frozenset[str]
_Rows = Mapping[_Pair, Mapping[str, Any]]


def against_key(
    findings: Iterable[Mapping[str, Any]],
    similar: Iterable[Mapping[str, Any]],
    key: Iterable[Mapping[str, Any]],
) -> dict[str, Any]:
    """Measure a run on documents whose conflicts are known.

    A finding of relation conflict is right if the key has its pair of sections as a conflict, else it is
    false, also where the key says nothing of the pair: the key is complete for conflicts. Which side is left
    is ignored. Where the run compares a paragraph as a whole, a pair of its points counts as one of the paragraph, with
    the gravest relation if there are several.

    Args:
        findings: left_id, right_id, relation, kind; rows of ``findings`` or ``verdicts``.
        similar: left_id, right_id, rank_left, rank_right, score; the candidates.
        key: left, right (section ids), relation, kind.

    Returns:
        ``precision``, ``recall``, ``f1`` of the conflicts; ``per_kind`` (recall and n by the key's kind);
        ``false`` (findings of conflict that are none, with the key's relation or None) and ``missed``
        (conflicts of the key that were not found, and whether they were candidates at all); ``relations``
        (share of the key's pairs that got the key's relation); ``candidates``: share of the key's conflicts
        among the candidates (``recall``), among those up to rank k (``recall_at``) and among the best n
        (``recall_at_calls``), and the least n that holds all, 95 % and 90 % of them (``calls_for_all``,
        ``calls_for_95``, ``calls_for_90``; None if they are not all there).
    """
    similar, findings = list(similar), list(findings)
    compared = {row[side] for row in (*similar, *findings) for side in ("left_id", "right_id")}
    known: dict[_Pair, dict[str, Any]] = {}
    gravest_last = {name: gravity for gravity, name in enumerate(reversed(Relation))}
    for row in sorted(keys.at_compared(key, compared), key=lambda row: gravest_last.get(row["relation"], -1)):
        known[_pair(row, "left", "right")] = row
    planted = {pair for pair, row in known.items() if row["relation"] == Relation.CONFLICT}
    found: dict[_Pair, dict[str, Any]] = {_pair(row, "left_id", "right_id"): dict(row) for row in findings}
    claimed = {pair for pair, row in found.items() if row["relation"] == Relation.CONFLICT}
    candidates = _best_first(similar)
    universe = sorted(planted | claimed, key=sorted)
    actual = [pair in planted for pair in universe]
    predicted = [pair in claimed for pair in universe]
    return {
        "precision": stats.mean([pair in planted for pair in sorted(claimed, key=sorted)]),
        "recall": stats.mean([pair in claimed for pair in sorted(planted, key=sorted)]),
        "f1": stats.estimate(stats.f1, actual, predicted) if universe else stats.figure(math.nan),
        "per_kind": _per_kind(known, planted, claimed),
        "false": [
            {**_sides(found[pair]), "key_relation": known.get(pair, {}).get("relation")}
            for pair in sorted(claimed - planted, key=sorted)
        ],
        "missed": _missed(known, planted - claimed, {pair for pair, _ in candidates}),
        "relations": _relations(known, found),
        "candidates": _candidates(planted, candidates),
        "n": len(planted),
        "found": len(claimed & planted),
    }


def _per_kind(known: _Rows, planted: set[_Pair], claimed: set[_Pair]) -> dict[str, Any]:
    of_kind: dict[str, list[_Pair]] = {}
    for pair in planted:
        of_kind.setdefault(str(known[pair].get("kind")), []).append(pair)
    return {
        kind: {"recall": stats.mean([pair in claimed for pair in pairs]), "n": len(pairs)}
        for kind, pairs in sorted(of_kind.items())
    }


def _missed(known: _Rows, missed: set[_Pair], candidates: set[_Pair]) -> list[dict[str, Any]]:
    return [
        {
            "left": known[pair]["left"],
            "right": known[pair]["right"],
            "kind": known[pair].get("kind"),
            "candidate": pair in candidates,
        }
        for pair in sorted(missed, key=sorted)
    ]


def _relations(known: _Rows, found: _Rows) -> dict[str, Any]:
    of_relation: dict[str, list[_Pair]] = {}
    for pair, row in known.items():
        of_relation.setdefault(str(row["relation"]), []).append(pair)
    return {
        relation: {
            "share": stats.mean([found.get(pair, {}).get("relation") == relation for pair in pairs]),
            "n": len(pairs),
        }
        for relation, pairs in sorted(of_relation.items())
    }


def _candidates(planted: set[_Pair], candidates: Sequence[tuple[_Pair, float]]) -> dict[str, Any]:
    ranks = dict(candidates)
    positions = {pair: position for position, (pair, _) in enumerate(candidates, start=1)}
    return {
        "n": len(candidates),
        "recall": stats.mean([pair in positions for pair in planted]),
        "recall_at": {str(k): stats.mean([ranks.get(pair, math.inf) <= k for pair in planted])["value"] for k in KS},
        "calls_for_all": _candidates_needed(planted, positions, 1.0),
        "calls_for_95": _candidates_needed(planted, positions, 0.95),
        "calls_for_90": _candidates_needed(planted, positions, 0.9),
        "recall_at_calls": {
            str(n): stats.mean([positions.get(pair, math.inf) <= n for pair in planted])["value"]
            for n in (*(c for c in CALLS if c < len(candidates)), len(candidates))
        },
    }


def _pair(row: Mapping[str, Any], left: str, right: str) -> _Pair:
    return frozenset((row[left], row[right]))


def _sides(row: Mapping[str, Any]) -> dict[str, Any]:
    return {"left": row["left_id"], "right": row["right_id"], "kind": row.get("kind")}


def _best_first(similar: Iterable[Mapping[str, Any]]) -> list[tuple[_Pair, float]]:
    """Candidates with their better rank, best first: by rank, then by score."""
    rows = [
        (min(row[side] for side in ("rank_left", "rank_right") if row[side] is not None), -row["score"], row)
        for row in similar
    ]
    rows.sort(key=lambda entry: (entry[0], entry[1], entry[2]["left_id"], entry[2]["right_id"]))
    return [(_pair(row, "left_id", "right_id"), float(rank)) for rank, _, row in rows]


def _candidates_needed(planted: set[_Pair], positions: dict[_Pair, int], share: float) -> int | None:
    """Return after how many candidates a share of the planted pairs has come, None if it never does."""
    needed = math.ceil(share * len(planted))
    reached = sorted(positions[pair] for pair in planted if pair in positions)
    return reached[needed - 1] if 0 < needed <= len(reached) else None
