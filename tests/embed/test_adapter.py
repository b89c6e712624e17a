"""The packaged adapters of the embedding models."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

from antinomy.embed import adapter
from antinomy.embed.encoder import MPNET, PACKAGED, Encoder, model_revision

_DUTY = "Recordings of telephone orders are kept for at least seven years."
#: Duties, each in two wordings.
_DUTIES = (
    (_DUTY, "Whatever a client asked for by phone must stay retrievable throughout the seven years that follow."),
    (
        "A firm shall obtain the consent of the supervisor before it closes a branch.",
        "No office is shut until the authority has agreed.",
    ),
    (
        "Directors attend a course on technology risk every year.",
        "Each twelvemonth the members of the governing body are taught what may go wrong with the machines.",
    ),
    (
        "An incident is reported within four hours of its detection.",
        "As soon as a disruption is noticed, the same morning or afternoon at the latest, the regulator is told.",
    ),
    (
        "Customers' money is held in accounts apart from the firm's own.",
        "What belongs to clients never mixes with the assets of the house.",
    ),
    (
        "The head of internal audit reports to the board alone.",
        "Whoever leads the reviewing function answers to no one but the governing body.",
    ),
    (
        "Staff with access to keys are screened before employment.",
        "Nobody is hired to guard secrets whose past has not been looked into.",
    ),
    (
        "The firm tests its recovery plan at least once a year.",
        "Annually the institution rehearses how it would resume business.",
    ),
)


def test_merging_adds_the_product_of_the_matrices_to_the_named_layer_alone() -> None:
    body = torch.nn.ModuleDict({"first": torch.nn.Linear(3, 2), "second": torch.nn.Linear(2, 2)})
    first, second = (body[name].weight.detach().numpy().copy() for name in ("first", "second"))
    down, up = np.ones((1, 3), dtype=np.float32), np.array([[2.0], [0.5]], dtype=np.float32)
    adapter.merge(body, {"first.down": down, "first.up": up, "head.weight": np.zeros((5, 4), dtype=np.float32)})
    assert np.allclose(body["first"].weight.detach().numpy(), first + up @ down)
    assert np.array_equal(body["second"].weight.detach().numpy(), second)


def test_weights_on_another_device_are_merged_there() -> None:
    # As with a GPU, torch refuses to add what lies on the CPU to what lies on "meta".
    body = torch.nn.ModuleDict({"first": torch.nn.Linear(3, 2, device="meta")})
    adapter.merge(body, {"first.down": np.ones((1, 3), np.float32), "first.up": np.ones((2, 1), np.float32)})
    assert body["first"].weight.device.type == "meta"


@pytest.mark.parametrize("model", [PACKAGED, MPNET])
def test_with_the_adapter_each_duty_is_nearest_to_its_other_wording(model: str) -> None:
    def cosines(encoder: Encoder) -> NDArray[np.float32]:
        sides = (list(side) for side in zip(*_DUTIES, strict=True))
        first, second = (encoder.encode_clauses(side, [[]] * len(side))[0] for side in sides)
        return first @ second.T

    def lead(found: NDArray[np.float32]) -> float:
        same = np.eye(len(_DUTIES), dtype=bool)
        return float(found[same].mean() - found[~same].mean())

    adapted, plain = cosines(Encoder(model)), cosines(Encoder(model, adapted=False))
    for axis in (0, 1):
        assert adapted.argmax(axis=axis).tolist() == list(range(len(_DUTIES)))
    assert lead(adapted) > lead(plain) + 0.1


def test_a_text_and_its_only_clause_have_one_vector_up_to_the_special_tokens() -> None:
    encoder = Encoder(PACKAGED)
    vectors, clauses = encoder.encode_clauses([_DUTY], [[(0, len(_DUTY))]])
    assert np.allclose(vectors, encoder.encode([_DUTY]), atol=1e-5)
    assert float(vectors[0] @ clauses[0][0]) > 0.95


@pytest.mark.parametrize("model", [PACKAGED, MPNET])
def test_cached_vectors_of_another_adapter_are_not_taken(model: str) -> None:
    assert adapter.revision(model) in model_revision(model, "")
