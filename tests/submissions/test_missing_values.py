"""Texts by which programs write that nothing is there: they stay answers, not in silence; whole numbers as floats."""

import io

import pandas as pd
import pytest

from polqa_demo.evaluation.audit import audit
from polqa_demo.evaluation.fuzzy_match import score_fuzzy_match
from polqa_demo.evaluation.repairs_values import missing_value, whole_decimals
from polqa_demo.records import Question
from polqa_demo.submissions.answers import AnswersFile, read_answers

IDS = ("1", "2", "3", "4")
GOLDS = (("None",), ("1900",), ("null", "zero"), ("Wisła",))
QUESTIONS = tuple(Question(key, "", golds) for key, golds in zip(IDS, GOLDS, strict=True))


def read(answers: list[str], questions: tuple[Question, ...] = QUESTIONS) -> AnswersFile:
    text = "".join(f"{key},{answer}\n" for key, answer in zip(IDS, answers, strict=True))
    return read_answers(f"id,answer\n{text}".encode(), questions)


def severities(file: AnswersFile) -> dict[str, tuple[str, int]]:
    return {problem.code: (problem.severity, problem.count) for problem in file.problems}


@pytest.mark.parametrize("word", ["nan", "NaN", "None", "null", "<NA>", "NaT"])
def test_a_missing_value_stays_an_answer_and_is_told(word: str) -> None:
    file = read([word, "1900", "x", word])
    assert file.predictions["4"] == word
    assert severities(file) == {"missing-values": ("warning", 2 - (word == "None"))}
    (damage,) = [one for one in audit(QUESTIONS, file.predictions).damages if one.kind == "missing_value"]
    assert (damage.affected, damage.gained) == (2 - (word == "None"), 0)


def test_a_gold_of_that_text_is_right() -> None:
    file = read(["None", "1900", "null", "Wisła"])
    assert severities(file) == {}
    assert "missing_value" not in {one.kind for one in audit(QUESTIONS, file.predictions).damages}
    # Of secret golds nothing is known.
    faces = tuple(Question(key, "") for key in IDS)
    assert severities(read(["None", "1900", "null", "Wisła"], faces)) == {"missing-values": ("warning", 2)}


@pytest.mark.parametrize("word", ["Nan", "brak", "nanometr", "Brak None", "0", "-", "NA"])
def test_other_words_are_plain_answers(word: str) -> None:
    assert "missing-values" not in severities(read([word, "1900", word, "Wisła"]))
    assert missing_value(word, ("x",)) is None


def test_what_pandas_makes_of_gaps() -> None:
    frame = pd.DataFrame({"id": IDS, "answer": ["a", "1900", None, "c"]})
    text = frame.map(str).to_csv(index=False)
    assert severities(read_answers(text.encode(), QUESTIONS)) == {"missing-values": ("warning", 1)}
    floats = pd.read_csv(io.StringIO("id,answer\n1,7\n2,1900\n3,\n4,5\n")).to_csv(index=False)
    file = read_answers(floats.encode(), QUESTIONS)
    assert file.predictions["2"] == "1900.0"
    (damage,) = [one for one in audit(QUESTIONS, file.predictions, "exact").damages if one.kind == "whole_decimals"]
    assert (damage.affected, damage.gained) == (3, 1)


@pytest.mark.parametrize(
    ("text", "golds", "mended"),
    [
        ("1900.0", ("1900",), "1900"),
        ("w 1900.0", ("1900",), "w 1900"),
        ("-5.0", ("-5",), "-5"),
        ("1900.0", ("1900.0",), None),
        ("1.05", ("1",), None),
        ("1.0.0", ("1",), None),
        ("3.05", ("3",), None),
        ("2.00", ("2",), None),
        ("1,900.0", ("1900",), None),
        ("1900", ("1900",), None),
    ],
)
def test_whole_numbers_with_a_decimal(text: str, golds: tuple[str, ...], mended: str | None) -> None:
    assert whole_decimals(text, golds) == mended
    assert mended is None or score_fuzzy_match(mended, golds, "exact") or text.startswith("w ")
