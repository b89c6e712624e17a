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
from dataclasses import dataclass, field
from datetime import datetime
from importlib import resources
from typing import Any

import jinja2
from markupsafe import Markup

from antinomy.coverage import overview
from antinomy.findings.aggregates import Aggregates
from antinomy.findings.calibration import Calibration
from antinomy.findings.conflict_log import VerifiedLog
from antinomy.findings.decisions import WORDS as DECISION_WORDS
from antinomy.findings.document_names import full_titles, names
from antinomy.judge.result import JudgeResult
from antinomy.report import coverage_summary, figures
from antinomy.report.page_data import PageData
from antinomy.report.titles import count_by_regime, page_heading, provision_label, short_titles
from antinomy.report.topic_graphs import Picture, layout_topics
from antinomy.report.words import COVERAGE_WORDS, KIND_WORDS, RELATION_WORDS, STATE_WORDS, TOPIC_WORDS, thousands
from antinomy.run.manifest import Manifest
from antinomy.settings.source import POOR
from antinomy.store.rows import CounterpartRow, CoverageRow, DocumentRow, FindingRow
from antinomy.vocabulary import Decision, DocumentStatus, FindingState, Relation

#: Parts of the page's style sheet and of its one script, in order.
_STYLES = ("report.css", "tabs.css", "coverage.css")
_SCRIPTS = ("dom.js", "listing.js", "findings.js", "coverage.js", "report.js")

#: Least probability of a pair that is shown after likely conflicts: of such pairs that are no findings, on twelve pairs
#: of invented regulations, one in four is a conflict (docs/evaluation.md).
_NEXT = 0.1


@dataclass(frozen=True, kw_only=True)
class Content:
    """What the page shows.

    Attributes:
        findings: rows of the ``findings`` table in order of rank, resolved ones last.
        run: the run's manifest; figures that it lacks are left out.
        aggregates: counts over all findings.
        documents: rows of the ``documents`` table.
        coverage, counterparts: rows of the tables of these names.
        near: rows of ``nearest_pairs.nearest_pairs``; beside likely conflicts only those from ``_NEXT`` on are shown.
        quality: measure → ``value``, ``low``, ``high`` against a key of known conflicts, where one was given.
        title: heading of the page; made from the documents' titles if empty.
        folder: local folder that the page is written to; links to local files are made relative to it, so
            that page and files can be moved together.
        reviewed: what reviewers decided of these findings, see ``evaluate.reviewed.measure``.
        calibration: with which the probabilities were corrected.
        log: the conflict log that is written beside the page.
        compared_with: run_id of the previous run, "" if there was none.
        pairs_kept: pairs with a verdict of an earlier run.
        pairs_repeated: pairs with the texts of another.
    """

    findings: Sequence[FindingRow]
    run: Manifest
    aggregates: Aggregates
    documents: Sequence[DocumentRow]
    coverage: Sequence[CoverageRow] = ()
    counterparts: Sequence[CounterpartRow] = ()
    near: Sequence[Mapping[str, Any]] = ()
    quality: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    title: str = ""
    folder: str = ""
    reviewed: Mapping[str, Any] = field(default_factory=dict)
    calibration: Calibration | None = None
    log: VerifiedLog | None = None
    compared_with: str = ""
    pairs_kept: int = 0
    pairs_repeated: int = 0


def render(content: Content) -> str:
    """Return the page."""
    style = "\n".join(map(_read_asset, _STYLES))
    script = '"use strict";\n(() => {\n' + "\n".join(map(_read_asset, _SCRIPTS)) + "})();\n"
    assets = {
        "style": Markup(style),
        "script": Markup(script),
        "style_hash": _csp_hash(style),
        "script_hash": _csp_hash(script),
    }
    return _environment().get_template("report.html.j2").render(vars(content) | _variables(content) | assets)


def _variables(content: Content) -> dict[str, Any]:
    """Return the template's variables, besides the attributes of ``Content`` and the assets."""
    run, aggregates = content.run, content.aggregates
    titles = names(content.documents)
    # Whole titles stand in the list of sources; everything else calls the documents as one cites them.
    documents: list[DocumentRow] = [{**doc, "title": titles[doc["doc_id"]]} for doc in content.documents]
    short = short_titles(documents, titles)
    sides = coverage_summary.side_names(documents)
    left_out = run.left_out()
    compared = [
        doc for doc in documents if doc["status"] != DocumentStatus.QUARANTINED and doc["doc_id"] not in left_out
    ]
    still_open = [row for row in content.findings if row["state"] != FindingState.RESOLVED]
    standing = [row for row in still_open if row["decision"] != Decision.REJECT]
    conflicts = [row for row in standing if row["relation"] == Relation.CONFLICT]
    likely = sum((row["p_conflict"] or 0.0) >= coverage_summary.LIKELY for row in conflicts)
    near = [row for row in content.near if not likely or row["p_conflict"] >= _NEXT]
    views = coverage_summary.count_views(content.coverage)
    judged = run.result(JudgeResult)
    strictest = overview.strictest(content.coverage, content.counterparts)
    return figures.coverage_matrix(views) | {
        "title": content.title or page_heading(compared),
        "compared": count_by_regime(compared),
        "notices": list(_notices(documents, left_out)),
        "left_out": left_out,
        "costs": figures.comparison_costs(run),
        # The gravest first, however few they are.
        "by_relation": {
            word: aggregates.by_relation[name]
            for name, word in RELATION_WORDS.items()
            if name in aggregates.by_relation
        },
        "heat": figures.heat_map(aggregates, titles, short),
        "picture": _picture(content, standing),
        "picture_sides": figures.picture_sides(standing, sides, documents),
        "documents": documents,
        "titles": titles,
        "full": full_titles(content.documents),
        "words": RELATION_WORDS,
        "kinds": KIND_WORDS,
        "verdicts": figures.count_verdicts(run),
        "same_words": judged.words if judged else {},
        "judges": sorted({(row["judge"], row["model"], row["prompt_sha256"]) for row in content.findings}),
        "views": views,
        "short": short,
        "sides": sides,
        "lead": coverage_summary.summary_sentences(views, sides, likely, len(conflicts) - likely),
        "likely": likely,
        "near": near,
        "strictest": [topic for topic in strictest if len({rule.side for rule in topic.rules}) > 2],
        "tabs": _tabs(still_open, views),
        "data": _island(content, near)
        | {"short": short, "sides": sides, "views": [{"side": view.side, "other": view.other} for view in views]},
    }


def _environment() -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("antinomy.report"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.policies["json.dumps_kwargs"] = {"ensure_ascii": False, "separators": (",", ":")}
    environment.filters["thousands"] = thousands
    environment.filters["day"] = _day
    return environment


def _picture(content: Content, standing: Sequence[FindingRow]) -> Picture:
    """Draw the topics of the findings that no reviewer rejected."""
    full = full_titles(content.documents)
    labelled = [
        dict(row) | {f"{side}_label": provision_label(row, side, full) for side in ("left", "right")}
        for row in standing
    ]
    return layout_topics(labelled, content.aggregates.topics)


def _island(content: Content, near: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return what the page's script reads: the rows, and the words for their codes."""
    rows = PageData(content.documents, content.folder).data(
        content.findings, near, content.coverage, content.counterparts
    )
    words = {
        "relation": RELATION_WORDS,
        "kind": KIND_WORDS,
        "state": STATE_WORDS,
        "decision": DECISION_WORDS,
        "coverage": COVERAGE_WORDS,
        "topic": TOPIC_WORDS,
    }
    return rows | {"words": words, "likely": coverage_summary.LIKELY, "first": not content.compared_with}


def _tabs(still_open: Sequence[FindingRow], counted: Sequence[coverage_summary.View]) -> dict[str, tuple[str, int]]:
    """Return id → name of each tab that lists something, and how much."""
    of = Counter(row["relation"] for row in still_open)
    states = sum((view.states for view in counted), Counter[str]())
    listed = {
        "conflicts": ("Conflicts", of["conflict"]),
        "definitions": ("Definitions", of["definition"]),
        "stricter": ("Stricter rules", of["stricter"]),
    }
    if counted:
        listed["crosswalk"] = ("Crosswalk", states.total() - states["left_out"])
        listed["gaps"] = ("Gaps", states["gap"])
    return listed


def _day(moment: str) -> str:
    at = datetime.fromisoformat(moment)
    return f"{at.day} {at:%B %Y}"


def _read_asset(name: str) -> str:
    return (resources.files("antinomy.report") / "templates" / name).read_text("utf-8")


def _csp_hash(source: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(source.encode()).digest()).decode()


def _notices(documents: Sequence[DocumentRow], left_out: Mapping[str, str]) -> Iterator[str]:
    """Return notices about documents that are missing from the comparison or read poorly."""
    first: dict[str, str] = {}
    titles = full_titles(documents)
    for doc in documents:
        name = titles[doc["doc_id"]]
        if doc["status"] == DocumentStatus.QUARANTINED:
            yield f"{name} could not be read; nothing of it was compared."
            continue
        if (other := first.setdefault(doc["sha256"] or "", doc["doc_id"])) != doc["doc_id"]:
            yield f"{doc['doc_id']} is the same file as {other}: what is found between the two is a text beside itself."
        if doc["doc_id"] in left_out:
            yield f"Nothing of {name} was compared: {left_out[doc['doc_id']]}."
        elif (structure := doc.get("structure")) is not None and structure < POOR:
            yield (
                f"The structure of {name} was recognised poorly ({100 * structure:.0f} %; see Sources): "
                "provisions may be cited from the wrong place, or be compared in one piece with others."
            )
        elif places := doc.get("breaks"):
            where = f"in {len(places)} places" if len(places) > 1 else "in one place"
            yield (
                f"The numbers of {name} do not follow each other {where} (see Sources): a provision may be cited from "
                "the wrong place."
            )
