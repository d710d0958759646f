"""Evidence and buckets on public real files: the counts that their definitions rest on."""

import json
import random
from pathlib import Path

import pytest

from polqa_demo.evaluation.buckets import sort_answers
from polqa_demo.evaluation.evidence import held_answer
from polqa_demo.records import Question

pytestmark = pytest.mark.real


def lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").removesuffix("\n").split("\n")


def test_answers_are_found_in_their_passages_and_hardly_in_others(shared: Path) -> None:
    folder = shared / "data" / "poquad-corpus"
    passages = {}
    for path in sorted(folder.glob("passages-*.jsonl")):
        for row in map(json.loads, lines(path)):
            passages[str(row["id"])] = f"{row['title']}\n{row['text']}"
    questions = [json.loads(line) for line in lines(folder / "questions-gold.jsonl")]
    open_ones = [row for row in questions if not {answer.lower() for answer in row["answers"]} <= {"tak", "nie"}]
    assert (len(questions), len(open_ones)) == (1243, 1045)
    held = sum(held_answer(passages[str(row["passage_id"])], row["answers"]) is not None for row in questions)
    assert held == 976
    chance = random.Random(0)
    texts = list(passages.values())
    elsewhere = sum(
        held_answer(chance.choice(texts), row["answers"]) is not None for row in open_ones for _ in range(3)
    )
    assert elsewhere < 0.015 * 3 * len(open_ones)


@pytest.fixture(scope="module")
def poleval(shared: Path) -> Path:
    return shared / "data" / "poleval2021-qa"


def gold_of(folder: Path, part: str) -> list[Question]:
    golds = [tuple(line.split("\t")) for line in lines(folder / f"{part}.expected.tsv")]
    return [Question(str(number), "", answers) for number, answers in enumerate(golds)]


@pytest.mark.parametrize(("part", "right", "near"), [("dev-0", 72, 0), ("test-A", 172, 3)])
def test_a_real_systems_answers(poleval: Path, part: str, right: int, near: int) -> None:
    answers = {str(number): line for number, line in enumerate(lines(poleval / f"{part}.out.polish-roberta.tsv"))}
    counts = sort_answers(gold_of(poleval, part), answers).counts
    assert (counts["right"], counts["near"]) == (right, near)


def test_golds_dealt_at_random_are_hardly_ever_near(poleval: Path) -> None:
    questions = [*gold_of(poleval, "dev-0"), *gold_of(poleval, "test-A")]
    questions = [Question(str(number), "", question.answers) for number, question in enumerate(questions)]
    chance = random.Random(1)
    dealt = {question.id: chance.choice(questions).answers[0] for question in questions}
    counts = sort_answers(questions, dealt).counts
    assert len(questions) == 3500
    assert counts["near"] + counts["stem"] + counts["number_elsewhere"] + counts["format"] < 25


def test_the_gold_in_quotes_or_behind_a_prefix_is_a_matter_of_format(poleval: Path) -> None:
    questions = gold_of(poleval, "test-A")
    for damage in ("„{}”", "Odpowiedź: {}", "{}."):
        damaged = {question.id: damage.format(question.answers[0]) for question in questions}
        counts = sort_answers(questions, damaged).counts
        assert counts["right"] + counts["format"] >= 0.99 * len(questions)
        assert counts["format"] > 0
