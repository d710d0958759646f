import math

import pytest

from polqa_demo.reading.question_types import understand
from polqa_demo.reading.span_rules import UNKNOWN, SecondOpinion
from polqa_demo.records import Passage

TEXT = "Adam Mickiewicz napisał „Pana Tadeusza” w Paryżu w 1834 roku. Juliusz Słowacki mieszkał w Genewie."
PASSAGE = Passage("1", "Pan Tadeusz", TEXT)
QUESTION = understand("W którym roku Adam Mickiewicz napisał „Pana Tadeusza”?")


def place(piece: str) -> tuple[int, int]:
    return TEXT.index(piece), TEXT.index(piece) + len(piece)


def test_the_rules_prefer_what_they_would_answer() -> None:
    (values,) = SecondOpinion().of(QUESTION, [(PASSAGE, [place("1834"), place("Genewie"), place("Juliusz Słowacki")])])
    assert values[0] > max(values[1:])
    assert sum(math.exp(value) for value in values) <= 1.001


def test_a_span_that_is_no_candidate_is_judged_by_its_nearest() -> None:
    whole, cut = place("1834"), (place("1834")[0], place("1834")[1] + 1)
    ((one, other),) = SecondOpinion().of(QUESTION, [(PASSAGE, [whole, cut])])
    assert UNKNOWN <= other < one


@pytest.mark.parametrize("text", ["", " ", "Nic o tym.", "słowo " * 5_000])
def test_passages_the_rules_cannot_read_give_no_opinion(text: str) -> None:
    values = SecondOpinion().of(QUESTION, [(Passage("2", "", text), [(0, 1)])])
    assert values == [[UNKNOWN]]


def test_shares_are_those_of_all_passages_together() -> None:
    alone = SecondOpinion().of(QUESTION, [(PASSAGE, [place("1834")])])
    twice = SecondOpinion().of(QUESTION, [(PASSAGE, [place("1834")]), (PASSAGE, [place("1834")])])
    assert twice[0][0] == pytest.approx(alone[0][0] - math.log(2), abs=1e-4)
