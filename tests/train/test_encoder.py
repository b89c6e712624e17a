"""The fit of the embedding model's adapter."""

from __future__ import annotations

import numpy as np
from sentence_transformers import SentenceTransformer

from antinomy.embed import adapter
from antinomy.embed.encoder import PACKAGED, model_path
from antinomy.train.encoder import Pairs, fit
from antinomy.train.pairs import Example

#: Who keeps what; the last is a near miss of the first.
_LEFT = (
    "The licensee shall store recordings of calls for seven years.",
    "A provider has its accounts examined by an outside accountant.",
    "Staff with access to vaults are screened before they start.",
    "Customers learn of any change of fees a month ahead.",
)
_RIGHT = (
    "What was said on the telephone remains retrievable until the eighth January after.",
    "An independent professional reviews the books of the undertaking.",
    "Nobody opens a strongroom whose past has not been looked into.",
    "No new price takes effect within thirty days of its announcement.",
)
_NEAR_MISS = "The licensee shall store spare keys of calls boxes for seven years."


def _examples() -> list[Example]:
    related = [Example(a, b, "overlap", "", "test", str(i)) for i, (a, b) in enumerate(zip(_LEFT, _RIGHT, strict=True))]
    return [*related, Example(_LEFT[0], _NEAR_MISS, "none", "", "test", "0")]


def test_a_fit_brings_related_provisions_nearer_than_unrelated_ones() -> None:
    model = SentenceTransformer(model_path(PACKAGED), device="cpu")

    def margin() -> float:
        left, right = (model.encode(list(side), normalize_embeddings=True) for side in (_LEFT, _RIGHT))
        cosines = left @ right.T
        return float(np.diag(cosines).mean() - cosines[~np.eye(len(_LEFT), dtype=bool)].mean())

    def near_miss() -> float:
        first, own, other = model.encode([_LEFT[0], _RIGHT[0], _NEAR_MISS], normalize_embeddings=True)
        return float(first @ own - first @ other)

    before = margin(), near_miss()
    adapter.merge(model[0].auto_model, fit(_examples(), passes=12))
    assert margin() > before[0] + 0.1
    assert near_miss() > before[1] + 0.1


def test_a_text_is_read_under_its_heading() -> None:
    pairs = Pairs([Example(_LEFT[0], _RIGHT[0], "overlap", "", "test", "0", headings=("Calls", ""))])
    assert pairs.under_heading(_LEFT[0]) == f"Calls\n{_LEFT[0]}"
    assert pairs.under_heading(_RIGHT[0]) == _RIGHT[0]


def test_texts_that_are_related_to_a_text_are_never_its_negatives() -> None:
    pairs = Pairs([*_examples(), Example(_LEFT[0], _RIGHT[3], "conflict", "", "test", "4")])
    first, last = (_LEFT[0], _RIGHT[0]), (_LEFT[3], _RIGHT[3])
    assert not pairs.is_negative(first, last)
    assert not pairs.is_negative(first, (_LEFT[0], _RIGHT[3]))
    assert pairs.is_negative(first, (_LEFT[1], _RIGHT[1]))
    assert pairs.hard_negatives(_LEFT[0]) == [_NEAR_MISS]
    assert (_LEFT[0], _NEAR_MISS) not in pairs.related
