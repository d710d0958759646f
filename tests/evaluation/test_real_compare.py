"""The two Allegro runs of others, compared: every figure against one that scipy makes from the same files."""

import json
import math
from collections import defaultdict
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from polqa_demo.evaluation.compare import Run, compare_runs, flips, oracle, rankings_run
from polqa_demo.evaluation.ranking import score_rankings
from polqa_demo.evaluation.run_fusion import fuse_rankings, side_by_side
from polqa_demo.records import Ranking
from polqa_demo.reports.published import ALLEGRO, WITH_GOLD, Band, band

pytestmark = pytest.mark.real


def long(path: Path) -> dict[str, list[tuple[str, float]]]:
    table: dict[str, list[tuple[str, float]]] = defaultdict(list)
    for line in path.read_text(encoding="utf-8").splitlines()[1:]:
        question, passage, score = line.split("\t")
        table[question].append((passage, float(score)))
    return table


@cache
def gold(folder: Path) -> dict[str, list[str]]:
    pairs = long(folder / "pairs-test.tsv")
    return {question: [passage for passage, score in rows if score > 0] for question, rows in pairs.items()}


@cache
def rankings(folder: Path, system: str) -> dict[str, Ranking]:
    found = {}
    for question, pairs in long(folder / f"submission.{system}.tsv").items():
        ordered = sorted(pairs, key=lambda pair: -pair[1])
        found[question] = Ranking(question, *map(tuple, zip(*ordered, strict=True)))
    return found


def run(folder: Path, name: str, lists: dict[str, Ranking], measure: str) -> Run:
    questions = [str(json.loads(line)["id"]) for line in (folder / "questions-test.jl").read_text("utf-8").splitlines()]
    return rankings_run(name, score_rankings(lists, gold(folder), questions), measure)


@pytest.fixture(scope="module")
def allegro(shared: Path) -> Path:
    return shared / "data" / "poleval2022-pr-long" / "allegro"


def both(folder: Path, measure: str) -> tuple[Run, Run]:
    return (
        run(folder, "roberta-i", rankings(folder, "roberta-i"), measure),
        run(folder, "bm25", rankings(folder, "bm25"), measure),
    )


def test_discordant_questions_and_mcnemar(allegro: Path) -> None:
    first, second = both(allegro, "accuracy@10")
    test = compare_runs([first, second]).differences[0].test
    # Counted from the files alone, without any of our measures.
    hits = {
        system: {
            question
            for question, wanted in gold(allegro).items()
            if set(wanted) & set(rankings(allegro, system)[question].passage_ids[:10])
        }
        for system in ("roberta-i", "bm25")
    }
    wins, losses = len(hits["roberta-i"] - hits["bm25"]), len(hits["bm25"] - hits["roberta-i"])
    assert (len(hits["roberta-i"]), len(hits["bm25"])) == (833, 667)
    assert (wins, losses) == (191, 25)
    assert (test.outcomes.wins, test.outcomes.losses, test.n) == (wins, losses, 900)
    assert test.test == "mcnemar"
    assert test.p == pytest.approx(stats.binomtest(wins, wins + losses).pvalue, rel=1e-9)
    assert test.difference == pytest.approx(166 / 900)
    found = flips(first, second)
    assert set(found.won) == hits["roberta-i"] - hits["bm25"]
    assert set(found.lost) == hits["bm25"] - hits["roberta-i"]
    assert oracle([first, second]).value == len(hits["roberta-i"] | hits["bm25"]) / 900


def test_ndcg_by_approximate_randomisation(allegro: Path) -> None:
    first, second = both(allegro, "ndcg@10")
    test = compare_runs([first, second]).differences[0].test
    assert (test.first, test.second) == pytest.approx((0.7683, 0.5289), abs=5e-5)
    values = [list(first.values.values()), [second.values[key] for key in first.values]]
    outside = stats.permutation_test(
        values,
        lambda a, b, axis: np.mean(a - b, axis),
        permutation_type="samples",
        n_resamples=9_999,
        batch=500,
        vectorized=True,
        rng=np.random.default_rng(1),
    )
    assert test.difference == pytest.approx(outside.statistic)
    # No flip of 10,000 comes near the observed difference; scipy doubles the smaller side.
    assert test.p == pytest.approx(1 / 10_001)
    assert outside.pvalue == pytest.approx(2 / 10_000)
    interval = stats.bootstrap(
        (np.subtract(*values),),
        np.mean,
        n_resamples=9_999,
        batch=500,
        method="percentile",
        rng=np.random.default_rng(2),
    ).confidence_interval
    deviation = float(np.subtract(*values).std()) / 30
    assert (test.low, test.high) == pytest.approx((interval.low, interval.high), abs=0.12 * deviation)


@pytest.mark.parametrize("questions", [15, 25, 40])
def test_ndcg_among_few_questions_where_p_is_not_tiny(allegro: Path, questions: int) -> None:
    first, second = both(allegro, "ndcg@10")
    # The questions on which BM25 does best and as many others: a close race.
    order = sorted(first.values, key=lambda key: (first.values[key] - second.values[key], key))
    kept = order[:questions] + order[-questions:]
    values = [[run.values[key] for key in kept] for run in (first, second)]
    outside = stats.permutation_test(
        values,
        lambda a, b, axis: np.mean(a - b, axis),
        permutation_type="samples",
        n_resamples=20_000,
        batch=2_000,
        vectorized=True,
        rng=np.random.default_rng(questions),
    )
    some = [Run(run.name, run.measure, {key: run.values[key] for key in kept}) for run in (first, second)]
    p = compare_runs(some, draws=20_000).differences[0].test.p
    assert 0.01 < p < 0.99
    assert p == pytest.approx(outside.pvalue, abs=4 * math.sqrt(2 * p * (1 - p) / 20_000))


def test_the_fused_run_and_both_lists_side_by_side(allegro: Path) -> None:
    lists = {system: rankings(allegro, system) for system in ("roberta-i", "bm25")}
    fused = fuse_rankings(list(lists.values()))
    measured = run(allegro, "fused", fused, "accuracy@10")
    best = oracle(both(allegro, "accuracy@10"))
    assert both(allegro, "accuracy@10")[1].mean < measured.mean <= best.value
    question = flips(*both(allegro, "accuracy@10")).won[0]
    found = side_by_side(question, lists, gold(allegro)[question])
    marked = [[cell is not None and cell.gold for cell in row] for row in found.rows]
    assert any(row[0] for row in marked)
    assert not any(row[1] for row in marked)


def test_the_scores_stand_beside_the_published_ones(allegro: Path) -> None:
    score = both(allegro, "accuracy@10")[0]
    found = band("accuracy@10", ALLEGRO, "auto", len(score.values), WITH_GOLD)
    assert isinstance(found, Band)
    assert found.low < score.mean < found.high
