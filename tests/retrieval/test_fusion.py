"""Lexical and dense rankings fused."""

import random
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hashed_encoder import HashedEncoder
from hypothesis import given, settings
from hypothesis import strategies as st

from polqa_demo.data.passages import PassageStore
from polqa_demo.errors import UserError
from polqa_demo.records import Passage
from polqa_demo.retrieval.dense import DenseRetriever
from polqa_demo.retrieval.fusion import METHODS, Column, Fusion, HybridRetriever
from polqa_demo.retrieval.lexical import LexicalRetriever
from polqa_demo.retrieval.vectors import FlatSearch

WORDS = (
    "rzeka rzeczny wojna wojenny król królowa zamek zamkowy miasto miejski morze morski góra górski las leśny".split()
)
QUESTION = "Która wojna objęła zamek i miasto?"


def corpus(count, seed=0):
    chance = random.Random(seed)
    return [Passage(str(number), "", " ".join(chance.choices(WORDS, k=12))) for number in range(count)]


def hybrid(passages, fusion=None, depth=10):
    encoder = HashedEncoder()
    store = PassageStore.of(passages)
    dense = DenseRetriever(store, FlatSearch(encoder.encode_passages(passages)), encoder)
    return HybridRetriever(store, LexicalRetriever.in_memory(store), dense, fusion or Fusion(), depth)


def column(ranks, scores):
    return Column(np.array([rank or np.inf for rank in ranks], np.float64), np.array(scores, np.float64))


class TestShares:
    """Three passages: found by both, by words alone, by vectors alone; worked out by hand."""

    lexical = column([2, 1, None], [6.0, 9.0, 3.0])
    dense = column([1, None, 2], [0.9, 0.5, 0.8])

    @pytest.mark.parametrize(
        ("fusion", "lexical", "dense"),
        [
            (Fusion("rrf", k=10, dense_weight=0.5), [0.5 * 11 / 12, 0.5, 0], [0.5, 0, 0.5 * 11 / 12]),
            (Fusion("rrf", k=0, dense_weight=0.75), [0.125, 0.25, 0], [0.75, 0, 0.375]),
            (Fusion("min-max", dense_weight=0.5), [0.25, 0.5, 0], [0.5, 0, 0.375]),
            (Fusion("theoretical", dense_weight=0.5), [1 / 3, 0.5, 1 / 6], [0.5, 0.5 * 1.5 / 1.9, 0.5 * 1.8 / 1.9]),
            (Fusion("z-score", dense_weight=1.0), [0, 0, 0], [0.98058, -1.37281, 0.39223]),
        ],
    )
    def test_by_hand(self, fusion, lexical, dense):
        assert fusion.dense_weight is not None
        found = fusion.shares(self.lexical, self.dense, fusion.dense_weight)
        np.testing.assert_allclose(found[0], lexical, atol=1e-5)
        np.testing.assert_allclose(found[1], dense, atol=1e-5)

    def test_first_in_both_scores_one(self):
        first = column([1, 2], [3.0, 2.0])
        for method in ("rrf", "min-max", "theoretical"):
            assert sum(share[0] for share in Fusion(method).shares(first, first, 0.5)) == pytest.approx(1)

    @pytest.mark.parametrize("method", METHODS)
    def test_scores_that_are_all_the_same_say_nothing_and_break_nothing(self, method):
        same = column([None, None], [0.0, 0.0])
        lexical, dense = Fusion(method).shares(same, column([1, 2], [0.8, 0.8]), 0.5)
        assert lexical.tolist() == [0, 0]
        assert np.isfinite(dense).all()

    def test_the_order_is_that_of_plain_reciprocal_ranks(self):
        ranks = [[1, 7, 3, None], [4, 1, None, 2]]
        plain = [sum(1 / (60 + rank) for rank in pair if rank) for pair in zip(*ranks, strict=True)]
        lexical, dense = Fusion("rrf", k=60).shares(column(ranks[0], [0.0] * 4), column(ranks[1], [0.0] * 4), 0.5)
        np.testing.assert_allclose((lexical + dense) / 61 * 2, plain)


class TestBounds:
    @pytest.mark.parametrize("values", [{"k": -1}, {"dense_weight": 1.5}, {"dense_weight": float("nan")}])
    def test_numbers_out_of_bounds(self, values):
        with pytest.raises(UserError) as caught:
            Fusion(**values)
        assert caught.value.code == "bad-fusion"

    def test_an_unknown_method_names_the_known(self):
        with pytest.raises(UserError) as caught:
            Fusion("borda")  # type: ignore[arg-type]
        assert all(method in caught.value.say("pl") for method in METHODS)


class TestHybrid:
    @pytest.mark.parametrize("method", METHODS)
    @pytest.mark.parametrize("top_k", [1, 5, 10, 25, 80])
    def test_every_score_is_the_sum_of_what_the_parts_added(self, method, top_k):
        retriever = hybrid(corpus(60), Fusion(method, dense_weight=0.4))
        found = retriever.search(QUESTION, top_k)
        assert len(found.passage_ids) == len(set(found.passage_ids)) <= top_k
        explained = retriever.explain(QUESTION, found.passage_ids)
        for passage_id, score, one in zip(found.passage_ids, found.scores, explained, strict=True):
            assert (one.passage_id, one.score) == (passage_id, score)
            assert sum(part.added for part in one.parts) == pytest.approx(score)
            lexical, dense = one.parts
            assert (lexical.name, dense.name) == ("lexical", "dense")
            assert sum(term.score for term in one.terms) == pytest.approx(lexical.score, rel=1e-5)
            assert lexical.rank or dense.rank

    def test_ranks_and_scores_are_those_of_the_parts(self):
        passages = corpus(60)
        retriever = hybrid(passages)
        encoder, store = HashedEncoder(), PassageStore.of(passages)
        parts = {
            "lexical": LexicalRetriever.in_memory(store).search(QUESTION, 10),
            "dense": DenseRetriever(store, FlatSearch(encoder.encode_passages(passages)), encoder).search(QUESTION, 10),
        }
        for one in retriever.explain(QUESTION, retriever.search(QUESTION, 10).passage_ids):
            for part in one.parts:
                ranking = parts[part.name]
                known = one.passage_id in ranking.passage_ids
                rank = ranking.passage_ids.index(one.passage_id) + 1 if known else None
                assert part.rank == rank
                if rank:
                    assert part.score == pytest.approx(ranking.scores[rank - 1], rel=1e-6)

    def test_a_passage_of_one_part_alone_has_the_exact_score_of_the_other(self):
        retriever = hybrid(corpus(60), depth=3)
        explained = retriever.explain(QUESTION, retriever.search(QUESTION, 6).passage_ids)
        alone = [part for one in explained for part in one.parts if part.rank is None]
        assert alone
        assert all(part.score > 0 for part in alone if part.name == "dense")

    def test_the_beginning_does_not_depend_on_how_many_are_asked_for(self):
        retriever = hybrid(corpus(60))
        whole = retriever.search(QUESTION, 10)
        for top_k in (1, 4, 9):
            assert retriever.search(QUESTION, top_k).passage_ids == whole.passage_ids[:top_k]
        assert retriever.search(QUESTION, 0).passage_ids == ()

    @pytest.mark.parametrize("method", METHODS)
    def test_one_weight_alone_is_the_ranking_of_one_part(self, method):
        passages = corpus(40)
        encoder, store = HashedEncoder(), PassageStore.of(passages)
        dense = DenseRetriever(store, FlatSearch(encoder.encode_passages(passages)), encoder).search(QUESTION, 10)
        assert hybrid(passages, Fusion(method, dense_weight=1)).search(QUESTION, 10).passage_ids == dense.passage_ids
        lexical = LexicalRetriever.in_memory(store).search(QUESTION, 10)
        found = hybrid(passages, Fusion(method, dense_weight=0)).search(QUESTION, 10)
        assert found.passage_ids[:9] == lexical.passage_ids[:9]  # those beyond may have the last one's score

    @pytest.mark.parametrize("method", METHODS)
    def test_a_question_of_stop_words_is_answered_by_vectors(self, method):
        retriever = hybrid(corpus(40), Fusion(method))
        found = retriever.search("Jak to jest?", 5)
        assert len(found.passage_ids) == 5
        explained = retriever.explain("Jak to jest?", found.passage_ids)
        assert [one.parts[1].rank for one in explained] == [1, 2, 3, 4, 5]
        assert {(one.parts[0].rank, one.parts[0].score) for one in explained} == {(None, 0.0)}

    def test_equal_scores_stand_in_corpus_order(self):
        same = [Passage(f"{number}", "", "zamek nad rzeką") for number in range(30)]
        assert hybrid(same, depth=8).search("zamek", 8).passage_ids == tuple(str(number) for number in range(8))

    def test_explains_passages_that_nobody_found(self):
        retriever = hybrid([*corpus(60), Passage("obcy", "", "xyz")], depth=3)
        (one,) = retriever.explain(QUESTION, ("obcy",))
        assert (one.score, one.terms, [part.rank for part in one.parts]) == (0.0, (), [None, None])
        assert retriever.explain(QUESTION, ()) == ()
        with pytest.raises(UserError, match="nie-ma"):
            retriever.explain(QUESTION, ("nie-ma",))

    @settings(max_examples=40, deadline=None)
    @given(st.integers(1, 30), st.integers(0, 50), st.integers(1, 12), st.sampled_from(METHODS), st.text(max_size=30))
    def test_any_corpus_and_question(self, count, seed, depth, method, question):
        retriever = hybrid(corpus(count, seed), Fusion(method, dense_weight=0.3), depth)
        found = retriever.search(question, 40)
        assert set(found.passage_ids) == {str(number) for number in range(count)}
        assert np.isfinite(found.scores).all()
        keyed = [(-score, int(key)) for score, key in zip(found.scores, found.passage_ids, strict=True)]
        assert keyed == sorted(keyed)

    def test_threads_find_what_one_finds(self):
        questions = [f"{first} i {second}" for first in WORDS for second in WORDS[:8]]
        one, retriever = hybrid(corpus(50)), hybrid(corpus(50))
        wanted = [one.search(question, 5) for question in questions]
        with ThreadPoolExecutor(8) as pool:
            assert list(pool.map(lambda question: retriever.search(question, 5), questions)) == wanted
