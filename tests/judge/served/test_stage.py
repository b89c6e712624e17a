"""The judge stage with a served judge: what it checks first, what it counts, and a cascade."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from antinomy.errors import EnvironmentFault
from antinomy.judge.served.preview import preview
from antinomy.judge.stage import STAGE, build_judge
from antinomy.run.stage import Context, execute
from antinomy.settings.judge import JudgeSettings
from judge import candidates
from judge.pairs import conflicting, unrelated
from judge.server import JudgeServer, Reply, Request

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = pytest.mark.spark

PAIRS = candidates.texts(6, 3)


def test_without_its_server_the_stage_does_not_start(spark: SparkSession, tmp_path: Path) -> None:
    _, settings = candidates.prepare(tmp_path, PAIRS, *candidates.served("http://127.0.0.1:9/v1"))
    with pytest.raises(EnvironmentFault, match=r"no server at http://127\.0\.0\.1:9/v1"):
        execute(STAGE, settings, lambda: spark)
    assert not (tmp_path / "warehouse" / "verdicts").exists()


def test_errors_are_counted_by_reason_and_the_same_command_asks_only_for_them_again(
    server: JudgeServer, spark: SparkSession, tmp_path: Path
) -> None:
    def faults(request: Request) -> Reply | None:
        shown = " ".join(request.provisions)
        if "branch 1" in shown:
            return Reply(500, "boom")
        if "branch 2" in shown:
            return Reply(200, "<html>It works</html>")
        return None

    server.on_request = faults
    _, settings = candidates.prepare(tmp_path, PAIRS, *candidates.served(server.url, max_retries=0))
    marker = execute(STAGE, settings, lambda: spark)
    assert marker.result.errors == {"http_500": 3, "unreadable": 3}
    assert marker.result.status == {"ok": 12, "error": 6}
    assert marker.result.relations == {"conflict": 4, "none": 8}
    assert "6 pairs have no verdict yet" in marker.partial

    server.on_request = lambda request: None
    server.requests.clear()
    again = execute(STAGE, settings, lambda: spark)
    assert again.result.errors == {}
    assert again.result.judged_now == 6
    table = candidates.verdicts(settings)
    assert len(table) == len(PAIRS)
    assert table.status.eq("ok").all()
    shown = [" ".join(request.provisions) for request in server.requests]
    assert not any("branch 3" in text for text in shown)


def test_a_spent_budget_is_told_as_the_one_of_the_run(server: JudgeServer, spark: SparkSession, tmp_path: Path) -> None:
    _, settings = candidates.prepare(tmp_path, PAIRS, *candidates.served(server.url, budget="{calls: 12}"))
    marker = execute(STAGE, settings, lambda: spark)
    assert marker.result.errors.keys() == {"budget"}
    assert "judge.openai.budget is 12 calls for the run" in marker.partial
    errors = candidates.verdicts(settings).error.dropna()
    assert errors[errors != ""].str.contains("of 12 for the run").all()


@pytest.mark.long
def test_too_many_errors_end_the_command_with_another_code_and_what_was_judged_stays(
    server: JudgeServer, tmp_path: Path
) -> None:
    server.on_request = lambda request: Reply(500, "boom") if "branch 1" in " ".join(request.provisions) else None
    config, settings = candidates.prepare(tmp_path, PAIRS)
    command = [str(Path(sys.executable).parent / "antinomy"), "judge", "--config", config]
    for override in candidates.served(server.url, max_retries=0):
        command += ["--set", override]

    def call(*more: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run([*command, *more], capture_output=True, text=True, check=False)

    refused = call()
    assert refused.returncode == 2
    (line,) = [line for line in refused.stderr.splitlines() if line.startswith("antinomy: run r does not pass")]
    assert "share of pairs that ended in an error is 16.67%, wanted at most 1.00%: http_500 3" in line
    # 18 pairs in both orders; those that are conflicts are explained in both.
    assert re.search(r"pairs judged now +│ +18 ", refused.stdout)
    assert re.search(rf"judge calls +│ +{server.count - 2} ", refused.stdout)
    assert len(candidates.verdicts(settings)) == len(PAIRS)

    server.on_request = lambda request: None
    passed = call()
    assert passed.returncode == 0, passed.stderr
    assert candidates.verdicts(settings).status.eq("ok").all()


def test_each_step_says_what_it_cost_and_what_it_saved(
    server: JudgeServer, spark: SparkSession, tmp_path: Path
) -> None:
    price = "{input: 10, cached: 5, output: 20}"
    overrides = [*candidates.served(server.url, price=price), "judge.openai.cascade={first: default, below: 0.5}"]
    _, settings = candidates.prepare(tmp_path, PAIRS, *overrides)
    counts = execute(STAGE, settings, lambda: spark).result
    table = candidates.verdicts(settings)
    by_judge = table.judge.value_counts().to_dict()
    assert len(table) == len(PAIRS)
    # The paint has nothing to do with the reports, and the local judge knows.
    assert by_judge == {"default": 12, "openai": 6}
    assert table[table.judge == "default"].relation.isin(["none", "overlap"]).all()
    first, screen, explain = counts.steps
    assert (first.step, first.settled, first.passed_on, first.calls) == ("default", 12, 6, 0)
    assert first.calls_avoided == 24
    assert (screen.step, screen.settled, screen.passed_on, screen.calls) == ("screen", 0, 6, 12)
    assert (explain.step, explain.settled, explain.calls) == ("explain", 6, 12)
    assert screen.tokens + explain.tokens == counts.input_tokens + counts.output_tokens
    assert counts.calls == 24
    fresh = counts.input_tokens - counts.cached_tokens
    cost = (fresh * 10 + counts.cached_tokens * 5 + counts.output_tokens * 20) / 1e6
    assert counts.cost == pytest.approx(cost, abs=1e-4)

    # Another threshold changes who is asked, and no verdict is paid for again.
    before = server.count
    _, other = candidates.prepare(tmp_path, PAIRS, *overrides[:-1], "run_id=other")
    counts = execute(STAGE, other, lambda: spark).result
    assert counts.judged_now == 12
    assert counts.calls_saved_by_cache == 24
    asked: list[Any] = server.requests[before:]
    assert not any("within 1" in " ".join(request.provisions) for request in asked)


def test_a_judge_without_a_server_needs_none(spark: SparkSession, tmp_path: Path) -> None:
    _, settings = candidates.prepare(tmp_path, PAIRS)
    counts = execute(STAGE, settings, lambda: spark).result
    (step,) = counts.steps
    assert (step.step, step.settled, step.calls) == (settings.judge.backend, len(PAIRS), 0)
    assert set(candidates.verdicts(settings).judge) == {settings.judge.backend}


def test_the_estimate_asks_nobody_and_agrees_with_what_is_then_spent(
    server: JudgeServer, spark: SparkSession, tmp_path: Path
) -> None:
    price = "{input: 10, cached: 5, output: 20}"
    overrides = [*candidates.served(server.url, price=price), "judge.openai.cascade={first: default, below: 0.5}"]
    _, settings = candidates.prepare(tmp_path, PAIRS, *overrides)
    before = preview(Context(settings, lambda: spark))
    assert server.count == 0
    assert {key: before[key] for key in ("pairs", "ruled_out", "cached", "too_long", "to_ask")} == {
        "pairs": 18, "ruled_out": 12, "cached": 0, "too_long": 0, "to_ask": 6,
    }  # fmt: skip
    assert (before["expected"]["calls"], before["at_most"]["calls"]) == (14, 24)
    assert 0 < before["expected"]["cost"] < before["at_most"]["cost"]
    counts = execute(STAGE, settings, lambda: spark).result
    # All six are conflicts and were explained.
    assert before["at_most"]["calls"] == counts.calls
    assert before["at_most"]["input_tokens"] == pytest.approx(counts.input_tokens, rel=0.1)
    after = preview(Context(settings, lambda: spark))
    assert (after["to_ask"], after["cached"], after["at_most"]["calls"], after["expected"]["cost"]) == (0, 6, 0, 0)


def test_a_cascade_is_measured_as_one_judge(server: JudgeServer, settings: Callable[..., Any]) -> None:
    served = settings(cascade={"first": "default", "below": 0.5})
    judge = build_judge(JudgeSettings(backend="openai", openai=served))
    assert judge.name == "default+openai"
    pairs = [conflicting(1), unrelated(2), unrelated(3), conflicting(4)]
    verdicts = {verdict.pair_key: verdict for verdict in judge.judge(pairs)}
    assert [verdicts[pair.pair_key].relation for pair in pairs] == ["conflict", "none", "none", "conflict"]
    assert [verdicts[pair.pair_key].calls for pair in pairs] == [4, 0, 0, 4]
