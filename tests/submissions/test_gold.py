"""Files of questions and of gold in every form."""

import json

import pytest

from polqa_demo.data.polqa import gold_passages
from polqa_demo.errors import Problem
from polqa_demo.records import GoldSet, Judgement, Question
from polqa_demo.submissions.gold import GoldKind, read_gold, read_gold_or_questions
from polqa_demo.submissions.problems import Refused

POLQA = """question_id,question,answers,passage_id,relevant,passage_source,split
1,Kto?,"['ja', 'my']",5-0,True,human,test
1,Kto?,"['ja', 'my']",,False,zero-shot,test
2,Gdzie?,[],6-0,True,zero-shot,test
"""


def gold(text: str, kind: GoldKind | None = None, questions: tuple[Question, ...] | None = None) -> GoldSet:
    return read_gold(text.encode(), "zbior/zloty.v1.csv", kind, questions)


def refused(text: str, kind: GoldKind | None = None, questions: tuple[Question, ...] | None = None) -> Problem:
    with pytest.raises(Refused) as caught:
        gold(text, kind, questions)
    return caught.value.problems[0]


def test_polqa_rows() -> None:
    found = gold(POLQA)
    assert (found.name, found.split) == ("zloty", "test")
    assert [(item.id, item.text, item.answers) for item in found.questions] == [
        ("1", "Kto?", ("ja", "my")),
        ("2", "Gdzie?", ()),
    ]
    assert gold_passages(found) == {"1": ("5-0",)}
    assert gold_passages(found, "all") == {"1": ("5-0",), "2": ("6-0",)}


@pytest.mark.parametrize(
    "text",
    [
        "question-id;pytanie;odpowiedzi\n1;Kto?;['ja']\n",
        "Answers\tQuestion\tID\n['ja']\tKto?\t1\n",
        '\ufeff"question_id","question","answers"\r\n"1","Kto?","[""ja""]"\r\n',
        '{"question_id": 1, "question": "Kto?", "answers": ["ja"]}',
        '{"id": "1", "text": "Kto?", "answer": "ja"}\n',
        '[{"qid": 1.0, "pytanie": "Kto?", "golds": "[\'ja\']"}]',
        "question_id,question,answers\n1.0,Kto?,['ja']\n",
    ],
)
def test_other_layouts_of_the_same_gold(text: str) -> None:
    assert gold(text).questions == (Question("1", "Kto?", ("ja",)),)


def test_json_golds_are_lists_or_one_text() -> None:
    rows = [
        {"id": 1, "answers": ["a", None, 7]},
        {"id": 2, "answers": []},
        {"id": 3, "answers": "[]"},
        {"id": 4, "answers": "1, 2"},
        {"id": 5, "answers": None},
        {"id": 6, "passage_ids": ["5-0", 6, " "]},
        {"id": 7, "answers": "(a)", "passage_id": 511},
    ]
    found = gold("\n".join(map(json.dumps, rows)))
    assert [item.answers for item in found.questions] == [("a", "7"), (), (), ("1, 2",), (), (), ("(a)",)]
    assert gold_passages(found) == {"6": ("5-0", "6"), "7": ("511",)}


def test_expected_lines_of_2021_and_2022() -> None:
    answers = gold('w Toruniu\tToruń\n"Solaris\n 1794\n')
    assert [item.answers for item in answers.questions] == [("w Toruniu", "Toruń"), ('"Solaris',), (" 1794",)]
    assert [item.id for item in answers.questions] == ["1", "2", "3"]
    passages = gold("12-3\t12-4\n\n2002_423_129b\n")
    assert len(passages.questions) == 3
    assert gold_passages(passages) == {"1": ("12-3", "12-4"), "3": ("2002_423_129b",)}


def test_the_kind_of_lines_can_be_named() -> None:
    years = "1939\n1410\t966\n"
    assert gold_passages(gold(years)) == {"1": ("1939",), "2": ("1410", "966")}
    assert [item.answers for item in gold(years, "answers").questions] == [("1939",), ("1410", "966")]
    assert gold_passages(gold("abc\tdef\n", "passages")) == {"1": ("abc", "def")}


@pytest.mark.parametrize("order", [(0, 1, 2, 3), (3, 2, 1, 0), (1, 3, 0, 2)])
def test_long_judgements(order: tuple[int, ...]) -> None:
    rows = ["201\t1-0\t1", "201\t1-0\t0", "201\t2-0\t0", "202\t3-0\t2"]
    found = gold("question-id\tpassage-id\tscore\n" + "\n".join(rows[place] for place in order) + "\n")
    assert gold_passages(found) == {"201": ("1-0",), "202": ("3-0",)}
    assert len(found.judgements) == 3
    assert gold_passages(gold("qid,pid\n1,a\n")) == {"1": ("a",)}


def test_a_questions_file_gives_texts_order_and_questions_without_gold() -> None:
    asked = (Question("b", "Gdzie?"), Question("c", "Kiedy?"), Question("a", ""))
    found = gold("qid\tpid\na\t1-0\nb\t2-0\n", questions=asked)
    assert [(item.id, item.text) for item in found.questions] == [("b", "Gdzie?"), ("c", "Kiedy?"), ("a", "")]
    assert gold_passages(found) == {"a": ("1-0",), "b": ("2-0",)}


def test_lines_of_gold_belong_to_lines_of_questions() -> None:
    asked = (Question("a", "Kto?"), Question("b", "Gdzie?"))
    assert gold("ja\ntu\ttam\n", questions=asked).questions == (
        Question("a", "Kto?", ("ja",)),
        Question("b", "Gdzie?", ("tu", "tam")),
    )
    found = gold("5-0\n6-0\t7-0\n", questions=asked)
    assert found.judgements[1:] == (Judgement("b", "6-0", grade=1), Judgement("b", "7-0", grade=1))
    problem = refused("ja\n", questions=asked)
    assert problem.code == "wrong-length"
    assert "1 line, the questions file 2" in problem.message.en


@pytest.mark.parametrize(
    ("text", "code", "words"),
    [
        ("id,inna\n1,tak\n", "missing-columns", "found: id, inna"),
        ("question_id,question,answers\n1,Kto?,['ja'\n", "bad-answers", "line 2"),
        ("question_id,question,answers\n ,Kto?,['ja']\n", "empty-id", "line 2"),
        ("question_id,question,answers\n", "no-questions", "no questions"),
        ('{"question": "Kto?"}\n', "missing-columns", "line 1"),
        ("", "empty-file", "empty"),
    ],
)
def test_what_is_no_gold_is_refused(text: str, code: str, words: str) -> None:
    problem = refused(text)
    assert (problem.severity, problem.code) == ("error", code)
    assert words in problem.message.en


def test_questions_of_another_part_are_refused() -> None:
    assert refused("qid,pid\nx,1-0\n", questions=(Question("a", ""),)).code == "wrong-split"


@pytest.mark.parametrize(
    ("text", "questions"),
    [
        ("Kto?\nGdzie?\n", (("1", "Kto?"), ("2", "Gdzie?"))),
        ("Kto?\n\nGdzie?\n\n \n", (("1", "Kto?"), ("2", ""), ("3", "Gdzie?"))),
        (" wiki-trivia\tKto?\r\nlegal-questions\tGdzie?\r\n", (("1", "Kto?"), ("2", "Gdzie?"))),
        ('{"id": 7, "text": "Kto?"}\n{"question_id": "x", "question": "Gdzie?"}\n', (("7", "Kto?"), ("x", "Gdzie?"))),
        (POLQA, (("1", "Kto?"), ("2", "Gdzie?"))),
    ],
)
def test_questions(text: str, questions: tuple[tuple[str, str], ...]) -> None:
    assert (
        tuple((item.id, item.text) for item in read_gold_or_questions(text.encode(), "pytania").questions) == questions
    )


def test_questions_keep_the_gold_of_their_file() -> None:
    found = read_gold_or_questions(b'{"id": 1, "text": "Kto?", "passage_ids": ["5-0"]}\n', "p.jsonl")
    assert gold_passages(found) == {"1": ("5-0",)}
