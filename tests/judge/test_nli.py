"""The judge ``nli``, on a small model that these tests make and train for a moment."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import pytest

from antinomy.errors import EnvironmentFault, JudgeError
from antinomy.judge.nli.judge import NliJudge
from antinomy.judge.nli.model import LABELS, Model
from antinomy.judge.stage import build_judge
from antinomy.settings.judge import JudgeSettings
from antinomy.settings.nli import NliSettings
from judge.pairs import pair

WORDS = "logs shall must not be kept erased sealed within for 24 72 hours hour audit rest pilots firm two persons . ,"
KEPT, ERASED = "Logs shall be kept.", "Logs shall not be kept."


def saved(folder: Path, labels: dict[int, str], favoured: int | None = None) -> str:
    """Save a BERT of a few thousand weights; with ``favoured`` it gives that label to whatever it reads."""
    import torch
    from transformers import BertConfig, BertForSequenceClassification, BertTokenizerFast

    folder.mkdir()
    vocabulary = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *WORDS.split()]
    (folder / "vocab.txt").write_text("\n".join(vocabulary))
    torch.manual_seed(0)
    config = BertConfig(
        vocab_size=len(vocabulary), hidden_size=16, num_hidden_layers=1, num_attention_heads=2, intermediate_size=16,
        id2label=labels, label2id={label: at for at, label in labels.items()},
    )  # fmt: skip
    model = BertForSequenceClassification(config)
    if favoured is not None:
        with torch.no_grad():
            model.classifier.weight.zero_()
            model.classifier.bias.copy_(torch.tensor([4.0 if at == favoured else 0.0 for at in range(len(labels))]))
    model.save_pretrained(folder)
    BertTokenizerFast(vocab_file=str(folder / "vocab.txt")).save_pretrained(folder)
    return str(folder)


ORDER = {0: "entailment", 1: "NEUTRAL", 2: "Contradiction"}


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """For each label a model that says nothing else, in an order of labels that is not the judge's."""
    root = tmp_path_factory.mktemp("nli")
    return {name.lower(): saved(root / name, ORDER, at) for at, name in ORDER.items()}


def settings(folder: str, **others: Any) -> NliSettings:
    return NliSettings(model=folder, device="cpu", **others)


def verdict_of(folder: str, left: str, right: str) -> Any:
    (found,) = NliJudge(settings(folder)).judge([pair(left, right)])
    return found


def test_the_labels_are_read_by_the_models_own_names(models: dict[str, str]) -> None:
    for name, folder in models.items():
        (row,) = Model(folder, "", "cpu", 64).probabilities([(KEPT, ERASED)], 4)
        assert LABELS[int(row.argmax())] == name
        assert row.sum() == pytest.approx(1, abs=1e-5)


def test_contradiction_is_a_conflict_entailment_an_overlap_and_neither_nothing(models: dict[str, str]) -> None:
    found = {name: verdict_of(folder, KEPT, ERASED) for name, folder in models.items()}
    assert {name: v.relation for name, v in found.items()} == {
        "contradiction": "conflict", "entailment": "overlap", "neutral": "none",
    }  # fmt: skip
    conflict = found["contradiction"]
    assert (conflict.status, conflict.kind) == ("ok", "modality")
    assert conflict.p_conflict > 0.9 > 0.1 > found["neutral"].p_conflict
    assert conflict.evidence_left == KEPT
    assert conflict.evidence_right == ERASED
    assert found["neutral"].p_related < 0.1 < 0.9 < found["entailment"].p_related


def test_quantities_decide_where_the_model_finds_a_contradiction(models: dict[str, str]) -> None:
    left, right = "Firms shall report outages within 24 hours.", "Firms must report outages within 72 hours."
    found = verdict_of(models["contradiction"], left, right)
    assert (found.relation, found.governs, found.kind) == ("stricter", "left", "deadline")
    assert found.p_conflict < 0.1
    backward = verdict_of(models["contradiction"], right, left)
    assert (backward.relation, backward.governs) == ("stricter", "right")
    # A model that finds the two unrelated is not overruled by numbers.
    assert verdict_of(models["neutral"], left, right).relation == "none"


def test_one_term_defined_in_two_ways(models: dict[str, str]) -> None:
    left, right = "'Log' means a record of two persons.", "Log — the record of pilots."
    assert verdict_of(models["neutral"], left, right).relation == "definition"
    assert verdict_of(models["entailment"], left, right).relation == "overlap"


def test_entailment_one_way_is_stricter_between_duties() -> None:
    import numpy as np

    from antinomy.judge.nli.judge import _ClauseScores, verdict

    yes, no = np.array([0.05, 0.9, 0.05], np.float32), np.array([0.05, 0.05, 0.9], np.float32)
    left, right = "Logs shall be kept sealed for two hours.", "Logs shall be kept."
    aligned = _ClauseScores((0, len(left)), (0, len(right)), yes, no)
    found = verdict(pair(left, right), [aligned])
    assert (found.relation, found.governs) == ("stricter", "left")
    decisive = verdict(pair("Sealed logs rest.", "Logs rest."), [_ClauseScores((0, 17), (0, 10), yes, no)])
    assert decisive.relation == "overlap"


def test_the_order_of_the_sides_makes_no_difference(tmp_path: Path) -> None:
    folder = saved(tmp_path / "any", ORDER)
    for left, right in ((KEPT, ERASED), ("Pilots rest. " + KEPT, "Two persons audit logs. " + ERASED)):
        forward, backward = verdict_of(folder, left, right), verdict_of(folder, right, left)
        assert forward.relation == backward.relation
        assert forward.p_conflict == pytest.approx(backward.p_conflict, abs=2e-4)


def test_another_model_is_refused_by_name(tmp_path: Path) -> None:
    folder = saved(tmp_path / "feelings", {0: "negative", 1: "positive"})
    with pytest.raises(JudgeError, match=r"negative, positive, not contradiction"):
        NliJudge(settings(folder))
    with pytest.raises(EnvironmentFault, match=r"judge\.nli\.model: .*nowhere"):
        NliJudge(settings(str(tmp_path / "nowhere")))


def test_it_travels_to_workers_and_is_known_by_its_weights(models: dict[str, str], tmp_path: Path) -> None:
    judge = NliJudge(settings(models["neutral"]))
    again = pickle.loads(pickle.dumps(judge))
    assert (again.model, again.prompt_sha256) == (judge.model, judge.prompt_sha256)
    assert NliJudge(settings(models["entailment"])).model != judge.model
    assert NliJudge(settings(models["neutral"], near=0.9)).prompt_sha256 != judge.prompt_sha256
    assert NliJudge(settings(models["neutral"], batch_size=1)).prompt_sha256 == judge.prompt_sha256


def test_a_broken_pair_loses_no_other(models: dict[str, str]) -> None:
    from dataclasses import replace

    whole = pair(KEPT, ERASED)
    broken = replace(whole, pair_key="broken", left=replace(whole.left, text=""))
    found = {v.pair_key: v for v in NliJudge(settings(models["contradiction"])).judge([broken, whole])}
    assert found[whole.pair_key].relation == "conflict"
    assert found["broken"].status == "ok"


def test_a_pair_whose_norms_cannot_be_read_loses_no_other(
    models: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from antinomy.judge.nli import judge

    def extract(text: str) -> list[Any]:
        if "pilots" in text:
            raise ValueError("no number")
        return norms(text)

    norms = judge.extract
    monkeypatch.setattr(judge, "extract", extract)
    broken, whole = pair("Two pilots rest.", "Two pilots audit."), pair(KEPT, ERASED)
    found = {v.pair_key: v for v in NliJudge(settings(models["contradiction"])).judge([broken, whole])}
    assert found[whole.pair_key].relation == "conflict"
    failed = found[broken.pair_key]
    assert (failed.status, failed.error) == ("error", "nli_failed: ValueError: no number")


def test_it_is_the_first_judge_of_a_cascade(models: dict[str, str]) -> None:
    chosen = JudgeSettings.model_validate(
        {
            "backend": "openai",
            "nli": {"model": models["neutral"], "device": "cpu"},
            "openai": {"cascade": {"first": "nli", "below": 0.2}},
        }
    )
    cascade = build_judge(chosen)
    assert cascade.name == "nli+openai"
    # What the first finds harmless is not asked of the server, so that none need be there.
    (found,) = cascade.judge([pair(KEPT, "Pilots rest.")])
    assert found.relation == "none"


def test_settings_name_it(models: dict[str, str]) -> None:
    chosen = JudgeSettings.model_validate({"backend": "nli", "nli": {"model": models["neutral"], "device": "cpu"}})
    assert build_judge(chosen).name == "nli"
