"""The gate between stages: what it lets through, and what it refuses with which reason."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from antinomy.cli.app import app
from antinomy.errors import QualityError
from antinomy.run import quality
from antinomy.run.stage import marker_uri
from antinomy.settings import Settings, validate
from antinomy.store import storage, tables
from runs import whole_marker

ROWS: dict[str, list[dict[str, Any]]] = {
    "documents": [
        {"doc_id": "a", "status": "parsed", "coverage": 0.999, "n_sections": 1, "structure": 0.98},
        {"doc_id": "b", "status": "parsed", "coverage": 1.0, "n_sections": 1, "structure": 1.0},
    ],
    "sections": [{"section_id": "a#art_1"}, {"section_id": "b#sec_I"}],
    "citations": [],
    "units": [
        {"section_id": "a#art_1", "text_sha256": "1", "regime": "eu", "type": "article", "binds": "firm"},
        {"section_id": "a#art_2", "text_sha256": "3", "regime": "eu", "type": "article", "binds": "authority"},
        {"section_id": "b#sec_I", "text_sha256": "2", "regime": "us", "type": "section", "binds": "firm"},
    ],
    "embeddings": [{"text_sha256": "1"}, {"text_sha256": "2"}, {"text_sha256": "3"}],
    # Those of what is compared alone: what binds an authority is not.
    "mpnet_embeddings": [{"text_sha256": "1"}, {"text_sha256": "2"}],
    "similar": [{"left_id": "a#art_1", "right_id": "b#sec_I"}],
    "verdicts": [{"left_id": "a#art_1", "right_id": "b#sec_I", "status": "ok"}],
    "findings": [],
    "coverage": [{"section_id": "a#art_1"}, {"section_id": "b#sec_I"}],
    "counterparts": [{"section_id": "a#art_1"}],
}
MADE_BY = {
    "parse": ("documents", "sections", "citations"),
    "embed": ("units", "embeddings", "mpnet_embeddings"),
    "link": ("similar",),
    "judge": ("verdicts",),
    "report": ("findings", "coverage", "counterparts"),
}


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    raw = {
        "run_id": "r",
        "warehouse": str(tmp_path / "warehouse"),
        "out": str(tmp_path / "out"),
        "documents": [{"doc_id": "a", "path": "a", "regime": "eu"}, {"doc_id": "b", "path": "b", "regime": "us"}],
    }
    return validate(Settings, raw, "test")


def finished(settings: Settings, **other: list[dict[str, Any]]) -> None:
    """Leave in storage what a finished run leaves; ``other`` replaces tables."""
    rows = {**ROWS, **other}
    for table, content in rows.items():
        tables.write_rows(content, settings.warehouse, table, settings.run_id)
    for stage in quality.CHECKED:
        counts = {table: len(rows[table]) for table in MADE_BY[stage]}
        storage.write_json(marker_uri(settings, stage), whole_marker(counts=counts, tables=list(counts)))
    storage.write_bytes(storage.join(settings.out, "report.html"), b"<html>")


def test_a_good_run_passes_and_every_stage_is_measured(settings: Settings) -> None:
    finished(settings)
    assert {check.stage for check in quality.require(settings, quality.CHECKED)} == set(quality.CHECKED)


@pytest.mark.parametrize(
    ("stage", "other", "reasons"),
    [
        (
            "parse",
            {"documents": [ROWS["documents"][0], {"doc_id": "b", "status": "quarantined", "error": "b: no PDF"}]},
            ["quarantined documents is 1, wanted at most 0", "b: no PDF"],
        ),
        (
            "parse",
            {"documents": [ROWS["documents"][0], {**ROWS["documents"][1], "coverage": 0.97}]},
            ["coverage of b is 97.00%, wanted at least 99.50%"],
        ),
        (
            "parse",
            {"documents": [{**ROWS["documents"][0], "n_sections": 0, "coverage": 0.1}, ROWS["documents"][1]]},
            ["coverage of a", "sections of a is 0"],
        ),
        (
            "parse",
            {"documents": [{**ROWS["documents"][0], "breaks": ["Article 4 follows Article 2"]}, ROWS["documents"][1]]},
            ["breaks in the numbers is 1, wanted at most 0: a: Article 4 follows Article 2: mend the document"],
        ),
        (
            "parse",
            {
                "documents": [
                    {**ROWS["documents"][0], "structure": 0.9, "faults": ["a: 3 numbers"]},
                    ROWS["documents"][1],
                ]
            },
            ["structure of a is 90.00%, wanted at least 95.00%: a: 3 numbers: set the document's grammar"],
        ),
        ("embed", {"embeddings": ROWS["embeddings"][:2]}, ["texts without a vector in embeddings is 1"]),
        ("embed", {"mpnet_embeddings": ROWS["embeddings"][:1]}, ["texts without a vector in mpnet_embeddings is 1"]),
        ("embed", {"units": ROWS["units"][:2]}, ["regimes without a unit is us"]),
        ("link", {"similar": []}, ["candidate pairs is 0"]),
        (
            "judge",
            {"verdicts": [{**ROWS["verdicts"][0], "status": "error", "error": "timeout: no answer in 120 s"}]},
            ["share of pairs that ended in an error is 100.00%, wanted at most 1.00%", "timeout 1"],
        ),
        (
            "judge",
            {
                "verdicts": [
                    {**ROWS["verdicts"][0], "status": "error", "error": error}
                    for error in ("schema: not JSON: [", "timeout: no answer\nin 120 s", "timeout: 1", "budget")
                ]
            },
            ["timeout 2, schema 1, budget 1"],
        ),
        ("judge", {"verdicts": []}, ["pairs without a verdict row is 1"]),
    ],
)
def test_what_is_out_of_bounds_is_refused_with_its_reason(
    settings: Settings, stage: str, other: dict[str, list[dict[str, Any]]], reasons: list[str]
) -> None:
    finished(settings, **other)
    with pytest.raises(QualityError) as refused:
        quality.require(settings, (stage,))
    for reason in reasons:
        assert reason in str(refused.value)


@pytest.mark.parametrize(
    ("stage", "table", "rows"),
    [
        ("parse", "sections", 2),
        ("embed", "mpnet_embeddings", 2),
        ("report", "coverage", 2),
        ("report", "counterparts", 1),
    ],
)
def test_files_that_were_lost_after_the_stage_are_noticed(
    settings: Settings, stage: str, table: str, rows: int
) -> None:
    finished(settings)
    tables.write_rows([], settings.warehouse, table, settings.run_id)
    with pytest.raises(QualityError, match=f"rows of {table} is 0, wanted {rows}"):
        quality.require(settings, (stage,))


def test_a_table_without_any_file_is_noticed(settings: Settings) -> None:
    finished(settings)
    for file in Path(tables.location(settings.warehouse, "coverage", "r")).glob("*.parquet"):
        file.unlink()
    with pytest.raises(QualityError, match=r"report: (?:rows of coverage is 0, wanted 2|a table of run r cannot)"):
        quality.require(settings, ("report",))


def test_a_damaged_file_is_a_reason_and_no_crash(settings: Settings) -> None:
    finished(settings)
    file = Path(tables.location(settings.warehouse, "similar", "r")) / "part-00000.parquet"
    file.write_bytes(file.read_bytes()[:40])
    with pytest.raises(QualityError, match=r"link: a table of run r cannot be read"):
        quality.require(settings, ("link",))


def test_bounds_are_settings(settings: Settings) -> None:
    finished(settings, documents=[ROWS["documents"][0], {"doc_id": "b", "status": "quarantined", "error": "b: no PDF"}])
    looser = settings.model_copy(update={"quality": settings.quality.model_copy(update={"max_quarantined": 1})})
    quality.require(looser, ("parse",))


def test_a_stage_that_has_not_run_is_said(settings: Settings, tmp_path: Path) -> None:
    config = tmp_path / "c.yaml"
    config.write_text(settings.model_dump_json())
    done = CliRunner().invoke(app, ["check", "--config", str(config), "--stage", "embed"])
    assert isinstance(done.exception, QualityError)
    assert "run `antinomy embed` first" in str(done.exception)
