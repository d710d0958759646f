"""Lists in lists without end, in the place of an answer, of golds or of a question: refused, never a crash."""

import pytest

from polqa_demo.submissions.gold import read_gold, read_gold_or_questions
from polqa_demo.submissions.problems import Refused
from tests.submissions.answer_files import IDS, refusal

NESTED = [
    opening * depth + '"tak"' + closing * depth
    for opening, closing in (("[", "]"), ('{"text": ', "}"))
    for depth in (60, 500, 900)
]


@pytest.mark.parametrize("value", NESTED)
def test_nested_answers_are_refused(value: str) -> None:
    row = f'{{"id": {IDS[0]}, "answer": {value}}}'
    for data in (row, f"[{row}]", f'{{"{IDS[0]}": {value}}}'):
        assert refusal(data)[0] == "nested-answers"
    cell = '"' + value.replace('"', '""') + '"'
    assert refusal(f"id,answer\n{IDS[0]},{cell}\n")[0] == "nested-answers"


@pytest.mark.parametrize("value", NESTED)
def test_nested_golds_and_questions_are_refused(value: str) -> None:
    for fields in (f'"question": "Kto?", "answers": {value}', f'"question": {value}, "answers": ["tak"]'):
        with pytest.raises(Refused) as caught:
            read_gold(f'{{"id": 1, {fields}}}\n'.encode(), "gold")
        assert caught.value.code == "unknown-shape"
    with pytest.raises(Refused) as caught:
        read_gold_or_questions(f'{{"id": 1, "question": {value}}}\n'.encode())
    assert caught.value.code == "unknown-shape"


def test_a_few_levels_are_read() -> None:
    found = read_gold(b'{"id": 1, "question": "Kto?", "answers": [[[["tak"]], "owszem"]]}\n', "gold")
    assert found.questions[0].answers == ("tak", "owszem")
