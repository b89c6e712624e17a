"""The link stage on Spark: the same pairs however it is cut, and the pairs that numpy finds."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import pytest

from antinomy.errors import SettingsError, StorageError
from antinomy.link.plan import link
from antinomy.settings.link import LinkSettings
from antinomy.store import schemas
from link.arrow import batches, table

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

pytestmark = pytest.mark.spark

WORDS = ["backup", "board", "incident", "provider", "encryption", "recovery", "audit", "training", "register"]
ROWS = [name for name in schemas.columns("similar") if name != "channels"]


def corpus(
    sections: dict[str, int], pieces: int = 1, dim: int = 16, seed: int = 0
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Units and embeddings of made-up documents ``regime/doc``, by size; every 4th text repeats."""
    rng = np.random.default_rng(seed)
    units, vectors = [], {}
    for name, count in sections.items():
        regime, doc = name.split("/")
        for number in range(count):
            section = f"{doc}#art_{number}"
            for piece in range(1, pieces + 1 if number % 5 == 0 else 2):
                text = "same words here" if number % 4 == 3 else " ".join(rng.choice(WORDS, size=6))
                sha = hashlib.sha256(text.encode()).hexdigest()
                if sha not in vectors:
                    value = rng.normal(size=dim).astype(np.float32)
                    vectors[sha] = value / np.linalg.norm(value)
                unit = section if piece == 1 else f"{section}~{piece}"
                units.append(a_unit(unit, section, doc, regime, text, piece, sha))
    embeddings = pd.DataFrame(
        [(sha, "m", "r", dim, value, np.concatenate([value, -value])) for sha, value in vectors.items()],
        columns=schemas.columns("embeddings"),
    )
    return pd.DataFrame(units, columns=schemas.columns("units")), embeddings


def a_unit(unit: str, section: str, doc: str, regime: str, text: str, piece: int, sha: str) -> dict[str, Any]:
    """A row of ``units`` that binds a firm."""
    return {
        "unit_id": unit, "section_id": section, "doc_id": doc, "regime": regime, "label": "", "heading_path": "",
        "unit_text": text, "context": "", "piece": piece, "unit_sha256": sha, "text_sha256": sha,
        "context_sha256": None, "type": "paragraph", "binds": "firm", "demands": "duty",
    }  # fmt: skip


def run(
    spark: SparkSession,
    tmp_path: Path,
    tables: tuple[pd.DataFrame, pd.DataFrame],
    partitions: int = 2,
    **settings: Any,
) -> pd.DataFrame:
    spark.conf.set("spark.sql.shuffle.partitions", partitions)
    units, embeddings = tables
    folder = tmp_path / str(len(list(tmp_path.iterdir())))
    folder.mkdir()
    chosen = LinkSettings.model_validate({"min_score": -1, "k_right": 0, "budget_pairs": 10**9, **settings})
    # The second model says what the first says.
    vectors = dict.fromkeys(chosen.channels, batches(embeddings, partitions))
    return sorted_pairs(link(spark, table(units, "units"), vectors, chosen, str(folder), order=("eu", "us"))[0])


def sorted_pairs(pairs: DataFrame) -> pd.DataFrame:
    return pairs.toPandas().sort_values(["left_id", "right_id"], ignore_index=True)


def oracle(tables: tuple[pd.DataFrame, pd.DataFrame], left: str, right: str, k: int) -> set[tuple[str, str, int]]:
    """(left section, right section, rank) by numpy, where a regime's sections are asked for k others."""
    units, embeddings = tables
    vector = dict(zip(embeddings["text_sha256"], embeddings["vector"], strict=True))
    found = set()
    rights = units[units["regime"] == right]
    for section, own in units[units["regime"] == left].groupby("section_id"):
        best: dict[str, float] = {}
        for sha in own["unit_sha256"]:
            for other, other_sha in zip(rights["section_id"], rights["unit_sha256"], strict=True):
                score = round(float(vector[sha].astype(float) @ vector[other_sha].astype(float)), 6)
                best[other] = max(score, best.get(other, -2.0))
        ordered = sorted(best, key=lambda other: (-best[other], other))[:k]
        found |= {(str(section), other, rank) for rank, other in enumerate(ordered, start=1)}
    return found


def test_vectors_alone_are_what_numpy_finds(spark: SparkSession, tmp_path: Path) -> None:
    tables = corpus({"eu/a": 30, "us/b": 40, "us/c": 25}, pieces=3)
    pairs = run(spark, tmp_path, tables, channels=["own"], k=7)
    assert set(zip(pairs["left_id"], pairs["right_id"], pairs["rank_left"], strict=True)) == oracle(
        tables, "eu", "us", 7
    )
    assert pairs["rank_right"].isna().all()
    assert all(list(names) == ["own"] for names in pairs["channels"])
    # The units named are those whose cosine is given.
    vector = dict(zip(tables[1]["text_sha256"], tables[1]["vector"], strict=True))
    sha = dict(zip(tables[0]["unit_id"], tables[0]["unit_sha256"], strict=True))
    for row in pairs.itertuples():
        cosine = vector[sha[row.left_unit_id]].astype(float) @ vector[sha[row.right_unit_id]].astype(float)
        assert row.own == pytest.approx(cosine, abs=1e-6)
        assert row.left_unit_id.split("~")[0] == row.left_id


def test_the_same_pairs_whatever_the_plan_and_the_partitions(spark: SparkSession, tmp_path: Path) -> None:
    tables = corpus({"eu/a": 45, "us/b": 60, "us/c": 30}, pieces=2)
    common = {"k": 6, "k_right": 4, "depth": 12}
    expected = run(spark, tmp_path, tables, 1, plan="broadcast", **common)
    others = [
        run(spark, tmp_path, tables, 3, plan="broadcast", block_rows=7, **common),
        run(spark, tmp_path, tables, 16, plan="shards", shard_rows=40, **common),
        run(spark, tmp_path, tables, 3, plan="shards", shard_rows=25, block_rows=50, **common),
    ]
    assert len(expected) > 45 * 6
    for other in others:
        pd.testing.assert_frame_equal(other[ROWS], expected[ROWS], check_exact=True)
        assert [list(c) for c in other["channels"]] == [list(c) for c in expected["channels"]]


def test_two_units_that_are_equally_near_are_named_the_same_from_both_sides(
    spark: SparkSession, tmp_path: Path
) -> None:
    """A left section says x, then y; the right one says y, then x."""
    texts = {("a#art_1", 1): "x", ("a#art_1", 2): "y", ("b#art_1", 1): "y", ("b#art_1", 2): "x"}
    units = pd.DataFrame(
        [a_unit(f"{name}~{piece}", name, name[0], {"a": "eu", "b": "us"}[name[0]], text, piece, text)
         for (name, piece), text in texts.items()],
        columns=schemas.columns("units"),
    )  # fmt: skip
    vectors = {"x": np.array([1, 0], dtype=np.float32), "y": np.array([0, 1], dtype=np.float32)}
    embeddings = pd.DataFrame(
        [(sha, "m", "r", 2, value, value) for sha, value in vectors.items()], columns=schemas.columns("embeddings")
    )
    pairs = run(spark, tmp_path, (units, embeddings), channels=["own"], k=1, k_right=1, plan="broadcast")
    (row,) = pairs.itertuples()
    assert (row.rank_left, row.rank_right, row.own) == (1, 1, 1.0)
    assert (row.left_unit_id, row.right_unit_id) == ("a#art_1~1", "b#art_1~2")


def test_both_directions_give_each_pair_once(spark: SparkSession, tmp_path: Path) -> None:
    tables = corpus({"eu/a": 20, "us/b": 30})
    options = {"channels": ["own"]}
    pairs = run(spark, tmp_path, tables, k=4, k_right=4, **options)
    from_left, from_right = oracle(tables, "eu", "us", 4), oracle(tables, "us", "eu", 4)
    assert not pairs.duplicated(["left_id", "right_id"]).any()
    assert pairs["left_id"].str.startswith("a#").all()
    assert {(r.left_id, r.right_id, r.rank_left) for r in pairs.dropna(subset="rank_left").itertuples()} == from_left
    assert {(r.right_id, r.left_id, r.rank_right) for r in pairs.dropna(subset="rank_right").itertuples()} == from_right
    both = pairs.dropna(subset=["rank_left", "rank_right"])
    assert 0 < len(both) < len(pairs)
    right = run(spark, tmp_path, tables, k=0, k_right=4, **options)
    assert set(zip(right["right_id"], right["left_id"], right["rank_right"], strict=True)) == from_right


def test_within_a_document_no_section_meets_itself_or_its_parts(spark: SparkSession, tmp_path: Path) -> None:
    units, embeddings = corpus({"eu/a": 12, "us/b": 9})
    units.loc[units["section_id"] == "a#art_2", ["unit_id", "section_id"]] = "a#art_1__para_1"
    pairs = run(spark, tmp_path, (units, embeddings), groups="within", k=5)
    assert set(pairs["left_id"].str[0] + pairs["right_id"].str[0]) == {"aa", "bb"}
    assert (pairs["left_id"] < pairs["right_id"]).all()
    assert not pairs.duplicated(["left_id", "right_id"]).any()
    assert not ((pairs["left_id"] == "a#art_1") & (pairs["right_id"] == "a#art_1__para_1")).any()
    asked = pd.concat([pairs.dropna(subset="rank_left")["left_id"], pairs.dropna(subset="rank_right")["right_id"]])
    assert (asked.value_counts() == 5).all()
    assert len(asked.unique()) == 21


def test_documents_and_listed_pairs(spark: SparkSession, tmp_path: Path) -> None:
    tables = corpus({"eu/a": 8, "us/b": 9, "us/c": 10})
    options = {"channels": ["own"], "k": 3}
    documents = run(spark, tmp_path, tables, groups="documents", k_right=3, **options)
    assert set(documents["left_id"].str[0] + documents["right_id"].str[0]) == {"ab", "ac", "bc"}
    listed = run(spark, tmp_path, tables, groups="pairs", pairs=[("c", "b")], **options)
    assert set(listed["left_id"].str[0] + listed["right_id"].str[0]) == {"cb"}
    assert len(listed) == 10 * 3


def test_a_minimum_prunes_and_k_may_exceed_what_there_is(spark: SparkSession, tmp_path: Path) -> None:
    tables = corpus({"eu/a": 5, "us/b": 6})
    options = {"channels": ["own"], "k": 50}
    everything = run(spark, tmp_path, tables, **options)
    assert len(everything) == 30
    pruned = run(spark, tmp_path, tables, **{**options, "min_score": 0.1})
    kept = everything[everything["own"] >= 0.1].reset_index(drop=True)
    pd.testing.assert_frame_equal(pruned[ROWS], kept[ROWS])


def test_units_without_a_usable_vector_are_still_found_by_their_words(
    spark: SparkSession, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    units, embeddings = corpus({"eu/a": 6, "us/b": 8})
    embeddings = embeddings[embeddings["text_sha256"] != units["unit_sha256"][0]].reset_index(drop=True)
    embeddings.at[0, "vector"] = np.full(16, np.nan, dtype=np.float32)
    embeddings.at[1, "vector"] = np.zeros(16, dtype=np.float32)
    missing = units["unit_sha256"].map(lambda sha: sha not in set(embeddings["text_sha256"][2:]))
    pairs = run(spark, tmp_path, (units, embeddings), k=3, channels=["own", "lexical"])
    assert f"{missing.sum()} of 14 units have no usable vector" in caplog.text
    lost = set(units["section_id"][missing])
    touched = pairs["left_id"].isin(lost) | pairs["right_id"].isin(lost)
    assert touched.any()
    assert pairs["own"][touched].isna().all()
    assert pairs["own"][~touched].notna().all()
    assert all(list(c) == ["lexical"] for c in pairs["channels"][touched])


def test_nothing_to_pair(spark: SparkSession, tmp_path: Path) -> None:
    tables = corpus({"eu/a": 4})
    assert run(spark, tmp_path, tables).empty
    nothing = tuple(frame.iloc[:0] for frame in tables)
    assert run(spark, tmp_path, nothing).empty


def test_mistakes_are_named(spark: SparkSession, tmp_path: Path) -> None:
    units, embeddings = corpus({"eu/a": 4, "us/b": 4})
    with pytest.raises(SettingsError, match="no units of uk"):
        run(spark, tmp_path, (units, embeddings), left=["uk"])
    embeddings.at[2, "vector"] = np.ones(8, dtype=np.float32)
    with pytest.raises(StorageError, match="vectors of length 8, 16"):
        run(spark, tmp_path, (units, embeddings))


def test_above_a_size_the_search_is_approximate_and_says_how_good_it_is(spark: SparkSession, tmp_path: Path) -> None:
    tables = corpus({"eu/a": 150, "us/b": 250}, dim=8)
    settings = LinkSettings(channels=("own",), k=5, k_right=0, min_score=-1, approximate_above=100)
    units, own = table(tables[0], "units"), {"own": batches(tables[1])}
    rows, searched = link(spark, units, own, settings, str(tmp_path), order=("eu", "us"))
    pairs = sorted_pairs(rows)
    assert searched.approximate["own"].recall >= 0.95
    assert searched.full_comparison_calls == 150 * 250
    expected = {(left, right) for left, right, _ in oracle(tables, "eu", "us", 5)}
    found = set(zip(pairs["left_id"], pairs["right_id"], strict=True))
    assert len(found & expected) >= 0.9 * len(expected)


def test_on_a_cluster_the_index_is_shipped(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables = corpus({"eu/a": 10, "us/b": 12}, pieces=2)
    expected = run(spark, tmp_path, tables, k=4)
    # Spark ships files in local mode too, so this is what tasks on other machines would open.
    monkeypatch.setattr(spark.sparkContext, "master", "spark://elsewhere:7077")
    pd.testing.assert_frame_equal(run(spark, tmp_path, tables, k=4)[ROWS], expected[ROWS])
