"""One field of an object several times: refused where the values differ, whatever the form."""

import pytest

from polqa_demo.submissions.gold import read_gold
from polqa_demo.submissions.problems import Refused
from polqa_demo.submissions.rankings import read_rankings
from tests.submissions.answer_files import GOLDS, IDS, QUESTIONS, read, refusal, right, told

ROWS = [f'{{"id": {key}, "answer": "{text}"}}' for key, text in zip(IDS, GOLDS, strict=True)]


@pytest.mark.parametrize(
    "row",
    [
        '{"id": 101, "answer": "Paryż", "answer": "zupa"}',
        '{"id": 101, "prediction": "Paryż", "Prediction": "zupa"}',
        '{"id": 101, "ID": 102, "answer": "Paryż"}',
    ],
)
def test_fields_of_a_row(row: str) -> None:
    for data in ("\n".join([row, *ROWS[1:]]), f"[{','.join([row, *ROWS[1:]])}]"):
        assert refusal(data)[0] == "repeated-field"


def test_keys_inside_a_wrapper() -> None:
    pairs = [f'"{key}": "{text}"' for key, text in zip(IDS, GOLDS, strict=True)]
    assert refusal(f'{{"predictions": {{{", ".join(pairs)}, "101": "zupa"}}}}')[0] == "repeated-field"
    run = '{"name": "x", "run": {"101": {"1-0": 2.5}, "102": {"1-0": 2.5}, "101": {"2-0": 1.5}}}'
    with pytest.raises(Refused) as caught:
        read_rankings(run.encode(), QUESTIONS)
    assert caught.value.code == "repeated-field"


def test_fields_of_gold() -> None:
    with pytest.raises(Refused) as caught:
        read_gold(b'{"id": 1, "question": "Kto?", "answers": ["tak"], "Answers": ["nie"]}\n', "gold")
    assert caught.value.code == "repeated-field"


@pytest.mark.parametrize(
    "row",
    [
        '{"id": 101, "answer": "Paryż", "answer": "Paryż"}',
        '{"id": 101, "answer": "Paryż", "Answer": "Paryż"}',
        '{"id": 101, "answer": "Paryż", "model": "a", "model": "b"}',
        '{"id": 101, "answer": "Paryż", "uwagi": "a", "Uwagi": "b"}',
    ],
)
def test_the_same_twice_and_remarks_stay(row: str) -> None:
    file = read("\n".join([row, *ROWS[1:]]))
    assert right(file) == 12
    assert set(told(file)) <= {"gold-lookalike"}
