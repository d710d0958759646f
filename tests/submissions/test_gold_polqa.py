"""PolQA's CSV as it is published, with its quirks."""

import csv
import io
from dataclasses import replace
from pathlib import Path

import pytest

from polqa_demo.data import polqa
from polqa_demo.records import GoldSet, Judgement
from polqa_demo.submissions.gold import read_gold
from polqa_demo.submissions.gold_table import gold_of_rows
from polqa_demo.submissions.problems import Refused

FILLER = dict.fromkeys(polqa.COLUMNS, "")


def row(**cells: str) -> dict[str, str]:
    return {**FILLER, "question_id": "1", "question": "Kto?", "answers": "['ja']", **cells}


def table(*rows: dict[str, str], columns: tuple[str, ...] = polqa.COLUMNS) -> str:
    out = io.StringIO()
    writer = csv.DictWriter(out, columns, extrasaction="ignore", lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


def read(text: str) -> GoldSet:
    return read_gold(text.encode(), "plik.csv")


def test_the_words_true_and_false_are_read_as_words() -> None:
    gold = read(
        table(
            row(passage_id="1-0", relevant="True", passage_source="human"),
            row(passage_id="1-1", relevant="False", passage_source="human"),
            row(passage_id="1-2", relevant="true ", passage_source="human"),
            row(passage_id="1-3", relevant="", passage_source="human"),
        ),
    )
    assert [item.relevant for item in gold.judgements] == [True, False, True]
    assert polqa.gold_passages(gold) == {"1": ("1-0", "1-2")}


def test_a_row_without_a_passage_id_is_no_judgement() -> None:
    gold = read(
        table(row(relevant="True"), row(passage_id="  ", relevant="True"), row(passage_id="7-0", relevant="nie")),
    )
    assert gold.judgements == (Judgement("1", "7-0", grade=0),)
    assert polqa.gold_passages(gold) == {}


def test_cells_longer_than_the_csv_module_likes_and_line_breaks_inside_of_cells() -> None:
    long = "ą" * 200_000
    gold = read(
        table(
            row(passage_text=f"raz\r\ndwa\n{long}", passage_id="1-0", relevant="True"),
            row(question_id="2", question='Co,\n„gdzie”\ti "kiedy"?', answers="['tam']"),
        ),
    )
    assert [question.text for question in gold.questions] == ["Kto?", 'Co,\n„gdzie”\ti "kiedy"?']
    assert len(gold.judgements) == 1


def test_equal_pairs_count_once_and_the_duplicate_mark_is_not_believed() -> None:
    gold = read(
        table(
            row(passage_id="1-0", relevant="True", passage_source="human", duplicate="False"),
            row(passage_id="1-0", relevant="True", passage_source="human", duplicate="True"),
            row(passage_id="1-1", relevant="True", passage_source="human", duplicate="True"),
        ),
    )
    assert polqa.gold_passages(gold) == {"1": ("1-0", "1-1")}
    assert len(gold.judgements) == 2


@pytest.mark.parametrize("verdicts", [("True", "False"), ("False", "True")])
def test_a_pair_is_relevant_when_any_of_its_rows_says_so(verdicts: tuple[str, str]) -> None:
    rows = [row(passage_id="1-0", relevant=verdict, passage_source="human") for verdict in verdicts]
    gold = read(table(*rows))
    assert gold.judgements == (Judgement("1", "1-0", grade=1, source="human"),)


def test_labels_and_the_split_come_from_the_rows() -> None:
    gold = read(table(row(question_type="BOOLEAN", entity_type="", split="test")))
    assert gold.split == "test"
    assert gold.questions[0].labels == {"question_type": "BOOLEAN"}


def test_columns_are_found_by_name_in_any_order() -> None:
    gold = read("\ufeffanswers,inna,question,question_id\n['a'],x,Kto?,5\n")
    assert (gold.questions[0].id, gold.questions[0].answers) == ("5", ("a",))


def test_a_missing_column_is_named_with_those_found() -> None:
    with pytest.raises(Refused) as caught:
        read("id,pytanie,odpowiedz2\n1,Kto?,['a']\n")
    assert caught.value.code == "missing-columns"
    assert "question_id" in caught.value.say("pl")
    assert "id, pytanie, odpowiedz2" in caught.value.say("en")


@pytest.mark.parametrize(
    ("bad", "code"), [({"answers": "['w Indiach'"}, "bad-answers"), ({"question_id": " "}, "empty-id")]
)
def test_a_bad_row_is_named_by_file_and_line(bad: dict[str, str], code: str) -> None:
    with pytest.raises(Refused, match=r"plik\.csv, line 3") as caught:
        read(table(row(), row(question_id="2") | bad))
    assert caught.value.code == code


def test_a_short_row_is_no_crash() -> None:
    gold = read("question_id,question,answers,passage_id,relevant\n1,Kto?,['a']\n")
    assert (gold.questions[0].answers, gold.judgements) == (("a",), ())


@pytest.mark.parametrize(
    ("split", "source", "passages"),
    [
        ("test", "auto", ("h",)),
        ("valid", "auto", ("h",)),
        ("validation", "auto", ("h",)),
        ("train", "auto", ("h", "z")),
        ("", "auto", ("h", "z")),
        ("train", "human", ("h",)),
        ("test", "all", ("h", "z")),
    ],
)
def test_the_source_of_a_gold_passage(split: str, source: polqa.GoldSource, passages: object) -> None:
    gold = read(
        table(
            row(passage_id="h", relevant="True", passage_source="human", split=split),
            row(passage_id="z", relevant="True", passage_source="zero-shot", split=split),
            row(passage_id="n", relevant="False", passage_source="human", split=split),
        ),
    )
    assert polqa.gold_passages(gold, source) == {"1": passages}
    assert polqa.judged_passages(gold) == {"1": frozenset("hzn")}


def test_judgements_without_any_source_always_count() -> None:
    text = "question_id,question,answers,passage_id,relevant,split\n1,Kto?,['a'],5-0,True,test\n"
    assert polqa.gold_passages(read(text), "human") == {"1": ("5-0",)}


def test_rows_through_the_datasets_library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HOME", str(tmp_path / "hf"))
    data = tmp_path / "data"
    data.mkdir()
    words = ["NA", "null", "nan", "None", "", "007", "True"]
    rows = [
        row(question_id=str(number), question=word, answers=repr([word]), passage_id="2-0", relevant="False")
        for number, word in enumerate(words, 1)
    ]
    (data / "valid.csv").write_text(table(*rows), encoding="utf-8", newline="")
    gold = gold_of_rows(polqa.stream_rows("validation", str(data)), "valid", "", "valid.csv")
    assert gold == replace(read_gold(data / "valid.csv", "valid.csv"), recognised={})
    assert [question.text for question in gold.questions] == words
    assert not any(item.relevant for item in gold.judgements)
