"""Two runs on the same questions: the tests and the interval against scipy and against counting by hand."""

import math
import tracemalloc
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from polqa_demo.evaluation.paired import (
    Outcomes,
    _flipped_sums,
    bootstrap_interval,
    difference_interval,
    mcnemar,
    mcnemar_p,
    newcombe_interval,
    paired_test,
    randomisation,
    win_tie_loss,
)

GRADES = st.sampled_from([0.0, 0.1, 1 / 3, 0.5, 0.63, 1.0])


def graded(n: int, seed: int) -> tuple[list[float], list[float]]:
    generator = np.random.default_rng(seed)
    first = 1 / np.maximum(1, generator.integers(1, 11, n))
    second = np.where(generator.random(n) < 0.6, first, 1 / generator.integers(1, 11, n))
    return first.tolist(), second.tolist()


def exact_p(differences: list[float]) -> float:
    """Every flip of every sign, counted."""
    observed = abs(math.fsum(differences))
    flips = product((1, -1), repeat=len(differences))
    sums = [abs(math.fsum(sign * value for sign, value in zip(signs, differences, strict=True))) for signs in flips]
    return sum(found >= observed - 1e-9 for found in sums) / len(sums)


@pytest.mark.parametrize(
    ("wins", "losses"), [(0, 0), (1, 0), (3, 3), (9, 2), (0, 12), (70, 41), (1500, 1390), (7000, 6000)]
)
def test_mcnemar_is_scipys_binomial_test(wins: int, losses: int) -> None:
    expected = stats.binomtest(wins, wins + losses).pvalue if wins + losses else 1.0
    assert mcnemar_p(wins, losses) == pytest.approx(expected, rel=1e-9)


def test_mcnemar_by_hand() -> None:
    # Nine against two: 2 * (1 + 11 + 55) / 2048.
    assert mcnemar_p(9, 2) == 2 * 67 / 2048
    assert mcnemar_p(5, 5) == 1.0


def test_the_fourfold_table() -> None:
    found = mcnemar([True, True, True, False, False], [True, False, False, True, False])
    assert (found.both, found.only_first, found.only_second, found.neither) == (1, 2, 1, 1)
    assert found.discordant == 3
    assert found.p == 1.0


@given(st.integers(0, 300), st.integers(0, 300))
def test_mcnemar_knows_no_order_and_stays_a_chance(wins: int, losses: int) -> None:
    p = mcnemar_p(wins, losses)
    assert p == mcnemar_p(losses, wins)
    assert 0 < p <= 1


@pytest.mark.parametrize("seed", range(4))
def test_randomisation_agrees_with_every_flip_counted(seed: int) -> None:
    generator = np.random.default_rng(seed)
    first, second = generator.random(11).round(1).tolist(), (generator.random(11) * 0.6).round(1).tolist()
    differences = [a - b for a, b in zip(first, second, strict=True)]
    expected = exact_p(differences)
    scipys = stats.permutation_test(
        (first, second),
        lambda a, b, axis: np.mean(a - b, axis),
        permutation_type="samples",
        n_resamples=np.inf,
        vectorized=True,
    )
    assert scipys.pvalue == pytest.approx(expected)
    draws = 40_000
    found = randomisation(first, second, seed, draws)
    assert found.p == pytest.approx(expected, abs=4 * math.sqrt(expected * (1 - expected) / draws) + 1 / draws)
    assert found.difference == pytest.approx(scipys.statistic)


def test_randomisation_agrees_with_scipys_on_many_questions() -> None:
    first, second = graded(900, 8)
    scipys = stats.permutation_test(
        (first, second),
        lambda a, b, axis: np.mean(a - b, axis),
        permutation_type="samples",
        n_resamples=10_000,
        batch=500,
        vectorized=True,
        rng=np.random.default_rng(3),
    )
    p = randomisation(first, second, draws=40_000).p
    error = math.sqrt(p * (1 - p) * (1 / 10_000 + 1 / 40_000))
    assert 0.01 < p < 0.99
    assert p == pytest.approx(scipys.pvalue, abs=4 * error)


def test_on_right_and_wrong_randomisation_comes_to_mcnemar() -> None:
    first, second = [1.0] * 60 + [0.0] * 41 + [1.0] * 99, [0.0] * 60 + [1.0] * 41 + [1.0] * 99
    expected = mcnemar_p(60, 41)
    found = randomisation(first, second, draws=100_000)
    assert found.p == pytest.approx(expected, abs=4 * math.sqrt(expected / 100_000))


def test_equal_sums_count_however_they_are_rounded() -> None:
    # All differences are one tenth on paper; only two of the eight flips reach the observed sum.
    first, second = [0.3, 0.7, 0.2], [0.2, 0.6, 0.1]
    assert randomisation(first, second, draws=50_000).p == pytest.approx(0.25, abs=0.01)


def test_p_is_smoothed_by_one_and_never_0() -> None:
    found = randomisation([1.0] * 40, [0.2] * 40, draws=99)
    assert found.as_large == 0
    assert found.p == 1 / 100


def test_a_run_does_not_differ_from_itself() -> None:
    first, _ = graded(50, 1)
    found = paired_test(first, first)
    assert (found.difference, found.p) == (0, 1)
    assert found.outcomes == Outcomes(0, 50, 0)
    # Nor is it sure that it never would: fifty equal questions may have missed others.
    unseen = 1 - 0.025 ** (1 / 50)
    assert (found.low, found.high, found.interval) == (pytest.approx(-unseen), pytest.approx(unseen), "bound")


def test_the_seed_draws_again() -> None:
    first, second = graded(300, 2)
    assert randomisation(first, second, seed=5) == randomisation(first, second, seed=5)
    assert randomisation(first, second, seed=5).as_large != randomisation(first, second, seed=6).as_large


def test_signs_are_even_and_independent() -> None:
    # The spread of the flipped sums is known: the root of the sum of squares.
    differences = np.random.default_rng(1).normal(size=1003)
    sums = _flipped_sums(differences, 20_001, np.random.PCG64(2))
    spread = math.sqrt(float(differences @ differences))
    assert sums.mean() == pytest.approx(0, abs=4 * spread / math.sqrt(20_000))
    assert sums.std() == pytest.approx(spread, rel=4 / math.sqrt(2 * 20_000))


def test_memory_does_not_grow_with_draws_times_questions() -> None:
    generator = np.random.default_rng(1)
    first, second = generator.random(20_000), generator.random(20_000)
    randomisation(first[:9].tolist(), second[:9].tolist())
    tracemalloc.start()
    randomisation(first, second, draws=10_000)  # type: ignore[arg-type]
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    # 200 million signs, and less than four megabytes.
    assert peak < 4 * 2**20


@pytest.mark.parametrize("n", [30, 900, 7000])
def test_the_interval_is_scipys_bootstrap_without_its_error(n: int) -> None:
    first, second = graded(n, 3)
    differences = np.array(first) - np.array(second)
    resamples = 9_999 if n < 7000 else 2_999
    outside = stats.bootstrap(
        (differences,), np.mean, n_resamples=resamples, batch=200, method="percentile", rng=np.random.default_rng(4)
    ).confidence_interval
    deviation = float(differences.std()) / math.sqrt(n)
    error = math.sqrt(0.025 * 0.975 / resamples) / stats.norm.pdf(stats.norm.ppf(0.975)) * deviation
    assert bootstrap_interval(first, second) == pytest.approx((outside.low, outside.high), abs=4 * error)


@pytest.mark.parametrize("confidence", [0.8, 0.95, 0.99])
def test_the_interval_is_the_binomials_own(confidence: float) -> None:
    # Differences of 0 and 1 resampled are a binomial count; its quantiles are known.
    first = [1.0] * 30 + [0.0] * 70
    low, high = bootstrap_interval(first, [0.0] * 100, confidence)
    tail = (1 - confidence) / 2
    expected = stats.binom.ppf([tail, 1 - tail], 100, 0.3) / 100
    assert (low, high) == pytest.approx(tuple(expected), abs=2e-4)


@given(st.lists(st.tuples(GRADES, GRADES), min_size=1, max_size=30), st.sampled_from([0.5, 0.9, 0.95]))
@settings(max_examples=40)
def test_the_interval_lies_within_the_differences_and_turns_with_the_runs(
    pairs: list[tuple[float, float]], confidence: float
) -> None:
    first, second = map(list, zip(*pairs, strict=True))
    low, high = bootstrap_interval(first, second, confidence)
    differences = [a - b for a, b in pairs]
    assert min(differences) - 1e-9 <= low <= high <= max(differences) + 1e-9
    turned = bootstrap_interval(second, first, confidence)
    # Where a quantile falls just between two values of the mean, either may be taken; they are a draw apart at most.
    apart = (max(differences) - min(differences)) / len(pairs) + 1e-3
    assert (-turned[1], -turned[0]) == pytest.approx((low, high), abs=apart)


@given(st.lists(st.tuples(GRADES, GRADES), min_size=1, max_size=30))
@settings(max_examples=40)
def test_a_comparison_turns_with_its_runs(pairs: list[tuple[float, float]]) -> None:
    first, second = map(list, zip(*pairs, strict=True))
    here, there = paired_test(first, second, draws=500), paired_test(second, first, draws=500)
    assert here.difference == pytest.approx(-there.difference)
    assert here.difference == pytest.approx(here.first - here.second)
    assert here.p == there.p
    assert (here.outcomes.wins, here.outcomes.losses) == (there.outcomes.losses, there.outcomes.wins)
    assert here.outcomes.n == here.n == len(pairs)
    assert 0 < here.p <= 1


def test_the_test_is_chosen_by_the_values() -> None:
    exact = paired_test([1, 0, 1, 1], [0, 0, 1, 0])
    assert (exact.test, exact.p, exact.draws, exact.seed) == ("mcnemar", 0.5, None, None)
    assert exact.interval == "newcombe"
    assert exact.difference == 0.5
    drawn = paired_test([1, 0, 0.5], [0, 0, 1], seed=3, draws=50)
    assert (drawn.test, drawn.draws, drawn.seed) == ("randomisation", 50, 3)
    assert drawn.interval == "bootstrap"


def test_wins_ties_and_losses() -> None:
    assert win_tie_loss([1, 0, 0.5, 0.5], [0, 1, 0.5, 0.2]) == Outcomes(2, 1, 1)


@pytest.mark.parametrize(("first", "second"), [([], []), ([1.0], [1.0, 0.0]), ([math.nan], [0.0]), ([0.0], [math.inf])])
def test_impossible_runs(first: list[float], second: list[float]) -> None:
    for function in (paired_test, randomisation, bootstrap_interval, difference_interval, win_tie_loss):
        with pytest.raises(ValueError, match=r"questions|finite"):
            function(first, second)


def test_impossible_settings() -> None:
    with pytest.raises(ValueError, match="draw"):
        randomisation([1.0], [0.0], draws=0)
    with pytest.raises(ValueError, match="confidence"):
        bootstrap_interval([1.0, 0.0], [0.0, 0.0], 1.0)
    with pytest.raises(ValueError, match="confidence"):
        difference_interval([1.0, 0.0], [0.0, 0.0], 1.0)
    with pytest.raises(ValueError, match="negative"):
        mcnemar_p(-1, 2)
    with pytest.raises(ValueError, match="negative"):
        newcombe_interval(1, -1, 2, 0)
    with pytest.raises(ValueError, match="at least one question"):
        newcombe_interval(0, 0, 0, 0)


# Newcombe's interval


@pytest.mark.parametrize(
    ("counts", "ends"),
    [
        # R. G. Newcombe, Statistics in Medicine 17 (1998), the worked examples of method 10.
        ((36, 12, 2, 0), (0.0569, 0.3404)),
        ((18, 12, 2, 18), (0.0562, 0.3290)),
        ((53, 0, 0, 1), (-0.0729, 0.0729)),
        ((0, 30, 0, 0), (0.8395, 1.0)),
        # Consolidation therapy (Cavo et al. 2012) in M. W. Fagerland, S. Lydersen, P. Laake, Statistical Analysis of
        # Contingency Tables (2017), chapter 8, as their R package contingencytables computes it.
        ((59, 6, 16, 80), (-0.1186, -0.0046)),
    ],
)
def test_newcombes_published_intervals(counts: tuple[int, int, int, int], ends: tuple[float, float]) -> None:
    assert newcombe_interval(*counts) == pytest.approx(ends, abs=6e-5)


def test_newcombe_by_hand() -> None:
    # All of ten right on both sides: Wilson's lower end is 1 / (1 + z * z / 10), phi 0.
    z = stats.norm.ppf(0.975)
    below = 1 - 1 / (1 + z * z / 10)
    assert newcombe_interval(10, 0, 0, 0) == pytest.approx((-below, below))
    # Five right and five wrong on both sides: phi is (25 - 5) / 25, the distances of Wilson's ends are equal.
    half = z * math.sqrt(1 / 40 + z * z / 400) / (1 + z * z / 10)
    assert newcombe_interval(5, 0, 0, 5) == pytest.approx((-half * math.sqrt(0.4), half * math.sqrt(0.4)))


counts = st.tuples(*[st.integers(0, 200)] * 4).filter(sum)


@given(counts, st.sampled_from([0.5, 0.9, 0.95, 0.99]))
def test_newcombe_turns_with_the_runs_and_holds_the_difference(
    table: tuple[int, int, int, int], confidence: float
) -> None:
    both, first, second, neither = table
    low, high = newcombe_interval(*table, confidence)
    difference = (first - second) / sum(table)
    assert -1 <= low <= difference <= high <= 1
    assert high - low > 0
    assert newcombe_interval(both, second, first, neither, confidence) == pytest.approx((-high, -low))
    # Nor does it matter what is called right.
    assert newcombe_interval(neither, first, second, both, confidence) == pytest.approx((low, high))
    narrow = newcombe_interval(*table, confidence / 2)
    assert low - 1e-12 <= narrow[0] <= narrow[1] <= high + 1e-12


@given(st.integers(1, 300), st.integers(0, 300))
def test_runs_that_agree_everywhere_are_not_certain_to(both: int, neither: int) -> None:
    low, high = newcombe_interval(both, 0, 0, neither)
    assert low < 0 < high
    assert low == pytest.approx(-high)
    more = newcombe_interval(4 * both, 0, 0, 4 * neither)
    assert high > more[1]


@pytest.mark.parametrize(("n", "average", "least"), [(5, 0.957, 0.82), (10, 0.957, 0.85), (20, 0.954, 0.9)])
def test_newcombe_covers_what_it_promises_on_average(n: int, average: float, least: float) -> None:
    """Every table of n questions, weighed by its chance, under every mixture of the four cases in tenths."""
    tables = [
        (both, first, second, n - both - first - second)
        for both in range(n + 1)
        for first in range(n - both + 1)
        for second in range(n - both - first + 1)
    ]
    ends = np.array([newcombe_interval(*table) for table in tables])
    mixtures = [
        np.array([both, first, second, 10 - both - first - second]) / 10
        for both in range(11)
        for first in range(11 - both)
        for second in range(11 - both - first)
    ]
    covered = []
    for mixture in mixtures:
        true = mixture[1] - mixture[2]
        inside = (ends[:, 0] <= true + 1e-12) & (true - 1e-12 <= ends[:, 1])
        covered.append(float(stats.multinomial.pmf(tables, n, mixture)[inside].sum()))
    assert np.mean(covered) > average
    assert min(covered) > least


def test_the_interval_is_chosen_by_the_values() -> None:
    right = difference_interval([1, 0, 1, 1], [0, 0, 1, 0])
    assert right == (*newcombe_interval(1, 2, 0, 1), "newcombe")
    graded_ = [0.5, 0.25, 1.0], [0.0, 0.5, 0.5]
    assert difference_interval(*graded_) == (*bootstrap_interval(*graded_), "bootstrap")
    # A tenth everywhere, on paper.
    low, high, method = difference_interval([0.3, 0.7, 0.2], [0.2, 0.6, 0.1])
    unseen = 1 - 0.025 ** (1 / 3)
    assert method == "bound"
    assert (low, high) == pytest.approx((0.1 - unseen * 1.1, 0.1 + unseen * 0.9))
    for first, second in (([1, 1], [1, 1]), ([0.5], [0.5]), ([1 / 3] * 9, [0.2] * 9), ([0.0], [0.5])):
        found = paired_test(first, second)
        assert found.low < found.difference < found.high
        assert (found.low, found.high) == difference_interval(first, second)[:2]
