"""The Python API: what a notebook gets from ``import antinomy``, on a finished run and without one."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pandas as pd
import pytest

import antinomy
import runs
from antinomy.errors import SettingsError, StorageError
from antinomy.run import fingerprints
from review import reviewed_run

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


@pytest.fixture
def settings(tmp_path: Path) -> antinomy.Settings:
    warehouse = reviewed_run.write(tmp_path / "w")
    config = runs.settings(tmp_path, run_id=reviewed_run.RUN_ID, warehouse=warehouse)
    return antinomy.load_settings(str(config))


def test_importing_the_package_imports_nothing_else() -> None:
    code = "import sys, antinomy; print(sorted(name for name in sys.modules if '.' not in name))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "antinomy" in done.stdout
    for heavy in ("numpy", "pandas", "pyspark", "torch", "pydantic", "typer", "yaml"):
        assert f"'{heavy}'" not in done.stdout


def test_what_the_root_offers_is_documented() -> None:
    said = (runs.ROOT / "docs" / "python.md").read_text()
    for name in antinomy.__all__:
        assert getattr(antinomy, name).__doc__
        assert f"antinomy.{name}(" in said


def test_no_stage_depends_on_what_the_root_imports_for_others() -> None:
    """Else an edit of the questions would run every stage again."""
    reached = fingerprints.dependencies("antinomy.parse.stage")
    assert "antinomy.parse.outline" in reached
    assert not any(name == "antinomy" or name.startswith("antinomy.ask") for name in reached)


def test_settings_are_those_of_the_command_line(tmp_path: Path) -> None:
    config = str(runs.settings(tmp_path))
    assert antinomy.load_settings(config, ["link.k=7"], "other").link.k == 7
    assert antinomy.load_settings(config, run_id="other").run_id == "other"
    with pytest.raises(SettingsError, match=r"link\.k"):
        antinomy.load_settings(config, ["link.k=many"])


def test_a_table_is_read_into_pandas(settings: antinomy.Settings) -> None:
    findings = antinomy.read_table(settings, "findings")
    assert isinstance(findings, pd.DataFrame)
    assert set(findings["relation"]) >= {"conflict", "stricter"}
    assert list(antinomy.read_table(settings, "documents", ["doc_id", "regime"])) == ["doc_id", "regime"]
    with pytest.raises(StorageError, match="no table facts"):
        antinomy.read_table(settings, "facts")


@pytest.mark.spark
@pytest.mark.slow
def test_the_same_table_is_read_into_spark(settings: antinomy.Settings, spark: SparkSession) -> None:
    frame = antinomy.read_table(settings, "findings", ["finding_id", "relation"], spark=spark)
    plain = antinomy.read_table(settings, "findings", ["finding_id", "relation"])
    assert frame.columns == ["finding_id", "relation"]
    assert {tuple(row) for row in frame.collect()} == set(plain.itertuples(index=False, name=None))


@pytest.mark.slow
def test_two_texts_are_judged() -> None:
    verdict = antinomy.judge_texts(
        "Financial entities shall keep records of incidents for at least ten years.",
        "Management must delete records of incidents after one year.",
    )
    assert (verdict.relation, verdict.status) == ("conflict", "ok")
    assert "ten years" in verdict.evidence_left
    assert "one year" in verdict.evidence_right
    assert antinomy.judge_texts("Paint may be blue.", "Records shall be kept for ten years.").relation == "none"
