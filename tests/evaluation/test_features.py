"""Question words that go with errors, against hand counts and scipy."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import fisher_exact

from polqa_demo.evaluation.features import error_features
from polqa_demo.records import Question


def asked(*texts: str) -> list[Question]:
    return [Question(str(place), text, ("x",)) for place, text in enumerate(texts)]


def test_by_hand() -> None:
    # `rzeka` in three forms in 6 questions, 5 of them wrong; 14 others, 1 wrong; one form twice in a question.
    rivers = ["Jaka rzeka?", "Której rzeki?", "Nad rzeką?", "Do rzeki, jakiej rzeki?", "Rzeka?", "Ta rzeka?"]
    questions = asked(*rivers, *(["Kto malował?"] * 14))
    right = {str(place): place in (0, *range(7, 20)) for place in range(20)}
    found = {feature.stem: feature for feature in error_features(questions, right)}
    assert len(found) == 2
    river = next(feature for feature in found.values() if feature.word == "rzeka")
    assert (river.n, river.errors, river.other_n, river.other_errors) == (6, 5, 14, 1)
    assert river.difference == pytest.approx(100 * (5 / 6 - 1 / 14))
    assert river.p == pytest.approx(fisher_exact([[5, 1], [1, 13]]).pvalue)
    assert river.adjusted_p == pytest.approx(2 * river.p)


def test_fewer_than_five_are_left_out_and_unknown_questions_too() -> None:
    questions = asked(*["Gdzie leży Kraków?"] * 5, *["Kim był Chopin?"] * 4)
    right = {str(place): True for place in range(9)}
    assert {feature.word for feature in error_features(questions, right)} == {"leży", "kraków"}
    assert error_features(questions, dict.fromkeys("01234", True), fewest=6) == ()
    assert error_features([], {}) == ()


@given(st.integers(0, 10_000))
def test_every_row_adds_up(seed: int) -> None:
    chance = random.Random(seed)
    texts = [" ".join(chance.sample(["miasto", "rzeka", "król", "wojna", "film", "autor"], 2)) for _ in range(60)]
    right = {str(place): chance.random() < 0.5 for place in range(60)}
    found = error_features(asked(*texts), right)
    assert [feature.p for feature in found] == sorted(feature.p for feature in found)
    for feature in found:
        assert feature.n >= 5
        assert feature.n + feature.other_n == 60
        assert feature.p <= feature.adjusted_p <= 1
        assert feature.errors + feature.other_errors == 60 - sum(right.values())


def test_a_true_weakness_is_on_top() -> None:
    chance = random.Random(8)
    texts = [chance.choice(["Jakie miasto", "Jaka rzeka", "Który król", "Która wojna"]) for _ in range(400)]
    right = {str(at): chance.random() < (0.2 if "król" in text else 0.7) for at, text in enumerate(texts)}
    first = error_features(asked(*texts), right)[0]
    assert first.word == "król"
    assert first.difference > 30
    assert first.adjusted_p < 1e-6
