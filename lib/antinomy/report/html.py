"""The report: one HTML file that needs nothing else, no network and no server.

Everything over the whole run (figures, heat map, topics, bars per chapter) is drawn here; findings and crosswalk
travel as a JSON island and are drawn by the page as they are scrolled to, so that thousands open as fast as ten. A
content security policy allows the page's own script by its hash and nothing else: a provision could not run code even
if it were put into the page unescaped.
"""

from __future__ import annotations

import base64
import hashlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from importlib import resources
from typing import Any

import jinja2
from markupsafe import Markup

from antinomy.coverage import overview
from antinomy.findings.aggregates import Aggregates, Axis
from antinomy.findings.calibration import Calibration
from antinomy.findings.conflict_log import Sealed
from antinomy.findings.decisions import WORDS as DECISION_WORDS
from antinomy.findings.document_names import names
from antinomy.report import coverage_summary
from antinomy.report.page_data import Island
from antinomy.report.topic_graphs import picture
from antinomy.settings.source import POOR

#: Relations in the words of the page.
RELATION_WORDS = {
    "conflict": "Conflict",
    "stricter": "Stricter",
    "definition": "Definition",
    "overlap": "Overlap",
    "none": "No relation",
    "undecided": "Undecided",
}
#: Kinds of difference in the words of the page.
KIND_WORDS = {
    "deadline": "Deadline", "threshold": "Limit or amount", "frequency": "How often", "retention": "Retention period",
    "modality": "Must or may", "actor": "Who must act", "procedure": "Procedure", "scope": "Scope",
    "definition": "Definition", "other": "Other",
}  # fmt: skip
#: States against the previous run in the words of the page.
STATE_WORDS = {"new": "New", "carried": "Carried over", "resolved": "Resolved"}
#: States of the crosswalk in the words of the page, in the order in which they are counted.
COVERAGE_WORDS = {
    "covered": "Covered", "stricter_here": "Stricter than its counterpart", "stricter_there": "Counterpart is stricter",
    "conflict": "Conflict", "partly": "Partly or perhaps", "gap": "Gap",
    "not_decidable": "Not decidable", "left_out": "Left out",
}  # fmt: skip
#: What a stricter rule may be about: the kinds, and tests, in the order of the page.
TOPIC_WORDS = {
    "deadline": "Deadlines", "frequency": "How often", "retention": "Keeping and erasing", "threshold":
    "Amounts and limits", "testing": "Testing", "procedure": "Procedure", "actor": "Who must act",
    "modality": "Must or may", "scope": "Scope", "definition": "Definitions", "other": "Other",
}  # fmt: skip
#: Parts of the page's style sheet and of its one script, in order.
_STYLES = ("report.css", "tabs.css", "coverage.css")
_SCRIPTS = ("dom.js", "listing.js", "findings.js", "coverage.js", "report.js")
#: Shades of the heat map besides none.
_SHADES = 5
#: From so many columns on, their heads stand upright.
_UPRIGHT_FROM = 7


def render(
    findings: Sequence[Mapping[str, Any]],
    run: Mapping[str, Any],
    aggregates: Aggregates,
    documents: Sequence[Mapping[str, Any]],
    coverage: Sequence[Mapping[str, Any]] = (),
    counterparts: Sequence[Mapping[str, Any]] = (),
    near: Sequence[Mapping[str, Any]] = (),
    undecided: Mapping[str, int] | None = None,
    quality: Mapping[str, Mapping[str, float]] | None = None,
    title: str = "",
    folder: str = "",
    reviewed: Mapping[str, Any] | None = None,
    calibration: Calibration | None = None,
    log: Sealed | None = None,
    compared_with: str = "",
) -> str:
    """Render the report.

    Args:
        findings: rows of the ``findings`` table in order of rank, resolved ones last.
        run: the run's manifest, see ``pipeline.manifest``; figures that it lacks are left out. With
            ``pairs_kept`` (verdicts of earlier runs) and ``pairs_repeated`` (pairs with the texts of another).
        aggregates: counts over all findings.
        documents: rows of the ``documents`` table.
        coverage, counterparts: rows of the tables of these names.
        near: rows of ``nearest.nearest``, shown where no conflict is likely.
        undecided: why the judge abstained → pairs, see ``nearest.undecided``.
        quality: measure → ``value``, ``low``, ``high`` against a key of known conflicts, where one was given.
        title: heading of the page; made from the documents' titles if empty.
        folder: local folder that the page is written to; links to local files are made relative to it, so
            that page and files can be moved together.
        reviewed: what reviewers decided of these findings, see ``evaluate.reviewed.measure``.
        calibration: with which the probabilities were corrected.
        log: the conflict log that is written beside the page.
        compared_with: run_id of the previous run, "" if there was none.

    Returns:
        The page.
    """
    island = Island(documents, folder)
    full = {doc["doc_id"]: doc["title"] or doc["doc_id"] for doc in documents}
    titles = names(documents)
    # Whole titles stand in the list of sources; everything else calls the documents as one cites them.
    documents = [dict(doc) | {"title": titles[doc["doc_id"]]} for doc in documents]
    short = _short_titles(documents, titles)
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("antinomy.report"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.policies["json.dumps_kwargs"] = {"ensure_ascii": False, "separators": (",", ":")}
    environment.filters["thousands"] = _thousands
    environment.filters["day"] = _day
    style = "\n".join(map(_asset, _STYLES))
    script = '"use strict";\n(() => {\n' + "\n".join(map(_asset, _SCRIPTS)) + "})();\n"
    left_out = _left_out(run)
    compared = [doc for doc in documents if doc["status"] != "quarantined" and doc["doc_id"] not in left_out]
    counts = aggregates.by_relation
    still_open = [row for row in findings if row["state"] != "resolved"]
    conflicts = [row for row in still_open if row["relation"] == "conflict"]
    likely = sum((row["p_conflict"] or 0.0) >= coverage_summary.LIKELY for row in conflicts)
    counted = coverage_summary.views(coverage)
    sides = coverage_summary.side_names(documents)
    return environment.get_template("report.html.j2").render(
        title=title or _title(compared),
        compared=_compared(compared),
        notices=list(_notices(documents, left_out)),
        left_out=left_out,
        run=run,
        costs=_costs(run),
        aggregates=aggregates,
        # The gravest first, however few they are.
        by_relation={word: counts[name] for name, word in RELATION_WORDS.items() if name in counts},
        heat=_heat_map(aggregates, titles, short),
        picture=picture(
            [
                dict(row) | {f"{side}_label": provision_label(row, side, full) for side in ("left", "right")}
                for row in still_open
            ],
            aggregates.topics,
        ),
        documents=documents,
        titles=titles,
        full=full,
        quality=quality or {},
        words=RELATION_WORDS,
        kinds=KIND_WORDS,
        reviewed=reviewed or {},
        calibration=calibration,
        log=log,
        verdicts=_verdicts(run),
        compared_with=compared_with,
        judges=sorted({(row["judge"], row["model"], row["prompt_sha256"]) for row in findings}),
        undecided=undecided or {},
        views=counted,
        **_matrix(counted),
        short=short,
        picture_sides=_picture_sides(still_open, sides, documents),
        sides=sides,
        lead=coverage_summary.in_words(counted, sides, likely, len(conflicts) - likely),
        likely=likely,
        near=near,
        strictest=[
            topic
            for topic in overview.strictest(coverage, counterparts)
            if len({rule.side for rule in topic.rules}) > 2
        ],
        tabs=_tabs(still_open, counted),
        data=island.data(findings, () if likely else near, coverage, counterparts)
        | {
            "short": short,
            "sides": sides,
            "views": [{"side": view.side, "other": view.other} for view in counted],
            "words": {
                "relation": RELATION_WORDS,
                "kind": KIND_WORDS,
                "state": STATE_WORDS,
                "decision": DECISION_WORDS,
                "coverage": COVERAGE_WORDS,
                "topic": TOPIC_WORDS,
            },
            "likely": coverage_summary.LIKELY,
            "first": not compared_with,
        },
        style=Markup(style),
        script=Markup(script),
        style_hash=_hash(style),
        script_hash=_hash(script),
    )


def _matrix(counted: Sequence[coverage_summary.View]) -> dict[str, Any]:
    """Lay the views out: who is seen against whom."""
    by_side = {(view.side, view.other): view for view in counted}
    order = list(dict.fromkeys([side for side, _ in by_side] + [other for _, other in by_side]))
    return {
        "view_of": by_side,
        "view_index": {pair: n for n, pair in enumerate(by_side)},
        "rows_of_matrix": [name for name in order if any(side == name for side, _ in by_side)],
        "others": [name for name in order if any(other == name for _, other in by_side)],
    }


def _picture_sides(
    rows: Sequence[Mapping[str, Any]], sides: Mapping[str, str], documents: Sequence[Mapping[str, Any]]
) -> str:
    """Say which side the squares and the circles of the picture stand for."""
    regime = {doc["doc_id"]: doc["regime"] for doc in documents}
    squares, circles = (
        " and ".join(dict.fromkeys(sides[regime[row[f"{side}_doc"]]] for row in rows)) for side in ("left", "right")
    )
    return f"Squares are provisions of {squares}, circles of {circles}"


def _tabs(
    still_open: Sequence[Mapping[str, Any]], counted: Sequence[coverage_summary.View]
) -> dict[str, tuple[str, int]]:
    """Return id → name of each tab that lists something, and how much."""
    of = Counter(row["relation"] for row in still_open)
    states = sum((view.states for view in counted), Counter[str]())
    listed = {
        "conflicts": ("Conflicts", of["conflict"]),
        "definitions": ("Definitions", of["definition"]),
        "stricter": ("Stricter rule", of["stricter"]),
    }
    if counted:
        listed["crosswalk"] = ("Crosswalk", states.total() - states["left_out"])
        listed["gaps"] = ("Gaps", states["gap"])
    return listed


def _thousands(n: float) -> str:
    return f"{n:,}".replace(",", "\u202f")


def _day(moment: str) -> str:
    at = datetime.fromisoformat(moment)
    return f"{at.day} {at:%B %Y}"


def _asset(name: str) -> str:
    return (resources.files("antinomy.report") / "templates" / name).read_text("utf-8")


def _hash(source: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(source.encode()).digest()).decode()


def _left_out(run: Mapping[str, Any]) -> dict[str, str]:
    """Return the documents of which nothing was compared, and why."""
    counts = run.get("stages", {}).get("embed", {}).get("counts", {})
    return dict.fromkeys(counts.get("without_provisions", ()), "no provision was recognised in it") | dict.fromkeys(
        counts.get("not_in_force", ()), "it was not in force on the day asked for"
    )


def _notices(documents: Sequence[Mapping[str, Any]], left_out: Mapping[str, str]) -> Iterator[str]:
    """Say which documents are not in the comparison as a reader would expect."""
    for doc in documents:
        name = doc["title"] or doc["doc_id"]
        if doc["status"] == "quarantined":
            yield f"{name} could not be read; nothing of it was compared."
        elif doc["doc_id"] in left_out:
            yield f"Nothing of {name} was compared: {left_out[doc['doc_id']]}."
        elif (doc.get("structure") or 1.0) < POOR:
            yield (
                f"The structure of {name} was recognised poorly ({100 * doc['structure']:.0f} %; see Sources): "
                "provisions may be cited from the wrong place, or be compared in one piece with others."
            )
        elif places := doc.get("breaks"):
            where = f"in {len(places)} places" if len(places) > 1 else "in one place"
            yield (
                f"The numbers of {name} do not follow each other {where} (see Sources): a provision may be cited from "
                "the wrong place."
            )


def _title(documents: Sequence[Mapping[str, Any]]) -> str:
    """Name all that was compared: a regime of one document by its title, another by how many it has."""
    regimes = _by_regime(documents)
    if len(regimes) == 1 and len(documents) == 2:
        return " and ".join(doc["title"] or doc["doc_id"] for doc in documents)
    sides = []
    for regime, of_regime in regimes.items():
        several = f"{len(of_regime)} {regime.upper()} documents"
        sides.append(several if len(of_regime) > 1 else of_regime[0]["title"] or of_regime[0]["doc_id"])
    return " and ".join(sides) or "No documents"


def _compared(documents: Sequence[Mapping[str, Any]]) -> str:
    if all(doc["regime"] == doc["doc_id"] for doc in documents):
        return f"{len(documents)} documents"
    counted = {regime.upper(): len(of_regime) for regime, of_regime in _by_regime(documents).items()}
    return " and ".join(f"{n} {regime} document{'s' if n != 1 else ''}" for regime, n in counted.items())


def _by_regime(documents: Sequence[Mapping[str, Any]]) -> dict[str, list[Mapping[str, Any]]]:
    grouped: dict[str, list[Mapping[str, Any]]] = {}
    for doc in documents:
        grouped.setdefault(doc["regime"], []).append(doc)
    return grouped


def provision_label(row: Mapping[str, Any], side: str, titles: Mapping[str, str]) -> str:
    """Take the document's title off a finding's label: what shows it names the document beside it."""
    label: str = row[f"{side}_label"]
    return label.removeprefix(f"{titles.get(row[f'{side}_doc'])}, ")


def _costs(run: Mapping[str, Any]) -> dict[str, Any]:
    """Work out what the run cost against a comparison of everything with everything."""
    pairs, full = run.get("pairs"), run.get("full_comparison_calls")
    tokens = sum(run.get(name) or 0 for name in ("input_tokens", "output_tokens"))
    judged = run.get("pairs_judged") or 0
    return {
        "saving": f"{100 * pairs / full:.2f} % of all, {_thousands(round(full / pairs))} times fewer"
        if pairs and full
        else "",
        "tokens": tokens,
        # What was judged now gives the price of a pair; cached verdicts cost nothing today.
        "full_tokens": round(tokens / judged * full) if tokens and judged and full else None,
    }


def _verdicts(run: Mapping[str, Any]) -> dict[str, int]:
    """Count what the judge said of all candidate pairs, in the words of the page; those without an answer last."""
    counts: Mapping[str, int] = run.get("stages", {}).get("judge", {}).get("counts", {}).get("relations", {})
    said = {word: counts[name] for name, word in RELATION_WORDS.items() if counts.get(name)}
    return said | ({"No answer": run["errors"]} if run.get("errors") else {})


def _short_titles(documents: Sequence[Mapping[str, Any]], titles: Mapping[str, str]) -> dict[str, str]:
    """Drop the words that all titles of a regime start with: booklets of one handbook differ at the end."""
    short: dict[str, str] = {}
    for regime in {doc["regime"] for doc in documents}:
        of_regime = [doc["doc_id"] for doc in documents if doc["regime"] == regime]
        split = [titles[doc_id].split(" ") for doc_id in of_regime]
        same = next((n for n, words in enumerate(zip(*split, strict=False)) if len(set(words)) > 1), 0)
        short |= {doc_id: " ".join(words[same:]) for doc_id, words in zip(of_regime, split, strict=True)}
    return short


def _axis_name(axis: Axis, titles: Mapping[str, str]) -> str:
    return f"chapter of {titles[axis.documents[0]]}" if len(axis.documents) == 1 else "document"


def _heat_map(aggregates: Aggregates, titles: Mapping[str, str], short: Mapping[str, str]) -> dict[str, Any]:
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
        lines.append({"row": row, "name": short.get(row, row), "full": titles.get(row, row), "cells": cells})
    return {
        "row_filter": rows_at.column, "column_filter": columns_at.column, "rows": lines,
        "heads": [(v, short.get(v, v), titles.get(v, v)) for v in columns_at.values],
        "upright": len(columns_at.values) >= _UPRIGHT_FROM,
        "down": _axis_name(rows_at, titles), "across": _axis_name(columns_at, titles),
    }  # fmt: skip
