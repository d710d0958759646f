"""PolQA's CSV as it is published, with its quirks."""

import csv
import gc
import io
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from polqa_demo.data import polqa
from polqa_demo.errors import UserError
from polqa_demo.records import GoldSet, Judgement

FILLER = dict.fromkeys(polqa.COLUMNS, "")


def row(**cells: str) -> dict[str, str]:
    return {**FILLER, "question_id": "1", "question": "Kto?", "answers": "['ja']", **cells}


def table(*rows: dict[str, str], columns: tuple[str, ...] = polqa.COLUMNS) -> str:
    out = io.StringIO()
    writer = csv.DictWriter(out, columns, extrasaction="ignore", lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


def read(tmp_path: Path, text: str, split: str = "") -> GoldSet:
    file = tmp_path / "plik.csv"
    file.write_bytes(text.encode())
    return polqa.read_split(file, "polqa", split)


def test_the_words_true_and_false_are_read_as_words(tmp_path: Path) -> None:
    gold = read(
        tmp_path,
        table(
            row(passage_id="1-0", relevant="True", passage_source="human"),
            row(passage_id="1-1", relevant="False", passage_source="human"),
            row(passage_id="1-2", relevant="true ", passage_source="human"),
            row(passage_id="1-3", relevant="", passage_source="human"),
        ),
    )
    assert [item.relevant for item in gold.judgements] == [True, False, True]
    assert polqa.gold_passages(gold) == {"1": ("1-0", "1-2")}


def test_a_row_without_a_passage_id_is_no_judgement(tmp_path: Path) -> None:
    gold = read(
        tmp_path,
        table(row(relevant="True"), row(passage_id="  ", relevant="True"), row(passage_id="7-0", relevant="nie")),
    )
    assert gold.judgements == (Judgement("1", "7-0", grade=0),)
    assert polqa.gold_passages(gold) == {}


def test_cells_longer_than_the_csv_module_likes_and_line_breaks_inside_of_cells(tmp_path: Path) -> None:
    long = "ą" * 200_000
    gold = read(
        tmp_path,
        table(
            row(passage_text=f"raz\r\ndwa\n{long}", passage_id="1-0", relevant="True"),
            row(question_id="2", question='Co,\n„gdzie”\ti "kiedy"?', answers="['tam']"),
        ),
    )
    assert [question.text for question in gold.questions] == ["Kto?", 'Co,\n„gdzie”\ti "kiedy"?']
    assert len(gold.judgements) == 1


def test_equal_pairs_count_once_and_the_duplicate_mark_is_not_believed(tmp_path: Path) -> None:
    gold = read(
        tmp_path,
        table(
            row(passage_id="1-0", relevant="True", passage_source="human", duplicate="False"),
            row(passage_id="1-0", relevant="True", passage_source="human", duplicate="True"),
            row(passage_id="1-1", relevant="True", passage_source="human", duplicate="True"),
        ),
    )
    assert polqa.gold_passages(gold) == {"1": ("1-0", "1-1")}
    assert len(gold.judgements) == 2


@pytest.mark.parametrize("verdicts", [("True", "False"), ("False", "True")])
def test_a_pair_is_relevant_when_any_of_its_rows_says_so(tmp_path: Path, verdicts: tuple[str, str]) -> None:
    rows = [row(passage_id="1-0", relevant=verdict, passage_source="human") for verdict in verdicts]
    gold = read(tmp_path, table(*rows))
    assert gold.judgements == (Judgement("1", "1-0", grade=1, source="human"),)


@pytest.mark.parametrize(
    ("cell", "answers"),
    [
        ("['w Indiach', 'Indie']", ("w Indiach", "Indie")),
        ('["w Indiach", "Indie"]', ("w Indiach", "Indie")),
        ('["d\'Artagnan", \'rzekł "nie"\']', ("d'Artagnan", 'rzekł "nie"')),
        ('["d\'Artagnan", "rzekł \\"nie\\""]', ("d'Artagnan", 'rzekł "nie"')),
        ("[1, 2.5]", ("1", "2.5")),
        ("['1', None]", ("1",)),
        ('["1", null]', ("1",)),
        ("['NA', 'null', '']", ("NA", "null", "")),
        ("[]", ()),
        ("  ['a']\n", ("a",)),
        ("['ścieżka\\d']", ("ścieżka\\d",)),
        ("['\\ud800x']", ("\ufffdx",)),
        ('["\\ud800x"]', ("\ufffdx",)),
        ("w Indiach", None),
        ("30", None),
        ("1, 2", None),
        ("", None),
        ("{'a': 1}", None),
        ("['a'", None),
        ("[\0]", None),
        ("[" * 5000, None),
        ("__import__('os').system('true')", None),
    ],
)
def test_answers_are_python_or_json_lists(cell: str, answers: tuple[str, ...] | None) -> None:
    assert polqa.parse_answers(cell) == answers


@given(st.lists(st.text(st.characters(exclude_categories=("Cs",)))))
def test_every_list_of_answers_survives_both_ways_of_writing(answers: list[str]) -> None:
    assert polqa.parse_answers(repr(answers)) == tuple(answers)
    assert polqa.parse_answers(json.dumps(answers)) == tuple(answers)
    assert polqa.parse_answers(json.dumps(answers, ensure_ascii=False)) == tuple(answers)


def test_labels_and_the_split_come_from_the_rows(tmp_path: Path) -> None:
    gold = read(tmp_path, table(row(question_type="BOOLEAN", entity_type="", split="test")))
    assert gold.split == "test"
    assert gold.questions[0].labels == {"question_type": "BOOLEAN"}
    assert read(tmp_path, table(row(split="test")), "valid").split == "valid"


def test_columns_are_found_by_name_in_any_order(tmp_path: Path) -> None:
    gold = read(tmp_path, "\ufeffanswers,inna,question,question_id\n['a'],x,Kto?,5\n")
    assert (gold.questions[0].id, gold.questions[0].answers) == ("5", ("a",))


def test_a_missing_column_is_named_with_those_found(tmp_path: Path) -> None:
    with pytest.raises(UserError) as caught:
        read(tmp_path, "id,question,answers\n1,Kto?,['a']\n")
    assert caught.value.code == "missing-columns"
    assert "question_id" in caught.value.say("pl")
    assert "id, question, answers" in caught.value.say("en")


@pytest.mark.parametrize(
    ("bad", "code"), [({"answers": "w Indiach"}, "bad-answers"), ({"question_id": " "}, "empty-id")]
)
def test_a_bad_row_is_named_by_file_and_line(tmp_path: Path, bad: dict[str, str], code: str) -> None:
    with pytest.raises(UserError, match=r"plik\.csv, line 3") as caught:
        read(tmp_path, table(row(), row(question_id="2") | bad))
    assert caught.value.code == code


def test_a_short_row_is_no_crash(tmp_path: Path) -> None:
    gold = read(tmp_path, "question_id,question,answers,passage_id,relevant\n1,Kto?,['a']\n")
    assert (gold.questions[0].answers, gold.judgements) == (("a",), ())


def test_a_file_that_is_not_utf8_or_not_there(tmp_path: Path) -> None:
    (tmp_path / "stary.csv").write_bytes(table(row(question="Gdzie leży Łódź?")).encode("cp1250"))
    with pytest.raises(UserError, match="UTF-8") as caught:
        polqa.read_split(tmp_path / "stary.csv", "polqa")
    assert caught.value.code == "not-utf8"
    with pytest.raises(UserError, match=r"nie-ma\.csv") as caught:
        polqa.read_split(tmp_path / "nie-ma.csv", "polqa")
    assert caught.value.code == "unreadable-file"


def test_the_split_that_the_hub_calls_valid_has_two_names() -> None:
    assert polqa.split_file("valid") == polqa.split_file("validation") == "valid.csv"
    with pytest.raises(UserError, match="test, train, valid, validation"):
        polqa.split_file("dev")


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
def test_the_source_of_a_gold_passage(tmp_path: Path, split: str, source: polqa.GoldSource, passages: object) -> None:
    gold = read(
        tmp_path,
        table(
            row(passage_id="h", relevant="True", passage_source="human"),
            row(passage_id="z", relevant="True", passage_source="zero-shot"),
            row(passage_id="n", relevant="False", passage_source="human"),
        ),
        split,
    )
    assert polqa.gold_passages(gold, source) == {"1": passages}
    assert polqa.judged_passages(gold) == {"1": frozenset("hzn")}


def test_judgements_without_any_source_always_count(tmp_path: Path) -> None:
    text = "question_id,question,answers,passage_id,relevant\n1,Kto?,['a'],5-0,True\n"
    assert polqa.gold_passages(read(tmp_path, text, "test"), "human") == {"1": ("5-0",)}


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
    gold = polqa.gold_set(polqa.stream_rows("validation", str(data)), "polqa", "valid")
    assert gold == polqa.read_split(data / "valid.csv", "polqa", "valid")
    assert [question.text for question in gold.questions] == words
    assert not any(item.relevant for item in gold.judgements)


# The library leaves the file of a stream that is given up half way to the garbage collector.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_stream_of_other_columns_and_no_stream_at_all(tmp_path: Path) -> None:
    (tmp_path / "test.csv").write_text("id,answer\n1,a\n", encoding="utf-8")
    with pytest.raises(UserError) as caught:
        list(polqa.stream_rows("test", str(tmp_path)))
    assert caught.value.code == "missing-columns"
    del caught
    gc.collect()
    with pytest.raises(UserError, match=r"train\.csv") as caught:
        list(polqa.stream_rows("train", str(tmp_path)))
    assert caught.value.code == "hub-unreachable"
    assert "--gold" in caught.value.say("pl")
    with pytest.raises(UserError):
        list(polqa.stream_rows("dev", str(tmp_path)))
