"""Training from labelled files to a judge that works."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from antinomy.errors import AntinomyError, SettingsError
from antinomy.judge.fitted import cross_encoder
from antinomy.judge.fitted.decision import load
from antinomy.judge.fitted.judge import weights_folder
from antinomy.judge.stage import build_judge
from antinomy.settings import validate
from antinomy.settings.file import read_with_overrides as read_settings
from antinomy.settings.judge import JudgeSettings
from antinomy.settings.train import NetworkSettings, TrainSettings
from antinomy.store import storage
from antinomy.train.head import DescribedPair, describe_pairs, encode_texts
from antinomy.train.pairs import Example, folds, hard_negatives, padded, read, transferred
from antinomy.train.run import MEASURED_PAIRS, feature_means, packaged_data, run
from judge.pairs import pair


@pytest.fixture(scope="module")
def written() -> list[Example]:
    return [e for path in packaged_data() for e in read(path)]


def test_no_set_stands_on_both_sides_of_a_split(written: list[Example]) -> None:
    fold = folds(written, 4, ("conflicts_dev.jsonl",))
    places: dict[str, set[int]] = {}
    for e, f in zip(written, fold, strict=True):
        places.setdefault(e.group, set()).add(f)
        if e.source != "conflicts_dev.jsonl":
            places.setdefault(e.source, set()).add(f)
    assert all(len(found) == 1 for found in places.values())
    assert set(fold) == {0, 1, 2, 3}


def test_what_holds_of_a_provision_holds_of_its_paraphrase() -> None:
    base, same, other = "Logs are kept for a year.", "For 12 months logs stay.", "Logs are erased at once."
    made = transferred(
        [Example(same, base, "overlap", "", "f", "s"), Example(base, other, "stricter_left", "deadline", "f", "s")]
    )
    assert [(e.left, e.right, e.label) for e in made] == [(other, same, "stricter_right")]


def test_strangers_come_from_another_set(written: list[Example]) -> None:
    some = [e for e in written if e.source == "governance.jsonl"]
    group_of = {text: e.group for e in some for text in (e.left, e.right)}
    vectors = {text: known.vector for text, known in encode_texts(some).items()}
    made = hard_negatives(some, vectors, 1)
    assert len(made) > len(some) / 2
    for e in made:
        assert e.label == "none"
        assert group_of[e.left] != group_of[e.right]
        assert vectors[e.left] @ vectors[e.right] < 0.68


def words(text: str) -> str:
    """Words in their order, without what marks and joins the items of a list."""
    return " ".join(w for w in re.findall(r"\w+", text.lower()) if w not in ("and", "or"))


def test_a_padded_side_holds_its_provision_and_sentences_of_another_file(written: list[Example]) -> None:
    some = written[::40]
    by_source: dict[str, str] = {}
    for e in some:
        by_source[e.source] = f"{by_source.get(e.source, '')} {words(e.left)} {words(e.right)}"
    for e, made in zip(some, padded(some, 1), strict=True):
        assert (made.label, made.kind, made.group) == (e.label, e.kind, e.group)
        assert (made.left == e.left) != (made.right == e.right)
        text, whole = (made.left, e.left) if made.right == e.right else (made.right, e.right)
        before, after = text.split(whole)
        filling = [part.strip() for part in (before, after) if part.strip()]
        assert filling
        assert all(any(words(part) in other for s, other in by_source.items() if s != e.source) for part in filling)


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    """Parts of two labelled files."""
    found = []
    for name in ("governance", "security"):
        lines = Path(next(p for p in packaged_data() if Path(p).stem == name)).read_text("utf-8").splitlines()
        found.append(tmp_path / f"{name}.jsonl")
        found[-1].write_text("\n".join(lines[:130]), "utf-8")
    return found


def test_pairs_without_a_conflict_are_refused(tmp_path: Path, files: list[Path]) -> None:
    lines = files[0].read_text("utf-8").splitlines()
    files[0].write_text("\n".join(line for line in lines if json.loads(line)["relation"] != "conflict"), "utf-8")
    with pytest.raises(AntinomyError, match="labelled conflict"):
        run(TrainSettings(data=(str(files[0]),), out=str(tmp_path / "out")))


@pytest.mark.long
@pytest.mark.slow
def test_training_gives_weights_that_judge_and_a_card(tmp_path: Path, files: list[Path]) -> None:
    files[1] = files[1].rename(tmp_path / "own.jsonl")
    settings = TrainSettings(
        data=tuple(map(str, files)),
        folds=2,
        network=NetworkSettings(hidden=4),
        out=str(tmp_path / "out"),
        transferred=10,
        hard_negatives=20,
        unrelated=20,
        padded=20,
        embedded=10,
    )
    result = run(settings)
    assert set(result["figures"]["train topics"]) >= {"default", "left side alone"}
    text = (tmp_path / "out" / "MODEL_CARD.md").read_text("utf-8")
    assert storage.sha256(str(files[0]))[:16] in text
    assert (tmp_path / "out" / cross_encoder.FILE).read_bytes() == cross_encoder.adapter_file("")
    judge = build_judge(JudgeSettings(weights=str(tmp_path / "out")))
    first = read(str(files[0]))[0]
    pairs = [replace(pair(first.left, first.right), pair_key="1"), replace(pair(first.right, first.left), pair_key="2")]
    ahead, back = judge.judge(pairs)
    assert ahead.status == "ok", ahead.error
    assert (ahead.relation, ahead.p_conflict) == (back.relation, pytest.approx(back.p_conflict, abs=2e-4))


@pytest.mark.long
@pytest.mark.slow
def test_the_networks_are_measured_on_files_that_are_held_back_and_not_fitted_on_them(
    tmp_path: Path, files: list[Path]
) -> None:
    apart = files[1].with_name("apart.jsonl")
    apart.write_text("\n".join(files[1].read_text("utf-8").splitlines()[:20]), "utf-8")
    kept = TrainSettings(
        data=tuple(map(str, files)), folds=2, network=NetworkSettings(hidden=4, averaged=1),
        out=str(tmp_path / "without"), transferred=10, hard_negatives=20, unrelated=20, padded=20, embedded=10,
    )  # fmt: skip
    update = {"data": (*kept.data, str(apart)), "held_back": (apart.name,), "out": str(tmp_path / "with")}
    run(kept)
    run(kept.model_copy(update=update))
    fitted = [json.loads((tmp_path / name / "default.json").read_bytes()) for name in ("without", "with")]
    for part in ("relation", "kind", "rarity", "shares"):
        assert fitted[0][part] == fitted[1][part]
    judged = [json.loads(line) for line in (tmp_path / "with" / "out_of_fold.jsonl").read_text("utf-8").splitlines()]
    assert sum(row["source"] == apart.name for row in judged) == 20


def test_the_packaged_weights_were_made_from_the_packaged_data() -> None:
    made_with = json.loads((weights_folder() / "default.json").read_bytes())["made_with"]
    assert made_with["data"] == {Path(path).name: storage.sha256(path) for path in packaged_data()}
    examples = [e for path in packaged_data() for e in read(path)[:MEASURED_PAIRS]]
    idf = load(str(weights_folder() / "default.json")).idf
    described = describe_pairs(examples, encode_texts(examples), idf)
    now = feature_means(DescribedPair(e, features, 0) for e, features in zip(examples, described, strict=True))
    assert made_with["features"] == pytest.approx(now, abs=1e-3), "what describes pairs has changed: train again"
    size = sum(path.stat().st_size for path in weights_folder().iterdir())
    assert size < 50e6


def test_too_few_pairs_are_said_to_be_so(tmp_path: Path) -> None:
    lines = Path(packaged_data()[0]).read_text("utf-8").splitlines()[:40]
    (tmp_path / "few.jsonl").write_text("\n".join(lines), "utf-8")
    settings = TrainSettings(
        data=(str(tmp_path / "few.jsonl"),), dealt=("few.jsonl",), folds=2, network=NetworkSettings(hidden=4),
        hard_negatives=0, out=str(tmp_path / "out"),
    )  # fmt: skip
    with pytest.raises(AntinomyError, match="too few labelled kinds"):
        run(settings)


def test_wrong_settings_are_all_named(tmp_path: Path) -> None:
    path = tmp_path / "train.yaml"
    path.write_text("folds: 1\nspeed: high\n")
    with pytest.raises(SettingsError, match=r"folds.*speed|speed.*folds"):
        validate(TrainSettings, read_settings(str(path)), str(path))
