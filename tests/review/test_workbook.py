"""Reviewing in a spreadsheet or by a command: what a reviewer fills in ends in the log of decisions, once."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path
from typing import Any, get_type_hints

import pytest
import yaml
from openpyxl import Workbook, load_workbook

from antinomy.cli import decide as decide_cli
from antinomy.errors import AntinomyError
from antinomy.findings import decisions
from antinomy.report.crosswalk import Crosswalk
from antinomy.report.exports.workbook import xlsx_bytes
from antinomy.review.workbook import ImportResult, import_decisions
from report import invented
from review import reviewed_run
from runs import BIN, call

_OPEN = dict.fromkeys(("decision", "decided_by", "decided_at", "decided_note"))


def _findings() -> list[dict[str, Any]]:
    """The invented findings, none of them decided on."""
    return [row | _OPEN for row in invented.findings()]


@pytest.fixture
def warehouse(tmp_path: Path) -> str:
    return reviewed_run.write(tmp_path / "w", _findings())


def _decided(warehouse: str, row: dict[str, Any], word: str, note: str = "") -> dict[str, Any]:
    """Decide on a finding; returns it as the next report would list it."""
    made = decisions.record(warehouse, reviewed_run.RUN_ID, row, word, "A. Analyst", note)
    return row | {
        "decision": word, "decided_by": made["reviewer"], "decided_at": made["decided_at"], "decided_note": made["note"]
    }  # fmt: skip


def _workbook(rows: list[dict[str, Any]]) -> bytes:
    return xlsx_bytes(rows, invented.RUN, invented.aggregates(rows), Crosswalk((), (), ()))


def _filled(data: bytes, cells: dict[tuple[int, str], str | None], name: str = "Conflicts") -> bytes:
    """Open the workbook as a spreadsheet program would, fill cells (row, column) of a sheet, and save it."""
    book = load_workbook(io.BytesIO(data))
    sheet = book[name]
    places = {cell.value: cell.column for cell in sheet[1]}
    for (row, column), value in cells.items():
        sheet.cell(row, places[column]).value = value
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def _import(data: bytes, warehouse: str, reviewer: str = "A. Analyst") -> ImportResult:
    return import_decisions(data, "findings.xlsx", warehouse, reviewed_run.RUN_ID, reviewer)


def _said(warehouse: str) -> list[tuple[str, str, str]]:
    return [(row["decision"], row["note"], row["reviewer"]) for row in decisions.read(warehouse)]


def test_the_workbook_offers_the_decisions_and_a_column_for_notes() -> None:
    book = load_workbook(io.BytesIO(_workbook(_findings())))
    sheet = book["Conflicts"]
    head = [cell.value for cell in sheet[1]]
    assert head[head.index("decision") + 1] == "decided_note"
    (choice,) = sheet.data_validations.dataValidation
    assert choice.formula1 == '"confirm,reject,unsure"'
    assert choice.showErrorMessage, "another word is refused by the spreadsheet itself"
    cells = {cell.coordinate for line in sheet[str(choice.sqref)] for cell in line}
    column = sheet.cell(1, head.index("decision") + 1).column_letter
    assert cells == {f"{column}{row}" for row in range(2, 6)}


def test_decisions_of_a_workbook_end_in_the_log_once(warehouse: str) -> None:
    data = _filled(
        _workbook(_findings()),
        {
            (2, "decision"): "confirm",
            (2, "decided_note"): "- Legal agrees",
            (4, "decision"): " Reject ",
            (4, "decided_note"): "Other records.",
        },
    )
    first = _import(data, warehouse)
    assert (len(first.added), first.refused) == (2, ())
    expected = [("confirm", "- Legal agrees", "A. Analyst"), ("reject", "Other records.", "A. Analyst")]
    assert _said(warehouse) == expected
    recorded = decisions.read(warehouse)
    assert [row["finding_id"] for row in recorded] == [_findings()[n]["finding_id"] for n in (0, 2)]
    second = _import(data, warehouse)
    assert (len(second.added), second.known) == (0, 2)
    assert _said(warehouse) == expected
    # Another reviewer's word is another word.
    assert len(_import(data, warehouse, "B. Reviewer").added) == 2


def test_a_workbook_does_not_bring_back_what_was_overruled_since(warehouse: str) -> None:
    rows = _findings()
    rows[0] = _decided(warehouse, rows[0], "confirm", "=1\x07 " + "long " * 9000)
    written = _workbook(rows)
    decisions.record(warehouse, reviewed_run.RUN_ID, rows[0], "reject", "B. Reviewer")
    assert (len(_import(written, warehouse).added), _import(written, warehouse).known) == (0, 1)
    changed = _filled(written, {(2, "decision"): "unsure", (2, "decided_note"): ""})
    for added in (1, 0):
        assert len(_import(changed, warehouse).added) == added
    assert [row["decision"] for row in decisions.read(warehouse)] == ["confirm", "reject", "unsure"]


def test_a_decision_on_a_text_that_changed_since_is_refused_and_the_others_count(warehouse: str) -> None:
    data = _filled(_workbook(_findings()), {(2, "decision"): "confirm", (3, "decision"): "reject"})
    rows = _findings()
    rows[0]["left_sha256"] = "0" * 64
    reviewed_run.write(Path(warehouse), rows)
    found = _import(data, warehouse)
    (sentence,) = found.refused
    assert sentence.startswith(f"Conflicts, row 2: {rows[0]['finding_id']} ({rows[0]['left_label']} / ")
    assert "its texts have changed since this workbook was written" in sentence
    assert [row["finding_id"] for row in decisions.read(warehouse)] == [rows[1]["finding_id"]]


@pytest.mark.parametrize(
    ("cells", "sentence"),
    [
        ({(3, "decision"): "yes"}, "row 3: decision 'yes': give one of confirm, reject, unsure"),
        ({(3, "decided_note"): "Hm."}, "a note without a decision"),
        ({(3, "decision"): "confirm", (3, "finding_id"): "f00"}, "run quarter-2 has no finding or provision f00"),
        ({(5, "decision"): None}, "a decision is never removed, choose unsure"),
        ({(5, "decided_at"): "2031-04-02T10:00:00+00:00"}, "which the log of this warehouse does not have"),
    ],
)
def test_a_row_that_says_no_decision_is_named(
    warehouse: str, cells: dict[tuple[int, str], str | None], sentence: str
) -> None:
    rows = _findings()
    rows[3] = _decided(warehouse, rows[3], "confirm")
    found = _import(_filled(_workbook(rows), cells), warehouse)
    assert sentence in "\n".join(found.refused)
    assert len(_said(warehouse)) == 1


@pytest.mark.parametrize("data", [b"", b"PK\x03\x04 not a workbook", b"rank,decision\n1,confirm\n"])
def test_another_file_is_refused(warehouse: str, data: bytes) -> None:
    with pytest.raises(AntinomyError, match=r"is not an Excel workbook .* give the findings.xlsx of a run"):
        _import(data, warehouse)


def _with_cut_sheets(data: bytes, share: float) -> bytes:
    """Cut the sheets within the archive, as a program does that is killed while it saves."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as whole, zipfile.ZipFile(out, "w") as cut:
        for name in whole.namelist():
            part = whole.read(name)
            cut.writestr(name, part[: int(share * len(part))] if "worksheets/" in name else part)
    return out.getvalue()


@pytest.mark.parametrize("share", [0.0, 0.1, 0.5, 0.99])
def test_a_truncated_workbook_is_refused_and_nothing_is_recorded(warehouse: str, share: float) -> None:
    data = _filled(_workbook(_findings()), {(2, "decision"): "confirm"})
    for harmed in (data[: int(share * len(data))], _with_cut_sheets(data, share)):
        with pytest.raises(AntinomyError, match=r"is not an Excel workbook .* give the findings.xlsx of a run"):
            _import(harmed, warehouse)
    assert _said(warehouse) == []


def test_a_workbook_of_one_sheet_as_earlier_releases_wrote_it_is_read_too(warehouse: str) -> None:
    book = load_workbook(io.BytesIO(_filled(_workbook(_findings()), {(2, "decision"): "confirm"})))
    for name in set(book.sheetnames) - {"Conflicts"}:
        del book[name]
    book["Conflicts"].title = "Findings"
    out = io.BytesIO()
    book.save(out)
    assert len(_import(out.getvalue(), warehouse).added) == 1


def test_another_workbook_is_refused(warehouse: str) -> None:
    out = io.BytesIO()
    Workbook().save(out)
    with pytest.raises(AntinomyError, match=r"has no sheet with a column decision: give the findings.xlsx of a run"):
        _import(out.getvalue(), warehouse)


def test_a_workbook_without_the_columns_is_refused(warehouse: str) -> None:
    data = _filled(_workbook(_findings()), {(1, "left_sha256"): "something else"})
    with pytest.raises(AntinomyError, match="lacks the columns left_sha256"):
        _import(data, warehouse)


def test_the_command_takes_the_words_that_the_log_knows() -> None:
    hint = get_type_hints(decide_cli.decide)["decision"]
    assert tuple(hint) == tuple(decisions.WORDS)


@pytest.mark.slow
def test_decide_and_import_from_the_command_line(warehouse: str, tmp_path: Path) -> None:
    config = tmp_path / "antinomy.yaml"
    settings = {
        "run_id": reviewed_run.RUN_ID, "warehouse": warehouse, "out": str(tmp_path / "out"),
        "documents": [{"doc_id": name, "path": f"{name}.txt", "regime": name} for name in ("eu", "us")],
    }  # fmt: skip
    config.write_text(yaml.safe_dump(settings))
    rows = _findings()
    file = tmp_path / "findings.xlsx"
    file.write_bytes(_filled(_workbook(rows), {(4, "decision"): "reject", (5, "decision"): "perhaps"}))

    def antinomy(*arguments: str) -> Any:
        return call(BIN / "antinomy", *arguments, "--config", config, "--reviewer", "A. Analyst", check=False)

    done = antinomy("decide", "1", "confirm", "--note", "Legal agrees.")
    assert f"Confirmed by A. Analyst: finding {rows[0]['finding_id']}" in done.stdout, done.stderr
    assert f"antinomy report --config {config}" in done.stdout
    by_id = json.loads(antinomy("decide", rows[1]["finding_id"], "unsure", "--json").stdout)
    assert (by_id["finding_id"], by_id["decision"]) == (rows[1]["finding_id"], "unsure")
    wrong = antinomy("decide", "77", "confirm")
    assert wrong.returncode == 2
    assert "run quarter-2 has no finding 77: its findings are numbered 1 to 5" in wrong.stderr
    imported = antinomy("import-decisions", str(file))
    assert imported.returncode == 1, "a row could not be taken over"
    assert "decisions: 1 recorded, 0 known already, 1 refused" in imported.stdout
    assert "row 5: decision 'perhaps'" in imported.stderr
    assert [one[0] for one in _said(warehouse)] == ["confirm", "unsure", "reject"]
