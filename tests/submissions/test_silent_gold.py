"""Gold files whose rows say different things: nothing hangs on their order, and what was decided is told."""

import json

import pytest

from polqa_demo.data.polqa import gold_passages, graded_gains
from polqa_demo.evaluation.signature import gold_checksum
from polqa_demo.records import GoldSet, Question
from polqa_demo.submissions.gold import read_gold, read_gold_or_questions
from polqa_demo.submissions.problems import Refused

COLUMNS = "question_id,question,answers,passage_id,relevant,passage_source,split\n"


def gold(text: str, questions: tuple[Question, ...] | None = None) -> GoldSet:
    return read_gold(text.encode(), "gold", None, questions)


def remarks(found: GoldSet) -> list[str]:
    return [remark.code for remark in found.remarks]


@pytest.mark.parametrize(
    ("split", "passages", "told"),
    [
        ("test", ("1-0",), []),
        (" Test ", ("1-0",), []),
        ("VALID", ("1-0",), []),
        ("dev", ("1-0",), []),
        ("train", ("1-0", "1-1"), []),
        ("próba", ("1-0", "1-1"), ["gold-split"]),
        ("", ("1-0", "1-1"), ["gold-split"]),
    ],
)
def test_a_split_is_known_however_it_is_written(split: str, passages: tuple[str, ...], told: list[str]) -> None:
    found = gold(f"{COLUMNS}1,q,['a'],1-0,True,human,{split}\n1,q,['a'],1-1,True,hard,{split}\n")
    assert (gold_passages(found)["1"], remarks(found)) == (passages, told)


@pytest.mark.parametrize("order", [1, -1])
def test_one_question_in_two_splits_is_judged_by_the_stricter(order: int) -> None:
    rows = ["1,q,['a'],1-0,True,human,train\n", "1,q,['a'],1-1,True,hard,test\n"][::order]
    assert gold_passages(gold(COLUMNS + "".join(rows))) == {"1": ("1-0",)}


@pytest.mark.parametrize(
    ("said", "relevant"),
    [(True, True), (False, False), ("True", True), ("tak", True), (1, True), ("1", True), ("nie", False), (0, False),
     (0.0, False), (2, True), (None, None), ("", None)],
)  # fmt: skip
def test_json_says_relevance_as_the_csv_does(said: object, relevant: bool | None) -> None:
    row = {"question_id": 1, "question": "q", "answers": "['a']", "passage_id": "1-0", "relevant": said}
    row |= {"passage_source": "hard", "split": "test", "question_type": "BOOLEAN"}
    cell = "" if said is None else said
    for found in (gold(json.dumps(row) + "\n"), gold(f"{COLUMNS}1,q,['a'],1-0,{cell},hard,test\n")):
        assert [item.relevant for item in found.judgements] == ([] if relevant is None else [relevant])
        assert gold_passages(found) == {}
        assert gold_passages(found, "all") == ({"1": ("1-0",)} if relevant else {})
        told = {None: ["gold-unjudged"], "": ["gold-unjudged"], 2: ["graded-gold"]}
        assert remarks(found) == told.get(said, [])
    assert gold(json.dumps(row) + "\n").questions[0].labels == {"question_type": "BOOLEAN"}


def test_a_verdict_that_is_none_is_refused() -> None:
    with pytest.raises(Refused) as caught:
        gold(f"{COLUMNS}1,q,['a'],1-0,chyba,human,test\n")
    assert caught.value.code == "bad-relevant"
    assert "line 2" in caught.value.say("en")


@pytest.mark.parametrize("order", [1, -1])
def test_answers_of_several_rows_count_together(order: int) -> None:
    rows = [
        '{"question_id": 1, "question": "q", "answer": "a"}\n',
        '{"question_id": 1, "question": "r", "answer": "b"}\n',
    ]
    found = gold("".join(rows[::order]))
    assert set(found.questions[0].answers) == {"a", "b"}
    assert remarks(found) == ["single-golds", "gold-variants", "gold-texts"]


def test_an_id_of_two_questions_is_refused_in_a_file_of_questions() -> None:
    with pytest.raises(Refused) as caught:
        read_gold_or_questions(b'{"id": 1, "text": "Kto?"}\n{"id": 1, "text": "Gdzie?"}\n')
    assert caught.value.code == "duplicate-ids"


def test_lines_are_joined_by_line_whatever_the_ids() -> None:
    asked = (Question("3", "trzy"), Question("1", "jeden"), Question("2", "dwa"))
    found = gold("trzy\njeden\ndwa\n", asked)
    assert {question.id: question.answers for question in found.questions} == {
        "3": ("trzy",), "1": ("jeden",), "2": ("dwa",)
    }  # fmt: skip
    with pytest.raises(Refused) as caught:
        gold("trzy\njeden\n", asked)
    assert caught.value.code == "wrong-length"


def test_decimal_ids_are_whole_ones() -> None:
    found = gold("qid,pid\n1.0,12.0\n2,13\n")
    assert gold_passages(found) == {"1": ("12",), "2": ("13",)}
    assert gold_passages(gold("qid,pid\n1.0,12.0\n1,13-0\n")) == {"1.0": ("12.0",), "1": ("13-0",)}


@pytest.mark.parametrize("text", ["7 0 1-0 1\n7 0 2-0 0\n8 0 3-0 2\n", "7\t1-0\t1\n7\t2-0\t0\n8\t3-0\t2\n"])
def test_judgements_without_a_header(text: str) -> None:
    found = gold(text)
    assert gold_passages(found) == {"7": ("1-0",), "8": ("3-0",)}
    assert remarks(found) == ["gold-qrels", "graded-gold"]


def test_an_empty_file_is_told_by_its_role() -> None:
    for read, word in ((read_gold, "gold"), (read_gold_or_questions, "questions")):
        with pytest.raises(Refused) as caught:
            read(b"")
        assert word in caught.value.say("en")


@pytest.mark.parametrize("order", [1, -1])
def test_a_pair_in_several_rows_has_its_highest_grade(order: int) -> None:
    rows = ["7\t1-0\t1\n", "7\t1-0\t3\n", "7\t2-0\t0\n", "7\t2-0\t-1\n", "7\t3-0\t\n"][::order]
    found = gold("query-id\tcorpus-id\tscore\n" + "".join(rows))
    assert {item.passage_id: item.grade for item in found.judgements} == {"1-0": 3, "2-0": 0}
    assert graded_gains(found) == {"7": {"1-0": 3}}
    assert remarks(found) == ["gold-unjudged", "graded-gold"]


def test_of_several_sources_those_count_that_are_asked_for() -> None:
    rows = ["1,q,['a'],1-0,1,human,test\n", "1,q,['a'],1-0,2,hard,test\n", "1,q,['a'],2-0,3,hard,test\n"]
    found = gold(COLUMNS + "".join(rows))
    assert graded_gains(found) is None
    assert gold_passages(found) == {"1": ("1-0",)}
    assert graded_gains(found, "all") == {"1": {"1-0": 2, "2-0": 3}}


@pytest.mark.parametrize("written", ["1", "1.0", "true", "tak"])
def test_yes_and_no_are_no_grades(written: str) -> None:
    found = gold(f"query-id,corpus-id,score\n1,1-0,{written}\n1,2-0,0\n1,3-0,-2\n")
    assert (remarks(found), graded_gains(found)) == ([], None)
    assert gold_checksum(found) == gold_checksum(gold("query-id,corpus-id,score\n1,1-0,True\n1,2-0,no\n1,3-0,False\n"))


def test_grades_are_told_with_their_counts() -> None:
    found = gold("query-id,corpus-id,score\n1,1-0,3\n1,2-0,3.0\n1,3-0,-1\n2,3-0,1\n")
    (remark,) = (remark.message for remark in found.remarks if remark.code == "graded-gold")
    assert "-1: 1, 1: 1, 3: 2" in remark.say("en")
    assert "liczba par" in remark.say("pl")
    one, other = (gold(f"query-id,corpus-id,score\n1,1-0,{grade}\n1,2-0,1\n") for grade in (2, 3))
    assert gold_checksum(one) != gold_checksum(other)


def test_fractions_are_gains_and_told() -> None:
    found = gold("query-id,corpus-id,score\n1,1-0,0.5\n1,2-0,1\n2,3-0,1.5\n2,4-0,0.5\n")
    assert gold_passages(found) == {"1": ("2-0",), "2": ("3-0",)}
    assert graded_gains(found) == {"1": {"1-0": 0.5, "2-0": 1}, "2": {"3-0": 1.5, "4-0": 0.5}}
    assert remarks(found) == ["graded-gold", "fractional-grades"]
    assert "no whole number: 3 (different grades: 2: 0.5, 1.5)" in next(
        remark.message.en for remark in found.remarks if remark.code == "fractional-grades"
    )


@pytest.mark.parametrize("written", ["1e999", "20000000000", "nan", "inf", "1_0", "３"])
def test_what_no_grade_is_is_refused(written: str) -> None:
    with pytest.raises(Refused) as caught:
        gold(f"query-id,corpus-id,score\n1,1-0,{written}\n")
    assert caught.value.code == "bad-relevant"
