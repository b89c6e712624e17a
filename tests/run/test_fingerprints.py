"""What code a result depends on: a change reaches the stages that use it, and no others."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from antinomy.judge.fitted.judge import FittedJudge
from antinomy.judge.nli.judge import _CODE as NLI_CODE
from antinomy.judge.served.judge import OpenAIJudge
from antinomy.run import fingerprints
from antinomy.settings.served import OpenAISettings

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
    for cached in (fingerprints.version, fingerprints.of_module, fingerprints._read_source):
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


def test_weights_concern_the_stages_that_read_them(package: Path) -> None:
    def edit(path: Path) -> Callable[[], object]:
        return lambda: path.write_bytes(path.read_bytes() + b" ")

    assert changed(edit(package / "judge" / "fitted" / "weights" / "cross_encoder.safetensors")) == ["judge"]
    adapter = next((package / "embed" / "weights").glob("*.safetensors"))
    assert "embed" in changed(edit(adapter))


def test_code_concerns_what_imports_it(package: Path) -> None:
    assert changed(append(package / "link" / "fusion.py", "\nMORE = 1\n")) == ["link"]
    assert changed(append(package / "store" / "storage.py", "\nMORE = 1\n")) == list(STAGES)
    assert "judge" in changed(append(package / "norms" / "lexicon.yaml", "\nmore: [word]\n"))


def test_yaml_may_hold_several_documents(package: Path) -> None:
    manifests = package / "norms" / "manifests.yaml"
    manifests.write_text("one: 1\n---\ntwo: 2\n")
    before = fingerprints.of_module("antinomy.norms")
    manifests.write_text("one: 1\n---\ntwo: 3\n")
    forget()
    assert fingerprints.of_module("antinomy.norms") != before


def test_a_comment_concerns_nobody(package: Path) -> None:
    rules = package / "norms" / "read.py"
    before = fingerprints.of_module("antinomy.norms")
    assert changed(append(rules, "\n# a word of explanation\n")) == []
    assert changed(append(package / "norms" / "lexicon.yaml", "\n# a word of explanation\n")) == []
    assert fingerprints.of_module("antinomy.norms") == before
    append(rules, "\nMORE = 1\n")()
    forget()
    assert fingerprints.of_module("antinomy.norms") != before


def test_the_version_names_the_files_as_they_are(package: Path) -> None:
    seen = {fingerprints.version()}
    for path in ("norms/read.py", "norms/lexicon.yaml"):
        append(package / path, "\n# a word of explanation\n")()
        forget()
        seen.add(fingerprints.version())
    assert len(seen) == 3


def identities() -> dict[str, str]:
    """Return what tells a verdict of each judge from those of other code."""
    return {
        "default": FittedJudge().prompt_sha256,
        "nli": fingerprints.of_module("antinomy.judge.nli.judge", *NLI_CODE),
        "openai": OpenAIJudge(
            OpenAISettings(base_url="http://127.0.0.1:1/v1", model="m", facts_mode="norms")
        ).prompt_sha256,
    }


def told_apart(edit: Callable[[], object]) -> set[str]:
    before = identities()
    edit()
    forget()
    after = identities()
    return {name for name in before if before[name] != after[name]}


def test_a_comment_discards_no_verdict(package: Path) -> None:
    for path in ("norms/read.py", "judge/rules/comparison.py", "judge/fitted/provision_pair.py", "judge/nli/judge.py"):
        assert told_apart(append(package / path, "\n# a word of explanation\n")) == set()
    assert told_apart(append(package / "judge" / "served" / "screen.py", "\n# a word of explanation\n")) == set()


def test_a_judge_is_told_apart_by_the_code_that_decides_for_it(package: Path) -> None:
    more = "\nMORE = 1\n"
    assert told_apart(append(package / "norms" / "read.py", more)) == {"default", "nli", "openai"}
    assert told_apart(append(package / "judge" / "rules" / "comparison.py", more)) == {"default", "nli"}
    assert told_apart(append(package / "judge" / "fitted" / "rationale.py", more)) == {"default"}
    assert told_apart(append(package / "report" / "stage.py", more)) == set()
