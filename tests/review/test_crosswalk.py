"""A row of the crosswalk or a gap is decided on: from the workbook, by the command, in the notebook; into one log."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from openpyxl import load_workbook

from antinomy.coverage import decided as crosswalk
from antinomy.findings import conflict_log, decisions
from antinomy.report.crosswalk import Crosswalk
from antinomy.report.exports.workbook import xlsx_bytes
from antinomy.review.session import OPEN, CrosswalkReview, Review, find_row
from antinomy.review.workbook import ImportResult, import_decisions
from antinomy.store import tables
from report import invented
from report.exports import corresponding
from review import reviewed_run
from runs import BIN, call

_RUN = reviewed_run.RUN_ID


@pytest.fixture
def warehouse(tmp_path: Path) -> str:
    made = reviewed_run.write(tmp_path / "w")
    corresponding.write(made, _RUN)
    return made


def _row(side: Any, rows: list[dict[str, Any]] | None = None) -> dict[str, Any]:
    return next(row for row in rows or corresponding.rows()[0] if row["section_id"] == side.id)


def test_a_decision_on_a_row_names_both_texts_and_one_on_a_gap_its_own(warehouse: str) -> None:
    for side, word in ((invented.TEST_EU, "confirm"), (corresponding.TRAINING, "reject")):
        subject = find_row(warehouse, _RUN, _row(side)["coverage_id"])
        decisions.record(warehouse, _RUN, subject, word, "A. Analyst", "Read.")
    row, gap = decisions.read(warehouse)
    assert (row["left_id"], row["right_id"]) == (invented.TEST_EU.id, invented.TEST_US.id)
    assert row["left_sha256"] == _row(invented.TEST_EU)["text_sha256"]
    assert row["right_sha256"] == _row(invented.TEST_US)["text_sha256"]
    assert (gap["left_id"], gap["right_id"], gap["right_sha256"]) == (corresponding.TRAINING.id, None, None)
    assert (row["relation"], gap["relation"]) == ("stricter_there", "gap")


def _later(warehouse: str, side: Any, **changed: Any) -> str | None:
    """Return the decision on a provision in a later run, in which columns of its row or counterparts changed."""
    coverage, counterparts = corresponding.rows()
    for row in (*coverage, *counterparts):
        if row["section_id"] == side.id:
            row.update({name: value for name, value in changed.items() if name in row})
    crosswalk.mark(coverage, counterparts, decisions.read(warehouse))
    word: str | None = _row(side, coverage)["decision"]
    return word


def test_a_decision_holds_while_the_texts_and_the_best_counterpart_are_the_same(warehouse: str) -> None:
    for side, word in ((invented.TEST_EU, "confirm"), (corresponding.TRAINING, "reject")):
        subject = find_row(warehouse, _RUN, _row(side)["coverage_id"])
        decisions.record(warehouse, _RUN, subject, word, "A. Analyst")
    assert _later(warehouse, invented.TEST_EU, p_state=0.4, place=1) == "confirm"
    assert _later(warehouse, invented.TEST_EU, text_sha256="0" * 64) is None
    assert _later(warehouse, invented.TEST_EU, counterpart_text_sha256="0" * 64) is None
    assert _later(warehouse, invented.TEST_EU, state="gap", counterparts=0) is None
    # Another miss that came nearest leaves a gap a gap; a counterpart that was found since does not.
    assert _later(warehouse, corresponding.TRAINING, counterpart_text_sha256="0" * 64) == "reject"
    assert _later(warehouse, corresponding.TRAINING, state="covered", counterparts=1) is None


def _workbook(warehouse: str) -> bytes:
    found = crosswalk.read(warehouse, _RUN)
    crosswalk.mark(found.coverage, found.counterparts, decisions.read(warehouse))
    rows = invented.findings()
    shown = Crosswalk(found.coverage, found.counterparts, invented.DOCUMENTS)
    return xlsx_bytes(rows, invented.RUN, invented.aggregates(rows), shown)


def _filled(data: bytes, sheet: str, label: str, word: str, note: str = "") -> bytes:
    """Fill in the decision on a provision, as a person would in a spreadsheet."""
    book = load_workbook(io.BytesIO(data))
    head, *lines = book[sheet].iter_rows()
    places = {cell.value: n for n, cell in enumerate(head)}
    (line,) = [line for line in lines if line[places["label"]].value == label]
    line[places["decision"]].value, line[places["decided_note"]].value = word, note
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def _import(data: bytes, warehouse: str) -> ImportResult:
    return import_decisions(data, "findings.xlsx", warehouse, _RUN, "A. Analyst")


def test_decisions_in_the_sheets_of_crosswalk_and_gaps_end_in_the_log_once(warehouse: str) -> None:
    written = _workbook(warehouse)
    book = load_workbook(io.BytesIO(written))
    for sheet in ("Crosswalk", "Gaps"):
        (choice,) = book[sheet].data_validations.dataValidation
        assert choice.formula1 == '"confirm,reject,unsure"'
    data = _filled(written, "Crosswalk", "Article 24(2)", "confirm", "One control for both.")
    data = _filled(data, "Gaps", "Article 13(6)", "Reject", "See the audit booklet.")
    # The findings of the invented run hold a decision that this warehouse's log does not have.
    first = _import(data, warehouse)
    assert [(row["finding_id"], row["decision"]) for row in first.added] == [
        (_row(invented.TEST_EU)["coverage_id"], "confirm"),
        (_row(corresponding.TRAINING)["coverage_id"], "reject"),
    ]
    second = _import(data, warehouse)
    assert (len(second.added), second.known) == (0, 2)
    again = load_workbook(io.BytesIO(_workbook(warehouse)))["Gaps"]
    head, *lines = again.iter_rows(values_only=True)
    decided = {line[head.index("label")]: line[head.index("decision")] for line in lines}
    assert decided["Article 13(6)"] == "reject"


def test_a_decision_on_a_provision_whose_text_changed_since_is_refused(warehouse: str) -> None:
    data = _filled(_workbook(warehouse), "Gaps", "Article 13(6)", "confirm")
    coverage, counterparts = corresponding.rows()
    _row(corresponding.TRAINING, coverage)["text_sha256"] = "0" * 64
    for name, made in (("coverage", coverage), ("counterparts", counterparts)):
        tables.write_rows(made, warehouse, name, _RUN)
    refused = [sentence for sentence in _import(data, warehouse).refused if sentence.startswith("Gaps")]
    assert len(refused) == 1
    assert "(Article 13(6)): its texts have changed since this workbook was written" in refused[0]


def test_the_session_filters_steps_and_decides(warehouse: str) -> None:
    review = CrosswalkReview(warehouse, _RUN, "A. Analyst")
    assert len(review.rows) == len(corresponding.rows()[0]) - 1, "what demands nothing is not decided on"
    review.show(state="gap", document=invented.EU)
    assert [row["label"] for row in review.shown] == ["Article 13(6)"]
    assert [row["counterpart_label"] for row in review.current_counterparts] == ["V.B, paragraph 1"]
    review.decide("reject", "See the audit booklet.")
    assert (review.current or {})["decided_note"] == "See the audit booklet."
    review.show(decision=OPEN, words="body training")
    assert review.current is None
    again = CrosswalkReview(warehouse, _RUN)
    again.show(decision="reject")
    assert [row["label"] for row in again.shown] == ["Article 13(6)"]
    # Findings are measured without it, and the log and the export have it.
    measured = Review(warehouse, _RUN)
    assert measured.measured()["n"] == 0
    measured.export(str(Path(warehouse) / "out"))
    sealed = conflict_log.verify((Path(warehouse) / "out/conflict_log.jsonl").read_bytes(), "log")
    assert [(entry["left_label"], entry["right_label"]) for entry in sealed.entries] == [("Article 13(6)", None)]


def test_the_panel_shows_a_provision_beside_its_counterparts(warehouse: str) -> None:
    widgets = pytest.importorskip("antinomy.review.widgets", reason="ipywidgets is not installed")
    panel = widgets.crosswalk_panel(CrosswalkReview(warehouse, _RUN, "A. Analyst"))
    assert ("Gap (2)", "gap") in panel.filters["state"].options
    panel.filters["state"].value = "stricter_there"
    assert "Counterpart is stricter, probability 0.88" in panel.finding.value
    assert "at least once in every period" in panel.finding.value
    assert "Management should exercise" in panel.finding.value
    assert "Stricter, the counterpart governs, probability of the same duty 88%" in panel.finding.value
    panel.note.value = "One control for both."
    panel.buttons["confirm"].click()
    assert "Confirmed by A. Analyst" in panel.finding.value
    (row,) = decisions.read(warehouse)
    assert (row["finding_id"], row["note"]) == (_row(invented.TEST_EU)["coverage_id"], "One control for both.")
    panel.filters["state"].value = "gap"
    assert "<script" not in panel.finding.value
    assert "on another matter" in panel.finding.value


@pytest.mark.slow
def test_the_command_decides_on_a_provision_too(warehouse: str, tmp_path: Path) -> None:
    config = tmp_path / "antinomy.yaml"
    settings = {
        "run_id": _RUN, "warehouse": warehouse, "out": str(tmp_path / "out"),
        "documents": [{"doc_id": name, "path": f"{name}.txt", "regime": name} for name in ("eu", "us")],
    }  # fmt: skip
    config.write_text(yaml.safe_dump(settings))
    named = _row(corresponding.TRAINING)["coverage_id"]
    done = call(BIN / "antinomy", "decide", named, "confirm", "--config", config, "--reviewer", "A. Analyst")
    assert f"Confirmed by A. Analyst: provision {named}, eu-specimen Article 13(6)\n" in done.stdout
    made = json.loads(
        call(BIN / "antinomy", "decide", named, "unsure", "--config", config, "--json", "--note", "Ask.").stdout
    )
    assert (made["finding_id"], made["right_id"], made["note"]) == (named, None, "Ask.")
