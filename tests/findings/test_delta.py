"""Which run a report is compared with: the latest of the same config, whatever else lies in the warehouse."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from antinomy.report.stage import previous_run
from antinomy.run.stage import marker_uri
from antinomy.settings import Settings
from antinomy.store import storage
from runs import whole_marker


def settings(folder: Path, run_id: str, **report: str) -> Settings:
    return Settings.model_validate(
        {"run_id": run_id, "warehouse": str(folder), "out": str(folder / "out"), "report": report,
         "documents": [{"doc_id": "act", "path": "act", "regime": "eu"}]}
    )  # fmt: skip


def finished(
    folder: Path, run_id: str, day: int, documents: tuple[str, ...] = ("act", "book"), judge: str = "norms",
    focus: str = "", reported: bool = True,
) -> None:  # fmt: skip
    made: dict[str, dict[str, Any]] = {
        "parse": {"documents": [{"doc_id": name, "title": run_id} for name in documents]},
        "embed": {"embed": {}},
        "link": {"link": {"focus": focus}},
        "judge": {"judge": {"backend": judge}},
    }
    if reported:
        made["report"] = {}
    for stage, chosen in made.items():
        marker = whole_marker(settings=chosen, finished_at=f"2026-01-{day:02d}T00:00:00+00:00")
        storage.write_json(marker_uri(settings(folder, run_id), stage), marker)


@pytest.mark.parametrize(
    ("why", "other"),
    [
        ("another judge", {"judge": "default"}),
        ("another focus", {"focus": "incidents"}),
        ("other documents", {"documents": ("act",)}),
        ("not finished", {"reported": False}),
    ],
)
def test_only_a_finished_run_of_the_same_config_counts(tmp_path: Path, why: str, other: dict[str, Any]) -> None:
    finished(tmp_path, "now", 9, reported=False)
    assert previous_run(settings(tmp_path, "now")) == ""
    finished(tmp_path, "before", 2)
    finished(tmp_path, "long-ago", 1)
    finished(tmp_path, "different", 3, **other)
    assert previous_run(settings(tmp_path, "now")) == "before", why


def test_a_run_with_a_damaged_marker_is_named_and_left_out(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    finished(tmp_path, "now", 9, reported=False)
    finished(tmp_path, "before", 1)
    finished(tmp_path, "broken", 2)
    (tmp_path / "_stages/run_id=broken/judge.json").write_text("{")
    assert previous_run(settings(tmp_path, "now")) == "before"
    assert "broken" in caplog.text
    assert "judge.json is damaged" in caplog.text


@pytest.mark.parametrize("lost", ["parse", "embed", "link", "judge"])
def test_a_run_that_lacks_a_stage_is_left_out(tmp_path: Path, lost: str) -> None:
    finished(tmp_path, "now", 9, reported=False)
    finished(tmp_path, "before", 1)
    finished(tmp_path, "incomplete", 2)
    (tmp_path / f"_stages/run_id=incomplete/{lost}.json").unlink()
    assert previous_run(settings(tmp_path, "now")) == "before"


def test_a_run_that_the_settings_name_is_taken_as_it_is(tmp_path: Path) -> None:
    finished(tmp_path, "now", 9, reported=False)
    finished(tmp_path, "different", 3, judge="default")
    assert previous_run(settings(tmp_path, "now", previous_run="different")) == "different"
