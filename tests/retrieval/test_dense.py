"""Dense retrieval with an encoder of hashed trigrams."""

import numpy as np
import pytest
from hashed_encoder import HashedEncoder

from polqa_demo.data.passages import PassageStore
from polqa_demo.errors import UserError
from polqa_demo.records import Passage
from polqa_demo.retrieval.dense import DenseRetriever
from polqa_demo.retrieval.vectors import FlatSearch

PASSAGES = [
    Passage("1-0", "Grunwald", "Bitwa pod Grunwaldem rozegrała się w 1410 roku."),
    Passage("2-0", "Łódź", "Łódź leży nad rzeką Łódką."),
    Passage("6-0", "Kopernik", "Mikołaj Kopernik urodził się w Toruniu."),
    Passage("6-1", "Kopernik", "Mikołaj Kopernik urodził się w Toruniu."),
]


@pytest.fixture
def encoder():
    return HashedEncoder()


@pytest.fixture
def retriever(encoder):
    store = PassageStore.of(PASSAGES)
    return DenseRetriever(store, FlatSearch(encoder.encode_passages(PASSAGES)), encoder)


def test_the_nearest_come_first_and_equals_in_corpus_order(retriever):
    found = retriever.search("urodziny Kopernika w Toruniu", 3)
    assert found.passage_ids[:2] == ("6-0", "6-1")
    assert found.scores[0] == found.scores[1] > found.scores[2]
    assert found.question_id == ""
    assert len(retriever.search("Łódź", 10).passage_ids) == 4
    assert retriever.search("Łódź", 0).passage_ids == ()


def test_explains_by_the_cosine(retriever, encoder):
    question = "Gdzie leży Łódź?"
    found = retriever.search(question, 4)
    explained = retriever.explain(question, found.passage_ids)
    assert [one.passage_id for one in explained] == list(found.passage_ids)
    assert [one.score for one in explained] == list(found.scores)
    for one in explained:
        passage = next(passage for passage in PASSAGES if passage.id == one.passage_id)
        cosine = float((encoder.encode_queries([question]) @ encoder.encode_passages([passage]).T).item())
        (part,) = one.parts
        assert (part.name, part.rank, part.added) == ("dense", None, one.score)
        assert part.score == pytest.approx(cosine, abs=1e-6)
        assert one.terms == ()
    assert retriever.explain(question, ()) == ()


def test_a_question_is_encoded_once(retriever, encoder):
    before = encoder.encoded
    found = retriever.search("Gdzie leży Łódź?", 2)
    retriever.explain("Gdzie leży Łódź?", found.passage_ids)
    retriever.search("Gdzie leży Łódź?", 3)
    assert encoder.encoded == before + 1


def test_an_unknown_passage(retriever):
    with pytest.raises(UserError) as caught:
        retriever.explain("Łódź", ("2-0", "nie-ma"))
    assert caught.value.code == "unknown-passage"
    assert "nie-ma" in caught.value.say("pl")


@pytest.mark.parametrize(("count", "dimension"), [(3, 64), (4, 32)])
def test_vectors_of_something_else(count, dimension, encoder):
    vectors = HashedEncoder(dimension=dimension).encode_passages(PASSAGES[:count])
    with pytest.raises(UserError) as caught:
        DenseRetriever(PassageStore.of(PASSAGES), FlatSearch(vectors), encoder)
    assert caught.value.code == "vectors-misfit"
    assert "trigrams" in caught.value.say("pl")
    assert str(dimension) in caught.value.say("en")


def test_an_encoder_that_gives_nan_for_a_question(encoder, monkeypatch):
    vectors = FlatSearch(encoder.encode_passages(PASSAGES))
    monkeypatch.setattr(encoder, "encode_queries", lambda texts: np.full((len(texts), 64), np.nan, np.float32))
    with pytest.raises(UserError) as caught:
        DenseRetriever(PassageStore.of(PASSAGES), vectors, encoder).search("Łódź", 2)
    assert caught.value.code == "vectors-unfit"
    assert "Wektory pytań" in caught.value.say("pl")
