"""What the source may not hold: ways in which data becomes code, and parsers that reach out."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FILES = sorted(path for folder in ("lib", "jobs", "airflow", "tools") for path in (ROOT / folder).rglob("*.py"))

#: Modules that turn bytes into objects of their choice, or shells into calls.
_MODULES = {"pickle", "cPickle", "_pickle", "dill", "cloudpickle", "joblib", "shelve", "marshal", "jsonpickle", "pty"}
_BUILTINS = {"eval", "exec", "compile", "__import__", "breakpoint"}
#: Calls by the end of their dotted name.
_CALLS = {
    "os.system", "os.popen", "yaml.load", "yaml.load_all", "yaml.unsafe_load", "yaml.full_load", "torch.load",
    "pd.read_pickle", "pandas.read_pickle", "pickleFile", "tempfile.mktemp", "extractall", "ElementTree.parse",
}  # fmt: skip
#: Keyword → the value that it may never have.
_KEYWORDS = {"shell": True, "verify": False, "allow_pickle": True, "trust_remote_code": True, "huge_tree": True}
#: Parser of lxml → what every use of it must say.
_PARSERS = {
    "XMLParser": {"resolve_entities": False, "no_network": True, "load_dtd": False, "huge_tree": False},
    "HTMLParser": {"no_network": True, "huge_tree": False},
}


def dotted(node: ast.expr) -> str:
    if isinstance(node, ast.Attribute):
        return f"{dotted(node.value)}.{node.attr}"
    return node.id if isinstance(node, ast.Name) else ""


def keywords(call: ast.Call) -> dict[str | None, object]:
    return {word.arg: word.value.value for word in call.keywords if isinstance(word.value, ast.Constant)}


def faults(source: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (f"import {name.name}" for name in node.names if name.name.split(".")[0] in _MODULES)
        elif isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] in _MODULES:
            yield f"from {node.module} import"
        elif isinstance(node, ast.Call):
            name, given = dotted(node.func), keywords(node)
            if name in _BUILTINS or any(name == call or name.endswith(f".{call}") for call in _CALLS):
                yield f"{name}()"
            yield from (f"{word}={value}" for word, value in _KEYWORDS.items() if given.get(word) is value)
            parser = name.rpartition(".")[2]
            if parser in _PARSERS and not _PARSERS[parser].items() <= given.items():
                yield f"{name} without {_PARSERS[parser]}"


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_data_becomes_code(path: Path) -> None:
    assert list(faults(path.read_text())) == []


@pytest.mark.parametrize(
    "source",
    [
        "import pickle", "from joblib import load", "eval('1')", "yaml.load(x)", "a.b.torch.load(x)",
        "np.load(x, allow_pickle=True)", "subprocess.run(x, shell=True)", "etree.XMLParser()",
        "etree.HTMLParser(no_network=True)", "requests.get(x, verify=False)",
    ],
)  # fmt: skip
def test_the_scan_sees_what_it_is_for(source: str) -> None:
    assert list(faults(source))


def test_templates_escape_and_are_of_the_package_only() -> None:
    source = (ROOT / "lib/antinomy/report/html.py").read_text()
    calls = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)]
    (environment,) = [call for call in calls if dotted(call.func).endswith("Environment")]
    assert keywords(environment).get("autoescape") is True
    templates = (ROOT / "lib/antinomy/report/templates").glob("*.j2")
    assert not [path.name for path in templates if "| safe" in path.read_text() or "|safe" in path.read_text()]
