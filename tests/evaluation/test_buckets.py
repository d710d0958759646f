"""Each answer in one bucket, with the reason."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from polqa_demo.errors import Bilingual
from polqa_demo.evaluation import RULES, score_fuzzy_match
from polqa_demo.evaluation.buckets import (
    NAMES,
    is_near,
    numbers_in,
    place_answer,
    sort_answers,
)
from polqa_demo.records import Question


@pytest.mark.parametrize(
    ("prediction", "golds", "bucket", "gold"),
    [
        ("Rzym", ["w Rzymie"], "right", "w Rzymie"),
        (None, ["Kraków"], "empty", None),
        (" \u00a0", ["Kraków"], "empty", None),
        ("Odpowiedź: Ren", ["Łaba", "Ren"], "format", "Ren"),
        ("„Ob”", ["Ob"], "format", "Ob"),
        ("Z.", ["Ob", "Z"], "format", "Z"),
        ("Sienkiewicz Henryk", ["Henryk Sienkiewicz"], "stem", "Henryk Sienkiewicz"),
        ("tom 2 z roku 1943", ["1943"], "number_elsewhere", "1943"),
        ("08.09.1943", ["w 1943"], "number_elsewhere", "w 1943"),
        ("w wieku (XIX)", ["XIX"], "format", "XIX"),
        ("dwadzieścia pięć", ["25"], "format", "25"),
        ("<think>Wisła?</think> Odra", ["Odra"], "format", "Odra"),
        ("angielskiego", ["z francuskiego"], "near", "z francuskiego"),
        ("białego", ["biały"], "near", "biały"),
        ("Wisła", ["Dunajec"], "other", "Dunajec"),
        ("w 1944", ["1943"], "other", "1943"),
        ("Tak", ["babka"], "other", "babka"),
    ],
)
def test_every_bucket(prediction: str | None, golds: list[str], bucket: str, gold: str | None) -> None:
    found = place_answer("7", prediction, golds)
    assert (found.question_id, found.bucket, found.gold) == ("7", bucket, gold)
    assert all(found.reason)


def test_the_first_cause_that_fits_is_named() -> None:
    # The stems are equal, too, but a repair is told first.
    assert place_answer("1", "„Ob”", ["Ob"]).bucket == "format"
    assert place_answer("1", "(Ob)", ["Ob"]).bucket == "stem"
    # The number stands in it, too.
    assert place_answer("1", "2. w 1943", ["1943"]).bucket == "format"
    assert place_answer("1", "2 w 1943", ["1943"]).bucket == "number_elsewhere"
    # One edit beyond the limit, but the words are the same.
    assert place_answer("1", "Warta Q", ["Q Warta"]).bucket == "stem"
    assert place_answer("1", "Warto Q", ["Q Warka"]).bucket != "stem"
    assert is_near(4, 3.5, 7)


def test_reasons_name_what_decided() -> None:
    near = place_answer("1", "angielskiego", ["z francuskiego"])
    assert near.reason == Bilingual("odległość 8, a wolno najwyżej 7,0", "distance 8; at most 7.0 is allowed")
    number = place_answer("1", "tom 2 z roku 1943", ["1943"])
    assert "1943" in number.reason.pl
    assert "reads 2" in number.reason.en
    mended = place_answer("1", "Odpowiedź: Ren", ["Ren"])
    assert "„Ren”" in mended.reason.pl
    assert place_answer("1", None, ["x"]).reason != place_answer("1", "", ["x"]).reason


def test_the_strict_rule_says_less_than() -> None:
    found = place_answer("1", "Rzym", ["w Rzymie"], "readme")
    assert found.bucket == "near"
    assert "mniej niż 4,0" in found.reason.pl


@pytest.mark.parametrize(
    ("distance", "limit", "longer", "strict", "near"),
    [
        (5, 4.0, 9, False, True),  # one edit beyond
        (6, 4.0, 12, False, False),  # two of a short gold
        (12, 10.0, 22, False, True),  # a fifth of a long one
        (13, 10.0, 23, False, False),
        (4, 4.0, 8, False, False),  # the limit itself is right
        (4, 4.0, 8, True, True),  # and wrong by the strict rule
        (5, 4.5, 9, False, True),  # odd length: at most 4 were allowed
        (5, 4.5, 9, True, True),
        (3, 2.0, 5, False, False),  # two fifths kept are not more than two fifths
        (3, 2.0, 6, False, True),
    ],
)
def test_what_is_near(distance: int, limit: float, longer: int, strict: bool, near: bool) -> None:
    assert is_near(distance, limit, longer, strict) is near


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("08.09.1943", {"08.09", ".1943", "08", "09", "1943"}),
        ("Jan Paweł II (1978)", {"2", "1978"}),
        ("(XIX)", {"19"}),
        ("xix wiek", set()),
        ("", set()),
    ],
)
def test_numbers_that_stand_in_a_text(text: str, numbers: set[str]) -> None:
    assert numbers_in(text) == numbers


def test_a_file_is_sorted_in_the_order_of_its_questions() -> None:
    questions = [
        Question("1", "?", ("Ren",)),
        Question("2", "?", ()),
        Question("3", "?", ("Xi",)),
        Question("4", "?", ("Ob",)),
    ]
    found = sort_answers(questions, {"1": "Ren", "2": "Ren", "4": "Wisła"})
    assert [(item.question_id, item.bucket) for item in found.items] == [("1", "right"), ("3", "empty"), ("4", "other")]
    assert found.counts == dict.fromkeys(NAMES, 0) | {"right": 1, "empty": 1, "other": 1}
    assert found.ids("empty") == ("3",)


def test_an_unknown_rule_is_named() -> None:
    with pytest.raises(ValueError, match="bleu"):
        place_answer("1", "a", ["a"], "bleu")


TEXTS = st.text(st.sampled_from('abż 12XI.,"„”'), max_size=10)


@given(TEXTS, st.lists(TEXTS, min_size=1, max_size=3), st.sampled_from(RULES))
def test_right_is_what_the_rule_says_and_nothing_else(prediction: str, golds: list[str], rule: str) -> None:
    found = place_answer("1", prediction, golds, rule)
    assert (found.bucket == "right") is score_fuzzy_match(prediction, golds, rule)
    assert found.bucket in NAMES
    assert found.gold is None or found.gold in {*golds, found.verdict.gold}


@given(st.integers(0, 60), st.integers(1, 60), st.integers(1, 80), st.booleans())
def test_a_near_miss_is_a_miss_and_never_far(distance: int, length: int, longer: int, strict: bool) -> None:
    if is_near(distance, length / 2, longer, strict):
        assert 2 * distance >= length if strict else 2 * distance > length
        assert distance <= max(math.ceil(length / 2) + 1, 0.6 * length)
