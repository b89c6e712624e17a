"""The network that reads both provisions together."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from safetensors.numpy import load

from antinomy.embed.encoder import PACKAGED, model_path
from antinomy.judge.fitted import cross_encoder
from antinomy.judge.fitted.cross_encoder import CrossEncoder, dequantised, quantised
from antinomy.judge.fitted.decision import CLASSES, CROSS_ENCODER_FEATURES

PUBLISH = "Within three days the firm shall tell all clients that are affected of the weakness."
HIDE = "Until the weakness has been repaired, institutions may not disclose it to any customer."


@pytest.fixture(scope="module")
def content() -> bytes:
    return cross_encoder.weights_file("")


@pytest.fixture(scope="module")
def reader(content: bytes) -> CrossEncoder:
    return CrossEncoder(content)


def test_numpy_computes_what_transformers_computes(content: bytes, reader: CrossEncoder) -> None:
    from transformers import AutoModel, AutoTokenizer

    held = {name: torch.from_numpy(value) for name, value in dequantised(load(content)).items()}
    body = AutoModel.from_pretrained(model_path(PACKAGED), add_pooling_layer=False, hidden_act="gelu_new")
    body.load_state_dict({n: v for n, v in held.items() if n.startswith("encoder.")}, strict=False)
    body.eval()
    tokenizer = AutoTokenizer.from_pretrained(model_path(PACKAGED))
    with torch.no_grad():
        states = body(**tokenizer(HIDE, PUBLISH, return_tensors="pt")).last_hidden_state[0]
    logits = (torch.cat([states[0], states.mean(0)]) @ held["head.weight"].T + held["head.bias"]).numpy()
    # What comes first in the alphabet is read first.
    assert list(reader.logits(HIDE, PUBLISH).values()) == pytest.approx(logits - logits.mean(), abs=2e-3)


def test_exchanged_sides_give_the_exchanged_answer(reader: CrossEncoder) -> None:
    ahead, back = reader.logits(PUBLISH, HIDE), reader.logits(HIDE, PUBLISH)
    assert ahead["together_conflict"] == back["together_conflict"]
    assert ahead["together_stricter_left"] == back["together_stricter_right"]


def test_opposite_deeds_are_told_from_the_same_one(reader: CrossEncoder) -> None:
    same = reader.logits(
        PUBLISH, "Customers concerned must hear of the vulnerability no later than 72 hours after it is found."
    )
    assert reader.logits(PUBLISH, HIDE)["together_conflict"] > same["together_conflict"] + 1


def test_texts_of_any_length_are_read(reader: CrossEncoder) -> None:
    for left, right in ((PUBLISH * 60, HIDE), ("", HIDE), ("", "")):
        assert sorted(reader.logits(left, right)) == sorted(CROSS_ENCODER_FEATURES)


def test_weights_keep_what_they_are() -> None:
    weights = {"head.weight": np.random.default_rng(0).normal(size=(5, 8)).astype(np.float32), "head.bias": np.ones(5)}
    found = dequantised(quantised(weights))
    assert found["head.weight"] == pytest.approx(weights["head.weight"], abs=0.02)
    assert found["head.bias"].tolist() == [1] * len(CLASSES)
