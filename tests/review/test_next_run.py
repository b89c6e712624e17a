"""Three provisions change, and the next run: what is judged again, what is new, carried over and resolved."""

from __future__ import annotations

import csv
import io
import json
import re
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd
import pytest

from antinomy import settings as settings_module
from antinomy.findings import conflict_log, decisions
from antinomy.review.session import Review
from antinomy.run.pipeline import load_stage
from antinomy.run.stage import execute

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = [pytest.mark.spark, pytest.mark.slow, pytest.mark.timeout(900)]

STAGES = ("parse", "embed", "link", "judge", "report")

EU = """REGULATION (EU) 2031/7 OF THE SPECIMEN PARLIAMENT AND COUNCIL

of 4 March 2031

on specimens

HAVE ADOPTED THIS REGULATION:
{articles}
"""
ARTICLES = {
    "Logs": "Financial entities shall keep logs of access to client data for at least five years.",
    "Notices": "Financial entities shall notify the competent authority of a major incident within 24 hours of its "
    "detection.",
    "Tests": "Financial entities shall test their continuity plans at least once a year.",
    "Passwords": "Financial entities shall change the passwords of privileged accounts every 30 days.",
    "Backups": "Financial entities shall store backup copies of client records within the Union.",
    "Screening": "Financial entities shall keep the results of background checks for at least five years.",
}
US = {
    "Log Files": "Institutions must erase logs of access to customer data no later than three years after they were "
    "written.",
    "Incident Notices": "Institutions must not notify their regulator of a major incident before 36 hours have passed "
    "since its detection.",
    "Exercises": "Institutions must test their continuity plans at least once every quarter.",
    "Credentials": "Institutions must change the passwords of privileged accounts every 90 days.",
    "Copies": "Institutions must store backup copies of customer records outside the Union.",
    "Staff": "Opening hours are posted at the entrance of each branch.",
}
#: What the reviewer decides on.
DUTIES = {"Backups": "Copies", "Notices": "Incident", "Tests": "Exercises"}
#: Heading → the text of the next run.
CHANGED_EU = {"Logs": "Financial entities shall publish the names of their branch managers."}
CHANGED_US = {
    "Incident Notices": US["Incident Notices"].replace("36", "48"),
    "Staff": "Institutions must erase the results of background checks no later than one year after the check.",
}


@dataclass(frozen=True)
class Runs:
    """Two runs, and what happened in them.

    Attributes:
        folder: with ``warehouse`` and, per run, what people read.
        markers: (run_id, stage) → completion marker.
        after_decisions: stages that would run again because of decisions on the first run.
    """

    folder: Path
    markers: dict[tuple[str, str], dict[str, Any]]
    after_decisions: set[str]

    def table(self, name: str, run_id: str) -> pd.DataFrame:
        return pd.read_parquet(self.folder / "warehouse" / name / f"run_id={run_id}")

    def crosswalk(self, run_id: str) -> list[dict[str, str]]:
        text = (self.folder / run_id / "crosswalk.csv").read_text("utf-8-sig")
        return list(csv.DictReader(io.StringIO(text, newline="")))

    def findings(self, run_id: str) -> dict[tuple[str, str], Any]:
        """Findings by the headings of both sides."""
        found = self.table("findings", run_id).itertuples()
        return {tuple(path.split(" › ")[-1] for path in (row.left_path, row.right_path)): row for row in found}


def _write(folder: Path, eu: dict[str, str], us: dict[str, str]) -> None:
    folder.mkdir(exist_ok=True)
    articles = "".join(f"\nArticle {n}\n\n{head}\n\n{text}\n" for n, (head, text) in enumerate(eu.items(), start=1))
    (folder / "eu.txt").write_text(EU.format(articles=articles))
    sections = "".join(f"\nI.{'ABCDEF'[n]}   {head}\n\n{text}\n" for n, (head, text) in enumerate(us.items()))
    (folder / "us.txt").write_text(f"Specimen Manual\n\nAPRIL 2031\n\nI   Duties\n{sections}")


def _inputs(config: Path) -> dict[str, str]:
    settings = settings_module.load(str(config))
    return {name: load_stage(name).inputs(settings) for name in STAGES}


@pytest.fixture(scope="module")
def runs(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> Runs:
    folder = tmp_path_factory.mktemp("next-run")
    config = folder / "c.yaml"
    config.write_text(
        f"run_id: first\ndata_root: {folder}\nwarehouse: {folder}/warehouse\nout: {folder}/out\n"
        "documents: [{doc_id: eu, path: eu.txt, regime: eu}, {doc_id: us, path: us.txt, regime: us}]\n"
        "judge: {backend: default, prior: 0.3}\nlink: {min_score: -1}\n"
    )
    markers: dict[tuple[str, str], dict[str, Any]] = {}

    def run(run_id: str) -> None:
        settings = settings_module.load(str(config), [f"out={folder}/{run_id}"], run_id)
        for name in STAGES:
            markers[run_id, name] = execute(load_stage(name), settings, lambda: spark)

    _write(folder, ARTICLES, US)
    run("first")
    inputs = _inputs(config)
    for heading, word in (("Backups", "confirm"), ("Notices", "confirm"), ("Tests", "reject")):
        review = Review(f"{folder}/warehouse", "first", "A. Analyst")
        review.show(words=f"{heading} {DUTIES[heading]}")
        review.decide(word, f"on {heading}")
    changed = {name for name, value in _inputs(config).items() if value != inputs[name]}
    _write(folder, ARTICLES | CHANGED_EU, US | CHANGED_US)
    run("second")
    return Runs(folder, markers, changed)


def test_a_new_decision_makes_only_the_report_again(runs: Runs) -> None:
    assert runs.after_decisions == {"report"}
    assert runs.markers["second", "report"].result.review == {"confirm": 1, "reject": 1}


def test_only_pairs_that_touch_a_changed_provision_are_judged_again(runs: Runs) -> None:
    before, now = runs.table("units", "first"), runs.table("units", "second")
    changed = set(now["unit_sha256"]) - set(before["unit_sha256"])
    texts = set(now.loc[now["unit_sha256"].isin(changed), "unit_text"])
    assert texts == {*CHANGED_EU.values(), *CHANGED_US.values()}
    verdicts = runs.table("verdicts", "second")
    touched = verdicts["left_sha256"].isin(changed) | verdicts["right_sha256"].isin(changed)
    assert 0 < touched.sum() < len(verdicts) == 36
    assert (verdicts["reused"] == ~touched).all()
    # One left provision with six pairs, two right ones with five other pairs each.
    assert runs.markers["second", "judge"].result.judged_now == touched.sum() == 6 + 2 * 5


def test_each_finding_is_new_carried_or_resolved_for_its_reason(runs: Runs) -> None:
    before, now = runs.findings("first"), runs.findings("second")
    said = {pair: (row.relation, row.state, row.changed) for pair, row in now.items()}
    redecide = "was confirmed by A. Analyst on an earlier text: decide again"
    expected = {
        ("Notices", "Incident Notices"): ("conflict", "carried", f"right text changed; {redecide}"),
        ("Tests", "Exercises"): ("stricter", "carried", ""),
        ("Passwords", "Credentials"): ("stricter", "carried", ""),
        ("Backups", "Copies"): ("conflict", "carried", ""),
        ("Screening", "Staff"): ("conflict", "new", ""),
    }
    assert {pair: said[pair] for pair in expected} == expected
    relation, state, changed = said["Logs", "Log Files"]
    assert (relation, state) == ("conflict", "resolved")
    assert re.fullmatch(r"left text changed; now judged (none|overlap|stricter)", changed)
    # Whatever else the judge finds: what stands is new or carried, what is gone is resolved, nothing is lost.
    assert before.keys() <= now.keys()
    open_now = {pair for pair, row in now.items() if row.state != "resolved"}
    assert {pair for pair in open_now if now[pair].state == "carried"} == open_now & before.keys()
    states = Counter(row.state for row in now.values())
    counts = runs.markers["second", "report"].result
    assert (counts.by_state, counts.previous_run) == (states, "first")
    page = (runs.folder / "second" / "report.html").read_text()
    new, carried, resolved = (states[name] for name in ("new", "carried", "resolved"))
    assert f"Since the previous run: {new} new, {carried} carried over, {resolved} resolved." in page


def test_decisions_carry_over_where_the_texts_did_not_change(runs: Runs) -> None:
    kept = {pair[0]: row.decision for pair, row in runs.findings("second").items() if row.decision}
    assert kept == {"Backups": "confirm", "Tests": "reject"}
    page = (runs.folder / "second" / "report.html").read_text()
    data = json.loads(re.search(r'id="data">(.*?)</script>', page, re.DOTALL)[1])  # type: ignore[index]
    assert {f["note"] for f in data["findings"] if f["decision"]} == {"on Backups", "on Tests"}
    # "Tests" was rejected: no other tool is told of it.
    mapped = {
        (row["Focal Document Element Id"], row["Reference Document Element Id"]) for row in runs.crosswalk("second")
    }
    kept_pair, rejected = (
        (row.left_id, row.right_id)
        for row in (runs.findings("second")["Backups", "Copies"], runs.findings("second")["Tests", "Exercises"])
    )
    assert {kept_pair, kept_pair[::-1]} <= mapped
    assert not {rejected, rejected[::-1]} & mapped
    # The log names all three: what was decided on a text that has changed since was decided all the same.
    sealed = conflict_log.verify((runs.folder / "second" / "conflict_log.jsonl").read_bytes(), "log")
    assert len(sealed.entries) == 3
    assert sealed.seal in page
    assert len(decisions.read(f"{runs.folder}/warehouse")) == 3
