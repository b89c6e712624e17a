"""A hash of the code that a result depends on: a module and its imports, without comments and docstrings."""

from __future__ import annotations

import ast
import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml

import antinomy

_ROOT = Path(antinomy.__file__).parent
#: Files beside the code that decide results.
_DATA = frozenset({".yaml", ".j2", ".css", ".js", ".json", ".npy", ".safetensors", ".txt", ".md"})
#: Of libyaml where PyYAML has it, many times as fast.
_SAFE_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@cache
def version() -> str:
    """Return the package's version with a hash of all of its code, as it stands in the files: comments count."""
    digest = hashlib.sha256()
    for path in sorted([*_ROOT.rglob("*.py"), *_data_files(_ROOT, whole=True)]):
        digest.update(str(path.relative_to(_ROOT)).encode() + b"\0" + path.read_bytes())
    return f"{antinomy.__version__}+{digest.hexdigest()[:12]}"


@cache
def of_module(name: str, *within: str) -> str:
    """Hash a module of this package with every module that it imports, directly or not, and the data beside them.

    Args:
        name: dotted; of a module that is not of this package, all of the package's code is what counts.
        within: packages and modules into which imports are followed, the module's own among them, and of which only
            the data right beside the modules count; if none are named, all of this package.
    """
    if not name.startswith("antinomy."):
        return version()
    found = dependencies(name, *within)
    digest = hashlib.sha256()
    for module, path in sorted(found.items()):
        digest.update(module.encode() + b"\0" + _read_source(path).stripped)
    for path in sorted({data for module in found.values() for data in _data_files(module.parent, below=not within)}):
        digest.update(str(path.relative_to(_ROOT)).encode() + b"\0" + _normalised_data(path))
    return digest.hexdigest()


def dependencies(name: str, *within: str) -> dict[str, Path]:
    """Return a module of this package and those that it imports, directly or not, with their files (``of_module``)."""
    found: dict[str, Path] = {}
    waiting = [name]
    while waiting:
        module = waiting.pop()
        path = _source_file(module)
        # The root offers the stages to other programs; no stage uses what it imports for that.
        outside = within and not any(module == package or module.startswith(f"{package}.") for package in within)
        if module in found or path is None or outside or path == _ROOT / "__init__.py":
            continue
        found[module] = path
        waiting += _read_source(path).imports
        if "." in module:
            waiting.append(module.rpartition(".")[0])
    return found


@dataclass(frozen=True)
class _Source:
    """A Python file without comments and docstrings, which do not change results, and the names that it imports."""

    stripped: bytes
    imports: tuple[str, ...]


@cache
def _read_source(path: Path) -> _Source:
    tree = ast.parse(path.read_bytes())
    imports: list[str] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom | ast.Import):
            imports += _imported_names(node)
        elif isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            first = node.body[0] if node.body else None
            if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
                node.body[0] = ast.Pass()
    return _Source(ast.unparse(tree).encode(), tuple(imports))


def _normalised_data(path: Path) -> bytes:
    """Return the content of a data file, YAML without its comments."""
    data = path.read_bytes()
    if path.suffix != ".yaml":
        return data
    loader = _SAFE_LOADER(data)
    documents = []
    while loader.check_data():
        documents.append(loader.get_data())
    return json.dumps(documents, sort_keys=True, default=str).encode()


def _source_file(module: str) -> Path | None:
    base = _ROOT.joinpath(*module.split(".")[1:])
    return next((path for path in (base.with_suffix(".py"), base / "__init__.py") if path.is_file()), None)


def _imported_names(node: ast.ImportFrom | ast.Import) -> Iterator[str]:
    """Yield what is imported from this package: modules, and members, which may be modules."""
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names if alias.name.split(".")[0] == "antinomy")
    elif (node.module or "").split(".")[0] == "antinomy":
        yield str(node.module)
        yield from (f"{node.module}.{alias.name}" for alias in node.names)


def _data_files(folder: Path, whole: bool = False, below: bool = True) -> Iterator[Path]:
    """Yield the data files of a package; those in subfolders only with ``below``, in nested packages with ``whole``."""
    for path in folder.iterdir():
        if path.is_dir():
            if below and (whole or not (path / "__init__.py").is_file()):
                yield from _data_files(path, whole)
        elif path.suffix in _DATA:
            yield path
