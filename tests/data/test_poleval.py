"""The layouts of PolEval 2021 and 2022."""

import pytest

from polqa_demo.data import poleval
from polqa_demo.records import Judgement


def test_golds_of_2022_count_each_passage_once_and_keep_empty_lines_in_place() -> None:
    assert poleval.passage_golds(["12-3\t 12-4 \t12-3", "", "2002_423_129b"]) == (
        Judgement("1", "12-3", grade=1),
        Judgement("1", "12-4", grade=1),
        Judgement("3", "2002_423_129b", grade=1),
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
