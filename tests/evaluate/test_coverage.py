"""Coverage against a crosswalk by experts, on the run's own path, and against a key."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from antinomy.cli.evaluate import app
from antinomy.errors import AntinomyError
from antinomy.evaluate.coverage import crosswalk, measure
from antinomy.judge.fitted.judge import FittedJudge
from antinomy.settings import EmbedSettings
from antinomy.settings.link import LinkSettings

LEFT = {
    "backup": "Entities shall test the restoration of backups every year.",
    "board": "The management body shall approve the strategy on digital risk.",
    "incident": "Entities shall report major incidents to the competent authority without delay.",
    "cattle": "Keepers of cattle shall mark each animal within seven days of its birth.",
    "paint": "The walls of the vault shall be painted in a light colour.",
}
RIGHT = {
    "us-1": "The board of directors should approve the technology risk strategy.",
    "us-2": "Management should perform an annual exercise to restore data from backup media.",
    "us-3": "A bank must notify its regulator of a significant computer-security incident.",
    "us-5": "Staff should receive training in the handling of customer complaints.",
}
LINK = LinkSettings(budget_pairs=0)
GOLD = [("backup", "us-2"), ("board", "us-1"), ("incident", "us-3")]


@pytest.fixture
def files(tmp_path: Path) -> dict[str, str]:
    for name, texts in (("left", LEFT), ("right", RIGHT)):
        lines = [json.dumps({"id": key, "text": text}) for key, text in texts.items()]
        (tmp_path / name).write_text("\n".join(lines))
    lines = [json.dumps({"left_id": a, "right_id": b}) for a, b in GOLD]
    (tmp_path / "gold").write_text("\n".join(lines))
    return {name: str(tmp_path / name) for name in ("left", "right", "gold")}


def test_plain_gaps_rank_first_and_plain_counterparts_are_named(files: dict[str, str]) -> None:
    found = crosswalk(**files, judge=FittedJudge(), link=LINK, embed=EmbedSettings())
    assert (found["n"], found["gaps"], found["left"], found["right"]) == (5, 2, 5, 4)
    assert found["auc"]["value"] == found["average_precision"]["value"] == 1.0
    assert found["named"]["1"]["value"] == found["named"]["5"]["value"] == 1.0
    assert sum(found["states"].values()) == 5
    assert sum(row["n"] for row in found["reliability"]) == 5


def test_gaps_are_made_where_a_crosswalk_has_none(files: dict[str, str]) -> None:
    found = crosswalk(**files, judge=FittedJudge(), link=LINK, embed=EmbedSettings(), make_gaps=0)
    assert (found["left"], found["gaps"], found["right"]) == (3, 2, 2)
    again = crosswalk(**files, judge=FittedJudge(), link=LINK, embed=EmbedSettings(), make_gaps=0)
    assert found["states"] == again["states"]


def test_the_command_prints_the_figures(files: dict[str, str]) -> None:
    paths = [word for name, path in files.items() for word in (f"--{name}", path)]
    shown = CliRunner().invoke(app, ["coverage", *paths, "--json"])
    assert shown.exit_code == 0, shown.output
    assert json.loads(shown.stdout)["auc"]["value"] == 1.0
    lacking = CliRunner().invoke(app, ["coverage", *paths[:2]])
    assert lacking.exit_code != 0


def test_without_settings_the_judge_default_gets_all_candidates(files: dict[str, str]) -> None:
    # More than the twenty for each text of the smaller side that judges with a price get.
    texts = [json.dumps({"id": f"l{n}", "text": f"Vaults shall be aired {n} times a year."}) for n in range(22)]
    Path(files["left"]).write_text("\n".join(texts))
    Path(files["right"]).write_text(json.dumps({"id": "r", "text": "A vault should be aired every month."}))
    Path(files["gold"]).write_text(json.dumps({"left_id": "l12", "right_id": "r"}))
    paths = [word for name, path in files.items() for word in (f"--{name}", path)]
    shown = CliRunner().invoke(app, ["coverage", *paths, "--json"])
    assert shown.exit_code == 0, shown.output
    assert json.loads(shown.stdout)["candidate_pairs"] == 22


def test_figures_follow_from_ranks_and_places() -> None:
    def row(name: str, p: float | None, state: str) -> dict[str, object]:
        return {"section_id": name, "p_covered": p, "state": state}

    rows = [row("a", 0.9, "covered"), row("b", 0.5, "partly"), row("c", 0.6, "gap"), row("d", None, "not_decidable")]
    places = [
        {"section_id": "a", "counterpart_id": "x", "place": 1},
        {"section_id": "b", "counterpart_id": "y", "place": 1},
        {"section_id": "b", "counterpart_id": "z", "place": 3},
    ]
    found = measure(rows, places, {"a": {"x"}, "b": {"z"}})
    # Gaps are c and d: d ranks before all, c after b and before a.
    assert found["auc"]["value"] == 0.75
    assert found["named"] == {
        "1": found["named"]["1"] | {"value": 0.5},
        "5": found["named"]["5"] | {"value": 1.0},
    }
    assert (found["gap_precision"]["value"], found["gap_recall"]["value"]) == (1.0, 0.5)
    assert found["states"] == {"covered: covered": 1, "partly: covered": 1, "gap: gap": 1, "not_decidable: gap": 1}
    with pytest.raises(AntinomyError, match="nothing to measure"):
        measure([], [], {})
