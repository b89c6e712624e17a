"""What is told before Spark starts, and that it is told then."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from antinomy import settings as settings_module
from antinomy.errors import AntinomyError, EnvironmentFault, SettingsError, StorageError
from antinomy.run import base_model, pipeline
from antinomy.run.summary import planned_stages
from antinomy.settings import SparkSettings
from antinomy.store import storage

Refuse = Callable[..., str]


@pytest.fixture
def refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Refuse:
    """Run a config of two documents from a folder that has them; return why it is refused, without Spark."""

    def started(settings: SparkSettings, name: str) -> None:
        raise AssertionError("Spark was started before it was told")

    monkeypatch.setattr(pipeline, "spark_session", started)
    for name in ("a.md", "b.md"):
        (tmp_path / name).write_text("Article 1\n")

    def refuse(text: str, *overrides: str, stages: tuple[str, ...] = (), kind: type[AntinomyError]) -> str:
        config = tmp_path / "c.yaml"
        config.write_text(text)
        chosen = settings_module.load(str(config), list(overrides))
        with pytest.raises(kind) as error:
            pipeline.run(chosen, stages or planned_stages(chosen))
        assert not (tmp_path / "out/warehouse").exists()
        return str(error.value)

    return refuse


TWO = "documents: [a.md, b.md]\n"
US = "documents: [{path: a.md, regime: us}, {path: b.md, regime: us}]\n"


@pytest.mark.parametrize(
    ("text", "overrides", "says"),
    [
        ("documents: [a.md]\n", [], "one document only, a: list a second .* or set link.groups to `within`"),
        ("documents: [a.md]\n", ["link.groups=documents"], "one document only"),
        (US, ["link.groups=regimes"], "all documents are of regime us: set link.groups to `documents`"),
        (TWO, ["link.left=[a, b]"], "names all there is .a, b., so nothing is left for the right"),
        (TWO, ["link.left=[eu]"], "link.left: there is no eu; there are a, b"),
        (TWO, ["link.groups=pairs", "link.pairs=[[a, x]]"], "link.pairs: there is no x; there are a, b"),
    ],
)
@pytest.mark.parametrize("stages", [(), ("link",)])
def test_a_config_that_can_give_no_pair(
    refused: Refuse, text: str, overrides: list[str], says: str, stages: tuple[str, ...]
) -> None:
    assert re.search(says, refused(text, *overrides, stages=stages, kind=SettingsError))


def test_a_grammar_and_a_format_that_nobody_knows(refused: Refuse) -> None:
    text = "documents: [{path: a.md, grammar: eeu}, {path: b.md, media_type: text/markdwon}]\n"
    assert "grammar 'eeu' of a is none of eu, " in refused(text, kind=SettingsError)
    text = text.replace("grammar: eeu", "grammar: eu")
    assert "media_type 'text/markdwon' of b is none of application/" in refused(text, kind=SettingsError)


def test_files_that_are_not_there_are_named_with_the_setting_and_where_paths_count_from(
    refused: Refuse, tmp_path: Path
) -> None:
    said = refused("documents: [a.md, other/b.md]\n", kind=StorageError)
    assert f"not there: {tmp_path}/other/b.md; the documents' paths count from data_root, which is {tmp_path}" in said
    said = refused(TWO + "evaluate: {key: key.jsonl}\nreport: {calibration: c.json}\n", kind=StorageError)
    assert f"report.calibration ({tmp_path}/c.json), evaluate.key ({tmp_path}/key.jsonl)" in said
    assert "count from the folder of the settings file" in said


def test_the_report_of_another_run_is_not_overwritten(refused: Refuse, tmp_path: Path) -> None:
    storage.write_json(str(tmp_path / "mine/manifest.json"), {"run_id": "first"})
    said = refused(TWO + "out: mine\n", "run_id=second", kind=SettingsError)
    assert f"out ({tmp_path}/mine) holds the report of run first, which this run (second) would overwrite" in said


def test_a_missing_settings_file_is_told_with_the_folder_it_was_looked_for_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(StorageError, match=rf"conf/x\.yaml does not exist \(working folder: {tmp_path}\)"):
        settings_module.load("conf/x.yaml")


def test_a_missing_model_of_the_judge(refused: Refuse, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(base_model, "folder", lambda: tmp_path / "nowhere")
    assert "run `antinomy setup`" in refused(TWO, kind=EnvironmentFault)


def test_an_embedding_model_that_cannot_be_had(refused: Refuse, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    said = refused(TWO, "embed.model=nobody/nothing", kind=EnvironmentFault)
    assert "embedding model nobody/nothing cannot be loaded" in said
    assert "check embed.model" in said
