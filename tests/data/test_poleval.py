"""The layouts of PolEval 2021 and 2022."""

import pytest

from polqa_demo.data import poleval
from polqa_demo.records import Judgement, Question


def test_questions_of_2021_and_2022() -> None:
    lines = ["Kto napisał „Lalkę”?", " wiki\tNad jaką rzeką leży Łódź? ", "legal\tCo to jest umowa?"]
    assert poleval.question_lines(lines) == (
        Question("1", "Kto napisał „Lalkę”?"),
        Question("2", "Nad jaką rzeką leży Łódź?"),
        Question("3", "Co to jest umowa?"),
    )


def test_golds_of_2021_keep_their_blanks_and_quotes() -> None:
    assert poleval.answer_golds(['"Solaris', " w 1794\t1794", "a\tb\tc"]) == (
        ('"Solaris',),
        (" w 1794", "1794"),
        ("a", "b", "c"),
    )


def test_golds_of_2022_count_each_passage_once_and_keep_empty_lines_in_place() -> None:
    assert poleval.passage_golds(["12-3\t 12-4 \t12-3", "", "2002_423_129b"]) == (
        Judgement("1", "12-3", relevant=True),
        Judgement("1", "12-4", relevant=True),
        Judgement("3", "2002_423_129b", relevant=True),
    )


@pytest.mark.parametrize(
    ("lines", "passages"),
    [
        (["12-3\t1-0", "2002_423_129b", "511"], True),
        (["12-3", "", "4-0"], True),
        (["12-3", "w Toruniu"], False),
        (["1939-1945 lata"], False),
        (["", ""], False),
        ([], False),
    ],
)
def test_passages_are_told_from_answers(lines: list[str], passages: bool) -> None:
    assert poleval.looks_like_passage_ids(lines) is passages


def test_an_id_without_an_end_takes_no_time() -> None:
    assert not poleval.looks_like_passage_ids(["1" + "_" * 100_000 + "!"])
