"""An answer for a terminal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.console import Group, RenderableType
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from antinomy.ask.model import Answer
from antinomy.text.characters import one_line

#: Numbers of rows and passages that a terminal shows; ``--json`` has all.
_ROWS, _QUOTES = 12, 8
#: Columns that are for programs.
_HIDDEN = frozenset({"dimension", "low", "high"})


def render(answer: Answer) -> RenderableType:
    """Render an answer: its text, its table, and the passages that support it."""
    parts: list[RenderableType] = [Text(one_line(answer.text), style="bold")]
    if answer.error:
        parts.append(Text(f"The server did not answer ({answer.error}): this is an extract.", style="italic"))
    if answer.rows:
        parts.append(_table(answer.rows))
    for quote in answer.quotes[:_QUOTES]:
        why = "" if quote.because == "looked up" else f"  [{quote.because}]"
        parts.append(Text(f"\n{quote.label} ({quote.regime}){why}", style="cyan"))
        parts.append(Text(f"  {one_line(quote.text)}"))
    if len(answer.quotes) > _QUOTES:
        parts.append(Text(f"\n… and {len(answer.quotes) - _QUOTES} more passages (--json shows all)"))
    return Group(*parts)


def _table(rows: Sequence[Mapping[str, Any]]) -> Table:
    columns = [name for name in rows[0] if name not in _HIDDEN]
    grid = Table(*columns, box=SIMPLE_HEAD, pad_edge=False)
    for row in rows[:_ROWS]:
        grid.add_row(
            *(escape(one_line(str(row.get(name, "") if row.get(name) is not None else ""))) for name in columns)
        )
    if len(rows) > _ROWS:
        grid.caption = f"{len(rows) - _ROWS} more rows: --json shows all"
    return grid
