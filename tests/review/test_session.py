"""A reviewer's session, from the controls that a notebook shows down to the table."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from openpyxl import load_workbook

from antinomy.errors import AntinomyError
from antinomy.findings import conflict_log, decisions
from antinomy.review.session import OPEN, Review
from antinomy.review.view import side_by_side
from report import invented
from review import reviewed_run

widgets = pytest.importorskip("antinomy.review.widgets", reason="ipywidgets is not installed")


@pytest.fixture
def review(tmp_path: Path) -> Review:
    return Review(reviewed_run.write(tmp_path / "w"), reviewed_run.RUN_ID, "A. Analyst")


def _ranks(review: Review) -> list[int | None]:
    return [row["rank"] for row in review.shown]


def test_filters_narrow_what_is_stepped_through(review: Review) -> None:
    assert _ranks(review) == [1, 2, 3, 4, 5, None]
    for changes, ranks in (
        ({"relation": "conflict"}, [1, 2, 3, 4]),
        ({"document": invented.US_RECORDS}, [3]),
        ({"document": "", "words": "TERRITORY union"}, [4]),
        ({"words": "", "least": 0.92}, [1, 2]),
        ({"relation": "", "least": 0.0, "state": "resolved"}, [None]),
        ({"state": "", "kind": "deadline"}, [1]),
        ({"kind": "scope"}, []),
    ):
        review.show(**changes)
        assert _ranks(review) == ranks, changes
    assert review.current is None
    with pytest.raises(AntinomyError, match="nothing to decide on"):
        review.decide("confirm")


def test_steps_stop_at_both_ends(review: Review) -> None:
    review.step(-1)
    assert (review.current or {})["rank"] == 1
    review.step(100)
    assert (review.current or {})["state"] == "resolved"


def test_decisions_are_recorded_measured_and_there_the_next_time(review: Review) -> None:
    review.decide("confirm", "Legal agrees.")
    review.step(1)
    review.decide("reject")
    review.decide("unsure")
    review.decide("reject", "The provider may be named.")
    assert [row["decision"] for row in decisions.read(review.warehouse)] == ["confirm", "reject", "unsure", "reject"]
    again = Review(review.warehouse, review.run_id, "B. Reviewer")
    assert [row["decision"] for row in again.findings[:3]] == ["confirm", "reject", None]
    assert again.findings[0]["decided_by"] == "A. Analyst"
    again.show(decision=OPEN)
    assert _ranks(again) == [3, 4, 5, None]
    again.show(decision="reject")
    again.decide("confirm")
    measured = again.measured()
    assert (measured["confirmed"], measured["rejected"], measured["open"], measured["n"]) == (2, 0, 3, 2)
    assert measured["precision"]["value"] == 1.0
    assert measured["precision"]["low"] < 0.5, "two out of two prove little"
    assert measured["agreement"] == {"share": {"value": 0.0, "low": 0.0, "high": pytest.approx(0.79, abs=0.01)}, "n": 1}


def test_a_decision_on_an_earlier_text_does_not_count(review: Review, tmp_path: Path) -> None:
    review.decide("confirm")
    rows = invented.findings()
    rows[0]["left_sha256"] = "0" * 64
    changed = Review(reviewed_run.write(Path(review.warehouse), rows), reviewed_run.RUN_ID)
    assert changed.findings[0]["decision"] is None
    assert changed.measured()["n"] == 0


def test_the_export_has_the_decisions_and_a_log_that_can_be_checked(review: Review, tmp_path: Path) -> None:
    review.decide("confirm", "=1+1")
    files = review.export(str(tmp_path / "out"))
    assert [Path(file).name for file in files] == ["reviewed.csv", "reviewed.xlsx", "conflict_log.jsonl"]
    first = next(csv.DictReader(io.StringIO((tmp_path / "out/reviewed.csv").read_text("utf-8-sig"), newline="")))
    assert (first["decision"], first["decided_by"], first["decided_note"]) == ("confirm", "A. Analyst", "'=1+1")
    conflicts = load_workbook(tmp_path / "out/reviewed.xlsx")["Conflicts"]
    assert "confirm" in [cell.value for cell in conflicts[2]]
    sealed = conflict_log.verify((tmp_path / "out/conflict_log.jsonl").read_bytes(), "log")
    assert [entry["note"] for entry in sealed.entries] == ["=1+1"]


def test_both_texts_stand_side_by_side_with_marks_and_nothing_in_them_is_markup() -> None:
    row = invented.findings()[3]
    shown = side_by_side(row, {invented.EU: "Specimen"})
    assert "4. Conflict (procedure), probability of a conflict 0.88" in shown
    assert "Article 11(4)</b>, Specimen, page 17" in shown
    assert "Confirmed by A. Analyst on 2031-04-02: Legal agrees." in shown
    assert ">held on another continent</mark>" in shown
    attack = "\U0001f4dc <script>alert(1)</script>"
    names = [name for name, value in row.items() if isinstance(value, str) and name not in ("relation", "decision")]
    hostile = side_by_side(row | dict.fromkeys(names, attack) | {"evidence_left": "alert(1)"}, {})
    assert "<script" not in hostile
    assert "\U0001f4dc &lt;script&gt;<mark" in hostile
    assert ">alert(1)</mark>&lt;/script&gt;" in hostile


def test_the_panel_filters_steps_and_decides(review: Review) -> None:
    panel = widgets.panel(review)
    assert "within 24 hours" in panel.finding.value
    assert "1 of 6" in panel.place.value
    panel.buttons["next"].click()
    assert "2 of 6" in panel.place.value
    assert "submitted by the firm in its own name" in panel.finding.value
    panel.note.value = "The provider files."
    panel.buttons["confirm"].click()
    assert panel.note.value == ""
    assert "recorded: confirmed" in panel.place.value
    assert "Confirmed by A. Analyst" in panel.finding.value
    (row,) = decisions.read(review.warehouse)
    assert (row["decision"], row["note"], row["reviewer"]) == ("confirm", "The provider files.", "A. Analyst")
    panel.filters["decision"].value = "confirm"
    assert "1 of 1</b> (of 6 in all)" in panel.place.value
    panel.filters["words"].value = "no such words"
    assert "No finding passes" in panel.finding.value
    assert panel.buttons["confirm"].disabled
    assert ("Deadline (1)", "deadline") in panel.filters["kind"].options
