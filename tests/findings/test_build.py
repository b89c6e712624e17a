"""From verdicts to ranked findings, with topics, states and decisions."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pytest

from antinomy.errors import AntinomyError, SettingsError
from antinomy.findings import delta
from antinomy.findings.build import build_findings
from antinomy.findings.calibration import Calibration
from antinomy.store import schemas
from report import invented

if TYPE_CHECKING:
    from report.invented import Known, Side


def _tables(
    pairs: tuple[Known, ...] = invented.KNOWN, cites: list[tuple[str, str]] | None = None
) -> dict[str, pa.Table]:
    sides: list[Side] = list(dict.fromkeys(side for known in pairs for side in (known.left, known.right)))
    sections: list[dict[str, Any]] = [
        {
            "section_id": side.id, "doc_id": side.doc, "eid": side.eid, "type": "paragraph", "heading": "",
            "label": side.label, "text": side.text, "page_start": side.page, "position": 100 + n,
        }
        for n, side in enumerate(sides)
    ]  # fmt: skip
    # A label may start with its document's title.
    in_manual = f"{invented.DOCUMENTS[1]['title']}, Section III"
    for doc, eid, heading, label in (
        (invented.EU, "chp_IV", "Incidents", "Chapter IV"),
        (invented.US_CONTINUITY, "sec_III", "Incident Response", in_manual),
    ):
        place = {"section_id": f"{doc}#{eid}", "doc_id": doc, "eid": eid, "position": 0}
        sections.append(place | {"heading": heading, "label": label, "text": ""})
    sections.append({"section_id": f"{invented.EU}#art_17", "doc_id": invented.EU, "eid": "art_17", "position": 50})
    units = [
        {
            "unit_id": side.id, "section_id": side.id, "doc_id": side.doc, "label": side.label,
            "heading_path": side.path, "unit_text": side.text, "context": side.context, "piece": 1,
            "unit_sha256": side.sha256,
        }
        for side in sides
    ]  # fmt: skip
    verdicts = []
    for known in pairs:
        row = invented.finding(known, 0)
        row |= {"left_unit_id": known.left.id, "right_unit_id": known.right.id, "reused": False}
        verdicts.append(row)
    similar = [{"left_id": known.left.id, "right_id": known.right.id, "own": 0.5} for known in pairs]
    citations = [
        {"citation_id": str(n), "src_section_id": source, "target_section_id": target}
        for n, (source, target) in enumerate(cites or [])
    ]
    rows = {
        "verdicts": verdicts, "units": units, "sections": sections, "similar": similar,
        "citations": citations, "documents": invented.DOCUMENTS,
    }  # fmt: skip
    return {name: invented.table(name, of_table) for name, of_table in rows.items()}


def _by_pair(findings: list[dict[str, Any]]) -> dict[tuple[str, str], dict[str, Any]]:
    return {(row["left_label"], row["right_label"]): row for row in findings}


_NOTICE = ("Article 17(1)", "III.A, paragraph 2")
_FILER = ("Article 17(3)", "III.A, paragraph 4")
_LOGS = ("Article 9(4)", "II.C, paragraph 5")
_BACKUP = ("Article 11(4)", "IV.A, paragraph 3")
_TEST = ("Article 24(2)", "V.B, paragraph 1")
_RTO = ("Article 3, point (14)", "Appendix B, “recovery time objective”")


def test_conflicts_come_first_and_pairs_that_agree_are_left_out() -> None:
    # Two articles cite Article 17: its paragraphs weigh most.
    cites = [(invented.LOGS_EU.id, f"{invented.EU}#art_17"), (invented.TEST_EU.id, f"{invented.EU}#art_17")]
    # No conflict, but with a high probability of one.
    doubtful = replace(invented.KNOWN[-1], left=invented.RTO_EU, right=invented.NOTICE_US, p=0.7)
    # Ties the two conflicts about notices together.
    crossing = replace(invented.KNOWN[-1], relation="stricter", governs="left", verified=True)
    tables = _tables((*invented.KNOWN[:-1], crossing, doubtful, replace(doubtful, left=invented.LOGS_EU, p=0.5)), cites)
    findings = build_findings(**tables, threshold=0.6)
    assert all(list(row) == schemas.columns("findings") for row in findings)
    found = _by_pair(findings)
    ranked = sorted(found, key=lambda pair: found[pair]["rank"])
    doubtful_pair, crossing_pair = (_RTO[0], _NOTICE[1]), (_FILER[0], _NOTICE[1])
    # The backup pair has lost much of its score, since the orders disagreed, and stays a conflict.
    assert ranked == [_NOTICE, _FILER, _LOGS, _BACKUP, doubtful_pair, _RTO, _TEST, crossing_pair]
    assert [found[pair]["rank"] for pair in ranked] == list(range(1, 9))
    notice = found[_NOTICE]
    assert notice["left_chapter"] == "Chapter IV Incidents"
    assert notice["right_chapter"] == "Section III Incident Response"
    assert found[_LOGS]["left_chapter"] == "Access and records"
    assert notice["weight"] > found[_LOGS]["weight"]
    assert (notice["left_page"], notice["cosine"], notice["state"]) == (22, 0.5, "new")
    assert notice["finding_id"] == invented.finding_id(invented.NOTICE_EU.id, invented.NOTICE_US.id)
    assert 0 < found[_BACKUP]["score"] <= 0.6 * 0.88
    # Topics: tied by conflicts and stricter pairs; the doubtful pair joins that of its right side.
    incidents = notice["cluster_id"]
    assert found[_FILER]["cluster_id"] == found[doubtful_pair]["cluster_id"] == incidents != found[_LOGS]["cluster_id"]
    assert notice["topic"] == "Notices of major incidents / Notification of Regulators"
    assert found[_RTO]["cluster_id"] is None


def test_what_changed_since_the_previous_run() -> None:
    rows = [invented.finding(known, rank) for rank, known in enumerate(invented.KNOWN[:-1], start=1)]
    logs = replace(invented.LOGS_EU, text=invented.LOGS_EU.text.replace("five", "two"))
    test = replace(invented.TEST_EU, text=invented.TEST_EU.text.replace("12", "24"))
    notice = replace(invented.NOTICE_EU, context="Incidents › Notices of grave incidents")
    known = dict(zip((_NOTICE, _FILER, _LOGS, _BACKUP, _TEST, _RTO), invented.KNOWN, strict=False))
    now = (
        replace(known[_NOTICE], left=notice),
        replace(known[_LOGS], left=logs, relation="overlap", kind=None, p=0.05),
        replace(known[_TEST], left=test, relation="conflict", p=0.8),
        known[_RTO],
        # Article 17(3) is gone; the backup pair is no candidate any more, though its provisions are there.
        replace(known[_BACKUP], right=invented.LOGS_US),
        replace(known[_RTO], right=invented.BACKUP_US, relation="none", kind=None, p=0.0),
    )
    tables = _tables(now)
    after = build_findings(**tables, previous=rows)
    found = _by_pair(after)
    assert {pair: (row["state"], row["changed"]) for pair, row in found.items()} == {
        _NOTICE: ("carried", "left context changed"),
        _TEST: ("carried", "left text changed; relation was stricter"),
        _RTO: ("carried", ""),
        (_BACKUP[0], _LOGS[1]): ("new", ""),
        _LOGS: ("resolved", "left text changed; now judged overlap"),
        _FILER: ("resolved", "left provision gone; right provision gone"),
        _BACKUP: ("resolved", "no longer a candidate pair"),
    }
    assert {row["rank"] for row in found.values() if row["state"] == "resolved"} == {None}
    # What was resolved is not reported again by the run that follows.
    still_open = [row for row in after if row["state"] != "resolved"]
    again = delta.compare_with_previous(still_open, after, tables["units"], tables["verdicts"])
    assert [(row["state"], row["changed"]) for row in again] == [("carried", "")] * 4


def test_decisions_hold_while_both_texts_are_unchanged() -> None:
    def decision(n: int, known: Known, word: str, at: str, **changes: str) -> dict[str, Any]:
        return {
            "decision_id": str(n), "finding_id": invented.finding_id(known.left.id, known.right.id),
            "pair_key": "", "decision": word, "reviewer": "A. Analyst", "note": f"note {n}", "decided_at": at,
            "left_sha256": known.left.sha256, "right_sha256": known.right.sha256, **changes,
        }  # fmt: skip

    notice, filer, logs = invented.KNOWN[:3]
    rows = [
        decision(1, notice, "confirm", "2031-01-01T10:00:00"),
        decision(2, notice, "reject", "2031-01-02T10:00:00"),
        decision(3, filer, "confirm", "2031-01-01T10:00:00", right_sha256="0" * 64),
        # Decided when the settings had the sides the other way round.
        decision(4, replace(logs, left=logs.right, right=logs.left), "confirm", "2031-01-01T10:00:00"),
    ]
    made = build_findings(**_tables(), decisions=rows)
    found = _by_pair(made)
    assert (len(made), found[_FILER]["relation"]) == (6, "conflict")
    words = {pair: found[pair]["decision"] for pair in (_NOTICE, _FILER, _LOGS, _BACKUP)}
    assert words == {_NOTICE: "reject", _FILER: None, _LOGS: "confirm", _BACKUP: None}
    assert (found[_NOTICE]["decided_by"], found[_NOTICE]["decided_note"]) == ("A. Analyst", "note 2")
    assert found[_FILER]["changed"] == "was confirmed by A. Analyst on an earlier text: decide again"


def test_probabilities_are_calibrated_before_anything_is_chosen_by_them() -> None:
    calibration = Calibration(
        method="isotonic", x=(0.0, 0.9, 1.0), y=(0.0, 0.3, 0.7), judge="norms", model="norms-1",
        prompt_sha256="d4" * 32, decided=300, conflicts=90, decisions_sha256="e5" * 32, brier_before=0.2,
        brier_after=0.1, fitted_at="2031-03-01T00:00:00+00:00",
    )  # fmt: skip
    harmless = replace(invented.KNOWN[-1], p=0.9)
    tables = _tables((*invented.KNOWN[:1], harmless))
    # A cheaper judge went first and settled this pair; its probability is left as it is.
    cheap = invented.finding(replace(harmless, left=invented.LOGS_EU, right=invented.LOGS_US), 0, judge="first")
    cheap |= {"left_unit_id": invented.LOGS_EU.id, "right_unit_id": invented.LOGS_US.id}
    more = _tables((invented.KNOWN[2],))
    wider = {name: pa.concat_tables([tables[name], more[name]]) for name in ("units", "similar")}
    known = tables["sections"].to_pylist()
    ids = {row["section_id"] for row in known}
    new = [row for row in more["sections"].to_pylist() if row["section_id"] not in ids]
    wider["sections"] = invented.table("sections", known + new)
    wider["verdicts"] = pa.concat_tables([tables["verdicts"], invented.table("verdicts", [cheap])])
    found = _by_pair(build_findings(**(tables | wider), threshold=0.5, calibration=calibration))
    # 0.97 lies at 0.58 on the curve; 0.9 at 0.3, below the threshold.
    assert {pair: (round(row["p_conflict"], 3), row["p_judge"]) for pair, row in found.items()} == {
        _NOTICE: (0.58, 0.97),
        _LOGS: (0.9, 0.9),
    }
    with pytest.raises(SettingsError, match="these verdicts are from"):
        build_findings(**tables, calibration=calibration.model_copy(update={"judge": "openai"}))


def test_a_verdict_about_nothing_is_refused() -> None:
    tables = _tables(invented.KNOWN[:2])
    rows = tables["units"].to_pylist()
    short = invented.table("units", [row for row in rows if not row["section_id"].endswith("para_3")])
    with pytest.raises(AntinomyError, match=r"units lacks.*eu-specimen#art_17__para_3.*run embed"):
        build_findings(**(tables | {"units": short}))


def test_no_verdicts_make_no_findings() -> None:
    tables = _tables(invented.KNOWN[-1:])
    assert build_findings(**tables) == []


def _turned(known: Known) -> Known:
    """The pair with its sides exchanged, as where the documents stand in the other order."""
    governs = {"left": "right", "right": "left"}.get(known.governs or "")
    return replace(known, left=known.right, right=known.left, evidence=known.evidence[::-1], governs=governs)


def test_findings_are_carried_over_where_the_documents_stood_in_the_other_order() -> None:
    rows = [invented.finding(_turned(known), rank) for rank, known in enumerate(invented.KNOWN[:-1], start=1)]
    found = _by_pair(build_findings(**_tables(), previous=rows))
    assert set(found) == {_NOTICE, _FILER, _LOGS, _BACKUP, _TEST, _RTO}
    assert {(row["state"], row["changed"]) for row in found.values()} == {("carried", "")}


def test_a_text_that_changed_is_named_by_the_side_where_it_stands_now() -> None:
    known = invented.KNOWN[0]
    notice = replace(known.left, text=known.left.text.replace("24", "12"))
    assert notice.text != known.left.text
    tables = _tables((replace(known, left=notice), *invented.KNOWN[1:]))
    found = _by_pair(build_findings(**tables, previous=[invented.finding(_turned(known), 1)]))
    assert (found[_NOTICE]["state"], found[_NOTICE]["changed"]) == ("carried", "left text changed")


def test_what_became_of_a_resolved_finding_is_told_though_its_sides_are_exchanged() -> None:
    rows = [invented.finding(_turned(known), rank) for rank, known in enumerate(invented.KNOWN[:2], start=1)]
    none, overlap = (
        replace(known, relation=relation, kind=None, p=0.02)
        for known, relation in zip(invented.KNOWN[:2], ("none", "overlap"), strict=True)
    )
    found = build_findings(**_tables((none, overlap)), previous=rows)
    assert [(row["state"], row["changed"]) for row in found] == [
        ("resolved", "now judged none"), ("resolved", "now judged overlap"),
    ]  # fmt: skip
