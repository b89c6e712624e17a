"""The JSON schema of settings, with what the models' docstrings say of each setting."""

from __future__ import annotations

import inspect
import re
from typing import Any

from pydantic import BaseModel

_ATTRIBUTE = re.compile(r"^(\w+(?:, \w+)*): (.*(?:\n .*)*)", re.M)


def schema(model: type[BaseModel]) -> dict[str, Any]:
    """Return the schema of a settings model.

    A setting's description is what its field says, else its entry under ``Attributes:`` in the docstring, else the
    paragraphs of the docstring that name it. A group's description is its docstring without these entries.
    """
    json_schema = model.model_json_schema()
    for group in (json_schema, *json_schema.get("$defs", {}).values()):
        prose, attributes = _parse_docstring(group.get("description", ""))
        group["description"] = prose
        for name, setting in group.get("properties", {}).items():
            # Pydantic's title only repeats the name.
            setting.pop("title", None)
            descriptions = attributes.get(name) or _description(name, prose)
            if descriptions:
                setting.setdefault("description", descriptions)
    return json_schema


def _parse_docstring(docstring: str) -> tuple[str, dict[str, str]]:
    """Split a docstring into its prose and its entries under ``Attributes:``."""
    prose, _, attributes = docstring.replace("``", "`").partition("\nAttributes:\n")
    descriptions = {
        name: " ".join(text.split())
        for names, text in _ATTRIBUTE.findall(inspect.cleandoc(attributes))
        for name in names.split(", ")
    }
    paragraphs = [" ".join(paragraph.split()) for paragraph in prose.split("\n\n")]
    return "\n\n".join(paragraph for paragraph in paragraphs if paragraph), descriptions


def _description(name: str, prose: str) -> str:
    return "\n\n".join(paragraph for paragraph in prose.split("\n\n") if f"`{name}`" in paragraph)
