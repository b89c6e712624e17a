"""The network that reads both provisions together."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

from antinomy.errors import EnvironmentFault
from antinomy.judge.fitted.cross_encoder import CrossEncoder, dequantised, quantised, shared_cross_encoder
from antinomy.judge.fitted.judge import FittedJudge

PUBLISH = "Within three days the firm shall tell all clients that are affected of the weakness."
HIDE = "Until the weakness has been repaired, institutions may not disclose it to any customer."
AGREES = "Customers concerned must hear of the vulnerability no later than 72 hours after it is found."
ELSEWHERE = "The board shall approve the remuneration policy for senior staff once a year."


@pytest.fixture(scope="module")
def reader() -> CrossEncoder:
    return shared_cross_encoder("")


def test_opposite_deeds_are_told_from_the_same_and_from_another_matter(reader: CrossEncoder) -> None:
    conflict = reader.read(PUBLISH, HIDE).probabilities()["conflict"]
    assert conflict > 2 * reader.read(PUBLISH, AGREES).probabilities()["conflict"]
    assert reader.read(PUBLISH, ELSEWHERE).probabilities()["none"] > 0.9
    # A prohibition is in conflict with its opposite, not with everything.
    assert reader.read(HIDE, ELSEWHERE).probabilities()["none"] > 0.9


def test_exchanged_sides_give_the_exchanged_answer(reader: CrossEncoder) -> None:
    for both in (False, True):
        ahead, back = (reader.read(*sides).probabilities(both) for sides in ((PUBLISH, HIDE), (HIDE, PUBLISH)))
        assert ahead["conflict"] == back["conflict"]
        assert ahead["stricter_left"] == back["stricter_right"]
    assert reader.read(PUBLISH, HIDE).probabilities(both_orders=True) != reader.read(PUBLISH, HIDE).probabilities()


def test_texts_of_any_length_are_read(reader: CrossEncoder) -> None:
    for left, right in ((PUBLISH * 60, HIDE), ("", HIDE), ("", "")):
        assert sum(reader.read(left, right).probabilities().values()) == pytest.approx(1)


def test_the_shares_of_its_training_data_are_known(reader: CrossEncoder) -> None:
    assert sum(reader.shares.values()) == pytest.approx(1, abs=1e-4)
    # Most candidates are unrelated, so most of what it has read is.
    assert reader.shares["none"] > 0.4


def test_weights_keep_what_they_are() -> None:
    weights = {"head.weight": np.random.default_rng(0).normal(size=(5, 8)).astype(np.float32), "head.bias": np.ones(5)}
    found = dequantised(quantised(weights))
    assert found["head.weight"] == pytest.approx(weights["head.weight"], abs=0.02)
    assert found["head.bias"].tolist() == [1] * 5


def test_a_missing_base_is_named_with_what_to_do(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    with pytest.raises(EnvironmentFault, match="antinomy setup"):
        FittedJudge()
    with pytest.raises(EnvironmentFault, match="antinomy setup"):
        CrossEncoder({"head.weight": np.zeros((5, 1536), dtype=np.float32)})
