"""Does a text hold a gold answer?"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from polqa_demo.evaluation.evidence import SLACK, held_answer

TEXT = "Juliusz Słowacki, obok Adama Bernarda Mickiewicza, był w Paryżu trzech lat XIX wieku; cena: 5 § (1943)."


@pytest.mark.parametrize(
    "gold",
    [
        "Adam Mickiewicz",
        "Mickiewicz Adam",
        "w Paryżu",
        "Paryż",
        "3 lata",
        "trzy",
        "5",
        "pięć",
        "1943",
        "XIX wiek",
        "w XIX wieku",
        "§",
    ],
)
def test_a_form_of_the_answer_is_held(gold: str) -> None:
    assert held_answer(TEXT, [gold]) == gold


@pytest.mark.parametrize(
    "gold", ["nie", "tak", "był", "", " ", "€", "194", "Adam Słowacki w Krakowie", "Juliusz Verne"]
)
def test_what_is_not_there_or_says_nothing_is_not_held(gold: str) -> None:
    assert held_answer(f"{TEXT} Nie był tak.", [gold]) is None


def test_the_first_gold_that_is_held_is_named() -> None:
    assert held_answer(TEXT, ["Kraków", "Paryż", "Słowacki"]) == "Paryż"
    assert held_answer("", ["Paryż"]) is None
    assert held_answer(TEXT, []) is None


@pytest.mark.parametrize(("between", "held"), [(SLACK, True), (SLACK + 1, False)])
def test_the_words_of_an_answer_stand_near_to_one_another(between: int, held: bool) -> None:
    text = "na początku " + " ".join(["Henryk", *["słowo"] * between, "Sienkiewicz"])
    assert (held_answer(text, ["Henryk Sienkiewicz"]) is not None) is held


def test_the_latest_place_of_each_word_counts() -> None:
    text = "Henryk a b c d e f g h Sienkiewicz i Henryk"
    assert held_answer(text, ["Henryk Sienkiewicz"]) is not None


WORD = st.sampled_from("Wisła Kraków rzeka król Jan trzy 12 Odra zamek stary".split())


@given(st.lists(WORD, max_size=12), st.lists(WORD, min_size=1, max_size=4), st.lists(WORD, max_size=12))
def test_a_literal_answer_is_always_held(before: list[str], gold: list[str], after: list[str]) -> None:
    assert held_answer(" ".join([*before, *gold, *after]), [" ".join(gold)]) is not None
