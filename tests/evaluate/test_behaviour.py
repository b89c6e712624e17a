"""Cases that need no label: the changes, what is measured, and the command on the bundled samples."""

from __future__ import annotations

import io
import json
import random
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from rich.console import Console
from typer.testing import CliRunner

from antinomy import settings
from antinomy.cli.evaluate import app
from antinomy.errors import AntinomyError
from antinomy.evaluate import display, perturb
from antinomy.evaluate.behaviour import BEHAVIOURS, behaviour, make_cases, read_provisions
from antinomy.judge.protocol import Pair, Verdict

_ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize(
    ("change", "text", "expected"),
    [
        (perturb.negated, "The firm shall test the plan.", "The firm shall not test the plan."),
        (perturb.negated, "The firm shall test the plan and should train its staff.", ""),
        (perturb.negated, "No firm shall test the plan.", ""),
        (perturb.negated, "Records which the firm must keep are listed below.", ""),
        (perturb.negated, "This section shall apply to banks.", ""),
        (perturb.permitted, "Logs must be read every day.", "Logs may be read every day."),
        (perturb.permitted, "Logs must not be read.", ""),
        (
            perturb.for_authority,
            "Financial entities shall map their systems.",
            "Supervisory authorities shall map their systems.",
        ),
        (perturb.for_authority, "A firm must tell the authority of it.", ""),
        (perturb.later, "The firm must report within 24 hours.", "The firm must report within 96 hours."),
        (perturb.later, "The firm must report no later than 30 days before the signature.", ""),
        (perturb.later, "The firm may report within 24 hours.", ""),
        (perturb.later, "Where it is not cured within two days the firm must report.", ""),
        (perturb.sooner, "Report: it must come within 20 working days.", "Report: it must come within 5 working days."),
        (perturb.sooner, "The firm must report within one month.", "The firm must report within 5 days."),
        (perturb.more_often, "Plans shall be read at least once a year.", "Plans shall be read at least monthly."),
        (
            perturb.less_often,
            "Plans shall be read at least yearly.",
            "Plans shall be read at least once every five years.",
        ),
        (
            perturb.kept_longer,
            "Logs shall be kept for at least five years.",
            "Logs shall be kept for at least 10 years.",
        ),
        (perturb.kept_longer, "Logs shall be kept for five years.", ""),
        (
            perturb.kept_shorter,
            "Logs must be kept for not less than 24 months.",
            "Logs must be kept for not less than 12 months.",
        ),
        (perturb.higher_minimum, "The cover must be at least 60 %.", "The cover must be at least 90 %."),
        (perturb.higher_minimum, "The cover must be at least 80 percent.", ""),
        (perturb.capped_lower, "Downtime must not exceed 6 hours.", "Downtime must not exceed 3 hours."),
        (perturb.capped_higher, "Downtime must not exceed 6 hours.", "Downtime must not exceed 12 hours."),
        (perturb.renumbered, "The firm shall obey Article 9 of Regulation (EU) 2030/1.", ""),
    ],
)  # fmt: skip
def test_changes(change: Callable[[str, random.Random], str], text: str, expected: str) -> None:
    assert change(text, random.Random(1)) == expected


def test_items_move_and_marks_stay() -> None:
    text = "The plan shall name:\n(a) the premises;\n(b) the staff; and\n(c) the suppliers."
    lead, *items = perturb.shuffled(text, random.Random(3)).split("\n")
    assert lead == "The plan shall name:"
    assert [item[:4] for item in items] == ["(a) ", "(b) ", "(c) "]
    assert [item[-1] for item in items] == [";", "d", "."]
    assert sorted(item[4:].removesuffix(" and").rstrip(";.") for item in items) == [
        "the premises",
        "the staff",
        "the suppliers",
    ]
    assert f"{lead}\n" + "\n".join(items) != text
    assert perturb.shuffled(text.replace("name:", "take these steps:"), random.Random(3)) == ""


def test_quantities_stay_the_same() -> None:
    said = {perturb.converted("Report within 72 hours of it.", random.Random(seed)) for seed in range(20)}
    assert said == {"Report within seventy-two hours of it.", "Report within three days of it."}
    assert perturb.converted("Report within 10 business days.", random.Random(1)) == ""
    numbers = perturb.renumbered("As Article 6(1) and Article 9 demand.", random.Random(1))
    assert numbers.startswith("As Article ")
    assert "6(1)" not in numbers


@dataclass
class Stubborn:
    """A judge that says the same of all."""

    relation: str = "overlap"
    governs: str | None = None
    name: str = "stubborn"
    model: str = "1"
    prompt_sha256: str = "0" * 64

    def judge(self, asked: Iterable[Pair]) -> Iterator[Verdict]:
        for pair in asked:
            yield Verdict(pair.pair_key, "ok", self.relation, governs=self.governs, p_conflict=0.1)

    def for_task(self, tasks: int, index: int) -> Stubborn:
        return self


def test_share_right_and_both_orders(tmp_path: Path) -> None:
    rows = [
        {"id": f"later-{n}", "left": f"a {n}", "right": "b", "relation": "stricter", "governs": "left"}
        for n in range(4)
    ] + [{"id": "self-1", "left": "a", "right": "a", "relation": "overlap"}]
    path = tmp_path / "cases.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    agreeing = behaviour(Stubborn(), source=str(path))
    assert agreeing["behaviours"]["self"]["right"]["value"] == 1
    assert agreeing["behaviours"]["later"]["right"]["value"] == 0
    assert agreeing["behaviours"]["later"]["wrong"] == {"overlap": 4}
    assert agreeing["both_orders"]["value"] == 1
    # Always the left one governs: right in this order, and then wrong in the other.
    left = behaviour(Stubborn("stricter", "left"), source=str(path), each=2)
    assert left["behaviours"]["later"]["right"]["value"] == 1
    assert left["behaviours"]["later"]["n"] == 2
    assert left["both_orders"]["value"] == 0
    right = behaviour(Stubborn("stricter", "right"), source=str(path))
    assert right["behaviours"]["later"]["right"]["value"] == 0


def test_cases_of_the_samples() -> None:
    provisions = read_provisions(
        settings.load(str(_ROOT / "conf" / "demo.yaml"), [f"data_root={_ROOT}/lib/antinomy/samples"])
    )
    cases = make_cases(provisions, 5, seed=1)
    assert cases == make_cases(provisions, 5, seed=1)
    assert cases != make_cases(provisions, 5, seed=2)
    made = {case["behaviour"] for case in cases}
    assert made == {*BEHAVIOURS, "padded", "random"} - {"oftener", "rarer"} | made & {"oftener", "rarer"}
    assert max(sum(case["behaviour"] == name for case in cases) for name in made) == 5
    side = {provision.text: provision.side for provision in provisions}
    assert all(side[case["left"]] != side[case["right"]] for case in cases if case["behaviour"] == "random")
    with pytest.raises(AntinomyError, match="nothing to try on"):
        make_cases([], 5)


@pytest.mark.slow
def test_the_default_judge_on_the_samples(tmp_path: Path) -> None:
    config = ["--config", str(_ROOT / "conf" / "demo.yaml"), "--set", f"data_root={_ROOT}/lib/antinomy/samples"]
    judged = tmp_path / "judged.jsonl"
    command = ["behaviour", *config, "--judge", "default", "--each", "8", "-o", str(judged), "--json"]
    done = CliRunner().invoke(app, command)
    assert done.exit_code == 0, done.output
    result = json.loads(done.stdout)
    share = {name: row["right"]["value"] for name, row in result["behaviours"].items()}
    assert result["errors"] == 0
    assert result["both_orders"]["value"] == 1
    for name in ("self", "padded", "random", "ban", "shuffled", "renumbered", "converted", "authority"):
        assert share[name] == 1, name
    for name in ("permission", "later", "sooner", "kept longer", "kept shorter", "lower cap", "higher cap"):
        assert share[name] >= 0.75, name
    assert set(result["documents"]) == {"eu-orr", "us-trr"}
    assert sum(result["documents"].values()) == result["n"]
    # What was judged can be tried again as it stands.
    again = CliRunner().invoke(app, ["behaviour", "--input", str(judged), "--judge", "default", "--each", "2"])
    assert again.exit_code == 0, again.output
    assert "both orders" in again.stdout


def test_the_table_fits_a_plain_terminal_and_says_what_the_cases_are_of() -> None:
    share = {"value": 0.5, "low": 0.24, "high": 0.76}
    wrong = {"stricter (right)": 12, "overlap": 3}
    row = {"what": "a rule for supervisors instead", "relation": "stricter", "governs": "left", "n": 40}
    result = {
        "behaviours": {name: row | {"right": share, "wrong": wrong} for name in BEHAVIOURS},
        "both_orders": share, "provisions": 93, "documents": {"us-trr": 30, "eu-orr": 610}, "n": 640, "errors": 0,
        "judge": {"name": "default"},
    }  # fmt: skip
    console = Console(width=80, file=io.StringIO())
    console.print(display.behaviours(result))
    said = console.file.getvalue()  # type: ignore[attr-defined]
    assert "…" not in said
    for words in ("said instead", "right (95 %)", "0.50 (0.24–0.76)", "stricter (right)"):
        assert words in said
    assert "Cases by document: eu-orr 610, us-trr 30" in said


def test_without_cases_the_documents_of_the_usual_settings_are_tried(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(app, ["behaviour", "--judge", "default"])
    assert isinstance(done.exception, AntinomyError)
    assert "antinomy.yaml does not exist" in str(done.exception)
    assert "--config" in str(done.exception)
