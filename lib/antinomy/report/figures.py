"""Figures of the page over the whole run: heat map, matrix of the sides, costs, what the judge said."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from antinomy.findings.aggregates import Aggregates, Axis
from antinomy.judge.result import JudgeResult
from antinomy.report import coverage_summary
from antinomy.report.words import NO_ANSWER, RELATION_WORDS, thousands
from antinomy.run.manifest import Manifest
from antinomy.store.rows import DocumentRow

#: Shades of the heat map besides none.
_SHADES = 5
#: From this number of columns on, headings are vertical.
_UPRIGHT_FROM = 7


def heat_map(aggregates: Aggregates, titles: Mapping[str, str], short: Mapping[str, str]) -> dict[str, Any]:
    """Lay out the counts of conflicts by chapter or document of both sides, with a shade for each cell."""
    # A chapter is its own name; a document has a long and a short one.
    rows_at, columns_at = aggregates.rows, aggregates.columns
    most = max((cell.get("conflict", 0) for cell in aggregates.cells.values()), default=0)
    lines = []
    for row in rows_at.values:
        cells = []
        for column in columns_at.values:
            counts = aggregates.cells.get((row, column), {})
            conflicts = counts.get("conflict", 0)
            cells.append(
                {
                    "column": column, "conflicts": conflicts, "others": sum(counts.values()) - conflicts,
                    "shade": -(-conflicts * _SHADES // most) if conflicts else 0,
                    "label": f"{titles.get(row, row)} × {titles.get(column, column)}",
                }
            )  # fmt: skip
        lines.append({"row": row, "name": _unquoted(short.get(row, row)), "full": titles.get(row, row), "cells": cells})
    return {
        "row_filter": rows_at.column, "column_filter": columns_at.column, "rows": lines,
        "heads": [(v, _unquoted(short.get(v, v)), titles.get(v, v)) for v in columns_at.values],
        "upright": len(columns_at.values) >= _UPRIGHT_FROM,
        "down": _axis_name(rows_at, titles), "across": _axis_name(columns_at, titles),
    }  # fmt: skip


def _unquoted(name: str) -> str:
    """Return a heading without the quotation marks of a label: they read badly in vertical text."""
    whole = name.startswith("“") and name.endswith("”") and "”" not in name[:-1]
    return name[1:-1] if whole else name


def _axis_name(axis: Axis, titles: Mapping[str, str]) -> str:
    return f"chapter of {titles[axis.documents[0]]}" if len(axis.documents) == 1 else "document"


def coverage_matrix(counted: Sequence[coverage_summary.View]) -> dict[str, Any]:
    """Arrange the views as a matrix of sides."""
    by_side = {(view.side, view.other): view for view in counted}
    order = list(dict.fromkeys([side for side, _ in by_side] + [other for _, other in by_side]))
    return {
        "view_of": by_side,
        "view_index": {pair: n for n, pair in enumerate(by_side)},
        "rows_of_matrix": [name for name in order if any(side == name for side, _ in by_side)],
        "others": [name for name in order if any(other == name for _, other in by_side)],
    }


def picture_sides(rows: Sequence[Mapping[str, Any]], sides: Mapping[str, str], documents: Sequence[DocumentRow]) -> str:
    """Return the caption that says which side the squares and circles stand for."""
    regime = {doc["doc_id"]: doc["regime"] for doc in documents}
    squares, circles = (
        " and ".join(dict.fromkeys(sides[regime[row[f"{side}_doc"]]] for row in rows)) for side in ("left", "right")
    )
    return f"Squares are provisions of {squares}, circles of {circles}"


def comparison_costs(run: Manifest) -> dict[str, Any]:
    """Work out what the run cost against a comparison of everything with everything."""
    pairs, full = run.pairs, run.full_comparison_calls
    tokens = (run.input_tokens or 0) + (run.output_tokens or 0)
    judged = run.pairs_judged or 0
    return {
        "saving": f"{100 * pairs / full:.2f} % of all, {thousands(round(full / pairs))} times fewer"
        if pairs and full
        else "",
        "tokens": tokens,
        # What was judged now gives the price of a pair; cached verdicts cost nothing today.
        "full_tokens": round(tokens / judged * full) if tokens and judged and full else None,
    }


def count_verdicts(run: Manifest) -> dict[str, int]:
    """Count what the judge said of all candidate pairs, in the words of the page; those without an answer last."""
    judged = run.result(JudgeResult)
    counts = judged.relations if judged else {}
    by_relation = {word: counts[name] for name, word in RELATION_WORDS.items() if counts.get(name)}
    return by_relation | ({RELATION_WORDS[NO_ANSWER]: run.errors} if run.errors else {})
