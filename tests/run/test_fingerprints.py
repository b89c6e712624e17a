"""What code a result depends on: a change reaches the stages that use it, and no others."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from antinomy.run import fingerprints

STAGES = ("parse", "embed", "link", "judge", "report")


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Give a copy of the package that may be edited."""
    copy = tmp_path / "antinomy"
    shutil.copytree(fingerprints._ROOT, copy, ignore=shutil.ignore_patterns("__pycache__", "bundled"))
    monkeypatch.setattr(fingerprints, "_ROOT", copy)
    forget()
    yield copy
    forget()


def forget() -> None:
    for cached in (fingerprints.version, fingerprints.of_module, fingerprints.code):
        cached.cache_clear()


def changed(edit: Callable[[], object]) -> list[str]:
    before = {stage: fingerprints.of_module(f"antinomy.{stage}.stage") for stage in STAGES}
    edit()
    forget()
    return [stage for stage in STAGES if fingerprints.of_module(f"antinomy.{stage}.stage") != before[stage]]


def append(path: Path, text: str) -> Callable[[], object]:
    assert path.is_file()
    return lambda: path.write_text(path.read_text() + text)


def test_a_style_sheet_concerns_the_report_alone(package: Path) -> None:
    assert changed(append(package / "report" / "templates" / "report.css", "p { margin: 0 }")) == ["report"]


def test_code_concerns_what_imports_it(package: Path) -> None:
    assert changed(append(package / "link" / "fusion.py", "\nMORE = 1\n")) == ["link"]
    assert changed(append(package / "store" / "storage.py", "\nMORE = 1\n")) == list(STAGES)
    assert "judge" in changed(append(package / "norms" / "lexicon.yaml", "\n# more\n"))


def test_a_comment_concerns_nobody(package: Path) -> None:
    rules = package / "norms" / "read.py"
    before = fingerprints.version(), fingerprints.of_module("antinomy.norms")
    assert changed(append(rules, "\n# a word of explanation\n")) == []
    assert (fingerprints.version(), fingerprints.of_module("antinomy.norms")) == before
    append(rules, "\nMORE = 1\n")()
    forget()
    assert fingerprints.of_module("antinomy.norms") != before[1]
    assert fingerprints.version() != before[0]
