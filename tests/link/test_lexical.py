"""The lexical channel against bm25s itself."""

from __future__ import annotations

import bm25s
import numpy as np
import pytest
import Stemmer

from antinomy.link import lexical

LEFT = [
    "The entity shall keep backups of its data for five years.",
    "Backups are tested every year; the tests are documented.",
    "Members of the board take training.",
    "",
]
RIGHT = [
    "Management should test backup data annually and document the tests.",
    "Retain records for at least seven years, and backups for five.",
    "Board training is the duty of the board.",
    "Testing testing testing: backups, backups, backups.",
    "of the and",
]


def bm25_table(queries: list[str], corpus: list[str]) -> np.ndarray:
    stemmer = Stemmer.Stemmer("english")
    options = {"stopwords": "en", "stemmer": stemmer, "return_ids": False, "show_progress": False}
    model = bm25s.BM25(method="lucene", k1=1.5, b=0.75)
    model.index(bm25s.tokenize(corpus, **options), show_progress=False)
    asked = bm25s.tokenize(queries, **options)
    return np.stack([model.get_scores(words) if words else np.zeros(len(corpus)) for words in asked])


def built() -> lexical.Lexicon:
    return lexical.build(lexical.tokenize(LEFT + RIGHT), ["eu"] * len(LEFT) + ["us"] * len(RIGHT))


def test_score_is_the_geometric_mean_of_bm25_both_ways() -> None:
    expected = np.sqrt(bm25_table(LEFT, RIGHT) * bm25_table(RIGHT, LEFT).T)
    n = len(LEFT)
    table = lexical.scores(built(), np.arange(n), slice(n, n + len(RIGHT)))
    np.testing.assert_allclose(table, expected, atol=1e-4)


def test_a_text_does_not_answer_better_by_saying_the_same_at_twice_the_length() -> None:
    long = " ".join(f"matter{number} backups data" for number in range(60))
    texts = ["Keep backups of data.", "Backups of data are kept.", long, f"{long} {long}"]
    lexicon = lexical.build(lexical.tokenize(texts), ["eu", "us", "us", "us"])
    _, once, twice = lexical.scores(lexicon, np.array([0]), slice(1, 4))[0]
    assert twice == pytest.approx(once, rel=0.01)


def test_collections_need_not_stand_together() -> None:
    mixed = [text for pair in zip(LEFT, RIGHT[:4], strict=True) for text in pair]
    apart = lexical.build(lexical.tokenize(LEFT + RIGHT[:4]), ["eu"] * 4 + ["us"] * 4)
    together = lexical.build(lexical.tokenize(mixed), ["eu", "us"] * 4)
    np.testing.assert_array_equal(
        lexical.scores(apart, np.arange(4), np.arange(4, 8)),
        lexical.scores(together, np.arange(0, 8, 2), np.arange(1, 8, 2)),
    )


def test_top_is_the_best_of_the_table_and_leaves_out_what_shares_no_word() -> None:
    n = len(LEFT)
    table = lexical.scores(built(), np.arange(n), slice(n, n + len(RIGHT)))
    query, base, score = lexical.top_k(built(), np.arange(n), n, n + len(RIGHT), 2)
    for q in range(n):
        order = np.lexsort((np.arange(len(RIGHT)), -table[q]))[:2]
        expected = [int(i) for i in order if table[q, i] > 0]
        assert (base[query == q] - n).tolist() == expected
        np.testing.assert_array_equal(score[query == q], table[q, expected])
    assert not (query == 3).any()  # an empty text


def test_equal_scores_come_in_order_of_rows() -> None:
    texts = ["alpha beta"] + ["alpha gamma"] * 50
    lexicon = lexical.build(lexical.tokenize(texts), ["eu"] + ["us"] * 50)
    _, base, _ = lexical.top_k(lexicon, np.array([0]), 1, 51, 7)
    assert base.tolist() == [1, 2, 3, 4, 5, 6, 7]


def test_texts_without_words() -> None:
    lexicon = lexical.build(lexical.tokenize(["", "of the"]), ["eu", "us"])
    assert lexical.scores(lexicon, np.array([0]), np.array([1])).tolist() == [[0.0]]
    assert len(lexical.top_k(lexicon, np.array([0]), 1, 2, 5)[0]) == 0
