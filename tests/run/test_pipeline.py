"""The whole product as a user runs it: console script, spark-submit, stages one by one; and bad input.

The three ways run as subprocesses, as for a user, side by side on the bundled samples.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pandas as pd
import pytest
from pypdf import PdfReader, PdfWriter

import runs
from antinomy import samples
from runs import BIN, QUICK_JAVA, TABLES, Run, call

JAVA = ("--driver-java-options", QUICK_JAVA)
STAGES = ["parse", "embed", "link", "judge", "report", "evaluate"]
pytestmark = [pytest.mark.spark, pytest.mark.slow, pytest.mark.timeout(900)]


def antinomy(*arguments: str, check: bool = True) -> subprocess.CompletedProcess[str]:
    return call(str(BIN / "antinomy"), *arguments, check=check)


def options(folder: Path) -> list[str]:
    return [
        "--config",
        "conf/demo.yaml",
        "--set",
        f"warehouse={folder}/warehouse",
        "--set",
        f"out={folder}/out",
    ]


def table(folder: Path, name: str) -> pd.DataFrame:
    return runs.table(str(folder / "warehouse"), name, "demo")


def test_the_run_tells_its_figures_on_stdout(finished_run: Run) -> None:
    folder, manifest = finished_run.folder, finished_run.manifest
    assert list(manifest["stages"]) == STAGES
    assert manifest["pairs"] == len(table(folder, "similar"))
    assert manifest["pairs_judged"] <= manifest["pairs"] < manifest["full_comparison_calls"]
    assert manifest["errors"] == 0
    assert manifest["quarantined"] == 0
    assert json.loads((folder / "out/manifest.json").read_text())["run_id"] == "demo"
    run = pd.read_parquet(folder / "warehouse/runs/run_id=demo").iloc[0]
    assert run["pairs"] == manifest["pairs"]


def test_every_candidate_pair_has_one_verdict_and_every_vector_its_unit(
    finished_run: Run,
) -> None:
    folder = finished_run.folder
    similar, verdicts = table(folder, "similar"), table(folder, "verdicts")
    assert set(zip(similar.left_id, similar.right_id, strict=True)) == set(
        zip(verdicts.left_id, verdicts.right_id, strict=True)
    )
    assert len(similar) == len(verdicts)
    units = table(folder, "units")
    assert set(units.text_sha256) == set(table(folder, "embeddings").text_sha256)
    # Who is bound: the duties are the firms', and no definition binds anybody.
    assert (units.binds == "firm").mean() > 0.5
    assert set(units[units.type == "definition"].binds) == {"nobody"}


def test_the_planted_conflicts_are_candidates_and_the_figures_are_honest(
    finished_run: Run,
) -> None:
    folder, manifest = finished_run.folder, finished_run.manifest
    key = pd.read_json(samples.KEY, lines=True)
    planted = key[key.relation == "conflict"]
    similar = table(folder, "similar")
    candidates = set(zip(similar.left_id, similar.right_id, strict=True))
    wanted = set(zip(planted.left, planted.right, strict=True))
    assert wanted <= candidates
    findings = table(folder, "findings")
    conflicts = findings[findings.relation == "conflict"]
    found = set(zip(conflicts.left_id, conflicts.right_id, strict=True))
    headline = manifest["stages"]["evaluate"]["counts"]["headline"]
    # Figures are printed with four digits.
    assert headline["recall"]["value"] == pytest.approx(len(found & wanted) / len(wanted), abs=5e-5)
    assert headline["precision"]["value"] == pytest.approx(len(found & wanted) / len(found), abs=5e-5)


def test_the_report_stands_alone(finished_run: Run) -> None:
    folder = finished_run.folder
    page = (folder / "out/report.html").read_text()
    assert "<html" in page
    for foreign in ('src="http', "src='http", 'href="http://fonts', "@import"):
        assert foreign not in page


@pytest.mark.parametrize("name", ["review", "explore"])
def test_the_notebooks_run_headless(finished_run: Run, tmp_path: Path, name: str) -> None:
    folder = finished_run.folder
    own = {"review": ["-p", "OUT", f"{tmp_path}/export"], "explore": ["-p", "KEY", str(samples.KEY)]}[name]
    config = runs.settings(tmp_path, run_id="demo", warehouse=f"{folder}/warehouse")
    where = ["-p", "CONFIG", str(config), *own]
    call(str(BIN / "papermill"), f"notebooks/{name}.ipynb", str(tmp_path / "done.ipynb"), *where)
    assert "Article" in (tmp_path / "done.ipynb").read_text()


def test_a_second_run_does_nothing_again(finished_run: Run) -> None:
    again = antinomy("run", "--config", str(finished_run.config), "--json")
    assert json.loads(again.stdout) == finished_run.manifest
    assert again.stderr.count("unchanged, skipped") == len(STAGES)


def test_the_same_run_id_with_other_settings_is_refused(finished_run: Run) -> None:
    refused = antinomy("link", "--config", str(finished_run.config), "--set", "link.k=3", check=False)
    assert refused.returncode == 2
    assert "link.k: 20 → 3" in refused.stderr
    assert "--run-id" in refused.stderr


def same_tables(one: Path, other: Path) -> None:
    for name in TABLES:
        left, right = table(one, name), table(other, name)
        assert len(left) > 0, name
        pd.testing.assert_frame_equal(left, right, obj=name)


@pytest.mark.long
def test_the_jobs_of_the_stages_one_by_one_give_the_same_tables(small_run: Run, tmp_path: Path) -> None:
    config = runs.settings(tmp_path, **runs.SMALL, evaluate={"key": str(samples.KEY)})
    for stage in STAGES:
        call(str(BIN / "spark-submit"), "--master", "local[2]", *JAVA, f"jobs/{stage}.py", "--config", str(config))
    same_tables(small_run.folder, tmp_path)


@pytest.mark.long
def test_the_job_of_a_run_gives_the_same_tables(small_run: Run, tmp_path: Path) -> None:
    config = runs.settings(tmp_path, **runs.SMALL)
    call(str(BIN / "spark-submit"), "--master", "local[2]", *JAVA, "jobs/run.py", "--config", str(config))
    same_tables(small_run.folder, tmp_path)


# --- bad input -------------------------------------------------------------------------------------------------------


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A data root of its own with the samples."""
    folder = tmp_path / "data"
    folder.mkdir()
    for name in ("eu-orr.pdf", "us-trr.pdf"):
        shutil.copy(samples.FOLDER / name, folder / name)
    return folder


def refused(folder: Path, *more: str, stage: str = "parse") -> str:
    """Run, expect exit code 2 and one line on stderr with nothing written; return the line."""
    done = antinomy(stage, *options(folder), *more, check=False)
    assert done.returncode == 2, done.stderr
    lines = [line for line in done.stderr.splitlines() if line.startswith("antinomy:")]
    assert len(lines) == 1, done.stderr
    assert "Traceback" not in done.stderr
    assert done.stderr.count(lines[0].rpartition(": ")[2]) == 1, done.stderr
    assert not list(folder.glob("warehouse/*/run_id=demo/*.parquet"))
    assert not list(folder.glob("warehouse/*/_staging*"))
    return lines[0]


def encrypted(path: Path) -> None:
    writer = PdfWriter(clone_from=PdfReader(path))
    writer.encrypt("secret", algorithm="AES-256")
    with path.open("wb") as file:
        writer.write(file)


def test_missing_file(tmp_path: Path, data: Path) -> None:
    (data / "us-trr.pdf").unlink()
    line = refused(tmp_path, "--set", f"data_root={data}")
    assert f"not there: {data}/us-trr.pdf" in line
    assert "check data_root" in line


def test_unknown_key(tmp_path: Path) -> None:
    assert "link.neighbors: unknown key" in refused(tmp_path, "--set", "link.neighbors=3")


def test_run_id_with_a_slash(tmp_path: Path) -> None:
    assert "run_id: 'a/b'" in refused(tmp_path, "--run-id", "a/b")


def test_warehouse_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "warehouse").write_text("a file")
    line = refused(tmp_path)
    assert "cannot be written" in line
    assert "set warehouse" in line


def test_a_stage_before_its_time(tmp_path: Path) -> None:
    assert "stage link of run demo has not completed" in refused(tmp_path, stage="judge")


def test_when_no_document_of_a_regime_can_be_read(tmp_path: Path, data: Path) -> None:
    (data / "us-trr.pdf").write_bytes(b"")
    line = refused(tmp_path, "--set", f"data_root={data}")
    assert "no document of regime us could be read" in line
    assert "empty" in line


def test_bad_documents_among_good_ones_are_quarantined(tmp_path: Path, data: Path) -> None:
    (data / "empty.pdf").write_bytes(b"")
    (data / "junk.pdf").write_bytes(os.urandom(4000))
    (data / "cut.pdf").write_bytes((data / "us-trr.pdf").read_bytes()[:3000])
    shutil.copy(data / "us-trr.pdf", data / "locked.pdf")
    encrypted(data / "locked.pdf")
    writer = PdfWriter()
    writer.add_blank_page(600, 800)
    writer.write(data / "scan.pdf")
    names = ["empty", "junk", "cut", "locked", "scan"]
    shutil.copy(data / "us-trr.pdf", data / "again.pdf")
    extra = ", ".join(f"{{doc_id: {name}, path: {name}.pdf, regime: us}}" for name in [*names, "again"])
    config = tmp_path / "c.yaml"
    config.write_text(
        f"run_id: demo\ndata_root: {data}\nwarehouse: {tmp_path}/warehouse\nout: {tmp_path}/out\n"
        "documents: [{doc_id: eu-orr, path: eu-orr.pdf, regime: eu}, {doc_id: us-trr, path: us-trr.pdf, regime: us}, "
        f"{extra}]\n"
        "spark: {master: 'local[2]'}\n"
    )
    done = antinomy("parse", "--config", str(config), "--json")
    manifest = json.loads(done.stdout)
    assert manifest["quarantined"] == len(names)
    shown = antinomy("parse", "--config", str(config))
    assert (shown.stdout + shown.stderr + done.stderr).count("quarantined: scan") == 1
    assert "next to no text layer" not in done.stderr
    documents = pd.read_parquet(tmp_path / "warehouse/documents/run_id=demo").set_index("doc_id")
    assert documents.loc[names, "status"].eq("quarantined").all()
    assert documents.loc[["eu-orr", "us-trr", "again"], "status"].eq("parsed").all()
    for name, says in {"empty": "empty", "locked": "encrypted", "scan": "no text"}.items():
        assert says in documents.loc[name, "error"], documents.loc[name, "error"]
    assert documents.loc[names, "error"].str.len().min() > 10
    assert [doc_id for doc_id, said in documents["warnings"].items() if "same file as us-trr" in str(said)] == ["again"]
    sections = pd.read_parquet(tmp_path / "warehouse/sections/run_id=demo")
    assert set(sections.doc_id) == {"eu-orr", "us-trr", "again"}
