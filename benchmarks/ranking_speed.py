"""Claim: scoring 7,000 rankings of 100 passages is faster than ranx and ir_measures on the same input in the same run.

All compute Success@10 (accuracy@10), RR@10, nDCG@10, R@10 from the same dictionaries of runs and judgements; ours also
computes accuracy@1/5/20/100, judged@10 and what ties could change. ranx compiles on its first call, which is not timed.
ranx is no dependency of the project: `pip install ranx` into the environment, or it is left out, said so.

    python -m benchmarks.ranking_speed [--questions 7000] [--depth 100] [--turns 5] [--record]
"""

import argparse
import random
import statistics
import time
from collections.abc import Callable
from typing import Any

from benchmarks.recording import record
from polqa_demo.evaluation.ranking import score_rankings
from polqa_demo.records import Ranking


def main() -> None:
    """Measures all in turns of random order and prints the ratios."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--questions", type=int, default=7000)
    parser.add_argument("--depth", type=int, default=100)
    parser.add_argument("--turns", type=int, default=5)
    parser.add_argument("--record", action="store_true", help="write benchmarks/results/ranking_speed.json")
    options = parser.parse_args()
    run, gold = make(options.questions, options.depth)
    ways: dict[str, Callable[[], dict[str, float]]] = {
        "ours": lambda: ours(run, gold),
        "ir_measures": lambda: by_ir_measures(run, gold),
    }
    try:
        by_ranx(run, gold)
        ways["ranx"] = lambda: by_ranx(run, gold)
    except ImportError:
        print("ranx is not installed and was left out")
    values = {name: way() for name, way in ways.items()}
    times: dict[str, list[float]] = {name: [] for name in ways}
    order, chance = list(ways), random.Random(7)
    for _ in range(options.turns):
        chance.shuffle(order)
        for name in order:
            start = time.perf_counter()
            ways[name]()
            times[name].append(time.perf_counter() - start)
    median = {name: statistics.median(taken) for name, taken in times.items()}
    result: dict[str, Any] = {
        "claim": "faster than ranx and ir_measures",
        "holds": all(median["ours"] < taken for name, taken in median.items() if name != "ours"),
        "times_faster": {name: round(taken / median["ours"], 2) for name, taken in median.items() if name != "ours"},
        "seconds": {name: round(taken, 3) for name, taken in median.items()},
        "largest_difference": max(
            abs(values["ours"][measure] - found[measure]) for found in values.values() for measure in found
        ),
        "questions": options.questions,
        "depth": options.depth,
        "turns": options.turns,
    }
    print(result)
    if options.record:
        record("ranking_speed", result)


def make(questions: int, depth: int) -> tuple[dict[str, dict[str, float]], dict[str, dict[str, int]]]:
    """Seeded runs without ties, one to five gold passages a question, two thirds of them ranked somewhere."""
    chance = random.Random(2022)
    run: dict[str, dict[str, float]] = {}
    gold: dict[str, dict[str, int]] = {}
    for number in range(questions):
        passages = [f"{chance.randrange(10**6)}-{place}" for place in range(depth)]
        run[f"q{number}"] = {passage: float(depth - rank) for rank, passage in enumerate(passages)}
        ranked = chance.sample(passages, chance.randint(1, 3)) if chance.random() < 2 / 3 else []
        gold[f"q{number}"] = dict.fromkeys([*ranked, f"x{number}-0"], 1)
    return run, gold


def ours(run: dict[str, dict[str, float]], gold: dict[str, dict[str, int]]) -> dict[str, float]:
    """The product's measures, from the same dictionaries."""
    rankings = {key: Ranking(key, tuple(scores), tuple(scores.values())) for key, scores in run.items()}
    found = score_rankings(rankings, gold, list(gold), gold)
    return {
        "success": found.headline.value,
        "rr": found["mrr@10"].value,
        "ndcg": found["ndcg@10"].value,
        "recall": found["recall@10"].value,
    }


def by_ir_measures(run: dict[str, dict[str, float]], gold: dict[str, dict[str, int]]) -> dict[str, float]:
    """ir_measures, with whichever provider it prefers."""
    import ir_measures
    from ir_measures import RR, R, Success, nDCG

    measures = {"success": Success @ 10, "rr": RR @ 10, "ndcg": nDCG @ 10, "recall": R @ 10}
    found = ir_measures.calc_aggregate(list(measures.values()), gold, run)
    return {name: found[measure] for name, measure in measures.items()}


def by_ranx(run: dict[str, dict[str, float]], gold: dict[str, dict[str, int]]) -> dict[str, float]:
    """ranx, building its own structures as its documentation does."""
    from ranx import Qrels, Run, evaluate

    names = {"success": "hit_rate@10", "rr": "mrr@10", "ndcg": "ndcg@10", "recall": "recall@10"}
    found = evaluate(Qrels(gold), Run(run), list(names.values()))
    return {name: float(found[measure]) for name, measure in names.items()}


if __name__ == "__main__":
    main()
