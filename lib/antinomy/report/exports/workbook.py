"""``findings.xlsx``: a sheet per tab of the page, with columns in which a reviewer decides.

``review.workbook`` reads the decisions back from every sheet that has these columns.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from antinomy.findings.aggregates import Aggregates
from antinomy.findings.decisions import WORDS
from antinomy.report.cells import p_claimed
from antinomy.report.crosswalk import Crosswalk
from antinomy.report.exports.sheets import SheetWriter, WorkbookWriter
from antinomy.report.words import COVERAGE_WORDS
from antinomy.store.rows import CounterpartRow, CoverageRow, FindingRow
from antinomy.vocabulary import CoverageState, Kind

Row = Mapping[str, Any]

#: Relation → its sheet; what has no sheet of its own stands in OTHER.
OF_RELATION = {"conflict": "Conflicts", "definition": "Definitions", "stricter": "Stricter rules"}
OTHER, CROSSWALK, GAPS, SUMMARY = "Other findings", "Crosswalk", "Gaps", "Summary"
#: Columns that a reviewer fills in.
TO_FILL_IN = ("decision", "decided_note")
#: What a reviewer needs of a finding; ``findings.csv`` has all of its columns.
_FINDING = (
    "rank", "state", "relation", "kind", "p_relation", "decision", "decided_note", "left_document", "left_label",
    "left_text", "right_document", "right_label", "right_text", "rationale", "evidence_left", "evidence_right",
    "topic", "changed", "left_chapter", "left_page", "right_chapter", "right_page", "decided_by", "decided_at",
    "finding_id", "left_sha256", "right_sha256",
)  # fmt: skip
_STRICTER = ("kind", "governing_document", "left_value", "right_value", *(c for c in _FINDING if c != "kind"))
#: Columns that say what was decided on: read back with a decision, and of no use to a person.
_HIDDEN = frozenset(
    {"finding_id", "left_sha256", "right_sha256", "coverage_id", "text_sha256", "counterpart_text_sha256"}
)
_CROSSWALK = (
    "state", "p_state", "decision", "decided_note", "document", "label", "chapter", "text", "reason", "relationship",
    "counterpart_document", "counterpart_label", "counterpart_text", "p_related", "relation", "kind",
    "governing_document", "value", "counterpart_value", "evidence", "counterpart_evidence", "rationale",
    "further_counterparts", "decided_by", "decided_at", "coverage_id", "text_sha256", "counterpart_text_sha256",
)  # fmt: skip
_GAPS = (
    "state", "p_state", "decision", "decided_note", "document", "label", "chapter", "text", "compared_with", "reason",
    "nearest", "decided_by", "decided_at", "coverage_id", "text_sha256", "counterpart_text_sha256",
)  # fmt: skip
_WIDTH, _NOTE_WIDTH, _WIDE_WIDTH = 16, 30, 60
_WIDE = frozenset(
    {
        "left_text", "right_text", "rationale", "evidence_left", "evidence_right", "text", "counterpart_text",
        "evidence", "counterpart_evidence", "reason",
    }
)  # fmt: skip
_MIDDLE = frozenset(
    {
        "decided_note", "document", "counterpart_document", "left_document", "right_document", "governing_document",
        "chapter", "further_counterparts", "nearest", "compared_with",
    }
)  # fmt: skip
_HINT = f"{', '.join(WORDS)}. Say why in the column decided_note."


def xlsx_bytes(
    findings: Sequence[FindingRow], run: Mapping[str, Any], aggregates: Aggregates, crosswalk: Crosswalk
) -> bytes:
    """Write the workbook: findings by relation, crosswalk, gaps, and the figures of the run.

    Formulas are made inert as in CSV; a text that is too long for a cell is cut and says so. The column ``decision``
    offers the words that a reviewer can choose from.

    Args:
        findings: rows of the ``findings`` table.
        run: the run's manifest, see ``pipeline.manifest``.
        aggregates: counts over all findings.
        crosswalk: of the run.
    """
    book = WorkbookWriter()
    by_sheet: dict[str, list[Row]] = {name: [] for name in (*OF_RELATION.values(), OTHER)}
    for row in findings:
        by_sheet[OF_RELATION.get(row["relation"], OTHER)].append(_shown(crosswalk, row))
    stricter = OF_RELATION["stricter"]
    by_sheet[stricter] = list(_group_stricter(crosswalk, by_sheet[stricter]))
    for name, rows in by_sheet.items():
        if rows or name != OTHER:
            columns = _STRICTER if name == stricter else _FINDING
            _write(book, name, columns if rows else ("nothing was found",), rows)
    _write(book, CROSSWALK, _CROSSWALK, _crosswalk_rows(crosswalk))
    _write(book, GAPS, _GAPS, _gap_rows(crosswalk))
    _summarise(book.sheet(SUMMARY, (44, 34)), run, aggregates, crosswalk)
    return book.data()


def with_titles(crosswalk: Crosswalk, finding: Row) -> dict[str, Any]:
    """Add the titles of both documents, as ``left_document`` and ``right_document``; labels go without them."""
    named = dict(finding)
    for side in ("left", "right"):
        doc = finding[f"{side}_doc"]
        named[f"{side}_document"] = crosswalk.title(doc)
        named[f"{side}_label"] = crosswalk.label(doc, finding[f"{side}_label"])
    return named


def _shown(crosswalk: Crosswalk, finding: FindingRow) -> dict[str, Any]:
    return with_titles(crosswalk, finding) | {"p_relation": p_claimed(finding)}


def _write(book: WorkbookWriter, name: str, columns: Sequence[str], rows: Sequence[Row]) -> None:
    hidden = [n for n, column in enumerate(columns) if column in _HIDDEN]
    sheet = book.sheet(name, [_width(column) for column in columns], hidden)
    sheet.write_header(columns, TO_FILL_IN)
    for row in rows:
        sheet.row([row[column] for column in columns])
    if "decision" in columns:
        sheet.restrict_to(columns.index("decision") + 1, tuple(WORDS), "Decision", _HINT)


def _width(column: str) -> int:
    return _WIDE_WIDTH if column in _WIDE else _NOTE_WIDTH if column in _MIDDLE else _WIDTH


def _group_stricter(crosswalk: Crosswalk, stricter: Iterable[Row]) -> list[dict[str, Any]]:
    """Group the stricter rules by kind, those without a value last, with values and the document that governs."""
    values = {
        (row["section_id"], row["counterpart_id"]): (row["value"], row["counterpart_value"])
        for row in crosswalk.counterparts
    }
    rows = []
    for row in stricter:
        ours, theirs = values.get((row["left_id"], row["right_id"]), (None, None))
        governing = row[f"{row['governs']}_document"] if row["governs"] else None
        rows.append(dict(row) | {"governing_document": governing, "left_value": ours, "right_value": theirs})

    def without_value(row: Row) -> bool:
        return row["kind"] == Kind.MODALITY and not row["left_value"]

    return sorted(rows, key=lambda row: (without_value(row), row["kind"] or "", row["rank"] is None, row["rank"] or 0))


def _crosswalk_rows(crosswalk: Crosswalk) -> list[dict[str, Any]]:
    """Yield a row per provision and other side that may have a counterpart, with the best one in full."""
    rows = []
    for row in crosswalk.coverage:
        listed = crosswalk.counterparts_of.get((row["section_id"], row["other"]), [])
        if row["state"] in (CoverageState.GAP, CoverageState.NOT_DECIDABLE, CoverageState.LEFT_OUT) or not listed:
            continue
        best, *others = listed
        further = [one for one in others if one["relation"] not in (None, "none")]
        there = best["counterpart_doc"]
        governing = {"here": row["doc_id"], "there": there}.get(best["governs"] or "")
        rows.append(
            dict(best)
            | _common_columns(crosswalk, row)
            | {
                "counterpart_document": crosswalk.title(there),
                "counterpart_label": crosswalk.label(there, best["counterpart_label"]),
                "governing_document": crosswalk.title(governing) if governing else None,
                "further_counterparts": "\n".join(_counterpart_name(crosswalk, one) for one in further),
                # As ``coverage.decided.subjects`` has it: without a related counterpart a decision is about this text.
                "counterpart_text_sha256": best["counterpart_text_sha256"] if row["counterparts"] else None,
                "reason": row["reason"],
            }
        )
    return rows


def _gap_rows(crosswalk: Crosswalk) -> list[dict[str, Any]]:
    """Yield the provisions without counterpart or that could not be decided, each with its nearest provision."""
    rows = []
    for row in crosswalk.coverage:
        if row["state"] not in (CoverageState.GAP, CoverageState.NOT_DECIDABLE):
            continue
        nearest = crosswalk.counterparts_of.get((row["section_id"], row["other"]), [])
        rows.append(
            _common_columns(crosswalk, row)
            | {
                "compared_with": crosswalk.side(row["other"]),
                "reason": row["reason"],
                "nearest": "\n".join(_counterpart_name(crosswalk, one) for one in nearest),
                # A decision on a gap is about this provision alone.
                "counterpart_text_sha256": None,
            }
        )
    return rows


def _common_columns(crosswalk: Crosswalk, row: CoverageRow) -> dict[str, Any]:
    return {
        "p_state": row["p_state"], "chapter": row["chapter"], "text": row["text"], "coverage_id": row["coverage_id"],
        "text_sha256": row["text_sha256"], "decision": row["decision"], "decided_note": row["decided_note"],
        "decided_by": row["decided_by"], "decided_at": row["decided_at"], "state": COVERAGE_WORDS[row["state"]],
        "document": crosswalk.title(row["doc_id"]), "label": crosswalk.label(row["doc_id"], row["label"]),
    }  # fmt: skip


def _counterpart_name(crosswalk: Crosswalk, counterpart: CounterpartRow) -> str:
    doc = counterpart["counterpart_doc"]
    likely = f" ({counterpart['p_related']:.0%})" if counterpart["p_related"] is not None else ""
    return f"{crosswalk.title(doc)}, {crosswalk.label(doc, counterpart['counterpart_label'])}{likely}"


def _summarise(sheet: SheetWriter, run: Mapping[str, Any], aggregates: Aggregates, crosswalk: Crosswalk) -> None:
    for title, figures in _figures(run, aggregates, crosswalk):
        sheet.title(title)
        for name, value in figures.items():
            sheet.row((name, value))
        sheet.row(())


def _figures(
    run: Mapping[str, Any], aggregates: Aggregates, crosswalk: Crosswalk
) -> Iterable[tuple[str, Mapping[str, Any]]]:
    # Settings and stages are nested; they are in manifest.json.
    yield "Run", {name.replace("_", " "): value for name, value in run.items() if not isinstance(value, Mapping)}
    for side, other in crosswalk.compared_sides:
        for here, there in dict.fromkeys(((side, other), (other, side))):
            found = [row["state"] for row in crosswalk.rows(here, there)]
            counts = {word: found.count(state) for state, word in COVERAGE_WORDS.items() if state in found}
            yield f"Provisions of {crosswalk.side(here)} against {crosswalk.side(there)}", counts
    yield "Findings by state", aggregates.by_state
    yield "Findings by relation", aggregates.by_relation
    yield "Conflicts by kind", aggregates.by_kind
    yield "Conflicts by who is bound", {name or "not said": n for name, n in aggregates.by_addressee.items()}
    yield "Findings by decision", {name or "not yet": n for name, n in aggregates.by_decision.items()}
    yield (
        "Conflicts by document",
        {crosswalk.title(doc): n.get("conflict", 0) for doc, n in aggregates.by_document.items()},
    )
    yield "Findings by topic", {str(topic["topic"]): topic["findings"] for topic in aggregates.topics}
