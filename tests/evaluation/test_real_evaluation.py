"""The scores on public real files, against values that were counted elsewhere."""

import csv
import json
from collections import defaultdict
from pathlib import Path

import pytest

from polqa_demo.evaluation import explain_fuzzy_match, score_fuzzy_match
from polqa_demo.evaluation.ranking import RankingScores, score_rankings
from polqa_demo.records import Ranking

pytestmark = pytest.mark.real


def lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").removesuffix("\n").split("\n")


def test_every_case_of_the_rule(shared: Path) -> None:
    cases = [json.loads(line) for line in lines(shared / "spec" / "fuzzy_match_cases.jsonl")]
    assert len(cases) == 207
    wrong = [
        case
        for case in cases
        if score_fuzzy_match(case["pred"], case["golds"]) is not case["geval"]
        or explain_fuzzy_match(case["pred"], case["golds"]).correct is not case["geval"]
    ]
    assert wrong == []


@pytest.mark.parametrize("rule", ["poleval", "readme"])
def test_metric_cases(shared: Path, rule: str) -> None:
    with (shared / "cases" / "metric" / "metric_cases.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) > 20
    wrong = [row for row in rows if score_fuzzy_match(row["prediction"], [row["gold"]], rule) is not (row[rule] == "1")]
    assert wrong == []


def test_the_best_of_several_golds(shared: Path) -> None:
    with (shared / "cases" / "metric" / "m08_best_of_golds.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [score_fuzzy_match(row["answer"], row["golds"].split("|")) for row in rows] == [True] * 3


@pytest.mark.parametrize(
    ("part", "system", "right", "n"),
    [
        ("dev-0", "always-tak", 51, 1000),
        ("dev-0", "polish-roberta", 72, 1000),
        ("test-A", "always-tak", 143, 2500),
        ("test-A", "polish-roberta", 172, 2500),
    ],
)
def test_answers_of_poleval_2021(shared: Path, part: str, system: str, right: int, n: int) -> None:
    folder = shared / "data" / "poleval2021-qa"
    golds = [line.split("\t") for line in lines(folder / f"{part}.expected.tsv")]
    answers = lines(folder / f"{part}.out.{system}.tsv")
    assert len(golds) == len(answers) == n
    assert sum(map(score_fuzzy_match, answers, golds)) == right
    assert sum(explain_fuzzy_match(*pair).correct for pair in zip(answers, golds, strict=True)) == right


@pytest.mark.parametrize(("part", "right"), [("dev-0", 50), ("test-A", 140)])
def test_a_constant_answer_by_the_strict_rule(shared: Path, part: str, right: int) -> None:
    golds = [line.split("\t") for line in lines(shared / "data" / "poleval2021-qa" / f"{part}.expected.tsv")]
    assert sum(score_fuzzy_match("tak", accepted, "readme") for accepted in golds) == right


def test_the_gold_damaged(shared: Path) -> None:
    folder = shared / "data" / "poleval2021-qa"
    golds = [line.split("\t") for part in ("dev-0", "test-A") for line in lines(folder / f"{part}.expected.tsv")]
    assert all(score_fuzzy_match(accepted[0], accepted) for accepted in golds)
    assert sum(score_fuzzy_match(f"Odpowiedź: {accepted[0]}", accepted) for accepted in golds) < len(golds) / 5


def wide(path: Path) -> dict[str, list[str]]:
    return {str(number): line.split("\t") for number, line in enumerate(lines(path))}


def long(path: Path) -> dict[str, list[tuple[str, float]]]:
    table: dict[str, list[tuple[str, float]]] = defaultdict(list)
    for line in lines(path)[1:]:
        question, passage, score = line.split("\t")
        table[question].append((passage, float(score)))
    return table


def score_long(folder: Path, system: str) -> RankingScores:
    gold = {
        question: [passage for passage, score in pairs if score > 0]
        for question, pairs in long(folder / "pairs-test.tsv").items()
    }
    rankings = {}
    for question, pairs in long(folder / f"submission.{system}.tsv").items():
        ordered = sorted(pairs, key=lambda pair: -pair[1])
        rankings[question] = Ranking(question, *map(tuple, zip(*ordered, strict=True)))
    questions = [str(json.loads(line)["id"]) for line in lines(folder / "questions-test.jl")]
    return score_rankings(rankings, gold, questions)


@pytest.mark.parametrize(
    ("system", "hits", "ndcg", "depths"),
    [("submission-00407", 446, 0.3809, [1, 5, 10]), ("top100", 255, 0.1717, [1, 5, 10, 20, 100])],
)
def test_wide_runs(shared: Path, system: str, hits: int, ndcg: float, depths: list[int]) -> None:
    folder = shared / "data" / "poleval2022-pr"
    rankings = {
        question: Ranking(question, tuple(ids)) for question, ids in wide(folder / f"dev-0.out.{system}.tsv").items()
    }
    gold = wide(folder / "dev-0.expected.tsv")
    scores = score_rankings(rankings, gold, list(gold))
    assert (scores.hits, scores.n, scores.accuracy_all_questions.n) == (hits, 599, 599)
    assert scores["ndcg@10"].value == pytest.approx(ndcg, abs=5e-5)
    assert list(scores.shares) == [f"accuracy@{depth}" for depth in depths]


@pytest.mark.parametrize(
    ("part", "system", "hits", "n", "ndcg"),
    [
        ("allegro", "bm25", 667, 900, 0.5289),
        ("allegro", "roberta-i", 833, 900, 0.7683),
        ("allegro", "MiniLM", 490, 900, 0.3761),
        ("dev-0", "bm25", 530, 599, 0.6056),
        ("dev-0", "roberta-trained", 592, 599, 0.8417),
    ],
)
def test_long_runs(shared: Path, part: str, system: str, hits: int, n: int, ndcg: float) -> None:
    scores = score_long(shared / "data" / "poleval2022-pr-long" / part, system)
    assert (scores.hits, scores.n) == (hits, n)
    assert scores["ndcg@10"].value == pytest.approx(ndcg, abs=5e-5)
    assert scores.ties.worst.hits <= scores.hits <= scores.ties.best.hits


def test_tied_scores_are_counted(shared: Path) -> None:
    assert score_long(shared / "data" / "poleval2022-pr-long" / "allegro", "bm25").ties.questions == 55


@pytest.mark.parametrize(("name", "hits"), [("wide_with_id", 4), ("r07_seven", 3), ("r07_ragged", 2)])
def test_small_rankings(shared: Path, name: str, hits: int) -> None:
    gold = {
        question: [passage for passage, _ in pairs]
        for question, pairs in long(shared / "cases" / "retrieval" / "gold_pairs.tsv").items()
    }
    rankings = {}
    for line in lines(shared / "cases" / "ranking" / f"{name}.tsv"):
        question, *ids = line.split("\t")
        rankings[question] = Ranking(question, tuple(filter(None, ids)))
    scores = score_rankings(rankings, gold, list(gold))
    assert (scores.hits, scores.n) == (hits, 6)
