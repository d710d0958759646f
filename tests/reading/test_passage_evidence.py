"""What speaks for a passage before its spans are read: its place in the list, and the words it has of the question."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from polqa_demo.reading.passage_evidence import EVIDENCE, passage_evidence
from polqa_demo.reading.question_types import understand
from polqa_demo.reading.rules import passage_weights
from polqa_demo.reading.span_features import ReadPassage, read_passage

QUESTION = understand("Kto zbudował młyn wodny w Karwi?")
MILL = "Młyn wodny w Karwi zbudował Antoni Zaręba."
FORD = "Młyn wodny w Brodzie spłonął."
WIND = "Młyn wodny w Lesie stoi od lat."


def column(name: str, *texts: str, title: str = "") -> list[float]:
    passages = [read_passage(text, title) for text in texts]
    return passage_evidence(passages, QUESTION)[:, EVIDENCE.index(name)].tolist()


def test_a_place_counts_less_and_less_down_the_list() -> None:
    ranks = column("rank", MILL, MILL, MILL, MILL)
    assert ranks[0] == 0
    assert ranks == sorted(ranks, reverse=True)
    assert ranks[0] - ranks[1] > ranks[1] - ranks[2] > ranks[2] - ranks[3] > 0


def test_words_that_few_passages_have_tell_most() -> None:
    told = column("told", WIND, FORD, MILL)
    assert told[0] == told[1] < told[2] == 1
    # All have "młyn" and "wodny", which so say next to nothing, though they are half of the question.
    assert told[0] < 0.25


def test_titles_count_as_the_text_does_and_by_themselves() -> None:
    assert column("told", FORD, WIND, title="Młyn w Karwi") == [1, 1]
    in_title, without = column("title", FORD, title="Młyn w Karwi"), column("title", MILL)
    assert 0 < in_title[0] < 1
    assert without == [0]


def test_many_candidates_speak_against_the_best_of_them() -> None:
    short, long = column("few", MILL, " ".join([MILL, FORD, WIND]))
    assert long < short < 0


def test_what_speaks_for_a_passage_weighs_for_it() -> None:
    assert (passage_weights() > 0).all()


@given(st.lists(st.sampled_from(["", "!", MILL, FORD, WIND, "Deszcz."]), max_size=6))
def test_any_list_has_a_row_of_numbers_for_every_passage(texts: list[str]) -> None:
    passages: list[ReadPassage] = [read_passage(text, "") for text in texts]
    found = passage_evidence(passages, QUESTION)
    assert found.shape == (len(texts), len(EVIDENCE))
    assert np.isfinite(found).all()
    told = found[:, EVIDENCE.index("told")]
    assert ((told >= 0) & (told <= 1 + 1e-9)).all()
