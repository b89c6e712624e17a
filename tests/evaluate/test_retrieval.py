"""Retrieval against a crosswalk, with the pipeline's own model and channels."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from antinomy.errors import AntinomyError
from antinomy.evaluate.retrieval import retrieval
from antinomy.settings.link import LinkSettings

LEFT = {
    "backup": "Entities shall test the restoration of backups every year.",
    "board": "The management body approves the strategy on digital risk.",
    "incident": "Major incidents are reported to the authority without delay.",
    "nothing": "This Regulation enters into force on the day after its publication.",
}
RIGHT = {
    "us-1": "The board of directors should approve the technology risk strategy.",
    "us-2": "Management should perform an annual exercise to restore data from backup media.",
    "us-3": "A bank must notify its regulator of a significant computer-security incident.",
    "us-4": "Examiners review the loan portfolio.",
    "us-5": "Staff receive training in the handling of customer complaints.",
}
GOLD = [("backup", "us-2"), ("board", "us-1"), ("incident", "us-3"), ("incident", "us-4")]


@pytest.fixture
def files(tmp_path: Path) -> dict[str, str]:
    for name, texts in (("left", LEFT), ("right", RIGHT)):
        lines = [json.dumps({"id": key, "text": text}) for key, text in texts.items()]
        (tmp_path / name).write_text("\n".join(lines))
    lines = [json.dumps({"left_id": a, "right_id": b}) for a, b in GOLD]
    (tmp_path / "gold").write_text("\n".join(lines))
    return {name: str(tmp_path / name) for name in ("left", "right", "gold")}


def test_recall_and_hits(files: dict[str, str]) -> None:
    result = retrieval(**files, ks=(5, 1))
    assert result["n"] == 3  # those with gold
    assert list(result["recall"]) == ["1", "5"]
    assert result["hit"]["1"]["value"] == 1.0
    assert result["recall"]["1"]["value"] == pytest.approx((1 + 1 + 0.5) / 3, abs=1e-4)
    assert result["recall"]["1"]["low"] < result["recall"]["1"]["value"] < result["recall"]["1"]["high"]
    assert (result["left"], result["right"], result["gold"]) == (4, 5, 4)


@pytest.mark.parametrize("channels", [("own",), ("clauses",), ("lexical",)])
def test_channels_can_be_measured_alone(files: dict[str, str], channels: tuple[str, ...]) -> None:
    result = retrieval(**files, ks=(3,), link=LinkSettings.model_validate({"channels": channels}))
    assert result["channels"] == list(channels)
    assert result["hit"]["3"]["value"] == 1.0


def test_a_text_longer_than_the_window_is_found_by_its_end(files: dict[str, str]) -> None:
    filler = " ".join(f"The {word} of the building is painted again." for word in ("roof", "wall", "door", "gate"))
    long = {"id": "us-6", "text": f"{filler} " * 15 + "Cryptographic keys are rotated every ninety days."}
    with Path(files["right"]).open("a") as file:
        file.write("\n" + json.dumps(long))
    with Path(files["left"]).open("a") as file:
        file.write("\n" + json.dumps({"id": "keys", "text": "Encryption keys shall be replaced quarterly."}))
    Path(files["gold"]).write_text(json.dumps({"left_id": "keys", "right_id": "us-6"}))
    result = retrieval(**files, ks=(1,), link=LinkSettings(channels=("own",)))
    assert result["hit"]["1"]["value"] == 1.0


def test_mistakes_are_named(files: dict[str, str]) -> None:
    with pytest.raises(AntinomyError, match="ranks of 1 or more"):
        retrieval(**files, ks=(0,))
    Path(files["gold"]).write_text('{"left_id": "board", "right_id": "us-9"}')
    with pytest.raises(AntinomyError, match="no text has the id us-9"):
        retrieval(**files)
    Path(files["left"]).write_text('{"id": "a", "text": "x"}\n{"id": "a", "text": "y"}')
    with pytest.raises(AntinomyError, match="id a occurs twice"):
        retrieval(**files)
    Path(files["left"]).unlink()
    with pytest.raises(AntinomyError, match="does not exist"):
        retrieval(**files)


@pytest.mark.long
@pytest.mark.slow
def test_experts_crosswalk_is_found_better_than_by_words_or_vectors_alone(eval_data: Path) -> None:
    folder = eval_data / "retrieval_csf2_80053"
    files = (str(folder / f"{name}.jsonl") for name in ("left", "right", "gold"))
    # Without `mpnet`, which takes minutes for so many texts.
    result = retrieval(*files, ks=(10,), link=LinkSettings(channels=("own", "clauses", "lexical")))
    assert set(result["alone"]) == {"own", "clauses", "lexical"}
    for alone in result["alone"].values():
        assert result["recall"]["10"]["value"] > alone["recall"]["10"]["value"]
    assert result["hit"]["10"]["value"] >= 0.80
