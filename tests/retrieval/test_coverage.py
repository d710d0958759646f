import pytest
from hypothesis import given
from hypothesis import strategies as st

from polqa_demo.data.passages import PassageStore
from polqa_demo.records import Passage
from polqa_demo.retrieval.coverage import coverage, dense_weight
from polqa_demo.retrieval.lexical import LexicalRetriever

LEXICAL = LexicalRetriever.in_memory(
    PassageStore.of(
        [
            Passage("1", "Lalka", "Powieść Bolesława Prusa o kupcu Wokulskim."),
            Passage("2", "Zwroty", "Pieniądze oddajemy w ciągu czternastu dni."),
        ]
    )
)


@pytest.mark.parametrize(
    ("question", "share"),
    [
        ("Kto napisał powieść Lalka?", 2 / 3),
        ("Bolesław Prus", 1.0),  # inflected forms count
        ("Lalka lalka LALKA", 1.0),  # a word counts once
        ("Kiedy dostanę zwrot kosztów?", 1 / 3),
        ("Jak reklamować uszkodzony towar?", 0.0),
        ("Kto i kiedy?", 0.0),
        ("", 0.0),
    ],
)
def test_coverage_is_the_share_of_content_words_in_the_best_passage(question: str, share: float) -> None:
    assert coverage(question, LEXICAL) == pytest.approx(share)


@given(st.text(max_size=60))
def test_coverage_is_a_share(question: str) -> None:
    assert 0 <= coverage(question, LEXICAL) <= 1


def test_the_fewer_words_match_the_more_the_vectors_count() -> None:
    weights = [dense_weight(share / 10) for share in range(11)]
    assert weights == sorted(weights, reverse=True)
    assert (weights[0], weights[-1]) == pytest.approx((0.90, 0.58), abs=0.005)
