"""The first ten minutes: help, a config drawn up from two documents, the demo out of an installed wheel, completion."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

from antinomy import samples, settings
from antinomy.settings import Settings
from antinomy.settings.schema import schema
from runs import BIN, ROOT, call

LIB = str(ROOT / "lib")


def antinomy(*arguments: str | Path, folder: Path, library: str = LIB, **more: str) -> subprocess.CompletedProcess[str]:
    """Run the console script of a library from another folder, as after an installation."""
    start = "from antinomy.cli.app import main; main()"
    environment = {**os.environ, "PYTHONPATH": library, "HF_HUB_OFFLINE": "1", "COLUMNS": "100", **more}
    command = [sys.executable, "-c", start, *map(str, arguments)]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


@pytest.fixture
def two_documents(tmp_path: Path) -> Path:
    for name in samples.DOCUMENTS:
        shutil.copy(samples.FOLDER / f"{name}.txt", tmp_path)
    return tmp_path


def test_every_command_stands_under_a_heading_that_says_what_it_is_for(tmp_path: Path) -> None:
    said = antinomy("--help", folder=tmp_path).stdout
    headings = re.findall(r"^╭─ (.+?) ─", said, re.M)
    assert headings == ["Options", "Run", "Look and decide", "Measure", "Keep"]
    run = said.partition("─ Run ─")[2].partition("─ Look")[0]
    assert re.findall(r"^│ (\w+)", run, re.M)[:3] == ["init", "demo", "run"]


@pytest.mark.parametrize(
    ("typed", "offered"),
    [("antinomy imp", "import-decisions"), ("antinomy decide 1 re", "reject"), ("antinomy run --conf", "--config")],
)
def test_the_shell_completes_commands_and_words(tmp_path: Path, typed: str, offered: str) -> None:
    words = {"COMP_WORDS": typed, "COMP_CWORD": str(typed.count(" ")), "_ANTINOMY_COMPLETE": "complete_bash"}
    # The script that `--install-completion` writes asks the program by its name.
    environment = {**words, "PYTHONPATH": LIB}
    assert offered in call(BIN / "antinomy", **environment).stdout.split()


def test_init_draws_up_settings_for_what_it_finds(two_documents: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done = antinomy("init", "eu-orr.txt", "us-trr.txt", folder=two_documents)
    assert done.returncode == 0, done.stderr
    assert "eu-orr.txt: eu, 112 sections, in force from 2032-01-01: REGULATION (EU) 2031/9417" in done.stdout
    assert "Next: antinomy run --config antinomy.yaml" in done.stdout
    monkeypatch.chdir(two_documents)
    made = settings.load("antinomy.yaml")
    assert [(d.doc_id, d.regime) for d in made.documents] == [("eu-orr", "eu"), ("us-trr", "us")]
    assert [source.uri for source in made.sources()] == [
        str(two_documents / f"{name}.txt") for name in samples.DOCUMENTS
    ]
    text = Path("antinomy.yaml").read_text()
    assert "# Its outline is read as eu: it has the enacting words" in text
    # README names this folder; a second run, under another name, has a folder of its own.
    assert made.out == str(two_documents / "out" / "antinomy")
    assert settings.load("antinomy.yaml", run_id="rev2").out == str(two_documents / "out" / "rev2")
    assert "# In force from 2032-01-01, by its own words" in text
    assert "on operational resilience, record keeping" in text.replace("\n  #  ", ""), "the whole title is a comment"


def test_init_overwrites_nothing_unless_told_to(two_documents: Path) -> None:
    config = two_documents / "antinomy.yaml"
    config.write_text("mine")
    refused = antinomy("init", "eu-orr.txt", folder=two_documents)
    assert (refused.returncode, config.read_text()) == (2, "mine")
    assert "antinomy.yaml is there already" in refused.stderr
    assert antinomy("init", "eu-orr.txt", "--force", folder=two_documents).returncode == 0
    assert "eu-orr" in config.read_text()


def test_init_names_what_it_cannot_read_and_why(two_documents: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (two_documents / "scan.pdf").write_bytes(b"\x00\x01\x02")
    (two_documents / "note: # %\n[x].txt").write_text("")
    files = ("eu-orr.txt", "us-trr.txt", "scan.pdf", "note: # %\n[x].txt", "gone.txt", ".")
    done = antinomy("init", *files, folder=two_documents)
    assert done.returncode == 1
    for said in (
        "scan.pdf: left out: this file is none of",
        "this file is empty",
        "gone.txt: left out: it does not exist",
    ):
        assert said in done.stderr
    monkeypatch.chdir(two_documents)
    made = settings.load("antinomy.yaml")
    assert [document.doc_id for document in made.documents] == ["eu-orr", "us-trr"]
    assert "# Not listed: scan.pdf: this file is none of" in Path("antinomy.yaml").read_text()
    nothing = antinomy("init", "scan.pdf", "gone.txt", "--output", "other.yaml", folder=two_documents)
    assert nothing.returncode == 2
    assert not Path("other.yaml").exists()


@pytest.mark.parametrize(("missing", "why"), [("gone.docx", "does not exist"), (".", "is ")])
def test_init_does_not_compare_a_document_with_itself_because_the_other_cannot_be_read(
    two_documents: Path, missing: str, why: str
) -> None:
    done = antinomy("init", "eu-orr.txt", missing, folder=two_documents)
    assert done.returncode == 1
    assert f"{missing}: left out: it {why}" in done.stderr
    assert "Nothing is written: a second document is missing, only eu-orr.txt can be read" in " ".join(
        done.stderr.split()
    )
    assert "Next:" not in done.stdout
    assert not (two_documents / "antinomy.yaml").exists()
    alone = antinomy("init", "eu-orr.txt", folder=two_documents)
    assert alone.returncode == 0
    assert settings.load(str(two_documents / "antinomy.yaml")).link.groups == "within", "it was named alone"


def test_the_help_of_init_names_every_kind_of_file(two_documents: Path) -> None:
    said = " ".join(re.sub("[│╭╰─]", " ", antinomy("init", "--help", folder=two_documents).stdout).split())
    assert "PDF, Word, HTML, XML, Markdown or text" in said


def test_init_writes_a_config_elsewhere_and_documents_of_one_kind_and_name(tmp_path: Path) -> None:
    for place in ("a", "b"):
        (tmp_path / place).mkdir()
        shutil.copy(samples.FOLDER / "eu-orr.txt", tmp_path / place / "Act, 1: draft.txt")
    (tmp_path / "conf").mkdir()
    files = ("a/Act, 1: draft.txt", "b/Act, 1: draft.txt")
    done = antinomy("init", *files, "-o", "conf/acts.yaml", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    made = settings.load(str(tmp_path / "conf" / "acts.yaml"))
    assert [document.doc_id for document in made.documents] == ["act-1-draft", "act-1-draft-2"]
    assert [source.uri for source in made.sources()] == [str(tmp_path / file) for file in files]
    assert made.link.groups == "documents", "of one regime: else nothing would be compared"
    assert made.out == str(tmp_path / "conf" / "out" / "acts")


@pytest.mark.spark
@pytest.mark.slow
def test_what_init_wrote_runs(two_documents: Path) -> None:
    antinomy("init", "eu-orr.txt", "us-trr.txt", folder=two_documents)
    done = antinomy("parse", "--config", "antinomy.yaml", "--json", folder=two_documents)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["sections"] == 215
    assert (two_documents / "out" / "antinomy" / "manifest.json").exists()


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from what the Dockerfile copies too, unpacked."""
    source, made = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("wheel")
    for folder in ("lib", "conf", "jobs", "notebooks"):
        left_out = shutil.ignore_patterns("__pycache__", "*.egg-info")
        shutil.copytree(ROOT / folder, source / folder, symlinks=True, ignore=left_out)
    for file in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / file, source)
    options = ("--quiet", "--no-deps", "--no-build-isolation", "--wheel-dir", made)
    call(sys.executable, "-m", "pip", "wheel", *options, source)
    (file,) = made.glob("*.whl")
    zipfile.ZipFile(file).extractall(made / "installed")
    return made / "installed"


def _files(folder: Path, part: str) -> set[str]:
    found = {str(path.relative_to(folder)) for path in (folder / part).rglob("*.*") if path.is_file()}
    return {name for name in found if not re.search(r"__pycache__|\.ipynb_checkpoints", name)}


@pytest.mark.slow
def test_configs_jobs_and_notebooks_come_out_of_the_wheel(wheel: Path, tmp_path: Path) -> None:
    done = antinomy("files", "mine", folder=tmp_path, library=str(wheel))
    assert done.returncode == 0, done.stderr
    for part in ("conf", "jobs", "notebooks"):
        tracked = {
            path.relative_to(ROOT) for path in (ROOT / part).rglob("*") if path.is_file() and "__" not in str(path)
        }
        copied = {
            path.relative_to(tmp_path / "mine") for path in (tmp_path / "mine" / part).rglob("*") if path.is_file()
        }
        assert copied == tracked - {Path("conf/demo.yaml")}
    again = antinomy("files", "mine", folder=tmp_path, library=str(wheel))
    assert again.returncode == 2
    assert "already there" in again.stderr


@pytest.mark.long
@pytest.mark.spark
@pytest.mark.slow
@pytest.mark.timeout(900)
def test_the_demo_runs_from_the_wheel_in_an_empty_folder(wheel: Path, tmp_path: Path) -> None:
    done = antinomy("demo", folder=tmp_path, library=str(wheel))
    assert done.returncode == 0, done.stderr
    assert f"Report: {tmp_path}/out/demo/report.html" in done.stdout.replace("\n", "")
    assert "antinomy init FILE FILE" in done.stdout
    assert "2031/9417" in (tmp_path / "out/demo/report.html").read_text()
    assert [path.name for path in tmp_path.iterdir()] == ["out"]
    decide = ("decide", "1", "confirm", "--config", "out/demo/antinomy.yaml")
    assert " ".join(decide) in done.stdout
    assert "Confirmed by " in antinomy(*decide, folder=tmp_path, library=str(wheel)).stdout


def test_the_schema_knows_the_shipped_configs_and_what_is_wrong() -> None:
    checker = jsonschema.Draft202012Validator(schema(Settings))

    def wrong(config: dict[str, Any]) -> list[str]:
        return [error.message for error in checker.iter_errors(config)]

    for path in (ROOT / "conf").glob("*.yaml"):
        config = yaml.safe_load(path.read_text())
        assert "documents" not in config or not wrong(config), path
    config = yaml.safe_load((ROOT / "conf" / "demo.yaml").read_text())
    assert not wrong({"documents": ["a.pdf", {"path": "b.pdf"}]}), "two documents are a whole config"
    assert wrong({"documents": [{"regime": "eu"}]})
    assert "'jugde' was unexpected" in wrong(config | {"jugde": {}})[0]
    assert "is not one of ['default'" in wrong(config | {"judge": {"backend": "gpt"}})[0]


def test_the_schema_says_what_settings_mean() -> None:
    made = schema(Settings)
    assert "share of the candidate pairs" in made["$defs"]["JudgeSettings"]["properties"]["prior"]["description"]
    served = made["$defs"]["OpenAISettings"]
    assert served["properties"]["max_retries"]["description"] == "attempts after the first for faults that may pass."
    assert "Attributes" not in served["description"]


def test_the_page_of_all_settings_is_current() -> None:
    made = call(sys.executable, "tools/settings_docs.py", "--print").stdout
    assert (ROOT / "docs" / "settings.md").read_text() == made, "run `make docs`"


def test_the_image_has_what_its_file_copies_and_the_python_that_is_pinned_for() -> None:
    lines = (ROOT / "Dockerfile").read_text().splitlines()
    copied = [words[1:-1] for line in lines if (words := line.split())[:1] == ["COPY"] and "--from" not in line]
    sources = [source for words in copied for source in words]
    assert "pyproject.toml" in sources
    kept = {
        line.removeprefix("!") for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")
    }
    for source in sources:
        assert (ROOT / source).exists()
        assert source in kept, "else the build does not see it"
    (spark,) = re.findall(r"SPARK_IMAGE=spark:(\d+\.\d+)", "\n".join(lines))
    assert f"\npyspark=={spark}." in (ROOT / "constraints.txt").read_text()
