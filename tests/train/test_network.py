"""How a network is fitted, on a small one that these tests make."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import pytest

from antinomy.judge.fitted.decision import CLASSES
from antinomy.train.network import Labelled, Network, Step, batches, varied

WORDS = ("logs", "vaults", "shall", "not", "be", "kept", "sealed", "opened", "read", "daily", "weekly", "rest", ":")
CONFLICT, STRICTER, NONE = (CLASSES.index(name) for name in ("conflict", "stricter_left", "none"))


@pytest.fixture
def folder(tmp_path: Path) -> str:
    import torch
    from transformers import BertConfig, BertModel, BertTokenizerFast

    torch.manual_seed(0)
    vocabulary = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *WORDS]
    (tmp_path / "vocab.txt").write_text("\n".join(vocabulary))
    config = BertConfig(
        vocab_size=len(vocabulary), hidden_size=16, num_hidden_layers=1, num_attention_heads=2, intermediate_size=16
    )
    BertModel(config, add_pooling_layer=False).save_pretrained(tmp_path)
    BertTokenizerFast(vocab_file=str(tmp_path / "vocab.txt")).save_pretrained(tmp_path)
    return str(tmp_path)


def _pair(rng: random.Random) -> Labelled:
    deed, negated = rng.choice(("kept", "sealed", "opened", "read")), rng.random() < 0.5
    right = f"logs shall {'not ' if negated else ''}be {deed}"
    return Labelled(f"logs shall be {deed}", right, CONFLICT if negated else NONE)


def _right(network: Network, pairs: list[Labelled]) -> float:
    """Return the share of pairs whose label has the greatest logit."""
    found = network.logits(Step(pairs)).argmax(1).tolist()
    return sum(label == pair.label for label, pair in zip(found, pairs, strict=True)) / len(pairs)


def test_a_network_learns_from_its_teachers_what_the_labels_do_not_say(folder: str) -> None:
    rng = random.Random(1)
    pairs = [_pair(rng) for _ in range(1600)]
    unlabelled = [Labelled(p.left, p.right, rng.choice((CONFLICT, NONE))) for p in pairs]

    def fitted(given: list[Labelled], *teachers: Network) -> Network:
        network = Network(folder)
        network.optimise([Step(given[i : i + 16]) for i in range(0, len(given), 16)], 5e-3, teachers)
        return network

    teachers = [fitted(pairs), fitted(pairs)]
    unread = [_pair(rng) for _ in range(100)]
    assert [_right(teacher, unread) for teacher in teachers] == [1, 1]
    assert _right(fitted(unlabelled, *teachers), unread) == 1
    assert _right(fitted(unlabelled), unread) < 0.9


def test_a_batch_holds_pairs_of_similar_length_and_every_pair_is_read_once() -> None:
    pairs = [Labelled("a" * n, "b" * n, NONE) for n in range(1, 900)]
    found = batches(pairs, 6000, random.Random(0))
    assert Counter(pair for batch in found for pair in batch) == Counter(pairs)
    for batch in found:
        lengths = [min(1200, len(pair.left) + len(pair.right)) for pair in batch]
        assert max(lengths) * len(batch) <= 6000
        assert max(lengths) - min(lengths) < 400
    assert batches([], 6000, random.Random(0)) == []


def test_a_pair_is_read_in_either_order_and_mostly_behind_its_headings() -> None:
    rng = random.Random(0)
    found = Counter(varied(Labelled("l", "r", STRICTER, ("Logs", "")), rng) for _ in range(1000))
    mirrored = CLASSES.index("stricter_right")
    assert set(found) == {
        Labelled("Logs: l", "r", STRICTER), Labelled("l", "r", STRICTER), Labelled("r", "Logs: l", mirrored),
        Labelled("r", "l", mirrored),
    }  # fmt: skip
    assert found[Labelled("Logs: l", "r", STRICTER)] == pytest.approx(400, abs=60)
    assert found[Labelled("r", "l", mirrored)] == pytest.approx(100, abs=40)
