"""Facts by a served model: what it may say, what it costs, a kill in the middle, and how the judge reads them."""

from __future__ import annotations

import json
import re
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psutil
import pytest

from antinomy.errors import SettingsError, StorageError
from antinomy.facts.stage import STAGE
from antinomy.judge.stage import STAGE as JUDGE
from antinomy.judge.stage import build_judge
from antinomy.run import pipeline
from antinomy.run.results import StageResult
from antinomy.run.stage import Stage, execute
from antinomy.settings import Settings
from antinomy.store import tables
from judge import candidates
from judge.server import LETTERS, JudgeServer, Reply, Request, completion, explanation, letters
from judge.workers import judging_workers, wait_for

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = [pytest.mark.spark, pytest.mark.slow, pytest.mark.timeout(600)]

#: Five texts: two left sides, three right sides.
PAIRS = [*candidates.texts(2, 2)[:3]]
_TRIPLE = {
    "statement": 1, "subject": "the firm", "subject_type": "party", "predicate": "must", "object": "obey",
    "object_type": "deed", "condition": "",
}  # fmt: skip


@pytest.fixture
def server() -> Iterator[JudgeServer]:
    with JudgeServer() as running:
        yield running


def shown(request: Request) -> str:
    return str(request.body["messages"][-1]["content"])


def refined(request: Request) -> dict[str, Any]:
    """Say what the first words of the passage say, and a lie."""
    passage = re.search(r"\]\]\n(.*?)\n\[\[/", shown(request), re.S)
    assert passage
    words = " ".join(passage[1].split()[:5])
    return {"statements": [{"statement": words, "quote": words}, {"statement": "Lie.", "quote": "not in it at all"}]}


def says(**other: Any) -> Callable[[Request], Reply | None]:
    """Answer by the name of the schema that is asked for; a function gets the request. Else as a judge."""
    by_schema = {"refined": refined, "extracted": {"facts": [_TRIPLE]}, "merged": {"groups": []}, **other}

    def reply(request: Request) -> Reply | None:
        form = request.body.get("response_format")
        name = form["json_schema"]["name"] if form else ""
        if name not in by_schema:
            return None
        value = by_schema[name]
        value = value(request) if callable(value) else value
        return Reply(body=completion(json.dumps(value), prompt=500, completion_tokens=50))

    return reply


def prepared(
    folder: Path, server: JudgeServer, *more: str, pairs: Sequence[tuple[str, str]] = PAIRS, **openai: object
) -> Settings:
    overrides = [*candidates.served(server.url, **openai), "facts.origin=served", *more]
    _, settings = candidates.prepare(folder, pairs, *overrides)
    nothing = Stage("embed", settings_used=lambda _: {}, upstream=(), run=lambda ctx: StageResult())
    execute(nothing, settings, _no_session)
    return settings


def _no_session() -> Any:
    raise AssertionError("nothing here needs Spark")


def rows(settings: Settings) -> list[dict[str, Any]]:
    found = tables.read_rows(settings.warehouse, "facts", settings.run_id)
    return sorted((row for row in found if row["origin"] == "served"), key=lambda row: row["unit_id"])


def test_facts_are_verified_counted_and_cached(server: JudgeServer, spark: SparkSession, tmp_path: Path) -> None:
    second = {**_TRIPLE, "subject": "firm"}
    server.on_request = says(
        extracted={"facts": [_TRIPLE, second, {**_TRIPLE, "statement": 9}]}, merged={"groups": [[1, 2]]}
    )
    settings = prepared(tmp_path, server)
    counts = execute(STAGE, settings, lambda: spark).result
    units = tables.read_rows(settings.warehouse, "units", settings.run_id)
    found = rows(settings)
    assert len(units) == 5
    assert len(found) == 10
    for regime in ("eu", "us"):
        assert len({row["subject"] for row in found if row["regime"] == regime}) == 1, "two names of one party"
    for row in found:
        text = next(unit["unit_text"] for unit in units if unit["unit_id"] == row["unit_id"])
        assert text[row["start"] : row["end"]] == row["quote"]
    # Two calls for each text, one for the names of each regime; the server's check asks twice more.
    assert (counts.calls, server.count) == (12, 14)
    assert (counts.input_tokens, counts.output_tokens) == (6000, 600)
    assert counts.dropped == 10, "a quote that is not there and a statement that is not there, in each text"
    assert counts.by_origin["served"] == 10

    again = prepared(tmp_path, server, "run_id=again")
    counts = execute(STAGE, again, lambda: spark).result
    assert server.count == 14, "another run with the same texts pays nothing"
    assert (counts.calls, counts.texts_cached) == (0, 5)
    assert rows(again) == found


def test_a_text_without_an_answer_is_an_error_and_is_asked_again(
    server: JudgeServer, spark: SparkSession, tmp_path: Path
) -> None:
    says_well = says()

    def faulty(request: Request) -> Reply | None:
        return Reply(body=completion("no json")) if "branch 1" in shown(request) else says_well(request)

    server.on_request = faulty
    settings = prepared(tmp_path, server)
    marker = execute(STAGE, settings, lambda: spark)
    assert marker.result.errors == {"schema": 1}
    assert "schema 1" in marker.partial
    assert len(rows(settings)) == 4
    server.on_request = says_well
    before = server.count
    marker = execute(STAGE, settings, lambda: spark)
    assert (marker.partial, marker.result.texts_cached) == ("", 4)
    assert len(rows(settings)) == 5
    assert server.count == before + 2 + 2, "the check of the server, and the one text"


def test_the_budget_is_that_of_all_tasks_together(server: JudgeServer, spark: SparkSession, tmp_path: Path) -> None:
    server.on_request = says()
    settings = prepared(tmp_path, server, budget="{calls: 8}", pairs=candidates.texts(20, 1))
    marker = execute(STAGE, settings, lambda: spark)
    assert marker.result.calls == 8
    assert server.count == 8 + 2, "the check of the server is not of the budget"
    assert "budget" in marker.result.errors


@pytest.mark.long
def test_a_worker_is_killed_and_nothing_that_was_paid_for_is_asked_again(
    server: JudgeServer, spark: SparkSession, tmp_path: Path
) -> None:
    server.on_request = says()
    server.latency_s = 0.1
    settings = prepared(tmp_path, server, pairs=candidates.texts(30, 2), max_in_flight=2)
    texts = len(tables.read_rows(settings.warehouse, "units", settings.run_id))

    def kill() -> None:
        wait_for(lambda: server.count > 60)
        judging_workers(server, psutil.Process())[0].kill()

    killer = threading.Thread(target=kill)
    killer.start()
    with pytest.raises(Exception, match="Python worker exited unexpectedly"):
        execute(STAGE, settings, lambda: spark)
    killer.join()
    assert 60 < server.count < 2 * texts
    marker = execute(STAGE, settings, lambda: spark)
    assert (marker.partial, len(rows(settings))) == ("", texts)
    asked = Counter(
        json.dumps(request.body, sort_keys=True)
        for request in server.requests
        if request.body.get("response_format", {}).get("json_schema", {}).get("name") in ("refined", "extracted")
    )
    assert asked.total() - 2 * texts <= 2 * 2, "at most what was in flight: two in each of two tasks"
    cache = Path(settings.warehouse) / "cache"
    assert list(cache.glob("facts/open-*/[!_]*")) == []
    assert list(cache.glob("fact_answers/*/[!_]*")) == []


def test_the_judge_reads_the_served_facts_and_quotes_from_the_texts(
    server: JudgeServer, spark: SparkSession, tmp_path: Path
) -> None:
    def as_judge(request: Request) -> Reply:
        if request.asks_for_json:
            return Reply(body=completion(json.dumps(explanation(*request.provisions, relation="conflict"))))
        return Reply(body=completion(LETTERS["conflict"], top=letters("conflict"), finish_reason="length"))

    server.on_request = lambda request: says()(request) or as_judge(request)
    settings = prepared(tmp_path, server, facts_mode="served")
    with pytest.raises(StorageError, match="no facts of a served model: run `antinomy facts`"):
        pipeline.run(settings, ("judge",))
    execute(STAGE, settings, lambda: spark)
    server.requests.clear()
    counts = execute(JUDGE, settings, lambda: spark).result
    assert counts.status == {"ok": len(PAIRS)}
    screens = [request for request in server.requests if not request.asks_for_json and "the firm" in shown(request)]
    assert len(screens) == 2 * len(PAIRS)
    for request in screens:
        assert request.provisions == ["- the firm | must | obey"] * 2
    table = candidates.verdicts(settings)
    assert table.evidence_verified.all()
    assert table.evidence_left.str.startswith("Reports on outages").all()

    # The same facts pay for nothing again; other facts of one text are another question about its pairs.
    before = server.count
    tables.write_rows(rows(settings), settings.warehouse, "facts", settings.run_id)
    _touch(settings, "facts")
    assert execute(JUDGE, settings, lambda: spark).result.judged_now == 0
    assert server.count == before
    changed = rows(settings)
    mine = next(row for row in changed if "branch 1" in _text(settings, row["unit_id"]))
    mine["object"] = "pay"
    tables.write_rows(changed, settings.warehouse, "facts", settings.run_id)
    _touch(settings, "facts")
    pairs = sum(_text(settings, mine["unit_id"]) in pair for pair in PAIRS)
    assert execute(JUDGE, settings, lambda: spark).result.judged_now == pairs > 0


def _touch(settings: Settings, name: str) -> None:
    """Have a stage be one that was run again."""
    marker = Path(settings.warehouse) / "_stages" / f"run_id={settings.run_id}" / f"{name}.json"
    marker.write_text(json.dumps(json.loads(marker.read_text()) | {"started_at": str(marker.stat().st_mtime_ns)}))


def _text(settings: Settings, unit_id: str) -> str:
    units = tables.read_rows(settings.warehouse, "units", settings.run_id)
    return str(next(unit["unit_text"] for unit in units if unit["unit_id"] == unit_id))


def test_facts_of_other_texts_are_refused_before_spark_starts(
    server: JudgeServer, spark: SparkSession, tmp_path: Path
) -> None:
    server.on_request = says()
    settings = prepared(tmp_path, server, facts_mode="served")
    execute(STAGE, settings, lambda: spark)
    units = tables.read_rows(settings.warehouse, "units", settings.run_id)
    amended = [unit | {"unit_sha256": "0" * 64} if n == 0 else unit for n, unit in enumerate(units)]
    tables.write_rows(amended, settings.warehouse, "units", settings.run_id)
    with pytest.raises(StorageError, match="taken from other texts than it has now: run `antinomy facts`"):
        pipeline.run(settings, ("judge",))


def test_facts_by_grammar_are_no_served_facts(server: JudgeServer, spark: SparkSession, tmp_path: Path) -> None:
    settings = prepared(tmp_path, server, "facts.origin=norms")
    execute(STAGE, settings, lambda: spark)
    read = prepared(tmp_path, server, facts_mode="served")
    with pytest.raises(StorageError, match="no facts of a served model"):
        pipeline.run(read, ("judge",))


def test_settings_that_read_what_nobody_makes_are_refused(server: JudgeServer, tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"facts_mode: served reads what facts\.origin: served makes"):
        prepared(tmp_path, server, "facts.origin=norms", facts_mode="served")
    settings = prepared(tmp_path, server, facts_mode="served")
    with pytest.raises(SettingsError, match="these pairs are of none: set norms or none"):
        build_judge(settings.judge)
