"""Stages: skipped, repeated or refused for a reason."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from antinomy import settings as settings_module
from antinomy.embed.result import EmbedResult
from antinomy.errors import SettingsError, StorageError
from antinomy.judge import stage as judge
from antinomy.run import fingerprints
from antinomy.run import stage as stages
from antinomy.run.marker import Marker
from antinomy.run.results import StageResult
from antinomy.run.stage import Context, Stage, execute, settings_of
from antinomy.settings import Settings
from antinomy.store import storage


def no_session() -> Any:
    raise AssertionError("Spark was started for nothing")


@pytest.fixture
def make(tmp_path: Path) -> Any:
    config = tmp_path / "c.yaml"
    config.write_text(
        f"run_id: r\nwarehouse: {tmp_path}/w\nout: {tmp_path}/o\n"
        "documents: [{doc_id: a, path: a, regime: eu}, {doc_id: b, path: b, regime: us}]\n"
    )

    def load(*overrides: str) -> Settings:
        return settings_module.load(str(config), list(overrides))

    return load


def counting(calls: list[str], name: str, upstream: tuple[str, ...] = (), inputs: str = "", partial: str = "") -> Stage:
    def work(ctx: Context) -> StageResult:
        calls.append(name)
        ctx.partial = partial
        return EmbedResult(units=len(calls))

    return Stage(name, settings_used=settings_of("embed"), upstream=upstream, run=work, inputs=lambda settings: inputs)


def test_a_complete_stage_is_skipped(make: Any) -> None:
    calls: list[str] = []
    first = execute(counting(calls, "embed"), make(), no_session)
    second = execute(counting(calls, "embed"), make(), no_session)
    assert calls == ["embed"]
    assert (first.skipped, second.skipped) == (False, True)
    assert second.result == EmbedResult(units=1)


def test_other_settings_are_refused_with_the_difference(make: Any) -> None:
    execute(counting([], "embed"), make(), no_session)
    with pytest.raises(SettingsError, match=r"embed.batch_size: 32 → 8\): give another --run-id"):
        execute(counting([], "embed"), make("embed.batch_size=8"), no_session)


def test_verdicts_of_another_prior_or_other_weights_are_not_taken_for_this_run_s(make: Any, tmp_path: Path) -> None:
    def judged(*overrides: str) -> Marker:
        stage = replace(judge.STAGE, upstream=(), run=lambda ctx: StageResult())
        return execute(stage, make(*overrides), no_session)

    judged()
    with pytest.raises(SettingsError, match=r"judge.prior: null → 0.1"):
        judged("judge.prior=0.1")
    own = f"judge.weights={tmp_path}"
    with pytest.raises(StorageError, match=r"default\.json does not exist: judge\.weights"):
        judged(own, "run_id=own")
    (tmp_path / "default.json").write_text("1")
    with pytest.raises(StorageError, match=r"cross_encoder\.safetensors does not exist: judge\.weights"):
        judged(own, "run_id=own")
    (tmp_path / "cross_encoder.safetensors").write_text("1")
    with pytest.raises(SettingsError, match=r"judge.weights"):
        judged(own)
    assert [judged(own, "run_id=own").skipped for _ in range(2)] == [False, True]
    for changed in ("default.json", "cross_encoder.safetensors"):
        (tmp_path / changed).write_text("2")
        assert [judged(own, "run_id=own").skipped for _ in range(2)] == [False, True]


def test_settings_of_other_stages_do_not_matter(make: Any) -> None:
    calls: list[str] = []
    execute(counting(calls, "embed"), make(), no_session)
    execute(counting(calls, "embed"), make("report.title=x"), no_session)
    assert calls == ["embed"]


def test_changed_inputs_run_the_stage_and_what_follows(make: Any) -> None:
    calls: list[str] = []
    for inputs in ("old", "old", "new"):
        execute(counting(calls, "parse", inputs=inputs), make(), no_session)
        execute(counting(calls, "embed", upstream=("parse",)), make(), no_session)
    assert calls == ["parse", "embed", "parse", "embed"]


def test_changed_code_runs_the_stage(make: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[str] = []
    execute(counting(calls, "embed"), make(), no_session)
    monkeypatch.setattr(fingerprints, "of_module", lambda name: "other")
    execute(counting(calls, "embed"), make(), no_session)
    assert calls == ["embed", "embed"]


def test_an_unfinished_earlier_stage_is_named(make: Any) -> None:
    with pytest.raises(StorageError, match="stage parse of run r has not completed"):
        execute(counting([], "embed", upstream=("parse",)), make(), no_session)


@pytest.mark.parametrize("asked", ["link", "judge"])
def test_a_stage_made_from_an_older_result_is_no_input(make: Any, asked: str) -> None:
    calls: list[str] = []
    before = {"parse": (), "embed": ("parse",), "link": ("embed",), "judge": ("link",)}
    for name, upstream in before.items():
        execute(counting(calls, name, upstream), make(), no_session)
    execute(counting(calls, "parse", inputs="new"), make(), no_session)
    with pytest.raises(StorageError, match=f"^{asked}: stage embed .* older result of stage parse"):
        execute(counting(calls, asked, before[asked]), make(), no_session)
    for name, upstream in before.items():
        execute(counting(calls, name, upstream, inputs="new" if name == "parse" else ""), make(), no_session)
    assert calls == ["parse", "embed", "link", "judge", "parse", "embed", "link", "judge"]


def test_what_is_gone_of_any_earlier_stage_is_told(make: Any, tmp_path: Path) -> None:
    calls: list[str] = []
    execute(counting(calls, "embed"), make(), no_session)
    execute(counting(calls, "link", ("embed",)), make(), no_session)
    storage.remove(stages.marker_uri(make(), "embed"))  # as `antinomy verify --rebuild` does
    with pytest.raises(StorageError, match=r"^judge: stage embed of run r has not completed: run `antinomy embed`"):
        execute(counting(calls, "judge", ("link",)), make(), no_session)


def test_a_failed_stage_leaves_no_marker(make: Any) -> None:
    def fail(ctx: Context) -> StageResult:
        raise RuntimeError("boom")

    with pytest.raises(RuntimeError):
        execute(Stage("embed", settings_used=settings_of("embed"), upstream=(), run=fail), make(), no_session)
    assert stages.read_marker(make(), "embed") is None


def test_a_partial_stage_goes_on(make: Any) -> None:
    calls: list[str] = []
    execute(counting(calls, "judge", partial="3 pairs left"), make(), no_session)
    execute(counting(calls, "judge"), make(), no_session)
    execute(counting(calls, "judge"), make(), no_session)
    assert calls == ["judge", "judge"]


def writing(table: str, calls: list[str], upstream: tuple[str, ...] = ()) -> Stage:
    def work(ctx: Context) -> StageResult:
        calls.append(table)
        ctx.write_rows([], table)
        ctx.write_file(f"{table}.txt", b"x")
        return StageResult()

    name = {"similar": "link", "verdicts": "judge"}[table]
    return Stage(name, settings_used=settings_of("embed"), upstream=upstream, run=work)


@pytest.mark.parametrize("lost", ["w/similar/run_id=r", "w/similar/run_id=r/part-00000.parquet", "o/similar.txt"])
def test_a_stage_whose_table_or_file_is_gone_is_not_complete(make: Any, tmp_path: Path, lost: str) -> None:
    calls: list[str] = []
    execute(writing("similar", calls), make(), no_session)
    storage.remove(str(tmp_path / lost))
    # The next stage and the stage itself say the same.
    with pytest.raises(StorageError, match=r"similar.* is gone: run `antinomy link` again"):
        execute(writing("verdicts", calls, upstream=("link",)), make(), no_session)
    assert not execute(writing("similar", calls), make(), no_session).skipped
    execute(writing("verdicts", calls, upstream=("link",)), make(), no_session)
    assert calls == ["similar", "similar", "verdicts"]
