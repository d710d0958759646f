"""Answers that are questions, hold their questions, or say that there is no answer."""

import pytest
from answer_files import ASKED, GOLDS, HALF, IDS, QUESTIONS, SOUP, lines, objects, read, refusal, right, table, told

from polqa_demo.records import Question


@pytest.mark.parametrize("asked", [ASKED, ASKED[::-1], [text.upper() for text in ASKED], (*ASKED[:11], "coś")])
def test_the_questions_in_place_of_answers_are_refused(asked: tuple[str, ...]) -> None:
    for data in ("\n".join(asked), table({"id": IDS, "answer": asked}), lines(objects(id=IDS, answer=asked))):
        code, message = refusal(data)
        assert code == "questions-as-answers"
        assert "of 12" in message


def test_some_questions_among_the_answers_are_answers() -> None:
    assert told(read("\n".join((*ASKED[:5], *GOLDS[5:])))) == {}


@pytest.mark.parametrize("style", ["{q} {a}", "Pytanie: {q} Odpowiedź: {a}", "{a} – {q}", "Q: {q}\nA: {a}"])
def test_answers_that_hold_their_question_are_told_with_what_they_give_without(style: str) -> None:
    answers = [style.format(q=asked, a=gold) for asked, gold in zip(ASKED, GOLDS, strict=True)]
    file = read(table({"id": IDS, "answer": answers}))
    assert right(file) < 12
    message = told(file)["question-in-answer"]
    assert message.startswith("warning")
    assert f"By the other reading 12 instead of {right(file)}" in message


def test_letters_that_fold_to_two_are_left_alone() -> None:
    asked = tuple(Question(item.id, f"Straße: {item.text}", item.answers) for item in QUESTIONS)
    answers = [f"{item.text} {gold}" for item, gold in zip(asked, GOLDS, strict=True)]
    assert "question-in-answer" in told(read(table({"id": IDS, "answer": answers}), asked))


def test_many_answers_that_ask_are_told_and_scored() -> None:
    asked = tuple(Question(str(number), "", ("Quo vadis?",)) for number in range(30))
    file = read("Quo vadis?\n" * 28 + "tak\nnie\n", asked)
    assert right(file, asked) == 28
    assert told(file)["answers-ask"].startswith("warning")
    assert "answers-ask" not in told(read("Quo vadis?\n" * 19, asked[:19]))
    assert "answers-ask" not in told(read("Quo vadis?\n" * 26 + "tak\n" * 4, asked))


def test_words_for_no_answer_are_told_and_those_of_the_gold_are_answers() -> None:
    file = read("\n".join((*HALF[:8], "Brak odpowiedzi.", "nie wiem", "Nie wiem", "Unanswerable")))
    assert "4 (" in told(file)["no-answer-words"]
    assert "no-answer-words" not in told(read("\n".join((*SOUP[:9], "NA", "null", "brak odpowiedzi"))))
