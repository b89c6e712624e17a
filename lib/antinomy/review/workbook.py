"""Decisions from the workbook of a run: its columns ``decision`` and ``decided_note``, filled in by a reviewer.

They are read from every sheet that has these columns. Every row names its finding, or its provision, and the hashes of
the texts that the reviewer saw, and when the decision that stood in it was made. So a decision on a text that has
changed since is refused, one that was only carried along is left alone, and a workbook that is read twice adds nothing
the second time.
"""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from xml.etree.ElementTree import ParseError

from openpyxl import load_workbook
from openpyxl.utils.exceptions import InvalidFileException

from antinomy.coverage import decided as crosswalk
from antinomy.errors import AntinomyError
from antinomy.findings import decisions
from antinomy.findings.decisions import WORDS
from antinomy.report.cells import cell_text, text_of_cell
from antinomy.store import tables
from antinomy.store.rows import DecisionRow, Subject

_DECIDED = ("decision", "decided_note", "decided_at")
#: Columns that say on what a row decides: of a sheet of findings, and of one of provisions; each with what the columns
#: of a decision are named there.
_SUBJECTS = (
    {name: name for name in ("finding_id", "left_sha256", "right_sha256", *_DECIDED)},
    {
        "finding_id": "coverage_id", "left_sha256": "text_sha256", "right_sha256": "counterpart_text_sha256",
        **{name: name for name in _DECIDED},
    },
)  # fmt: skip


@dataclass(frozen=True)
class ImportResult:
    """What came of a workbook.

    Attributes:
        added: decisions that were recorded, in the order of the rows.
        known: rows whose decision was in the log already.
        refused: a sentence per row whose decision was not recorded.
    """

    added: tuple[DecisionRow, ...]
    known: int
    refused: tuple[str, ...]


def import_decisions(data: bytes, name: str, warehouse: str, run_id: str, reviewer: str) -> ImportResult:
    """Record the decisions in a workbook that ``exports.workbook.xlsx_bytes`` wrote and a reviewer filled in.

    Args:
        data: the workbook.
        name: of the file, for messages.
        warehouse: URI of the warehouse.
        run_id: of the run that the workbook is of.
        reviewer: who decided.

    Raises:
        AntinomyError: if it is no such workbook, or there is no reviewer.
        StorageError: if the run has no findings, or the warehouse cannot be written.
    """
    findings: dict[str, Subject] = {row["finding_id"]: row for row in tables.read_rows(warehouse, "findings", run_id)}
    findings.update(crosswalk.read(warehouse, run_id).subjects)
    all_decisions = decisions.read(warehouse)
    added: list[DecisionRow] = []
    refused: list[str] = []
    known = 0
    for position, row in _rows(data, name):
        decision, note = row["decision"].casefold(), text_of_cell(row["decided_note"])
        finding = findings.get(row["finding_id"])
        of_finding = [one for one in (*all_decisions, *added) if one["finding_id"] == row["finding_id"]]
        reason = _reason_to_refuse(row, decision, finding, run_id, of_finding)
        if reason:
            refused.append(f"{position}: {reason}")
        elif not decision or finding is None:
            continue
        elif _already_recorded(row, decision, note, reviewer, of_finding):
            known += 1
        else:
            added.append(decisions.make_row(run_id, finding, decision, reviewer, note))
    if added:
        decisions.append(warehouse, added)
    return ImportResult(tuple(added), known, tuple(refused))


def _rows(data: bytes, name: str) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield the position and the needed cells of every row, as text keyed by the columns of a finding."""
    heads: list[list[str]] = []
    try:
        book = load_workbook(io.BytesIO(data), read_only=True, data_only=True)
        sheets = [(sheet.title, list(sheet.iter_rows(values_only=True))) for sheet in book.worksheets]
    except (InvalidFileException, zipfile.BadZipFile, zlib.error, ParseError, KeyError, ValueError) as error:
        raise AntinomyError(f"{name} is not an Excel workbook ({error}): give the findings.xlsx of a run") from error
    for title, lines in sheets:
        head = [_text(value) for value in (lines[0] if lines else ())]
        heads.append(head)
        columns = next((named for named in _SUBJECTS if set(named.values()) <= set(head)), None)
        if columns is None:
            continue
        indices = {column: head.index(named) for column, named in columns.items()}
        for number, line in enumerate(lines[1:], start=2):
            cells = {column: _text(line[at]) if at < len(line) else "" for column, at in indices.items()}
            if cells["finding_id"] or cells["decision"]:
                yield f"{title}, row {number}", cells
    _require_decisions(heads, name)


def _require_decisions(heads: Sequence[Sequence[str]], name: str) -> None:
    """Check that no sheet with decisions lost the columns that say what they are about.

    Raises:
        AntinomyError: if one did, or if no sheet has decisions.
    """
    deciding = [set(head) for head in heads if "decision" in head]
    for head in deciding:
        missing = min(([n for n in named.values() if n not in head] for named in _SUBJECTS), key=len)
        if missing:
            raise AntinomyError(
                f"{name} lacks the columns {', '.join(missing)}: give the findings.xlsx of a run, as written"
            )
    if not deciding:
        raise AntinomyError(f"{name} has no sheet with a column decision: give the findings.xlsx of a run")


def _text(value: Any) -> str:
    return "" if value is None else str(value).strip()


def _reason_to_refuse(
    row: Mapping[str, str], decision: str, finding: Subject | None, run_id: str, all_decisions: Sequence[DecisionRow]
) -> str:
    """Return why a row's decision cannot be recorded, "" if it can be or there is none."""
    if not decision:
        # What was in the cell when it was written is in the log for good.
        if row["decided_at"]:
            return f"{_named(row, finding)}: a decision is never removed, choose unsure instead of an empty cell"
        return f"{_named(row, finding)}: a note without a decision" if row["decided_note"] else ""
    if decision not in WORDS:
        return f"decision {row['decision']!r}: give one of {', '.join(WORDS)}"
    if finding is None:
        return f"run {run_id} has no finding or provision {row['finding_id'] or 'without an id'}"
    if not decisions.still_applies(row, finding):
        return (
            f"{_named(row, finding)}: its texts have changed since this workbook was written; read it again in the "
            "run's findings.xlsx and decide there"
        )
    if row["decided_at"] and all(one["decided_at"] != row["decided_at"] for one in all_decisions):
        return (
            f"{_named(row, finding)} had a decision of {row['decided_at']}, which the log of this warehouse does "
            "not have: give the findings.xlsx of a run in this warehouse"
        )
    return ""


def _named(row: Mapping[str, str], finding: Subject | None) -> str:
    if finding is None:
        return row["finding_id"]
    return f"{row['finding_id']} ({' / '.join(filter(None, (finding['left_label'], finding['right_label'])))})"


def _already_recorded(
    row: Mapping[str, str], decision: str, note: str, reviewer: str, all_decisions: Sequence[DecisionRow]
) -> bool:
    """Return whether a row's decision stood in it when it was written, or came from it earlier."""
    still_valid = [one for one in all_decisions if decisions.still_applies(one, row)]
    carried = [one for one in still_valid if one["decided_at"] == row["decided_at"]]
    if any(one["decision"] == decision and _same_value(one["note"], note) for one in carried):
        return True
    since = [one for one in still_valid if one["decided_at"] > row["decided_at"]]
    return any(
        one["decision"] == decision and _same_value(one["note"], note) and one["reviewer"] == reviewer.strip()
        for one in since
    )


def _same_value(recorded: str, read: str) -> bool:
    # A cell holds no control characters and has a greatest length; what is in the log may have more.
    return text_of_cell(cell_text(recorded)).strip() == text_of_cell(cell_text(read)).strip()
