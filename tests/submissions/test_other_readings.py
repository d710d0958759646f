"""What is told beside the answers: only readings that could be answers, and thoughts apart from what is said."""

import json

from polqa_demo.evaluation.fuzzy_match import judge_by
from polqa_demo.records import Question
from polqa_demo.submissions.answers import AnswersFile, read_answers

ASKED = ("Co płynie przez Kraków?", "Kiedy wybuchła wojna?", "Ile nóg ma pająk?", "Kto napisał Lalkę?")
GOLDS = ("Wisła", "1939", "8", "Prus")
QUESTIONS = tuple(Question(str(n), asked, (gold,)) for n, (asked, gold) in enumerate(zip(ASKED, GOLDS, strict=True), 1))


def told(file: AnswersFile) -> dict[str, str]:
    return {problem.code: problem.message.en for problem in file.problems}


def read(text: str, questions: tuple[Question, ...] = QUESTIONS) -> AnswersFile:
    return read_answers(text.encode(), questions, "pred", judge=judge_by("poleval"))


def test_a_thought_that_quotes_the_question_is_no_question_in_the_answer() -> None:
    thinking = [
        f"<think>Pytanie brzmi: {asked} To proste.</think>{gold}" for asked, gold in zip(ASKED, GOLDS, strict=True)
    ]
    rows = "".join(json.dumps({"id": n, "answer": one}) + "\n" for n, one in enumerate(thinking, 1))
    assert told(read(rows)) == {}
    saying = "".join(
        json.dumps({"id": n, "answer": f"<think>Hm.</think>{asked} {gold}"}) + "\n"
        for n, (asked, gold) in enumerate(zip(ASKED, GOLDS, strict=True), 1)
    )
    assert "question-in-answer" in told(read(saying))


def test_no_column_of_numbers_or_questions_is_offered() -> None:
    rows = [["x", gold, 0.5 + n / 100] for n, gold in enumerate(("Odra", "w 1939", "osiem", "Prus"))]
    message = told(read(json.dumps(rows)))["answer-place"]
    assert "column 2" in message
    assert "column 3" not in message
    ranked = [[gold, 0.5 + n / 100] for n, gold in enumerate(GOLDS)]
    assert "answer-place" not in told(read(json.dumps(ranked)))
    years = [["x", 1900 + n] for n in range(3)] + [["x", 1939]]
    assert "answer-place" not in told(read(json.dumps(years)))
    # A number that is right somewhere may be the answer.
    years[1], years[3] = years[3], years[1]
    assert "column 2" in told(read(json.dumps(years)))["answer-place"]


def test_the_column_of_questions_is_not_offered() -> None:
    rows = "".join(f"{n}\t{asked}\t{gold}\n" for n, (asked, gold) in enumerate(zip(ASKED, GOLDS, strict=True), 1))
    for questions in (QUESTIONS, tuple(Question(one.id, "") for one in QUESTIONS)):
        message = told(read(rows, questions))["question-column"]
        assert "--answer-column 2" not in message
        assert "--answer-column N" in message


def test_a_list_of_one_is_told_and_asks_for_nothing() -> None:
    rows = "".join(json.dumps({"id": n, "answer": [gold]}) + "\n" for n, gold in enumerate(GOLDS, 1))
    assert told(read(rows))["list-answers"].startswith("Answers written as lists of one were read as their text: 4")
    assert "without brackets" not in told(read(rows))["list-answers"]
