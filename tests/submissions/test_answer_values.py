"""What stands in the place of an answer is its text, or the file is refused: no structure is ever printed."""

import contextlib
import time

import pytest
from answer_files import IDS, lines, read, refusal, told
from hypothesis import given
from hypothesis import strategies as st
from mutations import parquet, workbook

from polqa_demo.records import Question
from polqa_demo.submissions.answer_values import AnswerValues
from polqa_demo.submissions.problems import Refused

QUESTIONS = tuple(Question(key, "") for key in IDS[:3])


def csv_of(*answers: str) -> str:
    quoted = (answer.replace('"', '""') for answer in answers)
    return "id,answer\n" + "".join(f'{key},"{answer}"\n' for key, answer in zip(IDS, quoted, strict=False))


def texts(data: str | bytes) -> list[str]:
    return list(read(data, QUESTIONS).predictions.values())


@pytest.mark.parametrize(
    ("cell", "text"),
    [
        ("['w XIX']", "w XIX"),
        ('["w XIX"]', "w XIX"),
        ("[ 'w XIX' ]", "w XIX"),
        ("array(['w XIX'], dtype=object)", "w XIX"),
        ("['w XIX', 'w XIX']", "w XIX"),
        ("['w XIX', '']", "w XIX"),
        ("{'text': ['w XIX'], 'answer_start': [3]}", "w XIX"),
        ("[{'answer': 'w XIX'}]", "w XIX"),
        ("[]", ""),
        ("{}", ""),
        ("[None]", ""),
        ("[Warszawa]", "[Warszawa]"),
        ("[1] tak", "[1] tak"),
        ("{Warszawa}", "{Warszawa}"),
        ("['niedomknięte", "['niedomknięte"),
        ("array", "array"),
        ("True", "True"),
        ("nan", "nan"),
        ("None", "None"),
        ("('a',)", "('a',)"),
    ],
)
def test_a_cell_that_prints_a_list_is_its_text(cell: str, text: str) -> None:
    answers = (cell, "tak", "nie")
    rows = [{"id": key, "answer": answer} for key, answer in zip(IDS, answers, strict=False)]
    for data in (csv_of(*answers), lines(rows), "tak\n" + cell + "\nnie\n"):
        assert sorted(texts(data)) == sorted((text, "tak", "nie"))


@pytest.mark.parametrize(
    ("cell", "code", "words"),
    [
        ("['w XIX' 'w XX']", "list-answers", "101: w XIX | w XX"),
        ("['w XIX'\n 'w XX']", "list-answers", "101: w XIX | w XX"),
        ("['w XIX', 'w XX']", "list-answers", "101: w XIX | w XX"),
        ("{'value': 'a', 'aliases': ['b']}", "list-answers", "a | b"),
        ("{'start': 1, 'end': 2}", "nested-answers", "start, end"),
        ("[{'start': 1, 'end': 2}]", "nested-answers", "start, end"),
    ],
)
def test_several_answers_and_unknown_objects_are_refused(cell: str, code: str, words: str) -> None:
    found, message = refusal(csv_of(cell, "tak", "nie"), QUESTIONS)
    assert (found, words in message) == (code, True), message


def test_truth_values_are_tak_and_nie_and_text_stays_text() -> None:
    values: list[object] = [True, False, "True"]
    for data in (
        lines({"id": key, "answer": value} for key, value in zip(IDS, values, strict=False)),
        workbook([["id", "answer"], *([key, value] for key, value in zip(IDS, values, strict=False))]),
        workbook([[key, value] for key, value in zip(IDS, values, strict=False)]),
        workbook([[value] for value in values]),
        '[true, false, "True"]',
    ):
        file = read(data, QUESTIONS)
        assert list(file.predictions.values()) == ["tak", "nie", "True"]
        assert told(file)["truth-values"].startswith("note")
        assert ": 2 (" in told(file)["truth-values"]
    file = read(parquet({"id": list(IDS[:3]), "answer": [True, False, None]}), QUESTIONS)
    assert list(file.predictions.values()) == ["tak", "nie", ""]
    assert "truth-values" not in told(read(csv_of("True", "False", "tak"), QUESTIONS))
    # Of another column they are nobody's answers.
    other = workbook([["id", "answer", "ok"], *([key, "tak", True] for key in IDS[:3])])
    assert "truth-values" not in told(read(other, QUESTIONS))


def test_numbers_are_their_digits_and_gaps_are_empty() -> None:
    values = [103.0, 2.5, float("nan")]
    file = read("".join(f'{{"id": {key}, "answer": {value}}}\n' for key, value in
                        zip(IDS, ("103.0", "2.5", "NaN"), strict=False)), QUESTIONS)  # fmt: skip
    assert list(file.predictions.values()) == ["103", "2.5", ""]
    assert "empty-answers" in told(file)
    assert list(read(parquet({"id": list(IDS[:3]), "answer": values}), QUESTIONS).predictions.values())[:2] == [
        "103",
        "2.5",
    ]


@pytest.mark.parametrize(
    "cell",
    ["['a' " * 250_000, "[" * 1_000_000, "[" + "'a', " * 200_000 + "]", "[ " + " " * 1_000_000, "{'a': " * 160_000,
     "array(" * 160_000, "'" * 1_000_000, "[" + "\\" * 1_000_000],
)  # fmt: skip
def test_a_cell_of_a_megabyte_takes_no_time(cell: str) -> None:
    took = []
    for text in (cell[: len(cell) // 4], cell):
        began = time.process_time()
        AnswerValues("odp").text(1, "101", text)
        took.append(time.process_time() - began)
    # A quadratic reading of a megabyte takes minutes.
    assert took[1] < 20


LEAVES = st.text() | st.integers() | st.booleans() | st.none() | st.floats()
NAMES = st.sampled_from(["text", "answer", "x", "score"])
VALUES = st.recursive(LEAVES, lambda inner: st.lists(inner) | st.dictionaries(NAMES, inner), max_leaves=6)


@given(VALUES)
def test_no_value_becomes_the_print_of_a_structure(value: object) -> None:
    values = AnswerValues("odp")
    text = ""
    with contextlib.suppress(Refused):
        text = values.text(1, "101", [value])
        values.problems()
    assert not isinstance(value, list | dict) or text != str(value)


def test_a_byte_order_mark_inside_a_file_belongs_to_no_id_and_no_answer() -> None:
    asked = tuple(Question(key, "", (gold,)) for key, gold in zip("123", ("tak", "nie", "Wisła"), strict=True))
    glued = read("tak\n\ufeffnie\nWisła\n", asked)
    assert list(glued.predictions.values()) == ["tak", "nie", "Wisła"]
    assert told(glued)["byte-order-marks"].startswith("warning")
    rows = read("id,answer\n1,tak\n\ufeff2,nie\n3,Wisła\n", asked)
    assert rows.predictions == {"1": "tak", "2": "nie", "3": "Wisła"}


@pytest.mark.parametrize("cell", ["[0, 1]", "{1, 2}", "['a', 'b']"])
def test_one_answer_among_many_texts_that_looks_like_a_list_is_a_text(cell: str) -> None:
    keys = [str(number) for number in range(101, 121)]
    asked = tuple(Question(key, "") for key in keys)
    answers = [*(f"słowo {key}" for key in keys[1:]), cell]
    rows = [{"id": key, "answer": answer} for key, answer in zip(keys, answers, strict=True)]
    for data in (lines(rows), "\n".join(answers)):
        file = read(data, asked)
        assert list(file.predictions.values()) == answers
        assert told(file)["list-answers"].startswith("warning")
    # A list of JSON is no text, and lists of one elsewhere say that lists are meant.
    assert refusal(lines([{"id": "101", "answer": ["a", "b"]}, *rows[1:-1]]), asked)[0] == "list-answers"
    assert refusal("\n".join([*(f"['{text}']" for text in answers[:-1]), "['a', 'b']"]), asked)[0] == "list-answers"
