"""A settings file as it is written: YAML without repeated keys, overrides by ``--set``, paths made absolute."""

from __future__ import annotations

import os
import posixpath
import re
from collections.abc import Iterable
from typing import Any

import yaml

from antinomy.errors import SettingsError, StorageError
from antinomy.store import storage

_URI = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")


class _Loader(yaml.SafeLoader):
    """YAML loader that rejects duplicate keys, of which the last would silently win."""

    def compose_mapping_node(self, anchor: Any) -> yaml.MappingNode:
        node: yaml.MappingNode = super().compose_mapping_node(anchor)
        lines: dict[tuple[str, str], int] = {}
        for key, _ in node.value:
            name, line = (key.tag, str(key.value)), key.start_mark.line + 1
            if name in lines:
                raise SettingsError(f"`{key.value}` occurs twice, in lines {lines[name]} and {line}: keep one of them")
            lines[name] = line
        return node


def read_with_overrides(config: str, overrides: list[str] | None = None, paths: Iterable[str] = ()) -> dict[str, Any]:
    """Read a settings file as it is written, with overrides.

    Args:
        config: URI or path of a YAML file.
        overrides: ``a.b=value`` each, the value read as YAML.
        paths: settings that hold a path or a list of them, as ``a.b``, or ``a.b?`` where it may also be a name (of a
            model, of a prompt); what is relative counts from the folder of the file, in an override from the working
            folder.

    Raises:
        StorageError: if the file cannot be read.
        SettingsError: if it is not valid YAML, or an override is none.
    """
    if not storage.exists(config):
        raise StorageError(f"{config} does not exist (working folder: {os.getcwd()}): check --config")
    raw = _parse_yaml(storage.read_bytes(config), config)
    if not isinstance(raw, dict):
        raise SettingsError(f"{config}: expected settings as `key: value` lines, found {type(raw).__name__}")
    paths = tuple(paths)
    _make_paths_absolute(raw, paths, folder(config))
    for override in overrides or []:
        apply_override(raw, override, paths)
    return raw


def folder(config: str) -> str:
    """Return the folder of a settings file, from which its relative paths count."""
    return posixpath.dirname(config) if _URI.match(config) else os.path.dirname(os.path.abspath(config))


def apply_override(raw: dict[str, Any], override: str, paths: Iterable[str] = ()) -> None:
    """Apply one override ``a.b=value`` to raw settings.

    Args:
        raw: is changed.
        override: as on the command line.
        paths: settings whose relative values count from the working folder.

    Raises:
        SettingsError: if it is not written so.
    """
    path, equals, text = override.partition("=")
    keys = path.strip().split(".")
    if not equals or not all(re.fullmatch(r"[\w-]+", key) for key in keys):
        raise SettingsError(f"--set {override}: write it as a.b=value")
    value = _parse_yaml(text.encode(), f"--set {path}: the value") if text else ""
    own: dict[str, Any] = {}
    node, own_node = raw, own
    for key in keys[:-1]:
        child = node.setdefault(key, {})
        if not isinstance(child, dict):
            raise SettingsError(f"--set {override}: {key} is not a group of settings")
        node, own_node = child, own_node.setdefault(key, {})
    own_node[keys[-1]] = value
    _make_paths_absolute(own, paths, os.getcwd())
    node[keys[-1]] = own_node[keys[-1]]


def _parse_yaml(data: bytes, origin: str) -> Any:
    loader = _Loader(data)
    try:
        return loader.get_single_data()
    except SettingsError as error:
        raise SettingsError(f"{origin}: {error}") from None
    except (yaml.YAMLError, ValueError) as error:
        # A ValueError is a day that no calendar has, or a number that is none.
        raise SettingsError(f"{origin} is not valid YAML: {' '.join(str(error).split())}") from error
    except RecursionError:
        raise SettingsError(f"{origin} is nested too deeply to be settings") from None
    finally:
        loader.dispose()


def _make_paths_absolute(raw: dict[str, Any], paths: Iterable[str], base: str) -> None:
    for path in paths:
        *groups, last = path.removesuffix("?").split(".")
        node: Any = raw
        for group in groups:
            node = node.get(group) if isinstance(node, dict) else None
        if isinstance(node, dict) and last in node:
            value, named = node[last], path.endswith("?")
            several = isinstance(value, list)
            made = [_absolute(one, base, named) for one in (value if several else [value])]
            node[last] = made if several else made[0]


def _absolute(value: Any, base: str, named: bool) -> Any:
    # What is empty or no text at all is told by the settings' own checks.
    if not isinstance(value, str) or not value or _URI.match(value) or os.path.isabs(value):
        return value
    if _URI.match(base):
        return value if named else storage.join(base, value)
    path = os.path.normpath(os.path.join(base, value))
    is_name = named and not value.startswith(".") and not value.endswith((".yaml", ".yml")) and not os.path.exists(path)
    return value if is_name else path
