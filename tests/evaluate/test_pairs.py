"""Measuring a judge: figures against scikit-learn on verdicts whose truth is known."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from rich.console import Console
from sklearn.metrics import average_precision_score, brier_score_loss, f1_score, roc_auc_score

from antinomy.errors import AntinomyError
from antinomy.evaluate import display
from antinomy.evaluate.compare import compare
from antinomy.evaluate.pairs import judged, measure, pairs
from antinomy.judge.cascade import Cascade
from antinomy.judge.fitted.judge import FittedJudge
from antinomy.judge.protocol import Pair, Verdict


@dataclass
class Scripted:
    """A judge that reads its verdict in the left text: ``relation kind p``, after what it is to do."""

    prompt_sha256: str = "0" * 64
    name: str = "scripted"
    model: str = "1"
    asked: list[Pair] = field(default_factory=list)

    def judge(self, asked: Iterable[Pair]) -> Iterator[Verdict]:
        for pair in asked:
            self.asked.append(pair)
            relation, kind, p = (pair.left.text if ";" in pair.left.text else pair.right.text).split(";")[1].split()
            if relation == "error":
                yield Verdict(pair.pair_key, "error", error="timeout: slow")
            else:
                yield Verdict(
                    pair.pair_key, "ok", relation, None if kind == "-" else kind, p_conflict=float(p), calls=1
                )


def row(number: int, relation: str, verdict: str, kind: str | None = None, **more: Any) -> dict[str, Any]:
    return {"id": f"p{number}", "left": f"text {number};{verdict}", "right": "other", "relation": relation,
            "kind": kind} | more  # fmt: skip


ROWS = [
    row(1, "conflict", "conflict deadline 0.9", "deadline"),
    row(2, "conflict", "conflict modality 0.8", "deadline"),
    row(3, "conflict", "none - 0.4", "scope"),
    row(4, "conflict", "error - 0", "modality"),
    row(5, "none", "conflict modality 0.7"),
    row(6, "none", "none - 0.1"),
    row(7, "stricter", "overlap - 0.3", "retention"),
    row(8, "overlap", "overlap - 0.2"),
]


def written(path: Path, rows: list[dict[str, Any]]) -> str:
    path.write_text("".join(json.dumps(r) + "\n" for r in rows))
    return str(path)


def test_figures(tmp_path: Path) -> None:
    result = pairs(written(tmp_path / "dev.jsonl", ROWS), Scripted())
    actual = [1, 1, 1, 1, 0, 0, 0, 0]
    predicted = [1, 1, 0, 0, 1, 0, 0, 0]
    score = [0.9, 0.8, 0.4, 0.0, 0.7, 0.1, 0.3, 0.2]
    assert result["precision"]["value"] == pytest.approx(2 / 3, abs=1e-4)
    assert result["recall"]["value"] == 0.5
    assert result["f1"]["value"] == pytest.approx(f1_score(actual, predicted), abs=1e-4)
    assert result["pr_auc"]["value"] == pytest.approx(average_precision_score(actual, score), abs=1e-4)
    assert result["auc"]["value"] == pytest.approx(roc_auc_score(actual, score), abs=1e-4)
    given = [score[i] for i in range(8) if i != 3], [actual[i] for i in range(8) if i != 3]
    assert result["brier"]["value"] == pytest.approx(brier_score_loss(given[1], given[0]), abs=1e-4)
    assert result["recall"]["low"] <= 0.5 <= result["recall"]["high"]
    assert (result["n"], result["errors"], result["calls"]) == (8, 1, 7)
    assert result["coverage"]["value"] == 0.875
    assert result["per_kind"]["deadline"]["recall"]["value"] == 1.0
    assert result["per_kind"]["deadline"]["kind_right"]["value"] == 0.5
    assert result["per_kind"]["modality"]["precision"]["value"] == 0.5
    assert result["per_kind"]["scope"]["recall"]["value"] == 0.0
    assert result["per_relation"]["none"] == {"precision": 0.5, "recall": 0.5, "f1": 0.5, "n": 2}
    matrix = np.array(result["confusion"]["matrix"])
    assert matrix.sum() == 8
    assert matrix[result["confusion"]["actual"].index("conflict")].tolist() == [2, 0, 0, 0, 1, 1]
    json.dumps(result)


def test_calibration_error_by_hand() -> None:
    def judged(p: float | None, relation: str) -> dict[str, Any]:
        return {"relation": relation, "predicted": "none", "predicted_kind": None, "predicted_governs": None,
                "p_conflict": p, "status": "ok", "calls": 0, "tokens": 0}  # fmt: skip

    # Bin 0.2–0.3: mean 0.25, none is conflict. Bin 0.9–1: mean 0.95, three of four are. One has no probability.
    rows = [
        judged(0.2, "none"),
        judged(0.3 - 1e-9, "none"),
        *[judged(0.95, "conflict")] * 3,
        judged(0.95, "none"),
    ]
    result = measure([*rows, judged(None, "conflict")])
    assert result["calibration_error"]["value"] == pytest.approx((2 * 0.25 + 4 * 0.2) / 6, abs=1e-4)
    assert result["reliability"][-1] == {"n": 4, "probability": 0.95, "frequency": 0.75}


def test_orders_and_runs(tmp_path: Path) -> None:
    source = written(tmp_path / "dev.jsonl", [*ROWS, row(9, "none", "none - 0", right="y; conflict scope 1")])
    result = pairs(source, Scripted(), swap=True, runs=2)
    # Only p9 says another thing when its sides change places; what failed does not count.
    assert result["order_disagreement"]["value"] == pytest.approx(1 / 8, abs=1e-4)
    assert result["flip_rate"]["value"] == 0.0
    once = pairs(source, Scripted())
    assert once["order_disagreement"] is None
    assert once["flip_rate"] is None


def test_labels_are_not_shown_to_the_judge(tmp_path: Path) -> None:
    judge = Scripted()
    pairs(
        written(tmp_path / "dev.jsonl", [row(1, "conflict", "none - 0", note="SECRET", right_context="C")]),
        judge,
    )
    (asked,) = judge.asked
    assert "SECRET" not in repr(asked)
    assert "conflict" not in repr(asked)
    assert asked.right.context == "C"


def test_one_text_pair_labelled_twice_is_judged_once(tmp_path: Path) -> None:
    judge = Scripted()
    twice = [row(1, "conflict", "conflict scope 1"), {**row(1, "none", "conflict scope 1"), "id": "again"}]
    result = pairs(written(tmp_path / "dev.jsonl", twice), judge)
    assert len(judge.asked) == 1
    assert result["precision"]["value"] == 0.5


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ("", "holds no records"),
        ("nonsense\n", "line 1: no JSON"),
        ("[1]\n", "line 1: no JSON object"),
        ('{"left": "a", "relation": "none"}\n', "line 1: lacks right"),
        (
            '\n{"left": "a", "right": "b", "relation": "clash"}\n',
            "line 2: relation is 'clash', expected one of",
        ),
        ('{"left": "a", "right": "b", "relation": "none", "kind": "x"}\n', "line 1: kind is 'x'"),
        ('{"id": "1", "left": "a", "right": "b", "relation": "none"}\n' * 2, "id occurs twice: 1"),
    ],
)
def test_a_wrong_file_is_refused_with_its_line(tmp_path: Path, lines: str, message: str) -> None:
    (tmp_path / "dev.jsonl").write_text(lines)
    with pytest.raises(AntinomyError, match=message):
        pairs(str(tmp_path / "dev.jsonl"), Scripted())


def test_two_judges_are_compared_on_the_same_pairs(tmp_path: Path) -> None:
    better = [{**r, "left": r["left"].replace("none - 0.4", "conflict scope 0.6")} for r in ROWS]
    for name, rows in (("a", ROWS), ("b", better)):
        pairs(written(tmp_path / f"{name}.jsonl", rows), Scripted(), output=str(tmp_path / f"{name}.judged"))
    found = compare(str(tmp_path / "a.judged"), str(tmp_path / "b.judged"))
    assert found["mcnemar"] == {"only_first": 0, "only_second": 1, "p_value": 1.0}
    assert found["difference"]["recall"]["value"] == 0.25
    assert found["first"]["recall"]["value"] == 0.5
    assert found["n"] == 8
    short = tmp_path / "short.judged"
    short.write_text((tmp_path / "a.judged").read_text().split("\n", 1)[0])
    with pytest.raises(AntinomyError, match="not over the same pairs: 7 are in one only"):
        compare(str(tmp_path / "a.judged"), str(short))


def test_table_and_picture(tmp_path: Path) -> None:
    result = pairs(written(tmp_path / "dev.jsonl", ROWS), Scripted())
    console = Console(record=True, width=120)
    console.print(display.table(result, "scripted"))
    text = console.export_text()
    assert "0.667" in text
    assert "per_kind deadline" in text
    assert "recall 1.000, precision 1.000, kind_right 0.500, n 2, predicted 1" in text
    pytest.importorskip("matplotlib", reason="matplotlib is not installed: no plots")
    display.save_picture(result, str(tmp_path / "plots" / "pairs.svg"))
    assert (tmp_path / "plots" / "pairs.svg").stat().st_size > 1000


def test_the_first_judge_of_a_cascade_expects_the_shares_of_the_pairs() -> None:
    """As in a run: what it settles depends on how frequent conflicts are, whoever is asked after it."""
    rows = [
        row(n, "none", "none - 0.1", left=f"Pilots shall rest for {n} hours before flight {n};none - 0.1")
        for n in range(2, 70)
    ]
    first = FittedJudge()
    before = first.prompt_sha256
    cascade = Cascade(first, Scripted(), 0.5)  # type: ignore[arg-type]
    found = judged(rows, cascade)
    assert {r["status"] for r in found} == {"ok"}
    assert first.shares[-1]["conflict"] < 0.1
    assert first.prompt_sha256 != before
    assert cascade.prompt_sha256 == Cascade(first, Scripted(), 0.5).prompt_sha256  # type: ignore[arg-type]
