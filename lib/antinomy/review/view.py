"""A finding, or a provision with its counterparts, as a notebook shows them: side by side, with the evidence marked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup, escape

from antinomy.findings.decisions import WORDS
from antinomy.findings.document_names import label_without_title
from antinomy.findings.highlights import Mark, marks
from antinomy.report.titles import provision_label
from antinomy.report.words import COVERAGE_WORDS, KIND_WORDS, NO_ANSWER, RELATION_WORDS

#: Evidence, a quantity that clashes, both; in colours that a dark notebook shows as well.
_STYLES = {
    "e": "background:#fff0b3;color:#1b2430",
    "c": "font-weight:700;border-bottom:3px double #a01f1b",
    "ec": "background:#ffd5cf;color:#1b2430;font-weight:700;border-bottom:3px double #a01f1b",
}


def side_by_side(finding: Mapping[str, Any], titles: Mapping[str, str]) -> str:
    """Return HTML for one finding; every text is escaped.

    Args:
        finding: row of the ``findings`` table.
        titles: doc_id → title.
    """
    made = marks(
        finding["left_text"],
        finding["right_text"],
        finding["evidence_left"] or "",
        finding["evidence_right"] or "",
    )
    cells = Markup("").join(
        Markup(
            '<div style="flex:1 1 20rem;min-width:0"><p><b>{label}</b>, {document}{page}<br><small>{path}</small></p>'
            '<p style="white-space:pre-line">{text}</p></div>'
        ).format(
            label=provision_label(finding, side, titles),
            document=titles.get(finding[f"{side}_doc"], finding[f"{side}_doc"]),
            page=_page(finding[f"{side}_page"]),
            path=finding[f"{side}_path"],
            text=_highlighted(finding[f"{side}_text"], of_side),
        )
        for side, of_side in zip(("left", "right"), made, strict=True)
    )
    remarks = [text for text in (finding["rationale"], finding["changed"], _decided(finding)) if text]
    return Markup('<h3>{head}</h3>{remarks}<div style="display:flex;flex-wrap:wrap;gap:0 2rem">{cells}</div>').format(
        head=_header(finding),
        remarks=Markup("").join(Markup("<p>{}</p>").format(text) for text in remarks),
        cells=cells,
    )


def provision(row: Mapping[str, Any], beside: Sequence[Mapping[str, Any]], titles: Mapping[str, str]) -> str:
    """Return HTML for a row of ``coverage`` and its counterparts, or what came nearest; every text is escaped.

    Args:
        row: of the ``coverage`` table.
        beside: its rows of ``counterparts``, best first.
        titles: doc_id → title.
    """
    likely = f", probability {row['p_state']:.2f}" if row["p_state"] is not None else ""
    best = beside[0] if beside else None
    made = marks(
        row["text"],
        best["counterpart_text"] if best else "",
        best["evidence"] if best else "",
        best["counterpart_evidence"] if best else "",
    )
    remarks = [text for text in (row["reason"], _decided(row)) if text]
    there = [
        Markup(
            "<p><b>{label}</b>, {document}{page}<br><small>{said}</small></p>"
            '<p style="white-space:pre-line">{text}</p><p><small>{why}</small></p>'
        ).format(
            label=label_without_title(one["counterpart_label"], titles.get(one["counterpart_doc"], "")),
            document=titles.get(one["counterpart_doc"], one["counterpart_doc"]),
            page=_page(one["counterpart_page"]),
            said=_correspondence(one),
            text=_highlighted(one["counterpart_text"], made[1] if one is best else ()),
            why=one["rationale"] or "",
        )
        for one in beside
    ]
    return Markup(
        '<h3>{head}</h3>{remarks}<div style="display:flex;flex-wrap:wrap;gap:0 2rem">'
        '<div style="flex:1 1 20rem;min-width:0"><p><b>{label}</b>, {document}{page}<br><small>{path}</small></p>'
        '<p style="white-space:pre-line">{text}</p></div>'
        '<div style="flex:1 1 20rem;min-width:0">{there}</div></div>'
    ).format(
        head=f"{COVERAGE_WORDS[row['state']]}{likely}",
        remarks=Markup("").join(Markup("<p>{}</p>").format(text) for text in remarks),
        label=label_without_title(row["label"], titles.get(row["doc_id"], "")),
        document=titles.get(row["doc_id"], row["doc_id"]),
        page=_page(row["page"]),
        path=row["path"],
        text=_highlighted(row["text"], made[0]),
        there=Markup("").join(there) or "Nothing was compared with it.",
    )


def _page(page: int | None) -> str:
    return f", page {page}" if page else ""


def _correspondence(counterpart: Mapping[str, Any]) -> str:
    said = RELATION_WORDS[counterpart["relation"] or NO_ANSWER]
    governs = {"here": ", this provision governs", "there": ", the counterpart governs"}
    p = counterpart["p_related"]
    likely = f", probability of the same duty {p:.0%}" if p is not None else ""
    return f"{said}{governs.get(counterpart['governs'] or '', '')}{likely}"


def _header(finding: Mapping[str, Any]) -> str:
    said = RELATION_WORDS[finding["relation"]]
    kind = KIND_WORDS.get(finding["kind"] or "")
    rank = f"{finding['rank']}. " if finding["rank"] else "Resolved: "
    likely = f", probability of a conflict {finding['p_conflict']:.2f}" if finding["p_conflict"] is not None else ""
    return f"{rank}{said}{f' ({kind.lower()})' if kind and kind != said else ''}{likely}"


def _decided(finding: Mapping[str, Any]) -> str:
    if not finding["decision"]:
        return ""
    note = f": {finding['decided_note']}" if finding["decided_note"] else ""
    return f"{WORDS[finding['decision']]} by {finding['decided_by']} on {finding['decided_at'][:10]}{note}"


def _highlighted(text: str, runs: Sequence[Mark]) -> Markup:
    # Marks count UTF-16 code units, as the page's script does.
    coded = text.encode("utf-16-le", "surrogatepass")

    def part(start: int, end: int | None) -> Markup:
        piece = coded[2 * start : None if end is None else 2 * end]
        return escape(piece.decode("utf-16-le", "replace"))

    out, at = Markup(""), 0
    for start, end, kind in runs:
        out += part(at, start) + Markup('<mark style="{}">{}</mark>').format(_STYLES[kind], part(start, end))
        at = end
    return out + part(at, None)
