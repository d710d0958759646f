"""Gold sets by name where questions are wanted: `retrieve --questions polqa/test`, as `score --gold` takes them."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from test_cli import Call

from polqa_demo.submissions.gold import load_gold

NAME = "polqa-demo-sample/test"
QUESTION = '{"id": "moje", "question": "Gdzie leży Bombaj?"}\n'


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path / "hub"))
    load_gold.cache_clear()
    yield tmp_path
    load_gold.cache_clear()


def ids(text: str) -> list[str]:
    return [json.loads(line)["question_id"] for line in text.splitlines()]


def retrieve(place: Path, questions: str, *more: str) -> Call:
    return Call(place / "cache", "--lang", "en", "retrieve", "--questions", questions, "--out", "-", "--format",
                "jsonl", *more)  # fmt: skip


def test_the_questions_of_a_gold_set_by_its_name(place: Path) -> None:
    found = retrieve(place, NAME)
    assert found.code == 0, found.err
    assert ids(found.out) == [question.id for question in load_gold("polqa-demo-sample/test").questions]


def test_the_gold_passages_of_a_gold_set_by_its_name(place: Path) -> None:
    done = Call(place / "cache", "answer", "--questions", NAME, "--gold-passages", "--out", "answers.jsonl")
    assert done.code == 0, done.err
    answers = place / "answers.jsonl"
    assert len(answers.read_text(encoding="utf-8").splitlines()) == len(load_gold(NAME).questions)
    assert Call(place / "cache", "score", "--gold", NAME, "--answers", answers).code == 0


def test_a_name_counts_before_a_file_of_that_path(place: Path) -> None:
    (place / NAME).parent.mkdir()
    (place / NAME).write_text(QUESTION, encoding="utf-8")
    named, given = retrieve(place, NAME), retrieve(place, f"./{NAME}")
    assert "moje" not in ids(named.out)
    assert f"./{NAME} names it" in named.err
    assert ids(given.out) == ["moje"]
    assert "names it" not in given.err
    assert f"./{NAME} names it" in Call(place / "cache", "--lang", "en", "score", "--gold", NAME, "--answers", "x").err


@pytest.mark.parametrize("split", ["test", "valid"])
def test_polqa_that_is_not_at_hand_says_how_to_fetch_it(place: Path, split: str) -> None:
    done = retrieve(place, f"polqa/{split}")
    assert (done.code, done.out) == (1, "")
    assert f"data fetch --split {split}" in done.err


def test_polqa_of_the_hubs_cache_goes_by_its_name(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = place / "hub" / "datasets--ipipan--polqa"
    (folder / "refs").mkdir(parents=True)
    (folder / "refs" / "main").write_text("0" * 40)
    split = folder / "snapshots" / ("0" * 40) / "data" / "valid.csv"
    split.parent.mkdir(parents=True)
    split.write_text("question_id,question,answers\nmoje,Gdzie leży Bombaj?,['w Indiach']\n", encoding="utf-8")
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    found = retrieve(place, "polqa/valid")
    assert found.code == 0, found.err
    assert ids(found.out) == ["moje"]


def test_a_file_in_a_folder_named_like_a_collection_is_a_file(place: Path) -> None:
    (place / "polqa").mkdir()
    (place / "polqa" / "moje.jsonl").write_text(QUESTION, encoding="utf-8")
    assert ids(retrieve(place, "polqa/moje.jsonl").out) == ["moje"]
    gone = retrieve(place, "inne/moje.jsonl")
    assert "Cannot open the file inne/moje.jsonl" in gone.err
    assert "There is no gold set 'polqa/nie-ma'" in retrieve(place, "polqa/nie-ma").err
