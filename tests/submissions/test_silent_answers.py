"""Files of answers that can be read in two ways: the right one is taken, and the choice is told."""

import json
import random

import pytest

from polqa_demo.records import Question
from polqa_demo.submissions.answers import AnswersFile, read_answers
from polqa_demo.submissions.problems import Refused
from polqa_demo.submissions.table import Overrides

TEXTS = ("Paryż", "Londyn", "1939", "Jan Matejko", "tak", "nie", "Wisła", "Bałtyk", "Kraków", "Tatry")
RIGHT = {str(101 + place): text for place, text in enumerate(TEXTS)}
QUESTIONS = tuple(Question(key, "") for key in RIGHT)


def read(text: str, form: str | None = None) -> AnswersFile:
    return read_answers(text.encode(), QUESTIONS, "odp", Overrides(form=form))


def codes(file: AnswersFile) -> set[str]:
    return {problem.code for problem in file.problems}


@pytest.mark.parametrize("header", ["question_id,answer,prediction", "prediction,answer,question_id"])
def test_what_was_predicted_goes_before_answer(header: str) -> None:
    names = header.split(",")
    rows = [{"question_id": key, "answer": "złoto", "prediction": text} for key, text in RIGHT.items()]
    table = read(header + "\n" + "".join(",".join(row[name] for name in names) + "\n" for row in rows))
    objects = read("".join(json.dumps(row) + "\n" for row in rows))
    for file in (table, objects):
        assert file.predictions == RIGHT
        assert "answer-chosen" in codes(file)


def test_a_row_without_its_prediction_is_not_filled_from_the_gold() -> None:
    rows = [{"id": 101, "answer": "złoto", "prediction": "Paryż"}, {"id": 102, "answer": "złoto"}]
    assert read("".join(json.dumps(row) + "\n" for row in rows)).predictions == {"101": "Paryż", "102": ""}


def test_two_columns_of_one_name_are_refused() -> None:
    with pytest.raises(Refused) as caught:
        read("id,answer,answer\n101,a,b\n")
    assert caught.value.code == "repeated-column"


@pytest.mark.parametrize("separator", ["\t", ",", ";", "|", ": ", " ", " | "])
@pytest.mark.parametrize("before", ["", "\ufeff", "\u00a0"])
def test_lines_that_begin_with_ids_are_read_by_them(separator: str, before: str) -> None:
    lines = [f"{before}{key}{separator}{text}\n" for key, text in RIGHT.items()]
    lines[6] = f"{before}107\n"
    lines[8] = f"999{separator}Kraków\n"
    random.Random(3).shuffle(lines)
    file = read("".join(lines))
    assert file.predictions == {key: text for key, text in RIGHT.items() if key != "109"} | {"107": ""}
    assert codes(file) >= {"empty-answers", "missing-ids", "extra-ids", "ids-recognised"}


def test_an_unknown_header_hides_no_ids() -> None:
    lines = [f"{key};{text}\n" for key, text in RIGHT.items()][:-1]
    assert read("nr;odp\n" + "".join(lines)).predictions == {key: text for key, text in RIGHT.items() if key != "110"}


def test_the_reading_by_ids_can_be_overridden() -> None:
    text = "".join(f"{key} {text}\n" for key, text in RIGHT.items())
    assert read(text, "lines").predictions["101"] == "101 Paryż"


def test_numbered_lines_of_another_split_are_refused() -> None:
    with pytest.raises(Refused) as caught:
        read("".join(f"{n}\t{text}\n" for n, text in enumerate(TEXTS)))
    assert caught.value.code == "wrong-split"


def test_a_confidence_behind_the_answer_is_no_part_of_it() -> None:
    file = read("".join(f"{key}\t{text}\t0.{key}\n" for key, text in RIGHT.items()))
    assert file.predictions == RIGHT
    assert "ids-recognised" in codes(file)


def test_lists_of_one_and_objects_of_readers_are_their_text() -> None:
    values = [["Paryż"], {"text": "Londyn", "score": 0.5}, [{"answer": "1939"}], *TEXTS[3:]]
    rows = [{"id": key, "answer": value} for key, value in zip(RIGHT, values, strict=True)]
    keyed = dict(zip(RIGHT, values, strict=True))
    for text in ("".join(json.dumps(row) + "\n" for row in rows), json.dumps(keyed)):
        file = read(text)
        assert file.predictions == RIGHT
        assert "list-answers" in codes(file)


@pytest.mark.parametrize(
    ("value", "code"), [({"start": 3}, "nested-answers"), (["a", "b"], "list-answers"), ([{"x": 1}], "nested-answers")]
)
def test_objects_and_lists_without_one_answer_are_refused(value: object, code: str) -> None:
    with pytest.raises(Refused) as caught:
        read(json.dumps({"id": 101, "answer": value}) + "\n" + json.dumps({"id": 102, "answer": "tak"}) + "\n")
    assert caught.value.code == code
