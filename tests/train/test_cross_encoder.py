"""Fine-tuning of the cross-encoder."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from safetensors.numpy import load

from antinomy.judge.fitted.cross_encoder import CrossEncoder, dequantised, layers_of
from antinomy.run import base_model
from antinomy.settings.train import CrossEncoderSettings
from antinomy.train.cross_encoder import fit
from antinomy.train.pairs import Example

_WEEKS = 60


def _open(week: int) -> str:
    return f"Gates shall stay open in week {week}."


def _shut(week: int) -> str:
    return f"In week {week} keepers shall leave no gate open."


def _again(week: int) -> str:
    return f"In week {week} keepers shall leave every gate open."


def _lit(week: int) -> str:
    return f"Lamps shall be lit in week {week}."


@pytest.fixture
def small_base(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Take a small network of random weights as the base: to train the true one takes minutes without a GPU."""
    import torch
    from transformers import MPNetConfig, MPNetModel

    folder = tmp_path / "base"
    true = base_model.installed_folder()
    config = MPNetConfig.from_pretrained(
        true, hidden_size=32, num_hidden_layers=3, num_attention_heads=2, intermediate_size=64
    )
    torch.manual_seed(0)
    MPNetModel(config, add_pooling_layer=False).save_pretrained(folder)
    shutil.copy(true / base_model.TOKENIZER, folder)
    monkeypatch.setattr(base_model, "installed_folder", lambda: folder)


def _gates() -> list[Example]:
    return [
        Example(_open(week), text, label, "", "gates.jsonl", f"gates:{week}")
        for week in range(_WEEKS)
        for text, label in ((_shut(week), "conflict"), (_again(week), "overlap"))
    ]


def _vectors(examples: list[Example]) -> dict[str, NDArray[np.float32]]:
    return {text: np.eye(1, 8, dtype=np.float32)[0] for e in examples for text in (e.left, e.right)}


@pytest.mark.slow
@pytest.mark.usefixtures("small_base")
def test_it_learns_what_written_and_further_pairs_say_and_leaves_out_the_files_that_it_should(tmp_path: Path) -> None:
    examples = _gates()
    # Labelled the other way round, in a file that must not be read.
    examples += [Example(e.left, e.right, "none", "", "apart.jsonl", e.group) for e in examples]
    general = tmp_path / "general.jsonl"
    row = {"left": "A dog runs.", "right": "No dog runs.", "relation": "conflict"}
    general.write_text(f"{json.dumps(row)}\n" * 8, "utf-8")
    real = tmp_path / "real.jsonl"
    rows = [{"left": _open(week), "right": _lit(week), "relation": "none"} for week in range(_WEEKS // 2)]
    real.write_text("".join(f"{json.dumps(row)}\n" for row in rows), "utf-8")
    settings = CrossEncoderSettings(
        fit="anew", adapters=1, layers=2, passes=40, left_out=("apart.jsonl",), general=(str(general),),
        further=(str(real),), padded=0, padded_negatives=0, batch=1200, rank=4, rate=3e-3,
    )  # fmt: skip
    adapter = dequantised(load(fit(examples, _vectors(examples), settings, seed=1)))
    assert layers_of(adapter) == 2
    reader = CrossEncoder(adapter)
    assert reader.shares == pytest.approx(
        {"conflict": 0.4, "stricter_left": 0, "stricter_right": 0, "overlap": 0.4, "none": 0.2}
    )
    new = _WEEKS + 5
    assert reader.read(_open(new), _shut(new)).probabilities()["conflict"] > 0.7
    assert reader.read(_again(new), _open(new)).probabilities()["overlap"] > 0.7
    assert reader.read(_open(new), _lit(new)).probabilities()["none"] > 0.7


@pytest.mark.slow
@pytest.mark.usefixtures("small_base")
def test_a_continued_adapter_learns_new_pairs_and_keeps_what_the_packaged_one_knew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    examples = _gates()
    anew = CrossEncoderSettings(
        fit="anew", adapters=1, layers=2, passes=40, padded=0, padded_negatives=0, batch=1200, rank=4, rate=3e-3
    )
    packaged = fit(examples, _vectors(examples), anew, seed=1)
    monkeypatch.setattr("antinomy.train.cross_encoder.adapter_file", lambda _: packaged)
    lamps = tmp_path / "lamps.jsonl"
    rows = [{"left": _open(week), "right": _lit(week), "relation": "none"} for week in range(_WEEKS)]
    lamps.write_text("".join(f"{json.dumps(row)}\n" for row in rows), "utf-8")
    settings = anew.model_copy(update={"fit": "continued", "kept": 0.0, "passes": 25, "further": (str(lamps),)})
    adapter = dequantised(load(fit(examples, _vectors(examples), settings, seed=2)))
    assert layers_of(adapter) == 2
    new = _WEEKS + 5
    before, after = CrossEncoder(dequantised(load(packaged))), CrossEncoder(adapter)
    assert before.read(_open(new), _lit(new)).probabilities()["none"] < 0.3
    assert after.read(_open(new), _lit(new)).probabilities()["none"] > 0.7
    assert after.read(_open(new), _shut(new)).probabilities()["conflict"] > 0.7
    assert after.read(_again(new), _open(new)).probabilities()["overlap"] > 0.7
    halfway = dequantised(load(fit(examples, _vectors(examples), settings.model_copy(update={"kept": 0.5}), seed=2)))
    for name, weights in dequantised(load(packaged)).items():
        assert halfway[name] == pytest.approx(
            (weights + adapter[name]) / 2, abs=0.02 * float(np.abs(adapter[name]).max())
        )
