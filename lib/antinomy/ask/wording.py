"""Prompts for a served model: rules, then texts between marks that do not occur in them."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import cache
from importlib import resources
from typing import Any

import yaml
from pydantic import BaseModel

from antinomy.judge.served.prompt import Message, clean, delimiter


@cache
def rules() -> dict[str, str]:
    """Return the packaged rules by the task that they are for."""
    read: dict[str, str] = yaml.safe_load(resources.files("antinomy.ask").joinpath("prompts.yaml").read_text("utf-8"))
    return read


def sha256(*tasks: str) -> str:
    """Return a hash of the rules of some tasks: other rules may give other answers."""
    return hashlib.sha256("\n".join(rules()[task] for task in tasks).encode()).hexdigest()


def messages(task: str, texts: Sequence[tuple[str, str]]) -> list[Message]:
    """Return a prompt.

    Args:
        task: whose rules.
        texts: name of each text → the text; invisible characters and control tokens are removed.
    """
    bodies = [clean(text).strip() for _, text in texts]
    sign = delimiter(*bodies)
    blocks = [f"{name}:\n[[{sign}]]\n{body}\n[[/{sign}]]" for (name, _), body in zip(texts, bodies, strict=True)]
    return [{"role": "system", "content": rules()[task]}, {"role": "user", "content": "\n\n".join(blocks)}]


def response_format(model: type[BaseModel]) -> dict[str, Any]:
    """Return the response format that constrains a server to this model's JSON."""
    schema = _plain(model.model_json_schema())
    return {"type": "json_schema", "json_schema": {"name": model.__name__.lower(), "strict": True, "schema": schema}}


def _plain(schema: Any) -> Any:
    """Return a JSON schema in the keywords that the servers' grammars know."""
    if isinstance(schema, list):
        return [_plain(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    renamed = {
        {"oneOf": "anyOf"}.get(key, key): _plain(value) for key, value in schema.items() if key != "discriminator"
    }
    if "form" in (renamed.get("properties") or {}):
        renamed["required"] = sorted({*renamed.get("required", ()), "form"})
    return renamed
