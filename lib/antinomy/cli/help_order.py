"""The order of the commands in ``antinomy --help``, and the headings that they stand under."""

from __future__ import annotations

from typing import Any

from typer.core import TyperCommand, TyperGroup

PANELS: dict[str, tuple[str, ...]] = {
    "Run": ("init", "demo", "run", "parse", "embed", "link", "judge", "report", "fetch"),
    "Look and decide": ("ask", "facts", "runs", "show", "decide", "import-decisions"),
    "Measure": ("check", "evaluate", "calibrate", "train"),
    "Keep": ("doctor", "setup", "files", "schema", "log", "verify", "gc"),
}
_PANEL_OF = {name: panel for panel, names in PANELS.items() for name in names}


class Grouped(TyperGroup):
    """The command line, its commands under the headings of PANELS; one that is not listed there comes last."""

    def list_commands(self, ctx: Any) -> list[str]:
        """Return the names in the order of PANELS."""
        there = super().list_commands(ctx)
        return [name for name in _PANEL_OF if name in there] + [name for name in there if name not in _PANEL_OF]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return a command, told its heading."""
        command = super().get_command(ctx, cmd_name)
        if isinstance(command, (TyperCommand, TyperGroup)):
            command.rich_help_panel = _PANEL_OF.get(cmd_name)
        return command
