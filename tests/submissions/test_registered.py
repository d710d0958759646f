"""One reader of gold: a split by its name and the same file by its path are one gold."""

import csv
import io
from pathlib import Path

import pytest

from polqa_demo.data import catalogue, polqa, sample
from polqa_demo.evaluation.signature import signature
from polqa_demo.gold_sets import OPERATOR, GoldSets, open_gold
from polqa_demo.scoring import Upload
from polqa_demo.settings import Settings
from polqa_demo.submissions.gold import load_gold, read_gold
from polqa_demo.submissions.registered import registered_name

NAMES = [f"{sample.NAME}/{split}" for split in sample.SPLITS]
# What a reader of its own would see otherwise: ids as decimals, golds without commas, an empty gold, a split that the
# set calls by another name.
ROWS = [
    ["question_id", "question", "answers", "passage_id", "relevant", "passage_source", "split"],
    ["101.0", "Kto?", "['ja' 'my']", "12.0", "True", "human", "validation"],
    ["102.0", "Gdzie?", "['']", "13.0", "tak", "zero-shot", "validation"],
    ["102.0", "Gdzie?", "['']", "14", "False", "human", "validation"],
]


@pytest.mark.parametrize("name", NAMES)
def test_a_split_by_name_and_by_path(name: str, tmp_path: Path) -> None:
    by_name = load_gold(name)
    path = catalogue.gold_file(name)
    assert read_gold(path, path.name) == by_name
    copy = tmp_path / "kopia.csv"
    copy.write_bytes(path.read_bytes())
    for found in (read_gold(copy, "kopia.csv"), read_gold(copy.read_bytes(), "kopia.csv")):
        assert f"{found.name}/{found.split}" == name
        assert found.questions == by_name.questions
        assert signature(found, {}) == signature(by_name, {})
    opened, _ = open_gold(str(copy))
    assert opened is not None
    assert signature(opened, {}) == signature(by_name, {})


def test_a_file_that_differs_by_one_byte_has_its_own_name(tmp_path: Path) -> None:
    data = catalogue.gold_file(NAMES[0]).read_bytes()
    assert registered_name(data) == (sample.NAME, "train")
    changed = tmp_path / "kopia.csv"
    for other in (data + b"\n", data.replace(b"a", b"b", 1)):
        changed.write_bytes(other)
        assert registered_name(changed) is None
        assert read_gold(changed, "kopia.csv").name == "kopia"
    assert registered_name(b"") is None
    assert registered_name(tmp_path / "nie-ma.csv") is None


def test_polqas_own_files_are_read_as_any_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = io.StringIO()
    csv.writer(text).writerows(ROWS)
    file = tmp_path / "valid.csv"
    file.write_bytes(text.getvalue().encode())
    monkeypatch.setattr(polqa, "cached_file", lambda name: file if name == "valid.csv" else None)
    load_gold.cache_clear()
    by_name = load_gold("polqa/valid")
    assert (by_name.name, by_name.split, by_name.splits) == ("polqa", "valid", {})
    assert [(item.id, item.answers) for item in by_name.questions] == [("101", ("ja", "my")), ("102", ())]
    assert by_name.unanswerable == {"102"}
    assert [(item.passage_id, item.relevant) for item in by_name.judgements] == [
        ("12", True), ("13", True), ("14", False),
    ]  # fmt: skip
    assert {remark.code for remark in by_name.remarks} == {"numpy-lists", "float-ids"}
    assert read_gold(file, "valid.csv") == by_name
    load_gold.cache_clear()


def test_an_operators_copy_bears_the_name_of_its_file(tmp_path: Path) -> None:
    copy = tmp_path / "nasz.csv"
    copy.write_bytes(catalogue.gold_file(NAMES[2]).read_bytes())
    golds = GoldSets(Settings(gold=(copy,)))
    assert golds.names()[-1] == f"{OPERATOR}/nasz"
    assert golds.load(f"{OPERATOR}/nasz").questions == load_gold(NAMES[2]).questions


def test_questions_count_beside_a_name_as_beside_a_file() -> None:
    name = NAMES[2]
    ids = [question.id for question in load_gold(name).questions][5:2:-1]
    asked = Upload("q.tsv", "".join(f"{key}\tPytanie {key}?\n" for key in ids).encode())
    for gold in (name, str(catalogue.gold_file(name))):
        found, _ = open_gold(gold, questions=asked)
        assert found is not None
        assert [question.id for question in found.questions] == ids
        assert found.questions[0].text == f"Pytanie {ids[0]}?"
        assert {remark.code for remark in found.remarks} == {"question-ids", "gold-outside"}
        assert next(remark.file for remark in found.remarks if remark.code == "question-ids") == "q.tsv"
        assert set(found.recognised) == {"gold", "questions"}
