"""Rows of ``coverage`` and ``counterparts`` about the invented provisions."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import cycle
from typing import Any

from antinomy.coverage.build import coverage_id
from antinomy.coverage.relationship import relationship
from report import invented
from report.invented import Side

EU, US, UK = "eu", "us", "uk"

INVENTORY_EU = Side(
    invented.EU, "art_8__para_1", "Article 8(1)", "Access and records › Inventory",
    "A firm shall keep an inventory of all systems that touch client data, and shall renew it every month.",
    13,
)  # fmt: skip
SCOPE_EU = Side(
    invented.EU, "art_2__para_1", "Article 2(1)", "General provisions › Scope",
    "This Regulation applies to firms that hold client data.", 8,
)  # fmt: skip
SUPERVISE_EU = Side(
    invented.EU, "art_40__para_1", "Article 40(1)", "Supervision › Powers",
    "The competent authority shall inspect each firm once in three years.", 39,
)  # fmt: skip
STAFF_US = Side(
    invented.US_RECORDS, "sec_I__subsec_A__para_1", "I.A, paragraph 1", "Governance › Staff",
    "Management should train the staff that handles records.", 4,
)  # fmt: skip
TEST_UK = Side(
    "uk-rules", "rule_4_2", "Rule 4.2", "Continuity › Tests",
    "A firm must test its continuity plans twice a year.", 6,
)  # fmt: skip

UK_RULES: dict[str, Any] = invented.DOCUMENTS[2] | {
    "doc_id": "uk-rules", "regime": "uk", "title": "Invented Rulebook: Operations",
    "source_uri": "rulebook.html", "sha256": "e5" * 32,
}  # fmt: skip


@dataclass(frozen=True)
class Seen:
    """A provision with its state towards an other side, and its counterparts with what was said of each."""

    here: Side
    side: str
    other: str
    state: str
    p: float | None
    there: tuple[tuple[Side, str, float, str], ...] = ()
    governs: str | None = None
    values: tuple[str | None, str | None] = (None, None)
    reason: str = ""


_I = invented
NEAR_MISS = "nearest is II.C, paragraph 5 (12 % on the same duty): one keeps a list of systems, the other erases logs"
SEEN = (
    Seen(_I.NOTICE_EU, EU, US, "conflict", 0.97, ((_I.NOTICE_US, "conflict", 0.98, "24 hours against 36 hours."),),
         values=("24 hours", "36 hours")),
    Seen(_I.FILER_EU, EU, US, "covered", 0.81, (
        (_I.FILER_US, "overlap", 0.81, "Both say who files the notice."),
        (_I.NOTICE_US, "overlap", 0.62, "Both deal with notices to the authority."),
    )),
    Seen(_I.TEST_EU, EU, US, "stricter_there", 0.88, ((_I.TEST_US, "stricter", 0.93, "Quarterly holds yearly."),),
         "there", ("at least once a year", "every quarter")),
    Seen(_I.LOGS_EU, EU, US, "partly", 0.44, ((_I.LOGS_US, "overlap", 0.44, "Both are about logs."),)),
    Seen(INVENTORY_EU, EU, US, "gap", 0.88, ((_I.LOGS_US, "none", 0.12, "Different matters."),), reason=NEAR_MISS),
    Seen(_I.BACKUP_EU, EU, US, "not_decidable", None, reason="compared with nothing: no candidate was kept for it"),
    Seen(SCOPE_EU, EU, US, "left_out", None, reason="a scope rule"),
    Seen(SUPERVISE_EU, EU, US, "left_out", None, reason="binds an authority"),
    Seen(_I.NOTICE_US, US, EU, "conflict", 0.97, ((_I.NOTICE_EU, "conflict", 0.98, "24 hours against 36 hours."),),
         values=("36 hours", "24 hours")),
    Seen(_I.TEST_US, US, EU, "stricter_here", 0.88, ((_I.TEST_EU, "stricter", 0.93, "Quarterly holds yearly."),),
         "here", ("every quarter", "at least once a year")),
    Seen(STAFF_US, US, EU, "gap", 0.95, reason="nearest is Article 24(2) (5 %): another matter",
         there=((_I.TEST_EU, "none", 0.05, "Different matters."),)),
)  # fmt: skip

THREE = (
    *SEEN,
    Seen(_I.TEST_EU, EU, UK, "stricter_there", 0.7, ((TEST_UK, "stricter", 0.8, ""),), "there"),
    Seen(_I.TEST_US, US, UK, "stricter_here", 0.7, ((TEST_UK, "stricter", 0.8, ""),), "here"),
    Seen(TEST_UK, UK, EU, "stricter_here", 0.7, ((_I.TEST_EU, "stricter", 0.8, ""),), "here"),
    Seen(TEST_UK, UK, US, "stricter_there", 0.7, ((_I.TEST_US, "stricter", 0.8, ""),), "there"),
)

Rows = list[dict[str, Any]]


def tables(seen: Sequence[Seen] = SEEN) -> dict[str, Rows]:
    """Return rows of both tables, under their names, as ``render`` takes them."""
    return {
        "coverage": [_row(one) for one in seen],
        "counterparts": [row for one in seen for row in _counterparts(one)],
    }


def many(n: int) -> dict[str, Rows]:
    """Return n rows of coverage whose provisions are all different, with three counterparts each."""
    seen = []
    places = [one for one in SEEN if one.state != "left_out"]
    for k, one in zip(range(n), cycle(places), strict=False):
        here = _numbered(one.here, k)
        others = [_numbered(place.here, (k * 7 + step) % n) for step, place in enumerate(places[:3])]
        there = tuple((side, "overlap", 0.6, "Both ask for much the same.") for side in others)
        seen.append(replace(one, here=here, there=there))
    return tables(seen)


def _numbered(side: Side, k: int) -> Side:
    return replace(
        side, eid=f"{side.eid}__point_{k}", label=f"{side.label}, point {k}", path=f"Chapter {k // 50} › {side.path}",
        text=f"{side.text} Branch {k} keeps to it in the same way and writes down how it does so, and for how long.",
    )  # fmt: skip


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _row(one: Seen) -> dict[str, Any]:
    here = one.here
    return {
        "coverage_id": coverage_id(here.id, one.other), "section_id": here.id, "doc_id": here.doc, "side": one.side,
        "other": one.other, "label": here.label, "chapter": here.chapter, "path": here.path, "text": here.text,
        "text_sha256": _sha256(here.text), "page": here.page, "binds": "firm", "demands": "duty", "state": one.state,
        "reason": one.reason, "p_state": one.p,
        "p_covered": one.there[0][2] if one.there else None, "counterparts": len(one.there),
        "decision": None, "decided_by": None, "decided_at": None, "decided_note": None,
    }  # fmt: skip


def _counterparts(one: Seen) -> Rows:
    return [
        {
            "section_id": one.here.id, "other": one.other, "place": place, "counterpart_id": there.id,
            "counterpart_doc": there.doc, "counterpart_label": there.label, "counterpart_text": there.text,
            "counterpart_text_sha256": _sha256(there.text), "counterpart_page": there.page, "relation": relation,
            "relationship": relationship(relation, one.governs == "here", one.here.text, there.text),
            "governs": one.governs if place == 1 else None, "kind": None, "p_related": p, "p_relation": p - 0.02,
            "p_conflict": 0.97 if relation == "conflict" else 0.02, "score": p, "evidence": one.here.text[:40],
            "counterpart_evidence": there.text[:40], "value": one.values[0], "counterpart_value": one.values[1],
            "pair_key": _sha256("\n".join(sorted((one.here.text, there.text))))[:32], "rationale": why,
        }
        for place, (there, relation, p, why) in enumerate(one.there, start=1)
    ]  # fmt: skip
