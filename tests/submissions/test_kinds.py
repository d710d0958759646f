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
        ("question-id\tpassage-id\tscore\n1\ta\t1\n", "rankings"),
        ('{"question_id": 1, "passage_ids": ["a"]}\n', "rankings"),
        ('[{"question": "Kto?", "ctxs": []}]', "rankings"),
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
