"""Writes docs/settings.md from the settings' models: `make docs`. With --print, to stdout."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
# This checkout's models, whatever is installed.
sys.path.insert(0, str(ROOT / "lib"))

from antinomy.settings import Settings  # noqa: E402
from antinomy.settings.schema import schema  # noqa: E402
from antinomy.settings.train import TrainSettings  # noqa: E402

FILE = ROOT / "docs" / "settings.md"
_HEAD = """# Settings

Written by `make docs` from the models in the code: change the docstrings there, not this file. A settings file is YAML;
`--set a.b=value` replaces one setting of it. `antinomy schema > antinomy.schema.json` writes the same for an editor,
which then completes and checks a file that begins with `# yaml-language-server: $schema=antinomy.schema.json`.
"""
#: Defaults of a run's settings that depend on the place and the name of the settings file.
_OF_FILE = {
    "run_id": "name of the file",
    "data_root": "folder of the file",
    "warehouse": "`out/warehouse` beside the file",
    "out": "the run's name, beside `warehouse`",
}
_TRAIN = """
# Settings of `antinomy train`
"""


def render() -> str:
    """Return the page."""
    return "\n".join([_HEAD, *_group(schema(Settings)), _TRAIN, *_group(schema(TrainSettings))]).rstrip() + "\n"


def _group(whole: dict[str, Any], group: dict[str, Any] | None = None, path: str = "") -> Iterator[str]:
    """Give the lines on a group of settings, and on the groups in it."""
    group = group or whole
    described = [name for name, setting in group["properties"].items() if _own_words(group, setting)]
    if path:
        yield f"## `{path}`\n"
    yield group["description"] + "\n"
    yield "| setting | what it takes | if not given |" + (" what it is |" if described else "")
    yield "|---|---|---|" + ("---|" if described else "")
    inner = []
    for name, setting in group["properties"].items():
        found, many = _reference(setting)
        if found:
            inner.append((f"{path}{'.' if path else ''}{name}{'[]' if many else ''}", whole["$defs"][found]))
        required = name in group.get("required", ())
        default = _OF_FILE.get(name) if whole["title"] == "Settings" and not path else None
        default = default or _default(setting, found)
        cells = [f"`{name}`", _takes(setting), "**needed**" if required else default]
        if described:
            cells.append(_own_words(group, setting))
        yield "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"
    yield ""
    for place, definition in inner:
        yield from _group(whole, definition, place)


def _own_words(group: dict[str, Any], setting: dict[str, Any]) -> str:
    """Return what is said of a setting alone; what the group's prose says stands above the table."""
    said = str(setting.get("description", ""))
    return "" if not said or said.split("\n\n")[0] in group["description"] else said


def _reference(setting: dict[str, Any]) -> tuple[str, bool]:
    """Return the group that a setting is (or a list of them), "" if none."""
    many = setting.get("type") == "array"
    of = setting.get("items", {}) if many else setting
    for option in (of, *of.get("anyOf", ())):
        if "$ref" in option:
            return option["$ref"].rpartition("/")[2], many
    return "", False


def _takes(setting: dict[str, Any]) -> str:
    if "anyOf" in setting:
        return " or ".join(_takes(option) for option in setting["anyOf"] if option.get("type") != "null")
    if "$ref" in setting:
        return "a group, below"
    if "enum" in setting or "const" in setting:
        return ", ".join(f"`{value}`" for value in setting.get("enum") or [setting["const"]])
    kind = setting.get("type", "anything")
    if kind == "array":
        items = setting.get("items") or {"type": "string"}
        if "prefixItems" in items:
            return f"list of lists of {len(items['prefixItems'])}"
        return "list of groups, below" if "$ref" in items else f"list of {_takes(items)}"
    bounds = {
        "minimum": "≥ {}", "exclusiveMinimum": "> {}", "maximum": "≤ {}", "exclusiveMaximum": "< {}",
        "maxLength": "at most {} characters",
    }  # fmt: skip
    said = [text.format(setting[name]) for name, text in bounds.items() if name in setting]
    word = {"string": "text", "integer": "whole number", "boolean": "true or false", "object": "names and values"}
    form = " (a day, YYYY-MM-DD)" if setting.get("format") == "date" else ""
    return word.get(kind, kind) + form + (f", {', '.join(said)}" if said else "")


def _default(setting: dict[str, Any], group: str) -> str:
    default = setting.get("default")
    if group and default is not None:
        return "its defaults"
    if default in (None, "", [], {}):
        return "–"
    return f"`{json.dumps(default, ensure_ascii=False)}`".replace('"', "")


if __name__ == "__main__":
    if "--print" in sys.argv:
        print(render(), end="")
    else:
        FILE.write_text(render())
