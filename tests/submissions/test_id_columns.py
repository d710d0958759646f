"""Files with two columns of ids: the one that names the questions is taken, and the choice is told."""

import json

import pytest

from polqa_demo.records import GoldSet, Question
from polqa_demo.submissions.gold import read_gold
from polqa_demo.submissions.problems import Refused
from polqa_demo.submissions.rankings import read_rankings
from tests.submissions.answer_files import GOLDS, lines, objects, read, refusal, right, table, told

NUMBERS = tuple(str(place) for place in range(1, 13))
QUESTIONS = tuple(Question(key, "", (gold,)) for key, gold in zip(NUMBERS, GOLDS, strict=True))
# The rows of an export that was shuffled before it was numbered.
ORDER = (4, 9, 1, 11, 0, 6, 2, 8, 10, 3, 7, 5)
KEYS, ANSWERS = [NUMBERS[place] for place in ORDER], [GOLDS[place] for place in ORDER]


@pytest.mark.parametrize("name", ["query_id", "example_id", "topic_id", "question_id"])
@pytest.mark.parametrize("first", [0, 1, 1000])
def test_a_row_number_is_no_question(name: str, first: int) -> None:
    counter = [str(first + place) for place in range(12)]
    columns = {"id": counter, name: KEYS, "answer": ANSWERS}
    for data in (table(columns), lines(objects(**columns)), json.dumps(objects(**columns))):
        file = read(data, QUESTIONS)
        assert right(file, QUESTIONS) == 12
        severity = "warning" if first < 1000 else "note"
        assert told(file).get("id-column", severity).startswith(severity)
        assert ("id-column" in told(file)) is (first < 1000 or name != "question_id")


def test_an_id_that_the_gold_knows_goes_before_a_name() -> None:
    questions = [Question(f"q{item.id}", "", item.answers) for item in QUESTIONS]
    columns = {"question_id": NUMBERS, "id": [f"q{key}" for key in KEYS], "answer": ANSWERS}
    file = read(table(columns), questions)
    assert right(file, questions) == 12
    assert "id 12/12" in told(file)["id-column"]


def test_two_columns_of_known_ids_that_differ_are_refused() -> None:
    code, message = refusal(table({"question_id": KEYS, "id": KEYS[::-1], "answer": ANSWERS}), QUESTIONS)
    assert code == "ambiguous-ids"
    assert "question_id 5, id 6" in message


def test_the_same_ids_twice_and_groups_of_questions_need_no_word_of_choice() -> None:
    assert set(told(read(table({"id": KEYS, "qid": KEYS, "answer": ANSWERS}), QUESTIONS))) <= {"gold-lookalike"}
    file = read(table({"id": NUMBERS, "topic_id": ["1", "2", "3"] * 4, "answer": GOLDS}), QUESTIONS)
    assert right(file, QUESTIONS) == 12


@pytest.mark.parametrize("form", ["csv", "jsonl"])
def test_rows_of_a_ranking_are_numbered_too(form: str) -> None:
    rows = [(key, f"{key}-{place}", str(place)) for key in KEYS for place in (1, 2)]
    columns = dict(zip(("query_id", "passage_id", "rank"), map(list, zip(*rows, strict=True)), strict=True))
    columns = {"id": [str(place) for place in range(1, 25)], **columns}
    data = table(columns) if form == "csv" else lines(objects(**columns))
    found = read_rankings(data.encode(), QUESTIONS)
    assert {key: item.passage_ids for key, item in found.rankings.items()} == {
        key: (f"{key}-1", f"{key}-2") for key in NUMBERS
    }
    assert "id-column" in {problem.code for problem in found.problems}


def gold(data: str) -> GoldSet:
    return read_gold(data.encode(), "gold")


@pytest.mark.parametrize("form", ["csv", "jsonl"])
def test_rows_of_gold_are_numbered_too(form: str) -> None:
    asked = [f"Pytanie {key}?" for key in KEYS]
    columns = {"id": NUMBERS, "query_id": KEYS, "question": asked, "answers": [f"['{text}']" for text in ANSWERS]}
    found = gold(table(columns) if form == "csv" else lines(objects(**columns)))
    assert {item.id: item.answers for item in found.questions} == {item.id: item.answers for item in QUESTIONS}
    assert "id-column" in {remark.code for remark in found.remarks}


def test_gold_is_not_led_by_groups_of_questions() -> None:
    columns = {"id": KEYS, "topic_id": ["1", "2", "3"] * 4, "question": [f"Pytanie {key}?" for key in KEYS]}
    found = gold(table({**columns, "answers": [f"['{text}']" for text in ANSWERS]}))
    assert {item.id for item in found.questions} == set(NUMBERS)


def test_judged_passages_are_led_by_the_id_that_repeats() -> None:
    keys = [key for key in KEYS for _ in range(2)]
    columns = {"id": [str(place) for place in range(1, 25)], "query_id": keys}
    found = gold(table({**columns, "passage_id": [f"{key}-0" for key in keys], "relevant": ["True"] * 24}))
    assert {item.question_id for item in found.judgements} == set(NUMBERS)


def test_a_column_that_bears_its_name_twice_stays_refused() -> None:
    with pytest.raises(Refused, match="several columns are called id"):
        read(f"id,id,answer\n{KEYS[0]},2,tak\n", QUESTIONS)


def test_rows_that_name_their_question_each_in_its_own_way_are_no_choice() -> None:
    rows = [{name: key, "answer": text} for name, key, text in zip(("id", "qid") * 6, KEYS, ANSWERS, strict=True)]
    file = read(lines(rows), QUESTIONS)
    assert right(file, QUESTIONS) == 12
    assert "id-column" not in told(file)
