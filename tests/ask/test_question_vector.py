"""The vector of a question, made in another process."""

from __future__ import annotations

import numpy as np
import pytest

from antinomy.ask.question_vector import question_encoder
from antinomy.embed.encoder import Encoder
from antinomy.errors import EnvironmentFault
from antinomy.settings import EmbedSettings


@pytest.mark.slow
def test_a_question_may_need_the_vectors_of_several_texts() -> None:
    embed = EmbedSettings()
    texts = ["backups that are kept abroad", "who tells the regulator", "backups that are kept abroad"]
    with question_encoder(embed) as encode:
        vectors = [encode(text) for text in texts]
    expected = Encoder(embed.model, embed.revision, "cpu", embed.max_tokens).encode(texts)
    for vector, same in zip(vectors, expected, strict=True):
        assert float(np.dot(vector, same)) == pytest.approx(1.0, abs=1e-4)
    assert float(np.dot(vectors[0], vectors[1])) < 0.9


@pytest.mark.slow
def test_a_model_that_cannot_be_loaded_is_told_with_the_reason() -> None:
    embed = EmbedSettings(model="/no/such/model")
    with question_encoder(embed) as encode, pytest.raises(EnvironmentFault, match="the question cannot be encoded"):
        encode("backups")
