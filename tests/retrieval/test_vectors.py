"""Nearest rows by exact inner product."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from polqa_demo.errors import UserError
from polqa_demo.retrieval.vectors import PASSAGE_VECTORS, FlatSearch, refuse_unfit


def unit(count, dimension=48, seed=0, dtype=np.float32):
    vectors = np.random.default_rng(seed).standard_normal((count, dimension))
    return (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(dtype)


def by_hand(vectors, query, top_k):
    """Rows and scores in float64, ties in order."""
    scores = vectors.astype(np.float64) @ query.astype(np.float64)
    best = sorted(range(len(vectors)), key=lambda row: (-round(float(scores[row]), 12), row))[:top_k]
    return best, scores[best]


@pytest.mark.parametrize("dtype", [np.float16, np.float32])
@pytest.mark.parametrize("top_k", [1, 7, 300, 500])
def test_the_same_as_by_hand(dtype, top_k):
    vectors = unit(300, dtype=dtype)
    queries = unit(5, seed=1)
    rows, scores = FlatSearch(vectors).search(queries, top_k)
    assert rows.shape == scores.shape == (5, min(top_k, 300))
    for place, query in enumerate(queries):
        wanted, products = by_hand(vectors, query, top_k)
        assert rows[place].tolist() == wanted
        np.testing.assert_allclose(scores[place], products, atol=1e-12)


@pytest.mark.parametrize("dtype", [np.float16, np.float32])
def test_more_blocks_than_one(dtype):
    vectors = unit(40_000, 8, dtype=dtype)
    search = FlatSearch(vectors)
    assert len(search) == 40_000
    for row in (0, 16_383, 16_384, 39_999):
        rows, _ = search.search(vectors[row : row + 1].astype(np.float32), 1)
        np.testing.assert_array_equal(vectors[rows[0, 0]], vectors[row])


def test_equal_vectors_stand_in_corpus_order_however_many_tie_at_the_cut():
    vectors = unit(1_000)
    same = np.arange(3, 1_000, 2)
    vectors[same] = vectors[3]
    search = FlatSearch(vectors)
    for top_k in (1, 2, 30, 200):
        rows, scores = search.search(vectors[3:4], top_k)
        assert rows[0].tolist() == same[:top_k].tolist()
        assert len(set(scores[0].tolist())) == 1


def test_ties_that_single_precision_does_not_see():
    """Permutations of one vector against a question of equal numbers: the exact sums are equal, rounded ones not."""
    chance = np.random.default_rng(0)
    one = np.round(unit(1, 64)[0].astype(np.float64) * 2**24) / 2**24
    vectors = np.stack([chance.permutation(one) for _ in range(2_000)]).astype(np.float32)
    query = np.full((1, 64), 1 / 8, np.float32)
    assert len(set((vectors @ query[0]).tolist())) > 1
    for top_k in (1, 10, 300):
        rows, scores = FlatSearch(vectors).search(query, top_k)
        assert rows[0].tolist() == list(range(top_k))
        assert len(set(scores[0].tolist())) == 1


def test_a_score_does_not_depend_on_what_else_is_asked():
    vectors = unit(500, 384, dtype=np.float16)
    queries = unit(40, 384, seed=1)
    search = FlatSearch(vectors)
    rows, scores = search.search(queries, 20)
    for place in (0, 17, 39):
        alone_rows, alone_scores = search.search(queries[place : place + 1], 5)
        assert alone_rows[0].tolist() == rows[place, :5].tolist()
        assert alone_scores[0].tolist() == scores[place, :5].tolist()
        assert search.scores(queries[place], rows[place, 3:4])[0] == scores[place, 3]


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 60), st.integers(1, 40), st.integers(0, 1_000), st.integers(0, 5))
def test_a_shorter_ranking_is_the_beginning_of_a_longer_one(count, dimension, seed, copies):
    vectors = unit(count, dimension, seed, np.float16)
    vectors[-copies:] = vectors[0]
    search = FlatSearch(vectors)
    query = unit(1, dimension, seed + 1)
    rows, scores = search.search(query, count)
    assert sorted(rows[0].tolist()) == list(range(count))
    order = list(zip((-scores[0]).tolist(), rows[0].tolist(), strict=True))
    assert order == sorted(order)
    assert search.search(query, 3)[0][0].tolist() == rows[0, :3].tolist()


def test_nothing_asked_nothing_found():
    search = FlatSearch(unit(4))
    assert search.search(unit(2), 0)[0].shape == (2, 0)
    assert search.search(np.zeros((0, 48), np.float32), 5)[0].shape == (0, 4)


@pytest.mark.parametrize("dtype", [np.float16, np.float32])
@pytest.mark.parametrize(("value", "told"), [(np.nan, "nan"), (np.inf, "inf"), (0.0, "0")])
def test_passages_that_are_no_unit_vectors_are_named(dtype, value, told):
    vectors = unit(20_000, 16, dtype=dtype)
    for row in (16, 17_000, 17_001, 19_999):
        vectors[row] = value
    with pytest.raises(UserError) as caught:
        FlatSearch(vectors[17:])
    assert caught.value.code == "vectors-unfit"
    for language, count in (("pl", "3 z"), ("en", "3 of")):
        text = caught.value.say(language)
        assert "16984, 16985, 19983" in text
        assert count in text
        assert f" {told};" in text


def test_a_question_that_is_no_unit_vector_is_refused():
    with pytest.raises(UserError, match=r"no\. 2;"):
        FlatSearch(unit(4)).search(unit(3) * np.array([[1], [1.01], [1]], np.float32), 1)


def test_rounding_to_halves_is_no_fault():
    for dimension in (2, 384, 1024):
        refuse_unfit(unit(2_000, dimension, dtype=np.float16), PASSAGE_VECTORS)


def test_a_memory_mapped_file_is_searched_and_not_changed(tmp_path):
    np.save(tmp_path / "v.npy", unit(50, dtype=np.float16))
    mapped = np.load(tmp_path / "v.npy", mmap_mode="r")
    before = (tmp_path / "v.npy").read_bytes()
    rows, _ = FlatSearch(mapped).search(mapped[7:8].astype(np.float32), 1)
    assert rows.tolist() == [[7]]
    assert (tmp_path / "v.npy").read_bytes() == before


def test_threads_find_what_one_finds():
    search = FlatSearch(unit(3_000, dtype=np.float16))
    queries = unit(60, seed=3)
    alone = [search.search(query[None], 10)[0].tolist() for query in queries]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(lambda query: search.search(query[None], 10)[0].tolist(), queries)) == alone
