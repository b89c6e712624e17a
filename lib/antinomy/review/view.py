"""A finding as a notebook shows it: both provisions side by side, with what clashes marked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup, escape

from antinomy.report.html import KIND_WORDS, RELATION_WORDS, provision_label
from antinomy.report.marks import Mark, marks
from antinomy.review.decisions import WORDS

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
            page=f", page {finding[f'{side}_page']}" if finding[f"{side}_page"] else "",
            path=finding[f"{side}_path"],
            text=_marked(finding[f"{side}_text"], of_side),
        )
        for side, of_side in zip(("left", "right"), made, strict=True)
    )
    remarks = [text for text in (finding["rationale"], finding["changed"], _decided(finding)) if text]
    return Markup('<h3>{head}</h3>{remarks}<div style="display:flex;flex-wrap:wrap;gap:0 2rem">{cells}</div>').format(
        head=_head(finding),
        remarks=Markup("").join(Markup("<p>{}</p>").format(text) for text in remarks),
        cells=cells,
    )


def _head(finding: Mapping[str, Any]) -> str:
    said = RELATION_WORDS[finding["relation"] or "undecided"]
    kind = KIND_WORDS.get(finding["kind"] or "")
    rank = f"{finding['rank']}. " if finding["rank"] else "Resolved: "
    likely = f", probability of a conflict {finding['p_conflict']:.2f}" if finding["p_conflict"] is not None else ""
    return f"{rank}{said}{f' ({kind.lower()})' if kind and kind != said else ''}{likely}"


def _decided(finding: Mapping[str, Any]) -> str:
    if not finding["decision"]:
        return ""
    note = f": {finding['decided_note']}" if finding["decided_note"] else ""
    return f"{WORDS[finding['decision']]} by {finding['decided_by']} on {finding['decided_at'][:10]}{note}"


def _marked(text: str, runs: Sequence[Mark]) -> Markup:
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
