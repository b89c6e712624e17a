"""Vectors of the channel mpnet."""

from __future__ import annotations

import numpy as np
import pytest

from antinomy.embed.encoder import MPNET, Encoder

_SAME = "Lamps shall be lit at dusk."
_OTHER_WORDS = "When night falls, the keeper must kindle the lantern."
_APART = "The harbour master may sell the nets of a member who has left."


@pytest.fixture(scope="module")
def encoder() -> Encoder:
    return Encoder(MPNET)


def test_one_demand_in_other_words_is_nearer_than_another_demand(encoder: Encoder) -> None:
    vectors, _ = encoder.encode_clauses([_SAME, _OTHER_WORDS, _APART], [[]] * 3)
    assert vectors.shape == (3, 768)
    near, far = vectors[0] @ vectors[1:].T
    assert near > far + 0.2


def test_a_vector_does_not_depend_on_the_texts_beside_it(encoder: Encoder) -> None:
    long = " ".join([_APART] * 8)
    alone, _ = encoder.encode_clauses([_SAME], [[]])
    beside, _ = encoder.encode_clauses([long, _SAME, _APART], [[]] * 3)
    assert np.array_equal(alone[0], beside[1])
