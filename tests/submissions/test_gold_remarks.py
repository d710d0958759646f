"""Gold is read as carefully as predictions: what is odd about its file is reported with the score."""

import io
from pathlib import Path

import pandas as pd
import pytest

from polqa_demo.comparison import compare_uploads
from polqa_demo.gold_sets import open_gold
from polqa_demo.records import GoldSet
from polqa_demo.scoring import Upload, score_uploads
from polqa_demo.submissions.gold import read_gold
from polqa_demo.submissions.problems import Refused

ANSWERS = Upload("o.csv", "id,answer\n1,Łódź\n2,Kraków\n".encode())


def sheets() -> bytes:
    out = io.BytesIO()
    with pd.ExcelWriter(out) as book:
        for name, rows in (("zloto", 2), ("notatki", 1)):
            frame = pd.DataFrame({"question_id": [1, 2], "question": "q", "answers": ["['Łódź']", "['Kraków']"]})
            frame[:rows].to_excel(book, sheet_name=name, index=False)
    return out.getvalue()


FILES = {
    "several-sheets": ("g.xlsx", sheets()),
    "encoding": ("g.csv", "question_id,question,answers\n1,q,['Łódź']\n2,q,['Kraków']\n".encode("cp1250")),
    "unclosed-quote": ("g.csv", "question_id,question,answers\n1,\"q,['Łódź']\n2,q,['Kraków']\n".encode()),
    "python-dicts": ("g.jsonl", "{'id': 1, 'answers': ['Łódź']}\n{'id': 2, 'answers': ['Kraków']}\n".encode()),
    "blank-rows": ("g.csv", "question_id,answers\n1,['Łódź']\n\n2,['Kraków']\n".encode()),
    "quoted-cells": ("g.tsv", 'question_id\tanswers\n1\t"[""Łódź"",\t""x""]"\n2\t"[""Kraków"",\t""x""]"\n'.encode()),
    "float-ids": ("g.csv", "question_id,answers\n1.0,['Łódź']\n2.0,['Kraków']\n".encode()),
}


def gold(code: str) -> GoldSet:
    name, data = FILES[code]
    return read_gold(data, name)


@pytest.mark.parametrize("code", FILES)
def test_what_is_odd_is_told_wherever_the_gold_is_used(code: str) -> None:
    found = gold(code)
    assert [question.answers[0] for question in found.questions] == ["Łódź", "Kraków"]
    (remark,) = [remark for remark in found.remarks if remark.code == code]
    assert remark.file == FILES[code][0]
    scored = score_uploads(found, ANSWERS)
    assert code in [problem.code for problem in scored.problems]
    assert scored.report is not None
    assert scored.report.answers is not None
    assert scored.report.answers.rules["exact"].hits == 2
    assert code in [problem.code for problem in compare_uploads(found, [ANSWERS, ANSWERS], draws=10).problems]
    # Also where the predictions are refused: the reason may lie in the gold.
    refused = score_uploads(found, Upload("o.csv", b"id,answer\n77,x\n"))
    assert {code, "wrong-split"} <= {problem.code for problem in refused.problems}


def test_what_each_file_was_taken_for_is_said_in_both_languages() -> None:
    found = gold("unclosed-quote")
    scored = score_uploads(found, ANSWERS)
    assert scored.forms == {"gold": "csv, UTF-8, header", "answers": "csv, UTF-8, header"}
    assert scored.recognised["gold"].say("pl") == "csv, UTF-8, nagłówek"
    assert scored.json()["recognised"]["gold"]["header"] == ["question_id", "question", "answers"]


def test_the_questions_file_is_reported_beside_the_gold(tmp_path: Path) -> None:
    file = tmp_path / "expected.tsv"
    file.write_bytes("Łódź\nKraków\n".encode())
    asked = Upload("in.tsv", "Nad czym leży Łódź?\nGdzie jest Wawel?\n".encode("cp1250"))
    found, _ = open_gold(str(file), questions=asked)
    assert found is not None
    assert [(remark.code, remark.file) for remark in found.remarks] == [("encoding", "in.tsv")]
    forms = score_uploads(found, Upload("o.txt", "Łódź\nKraków\n".encode())).forms
    assert forms == {"gold": "golds, UTF-8", "questions": "questions, cp1250", "answers": "lines, UTF-8"}


def test_blank_lines_behind_the_last_question_are_no_golds() -> None:
    questions = read_gold(b'{"id": 1, "question": "A?", "answers": []}\n{"id": 2, "question": "B?"}\n').questions
    found = read_gold(b"a\n\n\n\n", "expected.tsv", None, questions)
    assert [(question.id, question.answers) for question in found.questions] == [("1", ("a",)), ("2", ())]
    assert found.unanswerable == {"2"}
    assert [(remark.code, remark.count) for remark in found.remarks] == [("blank-lines-dropped", 2)]


def test_questions_of_another_part_show_ids_of_both() -> None:
    questions = read_gold(b'{"id": "x7", "question": "A?", "answers": []}\n').questions
    with pytest.raises(Refused, match=r"questions: x7; gold: 1") as caught:
        read_gold(b"qid,pid\n1,a\n", "g", None, questions)
    assert caught.value.code == "wrong-split"
