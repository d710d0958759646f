"""Claim: two runs of 7,000 questions are compared in at most 3 times one numpy pass that sums 10,000 sign vectors.

The peer is the least that a plain vectorised randomisation has to do: 10,000 vectors of 7,000 signs, drawn beforehand
as int8, are summed once (`signs.sum(axis=1)`); it neither draws them nor weighs them by the differences. Ours is the
whole comparison of two runs with 10,000 randomisations: means, win/tie/loss, the sign vectors' drawing and weighing,
the p-value, the bootstrap interval, Holm, the oracle. Both run in turns in one process; medians of processor time.

Three pairs of runs, made up from a seed: `all differ` (every question has its own difference: the claim is about this,
the slowest), `ndcg` (NDCG of one gold passage, six tenths of the questions equal) and `right or wrong` (McNemar's exact
test). Beside the claim stands what a peer that also draws and weighs its signs takes.
"""

import argparse
import json
import statistics
import time
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from benchmarks.recording import record
from polqa_demo.evaluation.compare import Run, compare_runs

CLAIM = 3.0
Pair = tuple[list[float], list[float]]


def main() -> None:
    """Measures, prints, and with `--record` writes the result."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--n", type=int, default=7000, help="how many questions")
    parser.add_argument("--draws", type=int, default=10_000)
    parser.add_argument("--turns", type=int, default=9)
    parser.add_argument("--seed", type=int, default=2021)
    parser.add_argument("--record", action="store_true", help="write benchmarks/results/compare_speed.json")
    options = parser.parse_args()
    result = measure(options.n, options.draws, options.turns, options.seed)
    print(json.dumps(result, indent=2))
    print(f"{result['ratio']} times one pass over the sign vectors (claim: at most {CLAIM:g})")
    if options.record:
        record("compare_speed", result)


def measure(n: int, draws: int, turns: int, seed: int) -> dict[str, object]:
    """Medians over interleaved turns, in milliseconds of processor time, and their ratios."""
    generator = np.random.default_rng(seed)
    signs = draw_signs(generator, draws, n)
    pairs = make_pairs(generator, n)
    differences = np.subtract(*pairs["all differ"])
    jobs: dict[str, Callable[[], object]] = {
        "peer": lambda: signs.sum(axis=1),
        "drawing_peer": lambda: [draw_signs(generator, 100, n) @ differences for _ in range(draws // 100)],
    }
    jobs |= {name: job(pair, draws) for name, pair in pairs.items()}
    times: dict[str, list[float]] = {name: [] for name in jobs}
    for _ in range(turns):
        for name, run in jobs.items():
            times[name].append(milliseconds(run))
    medians = {name: statistics.median(values) for name, values in times.items()}
    ratio = medians["all differ"] / medians["peer"]
    return {
        "claim": f"at most {CLAIM:g} times one pass",
        "holds": ratio <= CLAIM,
        "ratio": round(ratio, 2),
        "ratio_ndcg": round(medians["ndcg"] / medians["peer"], 2),
        "ratio_right_or_wrong": round(medians["right or wrong"] / medians["peer"], 2),
        "ratio_to_drawing_peer": round(medians["all differ"] / medians["drawing_peer"], 3),
        "milliseconds": {name: round(value, 1) for name, value in medians.items()},
        "n": n,
        "draws": draws,
        "turns": turns,
        "data": f"made up, seed {seed}",
    }


def job(pair: Pair, draws: int) -> Callable[[], object]:
    """The comparison of two runs as the product does it."""
    runs = [Run(name, "made up", dict(enumerated(values))) for name, values in zip("ab", pair, strict=True)]
    return lambda: compare_runs(runs, draws=draws)


def enumerated(values: list[float]) -> list[tuple[str, float]]:
    """Values by question id."""
    return [(str(place), value) for place, value in enumerate(values)]


def draw_signs(generator: np.random.Generator, draws: int, n: int) -> NDArray[np.int8]:
    """Vectors of -1 and 1."""
    return generator.integers(0, 2, (draws, n), dtype=np.int8) * np.int8(2) - np.int8(1)


def make_pairs(generator: np.random.Generator, n: int) -> dict[str, Pair]:
    """Two runs' values of each kind."""
    ranks = generator.integers(1, 21, (2, n))
    ranks[1] = np.where(generator.random(n) < 0.6, ranks[0], ranks[1])
    ndcg = np.where(ranks <= 10, 1 / np.log2(ranks + 1), 0)
    kinds = {"all differ": generator.random((2, n)), "ndcg": ndcg, "right or wrong": (ranks <= 10).astype(float)}
    return {name: (first.tolist(), second.tolist()) for name, (first, second) in kinds.items()}


def milliseconds(run: Callable[[], object]) -> float:
    """The processor time of one run."""
    start = time.process_time()
    run()
    return (time.process_time() - start) * 1000


if __name__ == "__main__":
    main()
