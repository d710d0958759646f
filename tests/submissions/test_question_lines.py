"""Files of questions: what is a question, what is its id, and what is neither."""

import pytest

from polqa_demo.records import GoldSet
from polqa_demo.submissions.gold import read_gold_or_questions
from polqa_demo.submissions.problems import Refused


def asked(text: str) -> GoldSet:
    return read_gold_or_questions(text.encode(), "pytania.txt")


def pairs(found: GoldSet) -> list[tuple[str, str]]:
    return [(question.id, question.text) for question in found.questions]


def codes(found: GoldSet) -> list[str]:
    return [remark.code for remark in found.remarks]


@pytest.mark.parametrize(
    ("text", "questions", "told"),
    [
        ("201\tKto?\n202\tGdzie to?\n", [("201", "Kto?"), ("202", "Gdzie to?")], ["question-ids"]),
        ("q-1\tKto to?\nq-2\tNad czym?\n", [("q-1", "Kto to?"), ("q-2", "Nad czym?")], ["question-ids"]),
        ("1;Kto?\n2;Gdzie?\n", [("1", "Kto?"), ("2", "Gdzie?")], ["question-numbers"]),
        ('201,"Kto, ""x""?"\n202,Gdzie?\n', [("201", 'Kto, "x"?'), ("202", "Gdzie?")], ["question-ids"]),
        ("1. Kto?\n2. Gdzie?\n", [("1", "Kto?"), ("2", "Gdzie?")], ["question-numbers"]),
        ("1) Kto?\n2) Gdzie?\n", [("1", "Kto?"), ("2", "Gdzie?")], ["question-numbers"]),
        ("pytanie\nKto?\nGdzie?\n", [("1", "Kto?"), ("2", "Gdzie?")], ["question-header"]),
        ("\nQuestion\n\nKto?\n", [("1", ""), ("2", "Kto?")], ["question-header"]),
        ("domena\tpytanie\nwiki\tKto?\nwiki\tGdzie?\n", [("1", "Kto?"), ("2", "Gdzie?")], ["question-header"]),
        ("qid\tquery\n201\tKto?\n", [("201", "Kto?")], []),
        ("Kto?\t['ja']\nGdzie?\t['tu']\n", [("1", "Kto?"), ("2", "Gdzie?")], ["question-columns"]),
        ("Kto?\tja\nGdzie?\ttu\n", [("1", "Kto?"), ("2", "Gdzie?")], ["question-columns"]),
        ("7\tKto?\tja i ty\n8\tGdzie?\ttu\n", [("7", "Kto?"), ("8", "Gdzie?")], ["question-ids", "question-columns"]),
        ("fizyka\tKto?\nfizyka\tGdzie?\n", [("1", "Kto?"), ("2", "Gdzie?")], ["question-domains"]),
    ],
)
def test_what_is_taken_for_what_is_told(text: str, questions: list[tuple[str, str]], told: list[str]) -> None:
    found = asked(text)
    assert (pairs(found), codes(found)) == (questions, told)
    assert all(remark.message.pl and remark.file == "pytania.txt" for remark in found.remarks)


@pytest.mark.parametrize(
    ("text", "questions"),
    [
        # The domains of PolEval 2022 are no ids, even where each stands once; nor are words with blanks, nor numbers
        # that begin questions, nor a first line that asks.
        (" wiki-trivia\tKto?\n legal-questions\tGdzie?\n allegro-faq\tIle?\n", ["Kto?", "Gdzie?", "Ile?"]),
        ("wiki-trivia\tKto?\n", ["Kto?"]),
        ("Kto?\nGdzie?\n", ["Kto?", "Gdzie?"]),
        ("1944: co się stało?\n1945: co się stało?\n", ["1944: co się stało?", "1945: co się stało?"]),
        ("3,5 litra to ile?\n3,6 litra to ile?\n", ["3,5 litra to ile?", "3,6 litra to ile?"]),
        ("1. Kto?\nGdzie?\n", ["1. Kto?", "Gdzie?"]),
        ("1. maja czy 3. maja?\n", ["1. maja czy 3. maja?"]),
        ("2. pułk czego?\n1. pułk czego?\n", ["2. pułk czego?", "1. pułk czego?"]),
        ("pytanie?\nKto?\n", ["pytanie?", "Kto?"]),
        ("text\n", ["text"]),
        ("pytania i odpowiedzi\nKto?\n", ["pytania i odpowiedzi", "Kto?"]),
    ],
)
def test_what_only_looks_so_is_a_question_a_line(text: str, questions: list[str]) -> None:
    found = asked(text)
    assert pairs(found) == [(str(number), question) for number, question in enumerate(questions, 1)]
    assert codes(found) == []
    assert found.recognised["questions"].say("pl") == "pytania w wierszach (questions), UTF-8"


def test_first_cells_that_are_no_ids_are_told() -> None:
    for text in ("a b\tKto?\nc d\tGdzie?\n", "x\tKto?\nx\tGdzie?\n", "dłuższe-od-pytania\tKto?\ny\tGdzie?\n"):
        found = asked(text)
        assert (pairs(found), codes(found)) == ([("1", "Kto?"), ("2", "Gdzie?")], ["question-domains"])


def test_topics_of_trec() -> None:
    text = """<top>
<num> Number: 201
<title> Kto dowodził
  pod Grunwaldem?
<desc> Description:
Nieważne.
</top>

<top><num>202</num><title>Topic: Gdzie?</title></top>
<TOP>
<NUM> 203
<desc> Co?
</TOP>
"""
    found = asked(text)
    assert pairs(found) == [("201", "Kto dowodził pod Grunwaldem?"), ("202", "Gdzie?"), ("203", "Co?")]
    assert (codes(found), found.recognised["questions"].form) == (["trec-topics"], "topics")


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("<top>\n<num> 1\n</top>\n", "bad-topics"),
        ('<?xml version="1.0"?>\n<topics><topic number="1"><query>Kto?</query></topic></topics>\n', "bad-topics"),
        ("['a']\t['b']\n['c']\t['d']\n", "no-questions"),
        ("question_id,answer\n1,ja\n", "missing-columns"),
        ('{"id": 1, "answer": "ja"}\n{"answer": "ty"}\n', "missing-columns"),
    ],
)
def test_what_holds_no_questions_is_refused_by_name(text: str, code: str) -> None:
    with pytest.raises(Refused) as caught:
        asked(text)
    assert caught.value.code == code


def test_questions_of_json_and_of_gold_files_whatever_their_golds() -> None:
    assert pairs(asked('{"_id": "7", "text": "Kto?", "metadata": {}}\n')) == [("7", "Kto?")]
    assert pairs(asked('{"7": "Kto?", "8": "Gdzie?"}')) == [("7", "Kto?"), ("8", "Gdzie?")]
    numbered = asked('{"question": "Kto?"}\n{"question": "Gdzie?"}\n')
    assert (pairs(numbered), codes(numbered)) == ([("1", "Kto?"), ("2", "Gdzie?")], ["numbered-questions"])
    # What would be refused as gold does not matter to those who ask.
    assert pairs(asked("id,question,answers\n7,Kto?,['ja'\n")) == [("7", "Kto?")]
    assert pairs(asked('{"id": 7, "question": {"text": "Kto?"}, "answers": {"x": 1}}\n')) == [("7", "Kto?")]


def test_what_is_odd_about_the_file_is_told_too() -> None:
    found = read_gold_or_questions("Łódź leży nad jaką rzeką?\n".encode("cp1250"), "p.txt")
    assert "encoding" in codes(found)
    assert found.recognised["questions"].encoding == "cp1250"
