"""Sheets of a workbook: frozen headings, a filter on every column, wrapped texts, and nothing that is a formula."""

from __future__ import annotations

import io
from collections.abc import Container, Sequence
from typing import Any

from openpyxl import Workbook
from openpyxl.cell import WriteOnlyCell
from openpyxl.styles import Alignment, Font, PatternFill
from openpyxl.utils import get_column_letter
from openpyxl.worksheet.datavalidation import DataValidation

from antinomy.report.cells import cell_text

_FILL = PatternFill("solid", fgColor="FFF0B3")


class WorkbookWriter:
    """A workbook that is written row by row."""

    def __init__(self) -> None:
        self._book = Workbook(write_only=True)

    def sheet(self, name: str, widths: Sequence[float], hidden: Container[int] = ()) -> SheetWriter:
        """Add a sheet with columns of these widths, in characters; those with an index in ``hidden`` are not shown."""
        return SheetWriter(self._book.create_sheet(name), widths, hidden)

    def data(self) -> bytes:
        """Return the workbook as a file; nothing can be added after."""
        out = io.BytesIO()
        self._book.save(out)
        return out.getvalue()


class SheetWriter:
    """A sheet, written from its first row to its last; made by ``WorkbookWriter.sheet``."""

    def __init__(self, sheet: Any, widths: Sequence[float], hidden: Container[int]) -> None:
        self._sheet = sheet
        self._columns = len(widths)
        self._rows = 0
        self._plain = self._style()
        self._bold = self._style(bold=True)
        self._filled = self._style(bold=True, fill=True)
        for n, width in enumerate(widths):
            column = sheet.column_dimensions[get_column_letter(n + 1)]
            column.width, column.hidden = width, n in hidden

    def write_header(self, columns: Sequence[str], to_fill_in: Sequence[str] = ()) -> None:
        """Write the headings, which stay in view; those of columns that a person fills in stand out."""
        # A sheet that is written row by row takes this only before its first row.
        self._sheet.freeze_panes = "A2"
        self._append(columns, [self._filled if column in to_fill_in else self._bold for column in columns])
        self._filter()

    def row(self, values: Sequence[Any]) -> None:
        """Write a row of texts and numbers."""
        self._append(values, [self._plain] * len(values))
        if self._sheet.auto_filter.ref:
            self._filter()

    def title(self, text: str) -> None:
        """Write a row that heads those below it."""
        self._append([text], [self._bold])

    def restrict_to(self, column: int, words: Sequence[str], title: str, hint: str) -> None:
        """Let the cells of a column (from 1) below its heading take one of these words or stay empty."""
        if self._rows < 2:
            return
        letter = get_column_letter(column)
        validation = DataValidation(
            "list", formula1=f'"{",".join(words)}"', allow_blank=True, sqref=f"{letter}2:{letter}{self._rows}"
        )
        validation.errorTitle, validation.error = title, f"Choose one of {', '.join(words)}, or leave the cell empty."
        validation.promptTitle, validation.prompt = title, hint
        validation.showErrorMessage = validation.showInputMessage = True
        self._sheet.data_validations.append(validation)

    def _filter(self) -> None:
        self._sheet.auto_filter.ref = f"A1:{get_column_letter(self._columns)}{self._rows}"

    def _append(self, values: Sequence[Any], styles: Sequence[Any]) -> None:
        cells = []
        for value, style in zip(values, styles, strict=True):
            cell: Any = WriteOnlyCell(self._sheet, cell_text(value) if isinstance(value, str) else value)
            # Looked up once per sheet: setting fonts and alignments cell by cell takes most of the time.
            cell._style = style
            cells.append(cell)
        self._sheet.append(cells)
        self._rows += 1

    def _style(self, bold: bool = False, fill: bool = False) -> Any:
        cell: Any = WriteOnlyCell(self._sheet)
        cell.alignment = Alignment(vertical="top", wrap_text=True)
        if bold:
            cell.font = Font(bold=True)
        if fill:
            cell.fill = _FILL
        return cell._style
