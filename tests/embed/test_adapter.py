"""The packaged adapter of the embedding model."""

from __future__ import annotations

import numpy as np
import torch

from antinomy.embed import adapter
from antinomy.embed.encoder import PACKAGED, Encoder, model_revision

_DUTY = "Recordings of telephone orders are kept for at least seven years."
_SAME_DUTY = "Whatever a client asked for by phone must stay retrievable throughout the seven years that follow."
_OTHER_DUTY = "Whoever records the minutes of the board must send them to its members within seven days."


def test_merging_adds_the_product_of_the_matrices_to_the_named_layer_alone() -> None:
    body = torch.nn.ModuleDict({"first": torch.nn.Linear(3, 2), "second": torch.nn.Linear(2, 2)})
    first, second = (body[name].weight.detach().numpy().copy() for name in ("first", "second"))
    down, up = np.ones((1, 3), dtype=np.float32), np.array([[2.0], [0.5]], dtype=np.float32)
    adapter.merge(body, {"first.down": down, "first.up": up, "head.weight": np.zeros((5, 4), dtype=np.float32)})
    assert np.allclose(body["first"].weight.detach().numpy(), first + up @ down)
    assert np.array_equal(body["second"].weight.detach().numpy(), second)


def test_one_duty_in_other_words_stands_out_more_with_the_adapter() -> None:
    def lead(encoder: Encoder) -> float:
        duty, same, other = encoder.encode([_DUTY, _SAME_DUTY, _OTHER_DUTY])
        return float(duty @ same - duty @ other)

    assert lead(Encoder(PACKAGED)) > lead(Encoder(PACKAGED, adapted=False)) + 0.05


def test_a_text_and_its_only_clause_have_one_vector_up_to_the_special_tokens() -> None:
    encoder = Encoder(PACKAGED)
    vectors, clauses = encoder.encode_clauses([_DUTY], [[(0, len(_DUTY))]])
    assert np.allclose(vectors, encoder.encode([_DUTY]), atol=1e-5)
    assert float(vectors[0] @ clauses[0][0]) > 0.95


def test_cached_vectors_of_another_adapter_are_not_taken() -> None:
    assert adapter.revision() in model_revision(PACKAGED, "")
