"""The floor against exact enumeration, and files that are the gold."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from polqa_demo.evaluation import RULES, score_fuzzy_match
from polqa_demo.evaluation.floor import lookalikes, noise_floor
from polqa_demo.evaluation.shares import Share
from polqa_demo.records import Question

GOLDS = ["tak", "nie", "Kraków", "w Krakowie", "5", "pięć", "XIX", "Tak", "1945", "Wisła", "Warta", "Odra"]


def gold_set(*golds: tuple[str, ...]) -> list[Question]:
    return [Question(str(place), "?", answers) for place, answers in enumerate(golds)]


def expected_share(questions: list[Question], rule: str) -> float:
    """The first gold of each other question, for every question."""
    pairs = [(other.answers[0], one.answers) for one in questions for other in questions if one is not other]
    return sum(score_fuzzy_match(*pair, rule) for pair in pairs) / len(pairs)


def test_by_hand() -> None:
    floor = noise_floor(gold_set(("tak",), ("Nie",), ("nie",), ("nie wiem", "nie"), ("5",), ()))
    assert floor is not None
    assert (floor.n, floor.yes, floor.commonest_gold, floor.commonest) == (5, Share(1, 5), "nie", Share(3, 5))
    assert floor.highest == 0.6


def test_without_golds_there_is_no_floor() -> None:
    assert noise_floor(gold_set((), ())) is None
    alone = noise_floor(gold_set(("tak",)))
    assert alone is not None
    assert alone.another is None
    with pytest.raises(ValueError, match="two shuffles"):
        noise_floor(gold_set(("tak",)), shuffles=1)


@given(st.lists(st.lists(st.sampled_from(GOLDS), min_size=1, max_size=3), min_size=2, max_size=12), st.integers(0, 99))
def test_enough_shuffles_are_exact(golds: list[list[str]], seed: int) -> None:
    questions = gold_set(*map(tuple, golds))
    for rule in RULES:
        floor = noise_floor(questions, rule, seed, shuffles=20)
        assert floor is not None
        assert floor.another is not None
        assert floor.another.value == pytest.approx(expected_share(questions, rule))
        assert floor.another.low == floor.another.value == floor.another.high
        assert floor.another.shuffles == len(questions) - 1


def test_the_interval_holds_the_expected_value() -> None:
    questions = gold_set(*[(GOLDS[place * place % 12],) for place in range(120)])
    truth = expected_share(questions, "poleval")
    assert 0.02 < truth < 0.5
    floors = [noise_floor(questions, seed=seed, shuffles=5) for seed in range(200)]
    chances = [floor.another for floor in floors if floor and floor.another]
    covered = sum(chance.low <= truth <= chance.high for chance in chances)
    # Deals without repetition stray less than independent pairs: the interval is on the safe side.
    assert covered >= 190
    assert math.fsum(chance.value for chance in chances) / 200 == pytest.approx(truth, abs=0.003)
    assert len({chance.value for chance in chances}) > 5
    assert noise_floor(questions, seed=3) == noise_floor(questions, seed=3)


def test_the_gold_itself_is_recognised() -> None:
    questions = gold_set(*[("w Indiach", "Indie")] * 6, *[("Kraków",)] * 6)
    first = {item.id: item.answers[0] + " " for item in questions}
    assert lookalikes(questions, first).is_gold
    assert lookalikes(questions, first).first == 12
    turned = {item.id: item.answers[-1] for item in questions}
    assert (lookalikes(questions, turned).first, lookalikes(questions, turned).variant) == (6, 6)
    assert lookalikes(questions, turned).is_gold


@pytest.mark.parametrize(
    "text", ["['Indie', 'w Indiach']", '["Indie", "w Indiach"]', "Indie\tw Indiach", "Indie; w Indiach"]
)
def test_all_golds_at_once_in_any_order(text: str) -> None:
    questions = gold_set(*[("w Indiach", "Indie")] * 10)
    found = lookalikes(questions, {item.id: text for item in questions})
    assert (found.first, found.variant, found.joined, found.is_gold) == (0, 0, 10, True)


def test_honest_answers_are_no_gold() -> None:
    questions = gold_set(*[("Kraków",)] * 20)
    predictions = {str(place): "Kraków" if place < 18 else "Warszawa" for place in range(20)}
    found = lookalikes(questions, predictions)
    assert (found.n, found.first, found.share, found.is_gold) == (20, 18, 0.9, False)
    assert lookalikes(questions, {}).share == 0
    # too few to tell
    assert not lookalikes(questions[:9], predictions).is_gold


@pytest.mark.parametrize("gold", ["tak", "Nie", "1939", "2,5", "10 000"])
def test_yes_no_and_numbers_that_agree_say_nothing(gold: str) -> None:
    questions = gold_set(*[(gold,)] * 20, ("Kraków",), ("Wisła",))
    predictions = {item.id: item.answers[0] for item in questions}
    assert lookalikes(questions, predictions).share == 1
    assert not lookalikes(questions, predictions).is_gold
    words = gold_set(*[(gold,)] * 20, *[("Kraków",)] * 5)
    assert lookalikes(words, {item.id: item.answers[0] for item in words}).is_gold


@given(st.lists(st.tuples(st.lists(st.sampled_from(GOLDS), max_size=3), st.text(max_size=12)), max_size=20))
def test_counts_stay_within_the_predictions(drawn: list[tuple[list[str], str]]) -> None:
    questions = gold_set(*(tuple(golds) for golds, _ in drawn))
    found = lookalikes(questions, {str(place): text for place, (_, text) in enumerate(drawn)})
    assert 0 <= found.first + found.variant + found.joined <= found.n <= len(questions)
    assert 0 <= found.share <= 1
