"""What a warehouse tells of its runs, in a terminal, as JSON and to Prometheus; and the removal of old ones."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from prometheus_client.parser import text_string_to_metric_families
from typer.testing import CliRunner, Result

from antinomy import settings as settings_module
from antinomy.cli.runs import app
from antinomy.judge.result import JudgeResult
from antinomy.parse.result import ParseResult
from antinomy.run import pipeline
from antinomy.run.lock import run_lock
from antinomy.run.results import StageResult
from antinomy.run.stage import STAGES, Context, Stage, settings_of
from antinomy.settings import Settings
from antinomy.store import storage, tables

#: What a killed process left of a part of a cache.
HALF_CACHED = "cache/verdicts/_staging-0a1b2c3d"
Work = Callable[[Context], StageResult]


def judged(ctx: Context) -> JudgeResult:
    ctx.partial = "3 pairs have no verdict yet"
    return JudgeResult(
        calls=7, input_tokens=900, cached_tokens=400, output_tokens=30, errors={"timeout": 2, "schema": 1}
    )


def parsed(ctx: Context) -> ParseResult:
    row = {"doc_id": "a", "status": "parsed"}
    tables.write_rows([row], ctx.settings.warehouse, "documents", ctx.settings.run_id)
    return ParseResult(documents=1, quarantined={"b": "it is a scan"})


def fail(ctx: Context) -> StageResult:
    raise ZeroDivisionError("boom\nin two lines")


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Settings]:
    """Run a pipeline whose stages do what the test says."""

    def begin(run_id: str, names: tuple[str, ...] = STAGES[:-1], **work: Work) -> Settings:
        def load(name: str) -> Stage:
            does = work.get(name, {"parse": parsed}.get(name, lambda ctx: StageResult()))
            return Stage(name, settings_used=settings_of("embed"), upstream=(), run=does)

        config = tmp_path / "c.yaml"
        out = "o" if run_id == "r" else f"o-{run_id}"
        config.write_text(f"run_id: r\nwarehouse: w\nout: {out}\ndocuments: [a, b]\n")
        for name in ("a", "b"):
            (tmp_path / name).write_text("Article 1")
        monkeypatch.setattr(pipeline, "load_stage", load)
        chosen = settings_module.load(str(config), run_id=run_id)
        pipeline.run(chosen, names)
        return chosen

    return begin


def call(tmp_path: Path, *arguments: str, columns: int = 200) -> Result:
    done = CliRunner().invoke(app, [*arguments, "--warehouse", f"{tmp_path}/w"], env={"COLUMNS": str(columns)})
    if done.exception and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done


def as_json(tmp_path: Path, *arguments: str) -> Any:
    return json.loads(call(tmp_path, *arguments, "--json").stdout)


def state(tmp_path: Path, run_id: str) -> tuple[str, str]:
    found = as_json(tmp_path, "show", run_id)
    return found["state"], found["reason"]


def metric(folder: Path, name: str, **labels: str) -> float | None:
    """Return what Prometheus would read for run r."""
    families = text_string_to_metric_families((folder / "o/metrics.prom").read_text())
    found = [
        s.value
        for family in families
        for s in family.samples
        if s.name == f"antinomy_{name}" and s.labels == labels | {"run_id": "r"}
    ]
    return found[0] if found else None


def test_each_state_of_a_run_is_told_with_its_reason(tmp_path: Path, run: Callable[..., Settings]) -> None:
    run("done")
    assert state(tmp_path, "done") == ("complete", "")
    run("half", judge=judged)
    assert state(tmp_path, "half") == ("partial", "judge: 3 pairs have no verdict yet")
    run("begun", ("parse", "embed"))
    assert state(tmp_path, "begun") == ("unfinished", "not run: link, judge, report")
    with pytest.raises(ZeroDivisionError):
        run("broken", link=fail)
    assert state(tmp_path, "broken") == ("failed", "link: boom in two lines")
    run("broken")
    assert state(tmp_path, "broken") == ("complete", "")
    with run_lock(f"{tmp_path}/w", "half"):
        assert state(tmp_path, "half")[0] == "running"
        assert f"process {os.getpid()} on" in state(tmp_path, "half")[1]
    listed = as_json(tmp_path, "runs")
    assert {found["run_id"]: found["state"] for found in listed} == {
        "done": "complete", "half": "partial", "begun": "unfinished", "broken": "complete",
    }  # fmt: skip
    table = call(tmp_path, "runs").stdout
    assert all(f" {name} " in table for name in ("done", "half", "begun", "broken"))


@pytest.mark.parametrize("stage", ["ask", "facts"])
def test_a_failure_of_what_is_run_on_demand_leaves_a_run_complete(
    tmp_path: Path, run: Callable[..., Settings], stage: str
) -> None:
    run("done")
    with pytest.raises(ZeroDivisionError):
        run("done", (stage,), **{stage: fail})
    assert state(tmp_path, "done") == ("complete", "")
    run("begun", ("parse", "embed"))
    with pytest.raises(ZeroDivisionError):
        run("begun", (stage,), **{stage: fail})
    assert state(tmp_path, "begun") == ("unfinished", "not run: link, judge, report")


def test_the_metrics_are_the_same_in_the_manifest_the_terminal_and_for_prometheus(
    tmp_path: Path, run: Callable[..., Settings]
) -> None:
    run("r", judge=judged)
    stages = json.loads((tmp_path / "o/manifest.json").read_text())["stages"]
    seconds = stages["judge"]["metrics"].pop("seconds")
    assert stages["judge"]["metrics"] == {
        "rows": {}, "calls": 7, "tokens": {"input": 900, "cached": 400, "output": 30},
        "errors": {"timeout": 2, "schema": 1},
    }  # fmt: skip
    assert (stages["parse"]["metrics"]["rows"], stages["parse"]["metrics"]["errors"]) == (
        {"documents": 1},
        {"quarantined": 1},
    )
    assert metric(tmp_path, "stage_duration_seconds", stage="judge") == seconds
    assert metric(tmp_path, "stage_calls", stage="judge") == 7
    assert metric(tmp_path, "stage_tokens", stage="judge", kind="cached") == 400
    assert metric(tmp_path, "stage_errors", stage="judge", reason="timeout") == 2
    assert metric(tmp_path, "stage_rows", stage="parse", table="documents") == 1
    assert [metric(tmp_path, "stage_complete", stage=name) for name in ("judge", "link")] == [0, 1]
    assert metric(tmp_path, "run_failed") == 0
    shown = call(tmp_path, "show", "r").stdout
    assert "partial: judge: 3 pairs have no verdict yet" in shown
    lines = [line.split() for line in shown.splitlines()]
    (at,) = [n for n, words in enumerate(lines) if words[:1] == ["judge"]]
    assert lines[at : at + 3] == [
        ["judge", f"{seconds:.1f}", "7", "in", "900", "schema", "1"], ["cached", "400", "timeout", "2"], ["out", "30"],
    ]  # fmt: skip


def test_tables_fit_a_terminal_of_80_columns(tmp_path: Path, run: Callable[..., Settings]) -> None:
    name = "dora-against-the-handbook-with-the-judge-of-the-third-quarter"
    run(name, judge=judged)
    for shown in (call(tmp_path, "runs", columns=80).stdout, call(tmp_path, "show", name, columns=80).stdout):
        lines = [line for line in shown.splitlines() if "no verdict yet" not in line]  # prose, that wraps by itself
        assert max(map(len, lines)) <= 80
        assert "…" not in shown
        assert name in "".join(word for line in lines for word in line.split()[:1])


def test_gc_says_what_it_did(three: Path) -> None:
    tmp_path = three.parent
    said = call(tmp_path, "gc", "--keep", "1", "--delete").stdout
    assert f"caches: removed {three}/{HALF_CACHED}" in said
    assert "Removed 9 folders of 3 runs and the caches: 1 run in the warehouse" in said
    assert "Nothing to remove: 1 run in the warehouse" in call(tmp_path, "gc", "--keep", "1", "--delete").stdout


def test_a_failure_is_in_the_metrics(tmp_path: Path, run: Callable[..., Settings]) -> None:
    with pytest.raises(ZeroDivisionError):
        run("r", link=fail)
    assert metric(tmp_path, "run_failed") == 1
    assert metric(tmp_path, "stage_complete", stage="embed") == 1
    assert metric(tmp_path, "stage_complete", stage="link") is None
    run("r")
    assert metric(tmp_path, "run_failed") == 0


def test_a_run_that_is_not_there_is_said_with_those_that_are(tmp_path: Path, run: Callable[..., Settings]) -> None:
    run("one")
    with pytest.raises(Exception, match="has no run two: it has one"):
        call(tmp_path, "show", "two")
    assert as_json(tmp_path / "nowhere", "runs") == []


@pytest.mark.parametrize("damage", [b"{", b"[]", b"{}"])
@pytest.mark.parametrize("file", ["link.json", "failed.json"])
def test_a_damaged_marker_hides_no_other_run(
    tmp_path: Path, run: Callable[..., Settings], damage: bytes, file: str
) -> None:
    run("bad")
    run("good")  # the newest, which gc keeps
    place = tmp_path / "w/_stages/run_id=bad" / file
    place.write_bytes(damage)
    listed = {found["run_id"]: found for found in as_json(tmp_path, "runs")}
    assert {name: found["state"] for name, found in listed.items()} == {"good": "complete", "bad": "damaged"}
    assert str(place) in listed["bad"]["reason"]
    assert "remove it" in listed["bad"]["reason"]
    assert state(tmp_path, "bad")[0] == "damaged"
    assert f"{place} is damaged" in call(tmp_path, "show", "bad").stdout
    assert f"bad: kept, damaged: {place}" in call(tmp_path, "gc", "--keep", "1", "--delete").stdout
    assert (tmp_path / "w/documents/run_id=bad").exists()
    assert state(tmp_path, "good") == ("complete", "")


@pytest.fixture
def three(tmp_path: Path, run: Callable[..., Settings]) -> Path:
    """A warehouse with three runs, a cache, decisions, and what a killed driver left."""
    for number, run_id in enumerate(("old", "old-2", "new")):
        run(run_id)
        marker = tmp_path / f"w/_stages/run_id={run_id}/report.json"
        marker.write_text(
            json.dumps(json.loads(marker.read_text()) | {"finished_at": f"2099-01-0{number + 1}T00:00:00"})
        )
    folder = tmp_path / "w"
    for kept in ("cache/verdicts/part-x/f.parquet", "decisions/run_id=old/f.parquet", "decisions/d.jsonl", "mine.txt"):
        storage.write_bytes(f"{folder}/{kept}", b"kept")
    for run_id in ("old", "new"):
        storage.write_bytes(f"{folder}/documents/_staging-{run_id}-0a1b2c3d/f.parquet", b"half")
    storage.write_bytes(f"{folder}/{HALF_CACHED}/f.parquet", b"half")
    return folder


def files(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


def test_gc_is_dry_by_default(tmp_path: Path, three: Path) -> None:
    before = files(three)
    assert [found["run_id"] for found in as_json(tmp_path, "runs")] == ["new", "old-2", "old"]
    said = call(tmp_path, "gc", "--keep", "1").stdout
    assert files(three) == before
    assert "Nothing was removed: give --delete." in said
    assert f"old: would remove {three}/_stages/run_id=old" in said
    assert call(tmp_path, "gc", "--keep", "3").stdout.count("would remove") == 3  # what a killed driver left


def test_gc_removes_old_runs_and_leftovers_never_caches_or_decisions(tmp_path: Path, three: Path) -> None:
    kept = ("cache/verdicts/part", "decisions", "mine")
    wanted = {name for name in files(three) if "run_id=new" in name or name.startswith(kept)}
    done = as_json(tmp_path, "gc", "--keep", "1", "--delete")
    assert {removal["run_id"] for removal in done["runs"]} == {"new", "old", "old-2"}
    assert done["caches"] == [f"{three}/{HALF_CACHED}"]
    # The newest run's lock was renewed to remove its leftovers; nothing else of it was touched.
    locks = {name for name in files(three) if name.startswith("_locks/run_id=new")}
    assert files(three) - locks == {name for name in wanted if not name.startswith("_locks")}
    assert [found["run_id"] for found in as_json(tmp_path, "runs")] == ["new"]


def test_gc_leaves_a_run_that_somebody_works_on(tmp_path: Path, three: Path) -> None:
    with run_lock(str(three), "old"):
        said = call(tmp_path, "gc", "--keep", "1", "--delete").stdout
        assert "old: kept, running: process" in said
        assert "caches" not in said
    assert (three / "_stages/run_id=old/report.json").exists()
    assert (three / HALF_CACHED).exists()  # it may be that run's
    assert not (three / "_stages/run_id=old-2").exists()
