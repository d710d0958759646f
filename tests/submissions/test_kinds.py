"""Whether a file holds answers or rankings."""

import pytest

from polqa_demo.records import Question
from polqa_demo.submissions.kinds import Kind, recognise_kind
from polqa_demo.submissions.problems import Refused

QUESTIONS = tuple(Question(key, "") for key in ("1", "2", "3"))


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("tak\nnie\n1939\n", "answers"),
        ("1\n2\n3\n", "answers"),
        ("1\t30\n2\t1410\n3\t7\n", "answers"),
        ("1\tw Toruniu\n2\ttak\n3\t7\n", "answers"),
        ("1\tJan\tKowalski\n2\tJan\tNowak\n3\ttak\tnie\n", "answers"),
        ("id,answer\n1,12-3\n", "answers"),
        ("question_id\tanswer\tpassage_title\n1\ttak\tx\n", "answers"),
        ('{"question_id": 1, "answer": "tak"}\n', "answers"),
        ('{"1": "tak"}', "answers"),
        ('{"question_id": 1, "answer": "tak", "contexts": ["tekst"]}\n', "answers"),
        ("1\t1939\t0.87\n2\t30\t0.5\n3\t7\t1.0\n", "answers"),
        ("12-3\t4-0\n5-0\t6-0\n7-0\t8-0\n", "rankings"),
        ("1\t12-3\t4-0\n2\t5-0\t6-0\n3\t7-0\t8-0\n", "rankings"),
        ("2002_423_129b\t511\n1-0\t2-0\n\n", "rankings"),
        ("1\t12-3\t0.5\n1\t4-0\t-1e3\n2\t5-0\t7\n", "rankings"),
        ("1 Q0 12-3 1 0.5 run\n", "rankings"),
        ("1\td7\t9.5\n1\td9\t8\n2\td7\t3.5\n2\td1\t3\n", "rankings"),
        ("1\td7\t9.5\n2\td9\t8\n3\td7\t3.5\n", "answers"),
        ("question-id\tpassage-id\tscore\n1\ta\t1\n", "rankings"),
        ('{"question_id": 1, "passage_ids": ["a"]}\n', "rankings"),
        ('[{"question": "Kto?", "ctxs": []}]', "rankings"),
        # Runs whatever their second column, parted by anything, in any order of columns.
        ("1 0 d7 1 0.5 run\n1 0 d8 2 0.25 run\n", "rankings"),
        ("1 ITER d7 1 0.5 my run\n2 ITER d8 2 0.25 my run\n", "rankings"),
        ("1 Q0 d7 1 0.5\n2 Q0 d8 1 0.25\n", "rankings"),
        ("1 Q0 Inne d7 1 0.5 run\n2 Q0 d8 1 0.25 run\n", "rankings"),
        ("1,12-3,1\n1,4-0,2\n2,5-0,1\n2,6-0,2\n", "rankings"),
        ("1 12-3 1 19\n1 4-0 2 18\n", "rankings"),
        ("1\t12-3\n1\t4-0\n2\t5-0\n2\t6-0\n", "rankings"),
        ("1\t1\t12-3\n1\t2\t4-0\n", "rankings"),
        ("question_id,passage_ids\n1,\"['12-3', '4-0']\"\n", "rankings"),
        ('{"1": {"d7": 0.5}}', "rankings"),
        ('{"name": "bm25", "run": {"1": {"d7": 0.5}}}', "rankings"),
        ('{"id": 1, "output": [{"answer": "", "provenance": [{"wikipedia_id": 9}]}]}\n', "rankings"),
        # A number and a flag; a rank of one passage a question, and a second passage, are none.
        ("1\t1939\t1\n2\t30\t0\n3\t7\t1\n", "answers"),
        ("1\t1939\t1\n2\t30\t1\n3\t7\t1\n", "rankings"),
        ("1\t1939\t1\n2\t30\t2\n3\t7\t0\n", "rankings"),
        # What only looks alike.
        ("1 maja 1945\n1 września 1939\n2 maja 1945\n2 lutego 1943\n", "answers"),
        ("1,Warszawa\n1,Kraków\n2,Łódź\n2,Gdańsk\n", "answers"),
        ("1\tWarszawa\n1\tKraków\n2\tŁódź\n2\tGdańsk\n", "answers"),
        ("w latach 1939 1945 i 1 raz 2 tak\n", "answers"),
        ("question_id,answer,contexts\n1,tak,\"['Wisła płynie.']\"\n", "answers"),
        ('{"1": {"answer": "tak"}, "2": {"answer": "nie"}}', "answers"),
        ('{"id": 1, "output": [{"answer": "tak", "provenance": [{"wikipedia_id": 9}]}]}\n', "answers"),
    ],
)
def test_a_kind_is_judged_by_content(text: str, kind: Kind) -> None:
    assert recognise_kind(text.encode(), "plik", QUESTIONS) == kind


def test_a_file_that_cannot_be_read_is_refused() -> None:
    with pytest.raises(Refused):
        recognise_kind(b"", "plik", QUESTIONS)


def test_answers_with_the_passage_they_rest_on_are_answers() -> None:
    own = '{"question_id": 1, "answer": "tak", "passage_id": "12-3", "confidence": 0.5}\n'
    assert recognise_kind(own.encode(), "odp.jsonl", QUESTIONS) == "answers"
    table = "question_id,answer,passage_id\n1,tak,12-3\n"
    assert recognise_kind(table.encode(), "odp.csv", QUESTIONS) == "answers"


@pytest.mark.parametrize(
    ("text", "passages", "kind"),
    [
        ("1\td7\t9.5\n2\td9\t8\n3\td1\t3\n", {"d7"}, "rankings"),
        ("1\td7\t9.5\t1\n2\td9\t8\t1\n", {"d7", "d8"}, "rankings"),
        ("1\t900\t1\n2\t901\t0\n3\t902\t1\n", {"900", "901"}, "rankings"),
        ("1\t900\t1\n2\t901\t0\n3\t902\t1\n", {"900"}, "answers"),
        # Without a score it may be an answer, and a number or a title may be one in any case.
        ("1\td7\n2\td9\n3\td1\n", {"d7"}, "answers"),
        ("1\tToruń\t9.5\n2\td9\t8\n3\td1\t3\n", {"Toruń"}, "answers"),
        ("1\tx\t9.5\n2\td9\t8\n3\td1\t3\n", {"d7"}, "answers"),
    ],
)
def test_passages_of_the_gold_tell_a_ranking_whose_ids_look_like_words(
    text: str, passages: set[str], kind: Kind
) -> None:
    questions = [Question(key, "", ("toruń",)) for key in ("1", "2", "3")]
    assert recognise_kind(text.encode(), "plik", questions, None, passages) == kind


@pytest.mark.parametrize("separator", [" ", ",", "; "])
@pytest.mark.parametrize("ids", [("1", "2", "3"), ("", "", "")])
def test_lists_of_passages_parted_by_something_else_are_no_answers(separator: str, ids: tuple[str, ...]) -> None:
    rows = [[*filter(None, [key]), *(f"{number}-{place}" for place in range(5))] for number, key in enumerate(ids)]
    text = "".join(separator.join(row) + "\n" for row in rows)
    assert recognise_kind(text.encode(), "f", QUESTIONS) == "rankings"


@pytest.mark.parametrize("text", ["1914-1918, 1939-1945\n1918-1939\n1-1\n", "12-3 1-2\n4-5 6-7\n3-4 5-6\n"])
def test_answers_of_ranges_are_no_lists_of_passages(text: str) -> None:
    assert recognise_kind(text.encode(), "f", QUESTIONS) == "answers"
